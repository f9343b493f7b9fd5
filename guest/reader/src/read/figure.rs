//! The pictures of a document, which are read like image files.

use crate::convert::office;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::path::{Part, Picture, Selector, View};
use crate::request::Request;
use crate::sniff::Document;
use crate::subject::Subject;
use crate::units::with_article;
use crate::world::{Document as OpenedDocument, DocumentFailure};
use omniread_document as document;

/// The bytes of a picture of a document of the kind `kind`.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the document has no such picture. Fails if the picture
/// cannot be read.
pub fn find(
    picture: Picture,
    kind: Document,
    mut document: Box<dyn OpenedDocument>,
    subject: &Subject,
    request: &Request,
) -> Result<Vec<u8>, Failure> {
    let path = &subject.requested;
    let image = office::picture(&mut *document, picture, request.style.page_side())
        .map_err(|error| error.failure(&format!("cannot read `{path}:{picture}`")))?;
    image.ok_or_else(|| {
        let what = with_article(kind.word());
        let message = format!("`{path}` is {what} without `{picture}`");
        let reason = Reason::InvalidSelector(picture.to_string());
        Failure::new(reason, message).hint(pictures(&mut *document, subject, request))
    })
}

/// The hint that names the first picture of a document, or else its text. A dialect without images has
/// only the text.
pub fn pictures(document: &mut dyn OpenedDocument, subject: &Subject, request: &Request) -> String {
    let path = |part| escape_invisible(&subject.with_selector(&Selector::of(part)));
    let text = path(Part::Converted(View::Main));
    if request.style.media.is_none() {
        return format!("read its text with `{text}`");
    }
    let image = Part::Figure(Picture::Image(1));
    let page = Part::Figure(Picture::Page(1));
    let has_pages = document.facts().units == Some(document::UnitKind::Page);
    let has_image = matches!(document.image(1), Ok(Some(_)));
    match (has_image, has_pages) {
        (true, true) => format!(
            "the first image is `{}`, and an image of the first page `{}`",
            path(image),
            path(page)
        ),
        (true, false) => format!(
            "the first image is `{}`; the text, `{text}`, has the paths of all",
            path(image)
        ),
        (false, true) => {
            format!(
                "it has no images; an image of its first page is `{}`",
                path(page)
            )
        }
        (false, false) => format!("it has no images; read its text with `{text}`"),
    }
}
