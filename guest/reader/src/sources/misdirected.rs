//! Failures for suffixes that do not apply to the file that they follow. A missing member is
//! handled elsewhere.

use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Selector, Suffix};
use crate::rooted_path::failure;
use crate::sniff::{Document, is_named_database};
use crate::subject::Subject;
use crate::units::with_article;
use crate::world::FileError;

/// Parses the selector after the path of a file that exists.
///
/// # Errors
/// Fails if the suffix is not a valid selector. The caller adds a hint to a failure that has none,
/// because the selectors that a path can have depend on the content.
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
    let name = &subject.requested;
    if is_named_database(&subject.requested) {
        return Err(Failure::new(
            Reason::Unsupported("not a SQLite database".to_owned()),
            format!(
                "`{name}` is not a SQLite database, or is encrypted, so `{rest}` cannot be read"
            ),
        ));
    }
    if rest.starts_with('?') {
        return Err(Failure::new(
            Reason::Unsupported("neither a database nor a table".to_owned()),
            format!("`{name}` is neither a database nor a table, so `{rest}` cannot be read"),
        ));
    }
    Err(Failure::new(
        Reason::NotFound(vec![subject.whole()]),
        format!("Path '{name}:{rest}' not found"),
    ))
}

/// The failure `missing` for a part of a document that does not exist. It has the names of similar
/// parts, or else the paths of the text and of the list of the parts.
pub fn no_part(missing: Failure, document: Document, subject: &Subject) -> Failure {
    if !matches!(&missing.reason, Reason::NotFound(near) if near.is_empty()) {
        return missing;
    }
    let path = |member: &str| escape_invisible(&subject.member_path(member));
    let unit = document.units().map_or_else(String::new, |kind| {
        let word = kind.word();
        let first = kind.first();
        format!(
            "; read a {word} with `{}:{word}:{first}`",
            escape_invisible(&subject.before_selector())
        )
    });
    missing.hint(format!(
        "`{}` is {} without this part; read its text, which has the paths of its images, with `{}`{unit}; list its parts with `{}`",
        subject.shown(),
        with_article(document.name()),
        path(""),
        path("/")
    ))
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
