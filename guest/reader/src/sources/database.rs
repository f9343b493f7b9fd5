//! SQLite databases with their write-ahead log and rollback journal.

use super::symlinks::follow;
use crate::containers::archive;
use crate::failure::Failure;
use crate::limits;
use crate::rooted_path::RootedPath;
use crate::subject::Subject;
use crate::world::{
    Bytes, Connection, DatabaseError, FileError, FileType, Input, Parts, Remote, Source, World,
};

/// Whether the header of a database states that it uses a write-ahead log.
fn has_log(head: &[u8]) -> bool {
    head.get(18..20) == Some(&[2, 2])
}

/// The suffix of the file name of a write-ahead log.
pub const LOG: &str = "-wal";
/// The suffix of the file name of a rollback journal.
pub const JOURNAL: &str = "-journal";

/// A SQLite database that can be opened: on disk, in memory or on a server.
pub struct Database(At);

enum At {
    /// A file on disk. Symlinks in the path are resolved.
    Disk(RootedPath),
    /// Bytes in memory or on a server, and notes on the log and the journal of the database.
    Bytes(Parts, Vec<String>),
}

/// The states of the write-ahead log and the rollback journal next to a database on disk.
#[derive(PartialEq, Eq)]
struct Companions {
    wal: Companion,
    journal: Companion,
}

/// The state of a log or journal.
#[derive(PartialEq, Eq)]
enum Companion {
    /// The file does not exist or is empty, which has the same meaning.
    None,
    /// The file exists.
    File,
    /// The file is not read, for the reason in this note.
    Unread(String),
}

impl Database {
    /// A database that is a file on disk. Symlinks are resolved, because its log and journal are
    /// next to the real file.
    ///
    /// # Errors
    /// Fails if the symlinks cannot be followed.
    pub fn on_disk(
        place: &RootedPath,
        typed: &str,
        world: &mut dyn World,
    ) -> Result<Self, Failure> {
        let places = follow(place, typed, world)?;
        let real = places.into_iter().next_back();
        Ok(Self(At::Disk(real.unwrap_or_else(|| place.clone()))))
    }

    /// A database in memory, with its log and journal, and notes on these.
    pub fn in_memory(main: Vec<u8>, companions: MemoryCompanions, notes: Vec<String>) -> Self {
        let parts = Parts {
            main: Input::Bytes(main),
            wal: companions.wal.map(Input::Bytes),
            journal: companions.journal.map(Input::Bytes),
        };
        Self(At::Bytes(parts, notes))
    }

    /// A database on a server. It has no log and no journal, because nothing writes to a file that
    /// is downloaded.
    pub fn on_server(main: Remote) -> Self {
        let parts = Parts {
            main: Input::Remote(main),
            wal: None,
            journal: None,
        };
        Self(At::Bytes(parts, Vec::new()))
    }

    /// The size of the database in bytes.
    pub fn size(&self, subject: &Subject) -> u64 {
        match self.input() {
            Some(Input::Bytes(bytes)) => bytes.len() as u64,
            Some(Input::Remote(remote)) => remote.size(),
            Some(Input::File(..)) | None => subject.info.size.unwrap_or(0),
        }
    }

    /// Whether the database uses a write-ahead log that does not exist. This is so if all changes were
    /// written to the database, or if the log was not copied with it. Not known on a server.
    pub fn lacks_log(&self, world: &mut dyn World) -> bool {
        match &self.0 {
            At::Disk(place) => {
                let found = Companions::of(place, world);
                let is_missing = found.is_ok_and(|found| found.wal == Companion::None);
                is_missing && header(place, world).is_ok_and(|head| has_log(&head))
            }
            At::Bytes(parts, notes) => match &parts.main {
                // A note says why a log that exists is not used.
                Input::Bytes(bytes) => parts.wal.is_none() && notes.is_empty() && has_log(bytes),
                Input::File(..) | Input::Remote(_) => false,
            },
        }
    }

    /// The bytes of a database in memory or on a server. They are empty for a file on disk.
    pub fn source(&self) -> Box<dyn Source> {
        match self.input() {
            Some(Input::Bytes(bytes)) => Box::new(Bytes::new(bytes.clone())),
            Some(Input::Remote(remote)) => Box::new(remote.clone()),
            Some(Input::File(..)) | None => Box::new(Bytes::new(Vec::new())),
        }
    }

    /// The bytes of a database in memory or on a server. `None` for a file on disk.
    fn input(&self) -> Option<&Input> {
        match &self.0 {
            At::Bytes(parts, _) => Some(&parts.main),
            At::Disk(_) => None,
        }
    }

    /// Opens the database and calls `read` with the connection and with the notes on its log and
    /// journal. Repeats this for up to [`limits::BUSY_MILLIS`] milliseconds if another program
    /// changes the database meanwhile.
    ///
    /// # Errors
    /// Fails if the database cannot be read. Returns [`DatabaseError::Changed`] if another program
    /// changed it during every attempt.
    pub fn read<T>(
        &self,
        world: &mut dyn World,
        mut read: impl FnMut(&mut dyn Connection, &[String]) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let until = world.monotonic_millis().saturating_add(limits::BUSY_MILLIS);
        loop {
            match self.attempt(world, &mut read) {
                Err(DatabaseError::Changed(_)) if world.monotonic_millis() < until => {}
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
            At::Bytes(parts, notes) => return read(&mut *world.database(parts)?, notes),
        };
        let companions = Companions::of(place, world)?;
        match companions.attempt(place, &companions, world, read) {
            // The operating system lacks resources; another attempt without the log would not help.
            Err(error @ DatabaseError::File(FileError::Unavailable(_))) => Err(error),
            // Either the database cannot be read, or only its log or journal.
            Err(error @ (DatabaseError::File(_) | DatabaseError::Io(_))) => {
                match companions.readable(place, world)? {
                    Some(readable) => readable.attempt(place, &companions, world, read),
                    None => Err(error),
                }
            }
            outcome => outcome,
        }
    }
}

impl Companions {
    /// Examines the log and journal of a database.
    ///
    /// # Errors
    /// Fails if the operating system is temporarily out of resources.
    fn of(place: &RootedPath, world: &mut dyn World) -> Result<Self, DatabaseError> {
        let mut side = |ending: &str, what: &str, unreadable: fn(&FileError) -> String| {
            let path = format!("{}{ending}", place.path);
            Ok(match world.stat(place.root, &path, true) {
                Ok(stat) if stat.file_type != FileType::File => {
                    Companion::Unread(format!("its {what} is not a regular file, and is not read"))
                }
                Ok(stat) if stat.size > 0 => Companion::File,
                Ok(_) | Err(FileError::NotFound) => Companion::None,
                Err(error @ FileError::Unavailable(_)) => return Err(DatabaseError::File(error)),
                Err(error) => Companion::Unread(unreadable(&error)),
            })
        };
        Ok(Self {
            wal: side(LOG, "write-ahead log", unreadable_log)?,
            journal: side(JOURNAL, "rollback journal", unreadable_journal)?,
        })
    }

    /// Reads the log and the journal to check that they are readable. Returns this state with each
    /// unreadable file marked as [`Companion::Unread`]. Returns `None` if all of them are readable.
    ///
    /// # Errors
    /// Fails if the operating system is temporarily out of resources.
    fn readable(
        &self,
        place: &RootedPath,
        world: &mut dyn World,
    ) -> Result<Option<Self>, DatabaseError> {
        let mut side = |side: &Companion, ending: &str, unreadable: fn(&FileError) -> String| {
            let path = format!("{}{ending}", place.path);
            Ok(match side {
                Companion::File => match read_through(place.root, &path, world) {
                    Ok(()) | Err(FileError::NotFound) => Companion::File,
                    Err(error @ FileError::Unavailable(_)) => {
                        return Err(DatabaseError::File(error));
                    }
                    Err(error) => Companion::Unread(unreadable(&error)),
                },
                Companion::None => Companion::None,
                Companion::Unread(note) => Companion::Unread(note.clone()),
            })
        };
        let readable = Self {
            wal: side(&self.wal, LOG, unreadable_log)?,
            journal: side(&self.journal, JOURNAL, unreadable_journal)?,
        };
        Ok((readable != *self).then_some(readable))
    }

    /// Opens the database with the log and the journal that exist in `self`, and calls `read`.
    /// Fails with [`DatabaseError::Changed`] if the log or the journal is no longer in the state
    /// `found`, which was examined before.
    fn attempt<T>(
        &self,
        place: &RootedPath,
        found: &Self,
        world: &mut dyn World,
        read: &mut impl FnMut(&mut dyn Connection, &[String]) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let undone = self.journal == Companion::File && !has_ended(place, world);
        let parts = Parts {
            main: Input::File(place.root, place.path.clone()),
            wal: (self.wal == Companion::File).then(|| input(place, LOG)),
            journal: undone.then(|| input(place, JOURNAL)),
        };
        let changed = || DatabaseError::Changed("its log or journal".to_owned());
        let mut connection = match world.database(&parts) {
            // The log or journal existed a moment ago.
            Err(DatabaseError::File(FileError::NotFound)) if parts.has_more() => {
                return Err(changed());
            }
            opened => opened?,
        };
        // The engine does not know a journal that appeared before it opened the database. A
        // journal that appears later belongs to a change that the engine detects.
        if Self::of(place, world)? != *found {
            return Err(changed());
        }
        let notes = self.notes();
        let outcome = read(&mut *connection, &notes);
        drop(connection);
        if Self::of(place, world)? != *found {
            return Err(changed());
        }
        outcome.map_err(|error| match error {
            // The unread log or journal may be the cause, so the message names it.
            DatabaseError::Damaged(message) if !notes.is_empty() => {
                DatabaseError::Damaged(format!("{message}; {}", notes.join("; ")))
            }
            error => error,
        })
    }

    /// The notes on the log and the journal if they are not read.
    fn notes(&self) -> Vec<String> {
        let unread = |side: &Companion| match side {
            Companion::Unread(note) => Some(note.clone()),
            Companion::None | Companion::File => None,
        };
        [&self.wal, &self.journal]
            .into_iter()
            .filter_map(unread)
            .collect()
    }
}

/// The first bytes of a database on disk.
fn header(place: &RootedPath, world: &mut dyn World) -> Result<Vec<u8>, FileError> {
    let mut file = world.open(place.root, &place.path)?;
    let mut head = Vec::new();
    file.read(0, limits::SNIFF_BYTES, &mut head)?;
    Ok(head)
}

/// The note on a write-ahead log that cannot be read.
fn unreadable_log(error: &FileError) -> String {
    format!("its write-ahead log cannot be read, so what it has committed is not shown: {error}")
}

/// The note on a rollback journal that cannot be read. The database may contain half of a
/// transaction, which the journal would undo.
fn unreadable_journal(error: &FileError) -> String {
    format!(
        "its rollback journal cannot be read, so changes of a transaction that did not end may be shown, and rows may contradict each other: {error}"
    )
}

/// Checks that a file is readable, by reading it to its end or up to
/// [`limits::MEMORY_JOURNAL_BYTES`].
///
/// # Errors
/// Fails if the file cannot be read.
fn read_through(root: usize, path: &str, world: &mut dyn World) -> Result<(), FileError> {
    let mut file = world.open(root, path)?;
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < limits::MEMORY_JOURNAL_BYTES {
        bytes.clear();
        file.read(at as u64, limits::CHUNK_BYTES, &mut bytes)?;
        if bytes.is_empty() {
            break;
        }
        at = at.saturating_add(bytes.len());
    }
    Ok(())
}

fn input(place: &RootedPath, ending: &str) -> Input {
    Input::File(place.root, format!("{}{ending}", place.path))
}

/// Whether the rollback journal of the database at `place` belongs to a transaction over several
/// databases that is committed already. This is so if the super-journal, which the journal names at
/// its end, no longer exists. A super-journal that cannot be accessed is treated as existing.
fn has_ended(place: &RootedPath, world: &mut dyn World) -> bool {
    let name = super_journal(place, world).filter(|name| name.starts_with('/'));
    let Some(place) = name.and_then(|name| RootedPath::of(&name, world).ok()) else {
        return false;
    };
    world.stat(place.root, &place.path, true) == Err(FileError::NotFound)
}

/// The name of the super-journal, which is stored at the end of the rollback journal of the
/// database at `place`. The end of the journal consists of this name, its length, a checksum and
/// the magic bytes of a journal; see "Database File Format", chapter 3. The engine verifies the
/// checksum.
fn super_journal(place: &RootedPath, world: &mut dyn World) -> Option<String> {
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

/// The log and journal of a database in memory.
#[derive(Default)]
pub struct MemoryCompanions {
    /// The bytes of the write-ahead log.
    pub wal: Option<Vec<u8>>,
    /// The bytes of the rollback journal.
    pub journal: Option<Vec<u8>>,
}

/// Reads a database into memory.
///
/// # Errors
/// Fails if it exceeds [`limits::MEMORY_DATABASE_BYTES`], or cannot be read.
pub fn to_memory(source: &mut dyn Source) -> Result<Vec<u8>, FileError> {
    archive::read_to_memory(source, "database-in-memory", limits::MEMORY_DATABASE_BYTES)
}

/// Reads the log or journal of a database into memory.
///
/// # Errors
/// Fails if it exceeds [`limits::MEMORY_JOURNAL_BYTES`], or cannot be read.
pub fn journal_to_memory(source: &mut dyn Source) -> Result<Vec<u8>, FileError> {
    archive::read_to_memory(source, "database-in-memory", limits::MEMORY_JOURNAL_BYTES)
}

/// The suffix of the file to search for next to a database in an archive: that of the log or of the
/// journal. Only one is searched for, because each search may read the whole archive. `head` has
/// the first bytes of the database.
pub fn companion(head: &[u8]) -> &'static str {
    if has_log(head) { LOG } else { JOURNAL }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::MemoryWorld;

    #[test]
    fn unreadable_log_and_journal_are_left_out_with_a_note() {
        let mut world = MemoryWorld::new("/ws");
        for name in ["a.db", "a.db-wal", "a.db-journal"] {
            world.file(name, vec![1; 200_000]);
        }
        let place = RootedPath::of("/ws/a.db", &world).unwrap();
        let companions = Companions::of(&place, &mut world).unwrap();
        assert!(companions.readable(&place, &mut world).unwrap().is_none());
        // The log fails only at its last byte.
        world.broken.insert("a.db-wal".to_owned(), 199_999);
        let readable = companions.readable(&place, &mut world).unwrap().unwrap();
        assert!(readable.journal == Companion::File);
        let note =
            "its write-ahead log cannot be read, so what it has committed is not shown: I/O error";
        assert_eq!(readable.notes(), [note]);
        world.broken.insert("a.db-journal".to_owned(), 0);
        let readable = companions.readable(&place, &mut world).unwrap().unwrap();
        assert_eq!(readable.notes().len(), 2);
        // The examined state does not depend on whether the files are readable.
        assert!(Companions::of(&place, &mut world).unwrap() == companions);
        // A file that was deleted meanwhile is not unreadable.
        let mut empty = MemoryWorld::new("/ws");
        assert!(companions.readable(&place, &mut empty).unwrap().is_none());
    }

    #[test]
    fn database_without_its_log_is_found() {
        let mut head = b"SQLite format 3\0\x10\0\x02\x02".to_vec();
        head.resize(4096, 0);
        let mut world = MemoryWorld::new("/ws");
        world.file("a.db", head.clone());
        let place = RootedPath::of("/ws/a.db", &world).unwrap();
        let lacks = |world: &mut MemoryWorld| {
            let database = Database::on_disk(&place, "a.db", world).unwrap();
            database.lacks_log(world)
        };
        assert!(lacks(&mut world));
        // An empty log has no changes.
        assert!(lacks(world.file("a.db-wal", "")));
        assert!(!lacks(world.file("a.db-wal", "log")));
        let in_memory = |main: &[u8], wal: Option<Vec<u8>>| {
            let companions = MemoryCompanions { wal, journal: None };
            Database::in_memory(main.to_vec(), companions, Vec::new())
        };
        let mut empty = MemoryWorld::new("/ws");
        assert!(in_memory(&head, None).lacks_log(&mut empty));
        assert!(!in_memory(&head, Some(vec![1])).lacks_log(&mut empty));
        // A rollback journal is removed after each change.
        head[18..20].copy_from_slice(&[1, 1]);
        assert!(!in_memory(&head, None).lacks_log(&mut empty));
        world.file("b.db", head);
        let place = RootedPath::of("/ws/b.db", &world).unwrap();
        let database = Database::on_disk(&place, "b.db", &mut world).unwrap();
        assert!(!database.lacks_log(&mut world));
    }
}
