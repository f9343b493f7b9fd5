//! Dates of the Gregorian calendar.

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// The year, such as 2026.
    pub year: i64,
    /// The month, from 1.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
}

/// The days from 0000-03-01 to 1970-01-01.
const TO_1970: i64 = 719_468;

impl Day {
    /// The day that is this number of days after 1970-01-01, by the algorithm of
    /// <https://howardhinnant.github.io/date_algorithms.html>. `None` for years outside of 0 to 9999.
    pub fn after_1970(days: i64) -> Option<Self> {
        let days = u32::try_from(days.checked_add(TO_1970)?).ok()?;
        // Years start in March, so that a leap day is the last of its year.
        let (era, day) = (days / 146_097, days % 146_097);
        let leaps = (day / 1460).saturating_add(day / 146_096);
        let year = day.saturating_add(day / 36_524).saturating_sub(leaps) / 365;
        let start = year.saturating_mul(365).saturating_add(year / 4);
        let day = day.saturating_sub(start.saturating_sub(year / 100));
        let month = day.saturating_mul(5).saturating_add(2) / 153;
        let first = month.saturating_mul(153).saturating_add(2) / 5;
        let day = day.saturating_sub(first).saturating_add(1);
        let (month, next) = if month < 10 {
            (month.saturating_add(3), 0)
        } else {
            (month.saturating_sub(9), 1)
        };
        let year = era.saturating_mul(400).saturating_add(year);
        let year = i64::from(year.saturating_add(next));
        (year <= 9999).then_some(Self { year, month, day })
    }
}

impl std::fmt::Display for Day {
    /// Writes the day as in ISO 8601, such as `2026-03-01`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// The days from 1601-01-01 to 1970-01-01.
const FROM_1601: i64 = 134_774;

/// Writes a file time of Windows, the number of 100 nanoseconds since 1601, in UTC and as in ISO 8601:
/// `2013-12-23T23:15:00Z`. `None` after the year 9999.
pub fn of_file_time(ticks: u64) -> Option<String> {
    let seconds = ticks / 10_000_000;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let day = Day::after_1970(i64::try_from(days).ok()?.checked_sub(FROM_1601)?)?;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    Some(format!("{day}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// The number of days of a month.
pub fn days_of_month(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted() {
        let day = |days| Day::after_1970(days).map(|day| day.to_string());
        for (days, expected) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (-25_509, "1900-02-28"),
            (-25_508, "1900-03-01"),
            (2_932_896, "9999-12-31"),
        ] {
            assert_eq!(day(days).as_deref(), Some(expected));
        }
        assert_eq!(day(2_932_897), None);
        assert_eq!(day(-800_000), None);
        assert_eq!(day(i64::MAX), None);
    }

    #[test]
    fn file_times_are_written() {
        assert_eq!(
            of_file_time(130_323_141_000_000_000).as_deref(),
            Some("2013-12-23T23:15:00Z")
        );
        assert_eq!(of_file_time(0).as_deref(), Some("1601-01-01T00:00:00Z"));
        assert_eq!(of_file_time(u64::MAX), None);
    }

    #[test]
    fn months_have_their_days() {
        assert_eq!(days_of_month(2000, 2), 29);
        assert_eq!(days_of_month(1900, 2), 28);
        assert_eq!(days_of_month(2023, 4), 30);
        assert_eq!(days_of_month(2023, 12), 31);
    }
}
