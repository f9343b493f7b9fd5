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
//! [`Reply`], [`Failure`] and [`Definition`] implement `Serialize`: `serde_json::to_string(&reply)` is what
//! `omniread --json` prints.
//!
//! # Names
//!
//! What most programs need is at the root of the crate. The rest is in modules:
//!
//! | module | contents |
//! |---|---|
//! | [`details`] | the parts of [`Details`], the facts about a reply |
//! | [`errors`] | the parts of [`Failure`] and of other errors |
//! | [`files`] | whether a file has changed since it was read |
//! | [`images`] | images of a reply, converted for terminals |
//! | [`limits`] | the default limits of a read |
//! | `mcp_servers` | MCP servers whose resources are read, with the feature `mcp-client` |
//! | `network` | grants, proxies and the progress of requests, with the feature `net` |
//! | [`options`] | the table of [`Options`] |
//! | [`resources`] | internal URLs that an application adds |
//! | [`sessions`] | handles, limits and errors of what a session keeps |
//!
//! Enums that may get variants and structs that may get fields are not exhaustive. Types of replies and
//! failures implement traits of wasmtime, by which the sandbox returns them. These implementations are not
//! part of the API, and no signature in it has a type of wasmtime.
//!
//! # Features
//!
//! All but `mcp-client` are on by default. With `default-features = false`, choose those that you need:
//!
//! | feature | contents |
//! |---|---|
//! | `documents` | PDF, office documents, e-books and mails. Without it, such a file is named with its format and size |
//! | `net` | web addresses, on hosts that a [`Network`] grants. Without it, every address is refused |
//! | `mcp-client` | `McpServers`, a provider of `mcp://` URLs: the resources of MCP servers that a user configured |
//!
//! # Code
//!
//! The modules with the code, from the outside in:
//!
//! * `json` and `tools` write replies and tool definitions as JSON. [`images`] converts the images of a
//!   reply for terminals.
//! * `session` runs reads. `opened_session` has its state in a directory, `stored` is what a program adds to it, and
//!   `shown` has its generations and files. `snapshots` are what the reads showed, which the crate `omniread-store`
//!   keeps, and `compared` and `changes` compare it with the present.
//! * `skills` are read for clients of MCP.
//! * `builder` creates a `reader`, which contains roots, deny rules and limits. `types` are replies and
//!   failures.
//! * `component` loads the code of the reader. `imports` and `state` implement its imports.
//! * [`resources`] are the internal URLs that an application adds. `providers` finds the one of a scheme, or
//!   the built-in `guide`. `network` are the hosts that reads
//!   may connect to.
//! * `engines` runs SQLite, the image decoders and the converters of documents and PDF. `link` contains the imports that they share
//!   with the reader.
//! * `runtime` supplies instances with memory (`pool`) and stops them when their time is up
//!   (`ticker`). `upkeep` cleans up instances and prepares others (`spare`) between reads. `sandbox` enforces which files they may access.

mod access;
mod aligned;
mod artifacts;
mod bindings;
mod budget;
mod builder;
mod changes;
mod code;
mod compared;
mod component;
mod config;
mod engines;
mod guide;
mod handles;
pub mod images;
mod imports;
mod instances;
mod json;
#[cfg(target_os = "linux")]
mod large_pages;
pub mod limits;
mod link;
#[cfg(feature = "mcp-client")]
pub mod mcp_servers;
#[cfg(feature = "net")]
pub mod network;
mod opened_session;
mod pool;
mod providers;
mod reader;
mod refresh;
pub mod resources;
mod runtime;
mod safepoints;
mod sandbox;
mod session;
mod session_state;
mod shown;
mod skills;
mod snapshots;
mod spare;
mod sparse;
mod state;
mod stored;
mod system;
mod ticker;
mod tools;
mod types;
mod upkeep;

pub use builder::{BuildError, Builder};
#[cfg(feature = "mcp-client")]
pub use mcp_servers::McpServers;
#[cfg(feature = "net")]
pub use network::Network;
pub use omniread_options::{GitHubOptions, ImageOptions, Options};
pub use opened_session::OpenedSession;
pub use reader::Reader;
pub use refresh::Refresh;
pub use sandbox::CancelToken;
pub use session::Session;
pub use tools::Api;
pub use types::{Block, Definition, Details, Dialect, Failure, Kind, Media, Reason, Reply};
pub use upkeep::AfterReply;

/// The parts of [`Details`], the facts about a reply.
pub mod details {
    pub use crate::types::{
        ArchiveDetails, AttachmentDetails, BinaryDetails, Cut, DatabaseDetails, DatabasePart,
        Dimensions, DirectoryDetails, Display, DocumentDetails, Escapes, ImageDetails, ImageHeader,
        Limit, LineEnding, Method, Part, Payload, Resolution, Span, TextDetails, Tokens, Total,
        UnitKind, Units, Web, Window,
    };
}

/// The parts of errors: of [`Failure`], of [`BuildError`], and of wrong options.
pub mod errors {
    pub use crate::builder::SandboxError;
    pub use crate::sandbox::PolicyError;
    pub use crate::types::{
        BinaryFile, IgnoreRule, LimitExceeded, NetworkError, SpecialFile, SymlinkEscape,
        Unreachable,
    };
    pub use omniread_options::OptionError;
}

/// What a session keeps between reads.
pub mod sessions {
    pub use crate::stored::StoreFromError;
    pub use omniread_store::{
        ArtifactSummary, Dropped, Handle, PathSummary, SetAside, StoreError, StoreLimits,
    };
}

/// The entries of directories, and the state of files, from which a change since a read can be detected.
pub mod files {
    pub use crate::changes::{Changes, Hunk};
    pub use crate::sandbox::Entries;
    pub use crate::snapshots::{Snapshot, Staleness, Tagged};
    pub use crate::types::{FileState, Stamp};
}

/// Skills in the form in which the skills extension of MCP serves them: see [`Session::skills`].
pub mod served {
    pub use crate::skills::{
        ManifestFile, Skill, SkillEntries, SkillEntry, SkillPage, SkippedSkill,
    };
}

/// The table of [`Options`]: their names, their values and their help.
pub mod options {
    pub use omniread_options::{SETTINGS, Setting};
}

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
