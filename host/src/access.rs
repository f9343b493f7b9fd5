//! The access of a read to resources other than the files of its roots. No engine has this
//! access.

use crate::providers::Providers;
#[cfg(feature = "net")]
use crate::sandbox::net::Client;
use std::fmt;
#[cfg(feature = "net")]
use std::sync::Arc;

/// The resources that a read can access besides the files in its roots (the directories that may be
/// read).
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    /// The providers of the content of internal URLs, such as `skill://name`.
    pub(crate) providers: Providers,
    /// The password of encrypted documents.
    pub(crate) password: Option<Password>,
    /// Whether the sessions of the reader last longer than one read.
    pub(crate) lasting: bool,
    /// The client of requests, with the hosts that are granted. `None` if none is.
    #[cfg(feature = "net")]
    pub(crate) client: Option<Arc<Client>>,
}

/// A password. Its debug format does not contain it.
#[derive(Clone)]
pub(crate) struct Password(pub(crate) String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}
