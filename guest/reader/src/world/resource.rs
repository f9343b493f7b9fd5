//! Internal URLs, such as `skill://name`.

use super::{FileError, Info, Source};

/// The content of an internal URL.
pub struct Resource {
    /// The bytes of the content.
    pub source: Box<dyn Source>,
    /// The metadata that the host reports.
    pub info: Info,
    /// The absolute path of the file that an edit tool may change, if there is one.
    pub path: Option<String>,
}

/// The reason why a resource cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceError {
    /// The host does not support this scheme.
    Scheme,
    /// The resource does not exist. Contains similar URLs, best first.
    NotFound(Vec<String>),
    /// The resource cannot be read.
    File(FileError),
}
