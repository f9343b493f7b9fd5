//! Files that belong to a database in an archive: its journal or write-ahead log,
//! whose changes are not in the database yet.

use super::database;
use crate::containers::archive::{Format, Looked, normal};
use crate::containers::shared::Shared;
use crate::world::{FileError, Source as _};

/// The archive that a member was found in.
#[derive(Clone)]
pub struct Archive {
    pub format: Format,
    pub source: Shared,
    pub size: Option<u64>,
    /// The name of the member, as the archive has it.
    pub member: String,
}

impl Archive {
    /// The bytes of the member whose name is that of the member found, followed by
    /// `ending`; `None` if there is no such member.
    ///
    /// # Errors
    /// If it cannot be read, or the archive cannot be read a second time.
    pub fn beside(&self, ending: &str) -> Result<Option<Vec<u8>>, FileError> {
        let Some(name) = normal(&self.member) else {
            return Ok(None);
        };
        if !self.source.rewindable() {
            return Err(FileError::passed());
        }
        let wanted = [format!("{name}{ending}")];
        let source = Box::new(self.source.clone());
        match self.format.look(source, self.size, &wanted)? {
            Looked::Found(mut opened) => database::hold_beside(&mut *opened.source).map(Some),
            Looked::Closed(_, why) => Err(FileError::Other(why)),
            Looked::Missing(_) => Ok(None),
        }
    }
}
