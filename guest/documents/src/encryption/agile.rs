//! Agile encryption ([MS-OFFCRYPTO] 2.3.4.10 to 2.3.4.15): AES in CBC mode, with a key that a password
//! encrypts.

use super::hash::{self, BLOCK, Hash};
use super::padding::{damaged, unpadded};
use crate::Error;
use crate::xml::{Element, Tree, decode};
use omniread_document::base64;

/// What is decrypted with a key of a password ([MS-OFFCRYPTO] 2.3.4.11).
const VERIFIER_INPUT: [u8; 8] = [0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79];
const VERIFIER_VALUE: [u8; 8] = [0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e];
const KEY_VALUE: [u8; 8] = [0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6];
/// What is decrypted with the key of the package ([MS-OFFCRYPTO] 2.3.4.14).
const HMAC_KEY: [u8; 8] = [0x5f, 0xb2, 0xad, 0x01, 0x0c, 0xb9, 0xe1, 0xf6];
const HMAC_VALUE: [u8; 8] = [0xa0, 0x67, 0x7f, 0x02, 0xb2, 0x2c, 0x84, 0x33];

/// The number of bytes that are encrypted one after the other.
const SEGMENT: usize = 4096;

/// A cipher and its parameters.
struct Parameters {
    hash: Hash,
    /// The length of the key in bytes.
    key_size: usize,
    /// The length of a hash in bytes.
    hash_size: usize,
    salt: Vec<u8>,
}

impl Parameters {
    fn parse(element: Element) -> Result<Self, Error> {
        let text = |name: &str| element.attr(name).unwrap_or_default();
        let is_supported = text("cipherAlgorithm") == "AES"
            && text("cipherChaining") == "ChainingModeCBC"
            && text("blockSize") == "16";
        if !is_supported {
            let name = "the cipher of the encryption".to_owned();
            return Err(Error::Unsupported(name));
        }
        let number = |name: &str| text(name).parse::<usize>().map_err(|_| damaged());
        let key_size = match number("keyBits")? {
            128 => 16,
            192 => 24,
            256 => 32,
            _ => return Err(damaged()),
        };
        let hash = Hash::named(text("hashAlgorithm"))?;
        let hash_size = number("hashSize")?;
        if hash_size > 64 {
            return Err(damaged());
        }
        Ok(Self {
            hash,
            key_size,
            hash_size,
            salt: base64::decode(text("saltValue").as_bytes()),
        })
    }

    /// The first block for something that is encrypted: the salt and its number or name, hashed.
    fn iv(&self, block: &[u8]) -> Vec<u8> {
        hash::sized(self.hash.of(&[&self.salt, block]), BLOCK)
    }
}

/// The description of the encryption.
pub struct Agile {
    data: Parameters,
    password: Parameters,
    spin_count: u32,
    verifier_input: Vec<u8>,
    verifier_value: Vec<u8>,
    key_value: Vec<u8>,
    /// The encrypted key and value of the HMAC. `None` if the package has none.
    integrity: Option<(Vec<u8>, Vec<u8>)>,
}

impl Agile {
    /// Parses the description after the version and flags: XML.
    pub fn parse(content: &[u8]) -> Result<Self, Error> {
        let text = decode(content);
        let tree = Tree::parse(&text);
        let named = |name: &str| {
            let mut all = tree.root().descendants();
            all.find(|element| element.name() == name)
        };
        let data = Parameters::parse(named("keyData").ok_or_else(damaged)?)?;
        let Some(key) = named("encryptedKey") else {
            // A certificate encrypts the key.
            return Err(Error::Unsupported(
                "encryption without a password".to_owned(),
            ));
        };
        let bytes = |element: Element, name: &str| {
            let value = element.attr(name).unwrap_or_default();
            base64::decode(value.as_bytes())
        };
        let integrity = named("dataIntegrity").map(|element| {
            let value = |name| bytes(element, name);
            (value("encryptedHmacKey"), value("encryptedHmacValue"))
        });
        let spin_count = key.attr("spinCount").unwrap_or_default();
        Ok(Self {
            data,
            password: Parameters::parse(key)?,
            spin_count: spin_count.parse().map_err(|_| damaged())?,
            verifier_input: bytes(key, "encryptedVerifierHashInput"),
            verifier_value: bytes(key, "encryptedVerifierHashValue"),
            key_value: bytes(key, "encryptedKeyValue"),
            integrity,
        })
    }

    /// Returns the key of the package. `None` if the password is wrong.
    pub fn key(&self, password: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let Parameters {
            hash,
            key_size,
            hash_size,
            salt,
        } = &self.password;
        let spun = hash.of_password(salt, password, self.spin_count)?;
        let decrypt = |name: [u8; 8], bytes: &[u8]| {
            let key = hash::sized(hash.of(&[&spun, &name]), *key_size);
            let mut bytes = bytes.to_vec();
            let iv = hash::sized(salt.clone(), BLOCK);
            hash::decrypt_cbc(&key, &iv, &mut bytes)?;
            Ok(bytes)
        };
        let mut input = decrypt(VERIFIER_INPUT, &self.verifier_input)?;
        input.truncate(salt.len());
        let mut value = decrypt(VERIFIER_VALUE, &self.verifier_value)?;
        value.truncate(*hash_size);
        if value.is_empty() || !hash::equal(&hash.of(&[&input]), &value) {
            return Ok(None);
        }
        let mut key = decrypt(KEY_VALUE, &self.key_value)?;
        key.truncate(self.data.key_size);
        Ok(Some(key))
    }

    /// Checks and decrypts the package.
    pub fn decrypt(&self, key: &[u8], mut package: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.check(key, &package)?;
        let content = package.get_mut(8..).ok_or_else(damaged)?;
        for (number, segment) in (0_u32..).zip(content.chunks_mut(SEGMENT)) {
            let iv = self.data.iv(&number.to_le_bytes());
            hash::decrypt_cbc(key, &iv, segment)?;
        }
        unpadded(package)
    }

    /// Checks the HMAC of the package.
    fn check(&self, key: &[u8], package: &[u8]) -> Result<(), Error> {
        let Some((hmac_key, hmac_value)) = &self.integrity else {
            return Ok(());
        };
        let decrypt = |name: [u8; 8], bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            hash::decrypt_cbc(key, &self.data.iv(&name), &mut bytes)?;
            bytes.truncate(self.data.hash_size);
            Ok(bytes)
        };
        let hmac_key = decrypt(HMAC_KEY, hmac_key)?;
        let expected = decrypt(HMAC_VALUE, hmac_value)?;
        let found = self
            .data
            .hash
            .hmac(&hmac_key, package)
            .ok_or_else(damaged)?;
        if hash::equal(&found, &expected) {
            return Ok(());
        }
        Err(Error::Damaged(
            "the encrypted package was changed or is not complete".to_owned(),
        ))
    }
}
