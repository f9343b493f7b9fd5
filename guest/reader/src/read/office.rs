//! Documents of office programs: the document engine converts them.

use super::converted;
use super::reading::Reading;
use crate::answer::Text;
use crate::convert::office;
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::pages::Input;
use crate::path::{Part, Picture, Selector};
use crate::sniff::Document;
use crate::sources;
use omniread_document as document;

impl Reading<'_> {
    /// Reads a page of the text of a document. If the document cannot be read, the text is the reason,
    /// the format and the size.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidSelector`] if the document does not have the requested units.
    ///
    /// [`Reason::InvalidSelector`]: crate::failure::Reason::InvalidSelector
    pub fn office(
        &mut self,
        document: Document,
        format: document::Format,
        input: &mut Input<'_>,
    ) -> Result<Text, Failure> {
        let subject = self.subject;
        let first = Picture::Image(1);
        let pictures = subject.with_selector(&Selector::of(Part::Figure(first)));
        let pictures = pictures.strip_suffix(&first.to_string());
        let pictures = pictures.unwrap_or_default();
        let converted = self.open(format, input).and_then(|mut opened| {
            // The text of a mail lists its attachments.
            let note = match format {
                document::Format::Pdf => {
                    sources::attachments_note(&opened.attachments(), subject, &*self.world)
                }
                _ => None,
            };
            let mut converted = office::convert(opened, document, pictures)?;
            converted.notes.extend(note);
            Ok(converted)
        });
        let (converted, selector) = match converted {
            Ok(converted) => (converted, &self.selector),
            // The reason is shown, whichever lines are requested.
            Err(error) => {
                let is_call = self.request.is_call;
                let why = office::unreadable(&error, document, subject.bytes(), is_call);
                (why, &Selector::NONE)
            }
        };
        let selector = selector.clone();
        converted::read(converted, Encoding::VALID_UTF8, &selector, self)
    }
}

#[cfg(test)]
mod tests;
