//! The pictures of a document, which are read like image files.

use crate::convert::office;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::path::{Part, Picture, Selector};
use crate::request::Request;
use crate::sniff::Document;
use crate::sources::{self, OpenDocument};
use crate::subject::{Step, Subject};
use crate::units::with_article;
use crate::world::{Bytes, DocumentError, DocumentFormat, Info, World};

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
    format: DocumentFormat,
    opened: Option<OpenDocument>,
    input: &mut Input<'_>,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
) -> Result<Result<Found, DocumentError>, Failure> {
    let image = {
        let opened =
            opened.unwrap_or_else(|| sources::open_document(format, input, subject, world));
        match opened {
            Ok(mut document) => office::picture(&mut *document, picture, request.style.page_side()),
            Err(error) => return Ok(Err(error)),
        }
    };
    let path = &subject.requested;
    let name = picture.to_string();
    let image = image.map_err(|error| {
        let why = escape_invisible(&error.to_string());
        let message = format!("cannot read `{path}:{name}`: {why}");
        Failure::new(error.reason(why), message)
    })?;
    let Some(image) = image else {
        let (what, whole) = (with_article(kind.word()), subject.whole());
        let message = format!("`{path}` is {what} without `{name}`");
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
    Ok(Ok(Found {
        bytes: Bytes::new(image),
        subject,
        selector,
    }))
}
