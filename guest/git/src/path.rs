//! A path in a tree.

use crate::error::Error;
use crate::id::Id;
use crate::kind::ObjectKind;
use crate::limits;
use crate::object::{Mode, Object, entries};
use crate::repository::Repository;

/// What a path in a tree is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A file, with the id of its content.
    File(Id),
    /// A directory.
    Directory(Object),
    /// A submodule, with a commit of another repository.
    Submodule(Id),
}

/// What was found for a path in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub item: Item,
    /// Its path, after symlinks were followed.
    pub path: String,
    /// The symlinks that were followed, each with its target.
    pub links: Vec<(String, String)>,
}

/// A directory on the way to a path: its name, and its tree.
struct Step {
    name: String,
    tree: Object,
}

impl Repository<'_> {
    /// What a path in a tree is. Symlinks are followed within the tree.
    ///
    /// # Errors
    /// Fails if there is no such path, if a symlink leads out of the tree, or if an object cannot be read.
    pub fn find(&mut self, tree: &Object, path: &str) -> Result<Found, Error> {
        // The parts that are left, the next one last.
        let mut left: Vec<String> = reversed(path);
        let mut steps = Vec::<Step>::new();
        let mut links = Vec::new();
        let mut file = None;
        let mut count = 0_usize;
        while let Some(name) = left.pop() {
            count = count.saturating_add(1);
            if count > limits::PATH_PARTS {
                let limit = limits::PATH_PARTS as u64;
                return Err(Error::limit(
                    "git-path-parts",
                    limit,
                    format_args!("`{path}`"),
                ));
            }
            match name.as_str() {
                "" | "." => continue,
                ".." => {
                    if steps.pop().is_none() {
                        return Err(self.outside(path, &links));
                    }
                    continue;
                }
                _ => {}
            }
            let current = steps.last().map_or(tree, |step| &step.tree);
            let own = joined(&steps, &name);
            let Some((mode, id)) = entry(current, &name)? else {
                let is_inside = left.iter().any(|part| !matches!(part.as_str(), "" | "."));
                let siblings = siblings(current, &joined(&steps, ""), is_inside);
                return Err(Error::NoPath {
                    path: rest(own, &left),
                    siblings,
                });
            };
            match mode {
                Mode::Directory => {
                    let tree = self.tree_object(&id)?;
                    steps.push(Step { name, tree });
                }
                Mode::Symlink => {
                    let target = self.of_kind(&id, ObjectKind::Blob)?.content;
                    let target = String::from_utf8_lossy(&target).into_owned();
                    links.push((own, target.clone()));
                    if links.len() > limits::LINKS {
                        return Err(Error::Links(path.to_owned()));
                    }
                    if target.starts_with('/') {
                        return Err(self.outside(path, &links));
                    }
                    left.extend(reversed(&target));
                }
                Mode::Submodule => {
                    let more = left.iter().any(|part| !matches!(part.as_str(), "" | "."));
                    if more {
                        return Err(Error::Submodule {
                            path: own,
                            commit: id,
                            rest: rest(String::new(), &left),
                        });
                    }
                    file = Some((own, Item::Submodule(id)));
                    left.clear();
                }
                Mode::File | Mode::Program => {
                    if !left.is_empty() {
                        return Err(Error::NotDirectory(own));
                    }
                    file = Some((own, Item::File(id)));
                }
            }
        }
        let (path, item) = file.unwrap_or_else(|| {
            let path = joined(&steps, "");
            let tree = steps.pop().map_or_else(|| tree.clone(), |step| step.tree);
            (path.trim_end_matches('/').to_owned(), Item::Directory(tree))
        });
        Ok(Found { item, path, links })
    }

    /// The error for a path that leads out of the tree, by its last symlink or by itself.
    #[expect(clippy::unused_self, reason = "it is a part of `find`")]
    fn outside(&self, path: &str, links: &[(String, String)]) -> Error {
        match links.last() {
            Some((link, target)) => Error::LinkOutside {
                link: link.clone(),
                target: target.clone(),
            },
            None => Error::NoPath {
                path: path.to_owned(),
                siblings: Vec::new(),
            },
        }
    }
}

/// The parts of a path, the first one last.
fn reversed(path: &str) -> Vec<String> {
    path.split('/').rev().map(str::to_owned).collect()
}

/// The path of a name in the directory to which the steps lead.
fn joined(steps: &[Step], name: &str) -> String {
    let mut path = String::new();
    for step in steps {
        path.push_str(&step.name);
        path.push('/');
    }
    path.push_str(name);
    path
}

/// A path with the parts that are left.
fn rest(mut path: String, left: &[String]) -> String {
    for part in left.iter().rev() {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(part);
    }
    path
}

/// The entry of a tree with a name.
fn entry(tree: &Object, name: &str) -> Result<Option<(Mode, Id)>, Error> {
    for entry in entries(tree) {
        let entry = entry?;
        if entry.name == name.as_bytes() && entry.is_safe() {
            return Ok(Some((entry.mode, entry.id)));
        }
    }
    Ok(None)
}

/// The paths of the entries of a tree, for a message. With `is_inside`, only of those in which a path can go on.
fn siblings(tree: &Object, directory: &str, is_inside: bool) -> Vec<String> {
    let entries = entries(tree).map_while(Result::ok);
    entries
        .filter(crate::object::Entry::is_safe)
        .filter(|entry| !is_inside || matches!(entry.mode, Mode::Directory | Mode::Symlink))
        .take(limits::SIBLINGS)
        .map(|entry| format!("{directory}{}", String::from_utf8_lossy(entry.name)))
        .collect()
}
