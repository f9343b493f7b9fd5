//! What a read may reach beside the files of its roots. No engine has any of it.

use crate::resources::Providers;

/// What a read may reach beside the files of its roots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// What answers internal URLs.
    pub(crate) providers: Providers,
}
