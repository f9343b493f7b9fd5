//! What tells that a program writes into what is read.
//!
//! No lock is taken, so it is looked before and after. A transaction with a
//! rollback journal writes the first page of the database, with a counter, and
//! the journal; one with a log adds to that, which takes nothing away from what
//! is read. A log that begins anew, and pages that go from it into the database,
//! do.

use crate::bindings::exports::omniread::read::sqlite::Error;
use crate::input::{Input, Stamp};
use crate::vfs::Files;

/// Bytes at the start of a database that hold counters: all of its header.
const HEADER: usize = 100;

/// Bytes at the start of a log: its header, with a salt that is new each time.
const LOG_HEADER: usize = 32;

/// Bytes at the start of a journal: its header, with a nonce.
const JOURNAL_HEADER: usize = 28;

/// What is seen of a database that stands still.
#[derive(PartialEq, Eq)]
pub struct Witness {
    main: (Stamp, Vec<u8>),
    /// Without size and time: what is added is not read.
    wal: Option<(bool, Vec<u8>)>,
    journal: Option<(Stamp, Vec<u8>)>,
}

impl Witness {
    /// Looks at the files of a database.
    ///
    /// # Errors
    /// If one cannot be read, or was deleted.
    pub fn of(main: &Input, wal: Option<&Input>, journal: Option<&Input>) -> Result<Self, Error> {
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
            return Err(Error::Changed("a file beside it was deleted".to_owned()));
        }
        Ok(Self { main, wal, journal })
    }

    /// Looks at them again.
    ///
    /// # Errors
    /// [`Error::Changed`] if a program wrote to them.
    pub fn again(&self, files: &Files) -> Result<(), Error> {
        let now = Self::of(&files.main, files.wal.as_ref(), files.journal.as_ref())?;
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

/// Whether a file has no name any more, where the system counts names.
fn gone(stamp: &Stamp, main: &Stamp) -> bool {
    stamp.names == 0 && main.names > 0
}

fn head(input: &Input, length: usize) -> Result<Vec<u8>, Error> {
    let mut head = vec![0; length];
    let read = input.read_anew(0, &mut head).map_err(Error::Io)?;
    head.truncate(read);
    Ok(head)
}
