//! The state of a file, from which a change can be detected.

use serde::Serialize;
use wasmtime::component::{ComponentType, Lift};

/// The current state of the file at a path.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct FileState {
    /// The absolute path, as in [`Details::resolved_path`](super::Details::resolved_path).
    #[component(name = "resolved-path")]
    pub resolved_path: String,
    /// The state of the file. `None` if the file does not exist.
    pub stamp: Option<Stamp>,
}

/// The state of a file, from which a change can be detected.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Stamp {
    /// The size on disk in bytes.
    pub size: u64,
    /// Time of the last change, in milliseconds since 1970.
    pub modified: Option<u64>,
    /// The SHA-256 of the bytes on disk, as 64 hex digits, if requested.
    pub sha256: Option<String>,
    /// The tag (four hex digits of a hash of the text), if requested. `None` for text of more than
    /// 4 MiB.
    pub tag: Option<String>,
}
