//! The entries of a listing.

use crate::world::{FileType, Stat};

/// An entry of a listing.
pub struct Item {
    /// The name, as the host returned it.
    pub name: String,
    /// The type. A symlink is not followed.
    pub file_type: FileType,
    /// The metadata, if they are known.
    pub stat: Option<Stat>,
    /// Whether a size of 0 may be wrong, as for the files in `/proc`.
    pub sizeless: bool,
    /// The target of a symlink.
    pub target: Option<String>,
    /// The entries below a directory.
    pub children: Vec<Row>,
    /// Whether this is a directory whose children are not listed.
    pub unlisted: bool,
}

impl Item {
    /// Whether this is a directory.
    pub fn is_directory(&self) -> bool {
        self.file_type == FileType::Directory
    }

    /// The size of a file in bytes, if known.
    pub fn size(&self) -> Option<u64> {
        let stat = self.stat.filter(|_| self.file_type == FileType::File)?;
        (!self.sizeless || stat.size > 0).then_some(stat.size)
    }
}

/// An entry of the tree with the entries below it, or a number of entries that are not shown.
pub enum Row {
    /// An entry.
    Item(Item),
    /// The number of entries of a directory that are not shown.
    More(u64),
}
