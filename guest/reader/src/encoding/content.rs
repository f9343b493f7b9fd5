//! The encoding of text without NUL: UTF-8 if the bytes allow it, even with damage,
//! otherwise a statistical guess.

use super::detected::Encoding;
use super::guess;
use crate::escapes::{any_byte, first_byte, is_foreign};

/// Detects the encoding of text without NUL. The flag of each sample states whether the
/// sample ends at the end of the text. `None` for binary data.
pub fn by_content(samples: &[(&[u8], bool)]) -> Option<Encoding> {
    let mut evidence = Evidence::default();
    for (bytes, ends) in samples {
        evidence.add(bytes, *ends);
    }
    if evidence.is_utf8() {
        return Some(Encoding {
            valid: !evidence.damaged,
            ..Encoding::UTF8
        });
    }
    guess::guess(samples, evidence.foreign).map(|charset| Encoding {
        charset,
        guessed: true,
        ..Encoding::UTF8
    })
}

/// The bits of the bytes of a word that are set in bytes that are not ASCII.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Evidence for and against UTF-8.
#[derive(Default)]
struct Evidence {
    /// The number of multi-byte sequences that are valid, or damaged in a way that occurs only in
    /// UTF-8: truncated at the end of the text, overlong, or an encoded surrogate.
    sequences: u64,
    /// The number of all other sequences that are invalid in UTF-8.
    foreign: u64,
    /// The number of those invalid sequences that do not start with 0xFE or 0xFF. Damage often
    /// leaves these two bytes, and texts in other encodings rarely contain them.
    telling: u64,
    /// Whether there are escape sequences that switch character sets, as in ISO-2022-JP.
    escapes: bool,
    /// Whether any bytes are not valid UTF-8.
    damaged: bool,
}

impl Evidence {
    fn add(&mut self, mut bytes: &[u8], ends: bool) {
        let Some(first) = first_byte(bytes, is_foreign) else {
            return;
        };
        bytes = bytes.get(first..).unwrap_or_default();
        self.escapes |= memchr::memchr_iter(0x1b, bytes).any(|at| {
            let after = bytes.get(at..).unwrap_or_default();
            after.starts_with(b"\x1b$B") || after.starts_with(b"\x1b$@")
        });
        if !any_byte(bytes, |byte| byte >= 0x80) {
            return;
        }
        loop {
            let error = std::str::from_utf8(bytes).err();
            let valid = error.map_or(bytes.len(), |error| error.valid_up_to());
            let valid = bytes.get(..valid).unwrap_or_default();
            let sequences = valid.iter().filter(|byte| **byte >= 0xc0).count() as u64;
            self.sequences = self.sequences.saturating_add(sequences);
            let Some(error) = error else { return };
            self.damaged = true;
            let rest = bytes.get(error.valid_up_to()..).unwrap_or_default();
            let length = match (error.error_len(), rest) {
                // A sample may end inside a character.
                (None, _) if !ends => return,
                (_, [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..]) => {
                    self.sequences = self.sequences.saturating_add(1);
                    3
                }
                (_, [0xc0 | 0xc1, 0x80..=0xbf, ..]) => {
                    self.sequences = self.sequences.saturating_add(1);
                    2
                }
                (Some(length), [first, ..]) => {
                    self.foreign = self.foreign.saturating_add(1);
                    self.telling = self.telling.saturating_add(u64::from(*first < 0xfe));
                    length
                }
                (None, _) | (_, []) => {
                    self.sequences = self.sequences.saturating_add(1);
                    return;
                }
            };
            bytes = self.add_single(rest.get(length..).unwrap_or_default());
        }
    }

    /// Adds the bytes that are not ASCII and precede an ASCII byte. In UTF-8 each of them is an invalid
    /// sequence of one byte. Returns the rest of `bytes`, from the first one that needs other rules.
    ///
    /// In most texts in an encoding of single bytes, nearly all bytes that are not ASCII are of this kind.
    /// A check of UTF-8 that begins again after each of them takes longer than one step for eight bytes.
    fn add_single<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        while let Some((word, rest)) = bytes.split_first_chunk() {
            let word = u64::from_le_bytes(*word);
            let high = word & HIGH_BITS;
            if high & (high >> 8) != 0 {
                break;
            }
            // The byte after the last one is in the next word.
            let is_cut = high >> 63 == 1;
            let high = high & (HIGH_BITS >> 8);
            let marks = (1..7).fold(high, |marks, bit| marks & (word << bit));
            let (count, marks) = (high.count_ones(), marks.count_ones());
            self.foreign = self.foreign.saturating_add(count.into());
            self.telling = self
                .telling
                .saturating_add(count.saturating_sub(marks).into());
            bytes = if is_cut {
                bytes.get(7..).unwrap_or_default()
            } else {
                rest
            };
        }
        bytes
    }

    fn is_utf8(&self) -> bool {
        if self.sequences == 0 && self.foreign == 0 {
            return !self.escapes;
        }
        self.telling == 0 || self.sequences >= self.foreign
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn evidence_is_that_of_each_invalid_sequence(
            mut bytes in prop::collection::vec(prop_oneof![
                8 => Just(b'a'),
                1 => 0x80u8..0xc0,
                1 => 0xc2u8..0xed,
                1 => 0xeeu8..=0xff,
            ], 0..96)
        ) {
            // The last sequence is not cut.
            bytes.push(b'a');
            let mut evidence = Evidence::default();
            evidence.add(&bytes, true);
            let (mut sequences, mut foreign, mut telling) = (0, 0, 0);
            for chunk in bytes.utf8_chunks() {
                sequences += chunk.valid().bytes().filter(|byte| *byte >= 0xc0).count() as u64;
                if let Some(first) = chunk.invalid().first() {
                    foreign += 1;
                    telling += u64::from(*first < 0xfe);
                }
            }
            prop_assert_eq!(evidence.sequences, sequences);
            prop_assert_eq!(evidence.foreign, foreign);
            prop_assert_eq!(evidence.telling, telling);
            prop_assert_eq!(evidence.damaged, foreign > 0);
        }
    }
}
