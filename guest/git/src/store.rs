//! The objects of one directory: loose ones, and its packs.

use crate::error::Error;
use crate::files::{Files, join};
use crate::id::{Algorithm, Id};
use crate::limits;
use crate::pack::Pack;
use crate::windows::Windows;
use std::collections::BTreeSet;

/// A directory of objects.
pub struct Store {
    directory: String,
    algorithm: Algorithm,
    packs: Option<Vec<Pack>>,
    /// The pack in which the last object was found. The next one is probably in it too.
    recent: usize,
    /// The first index that cannot be read. It counts only if an object is found nowhere.
    pub problem: Option<Error>,
}

impl Store {
    /// The objects in a directory.
    pub fn new(directory: String, algorithm: Algorithm) -> Self {
        Self {
            directory,
            algorithm,
            packs: None,
            recent: 0,
            problem: None,
        }
    }

    /// The path of the directory.
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// The place and the offset of an object in the packs.
    pub fn packed(
        &mut self,
        files: &mut dyn Files,
        id: &Id,
    ) -> Result<Option<(usize, u64)>, Error> {
        self.open_packs(files)?;
        let packs = self.packs.as_deref_mut().unwrap_or_default();
        let others = (0..packs.len()).filter(|place| *place != self.recent);
        for place in [self.recent].into_iter().chain(others) {
            let Some(pack) = packs.get_mut(place) else {
                continue;
            };
            match pack.index.find(id) {
                Ok(Some(offset)) => {
                    self.recent = place;
                    return Ok(Some((place, offset)));
                }
                Ok(None) => {}
                Err(problem) => {
                    self.problem.get_or_insert(problem);
                }
            }
        }
        Ok(None)
    }

    /// The pack at a place.
    pub fn pack(&mut self, place: usize) -> Result<&mut Pack, Error> {
        let what = format!("`{}`", self.directory);
        let packs = self.packs.as_deref_mut().unwrap_or_default();
        let pack = packs.get_mut(place);
        pack.ok_or_else(|| Error::damaged(what, "a pack is not open"))
    }

    /// The file of a loose object. `None` if there is none.
    pub fn loose(&self, files: &mut dyn Files, id: &Id) -> Result<Option<Windows>, Error> {
        let digits = id.to_string();
        let (directory, name) = digits.split_at_checked(2).unwrap_or_default();
        let path = join(&self.directory, &format!("{directory}/{name}"));
        let file = files
            .open(&path)
            .map_err(|error| Error::file(&path, error))?;
        Ok(file.map(|file| Windows::new(file, &path, limits::PACK_WINDOW)))
    }

    /// Adds the objects whose ids start with some digits, at most `most` from each pack. `first` and `last` are the ends of
    /// the range of these ids.
    pub fn range(
        &mut self,
        files: &mut dyn Files,
        (first, last): (&Id, &Id),
        most: usize,
        found: &mut BTreeSet<Id>,
    ) -> Result<(), Error> {
        self.open_packs(files)?;
        for pack in self.packs.as_deref_mut().unwrap_or_default() {
            match pack.index.range(first, last, most) {
                Ok(ids) => found.extend(ids),
                Err(problem) => {
                    self.problem.get_or_insert(problem);
                }
            }
        }
        let start = format!("{:02x}", first.first());
        let directory = join(&self.directory, &start);
        let names = files
            .names(&directory, limits::LOOSE_NAMES)
            .map_err(|error| Error::file(&directory, error))?;
        let ids = names
            .iter()
            .filter_map(|name| Id::from_hex(self.algorithm, &format!("{start}{}", name.name)));
        found.extend(ids.filter(|id| first <= id && id <= last).take(most));
        Ok(())
    }

    /// Opens the indexes of all packs.
    fn open_packs(&mut self, files: &mut dyn Files) -> Result<(), Error> {
        if self.packs.is_some() {
            return Ok(());
        }
        let directory = join(&self.directory, "pack");
        // A pack has an index, and may have five other files.
        let most = limits::PACKS.saturating_mul(8);
        let names = files
            .names(&directory, most)
            .map_err(|error| Error::file(&directory, error))?;
        let mut names: Vec<&str> = names
            .iter()
            .filter_map(|name| name.name.strip_suffix(".idx"))
            .filter(|name| name.starts_with("pack-"))
            .collect();
        names.sort_unstable();
        if names.len() > limits::PACKS {
            let what = format_args!("`{directory}`");
            return Err(Error::limit("git-packs", limits::PACKS as u64, what));
        }
        let mut packs = Vec::new();
        for name in names {
            match Pack::open(files, &join(&directory, name), self.algorithm) {
                Ok(pack) => packs.extend(pack),
                Err(problem) => {
                    self.problem.get_or_insert(problem);
                }
            }
        }
        self.packs = Some(packs);
        Ok(())
    }
}
