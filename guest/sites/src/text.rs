//! Text of a service: in one line, as a block, with its time.

use crate::limits;
use omniread_document::date::Day;

/// A text in one line of at most `most` characters, without control characters. A text that is cut ends in `…`.
pub fn line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut count = 0_usize;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
            count = count.saturating_add(1);
        }
        for c in word.chars() {
            if count >= most {
                out.push('…');
                return out;
            }
            out.push(c);
            count = count.saturating_add(1);
        }
    }
    out
}

/// A line of code of at most [`limits::LINE_CHARS`] characters, with its spaces. A line that is cut ends in `…`.
pub fn line_as_is(line: &str) -> String {
    let mut chars = line.chars();
    let mut kept: String = chars.by_ref().take(limits::LINE_CHARS).collect();
    if chars.next().is_some() {
        kept.push('…');
    }
    kept
}

/// A text of several lines, without carriage returns, and without empty lines at its start and its end. A text
/// that is cut ends in a line that says so.
pub fn block(text: &str) -> String {
    let text = text.replace('\r', "");
    let text = text.trim_matches('\n').trim_end();
    if text.len() <= limits::TEXT_BYTES {
        return text.to_owned();
    }
    let mut end = limits::TEXT_BYTES;
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    let kept = text.get(..end).unwrap_or_default();
    let left = text.len().saturating_sub(kept.len());
    format!("{kept}\n\n[{left} more bytes of this text are on the page itself]")
}

/// A number with its noun: `1 answer`, `2 answers`.
pub fn count(number: u64, noun: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{end}")
}

/// A time in seconds since 1970 as `2026-11-29 03:49 UTC`.
pub fn time(seconds: u64) -> String {
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    let days = i64::try_from(seconds / 86_400).ok();
    match days.and_then(Day::after_1970) {
        Some(day) => format!("{day} {hour:02}:{minute:02} UTC"),
        None => "a day after 9999".to_owned(),
    }
}

/// A number of bytes for people.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{} MiB", bytes.div_ceil(1_048_576)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_has_no_line_breaks_and_an_end() {
        assert_eq!(line(" a\n\tb\u{7}c ", 9), "a b c");
        assert_eq!(line("abcdef", 3), "abc…");
        assert_eq!(line("abc", 3), "abc");
    }

    #[test]
    fn count_has_the_plural_of_its_noun() {
        assert_eq!(
            [count(1, "answer"), count(0, "answer"), count(2, "answer")],
            ["1 answer", "0 answers", "2 answers"]
        );
    }

    #[test]
    fn time_is_a_date() {
        assert_eq!(time(0), "1970-01-01 00:00 UTC");
        assert_eq!(time(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(time(1_795_924_140), "2026-11-29 03:49 UTC");
    }

    #[test]
    fn block_that_is_cut_says_so() {
        assert_eq!(block("\r\n a\r\nb \r\n\n"), " a\nb");
        let long = "é".repeat(limits::TEXT_BYTES);
        assert!(block(&long).ends_with("more bytes of this text are on the page itself]"));
    }
}
