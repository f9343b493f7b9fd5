//! Opens what a path names outside of containers, and the parts of containers that several readers need.
//!
//! ```text
//! resolve      path → open file, stream or directory, and the suffix of the path
//! mounted      internal URLs whose scheme has a mounted directory
//! provided     internal URLs whose resources the host has
//! forge        issues and pull requests of GitHub
//! git          files at revisions of git repositories
//! merged       one listing of the directories of several mounts
//! opened       the open file, stream or directory, once its path is known
//! repair       replacements and similar names for a path that does not exist
//! respell      other spellings of a path that names nothing
//! pattern      matches for a path that does not exist and is a glob pattern
//! search       shared parts of repair and pattern
//! symlinks     all paths by which a file is reached through symlinks
//! ignore       ignore files, in dialects that honour them
//! peeked       a source whose first bytes were read for detection
//! attachments  which attachments of documents may be read
//! labels       labels of pages of PDF documents
//! document     documents that the document engine opens
//! database     a database with its journal and write-ahead log
//! misdirected  failures for suffixes that do not apply to a file
//! unnamed      failures for paths that name no file
//! wanted       what a read wants of a path, besides what the path states
//! ```

mod attachments;
mod database;
mod document;
mod forge;
mod git;
mod ignore;
mod labels;
mod merged;
mod misdirected;
mod mounted;
mod opened;
mod pattern;
mod peeked;
mod provided;
mod repair;
mod resolve;
mod respell;
mod search;
mod symlinks;
mod unnamed;
mod wanted;

pub use attachments::{attachments_note, denied_attachment};
pub use database::{Database, LOG, MemoryCompanions, companion, journal_to_memory, to_memory};
pub use document::{OpenDocument, of_text, open as open_document};
pub use ignore::check_ignored;
pub use labels::{nothing_selected, with_number as page_with_label, without_prefix};
pub use misdirected::{no_part, not_in_root, read_once, selector, too_deep};
pub use opened::{Opened, Resolved, decoded_members};
pub use pattern::of_members as members_matching;
pub use peeked::Peeked;
pub use repair::{normalize, similar_names, there_is_in};
pub use resolve::{absolute, name_length, resolve};
pub use respell::{spellings, with_hint_of, with_spelling};
pub use search::PRUNED;
pub use wanted::Wanted;
