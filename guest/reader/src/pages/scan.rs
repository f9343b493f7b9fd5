//! Search for line ends in encoded bytes.
//!
//! A line ends at U+000A and nowhere else. In UTF-16 and UTF-32 that is a whole code unit. In
//! all other encodings of the WHATWG standard it is the byte 0x0A.

use memchr::{memchr, memchr_iter, memrchr};
use std::num::NonZeroUsize;

/// The code unit of an encoding. A line end is searched as a whole code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeUnit {
    /// One byte.
    One,
    /// Two bytes; `true` if big-endian.
    Two(bool),
    /// Four bytes; `true` if big-endian.
    Four(bool),
}

impl CodeUnit {
    /// The size of a code unit in bytes.
    pub fn width(self) -> usize {
        self.divisor().get()
    }

    fn divisor(self) -> NonZeroUsize {
        match self {
            Self::One => NonZeroUsize::MIN,
            Self::Two(_) => NonZeroUsize::MIN.saturating_add(1),
            Self::Four(_) => NonZeroUsize::MIN.saturating_add(3),
        }
    }

    /// Rounds a number of bytes down to whole code units.
    pub fn floor(self, bytes: usize) -> usize {
        bytes.saturating_sub(bytes % self.divisor())
    }

    /// Removes an incomplete code unit at the end of `bytes`.
    pub fn whole(self, bytes: &[u8]) -> &[u8] {
        bytes.get(..self.floor(bytes.len())).unwrap_or_default()
    }

    /// Whether the code unit that contains the byte 0x0A at the offset `at` is a line end.
    fn is_end(self, bytes: &[u8], at: usize) -> bool {
        let (place, zeros) = match self {
            Self::One => return true,
            Self::Two(true) => (1, 1..2),
            Self::Two(false) => (0, 1..2),
            Self::Four(true) => (3, 1..4),
            Self::Four(false) => (0, 1..4),
        };
        if at % self.divisor() != place {
            return false;
        }
        let big = matches!(self, Self::Two(true) | Self::Four(true));
        zeros.into_iter().all(|n: usize| {
            let other = if big {
                at.checked_sub(n)
            } else {
                at.checked_add(n)
            };
            other.and_then(|other| bytes.get(other)) == Some(&0)
        })
    }

    /// The offset after the code unit that contains the byte at the offset `at`.
    fn end_of(self, at: usize) -> usize {
        self.floor(at).saturating_add(self.width())
    }

    /// The number of line ends in `bytes`, which are whole code units.
    pub fn count(self, bytes: &[u8]) -> u64 {
        let ends = memchr_iter(b'\n', bytes);
        let count = match self {
            Self::One => ends.count(),
            _ => ends.filter(|&at| self.is_end(bytes, at)).count(),
        };
        count as u64
    }

    /// The offset after the first line end in `bytes`, if there is one.
    pub fn first(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::One => memchr(b'\n', bytes).map(|at| at.saturating_add(1)),
            _ => memchr_iter(b'\n', bytes)
                .find(|&at| self.is_end(bytes, at))
                .map(|at| self.end_of(at)),
        }
    }

    /// Searches `bytes` for the first `lines` line ends. Returns the number of line ends that were
    /// found, and the offset after the last of them.
    pub fn pass(self, bytes: &[u8], lines: u64) -> (u64, Option<usize>) {
        let most = usize::try_from(lines).unwrap_or(usize::MAX);
        let ends = memchr_iter(b'\n', bytes).filter(|&at| self.is_end(bytes, at));
        let (passed, last) = ends.take(most).fold((0u64, None), |(passed, _), at| {
            (passed.saturating_add(1), Some(at))
        });
        (passed, last.map(|at| self.end_of(at)))
    }

    /// The offset after the last line end in `bytes`, if there is one.
    pub fn last(self, mut bytes: &[u8]) -> Option<usize> {
        loop {
            let at = memrchr(b'\n', bytes)?;
            let end = self.end_of(at);
            // In little-endian code units the zeros follow the 0x0A, and may be missing.
            if bytes.len() >= end && self.is_end(bytes, at) {
                return Some(end);
            }
            bytes = bytes.get(..self.floor(at))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str, unit: CodeUnit) -> Vec<u8> {
        text.chars()
            .flat_map(|c| {
                let code = u32::from(c);
                let mut bytes = match unit {
                    CodeUnit::One => return text_bytes(c),
                    CodeUnit::Two(_) => u16::try_from(code).unwrap().to_be_bytes().to_vec(),
                    CodeUnit::Four(_) => code.to_be_bytes().to_vec(),
                };
                if matches!(unit, CodeUnit::Two(false) | CodeUnit::Four(false)) {
                    bytes.reverse();
                }
                bytes
            })
            .collect()
    }

    fn text_bytes(c: char) -> Vec<u8> {
        c.to_string().into_bytes()
    }

    #[test]
    fn only_line_feed_ends_a_line() {
        // U+0A0A, U+0A00 and U+010A contain the byte 0x0A. U+000B has the same high bytes.
        let text = "a\u{a0a}\u{a00}\nb\u{b}\n\u{10a}c";
        for unit in [
            CodeUnit::One,
            CodeUnit::Two(true),
            CodeUnit::Two(false),
            CodeUnit::Four(true),
            CodeUnit::Four(false),
        ] {
            let bytes = units(text, unit);
            let end = |lines: &str| units(lines, unit).len();
            assert_eq!(unit.count(&bytes), 2, "{unit:?}");
            assert_eq!(
                unit.first(&bytes),
                Some(end("a\u{a0a}\u{a00}\n")),
                "{unit:?}"
            );
            let second = Some(end("a\u{a0a}\u{a00}\nb\u{b}\n"));
            assert_eq!(unit.pass(&bytes, 1), (1, unit.first(&bytes)), "{unit:?}");
            assert_eq!(unit.pass(&bytes, 2), (2, second), "{unit:?}");
            assert_eq!(unit.pass(&bytes, 3), (2, second), "{unit:?}");
            assert_eq!(unit.last(&bytes), second, "{unit:?}");
            assert_eq!(unit.last(&units("ab\u{a0a}", unit)), None, "{unit:?}");
        }
    }
}
