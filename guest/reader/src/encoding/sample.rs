//! The part of a text from which its encoding is guessed.
//!
//! The detector takes forty times as long for a byte as the rest of a read. Only bytes that are not
//! ASCII distinguish encodings, so it gets lines that have some, from all parts of the text.

use crate::escapes::{first_byte, is_foreign};
use crate::limits;
use memchr::{memchr, memrchr};

/// The byte that starts the escape sequences of ISO-2022-JP, whose text consists of ASCII bytes.
pub const ESCAPE: u8 = 0x1b;

/// The number of parts of a text from which lines are taken.
const PARTS: usize = 4;

/// The maximum number of bytes of a line that are taken before its first byte that is not ASCII.
const BEFORE: usize = 256;

/// The number of bytes after which a line is cut, at the next byte that ends a character in every
/// encoding.
const AFTER: usize = 1024;

/// The pieces of `text` that are fed to the detector, of at most [`limits::GUESS_BYTES`] bytes
/// together. All of a short text is one piece.
pub fn pieces(text: &[u8]) -> Vec<&[u8]> {
    if text.len() <= limits::GUESS_BYTES {
        return vec![text];
    }
    let part = text.len() / PARTS;
    let mut pieces = Vec::new();
    for number in 0..PARTS {
        let start = part.saturating_mul(number);
        let end = start.saturating_add(part);
        // A part starts with a line, because it may start inside a character.
        let line = match number {
            0 => Some(0),
            _ => next_line(text, start).filter(|line| *line < end),
        };
        match line.and_then(|line| lines_of_part(text, line, end)) {
            Some(lines) => pieces.extend(lines),
            // There is no place to cut without cutting a character.
            None => return vec![start_of(text)],
        }
    }
    pieces
}

/// The start of the first line after `at`.
fn next_line(text: &[u8], at: usize) -> Option<usize> {
    let end = memchr(b'\n', text.get(at..)?)?;
    Some(at.saturating_add(end).saturating_add(1))
}

/// The bytes from the first one that is not ASCII, at most [`limits::GUESS_BYTES`].
fn start_of(text: &[u8]) -> &[u8] {
    let first = next_foreign(text, 0).unwrap_or(0);
    let rest = text.get(first..).unwrap_or_default();
    rest.get(..limits::GUESS_BYTES).unwrap_or(rest)
}

/// The lines with bytes that are not ASCII, from the line at `at` to the offset `limit`, up to the
/// share of a part of [`limits::GUESS_BYTES`]. `None` if a line cannot be cut.
fn lines_of_part(text: &[u8], mut at: usize, limit: usize) -> Option<Vec<&[u8]>> {
    let mut left = limits::GUESS_BYTES / PARTS;
    let mut lines = Vec::new();
    // What is after the limit belongs to the next part.
    let part = text.get(..limit).unwrap_or(text);
    while left > 0
        && let Some(first) = next_foreign(part, at)
    {
        let before = text.get(at.max(first.saturating_sub(BEFORE))..first)?;
        let kept = match memrchr(b'\n', before) {
            Some(end) => before.len().saturating_sub(end.saturating_add(1)),
            // After the last line that was taken, or in the ASCII bytes of a long line.
            None => before.len(),
        };
        let start = first.saturating_sub(kept);
        let end = end_of_line(text, first)?;
        let line = text.get(start..end)?;
        if line.len() > left && !lines.is_empty() {
            break;
        }
        left = left.saturating_sub(line.len());
        lines.push(line);
        at = end;
    }
    Some(lines)
}

/// The end of a line that contains the byte at `from`, or the end of what is taken of a long line.
/// `None` if a long line has no byte at which it can be cut.
fn end_of_line(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let near = rest.get(..AFTER).unwrap_or(rest);
    if let Some(end) = memchr(b'\n', near) {
        return Some(from.saturating_add(end).saturating_add(1));
    }
    if near.len() == rest.len() {
        return Some(bytes.len());
    }
    // No byte below the digits is a part of a longer character in any encoding.
    let after = rest.get(AFTER..)?;
    let after = after.get(..limits::GUESS_BYTES / PARTS).unwrap_or(after);
    let end = after
        .iter()
        .position(|byte| *byte < b'0' && *byte != ESCAPE)?;
    Some(from.saturating_add(AFTER).saturating_add(end))
}

/// The offset of the next byte from `at` on that is not ASCII, or starts an escape sequence.
fn next_foreign(bytes: &[u8], at: usize) -> Option<usize> {
    let found = first_byte(bytes.get(at..)?, is_foreign)?;
    Some(at.saturating_add(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_with_foreign_bytes_are_taken_from_all_parts() {
        let mut text = b"plain line\n".repeat(20_000);
        for line in [900, 9000, 18_000] {
            text[line * 11] = 0xe9;
        }
        let pieces = pieces(&text);
        assert_eq!(pieces.len(), 3);
        for piece in pieces {
            assert_eq!(piece.len(), 11);
            assert_eq!(piece.last(), Some(&b'\n'));
        }
    }

    #[test]
    fn long_line_without_a_place_to_cut_is_one_piece() {
        let text = b"\xb0\xa1".repeat(50_000);
        let pieces = pieces(&text);
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0].len(), limits::GUESS_BYTES);
    }

    proptest! {
        #[test]
        fn pieces_are_few_and_do_not_overlap(lines in prop::collection::vec((0usize..3000, 0usize..3), 40..120)) {
            let mut text = Vec::new();
            for (length, foreign) in lines {
                text.extend(std::iter::repeat_n(b'a', length));
                text.extend(std::iter::repeat_n(0xe9, foreign));
                text.extend(if length % 7 == 0 { b" " } else { b"\n" });
            }
            let pieces = pieces(&text);
            let all: usize = pieces.iter().map(|piece| piece.len()).sum();
            prop_assert!(all <= 2 * limits::GUESS_BYTES);
            let mut end = text.as_ptr() as usize;
            for piece in pieces {
                let start = piece.as_ptr() as usize;
                prop_assert!(start >= end);
                end = start + piece.len();
            }
        }
    }
}
