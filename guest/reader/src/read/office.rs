//! Documents of office programs: the document engine converts them.

use super::converted;
use crate::answer::Text;
use crate::convert::office;
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::pages::Input;
use crate::path::{Part, Picture, Selector};
use crate::request::Request;
use crate::sniff::Document;
use crate::sources::{self, OpenDocument};
use crate::subject::Subject;
use crate::world::World;
use omniread_document as document;

/// Reads a page of the text of a document. If the document cannot be read, the text is the reason,
/// the format and the size. `opened` is the document if it is open already.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the document does not have the requested units.
///
/// [`Reason::InvalidSelector`]: crate::failure::Reason::InvalidSelector
#[expect(
    clippy::too_many_arguments,
    reason = "what a read of bytes consists of"
)]
pub fn read(
    document: Document,
    format: document::Format,
    opened: Option<OpenDocument>,
    input: &mut Input<'_>,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Result<Text, Failure> {
    let first = Picture::Image(1);
    let pictures = subject.with_selector(&Selector::of(Part::Figure(first)));
    let pictures = pictures.strip_suffix(&first.to_string());
    let pictures = pictures.unwrap_or_default();
    let opened = opened.unwrap_or_else(|| sources::open_document(format, input, subject, world));
    let converted = opened.and_then(|mut opened| {
        // The text of a mail lists its attachments.
        let note = match format {
            document::Format::Pdf => {
                sources::attachments_note(&opened.attachments(), subject, &*world)
            }
            _ => None,
        };
        let mut converted = office::convert(opened, document, pictures)?;
        converted.notes.extend(note);
        Ok(converted)
    });
    let (converted, selector) = match converted {
        Ok(converted) => (converted, selector),
        // The reason is shown, whichever lines are requested.
        Err(error) => {
            let why = office::unreadable(&error, document, subject.bytes(), request.is_call);
            (why, &Selector::NONE)
        }
    };
    let encoding = Encoding::VALID_UTF8;
    converted::read(
        converted, encoding, subject, selector, request, world, notes,
    )
}

#[cfg(test)]
mod tests;
