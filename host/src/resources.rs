//! Internal URLs, such as `skill://name`: resources of an application that are not files in a
//! root. A [`Provider`] returns their bytes, and the reader reads them like a file.

use crate::sandbox::Source;
use std::fmt;
use std::sync::Arc;

pub use crate::sandbox::Bytes;

/// A provider of the resources at the internal URLs of one scheme, such as `skill`.
pub trait Provider: Send + Sync {
    /// The scheme in lower case, without `://`, such as `skill`. A scheme consists of two or more
    /// letters, digits, `+`, `-` and `.`, and starts with a letter. `file`, `http` and `https` are
    /// reserved.
    fn scheme(&self) -> &str;

    /// Opens the resource of a URL. `url` is the URL as it was typed. The call may block, for
    /// example on a network. A read whose time is up does not wait for the call any
    /// longer.
    ///
    /// # Errors
    /// Fails if the resource does not exist, is denied, or cannot be read.
    fn open(&self, url: &str) -> Result<Resource, ResourceError>;
}

/// The resource of an internal URL.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resource {
    pub(crate) source: Source,
    /// The MIME type, if known.
    pub mime: Option<String>,
    /// The character set, if known.
    pub charset: Option<String>,
    /// The time of the last change, in milliseconds since 1970.
    pub modified: Option<u64>,
    /// The absolute path of the file that contains the resource, if the file is in a root (a
    /// directory that the reader may read) and an edit tool may change it.
    pub path: Option<String>,
}

impl Resource {
    /// Creates a resource whose bytes are read on demand. `size` is the number of bytes, if
    /// known.
    pub fn new(bytes: impl Bytes + 'static, size: Option<u64>) -> Self {
        Self {
            source: Source::new(Arc::new(bytes), size),
            mime: None,
            charset: None,
            modified: None,
            path: None,
        }
    }
}

/// The reason why a provider returns no resource.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourceError {
    /// The resource does not exist. Contains similar URLs, the most similar one first.
    NotFound(Vec<String>),
    /// A rule denies access. Contains the rule.
    Denied(String),
    /// The provider failed. Contains the message.
    Failed(String),
}

/// The schemes that no provider or mount may have, because the reader handles them.
const TAKEN: [&str; 3] = ["file", "http", "https"];

/// Whether a provider or mount may have a scheme. The scheme must be valid by RFC 3986, section 3.1, in
/// lower case, and not reserved. A single letter is not allowed, because it is the name of a drive.
pub(crate) fn is_free(scheme: &str) -> bool {
    let part = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.')
    };
    let letter = scheme.starts_with(|first: char| first.is_ascii_lowercase());
    letter && scheme.len() > 1 && scheme.bytes().all(part) && !TAKEN.contains(&scheme)
}

/// The providers of a reader.
#[derive(Clone, Default)]
pub(crate) struct Providers(Vec<Arc<dyn Provider>>);

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.schemes()).finish()
    }
}

impl Providers {
    /// Adds a provider. It replaces an earlier provider of the same scheme.
    pub(crate) fn add(&mut self, provider: impl Provider + 'static) {
        self.0.retain(|other| other.scheme() != provider.scheme());
        self.0.push(Arc::new(provider));
    }

    /// The schemes of all providers.
    pub(crate) fn schemes(&self) -> Vec<String> {
        let schemes = self.0.iter().map(|provider| provider.scheme().to_owned());
        schemes.collect()
    }

    /// The provider of the scheme of a URL, if there is one.
    pub(crate) fn of(&self, url: &str) -> Option<&Arc<dyn Provider>> {
        let (scheme, _) = url.split_once("://")?;
        let answers =
            |provider: &&Arc<dyn Provider>| provider.scheme().eq_ignore_ascii_case(scheme);
        self.0.iter().find(answers)
    }
}
