//! Parts of a file in memory.

use crate::error::Error;
use crate::files::{File, FileError, Files};
use crate::limits;
use std::collections::BTreeMap;

/// A file of which the parts that were read last are in memory.
pub struct Windows {
    file: Box<dyn File>,
    path: String,
    size: u64,
    /// The bytes of a part.
    step: usize,
    /// The parts, by their number.
    parts: BTreeMap<u64, Vec<u8>>,
}

impl Windows {
    /// Reads the parts of a file, which have `step` bytes.
    pub fn new(mut file: Box<dyn File>, path: &str, step: usize) -> Self {
        Self {
            size: file.size(),
            file,
            path: path.to_owned(),
            step: step.max(1),
            parts: BTreeMap::new(),
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The bytes from an offset on, as far as they are in one part. There are none at the end of the file.
    pub fn from(&mut self, offset: u64) -> Result<&[u8], Error> {
        let step = self.step as u64;
        let number = offset.checked_div(step).unwrap_or(0);
        let start = number.saturating_mul(step);
        let within = usize::try_from(offset.saturating_sub(start)).unwrap_or(usize::MAX);
        if !self.parts.contains_key(&number) {
            if self.parts.len() >= limits::WINDOWS {
                self.parts.pop_first();
            }
            let part = self.read(start)?;
            self.parts.insert(number, part);
        }
        let part = self.parts.get(&number);
        Ok(part.and_then(|part| part.get(within..)).unwrap_or_default())
    }

    fn read(&mut self, start: u64) -> Result<Vec<u8>, Error> {
        let mut part = Vec::with_capacity(self.step);
        loop {
            let before = part.len();
            let left = self.step.saturating_sub(before);
            let at = start.saturating_add(before as u64);
            if left == 0 || at >= self.size {
                return Ok(part);
            }
            let read = self.file.read(at, left, &mut part);
            read.map_err(|error| Error::file(&self.path, error))?;
            if part.len() == before {
                return Ok(part);
            }
        }
    }

    /// The bytes of a range. Fails if the file ends before.
    pub fn exact<const N: usize>(&mut self, offset: u64) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        let mut filled = 0_usize;
        while filled < N {
            let part = self.from(offset.saturating_add(filled as u64))?;
            if part.is_empty() {
                return Err(Error::damaged(
                    format_args!("`{}`", self.path),
                    "it ends too early",
                ));
            }
            let rest = bytes.get_mut(filled..).unwrap_or_default();
            let taken = rest.len().min(part.len());
            for (to, from) in rest.iter_mut().zip(part) {
                *to = *from;
            }
            filled = filled.saturating_add(taken);
        }
        Ok(bytes)
    }

    /// A number of 4 bytes, the highest first.
    pub fn number(&mut self, offset: u64) -> Result<u32, Error> {
        Ok(u32::from_be_bytes(self.exact(offset)?))
    }
}

/// The whole text of a small file. `None` if it does not exist.
///
/// # Errors
/// Fails if the file is longer than `most`, or cannot be read.
pub fn whole(files: &mut dyn Files, path: &str, most: usize) -> Result<Option<Vec<u8>>, Error> {
    let failed = |error: FileError| Error::file(path, error);
    let Some(mut file) = files.open(path).map_err(failed)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        let left = most.saturating_add(1).saturating_sub(before);
        if left == 0 {
            let what = format_args!("`{path}`");
            return Err(Error::limit("git-file-bytes", most as u64, what));
        }
        file.read(before as u64, left.min(64 << 10), &mut bytes)
            .map_err(failed)?;
        if bytes.len() == before {
            return Ok(Some(bytes));
        }
    }
}

/// The text of a file with one value, without the white space at its end. `None` if it does not exist.
pub fn value(files: &mut dyn Files, path: &str) -> Result<Option<String>, Error> {
    let bytes = whole(files, path, limits::VALUE_BYTES)?;
    bytes
        .map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => Ok(text.trim_end().to_owned()),
            Err(_) => Err(Error::damaged(format_args!("`{path}`"), "it is not UTF-8")),
        })
        .transpose()
}
