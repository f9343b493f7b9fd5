//! The table of readers: which are tried for a kind of content, a selector and a dialect.

use crate::encoding::Encoding;
use crate::path::{Part, Selector};
use crate::request::{Notebooks, Style};
use crate::sniff::{Detected, Document, ImageFormat, Kind};
use omniread_document as document;

/// The document that some dialects return unchanged, as an attachment.
const PDF: Document = Document::Engine(document::Format::Pdf);

/// A module that reads the bytes of a file, for one kind of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Converts a document, such as a notebook, to text.
    Document(Document),
    /// Returns the bytes of a PDF document unchanged, if it has at most this many bytes.
    Attachment(u64),
    /// Reads an image. The encoding is `Some` if the image format is a text format, such as SVG.
    Image(&'static ImageFormat, Option<Encoding>),
    /// Describes a file that is not shown as text.
    Binary,
    /// Reads text.
    Text,
}

/// The readers that are tried for the detected kind of content, in order. If a reader finds that
/// the content is not valid for it, the next one is tried. Some dialects (the read tools that
/// omniread imitates) treat a file with a NUL in its first bytes as binary, even if it is UTF-16
/// text. The function `nul` checks whether the file has such a NUL.
pub fn readers(
    detected: &Detected,
    nul: impl FnOnce() -> bool,
    selector: &Selector,
    style: &Style,
) -> Vec<Reader> {
    let Detected { kind, encoding } = *detected;
    let binary = encoding.is_none() || (style.nul_is_binary && nul());
    let image_requested = selector.part == Part::Image;
    let mut readers = Vec::new();
    let document = match (&selector.part, kind) {
        (Part::Units(range), Kind::Document(document)) => {
            Some(document).filter(|document| document.units() == Some(range.kind))
        }
        (Part::Units(range), _) => Document::of_units(range.kind),
        (Part::Whole, Kind::Document(document)) if !selector.raw || document.engine().is_some() => {
            Some(document).filter(|document| converts(*document, style))
        }
        // The answer is the reason why the document cannot be read.
        (Part::Figure(_), Kind::Document(document)) => document.engine().map(|_| document),
        (
            Part::Whole
            | Part::Image
            | Part::Figure(_)
            | Part::Conflict(_)
            | Part::Symbol(_)
            | Part::Converted(_),
            _,
        ) => None,
    };
    readers.extend(document.map(Reader::Document));
    // `:raw` reads any file as text, decoded as UTF-8 if no encoding was detected. Dialects in
    // which all text is exact ignore it.
    if selector.raw && !style.exact {
        readers.push(Reader::Text);
        return readers;
    }
    if let Some(passing) = style.media {
        let drawn = image_requested || (passing.drawings && !selector.selects_lines());
        readers.extend(match kind {
            Kind::Document(PDF) if !image_requested => {
                passing.attachment_bytes.map(Reader::Attachment)
            }
            Kind::Image(format) => Some(Reader::Image(format, None)),
            Kind::Drawing(format) if drawn && !binary => Some(Reader::Image(format, encoding)),
            _ => None,
        });
    }
    readers.push(if binary { Reader::Binary } else { Reader::Text });
    readers
}

/// Whether a dialect converts a document, such as a notebook, to text. This applies to paths that
/// request neither units of the document (such as cells) nor its exact text.
pub fn converts(document: Document, style: &Style) -> bool {
    match document {
        Document::Notebook => style.notebooks != Notebooks::Json,
        // Their text can be edited.
        document if document.is_bare_text() => false,
        // The bytes of these documents contain NULs, except RTF.
        _ => !style.nul_is_binary,
    }
}

#[cfg(test)]
mod tests;
