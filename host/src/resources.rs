//! Internal URLs, such as `skill://name`: what an application has that is not a file
//! of a root. A [`Provider`] finds it, and the reader reads it like a file.

use crate::sandbox::{Bytes, Source};
use std::fmt;
use std::sync::Arc;

/// Answers the internal URLs of one scheme.
pub trait Provider: Send + Sync {
    /// The scheme in lower case, without `://`: `skill`. It has two or more letters,
    /// digits, `+`, `-` and `.`, and begins with a letter. `file`, `http` and `https` are
    /// taken.
    fn scheme(&self) -> &str;

    /// Finds what a URL leads to, which is given as it was typed. The call may wait, for
    /// example for a network: no read waits for it past its deadline.
    ///
    /// # Errors
    /// Why there is nothing to read.
    fn open(&self, url: &str) -> Result<Resource, ResourceError>;
}

/// What an internal URL leads to.
#[derive(Clone, Debug)]
pub struct Resource {
    pub(crate) source: Source,
    /// The MIME type, if it is known.
    pub mime: Option<String>,
    /// The character set, if it is known.
    pub charset: Option<String>,
    /// Time of the last change, in milliseconds since 1970.
    pub modified: Option<u64>,
    /// The absolute path of the file in a root, if there is one that an edit tool may
    /// change.
    pub path: Option<String>,
}

impl Resource {
    /// A resource whose bytes are read as they are needed. `size` is how many there are,
    /// if that is known.
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

/// Why a provider has nothing to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceError {
    /// There is no such resource. Holds similar URLs, the best one first.
    NotFound(Vec<String>),
    /// A rule refuses it. Holds the rule.
    Denied(String),
    /// The provider failed. Holds what went wrong.
    Failed(String),
}

/// The schemes that the reader answers itself.
const TAKEN: [&str; 3] = ["file", "http", "https"];

/// Whether a provider may have a scheme: one of RFC 3986, section 3.1, in lower case,
/// that is not taken. A single letter is a drive.
fn is_free(scheme: &str) -> bool {
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
    /// Adds a provider, in place of an earlier one of its scheme.
    pub(crate) fn add(&mut self, provider: impl Provider + 'static) {
        self.0.retain(|other| other.scheme() != provider.scheme());
        self.0.push(Arc::new(provider));
    }

    /// The schemes that are answered.
    pub(crate) fn schemes(&self) -> Vec<String> {
        let schemes = self.0.iter().map(|provider| provider.scheme().to_owned());
        schemes.collect()
    }

    /// A scheme that a provider cannot have, if there is one.
    pub(crate) fn wrong_scheme(&self) -> Option<String> {
        self.schemes().into_iter().find(|scheme| !is_free(scheme))
    }

    /// The provider that answers a URL.
    pub(crate) fn of(&self, url: &str) -> Option<&Arc<dyn Provider>> {
        let (scheme, _) = url.split_once("://")?;
        let answers =
            |provider: &&Arc<dyn Provider>| provider.scheme().eq_ignore_ascii_case(scheme);
        self.0.iter().find(answers)
    }
}
