//! Notebooks.

use super::converted;
use crate::answer::Text;
use crate::convert::notebook::{self, Broken, Heading, View};
use crate::converted::Converted;
use crate::encoding::Encoding;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Part, Selector};
use crate::request::{Notebooks, Request};
use crate::subject::Subject;
use crate::units;
use crate::world::World;

/// Reads a notebook. `None` and a note if it is none, or too large, and may be
/// shown as what it is.
///
/// # Errors
/// If cells were asked for and there are none of these numbers.
pub fn read(
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Result<Option<Text>, Failure> {
    let view = match (selector.part, request.style.notebooks) {
        (Part::Units(range), notebooks) => View::Cells {
            range,
            heading: match notebooks {
                Notebooks::Outputs => Heading::Numbered,
                Notebooks::Json | Notebooks::Sources => Heading::Marker,
            },
        },
        (_, Notebooks::Outputs) => View::Outputs,
        (_, Notebooks::Json | Notebooks::Sources) => View::Editable,
    };
    let converted = match converted(input, encoding, &view) {
        Ok(converted) => converted,
        Err(why) if matches!(view, View::Cells { .. }) => {
            return Err(no_cells(request, selector, &why));
        }
        Err(why) => {
            notes.push(match encoding {
                Some(_) => format!("{why}; it is shown as the text that it is"),
                None => "it is called a notebook, and is none".to_owned(),
            });
            return Ok(None);
        }
    };
    let encoding = encoding.unwrap_or(Encoding::UTF8);
    let text = converted::read(
        converted, encoding, subject, selector, request, world, notes,
    )?;
    Ok(Some(text))
}

/// The notebook as text, or why it cannot be shown so.
fn converted(
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    view: &View,
) -> Result<Converted, Broken> {
    let encoding = encoding.ok_or_else(|| Broken::Foreign("it is no text".to_owned()))?;
    let limit = limits::CONVERTED_NOTEBOOK_BYTES;
    let bytes = input.first(limit.saturating_add(1));
    if bytes.len() as u64 > limit {
        return Err(Broken::Large(units::bytes(limit)));
    }
    let json = encoding.decoded(&bytes, true).into_owned();
    drop(bytes);
    let json = String::from_utf8(json)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    notebook::convert(&json, view)
}

/// The failure of cells that are asked for and are not there.
fn no_cells(request: &Request, selector: &Selector, why: &Broken) -> Failure {
    let path = &request.path;
    let failure = Failure::new(
        Reason::Selector(selector.to_string()),
        format!("`{path}`: {why}"),
    );
    match why {
        Broken::NoCell(_) => failure.hint("cells are counted from 0"),
        Broken::Json(_) | Broken::Foreign(_) | Broken::Large(_) => {
            failure.hint(format!("leave out `:{selector}` to read it as it is"))
        }
    }
}
