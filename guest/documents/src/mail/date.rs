//! Dates (RFC 5322, 3.3) and file times → ISO 8601.

use omniread_document::date::{self, days_of_month};

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
    if day == 0 || day > days_of_month(year, month) {
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

/// The file time of 1970-01-01.
const TICKS_1970: u64 = 116_444_736_000_000_000;

/// Writes a file time of Windows, in UTC. `None` if it is not after the start of 1970 or after the year
/// 9999: programs write such times if they know none.
pub fn of_file_time(ticks: u64) -> Option<String> {
    let text = date::of_file_time(ticks).filter(|_| ticks >= TICKS_1970)?;
    Some(format!("{}+00:00", text.strip_suffix('Z')?))
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
