//! Hash functions, keys of passwords and AES.

use super::padding::damaged;
use crate::{Error, limits};
use aes::cipher::{Array, BlockCipherDecrypt, BlockModeDecrypt, KeyInit, KeyIvInit};
use aes::{Aes128, Aes192, Aes256};
use hmac::{Hmac, Mac};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

/// The size of a block of AES in bytes.
pub const BLOCK: usize = 16;

/// A hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// SHA-1.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl Hash {
    /// The function with a name, as in [MS-OFFCRYPTO] 2.3.4.10.
    pub fn named(name: &str) -> Result<Self, Error> {
        match name {
            "SHA1" | "SHA-1" => Ok(Self::Sha1),
            "SHA256" | "SHA-256" => Ok(Self::Sha256),
            "SHA384" | "SHA-384" => Ok(Self::Sha384),
            "SHA512" | "SHA-512" => Ok(Self::Sha512),
            _ => Err(Error::Unsupported(
                "the hash function of the encryption".to_owned(),
            )),
        }
    }

    /// The hash of texts one after the other.
    pub fn of(self, parts: &[&[u8]]) -> Vec<u8> {
        match self {
            Self::Sha1 => of::<Sha1>(parts),
            Self::Sha256 => of::<Sha256>(parts),
            Self::Sha384 => of::<Sha384>(parts),
            Self::Sha512 => of::<Sha512>(parts),
        }
    }

    /// Hashes a password `count` times ([MS-OFFCRYPTO] 2.3.4.11).
    pub fn of_password(self, salt: &[u8], password: &[u8], count: u32) -> Result<Vec<u8>, Error> {
        if count > limits::SPIN_COUNT {
            return Err(Error::exhausted("hashes of the password"));
        }
        let first = self.of(&[salt, password]);
        Ok(match self {
            Self::Sha1 => spin::<Sha1>(first, count),
            Self::Sha256 => spin::<Sha256>(first, count),
            Self::Sha384 => spin::<Sha384>(first, count),
            Self::Sha512 => spin::<Sha512>(first, count),
        })
    }

    /// The HMAC of a text with a key.
    pub fn hmac(self, key: &[u8], text: &[u8]) -> Option<Vec<u8>> {
        macro_rules! hmac {
            ($hash:ty) => {{
                let mut mac = <Hmac<$hash> as KeyInit>::new_from_slice(key).ok()?;
                mac.update(text);
                Some(mac.finalize().into_bytes().to_vec())
            }};
        }
        match self {
            Self::Sha1 => hmac!(Sha1),
            Self::Sha256 => hmac!(Sha256),
            Self::Sha384 => hmac!(Sha384),
            Self::Sha512 => hmac!(Sha512),
        }
    }
}

fn of<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
    let mut hash = D::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().to_vec()
}

fn spin<D: Digest>(mut hash: Vec<u8>, count: u32) -> Vec<u8> {
    for number in 0..count {
        let mut next = D::new();
        next.update(number.to_le_bytes());
        next.update(&hash);
        hash.clear();
        hash.extend_from_slice(&next.finalize());
    }
    hash
}

/// Cuts bytes, or fills them with 0x36, to a length ([MS-OFFCRYPTO] 2.3.4.11).
pub fn sized(mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
    bytes.resize(length, 0x36);
    bytes
}

/// Decrypts AES in CBC mode in place. Bytes after the last whole block are unchanged.
///
/// # Errors
/// Fails if the key or the first block has a wrong length.
pub fn decrypt_cbc(key: &[u8], iv: &[u8], bytes: &mut [u8]) -> Result<(), Error> {
    let (blocks, _) = Array::slice_as_chunks_mut(bytes);
    macro_rules! decrypt {
        ($cipher:ty) => {
            cbc::Decryptor::<$cipher>::new_from_slices(key, iv)
                .map_err(|_| damaged())?
                .decrypt_blocks(blocks)
        };
    }
    match key.len() {
        16 => decrypt!(Aes128),
        24 => decrypt!(Aes192),
        32 => decrypt!(Aes256),
        _ => return Err(damaged()),
    }
    Ok(())
}

/// Decrypts AES in ECB mode in place. Bytes after the last whole block are unchanged.
///
/// # Errors
/// Fails if the key has a wrong length.
pub fn decrypt_ecb(key: &[u8], bytes: &mut [u8]) -> Result<(), Error> {
    let (blocks, _) = Array::slice_as_chunks_mut(bytes);
    macro_rules! decrypt {
        ($cipher:ty) => {
            <$cipher>::new_from_slice(key)
                .map_err(|_| damaged())?
                .decrypt_blocks(blocks)
        };
    }
    match key.len() {
        16 => decrypt!(Aes128),
        24 => decrypt!(Aes192),
        32 => decrypt!(Aes256),
        _ => return Err(damaged()),
    }
    Ok(())
}

/// Compares bytes. The time does not depend on where they differ.
pub fn equal(left: &[u8], right: &[u8]) -> bool {
    let different = left.iter().zip(right).fold(0, |all, (a, b)| all | (a ^ b));
    left.len() == right.len() && different == 0
}
