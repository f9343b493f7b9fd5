//! Containers: archives and compressed streams. A container is a source of further
//! sources. Nothing is extracted to disk.

pub mod archive;
pub mod crc32;
pub mod inflate;
pub mod shared;
