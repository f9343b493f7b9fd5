//! Times and sizes with units, as in `--timeout 5s` and `--max-file-size 1M`.

use omniread_config::parse_time;
use omniread_options::parse_size;
use std::time::Duration;

/// Parses a timeout as configuration files have it: a number of seconds, or numbers with units, such as
/// `500ms`, `5s`, `2m` or `1m30s`. Only 0 means no limit.
///
/// # Errors
/// Fails with the advice how to write a time.
pub fn time(text: &str) -> Result<Duration, String> {
    parse_time(text).ok_or_else(|| {
        "write a time such as 5s, 500ms or 2m; a number without a unit means seconds".to_owned()
    })
}

/// Parses a size: a number of bytes, or a number with a unit, such as `64K` or `1.5M`.
///
/// # Errors
/// Fails with the advice how to write a size.
pub fn size(text: &str) -> Result<u64, String> {
    parse_size(text).ok_or_else(|| {
        "write a size such as 500K, 1M or 2G; a number without a unit means bytes".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_parsed_with_their_units() {
        for (text, millis) in [
            ("0", 0),
            ("0s", 0),
            ("0.0", 0),
            ("2", 2000),
            ("0.5", 500),
            ("250ms", 250),
            ("5s", 5000),
            ("1.5s", 1500),
            ("5 s", 5000),
            ("2m", 120_000),
            ("2min", 120_000),
            ("1m30s", 90_000),
            ("1h 1m", 3_660_000),
            ("0.0001", 1),
            ("0.01ms", 1),
            ("1e-300", 1),
        ] {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn texts_that_are_not_times_are_refused() {
        for text in [
            "", " ", "s", "-1", "-1s", "x", "inf", "nan", "1e300", "1e300s", "5S", "5x", "1m30",
            "1.2.3s", "5,5s", "1d",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
