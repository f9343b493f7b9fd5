//! Opens the content that a path names.
//!
//! ```text
//! resolve      path → open file, stream or directory, and the suffix of the path
//! repair       replacements and similar names for a path that does not exist
//! respell      other spellings of a path that names nothing
//! pattern      matches for a path that does not exist and is a glob pattern
//! search       shared parts of repair and pattern
//! symlinks     all paths by which a file is reached through symlinks
//! ignore       ignore files, in dialects that honour them
//! enter        suffix of the path → member, directory of an archive, or database
//! member       one step of enter: the member or directory that a path names in an archive
//! peeked       a source whose first bytes were read for detection
//! attached     attachments of mails, mailboxes and PDF documents
//! labels       labels of pages of PDF documents
//! document     documents that the document engine opens
//! package      documents of office programs, which are archives of their parts
//! lookup       directories, links and misspelled names in archives
//! companion    the journal or write-ahead log of a database in an archive
//! database     a database with its journal and write-ahead log
//! misdirected  failures for suffixes that do not apply to a file
//! unnamed      failures for paths that name no file
//! ```

mod attached;
mod companion;
mod database;
mod document;
mod enter;
mod ignore;
mod labels;
mod lookup;
mod member;
mod misdirected;
mod package;
mod pattern;
mod peeked;
mod repair;
mod resolve;
mod respell;
mod search;
mod symlinks;
mod unnamed;

pub use attached::{enter_attachment, note as attachments_note};
pub use database::Database;
pub use document::{OpenDocument, of_text, open as open_document};
pub use enter::{Content, Denies, Inside, Members, enter};
pub use ignore::check_ignored;
pub use misdirected::{not_in_root, selector};
pub use peeked::Peeked;
pub use repair::normalize;
pub use resolve::{Opened, Resolved, absolute, resolve};
pub use respell::{spellings, with_hint_of, with_spelling};
pub use search::PRUNED;
