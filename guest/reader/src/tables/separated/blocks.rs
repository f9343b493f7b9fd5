//! The delimiters, line ends and quotes of a block of text, as bits: the lowest one is the first byte.

use super::scan::Style;

/// The number of bytes of a block, which is that of the bits of a number.
pub const BLOCK: usize = 64;

/// The number of bytes that are compared at once.
const LANES: usize = 16;

/// Where the bytes are that divide a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    pub delimiters: u64,
    pub ends: u64,
    pub quotes: u64,
}

impl Bits {
    /// The bits of a block.
    pub fn of(block: &[u8; BLOCK], style: Style) -> Self {
        let mut bits = Self {
            delimiters: 0,
            ends: 0,
            quotes: 0,
        };
        let (parts, _) = block.as_chunks::<LANES>();
        for (part, after) in parts.iter().zip([0u32, 16, 32, 48]) {
            let [delimiters, ends, quotes] = of_part(part, style);
            bits.delimiters |= delimiters << after;
            bits.ends |= ends << after;
            bits.quotes |= quotes << after;
        }
        if style.quote.is_none() {
            bits.quotes = 0;
        }
        bits
    }

    /// The bits of a block that may have fewer bytes than others.
    pub fn of_rest(rest: &[u8], style: Style) -> Self {
        let mut block = [0; BLOCK];
        for (to, from) in block.iter_mut().zip(rest) {
            *to = *from;
        }
        let all = Self::of(&block, style);
        let known = known(rest.len());
        Self {
            delimiters: all.delimiters & known,
            ends: all.ends & known,
            quotes: all.quotes & known,
        }
    }
}

/// The bits of this many bytes.
pub fn known(bytes: usize) -> u64 {
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    1u64.checked_shl(bytes)
        .map_or(u64::MAX, |bit| bit.wrapping_sub(1))
}

/// Each bit, combined by exclusive or with all bits before it: the bits from one that is set to the next one.
pub fn between(bits: u64) -> u64 {
    [1, 2, 4, 8, 16, 32]
        .iter()
        .fold(bits, |bits, step| bits ^ (bits << step))
}

/// The delimiters, line ends and quotes.
#[cfg(target_feature = "simd128")]
fn of_part(part: &[u8; LANES], style: Style) -> [u64; 3] {
    use core::arch::wasm32::{i8x16_bitmask, i8x16_eq, u8x16_splat, u64x2, v128_or};
    let [a, b, c, d, e, f, g, h, low @ ..] = *part;
    let bytes = u64x2(
        u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        u64::from_le_bytes(low),
    );
    let is = |byte: u8| i8x16_eq(bytes, u8x16_splat(byte));
    let quote = style.quote.unwrap_or(style.delimiter);
    [
        i8x16_bitmask(is(style.delimiter)).into(),
        i8x16_bitmask(v128_or(is(b'\n'), is(b'\r'))).into(),
        i8x16_bitmask(is(quote)).into(),
    ]
}

/// The delimiters, line ends and quotes.
#[cfg(not(target_feature = "simd128"))]
fn of_part(part: &[u8; LANES], style: Style) -> [u64; 3] {
    let quote = style.quote.unwrap_or(style.delimiter);
    let gathered = |bytes: [u8; LANES]| {
        // The compiler makes vector instructions of this. Each byte is multiplied to its place in the highest byte of
        // the product.
        let found = u128::from_le_bytes(bytes);
        #[expect(clippy::cast_possible_truncation, reason = "each half is taken")]
        let halves = [found as u64, (found >> 64) as u64];
        let [low, high] = halves.map(|half| half.wrapping_mul(0x0102_0408_1020_4080) >> 56);
        low | (high << 8)
    };
    [
        gathered(part.map(|byte| u8::from(byte == style.delimiter))),
        gathered(part.map(|byte| u8::from(byte == b'\n') | u8::from(byte == b'\r'))),
        gathered(part.map(|byte| u8::from(byte == quote))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_places_of_bytes() {
        let style = Style::of(b';');
        let text = b"a;\"b\"\r\n;;\"\"x\n01234567890123456789012345678901234567890123456789";
        for length in 0..=text.len() {
            let rest = text.get(..length).unwrap_or_default();
            let places = |wanted: &[u8]| {
                let all = rest.iter().enumerate();
                all.filter(|(_, byte)| wanted.contains(byte))
                    .fold(0u64, |bits, (at, _)| bits | (1 << at))
            };
            let found = Bits::of_rest(rest, style);
            assert_eq!(found.delimiters, places(b";"));
            assert_eq!(found.ends, places(b"\r\n"));
            assert_eq!(found.quotes, places(b"\""));
            let literal = Bits::of_rest(rest, style.literal());
            assert_eq!((literal.quotes, literal.ends), (0, found.ends));
        }
        assert_eq!(known(64), u64::MAX);
    }

    #[test]
    fn bits_between_others_include_the_first_of_them() {
        assert_eq!(between(0b1001_0010), 0b1110 | (u64::MAX << 7));
        assert_eq!(between(0b1_0010), 0b1110);
    }
}
