//! Encrypted workbooks ([MS-XLS] 2.2.10): the data of most records is encrypted, and their headers are
//! not.

use super::book::{Biff, END, begin};
use super::records::Records;
use crate::Error;
use crate::encryption::{DEFAULT_PASSWORD, xor};
use crate::ole::{rc4, u16_at};

/// The type of the record that says that the stream is encrypted.
const ENCRYPTED: u16 = 0x2f;

/// The number of records in which it is looked for. It is one of the first ten.
const FIRST: usize = 100;

/// The number of bytes that are encrypted with one key.
const BLOCK: usize = 1024;

enum Cipher {
    Xor(xor::Key),
    Rc4(rc4::Key),
}

/// Decrypts a stream. Others are unchanged.
///
/// # Errors
/// Fails if the password is missing or wrong, or if the encryption has another kind.
pub fn decrypt(stream: &mut [u8], password: Option<&str>) -> Result<(), Error> {
    let mut records = Records::new(stream, 0);
    let Some((biff, _)) = records.next().as_ref().and_then(begin) else {
        return Ok(());
    };
    let mut records = records.take(FIRST).take_while(|record| record.kind != END);
    let Some(record) = records.find(|record| record.kind == ENCRYPTED) else {
        return Ok(());
    };
    let start = record
        .at
        .saturating_add(4)
        .saturating_add(record.data.len());
    let mut cipher = Err(Error::Encrypted);
    for password in [password, Some(DEFAULT_PASSWORD)].into_iter().flatten() {
        cipher = self::cipher(record.data, biff, password);
        if cipher.is_ok() {
            break;
        }
    }
    // Without a password, it does not matter which kind the encryption has.
    let cipher = cipher.map_err(|error| match password {
        Some(_) => error,
        None => Error::Encrypted,
    })?;
    apply(&cipher, stream, start);
    Ok(())
}

/// Returns the cipher of the record that describes it ([MS-XLS] 2.4.117).
fn cipher(data: &[u8], biff: Biff, password: &str) -> Result<Cipher, Error> {
    let number = |at: usize| u16_at(data, at).ok_or(Error::Encrypted);
    let at = match (biff, number(0)?) {
        (Biff::V8, 0) => 2,
        (Biff::V8, _) => {
            let header = data.get(2..).unwrap_or_default();
            return rc4::Key::derive(header, Some(password)).map(Cipher::Rc4);
        }
        _ => 0,
    };
    let key = xor::Key::derive(password, number(at)?, number(at.saturating_add(2))?);
    key.map(Cipher::Xor).ok_or(Error::Encrypted)
}

/// Decrypts the records from a position.
fn apply(cipher: &Cipher, stream: &mut [u8], start: usize) {
    let mut rc4 = match cipher {
        Cipher::Rc4(key) => Some(key.positions(BLOCK)),
        Cipher::Xor(_) => None,
    };
    let mut at = start;
    while let (Some(kind), Some(size)) = (u16_at(stream, at), u16_at(stream, at.saturating_add(2)))
    {
        let data = at.saturating_add(4);
        let size = usize::from(size);
        at = data.saturating_add(size);
        // The beginning of a sheet in the list is not encrypted.
        let skip = match kind {
            0x85 => 4,
            _ if is_plain(kind) => size,
            _ => 0,
        };
        let first = data.saturating_add(skip);
        let end = at.min(stream.len());
        let Some(bytes) = stream.get_mut(first..end) else {
            continue;
        };
        match (cipher, &mut rc4) {
            (Cipher::Xor(key), _) => key.apply(first.saturating_add(size), bytes),
            (_, Some(rc4)) => rc4.apply(first, bytes),
            _ => {}
        }
    }
}

/// Returns whether records of a type are never encrypted.
fn is_plain(kind: u16) -> bool {
    matches!(
        kind,
        0x09 | 0x209 | 0x409 | 0x809 | ENCRYPTED | 0xe1 | 0x138 | 0x194 | 0x195 | 0x196
    )
}
