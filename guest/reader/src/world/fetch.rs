//! Engines that read a remote source, without knowing that it is remote.
//!
//! An engine cannot call the reader while the reader waits for the engine. Thus the engine reads
//! bytes of which only parts are known ([`Sparse`]). If it reads others, its call fails. The reader
//! then fetches the missing bytes, and repeats the call with a database or a document that it opens
//! again: an engine does not promise anything about one in which a read failed.

use super::{DatabaseError, DocumentError, FileError, Need, Remote};
use crate::limits;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// Bytes of which only parts are known, which an engine reads.
pub trait Sparse {
    /// Adds known bytes.
    ///
    /// # Errors
    /// Fails with a message if there are too many.
    fn add(&self, offset: u64, bytes: Vec<u8>) -> Result<(), String>;

    /// The first range that an engine failed to read since the previous call.
    fn missing(&self) -> Option<Range<u64>>;
}

/// How much may be fetched from a source during a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The maximum number of ranges.
    pub fetches: u64,
    /// The maximum number of bytes.
    pub bytes: u64,
}

/// The allowance for a database.
pub const DATABASE: Allowance = Allowance {
    fetches: limits::DATABASE_FETCHES,
    bytes: limits::DATABASE_FETCH_BYTES,
};

/// The allowance for a document.
pub const DOCUMENT: Allowance = Allowance {
    fetches: limits::DOCUMENT_FETCHES,
    bytes: limits::DOCUMENT_FETCH_BYTES,
};

/// Why missing bytes were not fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchError {
    /// The allowance is used up.
    Limit(Allowance),
    /// The source cannot be read.
    Source(FileError),
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(Allowance { fetches, bytes }) => {
                let megabytes = bytes >> 20;
                write!(
                    f,
                    "it needs more than {fetches} requests or {megabytes} MB from the server; download the file to read it"
                )
            }
            Self::Source(error) => error.fmt(f),
        }
    }
}

impl From<FetchError> for DatabaseError {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Limit(_) => Self::Exhausted(REQUESTS.to_owned()),
            FetchError::Source(error) => Self::File(error),
        }
    }
}

impl From<FetchError> for DocumentError {
    fn from(error: FetchError) -> Self {
        Self::Io(error.to_string())
    }
}

/// The name of the limit in [`DatabaseError::Exhausted`].
pub const REQUESTS: &str = "requests";

/// A remote source, and the parts of it that were fetched for engines.
pub struct RemoteParts<S> {
    remote: Remote,
    sparse: S,
    /// The known ranges: the start and the end of each. Ranges that touch are one.
    known: BTreeMap<u64, u64>,
    allowance: Allowance,
    fetches: u64,
    bytes: u64,
    /// The number of ranges that were fetched for optional calls.
    optional: u64,
}

impl<S: Sparse> RemoteParts<S> {
    /// Nothing was fetched yet, except the first bytes of the source if they were read before.
    pub fn new(remote: Remote, sparse: S, allowance: Allowance) -> Self {
        let mut parts = Self {
            remote,
            sparse,
            known: BTreeMap::new(),
            allowance,
            fetches: 0,
            bytes: 0,
            optional: 0,
        };
        // Without them, the first call fetches them.
        let _ = parts.add(0, parts.remote.head());
        parts
    }

    /// The source.
    pub fn remote(&self) -> &Remote {
        &self.remote
    }

    /// The bytes that the engine reads.
    pub fn sparse(&self) -> &S {
        &self.sparse
    }

    /// Fetches a missing range, and bytes around it.
    fn fetch(&mut self, missing: Range<u64>, need: Need) -> Result<(), FetchError> {
        let range = self.window(missing, need);
        let length = range.end.saturating_sub(range.start);
        let bytes = self.bytes.saturating_add(length);
        if self.fetches >= self.allowance.fetches || bytes > self.allowance.bytes {
            return Err(FetchError::Limit(self.allowance));
        }
        self.fetches = self.fetches.saturating_add(1);
        self.bytes = bytes;
        let read = self.remote.bytes(range.start, length);
        let read = read.map_err(FetchError::Source)?;
        if read.len() as u64 != length {
            let message = "the server sent fewer bytes than it announced";
            return Err(FetchError::Source(FileError::Other(message.to_owned())));
        }
        let added = self.add(range.start, read);
        added.map_err(|why| FetchError::Source(FileError::Other(why)))
    }

    /// Adds known bytes, none of which was known.
    fn add(&mut self, start: u64, bytes: Vec<u8>) -> Result<(), String> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut end = start.saturating_add(bytes.len() as u64);
        self.sparse.add(start, bytes)?;
        if let Some(after) = self.known.remove(&end) {
            end = after;
        }
        match self.known.range_mut(..start).next_back() {
            Some((_, before)) if *before == start => *before = end,
            _ => drop(self.known.insert(start, end)),
        }
        Ok(())
    }

    /// The range that is fetched for a missing one. It starts with the first missing byte, and has no
    /// byte that is known. After a known range, it is as large as that range, because the engine
    /// probably reads on.
    fn window(&self, missing: Range<u64>, need: Need) -> Range<u64> {
        let before = self.known.range(..=missing.start).next_back();
        let (run, floor) = match before {
            Some((start, end)) if *end == missing.start => (end.saturating_sub(*start), *end),
            Some((_, end)) => (0, *end),
            None => (0, 0),
        };
        let run = if need == Need::Required { run } else { 0 };
        let after = self.known.range(missing.start..).next();
        let ceiling = after.map_or(self.remote.size(), |(start, _)| *start);
        let length = missing.end.saturating_sub(missing.start).max(run);
        let length = length.clamp(limits::RANGE_BYTES, limits::FETCH_BYTES);
        let end = missing.start.saturating_add(length).min(ceiling);
        let start = if end == ceiling {
            // The bytes before it, so that a walk towards the start does not fetch small ranges.
            let start = end.saturating_sub(limits::RANGE_BYTES);
            start.max(floor).min(missing.start)
        } else {
            missing.start
        };
        start..end
    }
}

/// A database or a document of a remote source in an engine.
pub struct Refetching<S, E> {
    parts: Rc<RefCell<RemoteParts<S>>>,
    /// The database or document. `None` if it has to be opened again.
    opened: Option<E>,
}

impl<S: Sparse, E> Refetching<S, E> {
    /// Nothing is opened before the first call.
    pub fn new(parts: Rc<RefCell<RemoteParts<S>>>) -> Self {
        Self {
            parts,
            opened: None,
        }
    }

    /// Runs `call` with what `open` returns. Both are repeated as long as bytes are missing. The
    /// result does not matter if any are: the engine may go on after a failed read, as if the file
    /// was damaged.
    ///
    /// # Errors
    /// Fails if `open` or `call` fails without missing bytes, and if missing bytes cannot be
    /// fetched.
    pub fn call<T, X: From<FetchError>>(
        &mut self,
        need: Need,
        open: impl Fn(&S) -> Result<E, X>,
        mut call: impl FnMut(&mut E) -> Result<T, X>,
    ) -> Result<T, X> {
        let mut fetches = 0u64;
        loop {
            let mut parts = self.parts.borrow_mut();
            let result = match &mut self.opened {
                Some(opened) => call(opened),
                None => open(parts.sparse()).and_then(|opened| call(self.opened.insert(opened))),
            };
            let Some(missing) = parts.sparse().missing() else {
                return result;
            };
            // A read has one open engine at a time, so this one is closed first.
            self.opened = None;
            if need == Need::Optional {
                if fetches >= limits::OPTIONAL_FETCHES
                    || parts.optional >= limits::ALL_OPTIONAL_FETCHES
                {
                    return Err(FetchError::Limit(parts.allowance).into());
                }
                parts.optional = parts.optional.saturating_add(1);
            }
            fetches = fetches.saturating_add(1);
            parts.fetch(missing, need)?;
        }
    }
}

#[cfg(test)]
mod tests;
