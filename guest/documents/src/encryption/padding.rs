//! The size of a package, and the padding at its end.

use crate::Error;

/// The error for a description of the encryption that cannot be read.
pub fn damaged() -> Error {
    Error::Damaged("the description of the encryption is damaged".to_owned())
}

/// Removes the size from the start of a package, and the padding from its end.
pub fn unpadded(mut package: Vec<u8>) -> Result<Vec<u8>, Error> {
    let size = package
        .first_chunk::<8>()
        .map(|size| u64::from_le_bytes(*size));
    let size = size.ok_or_else(damaged)?;
    package.drain(..8);
    package.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    Ok(package)
}
