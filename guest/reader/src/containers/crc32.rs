//! CRC-32, as gzip, zip and xz have it.

use flate2::Crc;

/// The number of bytes of a step, and of the bytes after it that a step changes.
const STEP: usize = 32;
const REACH: usize = 40;

/// What a byte adds to the checksum.
static TABLE: [u32; 256] = table();

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "it runs in the compiler"
)]
const fn table() -> [u32; 256] {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 != 0 {
                (sum >> 1) ^ POLYNOMIAL
            } else {
                sum >> 1
            };
            bit += 1;
        }
        table[byte] = sum;
        byte += 1;
    }
    table
}

/// A CRC-32 while bytes are added.
///
/// Outside of WebAssembly, processors have instructions for it, which the library uses.
#[derive(Debug)]
pub struct Crc32 {
    /// The inverted checksum, in WebAssembly.
    inverted: u32,
    library: Crc,
    length: u64,
}

impl Crc32 {
    /// The checksum of no bytes.
    pub fn new() -> Self {
        Self {
            inverted: u32::MAX,
            library: Crc::new(),
            length: 0,
        }
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.length = self.length.saturating_add(bytes.len() as u64);
        if cfg!(target_family = "wasm") {
            self.inverted = added(self.inverted, bytes);
        } else {
            self.library.update(bytes);
        }
    }

    /// The checksum.
    pub fn sum(&self) -> u32 {
        if cfg!(target_family = "wasm") {
            !self.inverted
        } else {
            self.library.sum()
        }
    }

    /// The number of bytes.
    pub fn length(&self) -> u64 {
        self.length
    }
}

/// Adds bytes to an inverted checksum, 32 at once.
///
/// The algorithm is Chorba (K. Russell, 2024): a word of 64 bits has the same remainder as four words after it, because
/// the polynomial divides one with few terms. It needs shifts only, and half of the time of tables.
fn added(sum: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < STEP.saturating_add(REACH) {
        return added_by_bytes(sum, bytes);
    }
    // What the steps before add to the next words.
    let mut next = [u64::from(sum), 0, 0, 0, 0];
    let mut rest = bytes;
    while let Some((step, after)) = rest.split_first_chunk::<STEP>()
        && after.len() >= REACH
    {
        let (words, _) = step.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let mut word = || words.next().unwrap_or_default();
        let [n1, n2, n3, n4, n5] = next;
        let [a1, a2, a3, a4] = spread(word() ^ n1);
        let [b1, b2, b3, b4] = spread(word() ^ n2);
        let [c1, c2, c3, c4] = spread(word() ^ n3 ^ a1);
        let [d1, d2, d3, d4] = spread(word() ^ n4 ^ a2 ^ b1);
        next = [
            n5 ^ a3 ^ b2 ^ c1,
            a4 ^ b3 ^ c2 ^ d1,
            b4 ^ c3 ^ d2,
            c4 ^ d3,
            d4,
        ];
        rest = after;
    }
    let mut last = [0; STEP + REACH];
    let last = last.get_mut(..rest.len()).unwrap_or_default();
    last.copy_from_slice(rest);
    for (byte, add) in last
        .iter_mut()
        .zip(next.iter().flat_map(|it| it.to_le_bytes()))
    {
        *byte ^= add;
    }
    added_by_bytes(0, last)
}

/// The words with the same remainder as a word, from the second after it on.
#[inline]
fn spread(word: u64) -> [u64; 4] {
    [
        (word << 17) ^ (word << 55),
        (word >> 47) ^ (word >> 9) ^ (word << 19),
        (word >> 45) ^ (word << 44),
        word >> 20,
    ]
}

fn added_by_bytes(sum: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(sum, |sum, byte| {
        let [low, ..] = sum.to_le_bytes();
        let entry = TABLE.get(usize::from(low ^ byte));
        (sum >> 8) ^ entry.copied().unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_library() {
        let mut state = 1_u32;
        let bytes: Vec<u8> = (0..2000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state.to_be_bytes()[0]
            })
            .collect();
        for length in (0..400).chain(1900..2000) {
            for start in [0, 1, 7] {
                let bytes = &bytes[start..start.max(length)];
                let mut library = Crc::new();
                library.update(bytes);
                assert_eq!(!added(u32::MAX, bytes), library.sum(), "{start} {length}");
                let (first, second) = bytes.split_at(bytes.len() / 3);
                assert_eq!(!added(added(u32::MAX, first), second), library.sum());
                let mut sum = Crc32::new();
                sum.update(first);
                sum.update(second);
                assert_eq!(sum.length(), bytes.len() as u64);
            }
        }
    }
}
