//! Failures of paths into archives, other than that there is no such member.

use super::place::failure;
use crate::answer::Subject;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::visible;
use crate::world::FileError;

/// The failure of what follows a second colon after an archive.
pub fn not_in_root(subject: &Subject, typed: &str) -> Failure {
    let root = subject.inside("");
    let hint = format!(
        "`{}` lists the archive; write the name of a member after one colon",
        visible(&root)
    );
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
    let typed = visible(typed);
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
