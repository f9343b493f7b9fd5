//! The continuation of a manifest after its process has ended, at whatever byte.
//!
//! Rows are written to the output before their records are written to the manifest. So the last records of a manifest
//! may be missing, and its last line may be torn. Then the output has rows, or a part of one, that no record states.
//! They are removed, and their paths are read again.

use crate::done::Done;
use crate::limits;
use crate::manifest::{FORMAT, Facts, Head, ManifestError, Record};
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// What a manifest states.
#[derive(Debug, Default)]
pub(crate) struct Recovered {
    /// The paths that have a row.
    pub(crate) done: Done,
    /// The size of the output.
    pub(crate) end: u64,
    /// Whether the manifest has a first line.
    pub(crate) has_head: bool,
}

/// A file and its name.
pub(crate) struct Named<'f> {
    pub(crate) path: &'f Path,
    pub(crate) file: &'f File,
}

/// Where the rows of a manifest are.
pub(crate) enum Output<'f> {
    /// In a file.
    File(&'f Named<'f>),
    /// In a file that does not exist.
    Missing,
    /// In a stream, which cannot be read again.
    Stream,
}

impl Output<'_> {
    fn size(&self) -> Result<Option<u64>, ManifestError> {
        match self {
            Self::File(file) => Ok(Some(file.size()?)),
            Self::Missing => Ok(Some(0)),
            Self::Stream => Ok(None),
        }
    }
}

impl Named<'_> {
    fn failed(&self, error: io::Error) -> ManifestError {
        ManifestError::Io(self.path.to_owned(), error)
    }

    fn size(&self) -> Result<u64, ManifestError> {
        let metadata = self.file.metadata();
        Ok(metadata.map_err(|error| self.failed(error))?.len())
    }

    fn cut(&self, size: u64) -> Result<(), ManifestError> {
        let cut = self.file.set_len(size);
        cut.map_err(|error| self.failed(error))?;
        let mut file = self.file;
        let end = file.seek(SeekFrom::End(0));
        end.map(|_| ()).map_err(|error| self.failed(error))
    }
}

/// Reads a manifest, and removes what a process that was killed has left unfinished from it and from its output.
///
/// # Errors
/// Fails if the manifest is not that of this run, or if the output is not that of the manifest.
pub(crate) fn recover(
    manifest: &Named<'_>,
    output: &Output<'_>,
    run: &Facts,
) -> Result<Recovered, ManifestError> {
    let size = output.size()?;
    let mut lines = Lines::new(manifest);
    let mut found = Recovered::default();
    let Some(head) = lines.next()? else {
        // The process ended before anything was written.
        if size.is_some_and(|size| size > 0)
            && let Output::File(output) = output
        {
            return Err(ManifestError::Exists(output.path.to_owned()));
        }
        if !lines.is_torn_head() {
            return Err(ManifestError::NotManifest(manifest.path.to_owned()));
        }
        manifest.cut(0)?;
        return Ok(found);
    };
    check(&head, manifest.path, run)?;
    found.has_head = true;
    let mut valid = lines.end;
    let mut last: Option<(Record, u64)> = None;
    while let Some(line) = lines.next()? {
        let damaged = || ManifestError::Damaged(manifest.path.to_owned(), lines.number);
        let record: Record = serde_json::from_slice(&line).map_err(|_| damaged())?;
        let end = match (record.end, size) {
            (Some(end), Some(size)) if end > size => break,
            (Some(end), Some(_)) if end > found.end => end,
            (None, None) => 0,
            _ => return Err(damaged()),
        };
        found.done.insert(&record.path().ok_or_else(damaged)?);
        last = Some((record, found.end));
        found.end = end;
        valid = lines.end;
    }
    if let Output::File(output) = output {
        let is_own = match &last {
            Some((record, start)) => has_row(output, *start..found.end, record)?,
            // There is nothing but rows whose records are missing.
            None => size == Some(0) || starts_with_row(output)?,
        };
        if !is_own {
            return Err(ManifestError::OtherOutput {
                output: output.path.to_owned(),
                manifest: manifest.path.to_owned(),
            });
        }
        output.cut(found.end)?;
    }
    manifest.cut(valid)?;
    Ok(found)
}

/// Checks that the first line is that of a run with these facts.
fn check(head: &[u8], manifest: &Path, run: &Facts) -> Result<(), ManifestError> {
    let head: Head = serde_json::from_slice(head)
        .ok()
        .filter(|head: &Head| head.omniread_batch == FORMAT)
        .ok_or_else(|| ManifestError::NotManifest(manifest.to_owned()))?;
    let none = Value::Null;
    let (then, now) = (&head.run.0, &run.0);
    let differs = now.keys().chain(then.keys()).find_map(|fact| {
        let (then, now) = (then.get(fact), now.get(fact));
        (then != now).then(|| (fact, then.unwrap_or(&none), now.unwrap_or(&none)))
    });
    match differs {
        None => Ok(()),
        Some((fact, then, now)) => Err(ManifestError::OtherRun {
            manifest: manifest.to_owned(),
            fact: fact.clone(),
            then: shown(then, now),
            now: shown(now, then),
        }),
    }
}

/// A value in a message. Of a long one, only the part in which it differs from another is shown.
fn shown(value: &Value, other: &Value) -> String {
    const MOST: usize = 60;
    const BEFORE: usize = 20;
    let (text, other) = (value.to_string(), other.to_string());
    if text.chars().count() <= MOST {
        return text;
    }
    let same = text.chars().zip(other.chars());
    let same = same.take_while(|(a, b)| a == b).count();
    let start = same.saturating_sub(BEFORE);
    let part: String = text.chars().skip(start).take(MOST).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if text.chars().count() > start + MOST {
        "…"
    } else {
        ""
    };
    format!("{before}{part}{after}")
}

/// Whether the output starts with a row, or with the start of one.
fn starts_with_row(output: &Named<'_>) -> Result<bool, ManifestError> {
    /// The fields that each row has.
    #[derive(serde::Deserialize)]
    #[expect(dead_code, reason = "they only have to be there")]
    struct Row {
        path: serde::de::IgnoredAny,
        ok: bool,
        blocks: serde::de::IgnoredAny,
        details: serde::de::IgnoredAny,
        error: serde::de::IgnoredAny,
    }
    const START: &[u8] = b"{\"path\":\"";
    let mut file = output.file;
    let mut from = file
        .seek(SeekFrom::Start(0))
        .map(|_| BufReader::new(file))
        .map_err(|error| output.failed(error))?;
    let mut line = Vec::new();
    let limit = u64::try_from(START.len()).unwrap_or(u64::MAX);
    let read = (&mut from).take(limit).read_to_end(&mut line);
    let read = read.map_err(|error| output.failed(error))?;
    if START.get(..read) != Some(line.as_slice()) {
        return Ok(false);
    }
    let read = from.read_until(b'\n', &mut line);
    read.map_err(|error| output.failed(error))?;
    let is_torn = line.last() != Some(&b'\n');
    Ok(is_torn || serde_json::from_slice::<Row>(&line).is_ok())
}

/// Whether a part of the output ends with the row of a record. Rows before it have no path, and so no record.
fn has_row(
    output: &Named<'_>,
    part: std::ops::Range<u64>,
    record: &Record,
) -> Result<bool, ManifestError> {
    #[derive(serde::Deserialize)]
    struct Row {
        path: String,
    }
    let mut file = output.file;
    let mut row = Vec::new();
    let read = file
        .seek(SeekFrom::Start(part.start))
        .and_then(|_| file.take(part.end - part.start).read_to_end(&mut row));
    read.map_err(|error| output.failed(error))?;
    let Some(lines) = row.strip_suffix(b"\n") else {
        return Ok(false);
    };
    let line = lines.rsplit(|byte| *byte == b'\n').next();
    let line = line.unwrap_or_default();
    let row = serde_json::from_slice(line);
    Ok(row.is_ok_and(|row: Row| row.path == record.shown()))
}

/// The whole lines of a manifest.
struct Lines<'f> {
    from: BufReader<&'f File>,
    path: &'f Path,
    /// The number of the last line.
    number: u64,
    /// The position after it.
    end: u64,
    /// The part of a line at the end.
    torn: Vec<u8>,
}

impl<'f> Lines<'f> {
    fn new(manifest: &Named<'f>) -> Self {
        Self {
            from: BufReader::new(manifest.file),
            path: manifest.path,
            number: 0,
            end: 0,
            torn: Vec::new(),
        }
    }

    /// The next line with its line feed. `None` if there is no whole one.
    fn next(&mut self) -> Result<Option<Vec<u8>>, ManifestError> {
        let most = u64::try_from(limits::RECORD_BYTES).unwrap_or(u64::MAX);
        let mut line = Vec::new();
        let read = (&mut self.from).take(most).read_until(b'\n', &mut line);
        let read = read.map_err(|error| ManifestError::Io(self.path.to_owned(), error))?;
        if line.last() == Some(&b'\n') {
            self.number += 1;
            self.end += u64::try_from(read).unwrap_or(u64::MAX);
            return Ok(Some(line));
        }
        if read == limits::RECORD_BYTES {
            return Err(match self.number {
                0 => ManifestError::NotManifest(self.path.to_owned()),
                line => ManifestError::Damaged(self.path.to_owned(), line + 1),
            });
        }
        self.torn = line;
        Ok(None)
    }

    /// Whether the part of a line at the end is the start of a first line.
    fn is_torn_head(&self) -> bool {
        let start: &[u8] = b"{\"omniread_batch\":";
        let length = start.len().min(self.torn.len());
        self.torn.get(..length) == start.get(..length)
    }
}

#[cfg(test)]
mod tests;
