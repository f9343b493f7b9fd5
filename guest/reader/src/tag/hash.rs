//! xxHash32 with the seed 0.
//!
//! The lanes stay scalar. The compiler would make a vector of them, because they are stored next to each other, but
//! each multiplication waits for the one before, and that of a vector takes longer: 1.75 MB take 165 µs, not 365.

use std::hint::black_box;

const PRIMES: [u32; 5] = [
    0x9e37_79b1,
    0x85eb_ca77,
    0xc2b2_ae3d,
    0x27d4_eb2f,
    0x1656_67b1,
];

/// The size in bytes of a stripe, which has four bytes for each lane.
const STRIPE: usize = 16;

/// The hash of bytes that are added in parts.
pub struct Hash {
    lanes: [u32; 4],
    /// The number of bytes, modulo 2³².
    length: u32,
    /// Whether there was a whole stripe.
    is_long: bool,
    /// The bytes after the last whole stripe, and their number.
    rest: [u8; STRIPE],
    kept: usize,
}

impl Hash {
    /// The hash of no bytes.
    pub const fn new() -> Self {
        let [first, second, ..] = PRIMES;
        Self {
            lanes: [
                first.wrapping_add(second),
                second,
                0,
                0u32.wrapping_sub(first),
            ],
            length: 0,
            is_long: false,
            rest: [0; STRIPE],
            kept: 0,
        }
    }

    /// Adds bytes.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the length is that modulo 2³²"
    )]
    pub fn add(&mut self, mut bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u32);
        if self.kept > 0 {
            let missing = STRIPE.saturating_sub(self.kept).min(bytes.len());
            let (first, after) = bytes.split_at_checked(missing).unwrap_or_default();
            self.keep(first);
            bytes = after;
            if self.kept < STRIPE {
                return;
            }
            self.kept = 0;
            self.stripes(&[self.rest]);
        }
        let (stripes, rest) = bytes.as_chunks();
        self.stripes(stripes);
        self.keep(rest);
    }

    /// Appends bytes to those after the last whole stripe.
    fn keep(&mut self, bytes: &[u8]) {
        let end = self.kept.saturating_add(bytes.len());
        if let Some(rest) = self.rest.get_mut(self.kept..end) {
            rest.copy_from_slice(bytes);
            self.kept = end;
        }
    }

    fn stripes(&mut self, stripes: &[[u8; STRIPE]]) {
        let [first, second, ..] = PRIMES;
        self.is_long |= !stripes.is_empty();
        let mut lanes = self.lanes;
        for stripe in stripes {
            for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks().0) {
                let product = u32::from_le_bytes(*word).wrapping_mul(second);
                *lane = lane
                    .wrapping_add(product)
                    .rotate_left(13)
                    .wrapping_mul(first);
            }
        }
        self.lanes = lanes.map(black_box);
    }

    /// The hash of all bytes that were added.
    pub fn finish(&self) -> u32 {
        let [first, second, third, fourth, fifth] = PRIMES;
        let [a, b, c, d] = self.lanes;
        let mut hash = if self.is_long {
            a.rotate_left(1)
                .wrapping_add(b.rotate_left(7))
                .wrapping_add(c.rotate_left(12))
                .wrapping_add(d.rotate_left(18))
        } else {
            fifth
        };
        hash = hash.wrapping_add(self.length);
        let (words, bytes) = self.rest.get(..self.kept).unwrap_or_default().as_chunks();
        for word in words {
            let product = u32::from_le_bytes(*word).wrapping_mul(third);
            hash = hash
                .wrapping_add(product)
                .rotate_left(17)
                .wrapping_mul(fourth);
        }
        for byte in bytes {
            let product = u32::from(*byte).wrapping_mul(fifth);
            hash = hash
                .wrapping_add(product)
                .rotate_left(11)
                .wrapping_mul(first);
        }
        hash = (hash ^ (hash >> 15)).wrapping_mul(second);
        hash = (hash ^ (hash >> 13)).wrapping_mul(third);
        hash ^ (hash >> 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use xxhash_rust::xxh32::xxh32;

    fn hash(parts: &[&[u8]]) -> u32 {
        let mut hash = Hash::new();
        for part in parts {
            hash.add(part);
        }
        hash.finish()
    }

    #[test]
    fn published_values() {
        assert_eq!(hash(&[b""]), 0x02cc_5d05);
        assert_eq!(hash(&[b"a"]), 0x550d_7456);
        assert_eq!(hash(&[b"abc"]), 0x32d1_53ff);
    }

    proptest! {
        #[test]
        fn hash_of_parts_is_that_of_the_whole(
            bytes in prop::collection::vec(any::<u8>(), 0..3000),
            cuts in prop::collection::vec(0..3000usize, 0..6),
        ) {
            let mut parts = Vec::new();
            let mut rest = bytes.as_slice();
            for cut in cuts {
                let (part, after) = rest.split_at(cut.min(rest.len()) / 2);
                parts.push(part);
                rest = after;
            }
            parts.push(rest);
            prop_assert_eq!(hash(&parts), xxh32(&bytes, 0));
        }
    }
}
