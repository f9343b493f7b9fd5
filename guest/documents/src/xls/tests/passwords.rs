//! Encrypted workbooks. The tests encrypt with the functions that decrypt, and with keys that another
//! program made.

use super::*;
use crate::encryption::xor;
use crate::ole::rc4::Key;

fn hex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Inserts the description of an encryption, and changes the data of the records after it.
fn encrypted(
    plain: &[u8],
    description: &[u8],
    mut change: impl FnMut(usize, &mut [u8]),
) -> Vec<u8> {
    let first = 4 + usize::from(u16::from_le_bytes([plain[2], plain[3]]));
    let description = record(0x2f, description);
    let mut out = [&plain[..first], &description, &plain[first..]].concat();
    let mut at = first + description.len();
    while at < out.len() {
        let kind = u16::from_le_bytes([out[at], out[at + 1]]);
        let size = usize::from(u16::from_le_bytes([out[at + 2], out[at + 3]]));
        let skip = match kind {
            0x809 => size,
            0x85 => 4,
            _ => 0,
        };
        if kind == 0x85 {
            let place = u32::from_le_bytes(out[at + 4..at + 8].try_into().unwrap());
            let place = place + u32::try_from(description.len()).unwrap();
            out[at + 4..at + 8].copy_from_slice(&place.to_le_bytes());
        }
        let end = at + 4 + size;
        change(at + 4 + skip, &mut out[at + 4 + skip..end]);
        at = end;
    }
    out
}

fn sheet() -> Vec<u8> {
    let cells: Vec<Vec<u8>> = (0..200)
        .map(|row| cell(0x27e, row, 0, 0, &integer(7)))
        .collect();
    one(&[], &cells)
}

/// Reads the sheet with a password.
fn rows(stream: &[u8], password: Option<&str>) -> Result<usize, Error> {
    let mut document = open(compound(&[("Workbook", stream)]), password)?;
    let rows = document.workbook().unwrap().rows(0, &all());
    assert!(shown(&rows).iter().all(|cell| cell.ends_with("=7")));
    Ok(rows.rows.len())
}

/// The header of RC4 with a key of 40 bits, for the password `VelvetSweatshop`, by another program.
const BASIC: &str = concat!(
    "010001000a84d7a32dd79a807278550af4640b01c2f6b989bd5edabc662af49609cb85a49aeb1f89",
    "efefcadb14f9e0b0b7ed6748",
);

#[test]
fn rc4_needs_its_password() {
    let header = hex(BASIC);
    let description = [&[1, 0][..], &header].concat();
    let key = Key::derive(&header, Some("VelvetSweatshop")).ok().unwrap();
    let mut cipher = key.positions(1024);
    let stream = encrypted(&sheet(), &description, |at, data| cipher.apply(at, data));
    // Programs write this password for workbooks that need none.
    assert_eq!(rows(&stream, None), Ok(200));
    assert_eq!(rows(&stream, Some("other")), Ok(200));
    for end in 0..description.len() {
        let cut = encrypted(&sheet(), &description[..end], |_, _| {});
        assert_eq!(rows(&cut, None), Err(Error::Encrypted), "{end}");
    }
}

/// The header of RC4 of the `CryptoAPI` with 128 bits, for the password `secret1`, by another program.
const CRYPTO_API: &str = concat!(
    "04000200040000007600000004000000000000000168000004800000800000000100000000000000",
    "000000004d006900630072006f0073006f0066007400200042006100730065002000430072007900",
    "700074006f0067007200610070006800690063002000500072006f00760069006400650072002000",
    "760031002e003000000010000000000102030405060708090a0b0c0d0e0fb1cfac153b6a3a504674",
    "2e7d1d2fe38214000000a7ab6631545ff5090633fe41e74aa27745c8b592",
);

#[test]
fn rc4_of_the_crypto_api_needs_its_password() {
    let header = hex(CRYPTO_API);
    let description = [&[1, 0][..], &header].concat();
    let key = Key::derive(&header, Some("secret1")).ok().unwrap();
    let mut cipher = key.positions(1024);
    let stream = encrypted(&sheet(), &description, |at, data| cipher.apply(at, data));
    assert_eq!(rows(&stream, Some("secret1")), Ok(200));
    assert_eq!(rows(&stream, Some("secret2")), Err(Error::Encrypted));
    assert_eq!(rows(&stream, None), Err(Error::Encrypted));
}

#[test]
fn unknown_encryption_is_named_with_a_password() {
    let stream = encrypted(&sheet(), &numbers(&[1, 9, 9]), |_, _| {});
    let unsupported = Error::Unsupported("this encryption".to_owned());
    assert_eq!(rows(&stream, Some("secret")), Err(unsupported));
    assert_eq!(rows(&stream, None), Err(Error::Encrypted));
}

#[test]
fn obfuscation_needs_its_password() {
    // The key and the hash of the password `abc`, by Excel.
    let (key, hash) = (0x514a, 0xcc1a);
    let cipher = xor::Key::derive("abc", key, hash).unwrap();
    // A cell with the value 1 at the position 0x5d4 of the stream, by Excel as well.
    let mut stored = hex("9475da579957da7465a87a2f3b90");
    cipher.apply(0x5d4 + stored.len(), &mut stored);
    assert_eq!(stored[..4], [0; 4]);
    assert_eq!(stored[6..], 1.0_f64.to_le_bytes());
    let plain = sheet();
    let encrypt = |at: usize, size: usize, data: &mut [u8]| {
        let start = at + size;
        // The inverse of the decryption: the key, and a rotation to the other side.
        let mut keys = vec![0; data.len()];
        cipher.apply(start, &mut keys);
        for (byte, key) in data.iter_mut().zip(keys) {
            *byte = (*byte ^ key).rotate_right(3);
        }
    };
    let stream = encrypted(&plain, &numbers(&[0, key, hash]), |at, data| {
        // The list of sheets has 4 bytes that are not encrypted.
        let size = data.len() + if data.len() == 8 { 4 } else { 0 };
        encrypt(at, size, data);
    });
    assert_eq!(rows(&stream, Some("abc")), Ok(200));
    assert_eq!(rows(&stream, Some("abd")), Err(Error::Encrypted));
    assert_eq!(rows(&stream, None), Err(Error::Encrypted));
}
