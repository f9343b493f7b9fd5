//! The entries of a directory, one by one and in batches with their metadata.

use super::platform::{self, Measured, name, stat};
use super::share::share;
use super::view::{Filesystem, Lookup, View};
use crate::bindings::omniread::parts::sandbox::{Batch, Entry, EntryMetadata};
use crate::bindings::wasi::filesystem::types::{DescriptorStat, DescriptorType, ErrorCode};
use crate::handles::{Descriptor, EntryStream};
use cap_primitives::fs::{self as cap, FollowSymlinks};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use wasmtime::component::Resource;

/// The maximum number of entries of a batch.
const BATCH: usize = 1024;

/// The number of bytes of names after which a batch ends. With 40 bytes for each entry, a batch is hardly larger than what
/// a read of a file returns.
const NAMES: usize = 64 << 10;

/// The number of entries after which a batch checks again whether the read was stopped. On a slow network file
/// system, the metadata of an entry may take a millisecond.
const CHECKED: usize = 16;

/// The number of entries whose metadata a thread reads at once. That takes some ten microseconds, as waking another
/// thread does.
const PART: usize = 64;

/// The number of entries of a batch from which on other threads help to read their metadata.
const HELPED: usize = 2 * PART;

/// The name and the type of the next entry that no rule denies.
fn next_allowed(
    stream: &mut EntryStream,
    filesystem: &mut Filesystem,
) -> Option<io::Result<(OsString, DescriptorType)>> {
    if let Some(error) = stream.failed.take() {
        return Some(Err(error));
    }
    loop {
        let (file_name, type_) = match stream.entries.next()? {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error)),
        };
        if let Some(directory) = &mut stream.directory {
            directory.push(&file_name);
            let denied = filesystem.policy.denied_entry(directory);
            directory.pop();
            if denied.is_some() {
                filesystem.denied_entries += 1;
                continue;
            }
            if let Some(entry) = file_name.to_str() {
                filesystem.note_listed(directory, entry);
            }
        }
        return Some(Ok((file_name, type_.into())));
    }
}

/// The name and the type of the next entry that no rule denies. A name that is not UTF-8 is escaped.
pub(super) fn next_entry(
    stream: &mut EntryStream,
    filesystem: &mut Filesystem,
) -> Option<io::Result<(String, DescriptorType)>> {
    Some(next_allowed(stream, filesystem)?.map(|(file_name, type_)| (utf8(file_name), type_)))
}

fn utf8(file_name: OsString) -> String {
    file_name
        .into_string()
        .unwrap_or_else(|file_name| name(&file_name))
}

impl View<'_> {
    /// The next entries of a directory, with their metadata if `metadata` is set.
    ///
    /// # Errors
    /// The outer result fails if the read was stopped, or if a handle is invalid.
    pub fn next_entries(
        &mut self,
        directory: &Resource<Descriptor>,
        entries: &Resource<EntryStream>,
        most: u32,
        metadata: bool,
    ) -> wasmtime::Result<Result<Batch, ErrorCode>> {
        let directory = match self.begin(directory)? {
            Ok(directory) => directory,
            Err(code) => return Ok(Err(code)),
        };
        let most = usize::try_from(most).unwrap_or(BATCH).min(BATCH);
        let mut batch = Batch {
            names: String::new(),
            entries: Vec::new(),
        };
        while batch.entries.len() < most && batch.names.len() < NAMES {
            let stream = self.table.get_mut(entries)?;
            let (name, type_) = match next_entry(stream, self.filesystem) {
                None => break,
                Some(Ok(entry)) => entry,
                Some(Err(error)) if batch.entries.is_empty() => return Ok(self.failed(&error)),
                Some(Err(error)) => {
                    stream.failed = Some(error);
                    break;
                }
            };
            batch.names.push_str(&name);
            batch.entries.push(Entry {
                name: u32::try_from(name.len())?,
                type_,
                metadata: None,
            });
        }
        if metadata {
            self.measure(&directory, &mut batch)?;
        }
        Ok(Ok(batch))
    }

    /// Adds the metadata of the entries of a batch, without those of symlinks.
    fn measure(&mut self, directory: &Arc<File>, batch: &mut Batch) -> wasmtime::Result<()> {
        let mut measured = Vec::new();
        // With rules, each name is checked.
        if cfg!(target_os = "linux")
            && batch.entries.len() >= HELPED
            && !self.filesystem.policy.has_rules()
        {
            measured = self.shared(directory, batch)?;
        }
        let mut measured = measured.into_iter();
        let mut end = 0;
        for (number, entry) in batch.entries.iter_mut().enumerate() {
            if number % CHECKED == CHECKED - 1 {
                self.start()?;
            }
            let start = end;
            end += usize::try_from(entry.name)?;
            entry.metadata = match measured.next() {
                Some(Measured::Entry(found)) => found,
                None | Some(Measured::Unsupported) => {
                    let name = batch.names.get(start..end);
                    name.filter(|_| entry.type_ != DescriptorType::SymbolicLink)
                        .and_then(|name| self.entry_metadata(directory, name))
                }
            };
        }
        Ok(())
    }

    /// The metadata of the entries of a batch, which other threads help to read.
    fn shared(&self, directory: &Arc<File>, batch: &Batch) -> wasmtime::Result<Vec<Measured>> {
        let (directory, names) = (Arc::clone(directory), batch.names.clone());
        let mut end = 0;
        let mut spans = Vec::with_capacity(batch.entries.len());
        for entry in &batch.entries {
            let start = end;
            end += usize::try_from(entry.name)?;
            let is_link = entry.type_ == DescriptorType::SymbolicLink;
            spans.push((!is_link).then_some(start..end));
        }
        let parts = spans.len().div_ceil(PART);
        let parts = share(parts, &self.filesystem.stop, move |number| {
            let spans = spans.iter().skip(number * PART).take(PART);
            let names = spans.map(|span| names.get(span.clone()?));
            let measured = names.map(|name| match name {
                Some(name) => platform::entry_metadata(&directory, name),
                None => Measured::Entry(None),
            });
            measured.collect::<Vec<_>>()
        })?;
        Ok(parts.into_iter().flatten().collect())
    }

    /// The metadata of an entry, which is not followed. `None` if they cannot be read.
    fn entry_metadata(&mut self, directory: &Arc<File>, name: &str) -> Option<EntryMetadata> {
        // Without rules, nothing else is looked at.
        if !self.filesystem.policy.has_rules()
            && let Measured::Entry(found) = platform::entry_metadata(directory, name)
        {
            return found;
        }
        let lookup = Lookup {
            by_name: |directory: &File, path: &Path| {
                cap::stat(directory, path, FollowSymlinks::No).map(|found| stat(&found))
            },
            by_handle: |file: &File| cap::Metadata::from_file(file).map(|found| stat(&found)),
            is_link: |found: &DescriptorStat| found.type_ == DescriptorType::SymbolicLink,
        };
        let found = self.metadata(directory, name, FollowSymlinks::No, lookup);
        let found = found.ok()?;
        let modified = found.data_modification_timestamp;
        Some(EntryMetadata {
            size: found.size,
            modified: modified.map(|time| (time.seconds, time.nanoseconds)),
        })
    }
}

#[cfg(test)]
mod tests;
