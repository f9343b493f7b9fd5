//! Branches, tags and other names of objects.
//!
//! A reference is a file with an id or with the name of another one, or a line of `packed-refs`. The file wins.

use crate::error::Error;
use crate::files::join;
use crate::id::Id;
use crate::limits;
use crate::repository::Repository;
use crate::windows::{value, whole};
use std::collections::BTreeMap;

/// What a reference names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An object.
    Id(Id),
    /// Another reference, with its full name.
    Reference(String),
}

/// A reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The full name: `refs/heads/main`.
    pub name: String,
    /// What it names.
    pub target: Target,
}

impl Reference {
    /// The name without `refs/heads/`, `refs/tags/` or `refs/remotes/`.
    pub fn short(&self) -> &str {
        let name = self.name.as_str();
        let starts = ["refs/heads/", "refs/tags/", "refs/remotes/", "refs/"];
        let mut short = starts.iter().filter_map(|start| name.strip_prefix(start));
        short.next().unwrap_or(name)
    }
}

/// The references of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// What `HEAD` names.
    pub head: Option<Target>,
    /// The references, in the order of their names.
    pub list: Vec<Reference>,
    /// Whether there are more than are in the list.
    pub more: bool,
}

/// The rules by which a short name leads to a full one, in the order of `gitrevisions`.
const RULES: [(&str, &str); 6] = [
    ("", ""),
    ("refs/", ""),
    ("refs/tags/", ""),
    ("refs/heads/", ""),
    ("refs/remotes/", ""),
    ("refs/remotes/", "/HEAD"),
];

/// The directories in which short names are looked for.
pub const DIRECTORIES: [&str; 4] = ["refs/heads/", "refs/tags/", "refs/remotes/", "refs/"];

impl Repository<'_> {
    /// The full name of a reference and its object. `None` if there is no such reference.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or if references lead to each other in a circle.
    pub fn reference(&mut self, name: &str) -> Result<Option<(String, Id)>, Error> {
        for (before, after) in RULES {
            // At the top are names such as `HEAD` and `ORIG_HEAD`, and other files of git.
            let is_top = before.is_empty();
            if is_top && !name.starts_with("refs/") && !is_top_name(name) {
                continue;
            }
            let full = format!("{before}{name}{after}");
            if !is_valid(&full) {
                continue;
            }
            if let Some(target) = self.target(&full)? {
                return self.follow(&full, target).map(Some);
            }
        }
        Ok(None)
    }

    /// All references below `refs`, and `HEAD`.
    ///
    /// # Errors
    /// Fails if `packed-refs` or a directory cannot be read.
    pub fn references(&mut self) -> Result<References, Error> {
        let mut found = BTreeMap::new();
        let mut more = false;
        let algorithm = self.algorithm;
        let packed = self.packed_references()?;
        for line in packed.split(|byte| *byte == b'\n') {
            if let Some((id, name)) = packed_line(line)
                && let Some(id) = Id::from_hex(algorithm, id)
            {
                if found.len() >= limits::REFERENCES {
                    more = true;
                    break;
                }
                found.insert(name.to_owned(), Target::Id(id));
            }
        }
        let mut directories = vec![("refs".to_owned(), 0_usize)];
        let mut examined = 0_usize;
        while let Some((directory, depth)) = directories.pop() {
            let path = join(&self.common, &directory);
            let left = limits::REFERENCES.saturating_sub(examined);
            let names = self.files.names(&path, left.saturating_add(1));
            let names = names.map_err(|error| Error::file(&path, error))?;
            for name in names {
                let full = format!("{directory}/{}", name.name);
                examined = examined.saturating_add(1);
                if examined > limits::REFERENCES {
                    more = true;
                } else if name.is_directory && depth < limits::REFERENCE_DEPTH {
                    directories.push((full, depth.saturating_add(1)));
                } else if is_valid(&full) {
                    // A reference that cannot be read is not in the list. It is an error when it is read.
                    if let Ok(Some(target)) = self.loose_target(&full) {
                        found.insert(full, target);
                    }
                }
            }
        }
        more |= found.len() > limits::REFERENCES;
        let list = found.into_iter().take(limits::REFERENCES);
        let list = list
            .map(|(name, target)| Reference { name, target })
            .collect();
        Ok(References {
            head: self.target("HEAD").unwrap_or_default(),
            list,
            more,
        })
    }

    /// What the reference with a full name names.
    pub(crate) fn target(&mut self, full: &str) -> Result<Option<Target>, Error> {
        match self.loose_target(full)? {
            Some(target) => Ok(Some(target)),
            None => Ok(self.packed_target(full)?.map(Target::Id)),
        }
    }

    /// The object of the reference that `target` is of.
    fn follow(&mut self, full: &str, target: Target) -> Result<(String, Id), Error> {
        let mut name = full.to_owned();
        let mut target = target;
        for _ in 0..=limits::SYMBOLIC_DEPTH {
            let next = match target {
                Target::Id(id) => return Ok((name, id)),
                Target::Reference(next) => next,
            };
            if !is_valid(&next) {
                let why = format!("it leads to `{next}`, which is not a valid name");
                return Err(Error::damaged(format_args!("the reference `{name}`"), why));
            }
            target = match self.target(&next)? {
                Some(target) => target,
                None => {
                    let branch = next.strip_prefix("refs/heads/").unwrap_or(&next);
                    return Err(Error::Unborn(branch.to_owned()));
                }
            };
            name = next;
        }
        let what = format_args!("the reference `{full}`");
        Err(Error::damaged(
            what,
            "it leads through more than 5 others, or in a circle",
        ))
    }

    /// The path of the file of a reference. Some are those of a work tree.
    fn reference_path(&self, full: &str) -> String {
        let starts = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"];
        let own = !full.starts_with("refs/") || starts.iter().any(|start| full.starts_with(start));
        join(if own { &self.directory } else { &self.common }, full)
    }

    fn loose_target(&mut self, full: &str) -> Result<Option<Target>, Error> {
        let path = self.reference_path(full);
        let Some(text) = value(self.files, &path)? else {
            return Ok(None);
        };
        if let Some(name) = text.strip_prefix("ref:") {
            return Ok(Some(Target::Reference(name.trim().to_owned())));
        }
        // Other text may follow the id, as in `FETCH_HEAD`.
        let digits = text.split_ascii_whitespace().next().unwrap_or_default();
        match Id::from_hex(self.algorithm, digits) {
            Some(id) => Ok(Some(Target::Id(id))),
            None => Err(Error::damaged(
                format_args!("the reference `{full}`"),
                "it has no id",
            )),
        }
    }

    /// The text of `packed-refs`, which is read once.
    pub(crate) fn packed_references(&mut self) -> Result<&[u8], Error> {
        if self.packed.is_none() {
            let path = join(&self.common, "packed-refs");
            let text = whole(self.files, &path, limits::PACKED_REFERENCES_BYTES)?;
            self.packed = Some(text.unwrap_or_default());
        }
        Ok(self.packed.as_deref().unwrap_or_default())
    }

    fn packed_target(&mut self, full: &str) -> Result<Option<Id>, Error> {
        let algorithm = self.algorithm;
        let text = self.packed_references()?;
        let found = find_packed(text, full).map(|digits| Id::from_hex(algorithm, digits));
        match found {
            Some(None) => Err(Error::damaged("`packed-refs`", "a line has no id")),
            found => Ok(found.flatten()),
        }
    }

    /// Whether a name, or names below it, are in `packed-refs`.
    pub(crate) fn is_packed_prefix(&mut self, full: &str) -> Result<(bool, bool), Error> {
        let text = self.packed_references()?;
        let below = format!("{full}/");
        let mut own = false;
        let mut others = false;
        for (_, name) in packed_from(text, full) {
            own |= name == full;
            others |= name.starts_with(&below);
        }
        Ok((own, others))
    }
}

/// Whether a name is one of those at the top of a repository: `HEAD`, `FETCH_HEAD`.
fn is_top_name(name: &str) -> bool {
    name.ends_with("HEAD")
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// Whether a full name is valid (`git-check-ref-format`). No valid name leads out of the directory of references.
pub fn is_valid(name: &str) -> bool {
    let wrong = |byte: u8| byte <= b' ' || byte == 127 || b"~^:?*[\\".contains(&byte);
    let is_lock = |part: &str| part.strip_suffix(".lock").is_some();
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && !is_lock(part);
    name.len() <= limits::REVISION_BYTES
        && name.split('/').all(part)
        && !name.bytes().any(wrong)
        && !name.contains("..")
        && !name.contains("@{")
        && !name.ends_with('.')
}

/// The id and the name in a line of `packed-refs`.
fn packed_line(line: &[u8]) -> Option<(&str, &str)> {
    let line = std::str::from_utf8(line).ok()?.trim_end();
    if line.starts_with(['#', '^']) {
        return None;
    }
    line.split_once(' ')
}

/// The id of a name in `packed-refs`.
fn find_packed<'t>(text: &'t [u8], full: &'t str) -> Option<&'t str> {
    let mut lines = packed_from(text, full);
    lines.find_map(|(id, name)| (name == full).then_some(id))
}

/// The lines of `packed-refs` whose names may start with `start`: all lines, unless the first one says that they are
/// sorted.
fn packed_from<'t>(text: &'t [u8], start: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let header = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let sorted = header.starts_with(b"#") && header.windows(7).any(|word| word == b" sorted");
    let from = if sorted { lower_bound(text, start) } else { 0 };
    let rest = text.get(from..).unwrap_or_default();
    let lines = rest.split(|byte| *byte == b'\n').filter_map(packed_line);
    lines.take_while(move |(_, name)| !sorted || name.starts_with(start))
}

/// The offset of the first line of a sorted `packed-refs` whose name is not smaller than `name`.
fn lower_bound(text: &[u8], name: &str) -> usize {
    let (mut low, mut high) = (0, text.len());
    while low < high {
        let middle = low.saturating_add(high.saturating_sub(low) / 2);
        let before = text.get(..middle).unwrap_or_default();
        let start = before.iter().rposition(|byte| *byte == b'\n');
        let start = start.map_or(0, |at| at.saturating_add(1)).max(low);
        // A line that is not a reference belongs to the one before it.
        match next_reference(text, start, high) {
            Some((end, found)) if found < name => low = end,
            _ => high = start,
        }
    }
    low
}

/// The first line from an offset on that is a reference: the offset after it, and its name.
fn next_reference(text: &[u8], start: usize, high: usize) -> Option<(usize, &str)> {
    let mut start = start;
    while start < high {
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == b'\n');
        let length = length.unwrap_or(rest.len());
        let end = start.saturating_add(length).saturating_add(1);
        if let Some((_, name)) = rest.get(..length).and_then(packed_line) {
            return Some((end, name));
        }
        start = end;
    }
    None
}
