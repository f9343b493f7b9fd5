//! Times with units, such as `10s`, `500ms` and `1m30s`.

use std::time::Duration;

/// The shortest time, because messages state times in milliseconds.
const SHORTEST: Duration = Duration::from_millis(1);

/// Parses a time: a number of seconds, or numbers with units, such as `500ms`, `5s`, `2m` or `1m30s`.
/// Only 0 is 0: shorter times than a millisecond are raised to it. `None` if the text has another form.
pub fn parse_time(text: &str) -> Option<Duration> {
    let text = text.trim();
    let time = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok()?,
        Err(_) => with_units(text)?,
    };
    let is_zero = time.is_zero() && !text.contains(|c: char| matches!(c, '1'..='9'));
    Some(if is_zero { time } else { time.max(SHORTEST) })
}

/// The sum of the numbers with units in a text.
fn with_units(text: &str) -> Option<Duration> {
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = rest.split_at(end);
        let unit = unit.trim_start();
        let end = unit.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, after) = unit.split_at(end.unwrap_or(unit.len()));
        let seconds = match unit {
            "ms" => 0.001,
            "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        let number: f64 = number.parse().ok()?;
        let part = Duration::try_from_secs_f64(number * seconds).ok()?;
        total = total.checked_add(part)?;
        rest = after.trim_start();
    }
    (!text.is_empty()).then_some(total)
}

/// A time as [`parse_time`] reads it.
pub fn written(time: Duration) -> String {
    match (time.as_secs(), time.subsec_nanos()) {
        (seconds, 0) => format!("{seconds}s"),
        (_, nanos) if nanos % 1_000_000 == 0 => format!("{}ms", time.as_millis()),
        _ => format!("{}s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_parsed_with_their_units() {
        for (text, millis) in [
            ("0", 0),
            ("0s", 0),
            ("2", 2000),
            ("0.5", 500),
            ("250ms", 250),
            ("5 s", 5000),
            ("2min", 120_000),
            ("1m30s", 90_000),
            ("1h 1m", 3_660_000),
            ("0.0001", 1),
            ("0.01ms", 1),
        ] {
            let time = Duration::from_millis(millis);
            assert_eq!(parse_time(text), Some(time), "{text}");
            assert_eq!(parse_time(&written(time)), Some(time), "{text}");
        }
    }

    #[test]
    fn texts_that_are_not_times_are_refused() {
        for text in [
            "", " ", "s", "-1", "x", "inf", "nan", "1e300", "5x", "1m30", "1d",
        ] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }
}
