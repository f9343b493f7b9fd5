//! Failures for paths that name no file: without a name, without a root, or of a scheme that is not read.

use crate::failure::{Failure, OperatorHint, Reason};
use crate::path::Suffix;
use crate::scheme::SchemeFacts;

/// The failure for an internal URL of a scheme that agents use, if this host has nothing for it.
pub fn nothing_mounted(scheme: &str, path: &str) -> Failure {
    let reason = Reason::Unsupported(format!("`{scheme}://` URLs"));
    if scheme == "artifact" {
        let message = format!("cannot read `{path}`: no session keeps artifacts");
        return Failure::new(reason, message).operator_hint(OperatorHint::Session);
    }
    if !SchemeFacts::of(scheme).mounted {
        let message = format!("`{scheme}://` URLs are not supported yet: `{path}`");
        return Failure::new(reason, message);
    }
    let message = format!("cannot read `{path}`: no directory is mounted for `{scheme}://`");
    Failure::new(reason, message).operator_hint(OperatorHint::Mount)
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
