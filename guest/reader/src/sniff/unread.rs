//! A format that is not read, and the program that reads it.

/// A format that the reader does not read.
#[derive(Debug, PartialEq, Eq)]
pub struct Other {
    /// The name of the format.
    pub name: &'static str,
    /// A command that reads the file. Empty if there is no common one.
    pub tool: &'static str,
}

/// A format and a program.
pub const fn other(name: &'static str, tool: &'static str) -> Other {
    Other { name, tool }
}
