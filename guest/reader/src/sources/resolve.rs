//! Resolves a path string to an open file, stream or directory.
//!
//! The filesystem decides where the file name ends. The longest prefix of the path that exists is
//! the name; a dangling symlink exists too. The rest is the suffix. In a path in escape form the
//! syntax alone decides where the name ends.

use super::forge;
use super::git;
use super::mounted;
use super::opened::{Named, Opened, Resolved, open};
use super::provided::{self, Search};
use super::unnamed::{empty_name, nothing_granted, nothing_mounted, unknown_scheme, without_name};
use super::wanted::Wanted;
use super::{pattern, repair, search};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{
    Locator, Scheme, Selector, Suffix, by_form, is_address, is_fragment, locate, query,
    short_file_url, strip_separator,
};
use crate::rooted_path::{RootedPath, failure};
use crate::subject::{Repair, Subject};
use crate::web::{self, Address};
use crate::world::{FileError, FileType, World};
use omniread_schemes::{Naming, Scheme as KnownScheme, is_known};

/// Opens the skill that a provider has, if no mounted directory has it.
///
/// # Errors
/// Fails with the failure of the mounts, unless it is that there is no such skill and the provider has another.
fn after_mounts(
    path: &str,
    scheme: &str,
    failure: Failure,
    world: &mut dyn World,
) -> Result<Resolved, Failure> {
    let is_missing = matches!(failure.reason, Reason::NotFound(_));
    if !is_missing || KnownScheme::of(scheme).naming != Naming::Skills {
        return Err(failure);
    }
    match provided::find(path, scheme, world) {
        Ok(Search::Found(found)) => Ok(*found),
        Ok(Search::Scheme(_)) => Err(failure),
        // The names of mounts are as similar as those of the provider.
        Err(provided) if matches!(provided.reason, Reason::NotFound(_)) => Err(failure),
        Err(provided) => Err(provided),
    }
}

/// Opens the file, stream or directory that a path names.
///
/// # Errors
/// Fails if the path is invalid, or if the file does not exist or cannot be opened.
pub fn resolve(path: &str, wanted: &Wanted, world: &mut dyn World) -> Result<Resolved, Failure> {
    let locator = match locate(path, wanted.stdin)? {
        Locator::Scheme(Scheme::Internal(scheme)) => {
            match mounted::find(path, &scheme, world) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                Err(failure) => return after_mounts(path, &scheme, failure, world),
            }
            let schemes = match provided::find(path, &scheme, world)? {
                Search::Found(found) => return Ok(*found),
                Search::Scheme(schemes) => schemes,
            };
            if let Some(kind) = forge::kind(&scheme) {
                return forge::find(path, kind, wanted, world);
            }
            if scheme == git::SCHEME {
                return git::url(path, world);
            }
            if is_known(&scheme) {
                return Err(nothing_mounted(&scheme, path));
            }
            // A path with a scheme is not replaced by a similar one.
            return as_file(path, world).map_err(|failure| match failure.reason {
                Reason::NotFound(_) | Reason::InvalidSelector(_) | Reason::OutsideRoots(_) => {
                    unknown_scheme(&scheme, path, schemes, world)
                }
                _ => failure,
            });
        }
        locator => locator,
    };
    match locator {
        Locator::Scheme(_) => fetch(path, path, wanted, world),
        Locator::Stdin(rest) => Ok(Resolved {
            subject: Subject::stdin(rest.as_ref().is_some_and(Suffix::is_query)),
            node: Opened::Bytes(world.stdin()),
            suffix: rest,
            extraction: None,
        }),
        Locator::Escaped(name, rest) => match find_escaped(&name, rest, world) {
            // The path may be a query with `\:` in its SQL, and not an escape form.
            Err(failure) if matches!(failure.reason, Reason::NotFound(_)) && path.contains('?') => {
                find(path, false, world).map_err(|_| failure)
            }
            found => found,
        },
        Locator::Path(name) if is_address(&name) => {
            let granted = !world.roots().is_empty();
            match find(&name, false, world) {
                Err(failure) if !granted || matches!(failure.reason, Reason::NotFound(_)) => {
                    fetch(&format!("https://{name}"), path, wanted, world)
                }
                found => found,
            }
        }
        Locator::Path(name) => find(&name, wanted.repair, world),
    }
}

/// Opens the file that a path names whose first part looks like a scheme.
fn as_file(path: &str, world: &mut dyn World) -> Result<Resolved, Failure> {
    match by_form(path.to_owned()) {
        Locator::Escaped(name, rest) => find_escaped(&name, rest, world),
        _ => find(path, false, world),
    }
}

/// Opens a web address. `path` is the path as the user typed it.
fn fetch(
    url: &str,
    path: &str,
    wanted: &Wanted,
    world: &mut dyn World,
) -> Result<Resolved, Failure> {
    let (is_later, github) = (wanted.is_later, &wanted.github);
    let opened = web::open(Address::parse(url)?, path, is_later, github, world)?;
    Ok(Resolved {
        subject: Subject::web(&opened.typed, opened.facts, opened.info),
        node: Opened::Bytes(opened.source),
        suffix: opened.suffix.map(|suffix| Suffix::new(&suffix, false)),
        extraction: None,
    })
}

/// Opens the file or directory that a file path names.
fn find(path: &str, repair: bool, world: &mut dyn World) -> Result<Resolved, Failure> {
    if world.roots().is_empty() {
        return Err(without_name(path).unwrap_or_else(|| nothing_granted(path)));
    }
    let path = expand(path, repair, world);
    let end = search::end(world);
    if let Some(named) = literal(&path, world)? {
        let rest = named.rest.as_ref().map_or("", Suffix::as_str);
        if rest.starts_with('?') && !query::is_query(rest) {
            // The `?` is a wildcard, and the text before it is the name of a file or directory.
            let directory = named.stat.file_type == FileType::Directory;
            match pattern::missing(&path, &[without_selector(&path)], end, world) {
                Some(failure) => return Err(failure),
                None if directory => return Err(repair::not_found(&path, world)),
                None => {}
            }
        }
        return open(named, None, world);
    }
    if let Some(found) = git::at_revision(&path, world)? {
        return Ok(found);
    }
    match short_file_url(&path) {
        Some(Locator::Path(name)) => return find(&name, repair, world),
        Some(Locator::Escaped(name, rest)) => return find_escaped(&name, rest, world),
        _ => {}
    }
    if let Some(failure) = without_name(&path) {
        let pattern = pattern::missing(&path, &[without_selector(&path)], end, world);
        return Err(pattern.unwrap_or(failure));
    }
    let (mut name, rest) = split(&path)?;
    let mut rest = rest.map(|rest| Suffix::new(rest, false));
    // The path may name a member of a file that does not exist, or end in a fragment.
    let inside = split_first(&path).filter(|(file, _)| *file != name);
    let fragment = before_fragment(&path).filter(|(file, _)| *file != name);
    let mut similar = Vec::new();
    let mut found = Err(None);
    if repair {
        let mut names = vec![(name, rest.clone(), false)];
        names.extend(inside.map(|(file, inside)| (file, Some(Suffix::new(inside, false)), false)));
        names.extend(fragment.map(|(file, after)| (file, Suffix::after_name(after, false), true)));
        for (candidate, after, is_fragment) in names {
            match repair::repair(candidate, end, world) {
                // Only files have fragments.
                Ok(repair)
                    if is_fragment && file_type(&repair.to, world) == Some(FileType::Directory) => {
                }
                Ok(repair) => {
                    (name, rest) = (candidate, after);
                    found = Ok(repair);
                    break;
                }
                Err(failure) => match failure.reason {
                    Reason::NotFound(paths) => {
                        let new = |path: &String| !similar.contains(path);
                        let new: Vec<String> = paths.into_iter().filter(new).collect();
                        similar.extend(new);
                    }
                    _ => found = Err(Some(failure)),
                },
            }
        }
    }
    similar.truncate(limits::SIMILAR_NAMES);
    let Repair {
        from,
        to,
        method: how,
    } = match found {
        Ok(repair) => repair,
        Err(Some(failure)) => return Err(failure),
        Err(None) => {
            // If the name has a colon, the selector may be a part of the name too.
            let typed = if name.contains(':') { &*path } else { name };
            let mut names = vec![typed, name];
            names.extend(inside.or(fragment).map(|(file, _)| file));
            return Err(missing(names, similar, end, world));
        }
    };
    let unfollowed = RootedPath::of(&to, world)?;
    let (place, stat) = unfollowed
        .clone()
        .stat(false, &to, world)?
        .map_err(|error| failure(error, name))?;
    let named = Named {
        unfollowed,
        place,
        stat,
        name,
        rest,
    };
    open(
        named,
        Some(Repair {
            from,
            to,
            method: how,
        }),
        world,
    )
}

/// The type of what a path names. `None` if it names nothing.
fn file_type(path: &str, world: &mut dyn World) -> Option<FileType> {
    let place = RootedPath::of(path, world).ok()?;
    let (_, stat) = place.stat(true, path, world).ok()?.ok()?;
    Some(stat.file_type)
}

/// The failure for a path that does not exist, with similar names or matches as a hint.
///
/// `names` are the names that the path may have, the longest first. `near` has similar names that are
/// already known. `end` is the time at which searches end, in milliseconds of the time of the read.
fn missing(mut names: Vec<&str>, near: Vec<String>, end: u64, world: &mut dyn World) -> Failure {
    names.dedup();
    let typed = names.first().copied().unwrap_or_default();
    pattern::missing(typed, &names, end, world)
        .unwrap_or_else(|| repair::missing(typed, &names, near, world))
}

/// Splits a path at its first colon or question mark, into the file name and the text after it.
/// Returns `None` if the question mark does not start a query, because it is a wildcard then.
fn split_first(path: &str) -> Option<(&str, &str)> {
    let (file, rest) = path.split_at_checked(path.find([':', '?'])?)?;
    let is_name = !file.is_empty() && (rest.starts_with(':') || query::is_query(rest));
    Some((file, strip_separator(rest)?)).filter(|_| is_name)
}

/// Splits a path before its first fragment, into the file name and the fragment.
fn before_fragment(path: &str) -> Option<(&str, &str)> {
    let mut signs = path.match_indices('#');
    signs.find_map(|(at, _)| {
        let (name, rest) = path.split_at_checked(at)?;
        (is_fragment(name, rest) && !name.contains([':', '?'])).then_some((name, rest))
    })
}

/// Removes the selector from a path that does not exist.
fn without_selector(path: &str) -> &str {
    split(path).map_or(path, |(name, _)| name)
}

/// Opens the file or directory that a path in escape form names. If no file has exactly this name, a
/// fragment may follow the name.
fn find_escaped(
    name: &str,
    rest: Option<Suffix>,
    world: &mut dyn World,
) -> Result<Resolved, Failure> {
    let failure = match find_exact(name, rest.clone(), world) {
        Err(failure) if matches!(failure.reason, Reason::NotFound(_)) => failure,
        found => return found,
    };
    let after = rest.map_or(String::new(), |rest| format!(":{}", rest.as_str()));
    for (at, _) in name.rmatch_indices('#').take(limits::NAME_CANDIDATES) {
        let (file, fragment) = name.split_at_checked(at).unwrap_or((name, ""));
        if !is_fragment(file, fragment) || file_type(file, world) != Some(FileType::File) {
            continue;
        }
        let escaped = fragment.replace('\\', "\\\\").replace(':', "\\:");
        let rest = Suffix::after_name(&format!("{escaped}{after}"), true);
        return find_exact(file, rest, world);
    }
    Err(failure)
}

/// Opens the file or directory that a path in escape form names. In this form, `\:` is a colon in a
/// name. `name` is the exact name, without escapes.
fn find_exact(
    name: &str,
    rest: Option<Suffix>,
    world: &mut dyn World,
) -> Result<Resolved, Failure> {
    if name.is_empty() {
        let rest = rest.as_ref().map_or("", Suffix::as_str);
        return Err(empty_name(&format!(":{rest}")));
    }
    if world.roots().is_empty() {
        return Err(nothing_granted(name));
    }
    let unfollowed = RootedPath::of(name, world)?;
    match unfollowed.clone().stat(false, name, world)? {
        Ok((place, stat)) => {
            let named = Named {
                unfollowed,
                place,
                stat,
                name,
                rest,
            };
            open(named, None, world)
        }
        Err(FileError::NotFound) => Err(repair::not_found(name, world)),
        Err(error) => Err(failure(error, name)),
    }
}

/// Replaces `~` at the start of a path by the home directory, and the path `/` by the first root.
/// Returns the path unchanged unless `repair` is true.
fn expand(path: &str, repair: bool, world: &dyn World) -> String {
    if !repair {
        return path.to_owned();
    }
    if path == "/" || path.starts_with("/:") {
        return path.replacen('/', ".", 1);
    }
    if let (Some(rest), Some(home)) = (path.strip_prefix('~'), world.home())
        && (rest.is_empty() || rest.starts_with(['/', ':']))
    {
        return format!("{}{rest}", home.trim_end_matches('/'));
    }
    path.to_owned()
}

/// The length in bytes of the name of the file or directory with which a path starts. `None` if there is no such file,
/// or if the path is not that of a file.
pub fn name_length(path: &str, repair: bool, world: &mut dyn World) -> Option<usize> {
    let rest = match locate(path, false).ok()? {
        Locator::Path(name) => {
            let expanded = expand(&name, repair, world);
            let named = literal(&expanded, world).ok()??;
            expanded.len().checked_sub(named.name.len())?
        }
        Locator::Escaped(name, rest) => {
            let place = RootedPath::of(&name, world).ok()?;
            place.stat(false, &name, world).ok()?.ok()?;
            rest.map_or(0, |rest| rest.as_str().len())
        }
        Locator::Stdin(_) | Locator::Scheme(_) => return None,
    };
    path.len().checked_sub(rest)
}

/// Finds the longest prefix of a path that is the name of an existing file or directory. Returns
/// `None` if there is no such prefix.
fn literal<'p>(path: &'p str, world: &mut dyn World) -> Result<Option<Named<'p>>, Failure> {
    let ends = path
        .char_indices()
        .filter(|(at, c)| matches!(c, ':' | '?' | '#') && *at <= limits::PATH_BYTES)
        .map(|(at, _)| at);
    let whole = Some(path.len()).filter(|length| *length <= limits::PATH_BYTES);
    let candidates = whole.into_iter().chain(ends.rev());
    // The last error of a candidate that could not be examined. It is returned unless a shorter
    // candidate exists, because that candidate may be the requested file.
    let mut last_error = None;
    for end in candidates {
        let (name, rest) = path.split_at_checked(end).unwrap_or((path, ""));
        let is_name = !rest.starts_with('#') || is_fragment(name, rest);
        if name.is_empty() || !is_name {
            continue;
        }
        let outcome = RootedPath::of(name, world)
            .and_then(|place| Ok((place.clone(), place.stat(false, name, world)?)));
        match outcome {
            // Only files have fragments.
            Ok((_, Ok((_, stat))))
                if rest.starts_with('#') && stat.file_type == FileType::Directory => {}
            Ok((unfollowed, Ok((place, stat)))) => {
                let rest = Suffix::after_name(rest, false);
                return Ok(Some(Named {
                    unfollowed,
                    place,
                    stat,
                    name,
                    rest,
                }));
            }
            Ok((_, Err(FileError::NotFound))) => {}
            Ok((_, Err(error))) => last_error = Some(failure(error, name)),
            Err(error) => last_error = Some(error),
        }
    }
    last_error.map_or(Ok(None), Err)
}

/// Splits a path of a missing file into the name and the selector. The syntax alone decides where
/// the selector starts.
fn split(path: &str) -> Result<(&str, Option<&str>), Failure> {
    for (at, _) in path.char_indices().filter(|(_, c)| *c == ':') {
        let (name, rest) = path.split_at_checked(at).unwrap_or((path, ""));
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        match Selector::parse(rest) {
            _ if name.is_empty() => {}
            Ok(Some(_)) => return Ok((name, Some(rest))),
            Ok(None) => {}
            // After another colon, an invalid selector is more likely a part of the name.
            Err(_) if name.contains(':') => {}
            Err(mistake) => return Err(mistake),
        }
    }
    Ok((path, None))
}

/// The absolute path that a path string names. The file need not exist.
pub fn absolute(path: &str, world: &dyn World) -> Option<String> {
    let name = match locate(path, false).ok()? {
        Locator::Escaped(name, _) => name,
        Locator::Path(path) => split(&path).ok()?.0.to_owned(),
        Locator::Stdin(_) | Locator::Scheme(_) => return None,
    };
    Some(RootedPath::of(&name, world).ok()?.absolute(world))
}
