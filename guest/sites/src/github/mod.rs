//! GitHub and GitHub Enterprise: their pages, and what `issue://` and `pr://` show.
//!
//! ```text
//! site      the handler: a URL → a page
//! remote    the settings in `.git/config` → the repository of a workspace
//! scheme    the text after `issue://` or `pr://` → an address
//! address   a URL → the page that it is
//! pages     repositories, releases, wikis, gists, runs of workflows
//! files     files and directories at a revision
//! commits   commits, their lists, comparisons
//! thread    issues and pull requests
//! comments  their comments, reviews and comments on lines
//! list      listings of issues and pull requests
//! diff      unified diffs: their files, and one of them
//! cursor    pages of a list of files, whose replies may be too large
//! forge     a repository, its addresses, and requests to its API
//! ```
//!
//! The text of a user, such as a comment, has no heading above level 4, so that no comment can imitate another
//! one.

mod address;
mod comments;
mod commits;
mod cursor;
mod diff;
mod files;
mod forge;
mod list;
mod pages;
mod remote;
mod scheme;
mod site;
#[cfg(test)]
mod tests;
mod thread;

pub use diff::{Diff, diff_text, file as diff_file, listing as diff_listing};
pub use forge::{Forge, Kind, Links, PUBLIC_HOST};
pub use list::{Filter, State, list};
pub use remote::{Config, NoRemote};
pub use scheme::{Address, DiffPart, Repository, Target, WrongAddress, parse};
pub use site::GitHub;
pub use thread::{Ask, Thread, thread};
