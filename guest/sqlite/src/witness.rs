//! Detection of changes by other programs during a read.
//!
//! No lock is taken. The state of the files is compared before and after a statement. A
//! transaction with a rollback journal writes to the first page of the database, which
//! contains a counter, and to the journal. A transaction with a write-ahead log appends
//! to the log, which does not affect data that was read before. A restart of the log and
//! a checkpoint do affect it.

use crate::bindings::exports::omniread::parts::sqlite::Error;
use crate::input::{Input, Stamp};
use crate::vfs::Files;

/// Size in bytes of the database header, which contains the change counters.
const HEADER: usize = 100;

/// Size in bytes of the header of the write-ahead log. It contains a salt that changes each time
/// the log is restarted.
const LOG_HEADER: usize = 32;

/// Size in bytes of the header of the rollback journal. It contains a nonce.
const JOURNAL_HEADER: usize = 28;

/// The state of the files of a database, from which changes by other programs are detected.
#[derive(PartialEq, Eq)]
pub struct Witness {
    main: (Stamp, Vec<u8>),
    /// Whether the write-ahead log was deleted, and its header. The size and time of the log are
    /// left out, because frames that are appended to it are not read.
    wal: Option<(bool, Vec<u8>)>,
    journal: Option<(Stamp, Vec<u8>)>,
}

/// A function that reads from an offset on, and returns the number of bytes that were read.
type Read = fn(&Input, u64, &mut [u8]) -> Result<usize, String>;

impl Witness {
    /// Records the state of the files of a database.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or if the log or journal was deleted.
    pub fn of(main: &Input, wal: Option<&Input>, journal: Option<&Input>) -> Result<Self, Error> {
        Self::with(main, wal, journal, Input::read)
    }

    /// Records the state of the files, whose first bytes `read` reads.
    fn with(
        main: &Input,
        wal: Option<&Input>,
        journal: Option<&Input>,
        read: Read,
    ) -> Result<Self, Error> {
        let head = |input: &Input, length: usize| {
            let mut head = vec![0; length];
            let read = read(input, 0, &mut head).map_err(Error::Io)?;
            head.truncate(read);
            Ok(head)
        };
        let main = (main.stamp().map_err(Error::Io)?, head(main, HEADER)?);
        let wal = wal.map(|wal| {
            let stamp = wal.stamp().map_err(Error::Io)?;
            Ok((gone(&stamp, &main.0), head(wal, LOG_HEADER)?))
        });
        let journal = journal.map(|journal| {
            let stamp = journal.stamp().map_err(Error::Io)?;
            Ok((stamp, head(journal, JOURNAL_HEADER)?))
        });
        let (wal, journal) = (wal.transpose()?, journal.transpose()?);
        let deleted = wal.as_ref().is_some_and(|(gone, _)| *gone)
            || journal
                .as_ref()
                .is_some_and(|(stamp, _)| gone(stamp, &main.0));
        if deleted {
            return Err(Error::Changed("its log or journal".to_owned()));
        }
        Ok(Self { main, wal, journal })
    }

    /// The size of the database file in bytes.
    pub fn size(&self) -> u64 {
        self.main.0.size()
    }

    /// The header of the database file, or its part that the file has.
    pub fn header(&self) -> &[u8] {
        &self.main.1
    }

    /// Compares this state of the files with their current state.
    ///
    /// # Errors
    /// Returns [`Error::Changed`] if the states differ, because a program wrote to a file.
    pub fn again(&self, files: &Files) -> Result<(), Error> {
        let (wal, journal) = (files.wal.as_ref(), files.journal.as_ref());
        let now = Self::with(&files.main, wal, journal, Input::read_anew)?;
        let what = if now.main != self.main {
            "the database"
        } else if now.wal != self.wal {
            "its write-ahead log"
        } else if now.journal != self.journal {
            "its rollback journal"
        } else {
            return Ok(());
        };
        Err(Error::Changed(what.to_owned()))
    }
}

/// Whether a file was deleted, so that it has no hard link any more. Systems that do not count hard
/// links report 0 for the database as well.
fn gone(stamp: &Stamp, main: &Stamp) -> bool {
    stamp.names == 0 && main.names > 0
}
