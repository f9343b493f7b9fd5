//! Issues and pull requests of GitHub: `issue://12`, `pr://OWNER/REPO/12/diff/all`.
//!
//! ```text
//! answer      what an address names → its text, from a copy or from the API
//! copies      the copies that the session keeps, by their age
//! repository  the repository of the workspace, from `.git/config`
//! read        what a read of an address wants
//! failures    faults of the service → failures
//! ```
//!
//! The crate of the handlers of sites knows the API and writes the text. The pages of the site are written by the
//! same functions.

mod answer;
mod copies;
mod failures;
mod read;
mod repository;

use super::opened::{Opened, Resolved};
use super::wanted::Wanted;
use crate::failure::{Failure, Reason};
use crate::path::{Lines, Suffix, strip_separator};
use crate::subject::{Origin, Subject};
use crate::world::{Bytes, Info, World};
use answer::Answer;
use omniread_schemes::Facts;
use omniread_sites::github::{self, Kind};
use read::Read;

/// The kind of what the URLs of a scheme name. `None` for other schemes.
pub fn kind(scheme: &str) -> Option<Kind> {
    match scheme {
        "issue" => Some(Kind::Issue),
        "pr" => Some(Kind::Pull),
        _ => None,
    }
}

/// Opens what a URL names.
///
/// # Errors
/// Fails if the URL is wrong, if there is no repository or no network, and if the service does not answer and the
/// session has no copy that is young enough.
pub fn find(
    path: &str,
    kind: Kind,
    wanted: &Wanted,
    world: &mut dyn World,
) -> Result<Resolved, Failure> {
    let start = path.find("://").map_or(0, |at| at.saturating_add(3));
    let (url, rest) = split(path, start);
    let (rest, is_fresh) = without_fresh(rest);
    let typed = url.get(start..).unwrap_or_default();
    let address = github::parse(kind, typed).map_err(|wrong| {
        let message = format!("cannot read `{path}`: {wrong}");
        Failure::new(Reason::InvalidPath(path.to_owned()), message).hint(wrong.hint())
    })?;
    let suffix = strip_separator(&rest).map(|rest| Suffix::new(rest, false));
    let selector = suffix.as_ref().and_then(|suffix| suffix.selector().ok()?);
    let lines = selector.is_some_and(|selector| match &selector.lines {
        Lines::All => false,
        Lines::One(range) => range.start.line > 1,
        Lines::List(_) | Lines::Tail { .. } => true,
    });
    let read = Read {
        path,
        url,
        kind,
        is_fresh,
        // The pages of a text are of one version.
        is_later: wanted.is_later || lines,
        github: &wanted.github,
    };
    let Answer {
        text,
        mime,
        notes,
        refresh,
    } = answer::answer(&read, address, world)?;
    let info = Info {
        size: Some(text.len() as u64),
        mime: Some(mime.to_owned()),
        charset: Some("utf-8".to_owned()),
        ..Info::default()
    };
    let origin = Origin::Resource {
        place: None,
        facts: Facts::of(kind.scheme()),
        notes,
        refresh,
    };
    Ok(Resolved {
        subject: Subject::remote(url, url.to_owned(), origin, info),
        node: Opened::Bytes(Box::new(Bytes::new(text.into_bytes()))),
        suffix,
        extraction: None,
    })
}

/// Splits a path into the URL and the selector after it. A colon before a slash is that of a port.
fn split(path: &str, start: usize) -> (&str, &str) {
    let name = path.get(start..).unwrap_or_default();
    let query = name.find('?').unwrap_or(name.len());
    let first = name.get(..query).and_then(|path| path.rfind('/'));
    let from = start.saturating_add(first.unwrap_or(0));
    let colons = path.match_indices(':').map(|(at, _)| at);
    let end = colons.filter(|at| *at >= from).find(|at| {
        let rest = path.get(*at..).and_then(strip_separator);
        let rest = rest.map(|rest| without_fresh(rest).0);
        rest.is_some_and(|rest| {
            rest.is_empty() || Suffix::new(rest.trim_start_matches(':'), false).is_selector()
        })
    });
    path.split_at_checked(end.unwrap_or(path.len()))
        .unwrap_or((path, ""))
}

/// A suffix without its part `fresh`, and whether it has one.
fn without_fresh(suffix: &str) -> (String, bool) {
    let parts = suffix.split(':');
    let kept: Vec<&str> = parts
        .filter(|part| !part.eq_ignore_ascii_case("fresh"))
        .collect();
    let kept = kept.join(":");
    let is_fresh = kept.len() != suffix.len();
    (kept, is_fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selector_is_after_the_last_segment() {
        for (path, url, rest, fresh) in [
            ("issue://12", "issue://12", "", false),
            ("issue://12:1-40", "issue://12", ":1-40", false),
            ("issue://12:raw", "issue://12", ":raw", false),
            ("issue://12:fresh", "issue://12", "", true),
            ("issue://12:5-9:fresh", "issue://12", ":5-9", true),
            (
                "issue://h:8443/o/r/12:fresh:5",
                "issue://h:8443/o/r/12",
                ":5",
                true,
            ),
            ("issue://h:8443/o/r", "issue://h:8443/o/r", "", false),
            ("pr://o/r?label=a:b", "pr://o/r?label=a:b", "", false),
            (
                "pr://o/r?label=a:b:301",
                "pr://o/r?label=a:b",
                ":301",
                false,
            ),
            ("issue://", "issue://", "", false),
            ("issue://:5", "issue://", ":5", false),
        ] {
            let start = path.find("://").unwrap() + 3;
            let (found, after) = split(path, start);
            assert_eq!(found, url, "{path}");
            assert_eq!(without_fresh(after), (rest.to_owned(), fresh), "{path}");
        }
    }
}
