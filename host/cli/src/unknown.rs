//! Parts of a reply that this program does not know, because its library is newer.

/// The notice in place of a block of an unknown kind.
pub const UNKNOWN_BLOCK: &str = "[a part of the reply has a kind that this program does not show]";
