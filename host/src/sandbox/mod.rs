//! What the reader may reach, and the enforcement of it.

mod filesystem;
mod platform;
mod policy;
mod rules;
mod stop;
mod walk;

pub use filesystem::{Descriptor, EntryStream, Filesystem, View};
pub use policy::{Policy, PolicyError, Refusal};
pub use stop::{CancelToken, Stop, Stopped, processor_time};
