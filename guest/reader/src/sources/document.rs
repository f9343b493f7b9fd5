//! Documents that the document engine opens.

use crate::encoding::Encoding;
use crate::limits;
use crate::pages::Input;
use crate::rooted_path::RootedPath;
use crate::sniff::{Document, Hints};
use crate::subject::Subject;
use crate::world::{self, DocumentError, Remote, World};
use omniread_document as document;

/// Opens a document in the document engine. The engine gets the bytes of a small file, which are in memory. It reads a
/// larger file on disk itself, and parts of a large PDF document on a server.
///
/// # Errors
/// Fails if the document cannot be read.
pub fn open(
    format: document::Format,
    input: &mut Input<'_>,
    subject: &Subject,
    world: &mut dyn World,
) -> Result<Box<dyn world::Document>, DocumentError> {
    let has_state = format == document::Format::Pdf && subject.is_whole();
    let state = has_state.then(|| input.source().state()).flatten();
    let input = match subject.origin.on_disk() {
        // A copy takes a tenth of the time of opening and reading the file once more.
        _ if input.complete() && input.head().len() <= limits::CHUNK_BYTES => {
            world::Input::Bytes(input.head().to_vec())
        }
        Some(place) if subject.is_whole() => followed(place, subject, world)?,
        _ if let Some(remote) = remote(format, input, subject) => world::Input::Remote(remote),
        _ => {
            let bytes = input.first(limits::CONVERTED_DOCUMENT_BYTES.saturating_add(1));
            if bytes.len() as u64 > limits::CONVERTED_DOCUMENT_BYTES {
                return Err(DocumentError::Exhausted("bytes".to_owned()));
            }
            world::Input::Bytes(bytes.into_owned())
        }
    };
    world.document(&input, format, state)
}

/// The file for the engine. Symlinks that are absolute or lead into another root are followed here, as for
/// the reader itself, because the file system does not follow them.
fn followed(
    place: &RootedPath,
    subject: &Subject,
    world: &mut dyn World,
) -> Result<world::Input, DocumentError> {
    match place.clone().stat(true, &subject.requested, world) {
        Ok(Ok((place, _))) => Ok(world::Input::File(place.root, place.path)),
        Ok(Err(error)) => Err(DocumentError::Io(error.to_string())),
        Err(failure) => Err(DocumentError::Io(failure.message.to_string())),
    }
}

/// A large PDF document on a server, of which the engine reads only parts. `None` for any other
/// document, and for one that was read whole already. The engine reads documents of other formats
/// whole.
fn remote(format: document::Format, input: &mut Input<'_>, subject: &Subject) -> Option<Remote> {
    if format != document::Format::Pdf || !subject.is_whole() || input.complete() {
        return None;
    }
    input.source().shared()
}

/// A document that the engine opened, or the reason why it cannot be read.
pub type OpenDocument = Result<Box<dyn world::Document>, DocumentError>;

/// The format of a text whose bare path shows the text itself, such as HTML or a mail. `None` if it
/// has no converted form.
pub fn of_text(input: &Input<'_>, encoding: Encoding, hints: Hints<'_>) -> Option<Document> {
    let head = input.head();
    let start = head.get(..limits::MARKUP_HEAD_BYTES).unwrap_or(head);
    let whole = input.complete() && start.len() == head.len();
    let start = encoding.decoded(start, whole);
    let mut start = String::from_utf8_lossy(&start);
    if start.contains('\0') {
        start = start.replace('\0', "").into();
    }
    Document::of_markup(&start, hints)
}
