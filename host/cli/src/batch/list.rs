//! The list of a batch: arguments, or the lines of standard input.

use crate::batch_arguments::BatchArguments;
use omniread_batch::{Entry, Paths, is_pattern};
use omniread_service::{Input, Line};
use std::ffi::OsString;
use std::fmt;
use std::io::{self, IsTerminal as _, Stdin};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::vec;

/// The list.
pub struct List {
    from: From,
    /// The number of lines that were taken.
    lines: u64,
    part: Option<Part>,
}

enum From {
    Arguments(vec::IntoIter<OsString>),
    Input(Box<Input<Stdin>>),
}

/// How much of a list was taken.
#[derive(Clone)]
pub struct Part {
    taken: Arc<AtomicU64>,
    all: u64,
}

impl Part {
    fn of(all: u64) -> Self {
        Self {
            taken: Arc::default(),
            all: all.max(1),
        }
    }

    fn take(&self, more: usize) {
        let more = u64::try_from(more).unwrap_or(u64::MAX);
        self.taken.fetch_add(more, Ordering::Relaxed);
    }

    /// The part from 0 to 1. `None` before anything was taken.
    #[expect(clippy::cast_precision_loss, reason = "it is shown in percent")]
    pub fn of_all(&self) -> Option<f64> {
        let taken = self.taken.load(Ordering::Relaxed);
        (taken > 0).then(|| taken as f64 / self.all as f64)
    }
}

/// Whether a command line has neither paths nor a list.
pub fn is_missing(given: &BatchArguments) -> bool {
    is_of_stdin(given) && io::stdin().is_terminal()
}

fn is_of_stdin(given: &BatchArguments) -> bool {
    match given.paths.as_slice() {
        [] => true,
        [one] => one == "-",
        _ => false,
    }
}

impl List {
    /// The list of a command line.
    pub fn of(given: &BatchArguments) -> Self {
        if is_of_stdin(given) {
            let end = if given.null { 0 } else { b'\n' };
            return Self {
                lines: 0,
                part: size_of_stdin().map(Part::of),
                from: From::Input(Box::new(Input::separated(io::stdin(), end))),
            };
        }
        let paths = given.paths.clone();
        Self {
            lines: 0,
            part: Some(Part::of(u64::try_from(paths.len()).unwrap_or(u64::MAX))),
            from: From::Arguments(paths.into_iter()),
        }
    }

    /// How much of the list was taken, if its size is known.
    pub fn part(&self) -> Option<Part> {
        self.part.clone()
    }
}

impl Paths for List {
    fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        self.lines += 1;
        let (entry, size) = match &mut self.from {
            From::Arguments(paths) => {
                let Some(path) = paths.next() else {
                    return Ok(None);
                };
                let pattern = path.to_str().filter(|path| is_pattern(path));
                let entry = match pattern {
                    Some(pattern) => Entry::Pattern(pattern.to_owned()),
                    None => Entry::Path(path.into()),
                };
                (entry, 1)
            }
            From::Input(input) => match input.line().map_err(unreadable)? {
                Some(Line::Whole(line)) => {
                    let size = line.len() + 1;
                    (Entry::Path(of_bytes(line)), size)
                }
                Some(Line::TooLong) => (Entry::TooLong(self.lines), 0),
                None => return Ok(None),
            },
        };
        if let Some(part) = &self.part {
            part.take(size);
        }
        Ok(Some(entry))
    }

    fn is_ready(&self) -> bool {
        match &self.from {
            From::Arguments(_) => true,
            From::Input(input) => input.has_more(),
        }
    }
}

/// The size of standard input, if it is a file.
#[cfg(unix)]
fn size_of_stdin() -> Option<u64> {
    use rustix::fs::{FileType, fstat};

    let stat = fstat(io::stdin()).ok()?;
    let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    u64::try_from(stat.st_size).ok().filter(|_| is_file)
}

#[cfg(not(unix))]
fn size_of_stdin() -> Option<u64> {
    None
}

#[cfg(unix)]
fn of_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;

    OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
#[expect(clippy::needless_pass_by_value, reason = "Unix keeps the bytes")]
fn of_bytes(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Standard input cannot be read.
#[derive(Debug)]
struct Unreadable(io::Error);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read standard input: {}", self.0)
    }
}

impl std::error::Error for Unreadable {}

fn unreadable(error: io::Error) -> io::Error {
    io::Error::other(Unreadable(error))
}

/// Whether an error is one of the list, and not of the output.
pub fn is_of_input(error: &io::Error) -> bool {
    matches!(error.get_ref(), Some(inner) if inner.is::<Unreadable>())
}
