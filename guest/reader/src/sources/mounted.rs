//! Internal URLs whose scheme has a mounted directory: `skill://name/file.md:1-20`.
//!
//! The longest prefix of the URL that names a file or directory in the mount is the name, as for a
//! path in a root. There is no repair: a URL means exactly one place.

use super::merged::merged;
use super::opened::{Named, Opened, Resolved, open};
use super::repair::{names, similar_names, similar_names_hint};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Extraction, Suffix, clean, is_fragment, query};
use crate::rooted_path::{RootedPath, failure};
use crate::subject::Origin;
use crate::world::{FileError, FileType, Stat, World};
use omniread_schemes::{Naming, SKILL_FILE, Scheme};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// Opens the file or directory that an internal URL names in the first directory that is mounted for
/// `scheme` and has it. Returns `None` if no directory is mounted.
///
/// # Errors
/// Fails if there is no such file, if the URL leaves the mount, or if the file cannot be opened.
pub fn find(path: &str, scheme: &str, world: &mut dyn World) -> Result<Option<Resolved>, Failure> {
    let mounts = world.mounts_of(scheme).into_iter().map(|root| Mount {
        root,
        known: Scheme::of(scheme),
        scheme,
    });
    let mut mounts: Vec<Mount> = mounts.collect();
    if mounts.is_empty() {
        return Ok(None);
    }
    let typed = path.split_once("://").map_or("", |(_, name)| name);
    if let Some(owner) = owner(&mounts, typed, world) {
        mounts = vec![mounts.swap_remove(owner)];
    }
    for (at, mount) in mounts.iter().enumerate() {
        // A name may be encoded as in other URLs. What follows it is read as it is written.
        for is_encoded in [false, true] {
            if !is_encoded || decoded(syntactic(typed)).is_some() {
                mount.check(typed, is_encoded, path)?;
            }
            if let Some(found) = mount.longest(typed, is_encoded, world)? {
                let later = mounts.iter().enumerate().skip(at.saturating_add(1));
                let later = later.map(|(at, mount)| (at.saturating_add(1), mount.root));
                let later: Vec<(usize, usize)> = later.collect();
                return Ok(Some(match later.as_slice() {
                    [] => found,
                    later => merged(found, scheme, later, world),
                }));
            }
            if let Some(found) = mount.extraction(typed, is_encoded, world)? {
                return Ok(Some(found));
            }
        }
    }
    Err(missing(&mounts, typed, path, world))
}

/// The text that an encoded name means. `None` if it is not encoded.
fn decoded(name: &str) -> Option<String> {
    let decoded = percent_decode_str(name).decode_utf8().ok()?;
    (decoded != name && !decoded.contains('\0')).then(|| decoded.into_owned())
}

/// The index of the first mount that has the skill in which a name is. All files of a skill are from there.
/// `None` if the name is in no skill.
fn owner(mounts: &[Mount<'_>], typed: &str, world: &mut dyn World) -> Option<usize> {
    let mounts = mounts.iter().enumerate();
    let mut mounts = mounts.filter(|(_, mount)| mount.known.naming == Naming::Skills);
    let name = syntactic(typed);
    let names = [Some(name.to_owned()), decoded(name)];
    let found = mounts.find(|(_, mount)| {
        names
            .iter()
            .flatten()
            .any(|name| mount.has_skill_of(name, world))
    });
    found.map(|(at, _)| at)
}

/// A mounted directory.
struct Mount<'s> {
    /// The index of the directory.
    root: usize,
    known: Scheme,
    scheme: &'s str,
}

/// A file or directory that a URL names.
struct Found {
    /// The path in the mount, before any symlink was followed.
    unfollowed: RootedPath,
    place: RootedPath,
    stat: Stat,
    /// The URL of the name.
    url: String,
}

/// The file name of a URL as its syntax alone shows it: the text before the first colon or query.
fn syntactic(typed: &str) -> &str {
    let end = typed.char_indices().find(|(at, c)| {
        *c == ':' || (*c == '?' && query::is_query(typed.get(*at..).unwrap_or("")))
    });
    end.map_or(typed, |(at, _)| typed.get(..at).unwrap_or(typed))
}

/// A prefix of a URL as it is tried: as it is written, or decoded. `None` if it is not encoded, or leads out of
/// the mount.
fn spelled(name: &str, is_encoded: bool) -> Option<Cow<'_, str>> {
    let name = if is_encoded {
        Cow::Owned(decoded(name)?)
    } else {
        Cow::Borrowed(name)
    };
    (!climbs(&name)).then_some(name)
}

fn climbs(name: &str) -> bool {
    name.split(['/', '\\']).any(|part| part == "..")
}

impl Mount<'_> {
    /// Whether the mount has the skill in which a name is: the directory of one of its first two parts has the
    /// file of a skill.
    fn has_skill_of(&self, name: &str, world: &mut dyn World) -> bool {
        if climbs(name) || name.len() > limits::PATH_BYTES {
            return false;
        }
        let mut directory = RootedPath {
            root: self.root,
            path: String::new(),
        };
        let parts = name.split('/').filter(|part| !part.is_empty());
        parts.take(2).any(|part| {
            directory = directory.join(part);
            let file = directory.join(SKILL_FILE);
            let found = file.stat(true, name, world);
            matches!(found, Ok(Ok((_, stat))) if stat.file_type == FileType::File)
        })
    }

    /// Checks that a URL does not leave the mount.
    fn check(&self, typed: &str, is_encoded: bool, path: &str) -> Result<(), Failure> {
        let name = syntactic(typed);
        let decoded = decoded(name).filter(|_| is_encoded);
        let name = decoded.as_deref().unwrap_or(name);
        let why = if climbs(name) {
            "`..` leads out of"
        } else if name.starts_with(['/', '\\']) {
            "an absolute path is not in"
        } else {
            return Ok(());
        };
        let message = format!(
            "cannot read `{path}`: {why} the directory of `{}://`",
            self.scheme
        );
        Err(Failure::new(Reason::OutsideRoots(path.to_owned()), message))
    }

    /// The longest prefix of a URL that names a file or directory.
    fn longest(
        &self,
        typed: &str,
        is_encoded: bool,
        world: &mut dyn World,
    ) -> Result<Option<Resolved>, Failure> {
        let ends = typed
            .char_indices()
            .filter(|(_, c)| matches!(c, ':' | '?' | '#'));
        let mut ends: Vec<usize> = ends
            .map(|(at, _)| at)
            .take(limits::NAME_CANDIDATES)
            .collect();
        ends.push(typed.len());
        let mut last_error = None;
        for end in ends.into_iter().rev() {
            let (name, rest) = typed.split_at_checked(end).unwrap_or((typed, ""));
            if rest.starts_with('#') && !is_fragment(name, rest) {
                continue;
            }
            let Some(name) = spelled(name, is_encoded) else {
                continue;
            };
            match self.named(&name, world) {
                Ok(Some(found)) => {
                    if rest.starts_with("?q=") && self.known.naming == Naming::Outputs {
                        return Ok(None);
                    }
                    let suffix = Suffix::after_name(rest, false);
                    return self.open(found, suffix, world).map(Some);
                }
                Ok(None) => {}
                Err(error) => last_error = Some(error),
            }
        }
        last_error.map_or(Ok(None), Err)
    }

    /// The file or directory that a name means.
    fn named(&self, name: &str, world: &mut dyn World) -> Result<Option<Found>, Failure> {
        let url = format!("{}://{name}", self.scheme);
        let is_directory = name.ends_with('/');
        for path in self.known.naming.paths(name) {
            if path.len() > limits::PATH_BYTES {
                continue;
            }
            let unfollowed = RootedPath {
                root: self.root,
                path: clean(path.trim_start_matches('/')),
            };
            match unfollowed.clone().stat(false, &url, world)? {
                Ok((_, stat)) if is_directory && stat.file_type == FileType::File => {}
                Ok((place, stat)) => {
                    return Ok(Some(Found {
                        unfollowed,
                        place,
                        stat,
                        url,
                    }));
                }
                Err(FileError::NotFound) => {}
                Err(error) => return Err(failure(error, &url)),
            }
        }
        Ok(None)
    }

    fn open(
        &self,
        found: Found,
        suffix: Option<Suffix>,
        world: &mut dyn World,
    ) -> Result<Resolved, Failure> {
        let Found {
            unfollowed,
            place,
            stat,
            url,
        } = found;
        let real = world
            .mount(self.root)
            .and_then(|mount| mount.directory.clone());
        let named = Named {
            unfollowed: unfollowed.clone(),
            place,
            stat,
            name: &url,
            rest: suffix,
        };
        let mut resolved = open(named, None, world)?;
        let subject = &mut resolved.subject;
        let editable = self.known.facts.editable && matches!(resolved.node, Opened::Bytes(_));
        url.clone_into(&mut subject.requested);
        url.clone_into(&mut subject.path);
        subject.resolved = match real.filter(|_| self.known.facts.editable) {
            Some(directory) => format!("{}/{}", directory.trim_end_matches('/'), unfollowed.path),
            None => url,
        };
        subject.origin = Origin::Mounted {
            place: unfollowed,
            editable,
        };
        Ok(resolved)
    }

    /// The file of which a URL extracts a value: `ID/key/0`, or `ID?q=.key[0]`. An ID may have slashes. The
    /// longest one that is there counts.
    fn extraction(
        &self,
        typed: &str,
        is_encoded: bool,
        world: &mut dyn World,
    ) -> Result<Option<Resolved>, Failure> {
        if self.known.naming != Naming::Outputs {
            return Ok(None);
        }
        let query = typed.find("?q=");
        let ends = typed
            .char_indices()
            .filter(|(at, c)| matches!(c, '/' | '?') && query.is_none_or(|query| *at <= query));
        let ends: Vec<usize> = ends
            .map(|(at, _)| at)
            .take(limits::NAME_CANDIDATES)
            .collect();
        for end in ends.into_iter().rev() {
            let (id, rest) = typed.split_at_checked(end).unwrap_or((typed, ""));
            let Some(id) = spelled(id, is_encoded) else {
                continue;
            };
            if let Some(found) = self.extracted(&id, rest, world)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The file of an ID, and the value in it that `rest` names.
    fn extracted(
        &self,
        id: &str,
        rest: &str,
        world: &mut dyn World,
    ) -> Result<Option<Resolved>, Failure> {
        if id.is_empty() || id.ends_with('/') || id.len() > limits::PATH_BYTES {
            return Ok(None);
        }
        let url = format!("{}://{id}{rest}", self.scheme);
        // The values are in the JSON, and not in the text, if there are both.
        let (json, text) = (format!("{id}.json"), format!("{id}.md"));
        for path in [json.as_str(), &text, id] {
            let unfollowed = RootedPath {
                root: self.root,
                path: clean(path.trim_start_matches('/')),
            };
            let (place, stat) = match unfollowed.clone().stat(false, &url, world)? {
                Ok((_, stat)) if stat.file_type == FileType::Directory => continue,
                Ok(found) => found,
                Err(FileError::NotFound) => continue,
                Err(error) => return Err(failure(error, &url)),
            };
            let (extraction, suffix) = extraction(rest, &url)?;
            let end = url
                .len()
                .saturating_sub(suffix.map_or(0, |suffix| suffix.len().saturating_add(1)));
            let name = url.get(..end).unwrap_or(&url);
            let found = Found {
                unfollowed,
                place,
                stat,
                url: name.to_owned(),
            };
            let suffix = suffix.map(|suffix| Suffix::new(suffix, false));
            let resolved = self.open(found, suffix, world)?;
            return Ok(Some(Resolved {
                extraction: Some(extraction),
                ..resolved
            }));
        }
        Ok(None)
    }

    /// The URLs with names that are similar to one that names nothing.
    fn similar(&self, name: &str, world: &mut dyn World) -> Vec<String> {
        let inside = match self.known.naming {
            Naming::Memory => name.strip_prefix("root/").unwrap_or_default(),
            _ => name,
        };
        let (parent, wanted) = inside.rsplit_once('/').unwrap_or(("", inside));
        let parent = RootedPath {
            root: self.root,
            path: clean(parent),
        };
        let names = names(&parent, world);
        let similar = similar_names(wanted, &mut names.iter().map(String::as_str));
        let urls = similar.iter().map(|name| parent.join(name).absolute(world));
        urls.collect()
    }
}

/// The failure for a URL that names nothing in any of the mounts of its scheme, with similar names.
fn missing(mounts: &[Mount<'_>], typed: &str, path: &str, world: &mut dyn World) -> Failure {
    let name = syntactic(typed);
    let missing = failure(FileError::NotFound, path);
    let Some(first) = mounts.first() else {
        return missing;
    };
    if first.known.naming == Naming::Memory && first.known.naming.paths(name).is_empty() {
        return missing.hint("the files of `memory://` are below `memory://root`");
    }
    let similar = mounts.iter().flat_map(|mount| mount.similar(name, world));
    let similar: Vec<String> = similar.take(limits::SIMILAR_NAMES).collect();
    let hint = if similar.is_empty() {
        format!("list the names with `{}://`", first.scheme)
    } else {
        similar_names_hint(&similar)
    };
    Failure {
        reason: Reason::NotFound(similar),
        ..missing.hint(hint)
    }
}

/// Parses what follows the ID of a URL that extracts a value, and the suffix after it.
fn extraction<'r>(rest: &'r str, url: &str) -> Result<(Extraction, Option<&'r str>), Failure> {
    let wrong = |why: String| {
        let message = format!("cannot read `{url}`: {why}");
        Failure::new(Reason::InvalidPath(url.to_owned()), message)
            .hint("write keys as `/key/0`, or as `?q=.key[0][\"odd key\"]`")
    };
    let Some(query) = rest.strip_prefix('?') else {
        let (keys, suffix) = match rest.split_once(':') {
            Some((keys, suffix)) => (keys, Some(suffix)),
            None => (rest, None),
        };
        return Ok((Extraction::of_segments(keys), suffix));
    };
    let Some(steps) = query.strip_prefix("q=") else {
        return Err(wrong(format!("`?{query}` is not an extraction")));
    };
    let parsed = |steps: &str| {
        let decoded = decoded(steps);
        let steps = decoded.as_deref().unwrap_or(steps);
        Extraction::of_query(steps).map_err(str::to_owned)
    };
    let first = match parsed(steps) {
        Ok(extraction) => return Ok((extraction, None)),
        Err(first) => first,
    };
    // A selector may follow the query.
    let (steps, suffix) = steps
        .rsplit_once(':')
        .filter(|(_, suffix)| Suffix::new(suffix, false).is_selector())
        .ok_or_else(|| wrong(format!("`{first}` is not a key")))?;
    let extraction = parsed(steps).map_err(|rest| wrong(format!("`{rest}` is not a key")))?;
    Ok((extraction, Some(suffix)))
}
