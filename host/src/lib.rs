//! Reads anything as text for a model: one path string in, blocks out. Every parser runs inside
//! a WebAssembly sandbox.
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
//! A [`Reader`] defines which files reads may access, and the limits of a read. A [`Session`]
//! remembers which files and lines were shown. Each read runs in a fresh instance of the reader
//! component, with its own memory and time.
//!
//! A read blocks the calling thread. From async code, call it where blocking is allowed. A
//! process runs at most 64 reads at a time. The others wait. The timeout counts the time on the
//! processor, and stops a read also after twenty times that time in all.
//!
//! [`Reader`], [`Session`], [`Reply`], [`Failure`] and [`CancelToken`] are `Send` and `Sync`.
//!
//! # Features
//!
//! All are on by default. With `default-features = false`, choose those that you need:
//!
//! | feature | contents |
//! |---|---|
//! | `documents` | PDF, office documents, e-books and mails. Without it, such a file is named with its format and size |
//! | `net` | web addresses, on hosts that a [`Network`] grants. Without it, every address is refused |
//! | `cli` | the command line: the module [`cli`] and the program `omniread` |
//! | `mcp` | the MCP server, `omniread mcp`. Enables `cli` |
//!
//! # Modules
//!
//! The modules, from the outside in:
//!
//! * [`cli`] is the command line: it parses arguments, calls the library and prints.
//! * `serve` answers requests on standard input. `mcp` connects the library with the MCP server, which
//!   is a crate of its own. `json` and `tools` write replies and tool definitions as JSON.
//! * `session` runs reads. `snapshots` and `cache` keep the state between reads.
//! * `builder` creates a `reader`, which contains roots, deny rules and limits. `failure` is the error of
//!   a read, and `reply` has the accessors of its result.
//! * `component` loads the code of the reader. `imports` and `state` implement its imports.
//! * `resources` are the internal URLs that an application adds. `network` are the hosts that reads
//!   may connect to.
//! * `engines` runs SQLite, the image decoders and the converters of documents and PDF. `link` contains the imports that they share
//!   with the reader.
//! * `runtime` supplies instances with memory (`pool`) and stops them when their time is up
//!   (`ticker`). `sandbox` enforces which files they may access.

mod access;
mod bindings;
mod budget;
mod builder;
mod cache;
#[cfg(feature = "cli")]
pub mod cli;
mod code;
mod component;
mod config;
mod dialect;
mod engines;
mod failure;
mod handles;
mod imports;
mod json;
mod limits;
mod link;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "net")]
mod network;
mod pool;
mod reader;
mod reply;
mod resources;
mod runtime;
mod sandbox;
#[cfg(feature = "cli")]
mod serve;
mod session;
mod session_state;
mod snapshots;
mod sparse;
mod state;
mod system;
mod ticker;
mod tools;

pub use bindings::exports::omniread::read::types::{
    ArchiveDetails, AttachmentDetails, BinaryDetails, BinaryFile, Block, Cut, DatabaseDetails,
    DatabasePart, Definition, Details, Dialect, Dimensions, DirectoryDetails, Display,
    DocumentDetails, Escapes, IgnoreRule, ImageDetails, ImageHeader, Kind, Limit, LimitExceeded,
    LineEnding, Media, NetworkError, Payload, Reason, Reply, Resolution, Span, SpecialFile, Stamp,
    State, SymlinkEscape, TextDetails, Total, UnitKind, Units, Unreachable, Web, Window,
};
pub use builder::{BuildError, Builder, SandboxError};
pub use failure::Failure;
pub use json::{definition as definition_to_json, outcome as outcome_to_json};
pub use limits::{DEFAULT_ENGINE_MEMORY, DEFAULT_MEMORY, DEFAULT_READS_MEMORY, DEFAULT_TIMEOUT};
#[cfg(feature = "net")]
pub use network::{Network, SettingError};
pub use omniread_options::{ImageOptions, OptionError, Options, SETTINGS, Setting};
pub use reader::Reader;
pub use resources::{Provider, Resource, ResourceError};
#[cfg(feature = "net")]
pub use sandbox::net::{
    DEFAULT_NET_BYTES, DEFAULT_NET_TIMEOUT, Grant, GrantError, Progress, Proxy, ProxyError,
    Received, Resolve,
};
pub use sandbox::{Bytes, CancelToken, PolicyError};
pub use session::Session;
pub use snapshots::{Snapshot, Staleness};
pub use tools::Api;

#[cfg(feature = "cli")]
pub(crate) use bindings::omniread::read::images::Encodings;
#[cfg(feature = "cli")]
pub(crate) use reader::Pixels;

/// The types that programs share between threads.
const _: () = {
    const fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Reader>();
    is_shared::<Session>();
    is_shared::<Reply>();
    is_shared::<Failure>();
    is_shared::<CancelToken>();
    is_shared::<Builder>();
};
