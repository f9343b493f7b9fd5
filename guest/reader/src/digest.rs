//! The checksum of all bytes of a file, independent of the part that is shown.

use crate::limits;
use crate::pages::Input;
use crate::world::World;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The checksum of all bytes of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// SHA-256, 64 hex digits in lower case.
    pub sha256: String,
    /// The number of bytes of the source.
    pub bytes: u64,
}

/// The reason why there is no checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestError {
    /// The computation would take most of the time that is left for the read.
    Time,
    /// The file is compressed, and its decompressed content is shown.
    Compressed,
    /// Some bytes cannot be read, because the source is a stream or is damaged.
    Unread,
    /// Only parts of the file were read, over a network.
    Remote,
    /// The file changed during the read, so the checksum may be that of other bytes.
    Changed,
}

/// Computes the checksum of a source. `size` is the size of the source in bytes, if known.
///
/// # Errors
/// Returns [`DigestError::Unread`] if not all bytes can be read. Returns [`DigestError::Time`] if
/// the computation would take most of the time that is left for the read, because the rest of the
/// reply would be lost too if its time were up.
pub fn digest(
    input: &mut Input<'_>,
    size: Option<u64>,
    world: &dyn World,
) -> Result<Digest, DigestError> {
    if !input.seekable() {
        return Err(DigestError::Unread);
    }
    if input.remote() {
        return Err(DigestError::Remote);
    }
    let mut hash = Sha256::new();
    let mut bytes = 0u64;
    let mut pace = None;
    let mut next_check = limits::HASH_STEP_BYTES;
    loop {
        let chunk = input.chunk(bytes);
        if chunk.is_empty() {
            break;
        }
        hash.update(chunk);
        bytes = bytes.saturating_add(chunk.len() as u64);
        if bytes >= next_check {
            next_check = bytes.saturating_add(limits::HASH_STEP_BYTES);
            let Some(left) = world.read_time().left() else {
                next_check = u64::MAX;
                continue;
            };
            let pace = pace.get_or_insert(Pace { left, from: bytes });
            if !pace.can_continue(left, bytes, size) {
                return Err(DigestError::Time);
            }
        }
    }
    let mut sha256 = String::with_capacity(64);
    for byte in hash.finalize() {
        let _ = write!(sha256, "{byte:02x}");
    }
    match input.damage() {
        Some(_) => Err(DigestError::Unread),
        None => Ok(Digest { sha256, bytes }),
    }
}

/// The time that was left and the number of bytes that were hashed when the clock was first
/// checked.
struct Pace {
    /// The milliseconds that were left at the first check of the clock.
    left: u64,
    from: u64,
}

impl Pace {
    /// Whether the computation is to continue. `left` is the number of milliseconds that
    /// are left, `at` the number of bytes that are hashed, and `size` the size of the source in
    /// bytes, if known.
    fn can_continue(&self, left: u64, at: u64, size: Option<u64>) -> bool {
        let time = self.left.saturating_sub(self.left / limits::HASH_SPARED);
        let used = self.left.saturating_sub(left);
        if used >= time {
            return left > 0 && size.is_some_and(|size| at >= size);
        }
        if used < time / limits::HASH_TRIAL {
            return true;
        }
        // At this rate, bytes / done = time / used.
        let done = u128::from(at.saturating_sub(self.from));
        let bytes = u128::from(size.unwrap_or(0).saturating_sub(self.from));
        let reach = done.saturating_mul(u128::from(time)).saturating_mul(2);
        bytes.saturating_mul(u128::from(used)) <= reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::MemoryWorld;
    use crate::world::{Bytes, FileError, Source};

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
            let digest = digest(&mut input, Some(size), &MemoryWorld::new("/ws")).unwrap();
            assert_eq!((digest.sha256.as_str(), digest.bytes), (expected, size));
        }
    }

    /// A file of zeros that counts the bytes read from it.
    struct Zeros {
        size: u64,
        read: u64,
    }

    impl Source for Zeros {
        fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
            let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
            let len = len.min(left);
            self.read += len as u64;
            out.resize(out.len() + len, 0);
            Ok(())
        }

        fn seekable(&self) -> bool {
            true
        }
    }

    /// Computes the checksum of `size` bytes with a timeout of `left` milliseconds, while each
    /// check of the clock takes `step` milliseconds. Returns the result, and the number of bytes
    /// that were read.
    fn hashed(size: u64, left: u64, step: u64) -> (Result<u64, DigestError>, u64) {
        let mut world = MemoryWorld::new("/ws");
        world.time(left, step);
        let mut source = Zeros { size, read: 0 };
        let mut input = Input::new(&mut source, Some(size)).unwrap();
        let digest = digest(&mut input, Some(size), &world);
        (digest.map(|digest| digest.bytes), source.read)
    }

    const STEP: u64 = limits::HASH_STEP_BYTES;

    #[test]
    fn a_hash_that_fits_into_the_time_is_computed() {
        for (size, left, step) in [(STEP - 1, 0, 100), (20 * STEP, 10_000, 300)] {
            assert_eq!(hashed(size, left, step).0, Ok(size), "{size}");
        }
    }

    #[test]
    fn a_hash_that_would_take_most_of_the_time_is_given_up() {
        // The computation would end just after three quarters of the time.
        let (outcome, read) = hashed(21 * STEP, 1000, 40);
        assert_eq!(outcome, Err(DigestError::Time));
        assert!(read > 19 * STEP && read < 21 * STEP, "{read}");
    }

    #[test]
    fn a_hash_that_cannot_finish_is_given_up_soon() {
        let (outcome, read) = hashed(1 << 40, 10_000, 100);
        assert_eq!(outcome, Err(DigestError::Time));
        assert!(read < 20 * STEP, "{read}");
        assert_eq!(hashed(2 * STEP, 0, 0).0, Err(DigestError::Time));
    }
}
