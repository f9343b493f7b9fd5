//! From a path string to an open file or directory.
//!
//! The disk decides where a name ends: the longest literal name wins, a link
//! that leads nowhere included; what is left must be a selector. A path in
//! escape form is taken at its word.

use super::{pattern, repair, search};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{
    Locator, Rest, Scheme, Selector, behind, by_form, is_address, is_known, locate, query,
};
use crate::place::{Place, failure};
use crate::subject::{Origin, Repair, Subject};
use crate::world::{Directory, FileError, FileType, Resource, ResourceError, Source, Stat, World};

/// What was opened.
pub enum Node {
    /// A file or a stream.
    Bytes(Box<dyn Source>),
    /// A directory.
    Directory(Box<dyn Directory>),
}

/// What a path led to.
pub struct Found {
    /// What it is.
    pub subject: Subject,
    /// The open file, stream or directory.
    pub node: Node,
    /// What the path says behind its name.
    pub rest: Option<Rest>,
}

/// A name on the disk, and what the path says behind it.
struct Named<'p> {
    /// By its name, before any link is followed.
    unfollowed: Place,
    place: Place,
    stat: Stat,
    name: &'p str,
    rest: Option<Rest>,
}

/// Opens what a path names. `stdin` says whether `-` is standard input, and
/// `repair` whether a path that does not exist may be replaced by the one that
/// was probably meant.
///
/// # Errors
/// Whatever stands in the way, as a failure with the path as it was typed.
pub fn resolve(
    path: &str,
    stdin: bool,
    repair: bool,
    world: &mut dyn World,
) -> Result<Found, Failure> {
    let locator = match locate(path, stdin)? {
        Locator::Scheme(Scheme::Internal(scheme)) => match resource(path, world)? {
            Some(found) => return Ok(found),
            None if is_known(&scheme) => {
                return Err(unsupported(&format!("`{scheme}://` URLs"), path));
            }
            None => by_form(path.to_owned()),
        },
        locator => locator,
    };
    match locator {
        Locator::Scheme(_) => fetch(path, path, world),
        Locator::Stdin(rest) => Ok(Found {
            subject: Subject::stdin(),
            node: Node::Bytes(world.stdin()),
            rest,
        }),
        Locator::Escaped(name, rest) => match find_exact(&name, rest, world) {
            // It is a statement that holds a colon behind a backslash.
            Err(failure) if matches!(failure.reason, Reason::NotFound(_)) && path.contains('?') => {
                find(path, false, world).map_err(|_| failure)
            }
            found => found,
        },
        Locator::Path(name) if is_address(&name) => {
            let granted = !world.roots().is_empty();
            match find(&name, false, world) {
                Err(failure) if !granted || matches!(failure.reason, Reason::NotFound(_)) => {
                    fetch(&format!("https://{name}"), path, world)
                }
                found => found,
            }
        }
        Locator::Path(name) => find(&name, repair, world),
    }
}

/// Opens what an internal URL leads to; `None` if the host does not answer its scheme.
/// The longest URL that leads to something is meant; a member or selector follows it.
fn resource(path: &str, world: &mut dyn World) -> Result<Option<Found>, Failure> {
    let start = path.find("://").map_or(0, |at| at.saturating_add(3));
    let name = path.get(start..).unwrap_or_default();
    let colons = name.match_indices(':').take(limits::RESOURCE_COLONS);
    let mut ends: Vec<usize> = colons.map(|(at, _)| start.saturating_add(at)).collect();
    ends.push(path.len());
    let mut missing = None;
    for end in ends.into_iter().rev() {
        let (url, rest) = path.split_at_checked(end).unwrap_or((path, ""));
        match world.resource(url) {
            Ok(resource) => return Ok(Some(opened(url, rest, resource, world))),
            Err(ResourceError::Scheme) => return Ok(None),
            Err(ResourceError::NotFound(similar)) => missing = Some((url, similar)),
            Err(ResourceError::File(error)) => return Err(failure(error, url)),
        }
    }
    let (url, similar) = missing.unwrap_or((path, Vec::new()));
    Err(Failure {
        reason: Reason::NotFound(similar),
        ..failure(FileError::NotFound, url)
    })
}

fn opened(url: &str, rest: &str, resource: Resource, world: &mut dyn World) -> Found {
    let file = resource.path.as_deref();
    let place = file.and_then(|path| Place::of(path, world).ok());
    Found {
        subject: Subject::remote(url, url.to_owned(), Origin::Resource(place), resource.info),
        node: Node::Bytes(resource.source),
        rest: rest.strip_prefix(':').map(|rest| Rest::new(rest, false)),
    }
}

/// Opens what a web address answers with.
fn fetch(url: &str, path: &str, world: &mut dyn World) -> Result<Found, Failure> {
    let (url, rest) = split_address(url)?;
    let Some(fetched) = world.fetch(url) else {
        return Err(unsupported("web pages", path));
    };
    let fetched = fetched.map_err(|unreachable| {
        let message = format!("cannot read `{url}`: {}", unreachable.error);
        Failure::new(Reason::Network(unreachable), message)
    })?;
    Ok(Found {
        subject: Subject::remote(url, fetched.url, Origin::Url, fetched.info),
        node: Node::Bytes(fetched.source),
        rest: rest.map(|rest| Rest::new(rest, false)),
    })
}

/// An address, and the selector at its end. A colon before its path belongs to a port.
fn split_address(url: &str) -> Result<(&str, Option<&str>), Failure> {
    let server = url.find("://").map_or(0, |at| at.saturating_add(3));
    let start = url
        .char_indices()
        .find(|(at, c)| *at >= server && matches!(c, '/' | '?' | '#'));
    let (_, path) = url
        .split_at_checked(start.map_or(url.len(), |(at, _)| at))
        .unwrap_or((url, ""));
    let (_, rest) = split(path)?;
    let selector = rest.map_or(0, |rest| rest.len().saturating_add(1));
    let address = url.get(..url.len().saturating_sub(selector));
    Ok((address.unwrap_or(url), rest))
}

fn unsupported(what: &str, path: &str) -> Failure {
    let message = format!("there is no reader for {what} yet: `{path}`");
    Failure::new(Reason::Unsupported(what.to_owned()), message)
}

/// The failure of any path of the filesystem where no directory may be reached.
fn nothing_granted(path: &str) -> Failure {
    let reason = Reason::OutsideRoots(path.to_owned());
    let message = format!("cannot read `{path}`: no directory was granted to this component");
    let hint = "grant it a directory when you start it, as `wasmtime run --dir DIR` does";
    Failure::new(reason, message).hint(hint)
}

/// Opens what a path of the filesystem names.
fn find(path: &str, repair: bool, world: &mut dyn World) -> Result<Found, Failure> {
    if world.roots().is_empty() {
        return Err(without_name(path).unwrap_or_else(|| nothing_granted(path)));
    }
    let path = expand(path, repair, world);
    let end = search::end(world);
    if let Some(named) = literal(&path, world)? {
        let rest = named.rest.as_ref().map_or("", Rest::as_str);
        if rest.starts_with('?') && !query::is_query(rest) {
            // The `?` of a pattern, whose start is the name of something.
            let directory = named.stat.file_type == FileType::Directory;
            match pattern::missing(&path, &[without_selector(&path)], end, world) {
                Some(failure) => return Err(failure),
                None if directory => return Err(repair::not_found(&path, world)),
                None => {}
            }
        }
        return open(named, None, world);
    }
    if let Some(failure) = without_name(&path) {
        let pattern = pattern::missing(&path, &[without_selector(&path)], end, world);
        return Err(pattern.unwrap_or(failure));
    }
    let (mut name, mut rest) = split(&path)?;
    // It may be a path into a file.
    let inside = split_first(&path).filter(|(file, _)| *file != name);
    let mut near = Vec::new();
    let mut found = Err(None);
    if repair {
        let mut names = vec![(name, rest)];
        names.extend(inside.map(|(file, inside)| (file, Some(inside))));
        for (candidate, after) in names {
            match repair::repair(candidate, end, world) {
                Ok(repair) => {
                    (name, rest) = (candidate, after);
                    found = Ok(repair);
                    break;
                }
                Err(failure) => match failure.reason {
                    Reason::NotFound(paths) => {
                        let new = |path: &String| !near.contains(path);
                        let new: Vec<String> = paths.into_iter().filter(new).collect();
                        near.extend(new);
                    }
                    _ => found = Err(Some(failure)),
                },
            }
        }
    }
    near.truncate(limits::NEAR_NAMES);
    let Repair { from, to, how } = match found {
        Ok(repair) => repair,
        Err(Some(failure)) => return Err(failure),
        Err(None) => return Err(missing(&path, name, inside, near, end, world)),
    };
    let unfollowed = Place::of(&to, world)?;
    let (place, stat) = unfollowed
        .clone()
        .stat(false, &to, world)?
        .map_err(|error| failure(error, name))?;
    let named = Named {
        unfollowed,
        place,
        stat,
        name,
        rest: rest.map(|rest| Rest::new(rest, false)),
    };
    open(named, Some(Repair { from, to, how }), world)
}

/// The failure of a path that is nothing but a selector.
fn without_name(path: &str) -> Option<Failure> {
    let selector = match path.strip_prefix(':') {
        Some(rest) => {
            rest.is_empty() || rest.starts_with('?') || Rest::new(rest, false).is_selector()
        }
        None => path.starts_with('?'),
    };
    selector.then(|| empty_name(path))
}

fn empty_name(selector: &str) -> Failure {
    let hint = match selector.strip_prefix(':') {
        Some(_) => format!("write `.{selector}` for the directory, or `FILE{selector}` for a file"),
        None => format!("write `FILE{selector}` with the path of a database"),
    };
    let message = format!("the path before `{selector}` is empty");
    Failure::new(Reason::Path(selector.to_owned()), message).hint(hint)
}

/// The failure of a path of which nothing exists, with what it may mean instead.
/// `name` is the path without its selector, `inside` the first name of a path
/// into a file and what follows it, `near` holds what is known to be near, and `end` is when
/// searches end.
fn missing(
    path: &str,
    name: &str,
    inside: Option<(&str, &str)>,
    near: Vec<String>,
    end: u64,
    world: &mut dyn World,
) -> Failure {
    // What looks like a selector may as well be the end of a name with colons.
    let typed = if name.contains(':') { path } else { name };
    let mut names = vec![typed, name];
    names.extend(inside.map(|(file, _)| file));
    names.dedup();
    pattern::missing(typed, &names, end, world)
        .unwrap_or_else(|| repair::missing(typed, &names, near, world))
}

/// The first name of a path into a file, and what follows it. What precedes a `?` is a name
/// only if a query follows: otherwise it is a part of a pattern.
fn split_first(path: &str) -> Option<(&str, &str)> {
    let (file, rest) = path.split_at_checked(path.find([':', '?'])?)?;
    let is_name = !file.is_empty() && (rest.starts_with(':') || query::is_query(rest));
    Some((file, behind(rest)?)).filter(|_| is_name)
}

/// A path of which nothing exists, without the selector at its end.
fn without_selector(path: &str) -> &str {
    split(path).map_or(path, |(name, _)| name)
}

/// Opens what a path in escape form names.
fn find_exact(name: &str, rest: Option<Rest>, world: &mut dyn World) -> Result<Found, Failure> {
    if name.is_empty() {
        let rest = rest.as_ref().map_or("", Rest::as_str);
        return Err(empty_name(&format!(":{rest}")));
    }
    if world.roots().is_empty() {
        return Err(nothing_granted(name));
    }
    let unfollowed = Place::of(name, world)?;
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

/// Replaces `~` by the home directory, and a bare `/` by the workspace.
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

/// The longest literal name that exists. `None` if none does.
fn literal<'p>(path: &'p str, world: &mut dyn World) -> Result<Option<Named<'p>>, Failure> {
    let ends = path
        .char_indices()
        .filter(|(at, c)| matches!(c, ':' | '?') && *at <= limits::PATH_BYTES)
        .map(|(at, _)| at);
    let whole = Some(path.len()).filter(|length| *length <= limits::PATH_BYTES);
    let candidates = whole.into_iter().chain(ends.rev());
    // Why a candidate could not be looked at. It may be the one, so this is
    // what is said unless a shorter one exists.
    let mut obstacle = None;
    for end in candidates {
        let (name, rest) = path.split_at_checked(end).unwrap_or((path, ""));
        if name.is_empty() {
            continue;
        }
        let outcome = Place::of(name, world)
            .and_then(|place| Ok((place.clone(), place.stat(false, name, world)?)));
        match outcome {
            Ok((unfollowed, Ok((place, stat)))) => {
                let rest = behind(rest).map(|rest| Rest::new(rest, false));
                return Ok(Some(Named {
                    unfollowed,
                    place,
                    stat,
                    name,
                    rest,
                }));
            }
            Ok((_, Err(FileError::NotFound))) => {}
            Ok((_, Err(error))) => obstacle = Some(failure(error, name)),
            Err(error) => obstacle = Some(error),
        }
    }
    obstacle.map_or(Ok(None), Err)
}

/// Splits a path of which nothing exists where its selector starts.
fn split(path: &str) -> Result<(&str, Option<&str>), Failure> {
    for (at, _) in path.char_indices().filter(|(_, c)| *c == ':') {
        let (name, rest) = path.split_at_checked(at).unwrap_or((path, ""));
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        match Selector::parse(rest) {
            _ if name.is_empty() => {}
            Ok(Some(_)) => return Ok((name, Some(rest))),
            Ok(None) => {}
            // With more colons it is rather a name than a mistake.
            Err(_) if name.contains(':') => {}
            Err(mistake) => return Err(mistake),
        }
    }
    Ok((path, None))
}

fn open(named: Named<'_>, repair: Option<Repair>, world: &mut dyn World) -> Result<Found, Failure> {
    let Named {
        unfollowed,
        place,
        stat,
        name: typed,
        rest,
    } = named;
    // What was named may be a link; what counts is what it leads to.
    let shown = place.shown(world);
    let resolved = place.absolute(world);
    let (place, stat) = match stat.file_type {
        FileType::Link => match place.clone().stat(true, typed, world)? {
            Err(FileError::NotFound) => return Err(dangling(&place, typed, world)),
            outcome => outcome.map_err(|error| failure(error, typed))?,
        },
        _ => (place, stat),
    };
    let node = match stat.file_type {
        FileType::File => Node::Bytes(
            world
                .open(place.root, &place.path)
                .map_err(|error| failure(error, typed))?,
        ),
        FileType::Directory => Node::Directory(
            world
                .list(place.root, &place.path)
                .map_err(|error| failure(error, typed))?,
        ),
        FileType::Special(special) => {
            return Err(Failure::new(
                Reason::Special(special),
                format!("`{typed}` is {special}, which cannot be read like a file"),
            ));
        }
        FileType::Link => return Err(failure(FileError::Links, typed)),
    };
    Ok(Found {
        subject: Subject {
            typed: typed.to_owned(),
            path: shown,
            resolved,
            origin: Origin::File(unfollowed),
            info: stat.into(),
            compression: None,
            inside: Vec::new(),
            root: false,
            repair,
        },
        node,
        rest,
    })
}

/// The absolute path that a path string names, whether there is such a file or
/// not.
pub fn absolute(path: &str, world: &dyn World) -> Option<String> {
    let name = match locate(path, false).ok()? {
        Locator::Escaped(name, _) => name,
        Locator::Path(path) => split(&path).ok()?.0.to_owned(),
        Locator::Stdin(_) | Locator::Scheme(_) => return None,
    };
    Some(Place::of(&name, world).ok()?.absolute(world))
}

fn dangling(place: &Place, typed: &str, world: &mut dyn World) -> Failure {
    let not_found = failure(FileError::NotFound, typed);
    match world.read_link(place.root, &place.path) {
        Ok(target) => not_found.hint(format!("it is a link to `{target}`, which does not exist")),
        Err(_) => not_found,
    }
}
