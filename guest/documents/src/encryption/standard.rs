//! Standard encryption ([MS-OFFCRYPTO] 2.3.4.5 to 2.3.4.9): AES in ECB mode.

use super::hash::{self, BLOCK, Hash};
use super::padding::{damaged, unpadded};
use crate::Error;
use crate::ole::u32_at;

/// How often a password is hashed.
const SPIN_COUNT: u32 = 50_000;

/// The description of the encryption.
pub struct Standard {
    /// The length of the key in bytes.
    key_size: usize,
    salt: Vec<u8>,
    verifier: Vec<u8>,
    verifier_hash: Vec<u8>,
}

impl Standard {
    /// Parses the description after the version and flags.
    pub fn parse(content: &[u8]) -> Result<Self, Error> {
        let size = u32_at(content, 0).ok_or_else(damaged)?;
        let header = content.get(4..).unwrap_or_default();
        let algorithm = u32_at(header, 8).ok_or_else(damaged)?;
        // AES with 128, 192 and 256 bits. 0 means what the flags say, which is AES-128.
        let key_size = match algorithm {
            0 | 0x660e => 16,
            0x660f => 24,
            0x6610 => 32,
            _ => {
                let name = "the cipher of the encryption".to_owned();
                return Err(Error::Unsupported(name));
            }
        };
        let verifier = usize::try_from(size)
            .ok()
            .and_then(|size| header.get(size..));
        let verifier = verifier.ok_or_else(damaged)?;
        let field = |from: usize, to: usize| {
            let field = verifier.get(from..to).ok_or_else(damaged);
            field.map(<[u8]>::to_vec)
        };
        // The fields are: the size of the salt, the salt, the verifier, the size of its hash, its hash.
        Ok(Self {
            key_size,
            salt: field(4, 20)?,
            verifier: field(20, 36)?,
            verifier_hash: field(40, 72)?,
        })
    }

    /// Returns the key. `None` if the password is wrong.
    pub fn key(&self, password: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let spun = Hash::Sha1.of_password(&self.salt, password, SPIN_COUNT)?;
        let last = Hash::Sha1.of(&[&spun, &[0; 4]]);
        let derived = |fill: u8| {
            let mut block = [fill; 64];
            for (place, byte) in block.iter_mut().zip(&last) {
                *place ^= byte;
            }
            Hash::Sha1.of(&[&block])
        };
        let mut key = derived(0x36);
        key.extend(derived(0x5c));
        key.truncate(self.key_size);
        let mut verifier = self.verifier.clone();
        let mut expected = self.verifier_hash.clone();
        hash::decrypt_ecb(&key, &mut verifier)?;
        hash::decrypt_ecb(&key, &mut expected)?;
        expected.truncate(20);
        let is_right = hash::equal(&Hash::Sha1.of(&[&verifier]), &expected);
        Ok(is_right.then_some(key))
    }

    /// Decrypts the package.
    pub fn decrypt(&self, key: &[u8], mut package: Vec<u8>) -> Result<Vec<u8>, Error> {
        debug_assert_eq!(key.len(), self.key_size);
        // A block that is not complete cannot be decrypted.
        let rest = package.len().saturating_sub(8) % BLOCK;
        package.truncate(package.len().saturating_sub(rest));
        let content = package.get_mut(8..).ok_or_else(damaged)?;
        hash::decrypt_ecb(key, content)?;
        unpadded(package)
    }
}
