//! Sizes and durations of attached files.

/// A duration in seconds as `H:MM:SS` or `M:SS`. Other spellings stay.
pub fn duration(text: &str) -> String {
    let whole = text.trim().split('.').next().unwrap_or_default();
    match whole.parse::<u64>() {
        Ok(0) => String::new(),
        Ok(seconds) => {
            let (minutes, seconds) = (seconds.wrapping_div(60), seconds.wrapping_rem(60));
            let (hours, minutes) = (minutes.wrapping_div(60), minutes.wrapping_rem(60));
            match hours {
                0 => format!("{minutes}:{seconds:02}"),
                _ => format!("{hours}:{minutes:02}:{seconds:02}"),
            }
        }
        Err(_) => super::text::one_line(text)
            .chars()
            .take(crate::limits::DURATION_CHARS)
            .collect(),
    }
}

/// A size in bytes, as `3.2MB`.
pub fn size(bytes: u64) -> String {
    let units = ["KB", "MB", "GB", "TB"];
    let mut tenths = bytes.saturating_mul(10);
    let mut unit = "B";
    for larger in units {
        if tenths < 10_240 {
            break;
        }
        tenths = tenths.saturating_add(512).wrapping_div(1024);
        unit = larger;
    }
    let (whole, tenth) = (tenths.wrapping_div(10), tenths.wrapping_rem(10));
    if tenth == 0 || whole >= 100 {
        format!("{whole}{unit}")
    } else {
        format!("{whole}.{tenth}{unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_clock_times() {
        for (text, expected) in [
            ("1880", "31:20"),
            ("3:00", "3:00"),
            ("3661.5", "1:01:01"),
            ("0", ""),
            ("", ""),
        ] {
            assert_eq!(duration(text), expected);
        }
    }

    #[test]
    fn sizes_have_one_decimal() {
        for (bytes, expected) in [
            (0, "0B"),
            (1023, "1023B"),
            (1024, "1KB"),
            (3_355_443, "3.2MB"),
            (1 << 30, "1GB"),
        ] {
            assert_eq!(size(bytes), expected);
        }
        assert_eq!(size(u64::MAX).len(), "1677721TB".len());
    }
}
