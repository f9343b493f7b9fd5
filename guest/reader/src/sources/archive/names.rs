//! The names of members: what they mean, and the tree that they make.

use super::{Catalogue, MemberKind};
use std::collections::BTreeMap;

/// A name as paths mean it: parts with `/` between them, without `.` and
/// empty ones. `None` if it is absolute or leads out of the archive, so that
/// nothing is called by it.
pub fn normal(name: &str) -> Option<String> {
    let absolute = name.starts_with(['/', '\\']) || name.get(1..3) == Some(":\\");
    let parts: Vec<&str> = name
        .split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .collect();
    (!absolute && !parts.contains(&"..")).then(|| parts.join("/"))
}

/// How many names stand for several files.
pub fn duplicates(catalogue: &Catalogue) -> usize {
    let files = catalogue.members.iter();
    let files = files.filter(|member| member.kind == MemberKind::File);
    let mut names: Vec<&str> = files.map(|member| member.name.as_str()).collect();
    names.sort_unstable();
    let mut several: Vec<&str> = names
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if a == b => Some(*a),
            _ => None,
        })
        .collect();
    several.dedup();
    several.len()
}

/// What stands under a name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A directory.
    Directory,
    /// A file of so many bytes.
    File(u64),
    /// A link, and where it leads.
    Link(String),
    /// Something else.
    Other,
}

/// The children of a directory, by name.
pub type Children = BTreeMap<String, Child>;

/// The directories that names make.
pub struct Tree<'c> {
    catalogue: &'c Catalogue,
}

impl<'c> Tree<'c> {
    /// The tree of a catalogue.
    pub fn new(catalogue: &'c Catalogue) -> Self {
        Self { catalogue }
    }

    /// The children of a directory, the root being the empty name; `None` if
    /// there is no such directory. Names that lead out of the archive stand in
    /// the root as they are written.
    pub fn children(&self, directory: &str) -> Option<Children> {
        let mut children = Children::new();
        let mut found = directory.is_empty();
        for member in &self.catalogue.members {
            let Some(name) = normal(&member.name) else {
                if directory.is_empty() {
                    children.insert(member.name.clone(), Child::of(&member.kind, member.size));
                }
                continue;
            };
            let rest = if directory.is_empty() {
                name.as_str()
            } else {
                match name.strip_prefix(directory) {
                    Some("") => {
                        found |= member.kind == MemberKind::Directory;
                        continue;
                    }
                    Some(rest) => match rest.strip_prefix('/') {
                        Some(rest) => rest,
                        None => continue,
                    },
                    None => continue,
                }
            };
            found = true;
            match rest.split_once('/') {
                Some((first, _)) => {
                    children.insert(first.to_owned(), Child::Directory);
                }
                None if rest.is_empty() => {}
                None => {
                    let child = Child::of(&member.kind, member.size);
                    // A directory that has members stays one.
                    let known = children.get(rest) == Some(&Child::Directory);
                    if !known {
                        children.insert(rest.to_owned(), child);
                    }
                }
            }
        }
        found.then_some(children)
    }
}

impl Child {
    fn of(kind: &MemberKind, size: u64) -> Self {
        match kind {
            MemberKind::File => Self::File(size),
            MemberKind::Directory => Self::Directory,
            MemberKind::Link(target) => Self::Link(target.clone()),
            MemberKind::Other => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_have_no_meaning() {
        for (name, expected) in [
            ("a/b", Some("a/b")),
            ("./a//b/", Some("a/b")),
            ("a/./b", Some("a/b")),
            ("/a", None),
            ("\\a", None),
            ("C:\\a", None),
            ("../a", None),
            ("a/../b", None),
            ("a..b", Some("a..b")),
        ] {
            assert_eq!(normal(name).as_deref(), expected, "{name}");
        }
    }
}
