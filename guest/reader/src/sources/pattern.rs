//! Glob patterns in place of paths. A pattern that no shell has expanded is a path that does not
//! exist. The failure lists the paths that match it.

use super::search::{PRUNED, is_spelled, spelled};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::rooted_path::{RootedPath, failure};
use crate::world::{Entry, FileError, FileType, World};
use fast_glob::glob_match;
use omniread_outline::sort;

/// Whether a path contains a wildcard or a brace.
pub fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// The failure for a path that does not exist but is a glob pattern. It lists the matches of the
/// pattern. `names` has the candidates for the pattern, without the selector. The first candidate
/// with matches is used, otherwise the first one whose search was incomplete. Returns `None` if
/// there is no such candidate. `end` is the time at which the search ends, in milliseconds of the
/// time of the read.
pub fn missing(typed: &str, names: &[&str], end: u64, world: &mut dyn World) -> Option<Failure> {
    let mut incomplete = None;
    for name in names {
        if !is_pattern(name) || name.len() > limits::PATH_BYTES {
            continue;
        }
        match matched(typed, name, end, world) {
            Some(failure) if failure.reason != Reason::NotFound(Vec::new()) => {
                return Some(failure);
            }
            Some(failure) => incomplete = incomplete.or(Some(failure)),
            None => {}
        }
    }
    incomplete
}

/// The failure that lists the matches of a pattern. Returns `None` if the search was complete and
/// found nothing.
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
        // A pattern without matches is a path like any other, unless the search was incomplete.
        left_out.as_ref()?;
        format!("`{name}` is a pattern, and no matching path was found")
    } else {
        hint(name, &mut paths, incomplete.is_none())
    };
    if let Some(left_out) = left_out {
        hint = format!("{hint}; {left_out}");
    }
    let mut failure = failure(FileError::NotFound, typed).hint(hint);
    failure.reason = Reason::NotFound(paths);
    Some(failure)
}

/// The hint that lists the matches of the pattern `name`, and removes those that it does not list.
/// `all` is true if the search was complete.
fn hint(name: &str, paths: &mut Vec<String>, all: bool) -> String {
    let count = counted(paths.len(), all);
    let more = paths.len().saturating_sub(limits::SHOWN_MATCHES);
    paths.truncate(limits::SHOWN_MATCHES);
    let mut shown: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    format!("`{name}` is a pattern; read {count}: {}", shown.join(", "))
}

/// The members of an archive that match one of several spellings of a pattern, as paths, and the hint
/// that lists them. `path_of` returns the path of a member. As in [`missing`], the first spelling with
/// matches is used, otherwise the first one whose search was incomplete. `None` if there is no such
/// spelling.
pub fn of_members<'m>(
    patterns: &[&str],
    members: &(impl Iterator<Item = &'m str> + Clone),
    path_of: impl Fn(&str) -> String,
) -> Option<(Vec<String>, String)> {
    let mut incomplete = None;
    for pattern in patterns {
        if !is_pattern(pattern) || pattern.len() > limits::PATH_BYTES {
            continue;
        }
        let (alternatives, complete) = expanded(pattern);
        let left_out = (!complete).then(left_out_alternatives);
        let (matching, all) = matching_members(pattern, &alternatives, members.clone());
        let mut paths: Vec<String> = matching.into_iter().map(&path_of).collect();
        sort::by_name(&mut paths, |path| (0, 0, path));
        paths.dedup();
        let is_found = !paths.is_empty();
        let mut hint = if is_found {
            hint(pattern, &mut paths, all && complete)
        } else if complete && all {
            continue;
        } else if all {
            format!("`{pattern}` is a pattern, and no matching member was found")
        } else {
            format!(
                "`{pattern}` is a pattern, and none of the members that were compared matches; there are more"
            )
        };
        if let Some(left_out) = left_out {
            hint = format!("{hint}; {left_out}");
        }
        if is_found {
            return Some((paths, hint));
        }
        incomplete = incomplete.or(Some((paths, hint)));
    }
    incomplete
}

/// The names of members that match one of the alternatives of a pattern. Also returns whether all
/// members were compared.
fn matching_members<'m>(
    pattern: &str,
    alternatives: &[String],
    members: impl Iterator<Item = &'m str>,
) -> (Vec<&'m str>, bool) {
    let mut found = Vec::new();
    let mut work = 0u64;
    // The time to match a pattern without braces is at most in proportion to this size.
    let size: usize = alternatives.iter().map(String::len).sum();
    for (place, name) in members.enumerate() {
        let product = (size as u64).saturating_mul(name.len() as u64);
        work = work.saturating_add(product);
        if place >= limits::SIMILAR_ENTRIES || work > limits::MATCHING_WORK {
            return (found, false);
        }
        let is_listed = !name.ends_with('/') || pattern.ends_with('/');
        if is_listed && alternatives.iter().any(|one| glob_match(one, name)) {
            found.push(name);
        }
    }
    (found, true)
}

/// The clause of a hint about a pattern of which only some alternatives were used.
fn left_out_alternatives() -> String {
    format!(
        "only {} of its alternatives were searched for",
        limits::ALTERNATIVES
    )
}

fn counted(count: usize, all: bool) -> String {
    match (count, all) {
        (1, true) => "its only match".to_owned(),
        (1, false) => "a match".to_owned(),
        (_, true) => format!("one of its {count} matches"),
        (_, false) => format!("one of its matches (at least {count})"),
    }
}

/// A component of a pattern, between slashes.
enum Part<'p> {
    /// `**`, which matches any number of directories.
    Directories,
    /// A name without wildcards.
    Name(&'p str),
    /// A name with wildcards, as one or more alternative patterns.
    Patterns(Vec<String>),
}

impl<'p> Part<'p> {
    /// Parses a component. Also returns whether its list of alternative patterns is complete.
    fn of(text: &'p str) -> (Self, bool) {
        if text == "**" {
            return (Self::Directories, true);
        }
        if !is_pattern(text) {
            return (Self::Name(text), true);
        }
        let (patterns, all) = expanded(text);
        (Self::Patterns(patterns), all)
    }
}

/// The patterns without braces to which a pattern is expanded, as `fast_glob` reads them. Its own
/// expansion takes exponential time. Also returns whether the list of patterns is complete.
fn expanded(pattern: &str) -> (Vec<String>, bool) {
    let (patterns, all) = alternatives(pattern, |_| true);
    let plain = |pattern: String| {
        // The remaining braces are literal. `!` at the start negates in `fast_glob`.
        let pattern = pattern.replace('{', "[{]");
        match pattern.strip_prefix('!') {
            Some(rest) => format!("\\!{rest}"),
            None => pattern,
        }
    };
    (patterns.into_iter().map(plain).collect(), all)
}

/// Whether a name matches a pattern. As in shells, a hidden name matches only a pattern that starts
/// with a dot. `?` and `[…]` match one byte, so they match no character outside ASCII.
fn matches(pattern: &str, name: &str) -> bool {
    (!name.starts_with('.') || pattern.starts_with('.')) && glob_match(pattern, name)
}

/// Expands groups of alternatives in braces, such as `{a,b}.rs` to `a.rs` and `b.rs`. Groups for
/// whose content `wanted` is false are not expanded. Also returns whether the list of resulting
/// patterns is complete.
fn alternatives(pattern: &str, wanted: fn(&str) -> bool) -> (Vec<String>, bool) {
    let mut pending = vec![pattern.to_owned()];
    let mut patterns = Vec::new();
    while patterns.len() < limits::ALTERNATIVES
        && let Some(pattern) = pending.pop()
    {
        match group(&pattern, wanted) {
            Some((before, parts, after)) => {
                // One more than the limit shows that the list is incomplete.
                let parts = parts.iter().take(limits::ALTERNATIVES.saturating_add(1));
                let parts = parts.map(|part| format!("{before}{part}{after}"));
                pending.extend(parts.rev());
            }
            None => patterns.push(pattern),
        }
    }
    (patterns, pending.is_empty())
}

/// Finds a group in braces that has several parts and for whose content `wanted` is true. If there
/// are several groups, the one that is closed first is used. Returns the text before the group, its
/// parts, and the text after it.
fn group(pattern: &str, wanted: fn(&str) -> bool) -> Option<(&str, Vec<&str>, &str)> {
    // The offsets of the brace and the commas of each open group.
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

/// The reason for which a search may have missed matches.
#[derive(Clone, Copy)]
enum Incomplete {
    Alternatives,
    Depth,
    Matches,
    Time,
    Unreadable,
}

/// A path as the pattern names it, and the same path with its symlinks resolved.
struct Spot {
    named: RootedPath,
    real: RootedPath,
}

impl Spot {
    fn join(&self, name: &str) -> Self {
        Self {
            named: self.named.join(name),
            real: self.real.join(name),
        }
    }

    /// Follows symlinks. Also returns whether the target is a directory. Returns `None` if it does
    /// not exist.
    fn followed(self, world: &mut dyn World) -> Option<(Self, bool)> {
        let (real, stat) = self.real.stat(true, "", world).ok()?.ok()?;
        let named = self.named;
        Some((Self { named, real }, stat.file_type == FileType::Directory))
    }
}

/// A search for the paths that match a pattern.
struct Search<'w> {
    /// The time at which the search ends, in milliseconds of the time of the read.
    end: u64,
    /// Whether the pattern ends in a slash, so that only directories match.
    directories: bool,
    found: Vec<RootedPath>,
    incomplete: Option<Incomplete>,
    /// The name of the first directory that was skipped because it is in [`PRUNED`].
    pruned: Option<String>,
    world: &'w mut dyn World,
}

impl Search<'_> {
    fn run(&mut self, pattern: &str) {
        // A component matches one name, so only alternatives with slashes are separate patterns.
        let (patterns, mut all) = alternatives(pattern, |group| group.contains('/'));
        for pattern in patterns {
            let Ok(place) = RootedPath::of(&pattern, self.world) else {
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
            let root = RootedPath {
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

    /// Finds the paths below the directory `here` that match `parts`, the remaining components of
    /// the pattern. `depth` is the number of directories above `here`.
    fn walk(&mut self, here: &Spot, parts: &[Part<'_>], depth: usize) {
        let Some((first, rest)) = parts.split_first() else {
            return;
        };
        if !self.continues() {
            return;
        }
        // Each level is a recursive call, and may keep a directory open.
        if depth > limits::SEARCH_DEPTH {
            self.incomplete.get_or_insert(Incomplete::Depth);
            return;
        }
        match first {
            Part::Directories => {
                self.walk(here, rest, depth);
                self.each(here, |search, entry, spot| {
                    if !entry.name.starts_with('.') {
                        search.descend(entry, &spot, parts, depth);
                    }
                });
            }
            Part::Patterns(patterns) => self.each(here, |search, entry, spot| {
                if !patterns.iter().any(|pattern| matches(pattern, &entry.name)) {
                    return;
                }
                match entry.file_type {
                    FileType::Directory => search.reached(&spot, true, rest, depth),
                    // Only the target of the symlink may be a directory.
                    FileType::Symlink if search.directories || !rest.is_empty() => {
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

    /// Adds an entry that the component `**` matches if no component follows it in `parts`. If the
    /// entry is a directory that is not in [`PRUNED`], also searches it.
    fn descend(&mut self, entry: &Entry, spot: &Spot, parts: &[Part<'_>], depth: usize) {
        let is_directory = entry.file_type == FileType::Directory;
        if parts.len() == 1 {
            self.add(spot, is_directory);
        }
        if !is_directory {
            return;
        }
        if PRUNED.contains(&entry.name.as_str()) {
            self.pruned.get_or_insert_with(|| entry.name.clone());
        } else {
            self.walk(spot, parts, depth.saturating_add(1));
        }
    }

    /// Continues the search at an entry that matches a component of the pattern. `rest` has the
    /// components after it.
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

    /// Calls `visit` with each entry, and with its path, of a directory.
    fn each(&mut self, here: &Spot, mut visit: impl FnMut(&mut Self, &Entry, Spot)) {
        let Ok(mut directory) = self.world.list(here.real.root, &here.real.path) else {
            self.incomplete.get_or_insert(Incomplete::Unreadable);
            return;
        };
        while let Some(entry) = directory.next() {
            if !self.continues() {
                return;
            }
            match entry {
                Ok(entry) => visit(self, &entry, here.join(&entry.name)),
                Err(_) => {
                    self.incomplete.get_or_insert(Incomplete::Unreadable);
                }
            }
        }
    }

    /// Whether the search may continue. It ends at the limit of matches and at the time limit.
    fn continues(&mut self) -> bool {
        let ended = if self.found.len() >= limits::COUNTED_MATCHES {
            Incomplete::Matches
        } else if self.world.read_time().used >= self.end {
            Incomplete::Time
        } else {
            return true;
        };
        self.incomplete.get_or_insert(ended);
        false
    }

    /// The clause of the hint that says what was not searched. `None` if everything was searched,
    /// or if only the limit of matches ended the search.
    fn left_out(&self) -> Option<String> {
        let sentence = match (self.incomplete, &self.pruned) {
            (Some(Incomplete::Alternatives), _) => left_out_alternatives(),
            (Some(Incomplete::Depth), _) => format!(
                "directories more than {} levels deep were not searched",
                limits::SEARCH_DEPTH
            ),
            (Some(Incomplete::Time), _) => "the time for a search was used up".to_owned(),
            (Some(Incomplete::Unreadable), _) => "a directory could not be listed".to_owned(),
            (_, Some(name)) => format!("directories like `{name}` were not searched"),
            // The count in the hint shows that there are more.
            (Some(Incomplete::Matches) | None, None) => return None,
        };
        Some(sentence)
    }
}

#[cfg(test)]
mod tests;
