//! The types of what is kept, except snapshots.

use std::path::PathBuf;

/// A path with snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathSummary {
    /// The path.
    pub path: String,
    /// The number of its versions.
    pub versions: usize,
    /// The real path of the file at the newest version, if it is known. Rules about what may be shown apply to it.
    pub real: Option<String>,
    /// The tag of the newest version.
    pub tag: Option<String>,
    /// The time of the newest version in nanoseconds since 1970.
    pub read: i64,
    /// The size of all versions in bytes, as it counts for the limits.
    pub bytes: u64,
}

/// The facts of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtifactSummary {
    /// The number of the artifact in its handle, from 0.
    pub number: u64,
    /// The path or URL that it comes from.
    pub source: String,
    /// The real path of the file that the content comes from, if it is one. Rules about what may be shown apply to it.
    pub real: Option<String>,
    /// The media type.
    pub mime: String,
    /// The size in bytes.
    pub size: u64,
    /// The time of its creation in nanoseconds since 1970.
    pub created: i64,
}

/// The images that the replies of a generation have shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShownImages {
    /// The number of images.
    pub count: u64,
    /// Their tokens, as estimates.
    pub tokens: u64,
}

/// A reply that is shown for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewReply<'r> {
    /// The hash of the reply.
    pub content: [u8; 32],
    /// The path that was read.
    pub path: &'r str,
    /// The generation in which the reply was requested.
    pub generation: u64,
}

/// The last reply that was shown for a request in the present generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownReply {
    /// The hash of the reply.
    pub content: [u8; 32],
    /// The path that was read.
    pub path: String,
    /// The generation in which the reply was shown.
    pub generation: u64,
    /// The time of the read in nanoseconds since 1970.
    pub read: i64,
}

/// A file that was not usable as a store, and that was renamed therefore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The new path of the file.
    pub path: PathBuf,
    /// Why it was not usable, as a part of a sentence: `it is damaged`.
    pub reason: String,
}
