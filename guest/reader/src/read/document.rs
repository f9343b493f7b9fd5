//! Documents: the bytes of a file are converted to text, which is shown in pages.

use super::converted;
use crate::answer::Text;
use crate::convert::notebook::{self, Heading, View};
use crate::converted::{Broken, Converted};
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

/// Reads a document. `None` and a note if it cannot be converted, and may be shown as
/// what else it is.
///
/// # Errors
/// If units were asked for, and it has none of these numbers or cannot be converted.
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
            return Err(unreadable(request, selector, &why, input.damage()));
        }
        Err(why) => {
            notes.push(format!("{why}; it is shown as the text that it is"));
            return Ok(None);
        }
    };
    let encoding = encoding.unwrap_or(Encoding::UTF8);
    let text = converted::read(
        converted, encoding, subject, selector, request, world, notes,
    )?;
    Ok(Some(text))
}

/// The tag of a document whose text is edited, as the dialects that tag it show it.
///
/// # Errors
/// If it is shown as something else.
pub fn tag(
    document: Document,
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
) -> Result<Option<String>, Broken> {
    let converted = convert(
        document,
        input,
        encoding,
        &Selector::NONE,
        Notebooks::Sources,
    )?;
    Ok(converted::tag(&converted))
}

/// Converts a document: one arm for each format.
fn convert(
    document: Document,
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    selector: &Selector,
    notebooks: Notebooks,
) -> Result<Converted, Broken> {
    match document {
        Document::Notebook => {
            let json = text(document, input, encoding, limits::CONVERTED_NOTEBOOK_BYTES)?;
            notebook::convert(&json, &view(selector, notebooks))
        }
    }
}

/// The text of a document that is text of at most `limit` bytes.
fn text(
    document: Document,
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    limit: u64,
) -> Result<String, Broken> {
    let encoding = encoding.ok_or_else(|| {
        let word = with_article(document.word());
        Broken::Unreadable(format!("not {word}: it is not text"))
    })?;
    let bytes = bytes(document, input, limit)?;
    let text = encoding.decoded(&bytes, true).into_owned();
    drop(bytes);
    Ok(String::from_utf8(text)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// The bytes of a document of at most `limit`.
fn bytes(document: Document, input: &mut Input<'_>, limit: u64) -> Result<Vec<u8>, Broken> {
    let bytes = input.first(limit.saturating_add(1));
    if bytes.len() as u64 > limit {
        let (word, limit) = (with_article(document.word()), units::bytes(limit));
        let why = format!("{word} of more than {limit} is not converted");
        return Err(Broken::Large(why));
    }
    Ok(bytes)
}

/// What is wanted of a notebook.
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

/// The failure of units that are asked for and cannot be shown.
fn unreadable(
    request: &Request,
    selector: &Selector,
    why: &Broken,
    damage: Option<String>,
) -> Failure {
    match why {
        Broken::NoUnit(missing) => converted::no_unit(request, selector, *missing),
        Broken::Unreadable(_) | Broken::Large(_) => {
            let damage = damage.map_or_else(String::new, |damage| format!("; {damage}"));
            let message = format!("`{}`: {why}{damage}", request.path);
            Failure::new(Reason::Selector(selector.to_string()), message)
                .hint(format!("leave out `:{selector}` to read it as it is"))
        }
    }
}
