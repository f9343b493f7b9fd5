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
use omniread_schemes::{Naming, Scheme};
use percent_encoding::percent_decode_str;

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
    let mounts: Vec<Mount> = mounts.collect();
    if mounts.is_empty() {
        return Ok(None);
    }
    let typed = path.split_once("://").map_or("", |(_, name)| name);
    // A name may be encoded as in other URLs.
    let decoded = percent_decode_str(typed).decode_utf8().unwrap_or_default();
    let decoded = Some(decoded).filter(|decoded| decoded != typed && !decoded.contains('\0'));
    for (at, mount) in mounts.iter().enumerate() {
        let typed = Some(typed).into_iter();
        for name in typed.chain(decoded.as_deref()) {
            mount.check(name, path)?;
            if let Some(found) = mount.longest(name, world)? {
                let later = mounts.iter().enumerate().skip(at.saturating_add(1));
                let later = later.map(|(at, mount)| (at.saturating_add(1), mount.root));
                let later: Vec<(usize, usize)> = later.collect();
                return Ok(Some(match later.as_slice() {
                    [] => found,
                    later => merged(found, scheme, later, world),
                }));
            }
            if let Some(found) = mount.extraction(name, world)? {
                return Ok(Some(found));
            }
        }
    }
    Err(missing(&mounts, typed, path, world))
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

fn climbs(name: &str) -> bool {
    name.split(['/', '\\']).any(|part| part == "..")
}

impl Mount<'_> {
    /// Checks that a URL does not leave the mount.
    fn check(&self, typed: &str, path: &str) -> Result<(), Failure> {
        let name = syntactic(typed);
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
    fn longest(&self, typed: &str, world: &mut dyn World) -> Result<Option<Resolved>, Failure> {
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
            if climbs(name) || (rest.starts_with('#') && !is_fragment(name, rest)) {
                continue;
            }
            match self.named(name, world) {
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

    /// The file of which a URL extracts a value: `ID/key/0`, or `ID?q=.key[0]`.
    fn extraction(&self, typed: &str, world: &mut dyn World) -> Result<Option<Resolved>, Failure> {
        if self.known.naming != Naming::Outputs {
            return Ok(None);
        }
        let end = typed.find(['/', '?']).unwrap_or(typed.len());
        let (id, rest) = typed.split_at_checked(end).unwrap_or((typed, ""));
        if id.is_empty() || rest.is_empty() {
            return Ok(None);
        }
        let url = format!("{}://{typed}", self.scheme);
        // The values are in the JSON, and not in the text, if there are both.
        let (json, text) = (format!("{id}.json"), format!("{id}.md"));
        for path in [json.as_str(), &text, id] {
            let unfollowed = RootedPath {
                root: self.root,
                path: path.to_owned(),
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
    let decoded = percent_decode_str(steps).decode_utf8();
    let decoded = decoded.unwrap_or_else(|_| steps.into());
    match Extraction::of_query(&decoded) {
        Ok(extraction) => Ok((extraction, None)),
        // A selector may follow the query.
        Err(_) if let Some((steps, suffix)) = steps.rsplit_once(':') => {
            let decoded = percent_decode_str(steps).decode_utf8();
            let decoded = decoded.unwrap_or_else(|_| steps.into());
            let extraction = Extraction::of_query(&decoded)
                .map_err(|rest| wrong(format!("`{rest}` is not a key")))?;
            Ok((extraction, Some(suffix)))
        }
        Err(rest) => Err(wrong(format!("`{rest}` is not a key"))),
    }
}
