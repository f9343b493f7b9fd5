//! What the handles of a sandbox lead to.

use cap_primitives::fs::ReadDir;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

/// An open file or directory.
#[derive(Debug)]
pub enum Descriptor {
    /// A regular file.
    File(File),
    /// A directory.
    Directory(Arc<File>),
}

/// Entries of a directory, read as they are asked for.
pub struct EntryStream {
    pub(crate) entries: ReadDir,
    /// The real path of the directory, if there are deny rules for its entries.
    pub(crate) directory: Option<PathBuf>,
}

/// An open database. Its engine belongs to the read, which has one at a time.
#[derive(Debug)]
pub struct Connection {
    /// The number of the engine's instance.
    pub(crate) engine: u64,
    /// Facts about the way in which it was opened.
    pub(crate) notes: Vec<String>,
}
