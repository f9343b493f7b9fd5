//! Where lines end.
//!
//! A line ends at U+000A and nowhere else. In every encoding of the web the
//! byte 0x0A is that character; in UTF-16 and UTF-32 it is a whole unit.

use memchr::{memchr, memchr_iter, memrchr};
use std::num::NonZeroUsize;

/// The width in which line ends are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// One byte.
    One,
    /// Two bytes; `true` if the high one comes first.
    Two(bool),
    /// Four bytes; `true` if the highest comes first.
    Four(bool),
}

impl Unit {
    /// Bytes of a unit.
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

    /// A number of bytes cut down to whole units.
    pub fn floor(self, bytes: usize) -> usize {
        bytes.saturating_sub(bytes % self.divisor())
    }

    /// Cuts bytes that start at a unit to whole units.
    pub fn whole(self, bytes: &[u8]) -> &[u8] {
        bytes.get(..self.floor(bytes.len())).unwrap_or_default()
    }

    /// Whether the unit that holds the 0x0A at `at` is a line end.
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

    /// Where the unit that holds byte `at` ends.
    fn end_of(self, at: usize) -> usize {
        self.floor(at).saturating_add(self.width())
    }

    /// How many lines end in these whole units.
    pub fn count(self, bytes: &[u8]) -> u64 {
        let ends = memchr_iter(b'\n', bytes);
        let count = match self {
            Self::One => ends.count(),
            _ => ends.filter(|&at| self.is_end(bytes, at)).count(),
        };
        count as u64
    }

    /// Where the first line ends, its end included.
    pub fn first(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::One => memchr(b'\n', bytes).map(|at| at.saturating_add(1)),
            _ => memchr_iter(b'\n', bytes)
                .find(|&at| self.is_end(bytes, at))
                .map(|at| self.end_of(at)),
        }
    }

    /// How many of so many lines end in these whole units, and where the last of
    /// them does.
    pub fn pass(self, bytes: &[u8], lines: u64) -> (u64, Option<usize>) {
        let most = usize::try_from(lines).unwrap_or(usize::MAX);
        let ends = memchr_iter(b'\n', bytes).filter(|&at| self.is_end(bytes, at));
        let (passed, last) = ends.take(most).fold((0u64, None), |(passed, _), at| {
            (passed.saturating_add(1), Some(at))
        });
        (passed, last.map(|at| self.end_of(at)))
    }

    /// Where the last line ends that ends in these whole units.
    pub fn last(self, mut bytes: &[u8]) -> Option<usize> {
        loop {
            let at = memrchr(b'\n', bytes)?;
            let end = self.end_of(at);
            // The zeros of a little-endian unit lie behind the 0x0A.
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

    fn units(text: &str, unit: Unit) -> Vec<u8> {
        text.chars()
            .flat_map(|c| {
                let code = u32::from(c);
                let mut bytes = match unit {
                    Unit::One => return text_bytes(c),
                    Unit::Two(_) => u16::try_from(code).unwrap().to_be_bytes().to_vec(),
                    Unit::Four(_) => code.to_be_bytes().to_vec(),
                };
                if matches!(unit, Unit::Two(false) | Unit::Four(false)) {
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
    fn only_the_line_feed_ends_a_line() {
        // U+0A0A, U+0A00 and U+000B share bytes with it.
        let text = "a\u{a0a}\u{a00}\nb\u{b}\n\u{10a}c";
        for unit in [
            Unit::One,
            Unit::Two(true),
            Unit::Two(false),
            Unit::Four(true),
            Unit::Four(false),
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
