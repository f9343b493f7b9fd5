//! Repair of a path that does not exist.
//!
//! Tried in this order:
//!
//! 1. the only path whose names look the same but have other code points, as macOS and
//!    typographic editors write them
//! 2. the only path in the roots that ends with the requested one
//! 3. a failure with similar names as a hint

use super::search::{PRUNED, is_spelled, spelled};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::clean;
use crate::rooted_path::{RootedPath, failure};
use crate::subject::{Repair, RepairMethod};
use crate::world::{Ends, FileError, FileType, Found, World};
use omniread_outline::sort;
use unicode_normalization::UnicodeNormalization as _;

/// The failure for a path that does not exist, with similar names as a hint.
pub fn not_found(typed: &str, world: &mut dyn World) -> Failure {
    missing(typed, &[typed], Vec::new(), world)
}

/// The failure for a path that does not exist. Several prefixes of the path may be the file name.
/// `names` has these prefixes, in the order in which similar names are searched for. If `near`
/// already has similar names, there is no search.
pub fn missing(
    typed: &str,
    names: &[&str],
    mut near: Vec<String>,
    world: &mut dyn World,
) -> Failure {
    let mut unspellable = None;
    for name in names {
        if !near.is_empty() || unspellable.is_some() {
            break;
        }
        if let Ok(place) = RootedPath::of(name, world) {
            (near, unspellable) = near_names(&place, name, world);
        }
    }
    let failure = offer(typed, near);
    let Some(name) = unspellable else {
        return failure;
    };
    let why = format!(
        "`{name}` is a name that is not UTF-8, which no path can contain; rename the file, or pass it on standard input"
    );
    let hint = match &failure.hint {
        Some(hint) => format!("{hint}; {why}"),
        None => why,
    };
    failure.hint(hint)
}

/// The hint that lists similar names.
pub fn similar_names_hint(paths: &[String]) -> String {
    let paths: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    format!("similar names: {}", paths.join(", "))
}

/// The hint that lists similar members of an archive. `paths` has their full paths. If there are
/// several members, the path of the archive is written only once. `container` is that path,
/// followed by a colon.
pub fn there_is_in(container: &str, paths: &[String]) -> String {
    let members: Option<Vec<String>> = paths
        .iter()
        .map(|path| path.strip_prefix(container).map(str::to_owned))
        .collect();
    match members.filter(|members| members.len() > 1) {
        Some(members) => format!("in `{container}` {}", similar_names_hint(&members)),
        None => similar_names_hint(paths),
    }
}

fn offer(typed: &str, near: Vec<String>) -> Failure {
    let mut failure = failure(FileError::NotFound, typed);
    if !near.is_empty() {
        failure = failure.hint(similar_names_hint(&near));
    }
    failure.reason = Reason::NotFound(near);
    failure
}

/// Finds the existing path that is probably meant by `typed`, a path that does not exist. `end` is
/// the time at which the search ends, in milliseconds of the time of the read.
///
/// # Errors
/// Returns [`Reason::NotFound`] with similar names, unless exactly one path matches.
pub fn repair(typed: &str, end: u64, world: &mut dyn World) -> Result<Repair, Failure> {
    let place = RootedPath::of(typed, world)?;
    let repair = |place: &RootedPath, how, world: &dyn World| Repair {
        from: typed.to_owned(),
        to: place.shown(world),
        method: how,
    };
    if let Some(lookalike) = lookalike(&place, world) {
        return Ok(repair(&lookalike, RepairMethod::Lookalike, world));
    }
    // `pattern::missing` searches for the matches of a pattern. Other wildcards are common in
    // names, such as `[id].tsx`.
    if typed.contains('*') {
        return Err(offer(typed, Vec::new()));
    }
    let found = suffix(&clean(typed), end, world);
    match found.as_slice() {
        [only] => Ok(repair(only, RepairMethod::Suffix, world)),
        [] => Err(not_found(typed, world)),
        several => {
            let mut near: Vec<String> = several
                .iter()
                .map(|place| spelled(place, typed, world))
                .collect();
            sort::by_name(&mut near, |path| (0, 0, path));
            Err(offer(typed, near))
        }
    }
}

/// A name in composed form (Unicode NFC), in which all kinds of spaces, quotes and dashes are
/// replaced by those of ASCII.
pub fn normalize(name: &str) -> String {
    name.nfc()
        .map(|c| match c {
            '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}' => ' ',
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{201f}' | '\u{2033}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            c => c,
        })
        .collect()
}

/// The existing path whose components look like those of `place`, if there is exactly one. Names
/// look alike if [`normalize`] returns the same text for them. If no single name matches a
/// component in this way, case is ignored.
fn lookalike(place: &RootedPath, world: &mut dyn World) -> Option<RootedPath> {
    let mut here = RootedPath {
        root: place.root,
        path: String::new(),
    };
    for part in place.path.split('/') {
        let next = here.join(part);
        if world.stat(next.root, &next.path, false).is_ok() {
            here = next;
            continue;
        }
        let names = names(&here, world);
        let wanted = normalize(part);
        let alike = |fold: fn(&str) -> String| {
            let wanted = fold(&wanted);
            let mut alike = names.iter().filter(|name| fold(&normalize(name)) == wanted);
            alike.next().filter(|_| alike.next().is_none())
        };
        let name = alike(str::to_owned).or_else(|| alike(str::to_lowercase))?;
        here = here.join(name);
        if !is_spelled(&here, world) {
            return None;
        }
    }
    Some(here)
}

/// The names in a directory, at most [`limits::SIMILAR_ENTRIES`].
pub(super) fn names(place: &RootedPath, world: &mut dyn World) -> Vec<String> {
    let mut names = Vec::new();
    if let Ok(mut directory) = world.list(place.root, &place.path) {
        for _ in 0..limits::SIMILAR_ENTRIES {
            match directory.next() {
                Some(Ok(entry)) => names.push(entry.name),
                Some(Err(_)) => {}
                None => break,
            }
        }
    }
    names
}

/// The existing paths that end with `path`, at most [`limits::SIMILAR_NAMES`]. Returns no paths if
/// the search reaches the time `end`, because a single match might not be the only one.
fn suffix(path: &str, end: u64, world: &mut dyn World) -> Vec<RootedPath> {
    if path.is_empty() || path.starts_with('/') || path.split('/').any(|part| part == "..") {
        return Vec::new();
    }
    let mut found: Vec<RootedPath> = Vec::new();
    let roots = 0..world.roots().len();
    for root in roots
        .filter(|root| world.canonical_root(*root) == *root)
        .collect::<Vec<_>>()
    {
        let wanted = Ends {
            end: path,
            pruned: PRUNED,
            depth: limits::SEARCH_DEPTH,
            // Those that were found in another root are left out.
            most: limits::SIMILAR_NAMES.saturating_add(found.len()),
            until: end,
        };
        let is_whole = match world.find_ends(root, &wanted) {
            Some(Found::Paths(paths)) => {
                for path in paths {
                    note(RootedPath { root, path }, &mut found, world);
                }
                true
            }
            Some(Found::Late) => false,
            None => walk(root, &wanted, &mut found, world),
        };
        if !is_whole {
            return Vec::new();
        }
        if found.len() >= limits::SIMILAR_NAMES {
            break;
        }
    }
    found
}

/// Adds a path that was found, if there is room, unless it is known or cannot be spelled.
fn note(place: RootedPath, found: &mut Vec<RootedPath>, world: &mut dyn World) {
    if found.len() < limits::SIMILAR_NAMES
        && is_spelled(&place, world)
        && !found.iter().any(|other| same(other, &place, world))
    {
        found.push(place);
    }
}

/// Adds the paths of a root that end as it is wanted, until there are enough. Returns false if the time ended before.
fn walk(
    root: usize,
    wanted: &Ends<'_>,
    found: &mut Vec<RootedPath>,
    world: &mut dyn World,
) -> bool {
    // The last name of the path. A name that a host returns has no slash.
    let name = wanted.end.rsplit('/').next().unwrap_or(wanted.end);
    let top = RootedPath {
        root,
        path: String::new(),
    };
    let mut stack = vec![(top, 0usize)];
    while let Some((here, depth)) = stack.pop() {
        let Ok(mut directory) = world.list(here.root, &here.path) else {
            continue;
        };
        let mut looked = 0usize;
        while let Some(entry) = directory.next() {
            if looked.is_multiple_of(TIMED_ENTRIES) && world.read_time().used >= wanted.until {
                return false;
            }
            looked = looked.saturating_add(1);
            let Ok(entry) = entry else { continue };
            let descend = entry.file_type == FileType::Directory
                && !wanted.pruned.contains(&entry.name.as_str());
            // Few entries have the wanted name, and the path is made for these only.
            if !descend && entry.name != name {
                continue;
            }
            let place = here.join(&entry.name);
            if ends_with(&place.path, wanted.end) {
                note(place.clone(), found, world);
                if found.len() >= limits::SIMILAR_NAMES {
                    return true;
                }
            }
            if descend && depth < wanted.depth {
                stack.push((place, depth.saturating_add(1)));
            }
        }
    }
    true
}

/// The number of entries of a directory after which a search looks at the time again. Entries take less than a
/// microsecond, and a look about a tenth of it.
const TIMED_ENTRIES: usize = 64;

fn same(a: &RootedPath, b: &RootedPath, world: &dyn World) -> bool {
    a.absolute(world) == b.absolute(world)
}

fn ends_with(path: &str, suffix: &str) -> bool {
    path.strip_suffix(suffix)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// The paths that are similar to a missing one, best first, in its nearest parent directory that
/// exists. Also returns the first similar name that is not UTF-8, which no path can contain.
fn near_names(
    place: &RootedPath,
    typed: &str,
    world: &mut dyn World,
) -> (Vec<String>, Option<String>) {
    let mut missing = place.clone();
    loop {
        let parent = missing.parent();
        let exists = parent.path.is_empty() || world.stat(parent.root, &parent.path, true).is_ok();
        if exists {
            break;
        }
        missing = parent;
    }
    let parent = missing.parent();
    let names = names(&parent, world);
    let mut similar = Vec::new();
    let mut unspellable = None;
    for name in similar_names(&missing.path, &mut names.iter().map(String::as_str)) {
        let place = parent.join(&name);
        if is_spelled(&place, world) {
            similar.push(spelled(&place, typed, world));
        } else {
            unspellable.get_or_insert(name);
        }
    }
    (similar, unspellable)
}

/// The names that are similar to `wanted`. Those that differ only in case are first, and the others
/// follow by similarity. Only the last components of paths are compared.
pub fn similar_names(wanted: &str, names: &mut dyn Iterator<Item = &str>) -> Vec<String> {
    fn last(path: &str) -> &str {
        path.rsplit('/').next().unwrap_or(path)
    }
    let lower = |path: &str| {
        let path = path.trim_end_matches('/').to_lowercase();
        if path.is_ascii() {
            path
        } else {
            path.nfc().collect()
        }
    };
    let whole = lower(wanted);
    let wanted = last(&whole);
    let mut near: Vec<(u8, f64, &str)> = names
        .take(limits::SIMILAR_ENTRIES)
        .filter_map(|name| {
            let lower = lower(name);
            let part = last(&lower);
            let same = u8::from(part == wanted).saturating_add(u8::from(lower == whole));
            let similarity = strsim::jaro_winkler(wanted, part);
            let near = same > 0 || similarity >= NEAR || is_related(wanted, part);
            near.then_some((same, similarity, name))
        })
        .collect();
    // The bits of floats that are not negative have the same order as the floats.
    sort::by_name(&mut near, |(same, similarity, name)| {
        let unlike = u64::MAX.saturating_sub(similarity.to_bits());
        (u8::MAX.saturating_sub(*same).into(), unlike, name)
    });
    near.truncate(limits::SIMILAR_NAMES);
    near.into_iter()
        .map(|(_, _, name)| name.to_owned())
        .collect()
}

/// The minimum Jaro-Winkler similarity of similar names.
const NEAR: f64 = 0.85;

/// Whether two names differ only in the extension, or `wanted` is a part of `name`.
fn is_related(wanted: &str, name: &str) -> bool {
    fn stem(name: &str) -> &str {
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }
    stem(wanted) == stem(name) || (wanted.len() > 3 && name.contains(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::search::end;
    use crate::world::memory::MemoryWorld;

    fn repair_in(typed: &str, world: &mut MemoryWorld) -> Result<Repair, Failure> {
        repair(typed, end(world), world)
    }

    fn world(files: &[&str]) -> MemoryWorld {
        let mut world = MemoryWorld::new("/ws");
        for file in files {
            world.file(file, "x\n");
        }
        world
    }

    #[test]
    fn name_with_other_code_points_is_repaired() {
        for (on_disk, typed) in [
            ("Screenshot 9.41\u{202f}AM.png", "Screenshot 9.41 AM.png"),
            ("cafe\u{301}.md", "caf\u{e9}.md"),
            ("it\u{2019}s.txt", "it's.txt"),
            ("a/README.md", "A/readme.md"),
            ("a\u{2013}b", "a-b"),
        ] {
            let repair = repair_in(typed, &mut world(&[on_disk])).unwrap();
            assert_eq!(
                (repair.to.as_str(), repair.method),
                (on_disk, RepairMethod::Lookalike),
                "{typed}"
            );
        }
    }

    #[test]
    fn unique_suffix_is_repaired_and_several_are_hints() {
        let mut one = world(&[
            "src/deep/parse.rs",
            "src/other.rs",
            "node_modules/x/parse.rs",
        ]);
        let repair1 = repair_in("deep/parse.rs", &mut one).unwrap();
        assert_eq!(
            (repair1.to.as_str(), repair1.method),
            ("src/deep/parse.rs", RepairMethod::Suffix)
        );
        let mut two = world(&["a/mod.rs", "b/mod.rs", "c/xmod.rs"]);
        let failure = repair_in("mod.rs", &mut two).unwrap_err();
        assert_eq!(
            failure.reason,
            Reason::NotFound(vec!["a/mod.rs".into(), "b/mod.rs".into()])
        );
    }

    #[test]
    fn similar_names_come_from_the_nearest_directory() {
        let mut world = world(&["src/selector.rs", "src/locator.rs", "src/a.txt", "docs/b"]);
        let failure = not_found("src/selectr.rs", &mut world);
        assert_eq!(
            failure.reason,
            Reason::NotFound(vec!["src/selector.rs".into()])
        );
        let failure = not_found("src/a.md", &mut world);
        assert_eq!(failure.reason, Reason::NotFound(vec!["src/a.txt".into()]));
        let failure = not_found("/ws/src/a.md", &mut world);
        assert_eq!(
            failure.reason,
            Reason::NotFound(vec!["/ws/src/a.txt".into()])
        );
        let failure = not_found("dosc/b", &mut world);
        assert_eq!(failure.reason, Reason::NotFound(vec!["docs".into()]));
    }
}
