//! Implementations of the interfaces that a host supplies: a `session` without memory, a
//! `sandbox` without rules, and no bytes of a host. Only sparse bytes, whose parts the reader adds,
//! are implemented completely.
//!
//! The composition with the reader is a component that imports only WASI, for runtimes
//! that do not implement the interfaces of omniread.

#![cfg(target_family = "wasm")]
#![allow(
    unsafe_code,
    reason = "the generated bindings pass pointers across the boundary"
)]

mod bindings;
#[cfg(feature = "without-images")]
mod images;
mod sparse;

use bindings::exports::omniread::parts::{inputs, resources, sandbox, session};
use bindings::wasi::filesystem::types::{
    Descriptor, DescriptorType, DirectoryEntryStream, ErrorCode, PathFlags,
};

bindings::export!(Standalone with_types_in bindings);

/// The names of the engines that are composed with the reader, separated by commas.
const ENGINES: &str = match option_env!("OMNIREAD_ENGINES") {
    Some(names) => names,
    None => "",
};

struct Standalone;

impl session::Guest for Standalone {
    fn remember(_: session::Snapshot) {}

    fn keeps_text() -> bool {
        false
    }

    fn get(_: String) -> Option<Vec<u8>> {
        None
    }

    fn stores_artifacts() -> bool {
        false
    }

    fn store_artifact(_: String, _: String) -> Option<String> {
        None
    }

    fn lasting() -> bool {
        false
    }

    fn put(_: String, _: Vec<u8>) -> bool {
        false
    }

    fn compare(_: session::Snapshot) -> session::Comparison {
        session::Comparison::Unchanged
    }

    fn show(_: Vec<u8>, _: Vec<u8>, _: String) -> Option<session::Earlier> {
        None
    }

    fn images() -> session::ShownImages {
        session::ShownImages {
            count: 0,
            tokens: 0,
        }
    }

    fn show_images(_: session::ShownImages) {}

    fn start_artifact(_: String, _: String) -> bool {
        false
    }

    fn write_artifact(_: Vec<u8>) -> bool {
        false
    }

    fn finish_artifact() -> Option<String> {
        None
    }
}

/// The engine with a name. `None` if the component does not have it.
fn engine(name: &str) -> Option<sandbox::Engine> {
    Some(match name {
        "sqlite" => sandbox::Engine::Sqlite,
        "images" if cfg!(feature = "without-images") => return None,
        "images" => sandbox::Engine::Images,
        "documents" => sandbox::Engine::Documents,
        "pdf" => sandbox::Engine::Pdf,
        _ => return None,
    })
}

impl sandbox::Guest for Standalone {
    fn get_capabilities() -> sandbox::Capabilities {
        sandbox::Capabilities {
            engines: ENGINES.split(',').filter_map(engine).collect(),
            // The runtime decides, unless the component is composed with one that has no network.
            network: true,
            schemes: Vec::new(),
        }
    }

    fn refused() -> Option<sandbox::Refusal> {
        None
    }

    fn request_failed() -> Option<sandbox::RequestFailure> {
        None
    }

    fn sends_requests() -> bool {
        false
    }

    fn send_request(
        _: String,
        _: Vec<(String, String)>,
    ) -> Option<Result<sandbox::Response, sandbox::RequestFailure>> {
        None
    }

    fn get_time() -> Option<sandbox::Time> {
        None
    }

    // One entry at a time, so that an error belongs to its entry.
    fn next_entries(
        directory: &Descriptor,
        entries: &DirectoryEntryStream,
        most: u32,
        metadata: bool,
    ) -> Result<sandbox::Batch, ErrorCode> {
        let entry = if most == 0 {
            None
        } else {
            entries.read_directory_entry()?
        };
        let Some(entry) = entry else {
            return Ok(sandbox::Batch {
                names: String::new(),
                entries: Vec::new(),
            });
        };
        let measured = metadata && entry.type_ != DescriptorType::SymbolicLink;
        let found = measured.then(|| directory.stat_at(PathFlags::empty(), &entry.name).ok());
        let metadata = found.flatten().map(|found| sandbox::EntryMetadata {
            size: found.size,
            modified: found
                .data_modification_timestamp
                .map(|time| (time.seconds, time.nanoseconds)),
        });
        Ok(sandbox::Batch {
            entries: vec![sandbox::Entry {
                name: u32::try_from(entry.name.len()).unwrap_or(u32::MAX),
                type_: entry.type_,
                metadata,
            }],
            names: entry.name,
        })
    }

    // The reader lists them one by one.
    fn list_folders(
        _: &Descriptor,
        _: Vec<String>,
        _: u32,
    ) -> Result<Vec<Option<sandbox::Batch>>, ErrorCode> {
        Err(ErrorCode::Unsupported)
    }

    // The reader searches with the same calls.
    fn find_ends(_: &Descriptor, _: sandbox::Ends) -> Result<Option<Vec<String>>, ErrorCode> {
        Err(ErrorCode::Unsupported)
    }

    fn denied_entries() -> u64 {
        0
    }

    fn opened() -> Result<Option<String>, String> {
        Ok(None)
    }

    fn denies_members() -> bool {
        false
    }

    fn denies(_: String) -> Option<String> {
        None
    }
}

impl resources::Guest for Standalone {
    fn facts(_: String) -> Result<resources::SchemeFacts, Vec<String>> {
        Err(Vec::new())
    }

    fn names(_: String, _: u32) -> Result<Option<Vec<String>>, resources::Error> {
        Err(resources::Error::Scheme(Vec::new()))
    }

    fn open(_: String) -> Result<resources::Content, resources::Error> {
        Err(resources::Error::Scheme(Vec::new()))
    }
}

impl inputs::Guest for Standalone {
    type Source = sparse::Source;
    type Sparse = sparse::Sparse;
}
