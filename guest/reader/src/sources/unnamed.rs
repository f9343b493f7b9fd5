//! Failures for paths that name no file: without a name, without a root, or of a scheme that is not read.

use super::repair::similar_names;
use crate::failure::{Failure, OperatorHint, Reason};
use crate::limits;
use crate::path::Suffix;
use crate::world::World;
use omniread_schemes::{GUIDE, SCHEMES, Scheme, Served};

/// The failure for an internal URL of a scheme that agents use, if this host has nothing for it.
pub fn nothing_mounted(scheme: &str, path: &str) -> Failure {
    let reason = Reason::Unsupported(format!("`{scheme}://` URLs"));
    if scheme == "artifact" {
        let message = format!("cannot read `{path}`: no session keeps artifacts");
        return Failure::new(reason, message).operator_hint(OperatorHint::Session);
    }
    if scheme == "mcp" {
        let message = format!("cannot read `{path}`: no MCP server is configured");
        return Failure::new(reason, message).operator_hint(OperatorHint::Servers);
    }
    if Scheme::of(scheme).served == Served::Nothing {
        let message = format!("`{scheme}://` URLs are not supported yet: `{path}`");
        return Failure::new(reason, message);
    }
    let message = format!("cannot read `{path}`: no directory is mounted for `{scheme}://`");
    Failure::new(reason, message).operator_hint(OperatorHint::Mount)
}

/// The failure for an internal URL of a scheme of which nothing is known, and that names no file. `schemes` are
/// those for which the host has resources.
pub fn unknown_scheme(
    scheme: &str,
    path: &str,
    schemes: Vec<String>,
    world: &dyn World,
) -> Failure {
    let mounts = world.mounts().iter().map(|mount| mount.scheme.clone());
    let mut known: Vec<String> = schemes.into_iter().chain(mounts).collect();
    known.sort_unstable();
    known.dedup();
    let served = SCHEMES.iter().map(|scheme| scheme.name);
    let served = served.filter(|name| Scheme::of(name).served != Served::Nothing);
    let all: Vec<&str> = known.iter().map(String::as_str).chain(served).collect();
    let similar = similar_names(scheme, &mut all.into_iter());
    let urls = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}://`")).collect();
        names.join(", ")
    };
    let message =
        format!("cannot read `{path}`: no file, mount or provider has the scheme `{scheme}`");
    let failure = Failure::new(Reason::Unsupported(format!("`{scheme}://` URLs")), message);
    let hint = match (similar.first(), known.as_slice()) {
        (Some(first), _) => format!("similar schemes: {}", urls(std::slice::from_ref(first))),
        (None, []) => return failure.operator_hint(OperatorHint::Mount),
        (None, [only]) if only == GUIDE => format!("`{GUIDE}://internal-urls.md` explains schemes"),
        (None, known) => {
            let shown = known.get(..limits::LISTED_SCHEMES).unwrap_or(known);
            let more = known.len().saturating_sub(shown.len());
            let more = match more {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("the schemes here are {}{more}", urls(shown))
        }
    };
    failure.hint(hint)
}

/// The failure for a file path if there are no roots, which are the directories that may be read.
pub fn nothing_granted(path: &str) -> Failure {
    let reason = Reason::OutsideRoots(path.to_owned());
    let message = format!("cannot read `{path}`: no directory was granted to this component");
    Failure::new(reason, message).operator_hint(OperatorHint::Directory)
}

/// The failure for a path that consists only of a selector or a query. `None` for other paths.
pub fn without_name(path: &str) -> Option<Failure> {
    let selector = match path.strip_prefix(':') {
        Some(rest) => {
            rest.is_empty() || rest.starts_with('?') || Suffix::new(rest, false).is_selector()
        }
        None => path.starts_with('?'),
    };
    selector.then(|| empty_name(path))
}

/// The failure for a path whose name is empty.
pub fn empty_name(selector: &str) -> Failure {
    let hint = match selector.strip_prefix(':') {
        Some(_) => format!("write `.{selector}` for the directory, or `FILE{selector}` for a file"),
        None => format!("write `FILE{selector}` with the path of a database"),
    };
    let message = format!("the path before `{selector}` is empty");
    Failure::new(Reason::InvalidPath(selector.to_owned()), message).hint(hint)
}
