//! Content that a session keeps as an artifact, because a reply shows only the start of it.

use crate::limits;
use crate::pages::Input;
use crate::subject::Subject;
use crate::world::World;
use std::ops::ControlFlow;

/// The note that names the artifact with the whole content.
pub(super) fn note(id: &str) -> String {
    format!("all of it is kept as `artifact://{id}`")
}

/// Stores all bytes of a file as an artifact. `None` if the session does not keep it, or if the file cannot be read
/// a second time.
pub(super) fn whole(
    input: &mut Input<'_>,
    subject: &Subject,
    world: &mut dyn World,
) -> Option<String> {
    if !world.stores_artifacts() || input.rewind().is_err() {
        return None;
    }
    if !world.start_artifact(&subject.absolute(), "text/markdown") {
        return None;
    }
    let mut offset = 0u64;
    loop {
        let chunk = input.chunk(offset);
        if chunk.is_empty() {
            break;
        }
        if !world.write_artifact(chunk) {
            return None;
        }
        offset = offset.saturating_add(chunk.len() as u64);
    }
    world.finish_artifact()
}

/// A text that is made in pieces. It is made again for each use, so that it is not in memory as a whole.
pub(super) trait Pieces {
    /// Passes the pieces of the text to `sink`, until it breaks.
    fn each(&self, sink: &mut dyn FnMut(&str) -> ControlFlow<()>);
}

/// The start of a text, and whether it is longer. The start has at least [`limits::REPLY_BYTES`] bytes then.
pub(super) fn start(text: &dyn Pieces) -> (String, bool) {
    // A page ends before the end of this start, if there is more.
    let most = usize::try_from(limits::REPLY_BYTES)
        .unwrap_or(usize::MAX)
        .saturating_add(limits::CHUNK_BYTES);
    let mut start = String::new();
    let mut is_longer = false;
    text.each(&mut |piece| {
        let room = most.saturating_sub(start.len());
        let end = piece.floor_char_boundary(room);
        let kept = piece.get(..end).unwrap_or_default();
        start.push_str(kept);
        is_longer = kept.len() < piece.len();
        if is_longer {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    (start, is_longer)
}

/// Stores a text as an artifact. Returns its id and its number of bytes.
pub(super) fn text(
    text: &dyn Pieces,
    source: &str,
    mime: &str,
    world: &mut dyn World,
) -> Option<(String, u64)> {
    if !world.stores_artifacts() || !world.start_artifact(source, mime) {
        return None;
    }
    let mut size = 0u64;
    let mut is_kept = true;
    text.each(&mut |piece| {
        for bytes in piece.as_bytes().chunks(limits::CHUNK_BYTES) {
            size = size.saturating_add(bytes.len() as u64);
            is_kept = is_kept && world.write_artifact(bytes);
        }
        if is_kept {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let id = is_kept.then(|| world.finish_artifact()).flatten()?;
    Some((id, size))
}
