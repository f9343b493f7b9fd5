//! Obfuscation with a repeated key of 16 bytes ([MS-OFFCRYPTO] 2.3.7), in workbooks before Excel 97 and
//! in some of later versions.

/// The number of bytes of the key.
const SIZE: usize = 16;

/// The bytes that follow a password that is shorter than the key.
const PADDING: [u8; SIZE] = [
    0xbb, 0xff, 0xff, 0xba, 0xff, 0xff, 0xb9, 0x80, 0x00, 0xbe, 0x0f, 0x00, 0xbf, 0x0f, 0x00, 0x00,
];

/// The key of a workbook.
pub struct Key([u8; SIZE]);

impl Key {
    /// Derives the key from a password. `None` if the password is wrong. The file has 16 bits of the
    /// key, and a hash of the password.
    pub fn derive(password: &str, key: u16, hash: u16) -> Option<Self> {
        let password: Vec<u8> = password.encode_utf16().map(byte).take(15).collect();
        if password.is_empty() || bits(&password) != key || verifier(&password) != hash {
            return None;
        }
        let all = password.iter().chain(&PADDING);
        let key = key.to_le_bytes().into_iter().cycle();
        let mut found = [0; SIZE];
        for ((place, byte), key) in found.iter_mut().zip(all).zip(key) {
            *place = (byte ^ key).rotate_left(2);
        }
        Some(Self(found))
    }

    /// Decrypts bytes, of which the first has a position in the key.
    pub fn apply(&self, start: usize, bytes: &mut [u8]) {
        let key = self.0.iter().cycle().skip(start % SIZE);
        for (byte, key) in bytes.iter_mut().zip(key) {
            *byte = byte.rotate_left(3) ^ key;
        }
    }
}

/// Returns the byte of a character: the low one, or the high one if it is 0.
fn byte(unit: u16) -> u8 {
    match unit.to_le_bytes() {
        [0, high] => high,
        [low, _] => low,
    }
}

/// Returns 16 bits of the key. The tables of [MS-OFFCRYPTO] 2.3.7.2 are the states of a shift register.
fn bits(password: &[u8]) -> u16 {
    let step = |state: u16| {
        let next = state.rotate_left(1);
        if next & 1 == 1 { next ^ 0x1020 } else { next }
    };
    let (mut base, mut end, mut key) = (0x8000, 0xffff, 0);
    for byte in password.iter().rev() {
        for bit in 0..8 {
            base = step(base);
            end = step(end);
            if bit < 7 && byte >> bit & 1 == 1 {
                key ^= base;
            }
        }
    }
    key ^ end
}

/// Returns the hash of a password ([MS-OFFCRYPTO] 2.3.7.1).
fn verifier(password: &[u8]) -> u16 {
    let size = u8::try_from(password.len()).unwrap_or(u8::MAX);
    let mut hash = 0_u16;
    for byte in password.iter().rev().chain([&size]) {
        hash = (hash >> 14 & 1 | hash << 1 & 0x7fff) ^ u16::from(*byte);
    }
    hash ^ 0xce4b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_has_the_bits_of_the_tables() {
        // The initial codes for passwords of 1, 2 and 15 characters, without bits of characters.
        assert_eq!(bits(&[0]), 0xe1f0);
        assert_eq!(bits(&[0; 2]), 0x1d0f);
        assert_eq!(bits(&[0; 15]), 0x4ec3);
        // The last row and the row before it.
        assert_eq!(bits(&[1]), 0xe1f0 ^ 0x1021);
        assert_eq!(bits(&[0x40]), 0xe1f0 ^ 0x48c4);
        assert_eq!(bits(&[0x41, 0]), 0x1d0f ^ 0x3331 ^ 0x0dcc);
    }

    #[test]
    fn only_the_password_of_the_hash_is_right() {
        let (key, hash) = (bits(b"abc"), verifier(b"abc"));
        assert!(Key::derive("abc", key, hash).is_some());
        assert!(Key::derive("abd", key, hash).is_none());
        assert!(Key::derive("", key, hash).is_none());
    }
}
