//! SQLite databases, with the files that belong to them.

use super::symlinks::follow;
use crate::containers::archive;
use crate::failure::Failure;
use crate::limits;
use crate::place::Place;
use crate::subject::Subject;
use crate::world::{Connection, DatabaseError, FileError, FileType, Input, Parts, Source, World};

/// Whether a database keeps a write-ahead log, by its first bytes.
fn has_log(head: &[u8]) -> bool {
    head.get(18..20) == Some(&[2, 2])
}

/// The files beside a database that belong to it.
pub const LOG: &str = "-wal";
/// See [`LOG`].
pub const JOURNAL: &str = "-journal";

/// A database that can be opened.
pub struct Database(At);

enum At {
    /// A file, without links.
    Disk(Place),
    /// Bytes of another file, and what is to be said of what lies beside it.
    Held(Parts, Vec<String>),
}

/// What lies beside a database.
#[derive(PartialEq, Eq)]
struct Beside {
    wal: Side,
    journal: Side,
}

/// A file that may lie beside a database.
#[derive(PartialEq, Eq)]
enum Side {
    /// There is none, or one that is empty, which says as much.
    None,
    /// There is one.
    File,
    /// It is not read. Holds what is to be said of that.
    Unread(String),
}

impl Database {
    /// A database that is a file. What belongs to it lies beside what links lead
    /// to.
    ///
    /// # Errors
    /// If links on the way lead nowhere.
    pub fn on_disk(place: &Place, typed: &str, world: &mut dyn World) -> Result<Self, Failure> {
        let places = follow(place, typed, world)?;
        let real = places.into_iter().next_back();
        Ok(Self(At::Disk(real.unwrap_or_else(|| place.clone()))))
    }

    /// A database that is held, and what was found beside it.
    pub fn held(main: Vec<u8>, beside: Held, notes: Vec<String>) -> Self {
        let parts = Parts {
            main: Input::Bytes(main),
            wal: beside.wal.map(Input::Bytes),
            journal: beside.journal.map(Input::Bytes),
        };
        Self(At::Held(parts, notes))
    }

    /// How many bytes it has.
    pub fn size(&self, subject: &Subject) -> u64 {
        let on_disk = subject.info.size.unwrap_or(0);
        self.bytes().map_or(on_disk, |bytes| bytes.len() as u64)
    }

    /// The bytes of one that is held.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            At::Held(parts, _) => match &parts.main {
                Input::Bytes(bytes) => Some(bytes),
                Input::File(..) => None,
            },
            At::Disk(_) => None,
        }
    }

    /// Opens it and reads, again if a program writes to it meanwhile. What reads
    /// is given what is to be said of what lies beside it.
    ///
    /// # Errors
    /// What stands in the way; [`DatabaseError::Changed`] if no attempt was left
    /// alone.
    pub fn read<T>(
        &self,
        world: &mut dyn World,
        mut read: impl FnMut(&mut dyn Connection, &[String]) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let until = world.ticks().saturating_add(limits::BUSY_MILLIS);
        loop {
            match self.attempt(world, &mut read) {
                Err(DatabaseError::Changed(_)) if world.ticks() < until => {}
                outcome => return outcome,
            }
        }
    }

    fn attempt<T>(
        &self,
        world: &mut dyn World,
        read: &mut impl FnMut(&mut dyn Connection, &[String]) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let place = match &self.0 {
            At::Disk(place) => place,
            At::Held(parts, notes) => return read(&mut *world.database(parts)?, notes),
        };
        let beside = Beside::of(place, world)?;
        match beside.attempt(place, &beside, world, read) {
            // That is no fault of any file.
            Err(error @ DatabaseError::File(FileError::Unavailable(_))) => Err(error),
            // The database cannot be read, or only what lies beside it.
            Err(error @ (DatabaseError::File(_) | DatabaseError::Io(_))) => {
                match beside.readable(place, world)? {
                    Some(readable) => readable.attempt(place, &beside, world, read),
                    None => Err(error),
                }
            }
            outcome => outcome,
        }
    }
}

impl Beside {
    /// The files beside a database.
    ///
    /// # Errors
    /// If the operating system cannot look for them now.
    fn of(place: &Place, world: &mut dyn World) -> Result<Self, DatabaseError> {
        let mut side = |ending: &str, what: &str, unreadable: fn(&FileError) -> String| {
            let path = format!("{}{ending}", place.path);
            Ok(match world.stat(place.root, &path, true) {
                Ok(stat) if stat.file_type != FileType::File => {
                    Side::Unread(format!("its {what} is no file, and is not read"))
                }
                Ok(stat) if stat.size > 0 => Side::File,
                Ok(_) | Err(FileError::NotFound) => Side::None,
                Err(error @ FileError::Unavailable(_)) => return Err(DatabaseError::File(error)),
                Err(error) => Side::Unread(unreadable(&error)),
            })
        };
        Ok(Self {
            wal: side(LOG, "write-ahead log", unreadable_log)?,
            journal: side(JOURNAL, "rollback journal", unreadable_journal)?,
        })
    }

    /// The same without the files that cannot be read; `None` if all of them
    /// can.
    ///
    /// # Errors
    /// If the operating system cannot open them now.
    fn readable(
        &self,
        place: &Place,
        world: &mut dyn World,
    ) -> Result<Option<Self>, DatabaseError> {
        let mut side = |side: &Side, ending: &str, unreadable: fn(&FileError) -> String| {
            let path = format!("{}{ending}", place.path);
            Ok(match side {
                Side::File => match read_through(place.root, &path, world) {
                    Ok(()) | Err(FileError::NotFound) => Side::File,
                    Err(error @ FileError::Unavailable(_)) => {
                        return Err(DatabaseError::File(error));
                    }
                    Err(error) => Side::Unread(unreadable(&error)),
                },
                Side::None => Side::None,
                Side::Unread(note) => Side::Unread(note.clone()),
            })
        };
        let readable = Self {
            wal: side(&self.wal, LOG, unreadable_log)?,
            journal: side(&self.journal, JOURNAL, unreadable_journal)?,
        };
        Ok((readable != *self).then_some(readable))
    }

    /// Opens the database with the files of `self` and reads, if `found`, which
    /// is what lies beside it, stays as it is.
    fn attempt<T>(
        &self,
        place: &Place,
        found: &Self,
        world: &mut dyn World,
        read: &mut impl FnMut(&mut dyn Connection, &[String]) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let undone = self.journal == Side::File && !has_ended(place, world);
        let parts = Parts {
            main: Input::File(place.root, place.path.clone()),
            wal: (self.wal == Side::File).then(|| input(place, LOG)),
            journal: undone.then(|| input(place, JOURNAL)),
        };
        let moved = || DatabaseError::Changed("what lies beside it".to_owned());
        let mut connection = match world.database(&parts) {
            // It was there a moment ago.
            Err(DatabaseError::File(FileError::NotFound)) if parts.has_more() => {
                return Err(moved());
            }
            opened => opened?,
        };
        // A journal that appeared before the engine looked is one that it does
        // not know; one that appears later belongs to a change that it sees.
        if Self::of(place, world)? != *found {
            return Err(moved());
        }
        let notes = self.notes();
        let outcome = read(&mut *connection, &notes);
        drop(connection);
        if Self::of(place, world)? != *found {
            return Err(moved());
        }
        outcome.map_err(|error| match error {
            // What was not read may be the reason.
            DatabaseError::Damaged(words) if !notes.is_empty() => {
                DatabaseError::Damaged(format!("{words}; {}", notes.join("; ")))
            }
            error => error,
        })
    }

    /// What is to be said of it.
    fn notes(&self) -> Vec<String> {
        let unread = |side: &Side| match side {
            Side::Unread(note) => Some(note.clone()),
            Side::None | Side::File => None,
        };
        [&self.wal, &self.journal]
            .into_iter()
            .filter_map(unread)
            .collect()
    }
}

/// The note on a write-ahead log that cannot be read.
fn unreadable_log(error: &FileError) -> String {
    format!("its write-ahead log cannot be read, so what it has committed is not shown: {error}")
}

/// The note on a rollback journal that cannot be read. Whether it would undo
/// anything is not known, and what it would undo may be half of a transaction.
fn unreadable_journal(error: &FileError) -> String {
    format!(
        "its rollback journal cannot be read, so changes of a transaction that did not end may be shown, and rows may contradict each other: {error}"
    )
}

/// Reads a file to its end, or as far as a log or journal is read elsewhere.
///
/// # Errors
/// Why it cannot be read.
fn read_through(root: usize, path: &str, world: &mut dyn World) -> Result<(), FileError> {
    let mut file = world.open(root, path)?;
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < limits::HELD_BESIDE_BYTES {
        bytes.clear();
        file.read(at as u64, limits::CHUNK_BYTES, &mut bytes)?;
        if bytes.is_empty() {
            break;
        }
        at = at.saturating_add(bytes.len());
    }
    Ok(())
}

fn input(place: &Place, ending: &str) -> Input {
    Input::File(place.root, format!("{}{ending}", place.path))
}

/// Whether a rollback journal is that of a transaction over several databases
/// which has ended: then the journal of all of them, which it names at its end,
/// is gone. One that cannot be looked for may still be there.
fn has_ended(place: &Place, world: &mut dyn World) -> bool {
    let name = super_journal(place, world).filter(|name| name.starts_with('/'));
    let Some(place) = name.and_then(|name| Place::of(&name, world).ok()) else {
        return false;
    };
    world.stat(place.root, &place.path, true) == Err(FileError::NotFound)
}

/// The name at the end of a rollback journal, by "Database File Format", chapter
/// 3: name, its length, a sum, and what a journal begins with. The engine checks
/// the sum, and says what the name is if it is one.
fn super_journal(place: &Place, world: &mut dyn World) -> Option<String> {
    const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let path = format!("{}{JOURNAL}", place.path);
    let mut journal = world.open(place.root, &path).ok()?;
    let size = journal.info().size?;
    let mut end = Vec::new();
    journal.read(size.checked_sub(16)?, 16, &mut end).ok()?;
    if end.get(8..)? != MAGIC {
        return None;
    }
    let length = u32::from_be_bytes(end.get(..4)?.try_into().ok()?);
    let length = usize::try_from(length)
        .ok()
        .filter(|length| *length <= limits::PATH_BYTES)?;
    let at = size.checked_sub(16)?.checked_sub(length as u64)?;
    let mut name = Vec::new();
    journal.read(at, length, &mut name).ok()?;
    String::from_utf8(name).ok()
}

/// What lies beside a database that is held.
#[derive(Default)]
pub struct Held {
    /// Its write-ahead log.
    pub wal: Option<Vec<u8>>,
    /// Its rollback journal.
    pub journal: Option<Vec<u8>>,
}

/// Holds the bytes of a database, up to a limit.
///
/// # Errors
/// If there are more, or they cannot be read.
pub fn hold(source: &mut dyn Source) -> Result<Vec<u8>, FileError> {
    archive::hold(source, "held-database", limits::HELD_DATABASE_BYTES)
}

/// Holds the bytes of what lies beside a database, up to a limit.
///
/// # Errors
/// If there are more, or they cannot be read.
pub fn hold_beside(source: &mut dyn Source) -> Result<Vec<u8>, FileError> {
    archive::hold(source, "held-database", limits::HELD_BESIDE_BYTES)
}

/// The file that belongs to a database with these first bytes in an archive,
/// which takes a pass over it to find.
pub fn companion(head: &[u8]) -> &'static str {
    if has_log(head) { LOG } else { JOURNAL }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::MemoryWorld;

    #[test]
    fn files_beside_it_that_fail_are_left_out() {
        let mut world = MemoryWorld::new("/ws");
        for name in ["a.db", "a.db-wal", "a.db-journal"] {
            world.file(name, vec![1; 200_000]);
        }
        let place = Place::of("/ws/a.db", &world).unwrap();
        let beside = Beside::of(&place, &mut world).unwrap();
        assert!(beside.readable(&place, &mut world).unwrap().is_none());
        // Not before its last bytes.
        world.broken.insert("a.db-wal".to_owned(), 199_999);
        let readable = beside.readable(&place, &mut world).unwrap().unwrap();
        assert!(readable.journal == Side::File);
        let note =
            "its write-ahead log cannot be read, so what it has committed is not shown: I/O error";
        assert_eq!(readable.notes(), [note]);
        world.broken.insert("a.db-journal".to_owned(), 0);
        let readable = beside.readable(&place, &mut world).unwrap().unwrap();
        assert_eq!(readable.notes().len(), 2);
        // What is there stays what the outcome is compared with.
        assert!(Beside::of(&place, &mut world).unwrap() == beside);
        // It is deleted meanwhile: that is another matter.
        let mut empty = MemoryWorld::new("/ws");
        assert!(beside.readable(&place, &mut empty).unwrap().is_none());
    }
}
