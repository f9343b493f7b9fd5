//! Failures for suffixes that do not apply to the file that they follow. A missing member is
//! handled elsewhere.

use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Selector, Suffix, UnitKind};
use crate::rooted_path::failure;
use crate::sniff::is_named_database;
use crate::subject::Subject;
use crate::world::FileError;

/// Parses the selector after the path of a file that exists.
///
/// # Errors
/// Fails if the suffix is not a valid selector.
pub fn selector(subject: &Subject, rest: Option<&Suffix>) -> Result<Selector, Failure> {
    let Some(rest) = rest else {
        return Ok(Selector::NONE);
    };
    if let Some(selector) = rest.selector()? {
        return Ok(selector);
    }
    // The column is ignored: a page from it would not show the start of the line.
    if let Some(line) = rest.without_column()
        && let Some(selector) = line.selector()?
    {
        return Ok(selector);
    }
    let rest = rest.as_str();
    let (name, shown) = (&subject.requested, subject.shown());
    if rest.starts_with('?') || is_named_database(&subject.requested) {
        return Err(Failure::new(
            Reason::Unsupported("not a SQLite database".to_owned()),
            format!(
                "`{name}` is not a SQLite database, or is encrypted, so `{rest}` cannot be read"
            ),
        ));
    }
    if let Some(reserved) = Selector::reserved(rest) {
        return Err(Failure::new(
            Reason::Unsupported(format!(":{reserved}")),
            format!("the selector `:{reserved}` is not supported yet"),
        ));
    }
    let not_found = Failure::new(
        Reason::NotFound(vec![subject.whole()]),
        format!("Path '{name}:{rest}' not found"),
    );
    let units: Vec<String> = UnitKind::hints().collect();
    Err(not_found.hint(format!(
        "`{shown}` exists, but `:{rest}` is not a selector. Use `:50` (from line 50), `:50-80`, `:50+10` (ten lines), `:-20` (the last 20), `:raw`; in an image `:img`; in a web page `:` (as Markdown), `:full`, `:#id`; {}",
        units.join("; ")
    )))
}

/// The failure for a name after a second colon: `a.zip::name`.
pub fn not_in_root(subject: &Subject, typed: &str) -> Failure {
    let root = subject.member_path("");
    let hint =
        format!("list the archive with `{root}`; write the name of a member after one colon");
    let failure = failure(FileError::NotFound, typed).hint(hint);
    Failure {
        reason: Reason::NotFound(vec![root]),
        ..failure
    }
}

/// The failure for a path with too many nested archives.
pub fn too_deep(typed: &str) -> Failure {
    let limit = limits::ARCHIVE_DEPTH;
    let reason = Reason::limit("archive-depth", limit as u64);
    Failure::new(
        reason,
        format!("`{typed}` is nested in more than {limit} archives"),
    )
}

/// The failure for a link in an archive that is a stream, such as standard input. A stream cannot
/// be read again to find the target of the link.
pub fn read_once(typed: &str) -> Failure {
    let message =
        "it is a link to another member, and standard input can be read only once".to_owned();
    failure(FileError::Other(message), typed).hint("save it to a file first")
}
