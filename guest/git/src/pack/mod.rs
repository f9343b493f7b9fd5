//! A pack: many objects in one file, of which some are differences to others (`gitformat-pack`).
//!
//! ```text
//! entry  the header of an object in a pack
//! index  ids → offsets
//! delta  a base and a difference → an object
//! ```

mod delta;
mod entry;
mod index;

pub use delta::{apply, result_size};
pub use entry::{Base, Entry, entry};
pub use index::Index;

use crate::error::Error;
use crate::files::Files;
use crate::id::Algorithm;
use crate::limits;
use crate::windows::Windows;

/// A pack, of which only the index is open at first.
pub struct Pack {
    pub index: Index,
    path: String,
    algorithm: Algorithm,
    data: Option<Windows>,
}

impl Pack {
    /// Opens the index of a pack. `path` is its path without `.idx`. `None` if it does not exist.
    pub fn open(
        files: &mut dyn Files,
        path: &str,
        algorithm: Algorithm,
    ) -> Result<Option<Self>, Error> {
        let Some(index) = Index::open(files, &format!("{path}.idx"), algorithm)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            index,
            path: format!("{path}.pack"),
            algorithm,
            data: None,
        }))
    }

    /// The bytes of the pack.
    pub fn data(&mut self, files: &mut dyn Files) -> Result<&mut Windows, Error> {
        if self.data.is_none() {
            let failed = |error| Error::file(&self.path, error);
            let file = files.open(&self.path).map_err(failed)?;
            let file = file.ok_or_else(|| self.damaged("it does not exist, but its index does"))?;
            let mut data = Windows::new(file, &self.path, limits::PACK_WINDOW);
            let signature: [u8; 4] = data.exact(0)?;
            let version = data.number(4)?;
            if &signature != b"PACK" {
                return Err(self.damaged("it does not start with `PACK`"));
            }
            if !matches!(version, 2 | 3) {
                let what = format!("version {version} of the format of `{}`", self.path);
                return Err(Error::Unsupported(what));
            }
            self.data = Some(data);
        }
        let missing = || Error::damaged(format_args!("`{}`", self.path), "it is not open");
        self.data.as_mut().ok_or_else(missing)
    }

    /// The header of the object at an offset.
    pub fn entry(&mut self, files: &mut dyn Files, offset: u64) -> Result<Entry, Error> {
        let algorithm = self.algorithm;
        entry(self.data(files)?, offset, algorithm)
    }

    fn damaged(&self, why: &str) -> Error {
        Error::damaged(format_args!("`{}`", self.path), why)
    }
}
