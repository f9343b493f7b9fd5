//! What the reader may reach, and the enforcement of it.

mod filesystem;
mod pattern;
mod platform;
mod policy;
mod root;
mod rules;
mod stop;
mod view;
mod walk;

pub use policy::{Policy, Refusal};
pub use root::PolicyError;
pub use stop::{CancelToken, PROCESSOR_TIME_IS_KNOWN, Stop, Stopped, processor_time};
pub use view::{Descriptor, EntryStream, Filesystem, View};
