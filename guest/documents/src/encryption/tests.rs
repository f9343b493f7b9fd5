//! The encrypted packages were made by another implementation of [MS-OFFCRYPTO].

use super::{DEFAULT_PASSWORD, decrypted};
use crate::ole::testing::compound;
use crate::{Error, limits};

const PASSWORD: Option<&str> = Some("päss");

fn hex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// A package with standard encryption: AES-128.
fn standard() -> Vec<u8> {
    let mut info = hex("0300020024000000");
    let header = [0x24_u32, 0, 0x660e, 0x8004, 128, 0x18, 0, 0];
    info.extend(34_u32.to_le_bytes());
    info.extend(header.iter().flat_map(|word| word.to_le_bytes()));
    info.extend([0, 0]);
    info.extend(hex(concat!(
        "10000000000102030405060708090a0b0c0d0e0ffcae6a5801a7020611a4884c2ef445b914000000",
        "03e0b68db8943b45d0d8c6c498dfabea02c746cfbc5fe2376dedb67c13b9ef45",
    )));
    let package = hex("0a000000000000007bed791a021ec754f7d2a225f8540fa4");
    compound(&[("EncryptionInfo", &info), ("EncryptedPackage", &package)])
}

/// A package with agile encryption: AES-192 and SHA-384. A text of the description is replaced.
fn agile(from: &str, to: &str) -> Vec<u8> {
    let parameters = "saltSize=\"16\" blockSize=\"16\" keyBits=\"192\" hashSize=\"48\" \
                      cipherAlgorithm=\"AES\" cipherChaining=\"ChainingModeCBC\" \
                      hashAlgorithm=\"SHA384\" saltValue=\"EBceJSwzOkFIT1ZdZGtyeQ==\"";
    let description = format!(
        "<encryption xmlns:p=\"p\"><keyData {parameters}/><dataIntegrity encryptedHmacKey=\"\
         dKfj9P0U2oyfNhJ2D5s5EpzUncRGieXGdFZ5laon4/wRH2lU7oWSKBLzBVgJAxMB\" encryptedHmacValue=\"\
         R0RHaBXeXY+dOHa9O7lGX5x2Hd7rEYMoxPjMRRr17CRCbJ3hxEb+UTsTeHPuLcCo\"/><keyEncryptors>\
         <keyEncryptor><p:encryptedKey spinCount=\"10\" {parameters} encryptedVerifierHashInput=\"\
         UbOWil9mgE6hAigl+ywjsg==\" encryptedVerifierHashValue=\"\
         563uuWL7xYCZbmT+uvnGcyJwyHXPaAA93blaniAzRMDR/qoGYZ33TTJ5b35yDXcd\" encryptedKeyValue=\"\
         D5/AMgCJJkMxfOjTWu9Ze5fEbQWWWK6sCv9KgHthkek=\"/></keyEncryptor></keyEncryptors>\
         </encryption>"
    );
    assert!(description.contains(from));
    let info = [
        &[4, 0, 4, 0, 0x40, 0, 0, 0],
        description.replace(from, to).as_bytes(),
    ]
    .concat();
    let package = hex("0a00000000000000bae9da26e3ca22fb2d54a5a377f2b3bd");
    compound(&[("EncryptionInfo", &info), ("EncryptedPackage", &package)])
}

#[test]
fn right_password_decrypts() {
    assert_eq!(decrypted(standard(), PASSWORD).unwrap(), b"PK package");
    assert_eq!(decrypted(agile("", ""), PASSWORD).unwrap(), b"PK package");
}

#[test]
fn wrong_password_is_refused() {
    for file in [standard(), agile("", "")] {
        for password in [None, Some(""), Some("Päss"), Some(DEFAULT_PASSWORD)] {
            assert_eq!(decrypted(file.clone(), password), Err(Error::Encrypted));
        }
    }
}

#[test]
fn other_bytes_are_unchanged() {
    let document = compound(&[("WordDocument", b"text"), ("Pool/EncryptedPackage", b"x")]);
    assert_eq!(decrypted(document.clone(), PASSWORD).unwrap(), document);
    assert_eq!(decrypted(b"PK".to_vec(), None).unwrap(), b"PK");
    assert_eq!(decrypted(Vec::new(), None).unwrap(), b"");
}

#[test]
fn changed_package_is_refused() {
    let file = agile("R0RH", "R0RI");
    let error = decrypted(file, PASSWORD).unwrap_err();
    let text = "the encrypted package was changed or is not complete".to_owned();
    assert_eq!(error, Error::Damaged(text));
}

#[test]
fn costs_and_unknown_ciphers_are_refused() {
    let many = format!("spinCount=\"{}\"", limits::SPIN_COUNT + 1);
    let error = decrypted(agile("spinCount=\"10\"", &many), PASSWORD).unwrap_err();
    assert!(matches!(error, Error::Exhausted(_)));
    for (from, to) in [
        ("\"AES\"", "\"DES\""),
        ("SHA384", "MD5"),
        ("p:encryptedKey", "other"),
    ] {
        let error = decrypted(agile(from, to), PASSWORD).unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)), "{to}: {error:?}");
    }
}

#[test]
fn damaged_description_is_an_error() {
    for (from, to) in [
        ("spinCount=\"10\"", "spinCount=\"-1\""),
        ("keyBits=\"192\"", "keyBits=\"8\""),
        ("hashSize=\"48\"", "hashSize=\"65\""),
        ("keyData", "other"),
    ] {
        let error = decrypted(agile(from, to), PASSWORD).unwrap_err();
        assert!(matches!(error, Error::Damaged(_)), "{to}: {error:?}");
    }
    for (from, to) in [
        ("EBceJSwzOkFIT1ZdZGtyeQ==", ""),
        ("hashSize=\"48\"", "hashSize=\"0\""),
    ] {
        assert!(decrypted(agile(from, to), PASSWORD).is_err(), "{to}");
    }
    for file in [standard(), agile("", "")] {
        for end in (0..file.len()).step_by(101) {
            if let Ok(other) = decrypted(file[..end].to_vec(), PASSWORD) {
                assert!(other == b"PK package" || other == file[..end]);
            }
        }
    }
}
