//! Sizes, ages and times in human-readable form.

use crate::world::Time;
use humantime::format_rfc3339_millis;
pub use omniread_outline::numbers::thousands;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

/// Formats a number of bytes in units of 1024 with one decimal: `512B`, `1.5KB`, `2.3MB`.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KB", "MB", "GB", "TB", "PB", "EB"];
    if bytes < 1024 {
        return format!("{bytes}B");
    }
    let mut size = bytes;
    let mut rest = 0;
    let mut unit = "B";
    for next in UNITS {
        if size < 1024 {
            break;
        }
        rest = size % 1024;
        size /= 1024;
        unit = next;
    }
    // Rounded to the nearest tenth, which may carry into the whole part.
    let tenths = rest.saturating_mul(10).saturating_add(512) / 1024;
    let (whole, tenth) = if tenths == 10 {
        (size.saturating_add(1), 0)
    } else {
        (size, tenths)
    };
    format!("{whole}.{tenth}{unit}")
}

/// Formats a number of bytes in whole units of 1024: `512 B`, `245 KB`, `3 MB`.
pub fn rounded(bytes: u64) -> String {
    let mut size = bytes;
    let mut name = "B";
    for next in ["KB", "MB", "GB"] {
        if size < 1024 {
            break;
        }
        size = size.saturating_add(512) / 1024;
        name = next;
    }
    format!("{size} {name}")
}

/// Abbreviations whose first letter is pronounced with a vowel: `an HTML page`.
const SPELLED: [&str; 3] = ["HTML", "SVG", "XML"];

/// A name with its article: `a zip archive`, `an ar archive`.
pub fn with_article(name: &str) -> String {
    let spelled = SPELLED.iter().any(|start| name.starts_with(start));
    let article = if spelled || name.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}

/// A time in the date format of JavaScript's `toJSON`: `2025-01-15T08:30:00.000Z`.
pub fn date(time: Time) -> String {
    let since = Duration::new(time.seconds, time.nanos.min(999_999_999));
    let mut date = String::new();
    match SystemTime::UNIX_EPOCH.checked_add(since) {
        Some(time) if write!(date, "{}", format_rfc3339_millis(time)).is_ok() => date,
        // Years of five digits have no such date.
        _ => time.millis().to_string(),
    }
}

/// Formats an age in seconds: `just now`, `5m ago`, `2h ago`, `3d ago`, `2w ago`, `1mo ago`.
pub fn age(seconds: u64) -> String {
    const DAY: u64 = 86_400;
    match seconds {
        0..60 => "just now".to_owned(),
        60..3600 => format!("{}m ago", seconds / 60),
        3600..DAY => format!("{}h ago", seconds / 3600),
        seconds if seconds < 7 * DAY => format!("{}d ago", seconds / DAY),
        seconds if seconds < 30 * DAY => format!("{}w ago", seconds / (7 * DAY)),
        seconds => format!("{}mo ago", seconds / (30 * DAY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (size, shown) in [
            (0, "0B"),
            (512, "512B"),
            (1023, "1023B"),
            (1024, "1.0KB"),
            (1536, "1.5KB"),
            (2_411_725, "2.3MB"),
            (1_048_575, "1024.0KB"),
            (10 << 30, "10.0GB"),
            (1 << 40, "1.0TB"),
            (u64::MAX, "16.0EB"),
        ] {
            assert_eq!(bytes(size), shown);
        }
    }

    #[test]
    fn whole_sizes() {
        for (size, shown) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (250_880, "245 KB"),
            (3_400_000, "3 MB"),
        ] {
            assert_eq!(rounded(size), shown);
        }
    }

    #[test]
    fn dates() {
        for (seconds, nanos, shown) in [
            (0, 0, "1970-01-01T00:00:00.000Z"),
            (1_736_929_800, 250_000_000, "2025-01-15T08:30:00.250Z"),
            (253_402_300_800, 0, "253402300800000"),
            (u64::MAX, u32::MAX, "18446744073709551615"),
        ] {
            assert_eq!(date(Time { seconds, nanos }), shown);
        }
    }

    #[test]
    fn ages() {
        for (seconds, shown) in [
            (0, "just now"),
            (59, "just now"),
            (300, "5m ago"),
            (7200, "2h ago"),
            (3 * 86_400, "3d ago"),
            (15 * 86_400, "2w ago"),
            (40 * 86_400, "1mo ago"),
            (800 * 86_400, "26mo ago"),
        ] {
            assert_eq!(age(seconds), shown);
        }
    }
}
