//! Reading anything as text for a model: one path string in, blocks out, with
//! every parser inside a WebAssembly sandbox.
//!
//! ```
//! let directory = std::env::temp_dir().join("omniread-doc");
//! std::fs::create_dir_all(&directory)?;
//! std::fs::write(directory.join("hello.txt"), "hello\nworld\n")?;
//!
//! let reader = omniread::Reader::builder().root(&directory).deny(".env").build()?;
//! let reply = reader.session().read("hello.txt:2-2")?;
//! assert_eq!(reply.details.next, None);
//! assert!(reply.text().contains("2:world"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Reader`] holds what may be reached, a [`Session`] what was shown. Every
//! read runs in a fresh instance of the reader component, with its own memory
//! and deadline, and blocks the calling thread: from async code call it where
//! blocking is allowed. 64 reads run at a time in a process; others wait for
//! their turn, which counts towards their deadline.
//!
//! The parts, from the outside in:
//!
//! * [`cli`] is a front end: it parses, calls and prints.
//! * `session` reads; `snapshots` and `cache` keep what outlives a read.
//! * `builder` sets a `reader` up, which knows what may be reached.
//! * `component` is the code of the reader, and what it imports; `imports` and
//!   `state` answer it.
//! * `resources` are what an application adds to files.
//! * `engines` run beside it. `link` has what both may import.
//! * `runtime` gives instances memory (`pool`) and time (`ticker`); `sandbox`
//!   enforces what they may reach.

mod bindings;
mod budget;
mod builder;
mod cache;
#[cfg(feature = "cli")]
pub mod cli;
mod code;
mod component;
mod config;
mod engines;
mod handles;
mod imports;
mod json;
mod kept;
mod limits;
mod link;
mod pool;
mod reach;
mod reader;
mod reply;
mod resources;
mod runtime;
mod sandbox;
mod session;
mod snapshots;
mod state;
mod system;
mod ticker;

pub use bindings::exports::omniread::read::types::{
    ArchiveDetails, AttachmentDetails, BinaryDetails, Block, Cut, DatabaseDetails, Definition,
    Details, Dialect, Dimensions, DirectoryDetails, Display, DocumentDetails, Ending, Escape,
    Exceeded, Failure, Form, Given, Header, IgnoreRule, ImageDetails, Kind, Limit, Marks, Media,
    NetworkError, NotText, Reason, Reply, Resolution, Span, Special, Stamp, State, TextDetails,
    Total, UnitKind, Units, Unreachable, Window,
};
pub use builder::{BuildError, Builder};
pub use json::{definition as definition_to_json, outcome as outcome_to_json};
pub use limits::{DEADLINE, ENGINE_MEMORY, MEMORY};
pub use omniread_options::{ImageOptions, OptionError, Options, SETTINGS, Setting};
pub use reader::Reader;
pub use resources::{Provider, Resource, ResourceError};
pub use sandbox::{Bytes, CancelToken, PolicyError};
pub use session::Session;
pub use snapshots::{Snapshot, Staleness};

#[cfg(feature = "cli")]
pub(crate) use bindings::omniread::read::images::Encodings;
