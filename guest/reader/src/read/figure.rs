//! The pictures of a document, which are read like image files.

use crate::convert::office;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::path::{Part, Picture, Selector, View};
use crate::request::Request;
use crate::sniff::Document;
use crate::sources::{self, OpenDocument};
use crate::subject::{Step, Subject};
use crate::units::with_article;
use crate::world::{Bytes, Document as OpenedDocument, DocumentError, Info, World};
use omniread_document as document;

/// The bytes of a picture of a document, and the subject and the selector with which they are read.
pub struct Found {
    pub bytes: Bytes,
    pub subject: Subject,
    pub selector: Selector,
}

/// Finds a picture of a document. Returns the reason if the document cannot be read. `opened` is the
/// document if the engine has opened it already.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the document has no such picture. Fails if the picture
/// cannot be read.
#[expect(
    clippy::too_many_arguments,
    reason = "what a read of bytes consists of"
)]
pub fn find(
    picture: Picture,
    kind: Document,
    format: document::Format,
    opened: Option<OpenDocument>,
    input: &mut Input<'_>,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
) -> Result<Result<Found, DocumentError>, Failure> {
    let (image, hint) = {
        let opened =
            opened.unwrap_or_else(|| sources::open_document(format, input, subject, world));
        match opened {
            Ok(mut document) => {
                let image = office::picture(&mut *document, picture, request.style.page_side());
                let missing = matches!(image, Ok(None));
                (
                    image,
                    missing.then(|| pictures(&mut *document, subject, request)),
                )
            }
            Err(error) => return Ok(Err(error)),
        }
    };
    let path = &subject.requested;
    let name = picture.to_string();
    let image = image.map_err(|error| error.failure(&format!("cannot read `{path}:{name}`")))?;
    let Some(image) = image else {
        let what = with_article(kind.word());
        let message = format!("`{path}` is {what} without `{name}`");
        let failure = Failure::new(Reason::InvalidSelector(name), message);
        return Err(failure.hint(hint.unwrap_or_default()));
    };
    let mut subject = subject.clone();
    subject.info = Info {
        size: Some(image.len() as u64),
        modified: subject.info.modified,
        ..Info::default()
    };
    subject.compression = None;
    subject.requested = format!("{path}:{name}");
    subject.inner_path.push(Step::Figure(name));
    let selector = Selector {
        part: Part::Whole,
        ..selector.clone()
    };
    Ok(Ok(Found {
        bytes: Bytes::new(image),
        subject,
        selector,
    }))
}

/// The hint that names the pictures of a document. `None` if the document cannot be read.
pub fn first(
    format: document::Format,
    opened: Option<OpenDocument>,
    input: &mut Input<'_>,
    subject: &Subject,
    request: &Request,
    world: &mut dyn World,
) -> Option<String> {
    let opened = opened.unwrap_or_else(|| sources::open_document(format, input, subject, world));
    Some(pictures(&mut *opened.ok()?, subject, request))
}

/// The hint that names the first picture of a document, or else its text. A dialect without images has
/// only the text.
fn pictures(document: &mut dyn OpenedDocument, subject: &Subject, request: &Request) -> String {
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
