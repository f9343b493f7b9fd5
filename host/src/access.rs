//! The access of a read to resources other than the files of its roots. No engine has this
//! access.

use crate::resources::Providers;

/// The resources that a read can access besides the files in its roots (the directories that may be
/// read).
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    /// The providers of the content of internal URLs, such as `skill://name`.
    pub(crate) providers: Providers,
}
