//! The hash of the bytes on disk, whatever part of them is shown.

use crate::pages::Input;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The hash of all bytes of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// SHA-256, 64 hex digits in lower case.
    pub sha256: String,
    /// How many bytes there are.
    pub bytes: u64,
}

/// Hashes a source from its first byte to its last. `None` if they cannot all
/// be read: a stream that has passed, or damage.
pub fn digest(input: &mut Input<'_>) -> Option<Digest> {
    if !input.seekable() {
        return None;
    }
    let mut hash = Sha256::new();
    let mut bytes = 0u64;
    loop {
        let chunk = input.chunk(bytes);
        if chunk.is_empty() {
            break;
        }
        hash.update(chunk);
        bytes = bytes.saturating_add(chunk.len() as u64);
    }
    let mut sha256 = String::with_capacity(64);
    for byte in hash.finalize() {
        let _ = write!(sha256, "{byte:02x}");
    }
    input.damage().is_none().then_some(Digest { sha256, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Bytes;

    /// The examples of FIPS 180-2, appendix B.
    #[test]
    fn published_values() {
        for (bytes, expected) in [
            (
                b"abc".to_vec(),
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                vec![b'a'; 1_000_000],
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ),
        ] {
            let size = bytes.len() as u64;
            let mut source = Bytes::new(bytes);
            let mut input = Input::new(&mut source, Some(size)).unwrap();
            let digest = digest(&mut input).unwrap();
            assert_eq!((digest.sha256.as_str(), digest.bytes), (expected, size));
        }
    }
}
