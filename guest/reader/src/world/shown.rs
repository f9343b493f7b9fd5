//! What a session has shown.

use super::Time;

/// Consecutive lines that a reply showed completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLines {
    /// The number of the first line. A negative number counts from the end.
    pub first: i64,
    /// The number of the last line.
    pub last: i64,
    /// The text of the lines as it was shown, without numbers, joined by `\n`. `None` if the host does
    /// not keep it.
    pub text: Option<String>,
}

/// The part of a file that a reply showed to an agent, and the state of the file at that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The absolute path of the file.
    pub path: String,
    /// The tag in the reply: a checksum of the text, which edit tools compare before they write.
    pub tag: Option<String>,
    /// The runs of consecutive lines that were shown completely.
    pub shown: Vec<ShownLines>,
    /// The number of lines of the whole text, if they were counted.
    pub total: Option<u64>,
    /// The size of the file on disk in bytes.
    pub size: Option<u64>,
    /// Time of the last change.
    pub modified: Option<Time>,
    /// The SHA-256 of the bytes on disk, if it was requested.
    pub sha256: Option<String>,
}

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

/// The images that replies have shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShownImages {
    /// The number of images.
    pub count: u64,
    /// Their tokens, as estimates.
    pub tokens: u64,
}

impl ShownImages {
    /// Adds an image.
    pub fn add(&mut self, tokens: u64) {
        self.count = self.count.saturating_add(1);
        self.tokens = self.tokens.saturating_add(tokens);
    }
}

/// An earlier read with the same reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// The path that was read.
    pub path: String,
    /// The time since then in seconds.
    pub age: u64,
}
