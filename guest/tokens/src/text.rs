//! Texts: pieces, and the costs of their bytes.

use crate::costs::{SIX, SIX_BITS, THREE, THREE_BITS, UNITS};
use crate::limits::{BREAKS_IN_A_TOKEN, BYTES_IN_A_TOKEN, DIGITS_IN_A_TOKEN, SPACES_IN_A_TOKEN};

/// The tokens that `text` costs a language model, rounded: 0 for an empty text, at least 1 for others.
///
/// This is an estimate: [the page of the crate](crate) states its error. The time is linear in the length, and
/// nothing is allocated.
///
/// The estimates of two texts, added, are that of both together, except for rounding and for the pieces at the
/// seam. A seam after a line end and before a letter or a digit has no such piece.
#[must_use]
pub fn estimate(text: &str) -> u64 {
    rounded(units(text))
}

/// The tokens of texts that are added one after another, such as the lines of a page. Only the sum is rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    units: u64,
}

impl Tally {
    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        self.units = self.units.saturating_add(units(text));
    }

    /// Adds this many tokens.
    pub fn add_tokens(&mut self, tokens: u64) {
        self.units = self.units.saturating_add(tokens.saturating_mul(UNITS));
    }

    /// The estimate of all texts together.
    #[must_use]
    pub fn tokens(self) -> u64 {
        rounded(self.units)
    }
}

fn rounded(units: u64) -> u64 {
    units.saturating_add(UNITS / 2) / UNITS
}

fn units(text: &str) -> u64 {
    let mut rest = text.as_bytes();
    let mut units = 0u64;
    while let Some(&first) = rest.first() {
        let (piece, cost) = match class(first) {
            DIGIT => digits(rest),
            UPPER | LOWER | HIGH => word(rest, 0),
            SPACE | BREAK | BLANK => blanks(rest),
            _ => signs(rest, 0),
        };
        units = units.saturating_add(cost);
        // A piece has at least one byte, so that the loop ends.
        rest = rest.get(piece.max(1)..).unwrap_or_default();
    }
    units
}

type Class = u8;
const UPPER: Class = 1;
const LOWER: Class = 2;
/// A byte of a character outside ASCII. The tables know scripts by such bytes, so nothing is decoded.
const HIGH: Class = 4;
const DIGIT: Class = 8;
const SPACE: Class = 16;
/// Line feed and carriage return.
const BREAK: Class = 32;
/// Other white space of ASCII.
const BLANK: Class = 64;
/// Punctuation, symbols and control characters.
const SIGN: Class = 128;

const WHITE: Class = SPACE | BREAK | BLANK;

const CLASSES: [Class; 256] = {
    let mut classes = [SIGN; 256];
    let mut byte = 0u8;
    loop {
        #[allow(
            clippy::indexing_slicing,
            reason = "the array has an entry for each byte"
        )]
        {
            classes[byte as usize] = match byte {
                b'A'..=b'Z' => UPPER,
                b'a'..=b'z' => LOWER,
                0x80.. => HIGH,
                b'0'..=b'9' => DIGIT,
                b' ' => SPACE,
                b'\n' | b'\r' => BREAK,
                b'\t' | 0x0b | 0x0c => BLANK,
                _ => SIGN,
            };
        }
        if byte == u8::MAX {
            break classes;
        }
        byte = byte.wrapping_add(1);
    }
};

fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(SIGN)
}

/// The number of bytes at `from` whose class is one of `classes`.
fn run(bytes: &[u8], from: usize, classes: Class) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let end = rest.iter().position(|&byte| class(byte) & classes == 0);
    end.unwrap_or(rest.len())
}

fn class_at(bytes: &[u8], at: usize) -> Option<Class> {
    bytes.get(at).copied().map(class)
}

/// Digits: both tokenizers take three together.
fn digits(bytes: &[u8]) -> (usize, u64) {
    let length = run(bytes, 0, DIGIT);
    let tokens = length.div_ceil(DIGITS_IN_A_TOKEN) as u64;
    (length, tokens.saturating_mul(UNITS))
}

/// A word after a leading byte, if `lead` is 1: capitals, then small letters, so that `camelCase` is two.
fn word(bytes: &[u8], lead: usize) -> (usize, u64) {
    let (mut sum, rest) = Sum::after(bytes, lead);
    let mut length = lead;
    let mut letters = UPPER | LOWER | HIGH;
    let mut rest = rest.iter();
    while let Some(&byte) = rest.next() {
        let class = class(byte);
        if class & letters == 0 {
            break;
        }
        if class != UPPER {
            letters = LOWER | HIGH;
        }
        sum.add(byte);
        if class == HIGH
            && rest
                .as_slice()
                .first()
                .is_none_or(|next| next & 0xc0 != 0x80)
        {
            sum.end_character();
        }
        length = length.saturating_add(1);
    }
    (length, sum.cost(length))
}

/// Signs, with the line ends after them. One sign directly before a word belongs to the word. `spaces` is 1 if
/// a space comes first.
fn signs(bytes: &[u8], spaces: usize) -> (usize, u64) {
    if spaces == 0 && matches!(class_at(bytes, 1), Some(UPPER | LOWER | HIGH)) {
        return word(bytes, 1);
    }
    let (mut sum, rest) = Sum::after(bytes, spaces);
    let mut length = spaces;
    let mut classes = SIGN | BREAK;
    for &byte in rest {
        let class = class(byte);
        // After a line end, only slashes continue the piece.
        if class & classes == 0 && byte != b'/' {
            break;
        }
        if class == BREAK {
            classes = BREAK;
        }
        sum.add(byte);
        length = length.saturating_add(1);
    }
    (length, sum.cost(length))
}

/// White space up to the last line end of it; without a line end, all but the last byte, which may belong to
/// the next piece.
fn blanks(bytes: &[u8]) -> (usize, u64) {
    match (bytes.first(), class_at(bytes, 1)) {
        (Some(b'\n' | b'\r'), Some(UPPER | LOWER | HIGH | DIGIT | SIGN)) => return (1, UNITS),
        (_, Some(UPPER | LOWER | HIGH)) => return word(bytes, 1),
        (Some(b' '), Some(SIGN)) => return signs(bytes, 1),
        (_, Some(DIGIT | SIGN) | None) => return (1, UNITS),
        _ => {}
    }
    let (mut length, mut lines) = (0usize, 0);
    for &byte in bytes {
        let class = class(byte);
        if class & WHITE == 0 {
            break;
        }
        length = length.saturating_add(1);
        if class == BREAK {
            lines = length;
        }
    }
    let piece = match lines {
        0 if length < bytes.len() => length.saturating_sub(1),
        0 => length,
        _ => lines,
    };
    (piece, white_cost(bytes.get(..piece).unwrap_or_default()))
}

/// White space is one token, unless it is long.
fn white_cost(white: &[u8]) -> u64 {
    if white.len() < BREAKS_IN_A_TOKEN {
        return UNITS;
    }
    let spaces: usize = white.iter().map(|&byte| usize::from(byte == b' ')).sum();
    let others = white.len().saturating_sub(spaces);
    let more = (spaces / SPACES_IN_A_TOKEN).saturating_add(others / BREAKS_IN_A_TOKEN);
    UNITS.saturating_add((more as u64).saturating_mul(UNITS))
}

/// The cost of a word or of signs: one token, and what the tables add for each byte with those before it.
#[derive(Default)]
struct Sum {
    /// The last eight bytes of the piece. Zeros precede it.
    window: u64,
    units: i64,
}

impl Sum {
    /// The sum of the first `count` bytes, and the bytes after them.
    fn after(bytes: &[u8], count: usize) -> (Self, &[u8]) {
        let (first, rest) = bytes.split_at_checked(count).unwrap_or_default();
        let mut sum = Self::default();
        for &byte in first {
            sum.add(byte);
        }
        (sum, rest)
    }

    fn add(&mut self, byte: u8) {
        self.window = self.window << 8 | u64::from(byte);
        let hash = (self.window & 0xff_ffff).wrapping_mul(SPREAD) >> (64 - THREE_BITS);
        self.units = self.units.wrapping_add(entry(THREE, hash));
    }

    /// The last byte was that of a character outside ASCII.
    fn end_character(&mut self) {
        let hash = (self.window & 0xffff_ffff_ffff).wrapping_mul(SPREAD) >> (64 - SIX_BITS);
        self.units = self.units.wrapping_add(entry(SIX, hash));
    }

    /// The cost of a piece of `length` bytes.
    fn cost(mut self, length: usize) -> u64 {
        /// Ends a piece, so that its last bytes count as such.
        const END: u8 = 1;
        self.add(END);
        // A long run of one byte has costs below zero.
        let least = (length as u64).saturating_mul(UNITS) / BYTES_IN_A_TOKEN;
        UNITS
            .saturating_add_signed(self.units)
            .max(UNITS)
            .max(least)
    }
}

/// An odd number near 2^64 divided by the golden ratio: its products are spread over the upper bits
/// (Knuth, The Art of Computer Programming, volume 3, section 6.4).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

fn entry(table: &[u8], hash: u64) -> i64 {
    let cost = usize::try_from(hash).ok().and_then(|hash| table.get(hash));
    cost.map_or(0, |cost| i64::from(cost.cast_signed()))
}
