//! Archives: containers of members, detected by content and not by extension.
//!
//! A member is searched for by all names that a path may mean. If no member is found, the
//! result is the list of all members. Nothing is extracted to disk.

mod ar;
mod bytes;
mod checked;
mod cpio;
mod format;
mod forward;
mod index;
mod kept;
pub mod links;
mod lookup;
mod names;
mod sevenz;
mod span;
mod sparse;
mod tape;
mod tar;
mod zip;

pub use bytes::read_to_memory;
pub use format::Format;
pub use index::{Index, Member, MemberKind};
pub use lookup::Lookup;
pub use names::{Child, children, duplicates, is_directory, normalized};
pub use zip::part as zip_part;

use crate::world::{FileError, Source};

impl Format {
    /// Detects the format from the first bytes of a file.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            // The third signature is that of the first part of a split archive.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => {
                Some(Self::Zip)
            }
            head if head.starts_with(sevenz::MAGIC) => Some(Self::SevenZip),
            head if head.starts_with(ar::MAGIC) => Some(Self::Ar),
            head if cpio::is_header(head) => Some(Self::Cpio),
            head if tar::is_header(head) => Some(Self::Tar),
            _ => None,
        }
    }

    /// Finds a file by one of several possible names, and opens it. `names` is sorted by length,
    /// longest first.
    ///
    /// # Errors
    /// Fails if the archive cannot be read at all.
    pub fn find_first(
        self,
        source: Box<dyn Source>,
        size: Option<u64>,
        names: &[String],
    ) -> Result<Lookup, FileError> {
        match self {
            Self::Zip => zip::find_first(source, size, names),
            Self::Tar => forward::find_first(|| tar::Tar, source, names),
            Self::Ar => forward::find_first(ar::Ar::default, source, names),
            Self::Cpio => forward::find_first(cpio::Cpio::default, source, names),
            Self::SevenZip => sevenz::find_first(source, size, names),
        }
    }
}
