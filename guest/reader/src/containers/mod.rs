//! Files that contain others: archives, and compressed streams. Each is a source
//! of sources, and nothing is unpacked anywhere.

pub mod archive;
pub mod inflate;
pub mod shared;
