//! Encrypted parts of packages ([ODF 1.3] part 2, 3.4 and 4.8): AES-256 or Blowfish with a key of a
//! password. The manifest describes the encryption of each part.

use super::hash::{Hash, decrypt_cbc, equal};
use crate::package::{Part, inflate};
use crate::xml::{Element, Tree};
use crate::{Error, limits};
use aes::cipher::KeyInit;
use hmac::{Hmac, Mac};
use omniread_document::base64;
use sha1::Sha1;
use std::collections::BTreeMap;

/// The number of bytes of a part whose hash tells whether the password is right.
const CHECKED: usize = 1024;

/// How a part is encrypted.
struct Scheme {
    cipher: Cipher,
    /// The hash of the password.
    start: Hash,
    salt: Vec<u8>,
    iv: Vec<u8>,
    iterations: u32,
    key_size: usize,
    /// The hash of the first bytes.
    checksum: Option<(Hash, Vec<u8>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cipher {
    Aes,
    Blowfish,
}

/// The encrypted parts of a package.
pub struct Parts {
    schemes: BTreeMap<String, Scheme>,
    password: String,
    /// The keys of the parts that were decrypted so far.
    keys: BTreeMap<String, Vec<u8>>,
    /// How often passwords may still be hashed. Each part has a key of its own.
    hashes: u32,
    /// The number of bytes that may still be decompressed.
    bytes: usize,
}

/// Why a part cannot be decrypted.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The password is wrong.
    Password,
    /// The encryption is not supported, or the part is damaged. Contains what is wrong.
    Other(String),
}

impl Parts {
    /// Reads a manifest. `None` if the text of the package is not encrypted.
    ///
    /// # Errors
    /// Fails if the text is encrypted and there is no password, or if its encryption is not supported.
    pub fn read(manifest: &str, password: Option<&str>) -> Result<Option<Self>, Error> {
        if !manifest.contains("encryption-data") {
            return Ok(None);
        }
        let tree = Tree::parse(manifest);
        let mut schemes = BTreeMap::new();
        let mut unsupported = BTreeMap::new();
        for entry in tree.root().children().take(limits::PARTS) {
            let (Some(name), Some(data)) =
                (entry.attr("full-path"), entry.child("encryption-data"))
            else {
                continue;
            };
            match Scheme::read(data) {
                Ok(scheme) => {
                    schemes.insert(name.to_lowercase(), scheme);
                }
                Err(what) => {
                    unsupported.insert(name.to_lowercase(), what);
                }
            }
        }
        for text in ["content.xml", "encrypted-package"] {
            let what = unsupported.get(text);
            if password.is_none() && (what.is_some() || schemes.contains_key(text)) {
                return Err(Error::Encrypted);
            }
            if let Some(what) = what {
                return Err(Error::Unsupported((*what).to_owned()));
            }
        }
        let Some(password) = password.filter(|_| schemes.contains_key("content.xml")) else {
            return Ok(None);
        };
        Ok(Some(Self {
            schemes,
            password: password.to_owned(),
            keys: BTreeMap::new(),
            hashes: limits::PART_HASHES,
            bytes: limits::PACKAGE_BYTES,
        }))
    }

    /// The number of bytes that may still be decompressed.
    #[cfg(test)]
    pub fn rest(&self) -> usize {
        self.bytes
    }

    /// Decrypts a part. Bytes of a part that is not encrypted are unchanged.
    ///
    /// # Errors
    /// Fails if the password is wrong, or if the part is damaged.
    pub fn decrypt(&mut self, name: &str, mut bytes: Vec<u8>) -> Result<Part, Failure> {
        let name = name.to_lowercase();
        let Some(scheme) = self.schemes.get(&name) else {
            return Ok(Part {
                bytes,
                damage: None,
            });
        };
        let damaged = || Failure::Other("its encryption is damaged".to_owned());
        let key = match self.keys.get(&name) {
            Some(key) => key.clone(),
            None => {
                // The key has blocks of 20 bytes, each with as many hashes.
                let blocks = u32::try_from(scheme.key_size.div_ceil(20)).unwrap_or(u32::MAX);
                let hashes = scheme.iterations.saturating_mul(blocks);
                let rest = self.hashes.checked_sub(hashes);
                let is_short = scheme.iterations <= limits::SPIN_COUNT;
                let too_long = || Failure::Other("the keys of its parts take too long".to_owned());
                self.hashes = rest.filter(|_| is_short).ok_or_else(too_long)?;
                let start = scheme.start.of(&[self.password.as_bytes()]);
                let key = derive(&start, &scheme.salt, scheme.iterations, scheme.key_size);
                let key = key.ok_or_else(damaged)?;
                self.keys.insert(name, key.clone());
                key
            }
        };
        match scheme.cipher {
            Cipher::Aes => {
                decrypt_cbc(&key, &scheme.iv, &mut bytes).map_err(|_| damaged())?;
                let padding = bytes.last().copied().filter(|size| (1..=16).contains(size));
                // A wrong password gives any padding.
                let padding = padding.ok_or(Failure::Password)?;
                bytes.truncate(bytes.len().saturating_sub(padding.into()));
            }
            Cipher::Blowfish => {
                super::blowfish::decrypt_cfb(&key, &scheme.iv, &mut bytes).ok_or_else(damaged)?;
            }
        }
        if let Some((hash, expected)) = &scheme.checksum {
            let checked = bytes.get(..CHECKED).unwrap_or(&bytes);
            if !equal(&hash.of(&[checked]), expected) {
                return Err(Failure::Password);
            }
        }
        let most = limits::PART_BYTES.min(self.bytes);
        let part = inflate(&bytes, most);
        self.bytes = self.bytes.saturating_sub(part.bytes.len());
        match &part.damage {
            Some(_) if part.bytes.is_empty() && scheme.checksum.is_none() => Err(Failure::Password),
            Some(_) if part.bytes.is_empty() => Err(damaged()),
            _ => Ok(part),
        }
    }
}

impl Scheme {
    /// Reads the description of the encryption of a part. Fails with what is not supported.
    fn read(data: Element) -> Result<Self, &'static str> {
        let child = |name: &str| data.child(name);
        let text = |element: Option<Element>, name: &str| {
            element
                .and_then(|it| it.attr(name))
                .unwrap_or_default()
                .to_owned()
        };
        let algorithm = child("algorithm");
        let name = text(algorithm, "algorithm-name");
        let cipher = match name.rsplit(['#', ':', '/']).next().unwrap_or_default() {
            "aes256-cbc" | "aes192-cbc" | "aes128-cbc" => Cipher::Aes,
            "Blowfish CFB" | "blowfish" => Cipher::Blowfish,
            _ => return Err("the cipher of the encryption"),
        };
        let derivation = child("key-derivation");
        let method = text(derivation, "key-derivation-name");
        if !method.to_ascii_lowercase().ends_with("pbkdf2") {
            return Err("the key derivation of the encryption");
        }
        let number = |name: &str| text(derivation, name).trim().parse::<u32>().ok();
        // Without a description, the password is hashed with SHA-1.
        let start = match child("start-key-generation") {
            Some(start) => hash(&text(Some(start), "start-key-generation-name")),
            None => Some(Hash::Sha1),
        };
        let checksum = hash(&text(Some(data), "checksum-type"));
        let key_size = number("key-size").unwrap_or(16).clamp(1, 64);
        Ok(Self {
            cipher,
            start: start.ok_or("the hash function of the encryption")?,
            salt: base64::decode(text(derivation, "salt").as_bytes()),
            iv: base64::decode(text(algorithm, "initialisation-vector").as_bytes()),
            iterations: number("iteration-count").unwrap_or(1024),
            key_size: usize::try_from(key_size).unwrap_or(64),
            checksum: checksum.map(|hash| {
                (
                    hash,
                    base64::decode(text(Some(data), "checksum").as_bytes()),
                )
            }),
        })
    }
}

/// Returns the hash function with a name, such as `SHA1/1K` or an address that ends in `#sha256-1k`.
fn hash(name: &str) -> Option<Hash> {
    let name = name.rsplit('#').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    if name.starts_with("sha256") {
        return Some(Hash::Sha256);
    }
    name.starts_with("sha1").then_some(Hash::Sha1)
}

/// Derives a key with PBKDF2 and HMAC-SHA-1 (RFC 8018, 5.2).
fn derive(password: &[u8], salt: &[u8], iterations: u32, size: usize) -> Option<Vec<u8>> {
    let keyed = <Hmac<Sha1> as KeyInit>::new_from_slice(password).ok()?;
    let mac = |parts: &[&[u8]]| -> [u8; 20] {
        let mut mac = keyed.clone();
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    };
    let mut key = Vec::new();
    let mut number = 1_u32;
    while key.len() < size {
        let mut last = mac(&[salt, &number.to_be_bytes()]);
        let mut block = last;
        for _ in 1..iterations {
            last = mac(&[&last]);
            for (place, byte) in block.iter_mut().zip(last) {
                *place ^= byte;
            }
        }
        key.extend(block);
        number = number.checked_add(1)?;
    }
    key.truncate(size);
    Some(key)
}
