//! Internal URLs, such as `skill://name`: resources of an application that are not files in a
//! root. A [`Provider`] returns their bytes, and the reader reads them like a file.

use crate::CancelToken;
use crate::sandbox::Source;
use std::sync::Arc;
use std::time::Duration;

pub use crate::sandbox::Bytes;
pub(crate) use omniread_schemes::is_free;
pub use omniread_schemes::{Backing, Facts, Selectors};

/// A provider of the resources at the internal URLs of one scheme, such as `skill`.
pub trait Provider: Send + Sync {
    /// The scheme in lower case, without `://`, such as `skill`. A scheme consists of two or more
    /// letters, digits, `+`, `-` and `.`, and starts with a letter. `file`, `http` and `https` are
    /// reserved.
    fn scheme(&self) -> &str;

    /// The facts of the scheme. They are asked for once, when the provider is added, so that the call must not
    /// block. The default has the facts of a scheme that agents use, such as `skill`. For another scheme,
    /// resources are made when they are read, members and selectors may follow their URLs, they cannot be
    /// edited, and long ones are shown in pages.
    fn facts(&self) -> Facts {
        Facts::of(self.scheme())
    }

    /// Opens the resource of a URL. `url` is the URL as it was typed. The call may block, for
    /// example on a network. A read whose time is up does not wait for the call any
    /// longer.
    ///
    /// # Errors
    /// Fails if the resource does not exist, is denied, or cannot be read.
    fn open(&self, url: &str) -> Result<Resource, ResourceError>;

    /// Opens the resource of a URL for a read that may be cancelled, or whose time may be up before there is
    /// an answer. `cancelled` is cancelled then, so that a provider can stop its work. The default
    /// calls [`open`](Self::open).
    ///
    /// # Errors
    /// Fails as [`open`](Self::open) does.
    fn open_until(&self, url: &str, cancelled: &CancelToken) -> Result<Resource, ResourceError> {
        let _ = cancelled;
        self.open(url)
    }

    /// The time within which [`open`](Self::open) returns in any case, if the provider waits for servers with
    /// deadlines of its own. The time for which a read waits for it does not count towards the timeout then,
    /// and a read does not wait longer. The default is `None`: the time counts.
    fn longest_wait(&self) -> Option<Duration> {
        None
    }

    /// Returns the names of the resources that start with `start`: the text of their URLs after `://`, in the
    /// order of a list, at most `most` of them. Names that start otherwise and those after `most` are ignored.
    /// `SCHEME://` lists all names, unless [`open`](Self::open) returns a resource for it. Completion and
    /// similar names use them too. The default is `None`: the resources cannot be listed. The call may block.
    ///
    /// # Errors
    /// Fails if the names cannot be found out.
    fn names(&self, start: &str, most: usize) -> Result<Option<Vec<String>>, ResourceError> {
        let _ = (start, most);
        Ok(None)
    }
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
    /// directory that the reader may read) and an edit tool may change it. It has no effect unless the facts
    /// of the scheme say that resources are [editable](Facts::editable).
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
