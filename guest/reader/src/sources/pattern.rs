//! Patterns as shells expand them. Nothing expands a quoted one, so it is a path that
//! does not exist; the failure names what it matches.

use super::search::{PRUNED, is_spelled, spelled};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::place::{Place, failure};
use crate::sort;
use crate::world::{FileError, FileType, World};
use fast_glob::glob_match;

/// Whether a path contains a character that is special in patterns.
pub fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// The failure of a path that does not exist and matches others as a pattern. `names` are
/// the path without its selector, as it may be meant. The first one that has matches counts,
/// then the first one of which the search is incomplete. `end` is when the search ends, in
/// the ticks of the world.
pub fn missing(typed: &str, names: &[&str], end: u64, world: &mut dyn World) -> Option<Failure> {
    let mut doubtful = None;
    for name in names {
        if !is_pattern(name) || name.len() > limits::PATH_BYTES {
            continue;
        }
        match matched(typed, name, end, world) {
            Some(failure) if failure.reason != Reason::NotFound(Vec::new()) => {
                return Some(failure);
            }
            Some(failure) => doubtful = doubtful.or(Some(failure)),
            None => {}
        }
    }
    doubtful
}

/// The failure that names what a pattern matches, if it matches something, or if something
/// was not searched.
fn matched(typed: &str, name: &str, end: u64, world: &mut dyn World) -> Option<Failure> {
    let mut search = Search {
        end,
        directories: name.ends_with('/'),
        found: Vec::new(),
        incomplete: None,
        pruned: None,
        world,
    };
    search.run(name);
    let left_out = search.left_out();
    let Search {
        found,
        incomplete,
        world,
        ..
    } = search;
    let mut paths: Vec<String> = found
        .iter()
        .map(|place| spelled(place, name, world))
        .collect();
    sort::by_name(&mut paths, |path| (0, 0, path));
    paths.dedup();
    let mut hint = if paths.is_empty() {
        // Without matches and without doubts it is a path like any other.
        left_out.as_ref()?;
        format!("`{name}` is a pattern, and no path was found that it matches")
    } else {
        let count = counted(paths.len(), incomplete.is_none());
        let more = paths.len().saturating_sub(limits::SHOWN_MATCHES);
        paths.truncate(limits::SHOWN_MATCHES);
        let mut shown: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        if more > 0 {
            shown.push(format!("and {more} more"));
        }
        format!(
            "`{name}` is a pattern, and a path names one file or directory; {count}: {}",
            shown.join(", ")
        )
    };
    if let Some(left_out) = left_out {
        hint = format!("{hint}; {left_out}");
    }
    let mut failure = failure(FileError::NotFound, typed).hint(hint);
    failure.reason = Reason::NotFound(paths);
    Some(failure)
}

fn counted(count: usize, all: bool) -> String {
    let count = match count {
        1 => "1 path matches".to_owned(),
        count => format!("{count} paths match"),
    };
    if all {
        count
    } else {
        format!("at least {count}")
    }
}

/// A part of a pattern, between slashes.
enum Part<'p> {
    /// `**`, which is any number of directories.
    Directories,
    /// A name without special characters.
    Name(&'p str),
    /// Patterns of names, of which one matches.
    Patterns(Vec<String>),
}

impl<'p> Part<'p> {
    /// A part by its text, and whether all of its alternatives are in it.
    fn of(text: &'p str) -> (Self, bool) {
        if text == "**" {
            return (Self::Directories, true);
        }
        if !is_pattern(text) {
            return (Self::Name(text), true);
        }
        let (patterns, all) = alternatives(text, |_| true);
        let plain = |pattern: String| {
            // Braces that are left are no alternatives, and `!` negates in other languages.
            let pattern = pattern.replace('{', "[{]");
            match pattern.strip_prefix('!') {
                Some(rest) => format!("\\!{rest}"),
                None => pattern,
            }
        };
        (
            Self::Patterns(patterns.into_iter().map(plain).collect()),
            all,
        )
    }
}

/// Whether a name matches. As in shells, hidden names match only patterns that start with a
/// dot. `?` and `[…]` match one byte, so no character beyond ASCII.
fn matches(pattern: &str, name: &str) -> bool {
    (!name.starts_with('.') || pattern.starts_with('.')) && glob_match(pattern, name)
}

/// The patterns that a pattern with alternatives in braces abbreviates, as `a.rs` and
/// `b.rs` for `{a,b}.rs`, and whether these are all of them. Groups that are not `wanted`
/// are left as they are.
fn alternatives(pattern: &str, wanted: fn(&str) -> bool) -> (Vec<String>, bool) {
    let mut pending = vec![pattern.to_owned()];
    let mut patterns = Vec::new();
    while patterns.len() < limits::ALTERNATIVES
        && let Some(pattern) = pending.pop()
    {
        match group(&pattern, wanted) {
            Some((before, parts, after)) => {
                // One more than are taken shows that these are not all.
                let parts = parts.iter().take(limits::ALTERNATIVES.saturating_add(1));
                let parts = parts.map(|part| format!("{before}{part}{after}"));
                pending.extend(parts.rev());
            }
            None => patterns.push(pattern),
        }
    }
    (patterns, pending.is_empty())
}

/// The first group in braces that has several parts and is `wanted`, as what precedes it,
/// its parts and what follows it.
fn group(pattern: &str, wanted: fn(&str) -> bool) -> Option<(&str, Vec<&str>, &str)> {
    // The brace and the commas of each group that is open.
    let mut open: Vec<Vec<usize>> = Vec::new();
    for (at, c) in pattern.char_indices() {
        match c {
            '{' => open.push(vec![at]),
            ',' => {
                if let Some(marks) = open.last_mut() {
                    marks.push(at);
                }
            }
            '}' => {
                let Some(mut marks) = open.pop() else {
                    continue;
                };
                marks.push(at);
                let between = |marks: &[usize]| match marks {
                    [start, .., end] => pattern.get(start.saturating_add(1)..*end),
                    _ => None,
                };
                if marks.len() > 2 && between(&marks).is_some_and(wanted) {
                    let before = pattern.get(..*marks.first()?)?;
                    let after = pattern.get(at.saturating_add(1)..)?;
                    return Some((
                        before,
                        marks.windows(2).filter_map(between).collect(),
                        after,
                    ));
                }
            }
            _ => {}
        }
    }
    None
}

/// Why a search may have missed matches.
#[derive(Clone, Copy)]
enum Incomplete {
    Alternatives,
    Depth,
    Matches,
    Time,
    Unreadable,
}

/// A place by the names on the way to it, and the one that links on that way lead to.
struct Spot {
    named: Place,
    real: Place,
}

impl Spot {
    fn join(&self, name: &str) -> Self {
        Self {
            named: self.named.join(name),
            real: self.real.join(name),
        }
    }

    /// The same after links, and whether it is a directory; `None` if there is nothing.
    fn followed(self, world: &mut dyn World) -> Option<(Self, bool)> {
        let (real, stat) = self.real.stat(true, "", world).ok()?.ok()?;
        let named = self.named;
        Some((Self { named, real }, stat.file_type == FileType::Directory))
    }
}

/// A search for the paths that match a pattern.
struct Search<'w> {
    /// When it ends, in the ticks of the world.
    end: u64,
    /// The pattern ends in a slash, which only directories match.
    directories: bool,
    found: Vec<Place>,
    incomplete: Option<Incomplete>,
    /// A directory that was not searched, by its name.
    pruned: Option<String>,
    world: &'w mut dyn World,
}

impl Search<'_> {
    fn run(&mut self, pattern: &str) {
        // What is between slashes matches one name, so only these are separate patterns.
        let (patterns, mut all) = alternatives(pattern, |group| group.contains('/'));
        for pattern in patterns {
            let Ok(place) = Place::of(&pattern, self.world) else {
                continue;
            };
            let mut names: Vec<&str> = place.path.split('/').collect();
            names.dedup_by(|a, b| *a == "**" && *b == "**");
            let mut parts = Vec::new();
            for name in names {
                let (part, complete) = Part::of(name);
                parts.push(part);
                all &= complete;
            }
            let root = Place {
                root: place.root,
                path: String::new(),
            };
            let root = Spot {
                named: root.clone(),
                real: root,
            };
            self.walk(&root, &parts, 0);
        }
        if !all {
            self.incomplete.get_or_insert(Incomplete::Alternatives);
        }
    }

    /// Finds what matches `parts` below a directory.
    fn walk(&mut self, here: &Spot, parts: &[Part<'_>], depth: usize) {
        let Some((first, rest)) = parts.split_first() else {
            return;
        };
        if !self.continues() {
            return;
        }
        // Each level is a call of this function, and may keep a directory open.
        if depth > limits::SEARCH_DEPTH {
            self.incomplete.get_or_insert(Incomplete::Depth);
            return;
        }
        match first {
            Part::Directories => {
                self.walk(here, rest, depth);
                self.each(here, |search, name, file_type, spot| {
                    if !name.starts_with('.') {
                        search.descend(name, file_type, &spot, parts, depth);
                    }
                });
            }
            Part::Patterns(patterns) => self.each(here, |search, name, file_type, spot| {
                if !patterns.iter().any(|pattern| matches(pattern, name)) {
                    return;
                }
                match file_type {
                    FileType::Directory => search.reached(&spot, true, rest, depth),
                    // Only what a link leads to may be a directory.
                    FileType::Link if search.directories || !rest.is_empty() => {
                        if let Some((spot, is_directory)) = spot.followed(search.world) {
                            search.reached(&spot, is_directory, rest, depth);
                        }
                    }
                    _ => search.reached(&spot, false, rest, depth),
                }
            }),
            Part::Name(name) => {
                if let Some((spot, is_directory)) = here.join(name).followed(self.world) {
                    self.reached(&spot, is_directory, rest, depth);
                }
            }
        }
    }

    /// Goes on below an entry that `**` matches.
    fn descend(
        &mut self,
        name: &str,
        file_type: FileType,
        spot: &Spot,
        parts: &[Part<'_>],
        depth: usize,
    ) {
        let is_directory = file_type == FileType::Directory;
        if parts.len() == 1 {
            self.add(spot, is_directory);
        }
        if !is_directory {
            return;
        }
        if PRUNED.contains(&name) {
            self.pruned.get_or_insert_with(|| name.to_owned());
        } else {
            self.walk(spot, parts, depth.saturating_add(1));
        }
    }

    /// Goes on with the parts after one that an entry matches.
    fn reached(&mut self, spot: &Spot, is_directory: bool, rest: &[Part<'_>], depth: usize) {
        if rest.is_empty() {
            self.add(spot, is_directory);
        } else if is_directory {
            self.walk(spot, rest, depth.saturating_add(1));
        }
    }

    fn add(&mut self, spot: &Spot, is_directory: bool) {
        if (is_directory || !self.directories) && is_spelled(&spot.real, self.world) {
            self.found.push(spot.named.clone());
        }
    }

    /// Calls `visit` with each entry of a directory: its name, type and place.
    fn each(&mut self, here: &Spot, mut visit: impl FnMut(&mut Self, &str, FileType, Spot)) {
        let Ok(mut directory) = self.world.list(here.real.root, &here.real.path) else {
            self.incomplete.get_or_insert(Incomplete::Unreadable);
            return;
        };
        while let Some(entry) = directory.next() {
            if !self.continues() {
                return;
            }
            match entry {
                Ok(entry) => visit(self, &entry.name, entry.file_type, here.join(&entry.name)),
                Err(_) => {
                    self.incomplete.get_or_insert(Incomplete::Unreadable);
                }
            }
        }
    }

    /// Whether there may be more, and time to look for it.
    fn continues(&mut self) -> bool {
        let ended = if self.found.len() >= limits::COUNTED_MATCHES {
            Incomplete::Matches
        } else if self.world.ticks() >= self.end {
            Incomplete::Time
        } else {
            return true;
        };
        self.incomplete.get_or_insert(ended);
        false
    }

    /// A clause that names the part of the tree that was not searched.
    fn left_out(&self) -> Option<String> {
        let seconds = limits::SEARCH_MILLIS / 1000;
        let sentence = match (self.incomplete, &self.pruned) {
            (Some(Incomplete::Alternatives), _) => format!(
                "only {} of its alternatives were searched for",
                limits::ALTERNATIVES
            ),
            (Some(Incomplete::Depth), _) => format!(
                "directories more than {} levels deep were not searched",
                limits::SEARCH_DEPTH
            ),
            (Some(Incomplete::Time), _) => format!("the search ended after {seconds} seconds"),
            (Some(Incomplete::Unreadable), _) => "a directory could not be listed".to_owned(),
            (_, Some(name)) => format!("directories like `{name}` were not searched"),
            // The count says that there are more.
            (Some(Incomplete::Matches) | None, None) => return None,
        };
        Some(sentence)
    }
}

#[cfg(test)]
mod tests;
