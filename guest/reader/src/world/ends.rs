//! A search for paths below a root.

/// A search for paths that end with another one. Symlinks are not followed.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'e> {
    /// The end of the paths, without `..`.
    pub end: &'e str,
    /// The names of the directories that are not searched.
    pub pruned: &'e [&'e str],
    /// The maximum depth of the directories that are searched.
    pub depth: usize,
    /// The maximum number of paths.
    pub most: usize,
    /// The time of the read at which the search ends, in milliseconds.
    pub until: u64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The first paths in the order of a walk that lists directories depth first, the last subdirectory first. They are
    /// relative to the root.
    Paths(Vec<String>),
    /// None, because the time ended before the search.
    Late,
}
