//! Other spellings of a path that names nothing: a slash in place of the colon after a file, a colon
//! in place of the slash after a directory, backslashes in place of slashes, and names in another Unicode
//! form.

use super::repair::normalize;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Locator, locate};
use crate::rooted_path::RootedPath;
use crate::subject::RepairMethod;
use crate::world::{FileType, World};

/// Another spelling of a path.
pub struct Spelling {
    /// The path.
    pub path: String,
    /// How it differs from the requested one.
    pub method: RepairMethod,
}

/// Other spellings of a path that names nothing, which may be meant. The caller reads them to find
/// the first one that names something. `failure` is the failure of the path.
pub fn spellings(path: &str, failure: &Failure, world: &mut dyn World) -> Vec<Spelling> {
    let Reason::NotFound(near) = &failure.reason else {
        return Vec::new();
    };
    if world.roots().is_empty() || !matches!(locate(path, false), Ok(Locator::Path(_))) {
        return Vec::new();
    }
    let mut spellings = Vec::new();
    for near in near {
        let Some(spelled) = alike(path, near) else {
            continue;
        };
        let inside = separated(&spelled, world);
        spellings.extend([spelled].into_iter().chain(inside).map(|path| Spelling {
            path,
            method: RepairMethod::Lookalike,
        }));
    }
    let mut inside = separated(path, world);
    if path.contains('\\') {
        // The separators of Windows. A file whose name has a backslash would have been found.
        let slashes = path.replace('\\', "/");
        let members = separated(&slashes, world);
        inside.push(slashes);
        inside.extend(members);
    }
    spellings.extend(inside.into_iter().map(|path| Spelling {
        path,
        method: RepairMethod::Separator,
    }));
    spellings.truncate(limits::SPELLINGS);
    spellings
}

/// The existing path `near` with the rest of `path` after it, if both start with names that look the
/// same.
fn alike(path: &str, near: &str) -> Option<String> {
    let found = normalize(near);
    let ends = path
        .char_indices()
        .filter(|(_, c)| matches!(c, '/' | ':' | '?' | '#'))
        .map(|(at, _)| at)
        .take(limits::NAME_CANDIDATES);
    let mut ends = ends.chain([path.len()]);
    let rest = ends.find_map(|end| {
        let (name, rest) = path.split_at_checked(end)?;
        (normalize(name) == found).then_some(rest)
    })?;
    // A selector may have a dash of another kind. Names of members keep their characters.
    let plain = normalize(rest);
    let is_selector = plain.is_ascii() && plain.starts_with([':', '?']);
    let spelled = format!("{near}{}", if is_selector { &plain } else { rest });
    (spelled != path).then_some(spelled)
}

/// The paths with a colon after the first file, if a slash follows it, and after names in it that may
/// be those of files. Of a path that names an entry of a directory after a colon, the path with a
/// slash.
fn separated(path: &str, world: &mut dyn World) -> Vec<String> {
    let mut paths = Vec::new();
    let Some((at, separator, kind)) = first_existing(path, world) else {
        return paths;
    };
    let (base, rest) = path.split_at_checked(at).unwrap_or((path, ""));
    let rest = rest.get(1..).unwrap_or_default();
    match (separator, kind) {
        ('/', FileType::File) => paths.push(format!("{base}:{rest}")),
        (':', FileType::File) => {}
        (':', FileType::Directory) if !rest.starts_with('/') && !rest.is_empty() => {
            paths.push(format!("{base}/{rest}"));
            return paths;
        }
        _ => return paths,
    }
    // A member may be an archive itself.
    let names = rest.split([':', '?']).next().unwrap_or_default();
    for (slash, _) in names.match_indices('/') {
        let (outer, inner) = rest.split_at_checked(slash).unwrap_or((rest, ""));
        let last = outer.rsplit('/').next().unwrap_or(outer);
        if last.contains('.') && !matches!(last, "." | "..") {
            let inner = inner.get(1..).unwrap_or_default();
            paths.push(format!("{base}:{outer}:{inner}"));
        }
    }
    paths
}

/// The end of the first prefix of a path, before a slash or colon, that is a file, or of the longest
/// one before the first colon that is a directory. Also returns the character after it.
fn first_existing(path: &str, world: &mut dyn World) -> Option<(usize, char, FileType)> {
    let ends = path.char_indices().skip(1);
    let mut ends = ends.filter(|(_, c)| matches!(c, '/' | ':'));
    ends.find_map(|(at, separator)| {
        let name = path.get(..at)?;
        let place = RootedPath::of(name, world).ok()?;
        let (_, stat) = place.stat(true, name, world).ok()?.ok()?;
        let is_end = stat.file_type == FileType::File || separator == ':';
        is_end.then_some((at, separator, stat.file_type))
    })
}

/// The failure for a path that names nothing, with the hint of the failure of another spelling, whose
/// file exists.
pub fn with_hint_of(failure: Failure, spelled: Failure) -> Failure {
    Failure {
        reason: match spelled.reason {
            reason @ Reason::NotFound(_) => reason,
            _ => failure.reason,
        },
        hint: spelled.hint,
        ..failure
    }
}

/// The failure for a path that names nothing, with another spelling as a hint.
pub fn with_spelling(failure: Failure, path: String) -> Failure {
    let failure = failure.hint(format!("use `{path}`"));
    Failure {
        reason: Reason::NotFound(vec![path]),
        ..failure
    }
}
