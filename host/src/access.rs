//! The access of a read to resources other than the files of its roots. No engine has this
//! access.

use crate::resources::Providers;
use std::fmt;

/// The resources that a read can access besides the files in its roots (the directories that may be
/// read).
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    /// The providers of the content of internal URLs, such as `skill://name`.
    pub(crate) providers: Providers,
    /// The password of encrypted documents.
    pub(crate) password: Option<Password>,
}

/// A password. Its debug format does not contain it.
#[derive(Clone)]
pub(crate) struct Password(pub(crate) String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}
