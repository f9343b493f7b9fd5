//! GitHub and GitHub Enterprise: their pages, and what `issue://` and `pr://` show.
//!
//! ```text
//! remote    the text of `.git/config` → the repository of a workspace
//! scheme    the text after `issue://` or `pr://` → an address
//! address   a URL → the page that it is
//! pages     repositories, releases, gists, runs of workflows
//! files     files and directories at a revision
//! commits   commits, their lists, comparisons
//! thread    issues and pull requests
//! comments  their comments, reviews and comments on lines
//! list      listings of issues and pull requests
//! diff      unified diffs: their files, and one of them
//! forge     a repository, its addresses, and requests to its API
//! ```
//!
//! The text of a user, such as a comment, is never a heading of a page above level 4, so that no comment can
//! imitate another one.

mod comments;
mod diff;
mod forge;
mod list;
mod scheme;
mod thread;

pub use diff::{
    File as DiffFile, Status as DiffStatus, diff_text, file as diff_file, files as diff_files,
    listing as diff_listing,
};
pub use forge::{Forge, Kind, Links, PUBLIC_HOST, is_name};
pub use list::{Filter, State, list};
pub use scheme::{Address, DiffPart, Repository, Target, WrongAddress, parse};
pub use thread::{Ask, Thread, thread};
