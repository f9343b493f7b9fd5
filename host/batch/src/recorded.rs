//! Rows in a file or on standard output, and the manifest that states which of them are written.

use crate::done::Done;
use crate::limits;
use crate::manifest::{FORMAT, Facts, Head, ManifestError, Record};
use crate::recovery::{Named, Output, recover};
use crate::row::{Finished, Rows};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where rows are written.
#[non_exhaustive]
pub enum Target {
    /// A file, which may be that of an earlier run with the same manifest.
    File(PathBuf),
    /// A stream. If the process is killed, it may have rows that the manifest does not state, so that they are written
    /// again.
    Stream(Box<dyn Write + Send>),
}

/// Writes rows, and then their records to a manifest.
pub struct Recorded {
    output: Box<dyn Write + Send>,
    /// The size of the output, if it is a file.
    end: Option<u64>,
    /// The manifest. It is locked while the file is open.
    manifest: Option<File>,
    /// The rows that are not written yet.
    lines: Vec<u8>,
    /// Their records.
    records: Vec<u8>,
}

/// An output that is ready for rows.
#[non_exhaustive]
pub struct Opened {
    /// Where rows are written.
    pub rows: Recorded,
    /// The paths that have a row.
    pub done: Done,
    /// The real paths of the files.
    pub files: Vec<PathBuf>,
}

impl Recorded {
    /// Opens an output, with the manifest of a run if it has one. What a process that was killed has left unfinished
    /// is removed.
    ///
    /// # Errors
    /// Fails if a file cannot be used, or if it is that of another run.
    pub fn open(
        target: Target,
        manifest: Option<&Path>,
        run: Facts,
    ) -> Result<Opened, ManifestError> {
        let Some(path) = manifest else {
            return Self::without_manifest(target);
        };
        let manifest = opened(path)?;
        lock(&manifest, path)?;
        if !is_file(&manifest, path)? {
            return Err(ManifestError::NotManifest(path.to_owned()));
        }
        let mut files = vec![real(path)?];
        let named = Named {
            path,
            file: &manifest,
        };
        let (output, recovered, end): (Box<dyn Write + Send>, _, _) = match target {
            Target::File(path) => {
                let is_same = |output: &Path| Ok(files.first() == Some(&real(output)?));
                let (file, recovered) = match existing(&path)? {
                    Some(_) if is_same(&path)? => return Err(ManifestError::Same(path)),
                    Some(file) => {
                        if !is_file(&file, &path)? {
                            return Err(ManifestError::NotFile(path));
                        }
                        lock(&file, &path)?;
                        let output = Named {
                            path: &path,
                            file: &file,
                        };
                        let recovered = recover(&named, &Output::File(&output), &run)?;
                        (file, recovered)
                    }
                    None => {
                        // A manifest that is refused leaves no file.
                        let recovered = recover(&named, &Output::Missing, &run)?;
                        let file = opened(&path)?;
                        lock(&file, &path)?;
                        (file, recovered)
                    }
                };
                files.push(real(&path)?);
                let end = recovered.end;
                (Box::new(file), recovered, Some(end))
            }
            Target::Stream(stream) => (stream, recover(&named, &Output::Stream, &run)?, None),
        };
        if !recovered.has_head {
            let head = Head {
                omniread_batch: FORMAT,
                run,
            };
            let mut line = serde_json::to_vec(&head).unwrap_or_default();
            line.push(b'\n');
            let written = (&manifest).write_all(&line);
            written.map_err(|error| io_error(path, error))?;
        }
        let rows = Self {
            output,
            end,
            manifest: Some(manifest),
            lines: Vec::new(),
            records: Vec::new(),
        };
        Ok(Opened {
            rows,
            done: recovered.done,
            files,
        })
    }

    fn without_manifest(target: Target) -> Result<Opened, ManifestError> {
        let mut files = Vec::new();
        let output: Box<dyn Write + Send> = match target {
            Target::File(path) => {
                let file = opened(&path)?;
                if is_file(&file, &path)? {
                    lock(&file, &path)?;
                    let size = file.metadata().map_err(|error| io_error(&path, error))?;
                    // A run may have taken hours.
                    if size.len() > 0 {
                        return Err(ManifestError::Exists(path));
                    }
                    files.push(real(&path)?);
                }
                Box::new(file)
            }
            Target::Stream(stream) => stream,
        };
        let rows = Self {
            output,
            end: None,
            manifest: None,
            lines: Vec::new(),
            records: Vec::new(),
        };
        Ok(Opened {
            rows,
            done: Done::default(),
            files,
        })
    }
}

impl Rows for Recorded {
    fn row(&mut self, row: &Finished) -> io::Result<()> {
        self.lines.extend_from_slice(&row.line);
        if let Some(end) = &mut self.end {
            *end += u64::try_from(row.line.len()).unwrap_or(u64::MAX);
        }
        if self.manifest.is_some() && row.has_path {
            let record = Record::new(&row.path, row.is_read, self.end);
            serde_json::to_writer(&mut self.records, &record)?;
            self.records.push(b'\n');
        }
        if self.lines.len() >= limits::COLLECTED_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        self.output.write_all(&self.lines)?;
        self.output.flush()?;
        self.lines.clear();
        // A record states that its row is written.
        if let Some(manifest) = &mut self.manifest {
            manifest.write_all(&self.records)?;
            self.records.clear();
        }
        // One row may be larger than all others.
        self.lines.shrink_to(2 * limits::COLLECTED_BYTES);
        Ok(())
    }
}

/// Opens a file for reading and writing. It is created if it does not exist.
fn opened(path: &Path) -> Result<File, ManifestError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path);
    file.map_err(|error| io_error(path, error))
}

/// Opens a file for reading and writing. `None` if it does not exist.
fn existing(path: &Path) -> Result<Option<File>, ManifestError> {
    let file = OpenOptions::new().read(true).write(true).open(path);
    match file {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error(path, error)),
    }
}

/// Locks a file until it is closed.
fn lock(file: &File, path: &Path) -> Result<(), ManifestError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(ManifestError::Busy(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(io_error(path, error)),
    }
}

fn is_file(file: &File, path: &Path) -> Result<bool, ManifestError> {
    let metadata = file.metadata();
    Ok(metadata.map_err(|error| io_error(path, error))?.is_file())
}

fn real(path: &Path) -> Result<PathBuf, ManifestError> {
    path.canonicalize().map_err(|error| io_error(path, error))
}

fn io_error(path: &Path, error: io::Error) -> ManifestError {
    ManifestError::Io(path.to_owned(), error)
}
