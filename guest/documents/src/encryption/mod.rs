//! Encrypted packages of office programs ([MS-OFFCRYPTO]).
//!
//! ```text
//! agile     AES in CBC mode with a key of many hashes, since Office 2010
//! standard  AES in ECB mode, of Office 2007
//! hash      hash functions and keys
//! padding   the size of a package, and its padding
//! xor       obfuscation of workbooks before Excel 97
//! parts     encrypted parts of OpenDocument packages
//! blowfish  the cipher of older ones
//! ```
//!
//! An encrypted package is a compound file with the streams `EncryptionInfo` and `EncryptedPackage`.
//! Messages never contain a password.

mod agile;
mod blowfish;
mod hash;
mod padding;
pub mod parts;
mod standard;
#[cfg(test)]
mod tests;
pub mod xor;

use crate::Error;
use crate::ole::{Compound, MAGIC, u16_at};
use crate::package::is_limit;
use padding::damaged;

/// The password with which Excel encrypts workbooks that a user only protects from changes.
pub const DEFAULT_PASSWORD: &str = "VelvetSweatshop";

/// The name of the stream with the package in the directory of a compound file: UTF-16.
const NAME: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

/// Decrypts an encrypted package. Returns other bytes unchanged.
///
/// # Errors
/// Fails if the password is missing or wrong, if the encryption is not supported, or if the package
/// was changed after it was encrypted.
pub fn decrypted(bytes: Vec<u8>, password: Option<&str>) -> Result<Vec<u8>, Error> {
    if !bytes.starts_with(MAGIC) || memchr::memmem::find(&bytes, NAME).is_none() {
        return Ok(bytes);
    }
    let mut file = match Compound::open(bytes) {
        // A damaged file with this name inside is probably encrypted.
        Err(Error::Damaged(_)) if password.is_none() => return Err(Error::Encrypted),
        file => file?,
    };
    if !file.has("EncryptedPackage") || !file.has("EncryptionInfo") {
        return Ok(file.into_bytes());
    }
    let read = |file: &mut Compound, name: &str| {
        let part = file.stream(name).unwrap_or_default();
        match part.damage {
            Some(damage) if is_limit(&damage) => Err(Error::exhausted("document size")),
            Some(damage) => Err(Error::Damaged(format!(
                "the stream `{name}` is damaged: {damage}"
            ))),
            None => Ok(part.bytes),
        }
    };
    let info = read(&mut file, "EncryptionInfo")?;
    let package = read(&mut file, "EncryptedPackage")?;
    drop(file);
    // Without a password, it does not matter whether the description is damaged.
    let scheme = Scheme::parse(&info).map_err(|error| match password {
        Some(_) => error,
        None => Error::Encrypted,
    })?;
    let passwords = [password, Some(DEFAULT_PASSWORD)];
    for password in passwords.into_iter().flatten() {
        let password: Vec<u8> = password.encode_utf16().flat_map(u16::to_le_bytes).collect();
        if let Some(key) = scheme.key(&password)? {
            return scheme.decrypt(&key, package);
        }
    }
    Err(Error::Encrypted)
}

/// How a package is encrypted.
enum Scheme {
    Agile(agile::Agile),
    Standard(standard::Standard),
}

impl Scheme {
    /// Parses the stream `EncryptionInfo`.
    fn parse(info: &[u8]) -> Result<Self, Error> {
        let version = (u16_at(info, 0), u16_at(info, 2));
        let content = info.get(8..).unwrap_or_default();
        match version {
            (Some(4), Some(4)) => Ok(Self::Agile(agile::Agile::parse(content)?)),
            (Some(2..=4), Some(2)) => Ok(Self::Standard(standard::Standard::parse(content)?)),
            (Some(major), Some(minor)) => Err(Error::Unsupported(format!(
                "encryption of version {major}.{minor}"
            ))),
            _ => Err(damaged()),
        }
    }

    /// Returns the key of the package. `None` if the password is wrong.
    fn key(&self, password: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        match self {
            Self::Agile(scheme) => scheme.key(password),
            Self::Standard(scheme) => scheme.key(password),
        }
    }

    fn decrypt(&self, key: &[u8], package: Vec<u8>) -> Result<Vec<u8>, Error> {
        match self {
            Self::Agile(scheme) => scheme.decrypt(key, package),
            Self::Standard(scheme) => scheme.decrypt(key, package),
        }
    }
}
