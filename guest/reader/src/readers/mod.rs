//! What bytes mean: one module and one entry function for each kind. No reader
//! knows another, and none prints. `kinds` is shared by those that list.

pub mod archive;
pub mod binary;
pub mod directory;
pub mod document;
mod kinds;
pub mod notebook;
pub mod picture;
pub mod sqlite;
pub mod text;
