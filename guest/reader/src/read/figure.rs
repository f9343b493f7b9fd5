//! The images of a document, which are read like image files.

use super::bytes;
use crate::answer::Answer;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::path::{Part, Selector};
use crate::request::Request;
use crate::sniff::Document;
use crate::sources;
use crate::subject::{Step, Subject};
use crate::units::with_article;
use crate::world::{Bytes, DocumentFormat, Info, Source, World};

/// Reads the image with this number of a document. Returns `None` if the document cannot be read.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the document has no such image. Fails if the image cannot
/// be read.
#[expect(
    clippy::too_many_arguments,
    reason = "what a read of bytes consists of"
)]
pub fn read(
    number: u64,
    kind: Document,
    format: DocumentFormat,
    source: &mut dyn Source,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
) -> Result<Option<Answer>, Failure> {
    let image = {
        let size = subject.bytes();
        let Ok(mut input) = Input::new(source, size) else {
            return Ok(None);
        };
        match sources::open_document(format, &mut input, subject, world) {
            Ok(mut document) => document.image(number),
            // The reason is the answer.
            Err(_) => return Ok(None),
        }
    };
    let path = &subject.requested;
    let name = Selector::of(Part::Figure(number)).to_string();
    let image = image.map_err(|error| {
        let error = escape_invisible(&error.to_string());
        let message = format!("cannot read `{path}:{name}`: {error}");
        Failure::new(Reason::Unsupported(error), message)
    })?;
    let Some(image) = image else {
        let (what, whole) = (with_article(kind.word()), subject.whole());
        let message = format!("`{path}` is {what} without an `{name}`");
        let failure = Failure::new(Reason::InvalidSelector(name), message);
        return Err(failure.hint(format!("the text of `{whole}` has the paths of its images")));
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
    let mut image = Bytes::new(image);
    bytes::read(&mut image, None, subject, selector, request, world).map(Some)
}
