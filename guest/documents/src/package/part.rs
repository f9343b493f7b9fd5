//! The content of a part.

/// The content of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The bytes, up to the damage if there is any.
    pub bytes: Vec<u8>,
    /// The reason why the part is not complete.
    pub damage: Option<String>,
}
