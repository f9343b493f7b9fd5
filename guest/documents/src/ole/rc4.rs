//! RC4 encryption of the formats before 2007 ([MS-OFFCRYPTO] 2.3.5, 2.3.6).

use super::bytes::{u16_at, u32_at};
use crate::Error;
use md5::Md5;
use sha1::{Digest, Sha1};

/// The number of bytes that are encrypted with one key.
const BLOCK: usize = 512;

/// The key of a document.
pub enum Key {
    /// RC4 with a key of 40 bits, whose hash is MD5.
    Basic([u8; 5]),
    /// RC4 of the `CryptoAPI`: the hash of the password, and the number of bytes of the keys.
    CryptoApi([u8; 20], usize),
}

impl Key {
    /// Derives the key from the header of the encryption and the password.
    ///
    /// # Errors
    /// Fails if the password is missing or wrong, or if the encryption has another kind.
    pub fn derive(header: &[u8], password: Option<&str>) -> Result<Self, Error> {
        let password = password.ok_or(Error::Encrypted)?;
        let password: Vec<u8> = password.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let versions = (u16_at(header, 0), u16_at(header, 2));
        let key = match versions {
            (Some(1), Some(1)) => Self::basic(header, &password),
            (Some(2..=4), Some(2)) => Self::crypto_api(header, &password),
            _ => return Err(Error::Unsupported("this encryption".to_owned())),
        };
        key.ok_or(Error::Encrypted)
    }

    fn basic(header: &[u8], password: &[u8]) -> Option<Self> {
        let hash = Md5::digest(password);
        let salted = [hash.get(..5)?, header.get(4..20)?].concat();
        let hash = Md5::digest(salted.repeat(16));
        let key = Self::Basic(*hash.first_chunk::<5>()?);
        let mut verifier = header.get(20..52)?.to_vec();
        key.stream(0).apply(&mut verifier);
        let (verifier, expected) = verifier.split_at_checked(16)?;
        (Md5::digest(verifier).as_slice() == expected).then_some(key)
    }

    fn crypto_api(header: &[u8], password: &[u8]) -> Option<Self> {
        let size = usize::try_from(u32_at(header, 8)?).ok()?;
        let bits = match u32_at(header, 28)? {
            0 => 40,
            bits => usize::try_from(bits).ok()?,
        };
        // After the size of the salt.
        let rest = header.get(size.checked_add(16)?..)?;
        let salt = rest.get(..16)?;
        let hash = Sha1::digest([salt, password].concat());
        let key = Self::CryptoApi(*hash.first_chunk::<20>()?, (bits / 8).clamp(5, 16));
        let mut verifier = rest.get(16..32)?.to_vec();
        verifier.extend_from_slice(rest.get(36..56)?);
        key.stream(0).apply(&mut verifier);
        let (verifier, expected) = verifier.split_at_checked(16)?;
        (Sha1::digest(verifier).as_slice() == expected).then_some(key)
    }

    /// Returns the stream of a block.
    fn stream(&self, block: u32) -> Rc4 {
        match self {
            Self::Basic(key) => {
                let hash = Md5::digest([&key[..], &block.to_le_bytes()].concat());
                Rc4::new(&hash)
            }
            Self::CryptoApi(key, size) => {
                let hash = Sha1::digest([&key[..], &block.to_le_bytes()].concat());
                let mut key = hash.get(..*size).unwrap_or(&hash).to_vec();
                // Short keys are followed by zeros.
                if *size == 5 {
                    key.resize(16, 0);
                }
                Rc4::new(&key)
            }
        }
    }

    /// Decrypts bytes that are a block of their own.
    pub fn apply(&self, block: u32, bytes: &mut [u8]) {
        self.stream(block).apply(bytes);
    }

    /// Returns the cipher of a stream whose blocks have a number of bytes.
    pub fn positions(&self, block_size: usize) -> Positions<'_> {
        Positions {
            key: self,
            block_size: block_size.max(1),
            block: None,
            at: 0,
            rc4: Rc4::new(&[0]),
        }
    }

    /// Decrypts a stream, block by block.
    pub fn decrypt(&self, bytes: &mut [u8]) {
        for (block, chunk) in (0..).zip(bytes.chunks_mut(BLOCK)) {
            self.stream(block).apply(chunk);
        }
    }
}

/// The cipher of a stream of which only some bytes are encrypted.
pub struct Positions<'k> {
    key: &'k Key,
    block_size: usize,
    /// The number of the block of the state.
    block: Option<usize>,
    /// The position of the state in its block.
    at: usize,
    rc4: Rc4,
}

impl Positions<'_> {
    /// Decrypts bytes at a position of the stream. It takes the least time if positions ascend.
    pub fn apply(&mut self, position: usize, bytes: &mut [u8]) {
        let size = self.block_size;
        let mut block = position.checked_div(size).unwrap_or(0);
        let mut start = position.checked_rem(size).unwrap_or(0);
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.block != Some(block) || self.at > start {
                self.rc4 = self.key.stream(u32::try_from(block).unwrap_or(u32::MAX));
                self.block = Some(block);
                self.at = 0;
            }
            self.rc4.skip(start.saturating_sub(self.at));
            let count = rest.len().min(size.saturating_sub(start));
            let (now, later) = rest.split_at_mut(count);
            self.rc4.apply(now);
            self.at = start.saturating_add(count);
            rest = later;
            block = block.saturating_add(1);
            start = 0;
        }
    }
}

/// The state of RC4.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    fn new(key: &[u8]) -> Self {
        let mut state = [0; 256];
        for (value, place) in (0..=255).zip(&mut state) {
            *place = value;
        }
        let mut rc4 = Self { state, i: 0, j: 0 };
        for (index, byte) in (0..=255).zip(key.iter().cycle()) {
            rc4.j = rc4.j.wrapping_add(rc4.at(index)).wrapping_add(*byte);
            rc4.state.swap(usize::from(index), usize::from(rc4.j));
        }
        rc4.j = 0;
        rc4
    }

    fn at(&self, index: u8) -> u8 {
        self.state.get(usize::from(index)).copied().unwrap_or(0)
    }

    fn apply(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte ^= self.next();
        }
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.next();
        }
    }

    fn next(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        self.j = self.j.wrapping_add(self.at(self.i));
        self.state.swap(usize::from(self.i), usize::from(self.j));
        let sum = self.at(self.i).wrapping_add(self.at(self.j));
        self.at(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Rc4};
    use crate::Error;

    #[test]
    fn known_output() {
        let mut bytes = *b"Plaintext";
        Rc4::new(b"Key").apply(&mut bytes);
        let expected = [0xbb, 0xf3, 0x16, 0xe8, 0xd9, 0x40, 0xaf, 0x0a, 0xd3];
        assert_eq!(bytes, expected);
    }

    #[test]
    fn positions_are_those_of_the_whole_stream() {
        let key = Key::Basic([1, 2, 3, 4, 5]);
        let mut whole = [0; 1500];
        key.decrypt(&mut whole);
        let mut cipher = key.positions(512);
        for range in [3..7, 500..530, 530..531, 1100..1500, 10..20] {
            let mut part = vec![0; range.len()];
            cipher.apply(range.start, &mut part);
            assert_eq!(part, whole[range]);
        }
    }

    #[test]
    fn passwords_are_verified() {
        use md5::Md5;
        use sha1::Digest;
        // A header that is built for the password `secret`.
        let mut header = vec![1, 0, 1, 0];
        header.extend([7; 16]);
        let password: Vec<u8> = "secret".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let salted = [&Md5::digest(&password)[..5], &[7; 16]].concat();
        let hash = Md5::digest(salted.repeat(16));
        let key = Key::Basic(*hash.first_chunk::<5>().unwrap());
        let mut verifier = [9_u8; 16].to_vec();
        verifier.extend(Md5::digest([9; 16]));
        key.stream(0).apply(&mut verifier);
        header.extend(verifier);
        assert!(Key::derive(&header, Some("secret")).is_ok());
        let error = |header: &[u8], password| Key::derive(header, password).err();
        assert_eq!(error(&header, Some("other")), Some(Error::Encrypted));
        assert_eq!(error(&header, None), Some(Error::Encrypted));
        for end in 0..header.len() {
            assert!(Key::derive(&header[..end], Some("secret")).is_err());
        }
    }
}
