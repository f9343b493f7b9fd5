//! What a session has shown before a read.

/// A place at which the lines of a snapshot differ from those that were shown before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The number of the first line that differs. If no line differs, lines were removed before it.
    pub first: i64,
    /// The number of lines that differ.
    pub lines: u64,
    /// The number of lines that were shown before in the place of these.
    pub before: u64,
}

/// How the lines of a snapshot compare with those that were shown of the file before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The file is unchanged, or nothing of it was shown before.
    Unchanged,
    /// The file has changed, with the places at which these lines differ.
    Changed(Vec<Change>),
    /// The file has changed. The lines cannot be compared.
    Unknown,
}

/// An earlier read with the same reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// The path that was read.
    pub path: String,
    /// The time since then in seconds.
    pub age: u64,
}
