//! The content of a part.

/// The end of the reason why something is not read in full, if the reason is a limit.
pub const LEFT_OUT: &str = "the rest is left out";

/// The content of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The bytes, up to the damage if there is any.
    pub bytes: Vec<u8>,
    /// The reason why the part is not complete.
    pub damage: Option<String>,
}

/// Whether the reason why something is not read to its end is a limit.
pub fn is_limit(why: &str) -> bool {
    why.ends_with(LEFT_OUT)
}
