//! What a file is now, and what a session remembers of it.

use super::directory::not_a_file;
use super::{bytes, document, text};
use crate::answer::{Answer, Body};
use crate::digest;
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::place::failure;
use crate::sniff::{self, Kind};
use crate::sources::{self, Found, Node};
use crate::subject::{Origin, Subject};
use crate::world::{Snapshot, Time, World};

/// A path, and what is there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The absolute path.
    pub resolved: String,
    /// The file there, if there is one.
    pub stamp: Option<Stamp>,
}

/// What a file is now, to be compared with what it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Its bytes on disk.
    pub size: u64,
    /// Time of the last change.
    pub modified: Option<Time>,
    /// Their SHA-256, if it was asked for.
    pub sha256: Option<String>,
    /// The tag of its text, if it was asked for and there is one.
    pub tag: Option<String>,
}

/// Tells what the file at a path is now. `content` asks for what only its
/// bytes tell: hash and tag.
///
/// # Errors
/// As [`read`], but that there is no such file is none.
pub fn current(path: &str, content: bool, world: &mut dyn World) -> Result<State, Failure> {
    let found = match sources::resolve(path, false, false, world) {
        Ok(found) => found,
        Err(failure) => {
            let missing = matches!(failure.reason, Reason::NotFound(_));
            let resolved = sources::absolute(path, world).filter(|_| missing);
            let stamp = None;
            return resolved.map_or(Err(failure), |resolved| Ok(State { resolved, stamp }));
        }
    };
    let Found { subject, node, .. } = found;
    let Node::Bytes(mut source) = node else {
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

/// The tag under which the text of a file is edited, if it has one.
fn tag(input: &mut Input<'_>, subject: &Subject) -> Option<String> {
    let sniffed = sniff::sniff(input, subject.info.size, None, bytes::hints(subject));
    let converted = match sniffed.kind {
        Kind::Document(document) => document::tag(document, input, sniffed.encoding).ok(),
        _ => None,
    };
    converted.unwrap_or_else(|| text::tag(input, sniffed.encoding?))
}

/// Reports an answer that was handed out to the session.
pub(crate) fn remember(answer: &Answer, world: &mut dyn World) {
    let subject = &answer.subject;
    let Origin::File(_) = subject.origin else {
        return;
    };
    let (tag, shown) = match &answer.body {
        _ if !subject.inside.is_empty() => return,
        Body::Listing(_) | Body::Archive(_) | Body::Database(_) => return,
        Body::Text(text) if !text.edited => (None, Vec::new()),
        Body::Text(text) => (text.tag.clone(), text.page.whole_spans()),
        Body::Media(_) | Body::Binary(_) => (None, Vec::new()),
    };
    world.remember(&Snapshot {
        path: subject.resolved.clone(),
        tag,
        shown,
        // What it claims to be is compared with what it claims then.
        size: answer.size().or(subject.info.size),
        modified: subject.info.modified,
        sha256: answer.sha256().map(str::to_owned),
    });
}
