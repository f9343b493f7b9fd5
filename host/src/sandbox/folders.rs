//! The entries of several subdirectories at once, which threads list together.

use super::listing;
use super::platform::{self, Measured, name};
use super::search::look::open;
use super::share::share;
use super::view::{View, is_entry};
use crate::bindings::omniread::parts::sandbox::{Batch, Entry};
use crate::bindings::wasi::filesystem::types::{DescriptorType, ErrorCode};
use crate::handles::Descriptor;
use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use wasmtime::component::Resource;

/// The maximum number of subdirectories that are listed at once.
const FOLDERS: usize = 256;

/// The maximum number of entries of a subdirectory that is listed with others. A larger one is listed by batches.
const ENTRIES: usize = 512;

impl View<'_> {
    /// The entries of subdirectories with their metadata, at most `most` in all. `None` for a subdirectory that cannot
    /// be listed in this way.
    ///
    /// # Errors
    /// The outer result fails if the read was stopped, or if a handle is invalid. The inner one is `Unsupported` if
    /// there are deny rules, which the entries have to be checked against, and on systems other than Linux.
    pub fn list_folders(
        &mut self,
        directory: &Resource<Descriptor>,
        mut names: Vec<String>,
        most: u32,
    ) -> wasmtime::Result<Result<Vec<Option<Batch>>, ErrorCode>> {
        let directory = match self.begin(directory)? {
            Ok(directory) => directory,
            Err(code) => return Ok(Err(code)),
        };
        if !cfg!(target_os = "linux") || self.filesystem.policy.has_rules() {
            return Ok(Err(ErrorCode::Unsupported));
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let (asked, counted) = (names.len(), AtomicUsize::new(0));
        names.truncate(FOLDERS);
        let mut folders = share(names.len(), &self.filesystem.stop, move |number| {
            list(&directory, names.get(number)?, most, &counted)
        })?;
        folders.resize_with(asked, || None);
        Ok(Ok(folders))
    }
}

/// The entries of a subdirectory. `counted` is the number of entries of all subdirectories so far.
fn list(directory: &Arc<File>, folder: &str, most: usize, counted: &AtomicUsize) -> Option<Batch> {
    if !is_entry(folder) || counted.load(Ordering::Relaxed) >= most {
        return None;
    }
    let folder = open(directory, folder).ok()?;
    let mut names = String::new();
    let mut entries = Vec::new();
    let count = Cell::new(0_usize);
    let listed = listing::each(
        &folder,
        || count.get() <= ENTRIES,
        |bytes, type_| {
            count.set(count.get() + 1);
            let before = names.len();
            match std::str::from_utf8(bytes) {
                Ok(name) => names.push_str(name),
                Err(_) => names.push_str(&escaped(bytes)),
            }
            let length = names.len() - before;
            entries.push((length, DescriptorType::from(type_)));
        },
    );
    listed.ok()?;
    let count = count.get();
    if count > ENTRIES || counted.fetch_add(count, Ordering::Relaxed) + count > most {
        return None;
    }
    let mut end = 0;
    let entries = entries.into_iter().map(|(length, type_)| {
        let start = end;
        end += length;
        let name = names.get(start..end)?;
        let metadata = match type_ {
            DescriptorType::SymbolicLink => None,
            _ => match platform::entry_metadata(&folder, name) {
                Measured::Entry(found) => found,
                Measured::Unsupported => return None,
            },
        };
        Some(Entry {
            name: u32::try_from(length).ok()?,
            type_,
            metadata,
        })
    });
    let entries = entries.collect::<Option<Vec<_>>>()?;
    Some(Batch { names, entries })
}

/// The name of an entry that is not UTF-8.
#[cfg(unix)]
fn escaped(bytes: &[u8]) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    name(OsStr::from_bytes(bytes))
}

/// The name of an entry that is not UTF-8.
#[cfg(not(unix))]
fn escaped(bytes: &[u8]) -> String {
    name(OsStr::new(&*String::from_utf8_lossy(bytes)))
}
