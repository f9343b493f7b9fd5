//! Failures of what follows the name of something that exists, other than that
//! there is no such member.

use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Rest, Selector, UnitKind, without_column};
use crate::place::failure;
use crate::sniff::is_named_database;
use crate::subject::Subject;
use crate::world::FileError;

/// The selector after the path of something that exists.
///
/// # Errors
/// If what follows is not a selector.
pub fn selector(subject: &Subject, rest: Option<&Rest>) -> Result<Selector, Failure> {
    let Some(rest) = rest.map(Rest::as_str) else {
        return Ok(Selector::NONE);
    };
    if let Some(selector) = Selector::parse(rest)? {
        return Ok(selector);
    }
    // The column is not used: the line would be cut before it.
    if let Some(line) = without_column(rest)
        && let Some(selector) = Selector::parse(line)?
    {
        return Ok(selector);
    }
    let (name, shown) = (&subject.typed, subject.shown());
    if rest.starts_with('?') || is_named_database(&subject.typed) {
        return Err(Failure::new(
            Reason::Unsupported("not a SQLite database".to_owned()),
            format!(
                "`{name}` is not a SQLite database, or an encrypted one, so `{rest}` asks nothing of it"
            ),
        ));
    }
    if let Some(reserved) = Selector::reserved(rest) {
        return Err(Failure::new(
            Reason::Unsupported(format!(":{reserved}")),
            format!("there is no reader for the selector `:{reserved}` yet"),
        ));
    }
    let not_found = Failure::new(
        Reason::NotFound(vec![subject.whole()]),
        format!("Path '{name}:{rest}' not found"),
    );
    let units: Vec<String> = UnitKind::hints().collect();
    Err(not_found.hint(format!(
        "`{shown}` exists, but `:{rest}` is no selector; use :N, :A-B, :A+C, :-N or :raw, :img for an image, {}",
        units.join(", ")
    )))
}

/// The failure of what follows a second colon after an archive.
pub fn not_in_root(subject: &Subject, typed: &str) -> Failure {
    let root = subject.inside("");
    let hint = format!("`{root}` lists the archive; write the name of a member after one colon");
    let failure = failure(FileError::NotFound, typed).hint(hint);
    Failure {
        reason: Reason::NotFound(vec![root]),
        ..failure
    }
}

/// The failure of a path that goes through too many archives.
pub fn too_deep(typed: &str) -> Failure {
    let limit = limits::ARCHIVE_DEPTH;
    let reason = Reason::limit("archive-depth", limit as u64);
    Failure::new(
        reason,
        format!("`{typed}` lies in more than {limit} archives, one in another"),
    )
}

/// The failure of a link in what has passed by.
pub fn read_once(typed: &str) -> Failure {
    let words = "it is a link, and standard input can be read only once".to_owned();
    failure(FileError::Other(words), typed).hint("save it to a file first")
}
