//! The kinds of objects.

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectKind {
    /// A commit.
    Commit,
    /// A directory.
    Tree,
    /// The content of a file.
    Blob,
    /// An annotated tag.
    Tag,
}

impl ObjectKind {
    /// The name in object headers: `commit`, `tree`, `blob` or `tag`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
            Self::Tag => "tag",
        }
    }

    /// The kind with a name in object headers.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        match name {
            b"commit" => Some(Self::Commit),
            b"tree" => Some(Self::Tree),
            b"blob" => Some(Self::Blob),
            b"tag" => Some(Self::Tag),
            _ => None,
        }
    }
}
