//! The types of requests, replies and failures.
//!
//! They are the types of the interface `types` in `wit/`, written by hand, so that they have Rust's names,
//! attributes and documentation. wasmtime reads and writes them directly in the memory of the reader, and
//! checks once that they match the component.

mod call;
mod details;
mod dialect;
mod document;
mod failure;
mod file;
mod listing;
mod media;
mod reply;
mod text;
mod window;

pub(crate) use call::{CallInput, FailedCall, Options};
pub use details::{BinaryDetails, Details, Kind, Method, Part, Resolution, Web};
pub use dialect::{Definition, Dialect};
pub use document::{DocumentDetails, UnitKind, Units};
pub use failure::{
    BinaryFile, Failure, IgnoreRule, LimitExceeded, NetworkError, Reason, SpecialFile,
    SymlinkEscape, Unreachable,
};
pub use file::{FileState, Stamp};
pub use listing::{ArchiveDetails, DatabaseDetails, DatabasePart, DirectoryDetails};
pub use media::{AttachmentDetails, Dimensions, ImageDetails, ImageHeader, Payload};
pub use reply::{Block, Media, Reply, Tokens};
pub use text::{Display, Escapes, LineEnding, TextDetails};
pub use window::{Cut, Limit, Span, Total, Window};

use serde::Serializer;
use std::collections::BTreeMap;

/// Serializes pairs of names and values as an object.
fn sorted<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    let pairs: BTreeMap<_, _> = pairs.iter().map(|(name, value)| (name, value)).collect();
    serializer.collect_map(pairs)
}
