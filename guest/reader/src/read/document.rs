//! Documents: converts the bytes of a file to text, and shows pages of that text.

use super::converted;
use crate::answer::Text;
use crate::convert::notebook::{self, Heading, View};
use crate::converted::{ConversionError, Converted};
use crate::encoding::Encoding;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Part, Selector};
use crate::request::{Notebooks, Request};
use crate::sniff::Document;
use crate::subject::Subject;
use crate::units::{self, with_article};
use crate::world::World;

/// Reads a page of the text to which a document is converted. If the document cannot be converted,
/// adds a note and returns `None`, and the caller shows it as plain text.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the path requests units, such as notebook cells, and the
/// document does not have them or cannot be converted.
#[expect(
    clippy::too_many_arguments,
    reason = "what a read of bytes consists of"
)]
pub fn read(
    document: Document,
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Result<Option<Text>, Failure> {
    let converted = match convert(document, input, encoding, selector, request.style.notebooks) {
        Ok(converted) => converted,
        Err(why) if matches!(selector.part, Part::Units(_)) => {
            return Err(unreadable(subject, selector, &why, input.damage()));
        }
        Err(why) => {
            notes.push(format!("{why}; it is shown as plain text"));
            return Ok(None);
        }
    };
    let encoding = encoding.unwrap_or(Encoding::UTF8);
    let text = converted::read(
        converted, encoding, subject, selector, request, world, notes,
    )?;
    Ok(Some(text))
}

/// The tag (a short hash for edit tools) of the text to which a document is converted for editing.
/// `None` if edits of the text cannot be applied to the document, or if the text is too long.
///
/// # Errors
/// Fails if the document cannot be converted.
pub fn tag(
    document: Document,
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
) -> Result<Option<String>, ConversionError> {
    let converted = convert(
        document,
        input,
        encoding,
        &Selector::NONE,
        Notebooks::Sources,
    )?;
    Ok(converted::tag(&converted))
}

/// Converts a document to text, with one match arm for each format.
fn convert(
    document: Document,
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    selector: &Selector,
    notebooks: Notebooks,
) -> Result<Converted, ConversionError> {
    match document {
        Document::Notebook => {
            let json = text(document, input, encoding, limits::CONVERTED_NOTEBOOK_BYTES)?;
            notebook::convert(&json, &view(selector, notebooks))
        }
    }
}

/// The decoded text of a document in a text format. Fails if the document has more than `limit`
/// bytes, or if it is not text.
fn text(
    document: Document,
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    limit: u64,
) -> Result<String, ConversionError> {
    let encoding = encoding.ok_or_else(|| {
        let word = with_article(document.word());
        ConversionError::Unreadable(format!("not {word}: it is not text"))
    })?;
    let bytes = bytes(document, input, limit)?;
    let text = encoding.decoded(&bytes, true).into_owned();
    drop(bytes);
    Ok(String::from_utf8(text)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// The bytes of a document. Fails if there are more than `limit` bytes.
fn bytes(
    document: Document,
    input: &mut Input<'_>,
    limit: u64,
) -> Result<Vec<u8>, ConversionError> {
    let bytes = input.first(limit.saturating_add(1));
    if bytes.len() as u64 > limit {
        let (word, limit) = (with_article(document.word()), units::bytes(limit));
        let why = format!("{word} of more than {limit} is not converted");
        return Err(ConversionError::Large(why));
    }
    Ok(bytes)
}

/// The form in which a notebook is converted to text. It depends on the selector of the path, and
/// on the `notebooks` setting of the dialect (the read tool of an agent).
fn view(selector: &Selector, notebooks: Notebooks) -> View {
    match (selector.part, notebooks) {
        (Part::Units(range), notebooks) => View::Cells {
            range,
            heading: match notebooks {
                Notebooks::Outputs => Heading::Numbered,
                Notebooks::Json | Notebooks::Sources => Heading::Marker,
            },
        },
        (_, Notebooks::Outputs) => View::Outputs,
        (_, Notebooks::Json | Notebooks::Sources) => View::Editable,
    }
}

/// The failure for a request for units, such as notebook cells, if the conversion of the document
/// failed with the error `why`.
fn unreadable(
    subject: &Subject,
    selector: &Selector,
    why: &ConversionError,
    damage: Option<String>,
) -> Failure {
    match why {
        ConversionError::NoUnit(missing) => converted::no_unit(subject, selector, *missing),
        ConversionError::Unreadable(_) | ConversionError::Large(_) => {
            let verb = match why {
                ConversionError::Unreadable(_) => " is",
                _ => ":",
            };
            let damage = damage.map_or_else(String::new, |damage| format!("; {damage}"));
            let message = format!("`{}`{verb} {why}{damage}", subject.requested);
            Failure::new(Reason::InvalidSelector(selector.to_string()), message)
                .hint(format!("leave out `:{selector}` to read the file itself"))
        }
    }
}
