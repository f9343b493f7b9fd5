//! Dates (RFC 5322, 3.3) and file times → ISO 8601.

/// Writes a date as `2024-03-01T12:00:00+01:00`. `None` if it is not a valid date.
pub fn iso(text: &str) -> Option<String> {
    // Comments, commas and hyphens are not needed: `Fri, 1-Mar-24 12:00:00 +0100 (CET)`.
    let text = text.split('(').next().unwrap_or_default();
    let mut words = text
        .split(|char: char| char.is_whitespace() || char == ',')
        .filter(|word| !word.is_empty())
        .peekable();
    if words.peek()?.starts_with(|char: char| char.is_alphabetic()) {
        words.next();
    }
    let first = words.next()?;
    // `Fri Mar 1 12:00:00 2024`, as the function `asctime` writes it.
    if month(first).is_some() {
        return None;
    }
    let pieces: Vec<&str> = match first.split_once('-') {
        Some((day, rest)) => {
            let (month, year) = rest.split_once('-')?;
            vec![day, month, year]
        }
        None => vec![first, words.next()?, words.next()?],
    };
    let [day, name, year] = pieces.as_slice() else {
        return None;
    };
    let day: u32 = day.parse().ok()?;
    let month = month(name)?;
    let digits = year.len();
    let year: u32 = year.parse().ok()?;
    // RFC 5322, 4.3.
    let year = match digits {
        0..=2 if year < 50 => year.checked_add(2000)?,
        0..=3 => year.checked_add(1900)?,
        4 => year,
        _ => return None,
    };
    if day == 0 || day > days(year, month) {
        return None;
    }
    let clock = words.next()?;
    // Some programs write no space before the zone.
    let (clock, glued) = match clock.find(['+', '-', 'Z']) {
        Some(at) => clock.split_at_checked(at)?,
        None => (clock, ""),
    };
    let mut time = clock.split([':', '.']);
    let hour: u32 = time.next()?.parse().ok()?;
    let minute: u32 = time.next()?.parse().ok()?;
    let second: u32 = time.next().map_or(Some(0), |text| text.parse().ok())?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let date = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    let zone = Some(glued)
        .filter(|glued| !glued.is_empty())
        .or_else(|| words.next());
    let zone = zone.map_or(Some(String::new()), self::zone)?;
    Some(date + &zone)
}

/// The offset of a zone, such as `+01:00`. It is empty if the zone is not known.
fn zone(text: &str) -> Option<String> {
    if let Some(digits) = text.strip_prefix(['+', '-']) {
        let digits = digits.replace(':', "");
        let number: u32 = digits.parse().ok().filter(|_| digits.len() == 4)?;
        let (hours, minutes) = (number / 100, number % 100);
        if minutes > 59 || hours > 23 {
            return None;
        }
        let sign = if text.starts_with('-') && number > 0 {
            '-'
        } else {
            '+'
        };
        return Some(format!("{sign}{hours:02}:{minutes:02}"));
    }
    let offset = match text.to_ascii_uppercase().as_str() {
        "UT" | "UTC" | "GMT" | "Z" => "+00:00",
        "EDT" => "-04:00",
        "EST" | "CDT" => "-05:00",
        "CST" | "MDT" => "-06:00",
        "MST" | "PDT" => "-07:00",
        "PST" => "-08:00",
        _ => "",
    };
    Some(offset.to_owned())
}

/// The number of a month, from the first letters of its English name.
fn month(name: &str) -> Option<u32> {
    let names = "janfebmaraprmayjunjulaugsepoctnovdec";
    let name = name.get(..3)?.to_ascii_lowercase();
    let at = names.find(&name).filter(|at| at % 3 == 0)?;
    u32::try_from(at / 3).ok()?.checked_add(1)
}

/// The number of days of a month.
fn days(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

/// Writes a file time of Windows, the number of 100 nanoseconds since 1601, in UTC. `None` if it is
/// 0 or after the year 9999.
pub fn of_file_time(ticks: u64) -> Option<String> {
    let seconds = (ticks / 10_000_000).checked_sub(11_644_473_600)?;
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Days since 0000-03-01, by Howard Hinnant's algorithm for civil dates.
    let shifted = days.checked_add(719_468)?;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let leap = (day_of_era / 36_524).saturating_sub(day_of_era / 146_096);
    let year_of_era = day_of_era
        .saturating_sub(day_of_era / 1460)
        .saturating_add(leap)
        / 365;
    let past = (year_of_era.saturating_mul(365))
        .saturating_add(year_of_era / 4)
        .saturating_sub(year_of_era / 100);
    let day_of_year = day_of_era.saturating_sub(past);
    let shifted_month = day_of_year.saturating_mul(5).saturating_add(2) / 153;
    let before = shifted_month.saturating_mul(153).saturating_add(2) / 5;
    let day = day_of_year.saturating_sub(before).saturating_add(1);
    let month = if shifted_month < 10 {
        shifted_month.saturating_add(3)
    } else {
        shifted_month.saturating_sub(9)
    };
    let year = year_of_era
        .saturating_add(era.saturating_mul(400))
        .saturating_add(u64::from(month <= 2));
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    (year <= 9999)
        .then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}+00:00"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_an_offset() {
        let cases = [
            (
                "Fri, 1 Mar 2024 12:00:05 +0100",
                "2024-03-01T12:00:05+01:00",
            ),
            ("1 Mar 2024 12:00 GMT (x)", "2024-03-01T12:00:00+00:00"),
            ("Fri, 1-Mar-24 12:00:00 -0000", "2024-03-01T12:00:00+00:00"),
            ("29 february 2000 1:02:03 EST", "2000-02-29T01:02:03-05:00"),
            ("1 Mar 2024 00:01+0000", "2024-03-01T00:01:00+00:00"),
            ("1 Mar 99 12:00:00 XYZ", "1999-03-01T12:00:00"),
        ];
        for (text, expected) in cases {
            assert_eq!(iso(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn invalid_dates_are_refused() {
        for text in [
            "",
            "x",
            "30 Feb 2024 12:00:00 +0100",
            "1 Mar 2024 24:00:00 +0100",
            "1 Mar 2024",
            "1 Ebm 2024 12:00:00",
            "1 Mar 2024 12:00:00 +9999",
            "4294967295 Mar 2024 1:1:1",
        ] {
            assert_eq!(iso(text), None, "{text}");
        }
    }

    #[test]
    fn file_times_are_utc() {
        assert_eq!(of_file_time(0), None);
        assert_eq!(
            of_file_time(116_444_736_000_000_000).as_deref(),
            Some("1970-01-01T00:00:00+00:00")
        );
        assert_eq!(
            of_file_time(133_536_816_050_000_000).as_deref(),
            Some("2024-02-29T12:00:05+00:00")
        );
        assert_eq!(of_file_time(u64::MAX), None);
    }
}
