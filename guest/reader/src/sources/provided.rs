//! Internal URLs whose resources the host has: `notes://a.zip:b.md:1-20`.
//!
//! The facts of the scheme say what may follow the name in a URL, and in which order its possible ends are
//! tried. There is no repair: a URL means exactly one resource.

use super::opened::{Opened, Resolved};
use super::repair::{similar_names, similar_names_hint};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Suffix, is_fragment, query, strip_separator};
use crate::rooted_path::{RootedPath, failure};
use crate::subject::{Origin, Subject};
use crate::world::{Bytes, FileError, Info, Resource, ResourceError, World};
use omniread_schemes::{Backing, Facts, Selectors};
use std::fmt::Write as _;

/// The outcome of the search for a resource.
pub enum Search {
    /// The resource.
    Found(Box<Resolved>),
    /// The host has no resources of the scheme. Contains the schemes of which it has some.
    Scheme(Vec<String>),
}

/// Opens the resource that an internal URL names.
///
/// # Errors
/// Fails if there is no such resource, or if it cannot be opened.
pub fn find(path: &str, scheme: &str, world: &mut dyn World) -> Result<Search, Failure> {
    let facts = match world.facts(scheme) {
        Ok(facts) => facts,
        Err(schemes) => return Ok(Search::Scheme(schemes)),
    };
    let start = path.find("://").map_or(0, |at| at.saturating_add(3));
    let is_remote = facts.backing == Backing::Remote;
    let mut missing = None;
    for end in ends(path, start, facts) {
        let (url, rest) = path.split_at_checked(end).unwrap_or((path, ""));
        match world.resource(url, is_remote) {
            Ok(resource) => {
                let opened = opened(url, rest, resource, facts, world);
                return Ok(Search::Found(Box::new(opened)));
            }
            Err(ResourceError::Scheme) => return Ok(Search::Scheme(Vec::new())),
            Err(ResourceError::NotFound(similar)) if end > start => {
                missing = Some(better(missing, url, similar));
            }
            Err(ResourceError::NotFound(_)) => {
                let list = list(scheme, path, world)?;
                let opened = opened(url, rest, list, facts, world);
                return Ok(Search::Found(Box::new(opened)));
            }
            Err(ResourceError::File(error)) => return Err(failure(error, url)),
        }
    }
    let (url, similar) = missing.unwrap_or((path, Vec::new()));
    Err(not_found(url, scheme, facts, similar, world))
}

/// The ends that the name of a resource may have in a path, in the order in which they are tried. `start` is
/// the place after `://`.
fn ends(path: &str, start: usize, facts: Facts) -> Vec<usize> {
    let whole = path.len();
    let rest = |at: usize| path.get(at..).unwrap_or_default();
    let is_selector = |at: usize| match rest(at).strip_prefix(':') {
        Some(selector) => Suffix::new(selector, false).is_selector(),
        None => at < whole,
    };
    // The converted form of a page, `x.html:`, and lines of it, `x.html::10-20`.
    let is_converted = |at: usize| match rest(at).strip_prefix(':') {
        Some(selector) => {
            let lines = selector.strip_prefix(':');
            selector.is_empty()
                || lines.is_some_and(|lines| Suffix::new(lines, false).is_selector())
        }
        None => false,
    };
    let slash = rest(start).find('/').map(|at| start.saturating_add(at));
    let first = if facts.host_colon {
        slash.unwrap_or(whole)
    } else {
        start
    };
    let separators = path.char_indices().filter(|(at, c)| {
        let name = || path.get(start..*at).unwrap_or_default();
        *at >= first
            && match c {
                ':' => true,
                '?' => query::is_query(rest(*at)),
                '#' => is_fragment(name(), rest(*at)),
                _ => false,
            }
    });
    let mut separators: Vec<usize> = separators.map(|(at, _)| at).collect();
    if let Some(more) = separators.len().checked_sub(limits::RESOURCE_COLONS) {
        // The first are after a short name, such as one with a statement after it. The last are after a long
        // one.
        let first = limits::RESOURCE_COLONS / 2;
        separators.drain(first..first.saturating_add(more));
    }
    let separators = separators.into_iter();
    let mut ends: Vec<usize> = match facts.selectors {
        Selectors::None => Vec::new(),
        Selectors::Opaque => separators
            .filter(|at| rest(*at).starts_with(':'))
            .filter(|at| is_selector(*at) || is_converted(*at))
            .collect(),
        _ => separators.collect(),
    };
    ends.push(whole);
    ends.reverse();
    if facts.backing == Backing::Remote && facts.selectors == Selectors::Lines {
        // A request for a name that ends like a selector would rarely succeed.
        let (selectors, others): (Vec<_>, Vec<_>) =
            ends.into_iter().partition(|at| is_selector(*at));
        return [selectors, others].concat();
    }
    ends
}

/// The URL and its similar ones with which a failure is about: the shortest, because a suffix is no part of
/// the name, unless a longer one has similar ones and it has none.
fn better<'p>(
    before: Option<(&'p str, Vec<String>)>,
    url: &'p str,
    similar: Vec<String>,
) -> (&'p str, Vec<String>) {
    match before {
        Some((_, known)) if similar.is_empty() => (url, known),
        _ => (url, similar),
    }
}

fn opened(
    url: &str,
    rest: &str,
    resource: Resource,
    facts: Facts,
    world: &mut dyn World,
) -> Resolved {
    let file = resource.path.as_deref().filter(|_| facts.editable);
    let place = file.and_then(|path| RootedPath::of(path, world).ok());
    let origin = Origin::Resource {
        place,
        facts,
        notes: Vec::new(),
        refresh: None,
    };
    let suffix = if rest.starts_with(['?', '#']) {
        Suffix::after_name(rest, false)
    } else {
        strip_separator(rest).map(|rest| Suffix::new(rest, false))
    };
    Resolved {
        subject: Subject::remote(url, url.to_owned(), origin, resource.info),
        node: Opened::Bytes(resource.source),
        suffix,
        extraction: None,
    }
}

/// The list of the resources of a scheme, as a text.
fn list(scheme: &str, path: &str, world: &mut dyn World) -> Result<Resource, Failure> {
    let most = limits::LISTED_RESOURCES;
    let names = world.resource_names(scheme, most.saturating_add(1));
    let Some(mut names) = names.map_err(|error| failure(error, path))? else {
        let message = format!("cannot list `{scheme}://`: its provider does not list resources");
        let reason = Reason::Unsupported(format!("the list of `{scheme}://`"));
        return Err(Failure::new(reason, message).hint(format!("read `{scheme}://NAME`")));
    };
    let is_cut = names.len() > most;
    names.truncate(most);
    let mut text = String::new();
    for name in &names {
        let _ = writeln!(text, "{scheme}://{}", escape_invisible(name));
    }
    if names.is_empty() {
        text.push_str("(no resources)\n");
    }
    if is_cut {
        let _ = writeln!(
            text,
            "(there are more than these {most}, which can be read but are not listed)"
        );
    }
    let info = Info {
        size: Some(text.len() as u64),
        mime: Some("text/plain".to_owned()),
        charset: Some("utf-8".to_owned()),
        ..Info::default()
    };
    Ok(Resource {
        source: Box::new(Bytes::new(text.into_bytes())),
        info,
        path: None,
    })
}

/// The failure for a URL that names no resource, with similar ones.
fn not_found(
    url: &str,
    scheme: &str,
    facts: Facts,
    mut similar: Vec<String>,
    world: &mut dyn World,
) -> Failure {
    let missing = failure(FileError::NotFound, url);
    let mut is_listed = false;
    if similar.is_empty()
        && let Ok(Some(names)) = world.resource_names(scheme, limits::LISTED_RESOURCES)
    {
        is_listed = true;
        let name = url.split_once("://").map_or(url, |(_, name)| name);
        let names = similar_names(name, &mut names.iter().map(String::as_str));
        similar.extend(names.iter().map(|name| format!("{scheme}://{name}")));
    }
    similar.truncate(limits::SIMILAR_NAMES);
    let ends_in_selector = || {
        url.rsplit_once(':')
            .is_some_and(|(_, end)| Suffix::new(end, false).is_selector())
    };
    let hint = if facts.selectors == Selectors::None && ends_in_selector() {
        Some(format!(
            "`{scheme}://` takes no selector: its resources are shown whole"
        ))
    } else if !similar.is_empty() {
        Some(similar_names_hint(&similar))
    } else {
        is_listed.then(|| format!("list the names with `{scheme}://`"))
    };
    let missing = match hint {
        Some(hint) => missing.hint(hint),
        None => missing,
    };
    Failure {
        reason: Reason::NotFound(similar),
        ..missing
    }
}
