//! The settings of a batch.

use omniread::{Dialect, Options, Reader};
use std::path::PathBuf;
use std::thread;

/// How paths are read, and what they are expanded to.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[non_exhaustive]
pub struct Settings {
    /// The reader, with its roots and limits.
    pub reader: Reader,
    /// The dialect of the replies.
    pub dialect: Dialect,
    /// The options of all reads.
    pub options: Options,
    /// The number of threads that read, at most [`limits::JOBS`](crate::limits::JOBS).
    pub jobs: usize,
    /// Whether rows are in the order of the paths, and not as the reads end.
    pub is_ordered: bool,
    /// Whether each member of an archive has a row, in place of the archive.
    pub members: bool,
    /// Whether each file in a directory has a row, in place of the directory.
    pub recursive: bool,
    /// Whether each further page of a path has a row too. A path that an earlier run has done is skipped with its pages.
    pub pages: bool,
    /// Whether paths are only found in directories and by patterns, and not read, so that a row has no reply. It is then
    /// for another batch to look for members and pages. A directory that an earlier run has done is expanded again.
    pub only_paths: bool,
    /// Files that a directory or a pattern does not lead to, as real paths: those that the batch writes.
    pub excluded: Vec<PathBuf>,
}

impl Settings {
    /// The settings of reads in the dialect `omp`, whose rows are in the order of the paths, on all cores.
    pub fn new(reader: Reader) -> Self {
        Self {
            reader,
            dialect: Dialect::Omp,
            options: Options::default(),
            jobs: thread::available_parallelism().map_or(1, usize::from),
            is_ordered: true,
            members: false,
            recursive: false,
            pages: false,
            only_paths: false,
            excluded: Vec::new(),
        }
    }
}
