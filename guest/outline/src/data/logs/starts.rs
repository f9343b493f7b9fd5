//! Detection of log records by the timestamp or level at their start.

use super::fields::{PREFIX, Start, json, logfmt};
use super::levels;
use memchr::memchr;

/// Formats of timestamps:
///
/// * `d` is a digit, `n` one or two digits, `_` a digit or space.
/// * `M` is a month, `W` a day of the week, `L` the letter of a level.
/// * `/` is a separator in a date, `T` a separator between date and time.
const STAMPS: [&[u8]; 15] = [
    b"dddd/dd/ddTdd:dd:dd",
    b"M _d dd:dd:dd",
    b"M d dd:dd:dd",
    b"dd/M/dddd:dd:dd:dd",
    b"W M _d dd:dd:dd",
    b"Ldddd dd:dd:dd",
    b"dd/dd dd:dd:dd",
    b"dd/dd/ddddTdd:dd:dd",
    b"dd/dd/dd dd:dd:dd",
    b"M n, dddd n:dd:dd",
    b"ddddddddTdd:dd:dd",
    b"dddddd dd:dd:dd",
    b"dd M dddd dd:dd:dd",
    b"dd:dd:dd",
    b"dddd/dd/ddTdd:dd",
];

const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
const DAYS: &[u8] = b"MonTueWedThuFriSatSun";

/// Reads the timestamp, the level and the message of the record that begins on this line. Returns
/// `None` if no record begins on it.
pub fn start(line: &str) -> Option<Start<'_>> {
    match line.bytes().next()? {
        b' ' | b'\t' => None,
        b'{' => json(line),
        _ => stamped(line)
            .or_else(|| logfmt(line))
            .or_else(|| access(line))
            .or_else(|| levelled(line))
            .or_else(|| prefixed(line)),
    }
}

/// Reads the start of a record that begins with a timestamp, which may be in brackets.
fn stamped(line: &str) -> Option<Start<'_>> {
    let mut from = line.strip_prefix(['[', '(']).unwrap_or(line);
    // The priority of a syslog message.
    if let Some((number, rest)) = line.strip_prefix('<').and_then(|rest| rest.split_once('>'))
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        from = rest.strip_prefix("1 ").unwrap_or(rest);
    }
    let bracketed = line.starts_with('[');
    let (length, form) = stamp(from).or_else(|| epoch(from, bracketed))?;
    let (stamp, rest) = from.split_at_checked(length)?;
    let level = match form {
        b'L' => levels::of_letter(stamp.bytes().next()?),
        b'M' => levels::of_logcat(rest),
        _ => None,
    };
    let level = level.or_else(|| levels::find(rest));
    let stamp = Some(stamp);
    Some(Start { stamp, rest, level })
}

/// The length in bytes of the timestamp at the start of a text, and a byte that shows where the
/// level is: `L` if it is a letter in the timestamp, `M` if a logcat level may follow, 0 otherwise.
fn stamp(text: &str) -> Option<(usize, u8)> {
    let bytes = text.as_bytes();
    // The first letter is sufficient to reject most lines.
    if !bytes.first()?.is_ascii_alphanumeric() {
        return None;
    }
    STAMPS.iter().enumerate().find_map(|(which, form)| {
        let length = matched(bytes, form)?;
        let length = length.saturating_add(tail(bytes.get(length..)?, form.first() == Some(&b'W')));
        let form = match which {
            5 => b'L',
            6 => b'M',
            _ => 0,
        };
        ends(bytes.get(length..)?).then_some((length, form))
    })
}

/// The length in bytes of the timestamp at the start of `bytes`, if it has the format `form`. See
/// [`STAMPS`] for the letters of formats.
fn matched(bytes: &[u8], form: &[u8]) -> Option<usize> {
    let mut at = 0usize;
    for part in form {
        let byte = *bytes.get(at)?;
        let name = |names: &[u8]| {
            names
                .chunks_exact(3)
                .any(|name| bytes.get(at..).is_some_and(|rest| rest.starts_with(name)))
        };
        let length = match part {
            b'd' if byte.is_ascii_digit() => 1,
            b'n' if byte.is_ascii_digit() => usize::from(
                bytes
                    .get(at.saturating_add(1))
                    .is_some_and(u8::is_ascii_digit),
            )
            .saturating_add(1),
            b'_' if byte == b' ' || byte.is_ascii_digit() => 1,
            b'M' if name(MONTHS) => 3,
            b'W' if name(DAYS) => 3,
            b'L' if matches!(byte, b'I' | b'W' | b'E' | b'F') => 1,
            b'/' if matches!(byte, b'/' | b'-' | b'.') => 1,
            b'T' if matches!(byte, b'T' | b't' | b' ' | b'_' | b'-' | b',') => 1,
            _ if part == &byte && !part.is_ascii_alphabetic() => 1,
            _ => return None,
        };
        at = at.saturating_add(length);
    }
    Some(at)
}

/// The length in bytes of the parts of a timestamp that may follow the time of day: a fraction, and
/// a time zone, `AM`, `PM` or (if `year` is set) a year.
fn tail(rest: &[u8], year: bool) -> usize {
    let digits = |from: usize| {
        rest.iter()
            .skip(from)
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let mut at = 0usize;
    if matches!(rest.first(), Some(b'.' | b',')) {
        // Python writes three digits after a comma. Other digits may be a field of a table.
        let length = digits(1);
        if length > 0 && (rest.first() == Some(&b'.') || length == 3) {
            at = length.saturating_add(1);
        }
    }
    let zone = rest.get(at..).unwrap_or_default();
    let blank = usize::from(zone.first() == Some(&b' '));
    at = at.saturating_add(match zone.get(blank..).unwrap_or_default() {
        [b'Z', ..] if blank == 0 => 1,
        [b'+' | b'-', a, b, b':', c, d, ..]
            if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()) =>
        {
            blank.saturating_add(6)
        }
        [b'+' | b'-', a, b, c, d, ..] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()) => {
            blank.saturating_add(5)
        }
        [b'A' | b'P', b'M', ..] | [b'U', b'T', b'C', ..] | [b'G', b'M', b'T', ..] if blank == 1 => {
            blank.saturating_add(
                if zone.get(2) == Some(&b'M') && zone.get(1) != Some(&b'G') {
                    2
                } else {
                    3
                },
            )
        }
        _ if year && blank == 1 && digits(at.saturating_add(1)) == 4 => 5,
        _ => 0,
    });
    at
}

/// Whether a timestamp may end before this text.
fn ends(rest: &[u8]) -> bool {
    match rest {
        [] | [b' ' | b'\t' | b']' | b')' | b'|' | b'>', ..] => true,
        [b':' | b'-', rest @ ..] => !rest.first().is_some_and(u8::is_ascii_digit),
        _ => false,
    }
}

/// The length in bytes of a timestamp that is a number of seconds or milliseconds since 1970, and 0
/// because the timestamp shows no level. In brackets, the number may be seconds since boot.
fn epoch(text: &str, bracketed: bool) -> Option<(usize, u8)> {
    let bytes = text.as_bytes();
    let digit = |byte: &u8| byte.is_ascii_digit();
    let blanks = if bracketed {
        bytes.iter().take_while(|byte| **byte == b' ').count()
    } else {
        0
    };
    let whole = bytes
        .iter()
        .skip(blanks)
        .take(20)
        .take_while(|byte| digit(byte))
        .count();
    let mut length = blanks.saturating_add(whole);
    let mut parts = 0usize;
    if bytes.get(length) == Some(&b'.') {
        parts = bytes
            .iter()
            .skip(length.saturating_add(1))
            .take(9)
            .take_while(|byte| digit(byte))
            .count();
        length = length.saturating_add(parts).saturating_add(1);
    }
    let since = matches!((bytes.first(), whole), (Some(b'1'), 10 | 13));
    let booted = bracketed && (1..=7).contains(&whole) && parts == 6;
    ((since || booted) && ends(bytes.get(length..)?)).then_some((length, 0))
}

/// Reads the start of a record of a web server: `address - user [stamp] "request" status`.
fn access(line: &str) -> Option<Start<'_>> {
    let near = line.get(..line.floor_char_boundary(PREFIX))?;
    let open = memchr(b'[', near.as_bytes())?;
    let after = line.get(open.saturating_add(1)..)?;
    let length = matched(after.as_bytes(), b"dd/M/dddd:dd:dd:dd")?;
    let length = length.saturating_add(tail(after.as_bytes().get(length..)?, false));
    let (stamp, rest) = after.split_at_checked(length)?;
    let rest = rest.strip_prefix(']')?.trim_start();
    let stamp = Some(stamp);
    let level = levels::of_status(rest);
    Some(Start { stamp, rest, level })
}

/// Reads the start of a record that begins with a level: `ERROR: …`, `[info] …`, `I/Tag(12): …`.
fn levelled(line: &str) -> Option<Start<'_>> {
    let (level, length) = levels::first(line)?;
    Some(Start {
        stamp: None,
        rest: line.get(length..)?,
        level: Some(level),
    })
}

/// Reads the start of a record in which the name of its source precedes the timestamp:
/// `name | 2024-…`, `name 2024-…`.
fn prefixed(line: &str) -> Option<Start<'_>> {
    let near = line.get(..line.floor_char_boundary(60))?;
    let (_, after) = near.split_once(' ')?;
    let after = after.trim_start_matches([' ', '|']);
    let from = near.len().saturating_sub(after.len());
    // Sentences contain times, but rarely with dates.
    stamped(line.get(from..)?).filter(|start| start.stamp.is_some_and(|stamp| stamp.len() > 14))
}

#[cfg(test)]
mod tests {
    use super::super::levels::Level;
    use super::*;

    #[test]
    fn log_records_are_detected_by_their_start() {
        let cases = [
            (
                "[pod/x] 2024-01-02T15:04:05Z y",
                Some("2024-01-02T15:04:05Z"),
                "",
            ),
            (
                "2024-01-02T15:04:05.123Z INFO x",
                Some("2024-01-02T15:04:05.123Z"),
                "INFO",
            ),
            (
                "2024-01-02 15:04:05,123 - root - WARNING - x",
                Some("2024-01-02 15:04:05,123"),
                "WARN",
            ),
            (
                "[2024-01-02 15:04:05 +0100] [error] x",
                Some("2024-01-02 15:04:05 +0100"),
                "ERROR",
            ),
            (
                "2024/01/02 15:04:05 [crit] 12#0: x",
                Some("2024/01/02 15:04:05"),
                "FATAL",
            ),
            (
                "2024-01-02 15:04:05.1+01:00\tx",
                Some("2024-01-02 15:04:05.1+01:00"),
                "",
            ),
            (
                "<34>1 2024-01-02T15:04:05Z host x",
                Some("2024-01-02T15:04:05Z"),
                "",
            ),
            (
                "<13>Jan  2 15:04:05 host x[1]: y",
                Some("Jan  2 15:04:05"),
                "",
            ),
            (
                "Jan 12 15:04:05 host x: error: y",
                Some("Jan 12 15:04:05"),
                "ERROR",
            ),
            (
                "[Wed Oct 11 14:32:52.123 2000] [warn] x",
                Some("Wed Oct 11 14:32:52.123 2000"),
                "WARN",
            ),
            (
                "Jan 2, 2024 3:04:05 PM a.B c",
                Some("Jan 2, 2024 3:04:05 PM"),
                "",
            ),
            (
                "I0102 15:04:05.123456  12 a.go:1] x",
                Some("I0102 15:04:05.123456"),
                "INFO",
            ),
            (
                "01-02 15:04:05.123  12  34 E Tag: x",
                Some("01-02 15:04:05.123"),
                "ERROR",
            ),
            ("E/Tag( 12): x", None, "ERROR"),
            (
                "15:04:05.123 [main] DEBUG a.B - x",
                Some("15:04:05.123"),
                "DEBUG",
            ),
            ("1704207845 x", Some("1704207845"), ""),
            ("1704207845123: x", Some("1704207845123"), ""),
            ("[    0.123456] x", Some("    0.123456"), ""),
            (
                "::1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 503 12",
                Some("10/Oct/2000:13:55:36 -0700"),
                "5xx",
            ),
            ("ERROR: x", None, "ERROR"),
            ("[info] x", None, "INFO"),
            ("INFO:root:x", None, "INFO"),
            (
                "web-1  | 2024-01-02T15:04:05Z x",
                Some("2024-01-02T15:04:05Z"),
                "",
            ),
            (
                "time=\"2024\" level=error msg=\"a b\"",
                Some("2024"),
                "ERROR",
            ),
            (
                "{\"level\":\"warn\", \"ts\": 1.5,\"msg\":\"x\"}",
                Some("1.5"),
                "WARN",
            ),
        ];
        for (line, stamp, level) in cases {
            let start = start(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(start.stamp, stamp, "{line}");
            assert_eq!(start.level.map_or("", Level::name), level, "{line}");
        }
        let others = [
            "",
            "x",
            "  2024-01-02 15:04:05 x",
            "2024-01-02 x",
            "2024-01-02 15:04:05;1;2",
            "2024-01-02 15:04:05,12,13",
            "1704207845,1",
            "1, 2",
            "{\"a\": 1}",
            "{\"date\": \"2024\"}",
            "Information about x",
            "Error handling is hard",
            "- [ERROR](x)",
            "12:30 x",
            "a=b",
            "January 2 15:04:05",
        ];
        for line in others {
            assert_eq!(start(line), None, "{line}");
        }
    }
}
