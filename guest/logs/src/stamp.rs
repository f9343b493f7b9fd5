//! Time stamps at the start of a line.

use crate::ascii::{after_spaces, at, from, run};
use crate::level::{self, Level};

/// A time stamp at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The offset after it.
    pub end: usize,
    /// The level that is a part of it, as in `E0102 03:04:05`.
    pub level: Option<Level>,
    /// Whether it is a time without a date, or a number, which other texts may begin with too.
    pub is_weak: bool,
}

const MONTHS: [&[u8]; 12] = [
    b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
];

/// The time stamp at the start of a line, which may be in brackets.
pub fn stamp(line: &[u8]) -> Option<Stamp> {
    let whole = |end: usize, is_weak: bool| Stamp {
        end,
        level: None,
        is_weak,
    };
    match at(line, 0) {
        b'[' | b'(' | b'"' => {
            // `[E 03:04:05.678 App]`
            let letter = (at(line, 2) == b' ')
                .then(|| level::by_letter(at(line, 1)))
                .flatten();
            let start = if letter.is_some() { 3 } else { 1 };
            if let Some(end) = date_time(line, start) {
                return Some(Stamp {
                    level: letter,
                    ..whole(closed(line, end), false)
                });
            }
            if let Some(end) = time(line, start) {
                return Some(Stamp {
                    level: letter,
                    ..whole(closed(line, end), letter.is_none())
                });
            }
            uptime(line).map(|end| whole(end, false))
        }
        b'I' | b'W' | b'E' | b'F' if pattern(line, 1, b"0000 ") => {
            let end = time(line, 6)?;
            let level = level::by_letter(at(line, 0));
            Some(Stamp {
                level,
                ..whole(end, false)
            })
        }
        first if first.is_ascii_digit() || first.is_ascii_alphabetic() => {
            if let Some(end) = date_time(line, 0) {
                return Some(whole(end, false));
            }
            if let Some(end) = time(line, 0) {
                return Some(whole(end, true));
            }
            epoch(line).map(|end| whole(end, true))
        }
        _ => None,
    }
}

/// The offset after the bracket or quote that closes a time stamp.
fn closed(line: &[u8], end: usize) -> usize {
    end.saturating_add(usize::from(matches!(at(line, end), b']' | b')' | b'"')))
}

/// Whether the bytes from `start` on have this pattern: `0` is a digit, `A` a letter, others are themselves.
fn pattern(line: &[u8], start: usize, pattern: &[u8]) -> bool {
    pattern.iter().enumerate().all(|(n, wanted)| {
        let byte = at(line, start.saturating_add(n));
        match wanted {
            b'0' => byte.is_ascii_digit(),
            b'A' => byte.is_ascii_alphabetic(),
            b'-' => matches!(byte, b'-' | b'/' | b'.'),
            wanted => byte == *wanted,
        }
    })
}

fn is_month(line: &[u8], start: usize) -> bool {
    MONTHS
        .iter()
        .any(|month| crate::ascii::has(line, start, month))
}

/// The offset after a date and a time that begin at `start`.
pub fn date_time(line: &[u8], start: usize) -> Option<usize> {
    let after = |count: usize| start.saturating_add(count);
    if at(line, start).is_ascii_digit() {
        // 2024-01-02, 2024/01/02
        let date = if pattern(line, start, b"0000-00-00") {
            10
        // 02-Jan-2024, 02/Jan/2024, 02 Jan 2024
        } else if (pattern(line, start, b"00-AAA-0000") || pattern(line, start, b"00 AAA 0000"))
            && is_month(line, after(3))
        {
            11
        // 02.01.2024, 01/02/2024
        } else if pattern(line, start, b"00-00-0000") {
            10
        // 24/01/02
        } else if pattern(line, start, b"00-00-00") {
            8
        // 240102 03:04:05
        } else if pattern(line, start, b"000000 ") {
            6
        // 01-02 03:04:05, as Android writes it
        } else if pattern(line, start, b"00-00 ") {
            5
        } else {
            return None;
        };
        let end = after(date);
        let gap = match at(line, end) {
            b'T' | b't' | b'_' | b':' => 1,
            b',' if at(line, end.saturating_add(1)) == b' ' => 2,
            b' ' => run(line, end, |byte| byte == b' '),
            _ => return None,
        };
        return time(line, end.saturating_add(gap));
    }
    // Wed Oct 11 14:32:52 2000
    let mut month = start;
    if pattern(line, start, b"AAA AAA ") || pattern(line, start, b"AAA, AAA ") {
        month = after(if at(line, after(3)) == b',' { 5 } else { 4 });
    }
    if !pattern(line, month, b"AAA ") || !is_month(line, month) {
        return None;
    }
    // Jan  2, Jan 02, Jan 2, 2024
    let day = after_spaces(line, month.saturating_add(3));
    let digits = run(line, day, |byte| byte.is_ascii_digit());
    if !(1..=2).contains(&digits) {
        return None;
    }
    let mut end = day.saturating_add(digits);
    if pattern(line, end, b", 0000 ") {
        end = end.saturating_add(6);
    }
    let end = time(line, after_spaces(line, end))?;
    if pattern(line, end, b" 0000") && !at(line, end.saturating_add(5)).is_ascii_alphanumeric() {
        return Some(end.saturating_add(5));
    }
    Some(end)
}

/// The offset after a time of the day that begins at `start`, with its fraction and its zone.
fn time(line: &[u8], start: usize) -> Option<usize> {
    let hour = run(line, start, |byte| byte.is_ascii_digit());
    let end = start.saturating_add(hour);
    if !(1..=2).contains(&hour) || !pattern(line, end, b":00") {
        return None;
    }
    let mut end = end.saturating_add(3);
    if pattern(line, end, b":00") {
        end = end.saturating_add(3);
        if matches!(at(line, end), b'.' | b',' | b':') {
            let digits = run(line, end.saturating_add(1), |byte| byte.is_ascii_digit());
            if (1..=9).contains(&digits) {
                end = end.saturating_add(1).saturating_add(digits);
            }
        }
    }
    if at(line, end) == b'Z' {
        return Some(end.saturating_add(1));
    }
    let zone = end.saturating_add(usize::from(at(line, end) == b' '));
    if matches!(at(line, zone), b'+' | b'-') {
        let zone = zone.saturating_add(1);
        for form in [&b"00:00"[..], b"0000", b"00"] {
            let after = zone.saturating_add(form.len());
            if pattern(line, zone, form) && !at(line, after).is_ascii_alphanumeric() {
                return Some(after);
            }
        }
    }
    if pattern(line, end, b" AM") || pattern(line, end, b" PM") {
        return Some(end.saturating_add(3));
    }
    (!at(line, end).is_ascii_alphanumeric()).then_some(end)
}

/// The offset after a time since the start, as the kernel writes it: `[   12.345678]`.
fn uptime(line: &[u8]) -> Option<usize> {
    let start = after_spaces(line, 1);
    let seconds = run(line, start, |byte| byte.is_ascii_digit());
    let point = start.saturating_add(seconds);
    let digits = run(line, point.saturating_add(1), |byte| byte.is_ascii_digit());
    let end = point.saturating_add(1).saturating_add(digits);
    let is = seconds > 0 && at(line, point) == b'.' && digits >= 3 && at(line, end) == b']';
    is.then_some(end.saturating_add(1))
}

/// The offset after a number of seconds since 1970, with or without a fraction.
fn epoch(line: &[u8]) -> Option<usize> {
    let digits = run(line, 0, |byte| byte.is_ascii_digit());
    if digits != 10 && digits != 13 {
        return None;
    }
    let mut end = digits;
    if at(line, end) == b'.' {
        let fraction = run(line, end.saturating_add(1), |byte| byte.is_ascii_digit());
        end = end.saturating_add(1).saturating_add(fraction);
    }
    matches!(at(line, end), b' ' | b'\t').then_some(end)
}

/// Whether text follows a time stamp, and not only numbers, as in a table of measurements.
pub fn begins_message(line: &[u8], end: usize) -> bool {
    let next = at(line, end);
    let follows = match next {
        0 => line.len() <= end,
        b'\t' => !at(line, end.saturating_add(1)).is_ascii_digit(),
        b',' => at(line, end.saturating_add(1)) == b' ',
        b' ' | b']' | b')' | b':' | b'|' | b'-' | b'"' | b'[' | b'<' | b'(' => true,
        _ => false,
    };
    let rest = from(line, end);
    // `00:00:01,000 --> 00:00:04,000` is a subtitle.
    follows
        && rest
            .iter()
            .take(200)
            .any(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)
}
