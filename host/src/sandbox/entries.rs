//! The entries of a directory, one by one and in batches with their metadata.

use super::platform::{self, Measured, descriptor_type, name, stat};
use super::view::{Filesystem, Lookup, View};
use crate::bindings::omniread::parts::sandbox::{Batch, Entry, EntryMetadata};
use crate::bindings::wasi::filesystem::types::{DescriptorStat, DescriptorType, ErrorCode};
use crate::handles::{Descriptor, EntryStream};
use cap_primitives::fs::{self as cap, FollowSymlinks};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use wasmtime::component::Resource;

/// The maximum number of entries of a batch. Each has 40 bytes and a name of at most 255 bytes, so that a batch
/// is smaller than what a read of a file returns.
const BATCH: usize = 256;

/// The number of entries after which a batch checks again whether the read was stopped. On a slow network file
/// system, the metadata of an entry may take a millisecond.
const CHECKED: usize = 16;

/// The name and the type of the next entry that no rule denies. A name that is not UTF-8 is escaped.
pub(super) fn next_entry(
    stream: &mut EntryStream,
    filesystem: &mut Filesystem,
) -> Option<io::Result<(String, DescriptorType)>> {
    if let Some(error) = stream.failed.take() {
        return Some(Err(error));
    }
    loop {
        let entry = match stream.entries.next()? {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error)),
        };
        let file_name = entry.file_name();
        let type_ = match entry.file_type().map(descriptor_type) {
            // Listings of some file systems do not contain types.
            Ok(DescriptorType::Unknown) | Err(_) => entry
                .metadata()
                .map_or(DescriptorType::Unknown, |metadata| {
                    descriptor_type(metadata.file_type())
                }),
            Ok(type_) => type_,
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
        let name = file_name
            .into_string()
            .unwrap_or_else(|file_name| name(&file_name));
        return Some(Ok((name, type_)));
    }
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
            entries: Vec::with_capacity(most),
        };
        while batch.entries.len() < most {
            if batch.entries.len() % CHECKED == CHECKED - 1 {
                self.start()?;
            }
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
            let measured = metadata && type_ != DescriptorType::SymbolicLink;
            batch.names.push_str(&name);
            batch.entries.push(Entry {
                name: u32::try_from(name.len())?,
                type_,
                metadata: measured
                    .then(|| self.entry_metadata(&directory, &name))
                    .flatten(),
            });
        }
        Ok(Ok(batch))
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
