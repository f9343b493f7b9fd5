//! The items that are read next: paths of the list, and the children of those that are expanded.

use crate::order::Position;
use crate::progress::Progress;
use crate::row::Outcome;
use crate::seen::{About, Seen};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::vec;

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// A path to read.
    Path(PathBuf),
    /// A pattern of files, such as `src/**/*.rs`.
    Pattern(String),
    /// A line that is too long for a path, with its number, counted from 1. It was skipped.
    TooLong(u64),
}

/// The list. Every iterator over paths is one.
pub trait Paths: Send {
    /// The next entry. `None` is the end.
    ///
    /// # Errors
    /// Fails if the list cannot be read to its end.
    fn next_entry(&mut self) -> io::Result<Option<Entry>>;

    /// Whether the next entry is there. Otherwise, rows are written before it is waited for.
    fn is_ready(&self) -> bool {
        true
    }
}

impl<I: Iterator<Item = PathBuf> + Send> Paths for I {
    fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        Ok(self.next().map(Entry::Path))
    }
}

/// What is done with the path of an item.
#[derive(Debug)]
pub(crate) enum What {
    /// It is read. `is_listed` says that it is in the list, so that a directory may be expanded.
    Path { is_listed: bool },
    /// A member of an archive. If no member has this path, the listing may mean another path.
    Member { other: Option<String> },
    /// A further page of a path, with its number. The first page is number 1.
    Page(usize),
    /// It was read before its next page was found.
    Read(Box<Outcome>),
    /// It is a directory, which is expanded.
    Directory,
    /// It is a pattern of files.
    Pattern,
    /// It is not a path, because the line with this number was too long.
    TooLong(u64),
    /// It is a directory or an archive of which not all entries are known.
    Failed(Box<Outcome>),
}

impl What {
    /// Whether the path is that of one row.
    pub(crate) fn has_path(&self) -> bool {
        matches!(
            self,
            Self::Path { .. } | Self::Member { .. } | Self::Page(_) | Self::Read(_)
        )
    }
}

/// The archives that an item is in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inside {
    /// Their number.
    pub(crate) archives: usize,
    /// The number of all members of archives to which the item of the list has led.
    pub(crate) members: Arc<AtomicUsize>,
}

/// An item of which a thread makes a row, or other items.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) path: Box<Path>,
    pub(crate) what: What,
    pub(crate) position: Position,
    pub(crate) inside: Inside,
}

/// A child of an item.
#[derive(Debug)]
pub(crate) struct Child {
    pub(crate) path: String,
    pub(crate) what: What,
}

impl Child {
    pub(crate) fn new(path: String, what: What) -> Self {
        Self { path, what }
    }
}

/// The children of an item that were not taken yet.
struct Expanded {
    position: Position,
    inside: Inside,
    children: vec::IntoIter<Child>,
    taken: u64,
}

/// The queue of a batch.
pub(crate) struct Queue<P> {
    /// The list. `None` while a thread waits for its next entry.
    pub(crate) list: Option<P>,
    /// Whether the list is at its end.
    pub(crate) has_ended: bool,
    /// Why the list could not be read to its end.
    pub(crate) failed: Option<io::Error>,
    /// The number of items that threads read now, which may be expanded.
    pub(crate) busy: usize,
    /// The number of items of the list.
    count: u64,
    /// Items that are expanded, by the numbers of the position of their next child.
    expanded: BTreeMap<Vec<u64>, Expanded>,
}

impl<P: Paths> Queue<P> {
    pub(crate) fn new(list: P) -> Self {
        Self {
            list: Some(list),
            has_ended: false,
            failed: None,
            busy: 0,
            count: 0,
            expanded: BTreeMap::new(),
        }
    }

    /// The first child of all items that are expanded. No later one is taken before it: a row of such a one could wait
    /// for it until nothing more fits into memory.
    pub(crate) fn child(&mut self) -> Option<Item> {
        let (_, mut expanded) = self.expanded.pop_first()?;
        let child = expanded.children.next()?;
        let is_last = expanded.children.len() == 0;
        let position = expanded.position.child(expanded.taken, is_last);
        expanded.taken += 1;
        let inside = expanded.inside.clone();
        if !is_last {
            self.insert(expanded);
        }
        Some(Item {
            path: PathBuf::from(child.path).into(),
            what: child.what,
            position,
            inside,
        })
    }

    fn insert(&mut self, expanded: Expanded) {
        let next = expanded.position.child(expanded.taken, false);
        self.expanded.insert(next.numbers(), expanded);
    }

    /// The item of an entry of the list. `None` if it needs no row.
    pub(crate) fn accept(
        &mut self,
        entry: Entry,
        seen: &mut Seen,
        progress: &Progress,
    ) -> Option<Item> {
        let position = Position::of_list(self.count);
        let (path, what) = match entry {
            Entry::Path(path) => (path, What::Path { is_listed: true }),
            Entry::Pattern(pattern) => (pattern.into(), What::Pattern),
            Entry::TooLong(line) => (PathBuf::new(), What::TooLong(line)),
        };
        // A pattern is not a path. What it leads to is.
        let about = About {
            path: &path,
            is_path: what.has_path(),
        };
        if about.is_path
            && (path.as_os_str().is_empty() || !seen.accept(about, position.entry(), progress))
        {
            return None;
        }
        self.count += 1;
        Some(Item {
            path: path.into(),
            what,
            position,
            inside: Inside::default(),
        })
    }

    /// Replaces an item by its children. Each child needs a row. Returns false if the item has no children.
    pub(crate) fn expand(
        &mut self,
        (position, inside): (Position, Inside),
        children: Vec<Child>,
    ) -> bool {
        if children.is_empty() {
            return false;
        }
        let expanded = Expanded {
            children: children.into_iter(),
            taken: 0,
            position,
            inside,
        };
        self.insert(expanded);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::done::Done;

    fn file(path: &str) -> Child {
        Child {
            path: path.to_owned(),
            what: What::Path { is_listed: false },
        }
    }

    fn queue() -> Queue<vec::IntoIter<PathBuf>> {
        Queue::new(Vec::new().into_iter())
    }

    #[test]
    fn path_has_one_item() {
        let progress = Progress::default();
        let mut seen = Seen::new(Done::default(), true);
        let mut queue = queue();
        let mut accept = |path: &str| {
            let item = queue.accept(Entry::Path(path.into()), &mut seen, &progress);
            item.map(|item| item.position.numbers())
        };
        assert_eq!(accept("a"), Some(vec![0]));
        assert_eq!(accept("a"), None);
        assert_eq!(accept(""), None);
        assert_eq!(accept("b"), Some(vec![1]));
        assert_eq!(progress.now().repeated, 1);
    }

    #[test]
    fn children_are_taken_in_order() {
        let mut queue = queue();
        let later = Position::of_list(4);
        let earlier = Position::of_list(3);
        assert!(queue.expand((later, Inside::default()), vec![file("e/a")]));
        let children = ["d/a", "d/c"].map(file);
        assert!(queue.expand((earlier.clone(), Inside::default()), children.into()));
        assert!(!queue.expand((earlier, Inside::default()), Vec::new()));
        let taken: Vec<_> = std::iter::from_fn(|| queue.child()).collect();
        let paths: Vec<_> = taken.iter().map(|item| item.path.to_str()).collect();
        assert_eq!(paths, [Some("d/a"), Some("d/c"), Some("e/a")]);
        assert_eq!(taken[1].position, Position::of_list(3).child(1, true));
    }

    #[test]
    fn children_of_a_child_are_taken_before_the_next_child() {
        let mut queue = queue();
        let parent = Position::of_list(0);
        assert!(queue.expand(
            (parent, Inside::default()),
            ["d/a", "d/b", "d/c"].map(file).into()
        ));
        let first = queue.child().expect("a child");
        let second = queue.child().expect("a child");
        assert!(queue.expand((second.position, second.inside), vec![file("d/b/x")]));
        assert!(queue.expand(
            (first.position, first.inside),
            ["d/a/x", "d/a/y"].map(file).into()
        ));
        let taken: Vec<_> = std::iter::from_fn(|| queue.child()).collect();
        let paths: Vec<_> = taken.iter().map(|item| item.path.to_str()).collect();
        assert_eq!(paths, ["d/a/x", "d/a/y", "d/b/x", "d/c"].map(Some));
    }
}
