//! Notebooks: converted to text, paged, and with the pictures that stand
//! between the lines which are shown.

mod showing;
#[cfg(test)]
mod tests;

use crate::answer::{Aside, Beside, Notebook, Outline, Subject, Text};
use crate::encoding::Encoding;
use crate::failure::{Failure, Reason};
use crate::order;
use crate::pages::{Input, fill_text, visible};
use crate::path::{Part, Selector, ends_in};
use crate::readers::notebook::{self, AsideWhat, Broken, Converted, Heading, Hidden, View};
use crate::readers::text;
use crate::request::{Notebooks, Request};
use crate::tag;
use crate::units;
use crate::window::{Numbering, Page};
use crate::world::World;
use crate::{limits, outlines};
use memchr::memchr_iter;
use showing::Showing;

/// Whether a file is read as a notebook: cells of it are asked for, or it is
/// called so by someone who wants it converted.
pub fn wanted(subject: &Subject, selector: &Selector, notebooks: Notebooks) -> bool {
    match selector.part {
        Part::Cells(..) => true,
        Part::Picture => false,
        Part::Whole => notebooks != Notebooks::Json && !selector.raw && is_named_so(subject),
    }
}

/// Whether a file is called like a notebook, which may be compressed.
fn is_named_so(subject: &Subject) -> bool {
    ends_in(subject.inner_name(), &["ipynb"])
}

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
    let style = &request.style;
    let view = match (selector.part, style.notebooks) {
        (Part::Cells(first, last), notebooks) => View::Cells {
            first,
            last,
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
    let Converted {
        text,
        asides,
        cells,
        language,
        format,
        notes: said,
    } = converted;
    notes.extend(said);
    let editable = view == View::Editable && subject.editable();
    let numbering = match view {
        View::Editable if editable => style.editable,
        View::Editable => style.plain,
        View::Outputs | View::Cells { .. } => Numbering::None,
    };
    let mut window = style.window(selector.clone(), numbering);
    window.context &= editable;
    let tagged = style.tagged && editable && text.len() as u64 <= limits::WHOLE_BYTES;
    let tag = tagged.then(|| tag::tag(text.as_bytes()));
    let ending = text::ending(text.as_bytes());
    // An empty line at the end is none for a page.
    let ends = memchr_iter(b'\n', text.as_bytes()).count() as u64;
    let lines = if text.ends_with('\n') {
        ends
    } else {
        ends.saturating_add(1)
    };
    let outlined = (request.wants_outline(selector) && view == View::Editable)
        .then(|| outlines::of_cells(&text, language.as_deref(), asides.len(), &mut window))
        .flatten();
    let (page, outline) = match outlined {
        Some((page, mut outline)) => {
            count_hidden(&mut outline, &asides);
            (page, Some(outline))
        }
        None => (fill_text(text, &window), None),
    };
    let asides = if outline.is_some() {
        Vec::new()
    } else {
        asides
    };
    let asides = on_page(&page, lines, asides);
    let asides = if window.selector.raw {
        if asides.count() > 0 {
            let note = "exact text: remarks and pictures behind its lines are left out";
            notes.push(note.to_owned());
        }
        Vec::new()
    } else {
        let mut showing = Showing::new(style.passing, world, notes);
        let asides = asides
            .filter_map(|(index, aside)| {
                let what = match aside.what {
                    AsideWhat::Hidden(hidden) => Beside::Words(hidden.to_string()),
                    AsideWhat::Picture(picture) => showing.picture(&picture, aside.line)?,
                };
                Some(Aside { index, what })
            })
            .collect();
        showing.end(&window.selector);
        asides
    };
    Ok(Some(Text {
        window,
        page,
        encoding: Encoding {
            sound: true,
            ..encoding.unwrap_or(Encoding::UTF8)
        },
        ending,
        tag,
        asides,
        notebook: Some(Notebook {
            cells,
            language,
            format,
        }),
        outline,
    }))
}

/// Counts what the cells of an outline put out behind the pieces that show them:
/// together where a piece hides several cells.
fn count_hidden(outline: &mut Outline, asides: &[notebook::Aside]) {
    let mut counted: Vec<(usize, Hidden)> = Vec::new();
    for aside in asides {
        let AsideWhat::Hidden(hidden) = aside.what else {
            continue;
        };
        let behind = outline
            .pieces
            .partition_point(|piece| u64::from(piece.first()) <= aside.line);
        let Some(place) = behind.checked_sub(1) else {
            continue;
        };
        match counted.last_mut() {
            Some((last, so_far)) if *last == place => *so_far = so_far.and(hidden),
            _ => counted.push((place, hidden)),
        }
    }
    let words = |(place, hidden): (usize, Hidden)| (place, hidden.to_string());
    outline.asides = counted.into_iter().map(words).collect();
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
    let path = visible(&request.path);
    let failure = Failure::new(
        Reason::Selector(selector.to_string()),
        format!("`{path}`: {why}"),
    );
    match why {
        Broken::NoCell { .. } => failure.hint("cells are counted from 0"),
        Broken::Json(_) | Broken::Foreign(_) | Broken::Large(_) => {
            failure.hint(format!("leave out `:{selector}` to read it as it is"))
        }
    }
}

/// What stands behind the lines that start on a page, by the places of these.
/// `lines` is how many there are.
fn on_page(
    page: &Page,
    lines: u64,
    asides: Vec<notebook::Aside>,
) -> impl Iterator<Item = (usize, notebook::Aside)> {
    // Lines by number, from the end as well.
    let mut places: Vec<(u64, usize)> = page
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.column == 1)
        .filter_map(|(index, line)| {
            let number = u64::try_from(line.number).ok().or_else(|| {
                lines
                    .checked_add(1)?
                    .checked_sub(line.number.unsigned_abs())
            });
            Some((number?, index))
        })
        .collect();
    order::by(&mut places, |(number, index)| (*number, *index as u64));
    asides.into_iter().filter_map(move |mut aside| {
        aside.line = aside.line.min(lines.max(1));
        let place = places.binary_search_by_key(&aside.line, |(number, _)| *number);
        let (_, index) = places.get(place.ok()?)?;
        Some((*index, aside))
    })
}
