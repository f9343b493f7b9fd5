//! The access rights of reads, and their enforcement.

mod complete;
mod entries;
mod examined;
mod filesystem;
mod folders;
mod helpers;
mod kept;
mod listing;
#[cfg(feature = "net")]
pub mod net;
mod pattern;
mod platform;
mod policy;
mod processes;
mod processor;
mod read_time;
mod root;
mod rules;
mod search;
mod share;
mod source;
mod stop;
mod view;
mod wait;
mod waits;
mod walk;

pub use complete::{Entries, complete, complete_mounted, entries_of};
pub use examined::{Examined, allows, examine, stamp};
pub use listing::Listing;
pub use platform::unavailable;
pub use policy::{Policy, Refusal};
pub use processor::{ProcessorLimit, ThreadClock, processor_time};
pub use read_time::ReadTime;
pub use root::PolicyError;
pub use search::look::Wanted;
pub use source::{Bytes, Source};
pub use stop::{CancelToken, Stop, Stopped};
pub use view::{Filesystem, View};
pub use wait::{NoResult, wait, wait_within};
pub use waits::Waits;
