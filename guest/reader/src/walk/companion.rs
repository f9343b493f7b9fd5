//! The journal or write-ahead log of a database in an archive, next to it. Changes in these files
//! are not in the database yet.

use crate::containers::archive::{Format, Lookup, normalized};
use crate::containers::shared::Shared;
use crate::sources::journal_to_memory;
use crate::world::{FileError, Source as _};

/// An archive, and the name of the member of it that is read.
#[derive(Clone)]
pub struct Archive {
    pub format: Format,
    pub source: Shared,
    pub size: Option<u64>,
    /// The name of the member, as the archive stores it.
    pub member: String,
}

impl Archive {
    /// Reads another member of the archive. Its name is that of [`Self::member`], which is a
    /// database, followed by `ending`, such as `-wal`. Returns `None` if there is no such member.
    ///
    /// # Errors
    /// Fails if the member cannot be read, or if the archive cannot be read a second time.
    pub fn beside(&self, ending: &str) -> Result<Option<Vec<u8>>, FileError> {
        let Some(name) = normalized(&self.member) else {
            return Ok(None);
        };
        if !self.source.rewindable() {
            return Err(FileError::not_rewindable());
        }
        let wanted = [format!("{name}{ending}")];
        let source = Box::new(self.source.clone());
        match self.format.find_first(source, self.size, &wanted)? {
            Lookup::Found(mut opened) => journal_to_memory(&mut *opened.source).map(Some),
            Lookup::Unreadable(_, why) => Err(FileError::Other(why)),
            Lookup::NotFound(_) => Ok(None),
        }
    }
}
