//! The configuration of the command line: files, merged with the options of the command line and the
//! environment.
//!
//! A *user file* may set everything. A *workspace file* is part of a directory that others may have written,
//! so it may only restrict reads: add deny rules, and lower limits.
//!
//! Modules import only from modules below them in this table.
//!
//! | module | contents |
//! |---|---|
//! | `files` | the places of files, and how they are read |
//! | `parse` | the parser of files |
//! | `check` | values of files, checked by the kinds of their keys |
//! | `source` | what paths of a file are relative to |
//! | `merge` | the merge of layers, with what a workspace file may not set |
//! | `render` | the output of `omniread config` |
//! | `effective` | the values that apply |
//! | `reference`, `schema` | the documentation and the JSON Schema |
//! | `write` | values as TOML |
//! | `layer` | the values of one file, of the command line or of the environment |
//! | `ignored` | entries without effect, with the reasons |
//! | `error` | the problems of a file, with positions |
//! | `keys` | the table of keys |
//! | `kind`, `time`, `value`, `escape`, `limits` | kinds of values, values, and limits |

mod check;
mod effective;
mod error;
mod escape;
mod files;
mod ignored;
mod keys;
mod kind;
mod layer;
pub mod limits;
mod merge;
mod parse;
mod reference;
mod render;
mod schema;
mod source;
mod time;
mod value;
mod write;

pub use effective::{Effective, Server};
pub use error::{ConfigError, Problem};
pub use files::{home, read_user, read_workspace, user_file};
pub use ignored::{Ignored, Why};
pub use keys::{Key, Merge, Rule, Table, keys, of_variable};
pub use kind::{DIALECTS, Form, Kind};
pub use layer::{Layer, ValueError};
pub use merge::Layers;
pub use reference::reference;
pub use schema::schema;
pub use source::{Source, WORKSPACE_FILE};
pub use time::parse_time;
pub use value::{Entry, Header, HeaderError, HeaderSource, Origin, Place, Secret, Value};
