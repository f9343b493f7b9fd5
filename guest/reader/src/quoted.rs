//! What a string of JSON contains as it is.

/// The number of bytes that are tested at a time.
const BLOCK: usize = 16;

/// The number of bytes before the first one that ends a string of JSON or begins an escape in it, or that needs one: a
/// quote, a backslash or a control character. Strings and lines are short, so that a search for each of them takes
/// longer.
pub fn ordinary(bytes: &[u8]) -> usize {
    let mut at = 0usize;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
        if let Some(other) = other(block) {
            return at.saturating_add(other);
        }
        at = at.saturating_add(BLOCK);
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let other = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\\' | ..0x20));
    at.saturating_add(other.unwrap_or(rest.len()))
}

/// The place of the first other byte in a block.
#[cfg(target_feature = "simd128")]
fn other(block: &[u8; BLOCK]) -> Option<usize> {
    use core::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u64x2, v128_or};
    let [a, b, c, d, e, f, g, h, low @ ..] = *block;
    let bytes = u64x2(
        u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        u64::from_le_bytes(low),
    );
    let is = |byte: u8| u8x16_eq(bytes, u8x16_splat(byte));
    let control = u8x16_lt(bytes, u8x16_splat(0x20));
    let found = u8x16_bitmask(v128_or(control, v128_or(is(b'"'), is(b'\\'))));
    (found != 0).then(|| found.trailing_zeros() as usize)
}

/// The place of the first other byte in a block. Eight bytes are tested at a time, with `haszero` and `hasless` of "Bit
/// Twiddling Hacks". Only the lowest bit that such a test sets is reliable.
#[cfg(not(target_feature = "simd128"))]
fn other(block: &[u8; BLOCK]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    const TOPS: u64 = ONES << 7;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let below_space = |word: u64| word.wrapping_sub(ONES.wrapping_mul(b' '.into())) & !word;
    let is = |word: u64, byte: u8| zero(word ^ ONES.wrapping_mul(byte.into()));
    let (words, _) = block.as_chunks();
    words.iter().zip([0usize, 8]).find_map(|(word, before)| {
        let word = u64::from_le_bytes(*word);
        let found = (below_space(word) | is(word, b'"') | is(word, b'\\')) & TOPS;
        (found != 0).then(|| before.saturating_add((found.trailing_zeros() / 8) as usize))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_before_the_first_other_one_are_counted(
            bytes in prop::collection::vec(prop_oneof![20 => 0x20u8.., 1 => any::<u8>(), 1 => Just(b'"'), 1 => Just(b'\\')], 0..60)
        ) {
            let is_other = |byte: &u8| *byte < b' ' || matches!(byte, b'"' | b'\\');
            let expected = bytes.iter().position(is_other).unwrap_or(bytes.len());
            prop_assert_eq!(ordinary(&bytes), expected);
        }
    }
}
