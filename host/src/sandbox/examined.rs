//! The state of a file, as a session keeps it: by its stamp in the file system, and by the hash of its
//! bytes.

use super::platform::real_path;
use super::policy::Policy;
use omniread_store::Stamp;
use sha2::{Digest as _, Sha256};
use std::fs::{File, Metadata, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The largest file that is hashed after a read. A processor with instructions for SHA-256 hashes it in less
/// than a millisecond. Larger files are recognised by their stamps and by the tag of their text.
const HASHED_BYTES: u64 = 1 << 20;

/// The state of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// The real path, without symlinks.
    pub real: PathBuf,
    /// The state according to the file system.
    pub stamp: Stamp,
    /// The SHA-256 of the bytes. `None` if the file is too large, if it changed meanwhile, or if the
    /// hash was not requested.
    pub hash: Option<[u8; 32]>,
}

/// The stamp of an open file.
pub fn stamp(metadata: &Metadata) -> Stamp {
    #[cfg(unix)]
    let (device, inode) = {
        use std::os::unix::fs::MetadataExt as _;
        (metadata.dev(), metadata.ino())
    };
    #[cfg(not(unix))]
    let (device, inode) = (0, 0);
    let since = metadata.modified().ok().and_then(|modified| {
        let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
        i128::try_from(since.as_nanos()).ok()
    });
    Stamp {
        size: metadata.len(),
        modified: since.unwrap_or(0),
        device,
        inode,
    }
}

/// Examines a file that a read has shown. `None` if no policy allows it, or if it is not a regular file any
/// more.
pub fn examine(policy: &Policy, path: &Path, hashed: bool) -> Option<Examined> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    let mut file = options.open(path).ok()?;
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() {
        return None;
    }
    let real = match real_path(&file) {
        Ok(Some(real)) => real,
        Ok(None) => return None,
        Err(_) => path.canonicalize().ok()?,
    };
    if !allows(policy, &real) {
        return None;
    }
    let stamp = stamp(&metadata);
    let hash = hash(&mut file, stamp.size, hashed);
    Some(Examined { real, stamp, hash })
}

/// Whether a policy allows to show the file with this real path.
pub fn allows(policy: &Policy, real: &Path) -> bool {
    policy.reaches(real) && policy.denied(real).is_none()
}

fn hash(file: &mut File, size: u64, hashed: bool) -> Option<[u8; 32]> {
    if !hashed || size > HASHED_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    // A file that grows is not read on.
    let most = HASHED_BYTES.saturating_add(1);
    file.take(most).read_to_end(&mut bytes).ok()?;
    let is_whole = bytes.len() as u64 == size;
    is_whole.then(|| Sha256::digest(&bytes).into())
}
