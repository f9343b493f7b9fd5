//! What bytes mean: one module and one entry function for each kind. No reader
//! knows another, and none prints.

pub mod archive;
pub mod binary;
pub mod directory;
pub mod document;
pub mod notebook;
pub mod picture;
pub mod sqlite;
pub mod text;
