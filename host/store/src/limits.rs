//! The limits of a store.

#[cfg(feature = "disk")]
use std::time::Duration;

/// The limits of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreLimits {
    /// The maximum number of paths with snapshots for each handle. The path that was read least
    /// recently is removed first.
    pub paths: usize,
    /// The maximum size in bytes of everything that the store keeps, for all handles together. Shown
    /// text uses at most a quarter of it, and artifacts at most half. The cache uses what these leave. An
    /// artifact that is removed while it is open, or a page of SQLite that is not full, may exceed it.
    pub bytes: u64,
}

impl StoreLimits {
    /// The limits with these numbers of paths for each handle and of bytes.
    pub const fn new(paths: usize, bytes: u64) -> Self {
        Self { paths, bytes }
    }

    /// The limits of a store in memory. An agent rarely edits more than 30 files in one conversation. 32 MiB
    /// are a small part of the memory of a process that runs reads, and have room for several converted
    /// documents.
    pub const MEMORY: Self = Self {
        paths: 30,
        bytes: 32 << 20,
    };

    /// The limits of a store in a directory. It outlives processes, so that 500 paths are the work of some
    /// days. 1 GiB has room for an artifact of 500 MB, and is small beside the caches of compilers and
    /// browsers.
    pub const DISK: Self = Self {
        paths: 500,
        bytes: 1 << 30,
    };

    /// The maximum size of shown text and its facts. Each page that is shown is some 50 kB, so that a
    /// quarter has room for five thousand pages on disk.
    pub(crate) fn text(self) -> u64 {
        self.bytes / 4
    }

    /// The maximum size of all artifacts, and therefore of one. The oldest artifacts are removed for a new one. The
    /// other half is for text and the cache, so that one large artifact cannot take all of a store.
    pub(crate) fn artifacts(self) -> u64 {
        self.bytes / 2
    }

    /// The maximum size of the paths of all shown replies. Most have less than a hundred bytes, so that there is room
    /// for the maximum number of replies.
    pub(crate) fn reply_paths(self) -> u64 {
        self.bytes / 16
    }

    /// The maximum size of the cache beside this much text and these artifacts.
    pub(crate) fn cache(self, text: u64, artifacts: u64) -> u64 {
        self.bytes.saturating_sub(text).saturating_sub(artifacts)
    }
}

/// The maximum number of versions of one path. An agent that edits a file refers to the version
/// before its last edits, and not to those of an hour ago.
pub(crate) const VERSIONS: usize = 8;

/// The maximum size of an entry of the cache in bytes, including its key. It is enough for a
/// converted document or the body of a web page.
pub(crate) const ENTRY_BYTES: u64 = 8 << 20;

/// The number of bytes that count for each row in addition to its text. Without them, a million
/// empty rows would count almost nothing.
pub(crate) const OVERHEAD: u64 = 256;

/// The number of bytes that count for each run of lines and for each window in addition to its text:
/// numbers, a hash, and the entry in an index.
pub(crate) const PART_OVERHEAD: u64 = 64;

/// The maximum size in bytes of a path, and of the source or media type of an artifact. It is eight times the maximum of Linux, for URLs and members
/// of archives in archives.
pub(crate) const PATH_BYTES: usize = 32 << 10;

/// The maximum number of bytes of a handle. The identifiers of sessions of MCP clients have less
/// than 64.
pub(crate) const HANDLE_BYTES: usize = 128;

/// The maximum number of handles. For a new one, the handle that was used longest ago is removed with all its data. A
/// server has a handle for each conversation, and this many are the work of some weeks.
pub(crate) const HANDLES: usize = 1000;

/// The maximum number of artifacts of all handles. The oldest ones are removed first, and a list of all is short
/// enough to be read.
pub(crate) const ARTIFACTS: usize = 10_000;

/// The size of the parts of an artifact in bytes. A part is one write and one read, so that the memory
/// for an artifact does not depend on its size. A write of this size takes less than a millisecond.
pub(crate) const CHUNK_BYTES: usize = 256 << 10;

/// The maximum number of bytes that one call reads of an artifact, to bound the memory for them.
pub(crate) const READ_BYTES: usize = 8 << 20;

/// The maximum number of shown replies of all handles. The oldest one is removed first. An agent
/// that asks again for one of them does so after some replies, and not after thousands.
pub(crate) const REPLIES: usize = 10_000;

/// The time within which two changes of a file may have the same timestamp, in nanoseconds. FAT has
/// the coarsest clock of the common file systems.
pub(crate) const TIME_GRAIN: i128 = 2_000_000_000;

/// The time in nanoseconds after which an artifact without a new part counts as left over by a process
/// that was killed. A source of output may pause, and nobody waits an hour for a read.
#[cfg(feature = "disk")]
pub(crate) const DRAFT_TIME: i64 = 3_600_000_000_000;

/// The number of milliseconds that a read or write of a store on disk waits for other processes. After it, the write
/// is dropped. A write of another process takes milliseconds, unless its disk hangs or the process is stopped.
#[cfg(feature = "disk")]
pub(crate) const BUSY_MILLISECONDS: i32 = 50;

/// The time for which a process does not wait again after a write that others have prevented. Each read has several
/// writes, and reads at the same time share the store.
#[cfg(feature = "disk")]
pub(crate) const BUSY_PAUSE: Duration = Duration::from_secs(2);

/// The time for which the start of a generation and the clearing of a handle are tried again. They are not parts of a
/// read, and they are wrong if they are dropped.
#[cfg(feature = "disk")]
pub(crate) const PATIENT_TIME: Duration = Duration::from_secs(2);

/// The time between two of these attempts. Other threads use the store meanwhile.
#[cfg(feature = "disk")]
pub(crate) const PATIENT_STEP: Duration = Duration::from_millis(20);

/// The time that the opening of a store waits for other processes that open it. An opening takes
/// milliseconds, and a complete check of a large store after damage takes seconds.
#[cfg(feature = "disk")]
pub(crate) const OPEN_TIME: Duration = Duration::from_secs(10);

/// The size of the write-ahead log (WAL) in bytes over which its pages are moved to the database. The first
/// read of a process scans the log, which takes a millisecond for this size.
#[cfg(feature = "disk")]
pub(crate) const LOG_BYTES: u64 = 4 << 20;

/// The size of the write-ahead log in bytes from which writers wait until it is moved. They wait for some ten
/// milliseconds, once for a hundred reads. This happens only if writes follow each other without a pause.
#[cfg(feature = "disk")]
pub(crate) const MANY_LOG_BYTES: u64 = 16 << 20;

/// The time for which the end of a process waits for the write-ahead log to be moved. It is usually done
/// in a fraction of it, and the next process continues otherwise.
#[cfg(feature = "disk")]
pub(crate) const CLOSE_TIME: Duration = Duration::from_millis(200);

/// The size of the write-ahead log in bytes from which a write waits for [`WRITE_TIME`], and the end of a process
/// for [`CLOSE_LONG_TIME`]. Only writes that follow each other without a pause reach it, such as those of a
/// large artifact.
#[cfg(feature = "disk")]
pub(crate) const LONG_LOG_BYTES: u64 = 32 << 20;

/// The time for which a write waits for a very large write-ahead log to be moved.
#[cfg(feature = "disk")]
pub(crate) const WRITE_TIME: Duration = Duration::from_millis(500);

/// The time for which the end of a process waits for a very large write-ahead log to be moved.
#[cfg(feature = "disk")]
pub(crate) const CLOSE_LONG_TIME: Duration = Duration::from_secs(2);

/// The maximum number of files that were set aside. More than a few need the attention of a person, and
/// not more space.
#[cfg(feature = "disk")]
pub(crate) const SET_ASIDE: u32 = 8;

/// The maximum number of times that a process opens its database again after damage. With a disk that damages each
/// new database, the process goes on without.
#[cfg(feature = "disk")]
pub(crate) const REOPENED: u32 = 8;

/// The maximum number of uses of cache entries that wait for the next write. Reads between two writes use
/// a few entries each.
#[cfg(feature = "disk")]
pub(crate) const TOUCHED: usize = 256;

/// The maximum number of keys whose dropped writes a process remembers. With more, it finds nothing in
/// the cache any more.
#[cfg(feature = "disk")]
pub(crate) const STALE: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_in_memory_always_has_room_for_an_entry() {
        let limits = StoreLimits::MEMORY;
        assert!(limits.cache(limits.text(), limits.artifacts()) >= ENTRY_BYTES);
    }

    #[test]
    fn half_of_a_store_on_disk_has_room_for_500_mb() {
        assert!(StoreLimits::DISK.artifacts() >= 500_000_000);
    }
}
