//! Files at revisions of git repositories: `src/lib.rs@HEAD~3`, `git://v1.0/src/lib.rs:10-20`.
//!
//! ```text
//! at       PATH@REV → the repository of the path, the revision, and the path in its tree
//! url      git://REV/PATH → the same in the repository of the first root
//! opened   what a path is at a revision → an open file or directory, or a diff
//! listing  the entries of a directory at a revision, and the names of a repository
//! allowed  the rules of the workspace for a path at a revision
//! files    the files of the world, for the crate that reads repositories
//! errors   errors of that crate → failures
//! ```
//!
//! A path at a revision is refused if the same path in the work tree is refused. A revision therefore has to be a
//! commit: of another tree, nobody knows where it is in the work tree.

mod allowed;
mod at;
mod errors;
mod files;
mod listing;
mod opened;
mod url;

pub use at::find as at_revision;
pub use errors::failure;
pub use files::WorldFiles;
pub use url::find as url;

/// The scheme.
pub const SCHEME: &str = "git";
