//! The current state of a file, and the snapshot that a session remembers after a read.

use super::directory::not_a_file;
use super::{document, text};
use crate::answer::{Answer, Body};
use crate::digest;
use crate::escapes::escape_line;
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::rooted_path::failure;
use crate::sniff::{self, Kind};
use crate::sources::{self, Opened, Resolved, Wanted};
use crate::subject::{Origin, Subject};
use crate::window::{Page, Total};
use crate::world::{ShownLines, Snapshot, Time, World};

/// A path, and the file that exists there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The absolute path.
    pub resolved: String,
    /// The state of the file, or `None` if no file exists.
    pub stamp: Option<Stamp>,
}

/// The current state of a file, for comparison with the state when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The size in bytes on disk.
    pub size: u64,
    /// The time of the last modification.
    pub modified: Option<Time>,
    /// The SHA-256 of the bytes, if requested.
    pub sha256: Option<String>,
    /// The tag of the text (a short hash for edit tools), if requested and if the text has one.
    pub tag: Option<String>,
}

/// Returns the current state of the file at a path. If `content` is true, the file is read to
/// compute its SHA-256 and its tag (a short hash for edit tools).
///
/// # Errors
/// Fails as [`read`](fn@crate::read) does, except that a missing file is not an error: the stamp is
/// `None`.
pub fn current(path: &str, content: bool, world: &mut dyn World) -> Result<State, Failure> {
    let found = match sources::resolve(path, &Wanted::default(), world) {
        Ok(found) => found,
        Err(failure) => {
            let missing = matches!(failure.reason, Reason::NotFound(_));
            let resolved = sources::absolute(path, world).filter(|_| missing);
            let stamp = None;
            return resolved.map_or(Err(failure), |resolved| Ok(State { resolved, stamp }));
        }
    };
    let Resolved { subject, node, .. } = found;
    let Opened::Bytes(mut source) = node else {
        return Err(not_a_file(path));
    };
    let size = subject.info.size;
    let mut stamp = Stamp {
        size: size.unwrap_or(0),
        modified: subject.info.modified,
        sha256: None,
        tag: None,
    };
    if content {
        let mut input = Input::new(&mut *source, size).map_err(|error| failure(error, path))?;
        stamp.tag = tag(&mut input, &subject);
        if let Ok(digest) = digest::digest(&mut input, size, world) {
            stamp.size = digest.bytes;
            stamp.sha256 = Some(digest.sha256);
        }
    }
    Ok(State {
        resolved: subject.resolved,
        stamp: Some(stamp),
    })
}

/// The tag (a short hash for edit tools) of the text that an edit tool can change. `None` if the
/// text has no tag.
fn tag(input: &mut Input<'_>, subject: &Subject) -> Option<String> {
    let detected = sniff::sniff(input, subject.info.size, None, subject.hints());
    let converted = match detected.kind {
        Kind::Document(document) => document::tag(document, input, detected.encoding, subject).ok(),
        _ => None,
    };
    converted.unwrap_or_else(|| text::tag(input, detected.encoding?))
}

/// The lines that a page shows completely, in runs.
fn shown(page: &Page, keeps_text: bool) -> Vec<ShownLines> {
    let mut runs = page.whole_spans().into_iter();
    let mut lines = page.lines.iter().enumerate().peekable();
    // Lines that are counted from the end are after those that are counted from the start.
    let place = |number: i64| (number < 0, number);
    let run = |(first, last): (i64, i64)| {
        let mut text = String::new();
        while let Some((index, line)) = lines.next_if(|(_, line)| place(line.number) <= place(last))
        {
            if place(line.number) < place(first) || !keeps_text {
                continue;
            }
            if line.number > first {
                text.push('\n');
            }
            // Exact text has its line endings and hidden characters.
            let shown = page.line(index).trim_end_matches(['\r', '\n']);
            text.push_str(&escape_line(shown));
        }
        ShownLines {
            first,
            last,
            text: keeps_text.then_some(text),
        }
    };
    runs.by_ref().map(run).collect()
}

/// The lines of a file that an answer shows, and the state of the file. `None` if the answer shows other content,
/// such as a member or a listing.
pub(crate) fn snapshot(answer: &Answer, world: &dyn World) -> Option<Snapshot> {
    let subject = &answer.subject;
    let (Origin::File(_) | Origin::Mounted { editable: true, .. }) = subject.origin else {
        return None;
    };
    let (tag, shown) = match &answer.body {
        _ if !subject.is_whole() => return None,
        Body::Listing(_) | Body::Archive(_) | Body::Database(_) => return None,
        Body::Text(text) if !text.is_edit_text => (None, Vec::new()),
        Body::Text(text) => {
            let keeps_text = world.keeps_text();
            (text.tag.clone(), shown(&text.page, keeps_text))
        }
        Body::Media(_) | Body::Binary(_) => (None, Vec::new()),
    };
    let total = match &answer.body {
        Body::Text(text) => match text.page.total {
            Total::Exact(total) => Some(total),
            Total::AtLeast(_) => None,
        },
        _ => None,
    };
    Some(Snapshot {
        path: subject.resolved.clone(),
        tag,
        shown,
        total,
        // The session compares this with the stated size at that time.
        size: answer.size().or(subject.info.size),
        modified: subject.info.modified,
        sha256: answer.sha256().map(str::to_owned),
    })
}
