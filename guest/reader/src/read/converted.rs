//! Text that was made from a source, paged, with the images that stand between the
//! lines which are shown.

#[cfg(test)]
mod tests;

use super::embedded::Embedded;
use super::units::{self, Paged, on_page};
use super::{outline, text};
use crate::answer::{Aside, Beside, Ending, Facts, Outline, Text};
use crate::converted::{Attached, Attachment, Conversion, Converted, Hidden, NoUnit, Unit};
use crate::encoding::Encoding;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::fill_text;
use crate::path::{Part, Selector, UnitKind};
use crate::request::Request;
use crate::subject::Subject;
use crate::tag;
use crate::window::{Numbering, Page, Window};
use crate::world::World;

/// Reads a page of text that was made from a source in this encoding.
pub fn read(
    converted: Converted,
    encoding: Encoding,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Result<Text, Failure> {
    let style = &request.style;
    let Converted {
        mut facts,
        editable: is_source,
        notes: said,
        text,
    } = converted;
    notes.extend(said);
    let editable = is_source && subject.editable();
    let numbering = match (is_source, editable) {
        (true, true) => style.editable,
        (true, false) => style.plain,
        (false, _) => Numbering::None,
    };
    let mut window = style.window(selector.clone(), numbering);
    window.context &= editable;
    let shown = match text {
        Conversion::Made(unit) => {
            let outlined = is_source && request.wants_outline(selector);
            let tagged = style.tagged && editable;
            made(unit, &facts, outlined, tagged, &mut window, notes)
        }
        Conversion::Units(mut units) => {
            let (kind, count) = (units.kind(), units.count());
            facts.units = Some((kind, count));
            let number = match selector.part {
                Part::Units(range) if range.kind != kind => {
                    return Err(other_units(range.kind, kind, request, selector));
                }
                Part::Units(range) => range.first,
                Part::Whole | Part::Image => kind.first(),
            };
            let missing = NoUnit {
                kind,
                number,
                count,
            };
            let paged = units::page(&mut *units, &window, world);
            let Paged {
                page,
                attachments,
                notes: said,
            } = paged.ok_or_else(|| no_unit(request, selector, missing))?;
            notes.extend(said);
            Shown {
                page,
                attachments,
                ..Shown::default()
            }
        }
    };
    if let (Part::Units(range), Some((_, count))) = (selector.part, facts.units) {
        notes.extend(range.clamped(count));
    }
    // What is left is asked for by the lines of the page.
    let part = shown.page.part;
    let asides = asides(shown.attachments, part, &window, request, world, notes);
    Ok(Text {
        window,
        page: shown.page,
        encoding: Encoding {
            sound: true,
            ..encoding
        },
        ending: shown.ending,
        tag: shown.tag,
        edited: is_source,
        asides,
        facts: Some(facts),
        outline: shown.outline,
    })
}

/// The failure of units that are asked for of a document that has others.
fn other_units(asked: UnitKind, has: UnitKind, request: &Request, selector: &Selector) -> Failure {
    let (path, asked, has) = (&request.path, asked.word(), has.word());
    let message = format!("`{path}` has no {asked}s: it consists of {has}s");
    Failure::new(Reason::Selector(selector.to_string()), message)
}

/// The failure of units that are asked for and are not there.
pub fn no_unit(request: &Request, selector: &Selector, missing: NoUnit) -> Failure {
    let (word, first) = (missing.kind.word(), missing.kind.first());
    let message = format!("`{}`: {missing}", request.path);
    Failure::new(Reason::Selector(selector.to_string()), message)
        .hint(format!("{word}s are counted from {first}"))
}

/// The tag of text that an edit changes in the source, unless it is too long for one.
pub fn tag(converted: &Converted) -> Option<String> {
    match &converted.text {
        Conversion::Made(unit) if converted.editable => tag_of(&unit.text),
        _ => None,
    }
}

fn tag_of(text: &str) -> Option<String> {
    let short = text.len() as u64 <= limits::WHOLE_BYTES;
    short.then(|| tag::tag(text.as_bytes()))
}

/// A page of text, and what stands after its lines, by their places on the page.
struct Shown {
    page: Page,
    attachments: Vec<(usize, Attachment)>,
    ending: Ending,
    tag: Option<String>,
    outline: Option<Outline>,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            page: Page::empty(),
            attachments: Vec::new(),
            ending: Ending::Lf,
            tag: None,
            outline: None,
        }
    }
}

/// Shows text of which all that was asked for is made.
fn made(
    unit: Unit,
    facts: &Facts,
    outlined: bool,
    tagged: bool,
    window: &mut Window,
    notes: &mut Vec<String>,
) -> Shown {
    let Unit {
        text,
        attachments,
        notes: said,
    } = unit;
    notes.extend(said);
    let tag = tagged.then(|| tag_of(&text)).flatten();
    let ending = text::ending(text.as_bytes());
    let lines = text::lines(text.as_bytes()) as u64;
    let outlined = outlined
        .then(|| outline::of_cells(&text, facts.stated("language"), attachments.len(), window))
        .flatten();
    if let Some((page, mut outline)) = outlined {
        count_hidden(&mut outline, &attachments);
        return Shown {
            page,
            attachments: Vec::new(),
            ending,
            tag,
            outline: Some(outline),
        };
    }
    let page = fill_text(text, window);
    let attachments = on_page(&page, lines, attachments);
    Shown {
        page,
        attachments,
        ending,
        tag,
        outline: None,
    }
}

/// What stands after the lines of a page, as it is shown.
fn asides(
    attachments: Vec<(usize, Attachment)>,
    part: Part,
    window: &Window,
    request: &Request,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Vec<Aside> {
    if window.selector.raw {
        if !attachments.is_empty() {
            let note = "exact text: remarks and images behind its lines are left out";
            notes.push(note.to_owned());
        }
        return Vec::new();
    }
    let mut embedded = Embedded::new(request.style.passing, world, notes);
    let shown = attachments.into_iter().filter_map(|(index, attachment)| {
        let what = match attachment.what {
            Attached::Hidden(hidden) => Beside::Words(hidden.to_string()),
            Attached::Image(image) => embedded.image(&image, attachment.line)?,
        };
        Some(Aside { index, what })
    });
    let shown = shown.collect();
    embedded.end(part);
    shown
}

/// Counts what is left out of the units of an outline after the pieces that show
/// them: together where a piece hides several units.
fn count_hidden(outline: &mut Outline, attachments: &[Attachment]) {
    let mut counted: Vec<(usize, Hidden)> = Vec::new();
    for attachment in attachments {
        let Attached::Hidden(hidden) = attachment.what else {
            continue;
        };
        let behind = outline
            .pieces
            .partition_point(|piece| u64::from(piece.first()) <= attachment.line);
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
