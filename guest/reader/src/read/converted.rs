//! Pages of converted text, with the notes and images between its lines.

#[cfg(test)]
mod tests;

use super::contents;
use super::embedded::Embedded;
use super::figures;
use super::reading::Reading;
use super::unit_paths::{no_unit, other_units};
use super::units::{self, Paged, on_page};
use super::{outline, rest, text, unit_notes};
use crate::answer::{Annotation, AnnotationContent, DocumentFacts, LineEnding, Outline, Text};
use crate::converted::{
    Attached, Attachment, Conversion, Converted, Hidden, NoUnit, Outlined, Unit,
};
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::failure::Failure;
use crate::limits;
use crate::pages::fill_text;
use crate::path::{Lines, Part, Selector, UnitKind, UnitRange, View};
use crate::request::{Request, SliceOrigin};
use crate::subject::Subject;
use crate::tag;
use crate::window::{Numbering, Page, Window};
use crate::world::World;

/// Reads a page of the text to which a document was converted. `encoding` is the encoding of the
/// document. If the page does not show all of a text that was converted as a whole, the session may keep it as
/// an artifact. Nothing is converted for that.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the document does not have the requested units, such as
/// notebook cells.
///
/// [`Reason::InvalidSelector`]: crate::failure::Reason::InvalidSelector
pub fn read(
    converted: Converted,
    encoding: Encoding,
    selector: &Selector,
    reading: &mut Reading<'_>,
) -> Result<Text, Failure> {
    let keeps = reading.world.stores_artifacts();
    let mut converted = converted;
    let mut of_symbol = None;
    if let Part::Symbol(wanted) = &selector.part {
        match reading.symbol_of_converted(wanted, &mut converted, encoding)? {
            OfConverted::Made(text) => return Ok(*text),
            OfConverted::Lines(lines) => of_symbol = Some(lines),
        }
    }
    let selector = of_symbol.as_ref().unwrap_or(selector);
    let whole = match &converted.text {
        Conversion::Whole(unit) if keeps => Some(unit.text.clone()),
        Conversion::Whole(_) | Conversion::Units(_) => None,
    };
    let Reading {
        subject,
        request,
        world,
        notes,
        artifact,
        ..
    } = reading;
    let (subject, request, world) = (*subject, *request, &mut **world);
    let style = &request.style;
    let Converted {
        mut facts,
        editable: is_source,
        numbered,
        outline,
        contents: has_contents,
        notes: document_notes,
        text,
        mut figures,
        links: _,
    } = converted;
    notes.extend(document_notes);
    let editable = is_source && subject.editable();
    let numbering = match (numbered, editable) {
        (true, true) => style.numbering_editable,
        (true, false) => style.numbering_plain,
        (false, _) => Numbering::None,
    };
    let mut window = style.window(selector.clone(), numbering);
    window.context &= editable;
    let listed = has_contents && request.wants_outline(selector);
    // A declaration that was asked for by its name is shown alone.
    let rests = of_symbol.is_none() && !request.wants_outline(selector);
    let mut unshown = None;
    let mut contents;
    let mut shown = match text {
        Conversion::Whole(unit) => {
            contents = listed.then(|| contents::of_headings(&unit.text)).flatten();
            let outlined = outline.filter(|_| request.wants_outline(selector));
            let tagged = style.tagged && editable;
            let is_searched = rests && rest::may_have(&unit.text, &window, style.rest);
            let searched = is_searched.then(|| unit.text.clone());
            let shown = show_whole(unit, &facts, outlined, tagged, &mut window);
            unshown = searched.and_then(|text| {
                let whole = rest::Converted {
                    text: &text,
                    of: outline,
                    language: facts.metadata("language"),
                };
                whole.unshown(&shown.page, &window, subject, request)
            });
            shown
        }
        Conversion::Units(mut units) => {
            let (kind, count) = (units.kind(), units.count());
            facts.units = Some((kind, count));
            contents = listed.then(|| contents::of_units(&mut *units)).flatten();
            let number = match &selector.part {
                Part::Units(range) if range.kind != kind => {
                    return Err(other_units(range.kind, kind, count, subject, selector));
                }
                Part::Units(range) => range.first,
                Part::Whole
                | Part::Image
                | Part::Figure(_)
                | Part::Conflict(_)
                | Part::Symbol(_)
                | Part::Converted(_) => kind.first(),
            };
            let missing = NoUnit {
                kind,
                number,
                count,
            };
            notes.extend(counts_lines(kind, count, subject, selector, request));
            let paged = units::page(&mut *units, &window, world);
            let Paged {
                page,
                attachments,
                notes: of_units,
                shown,
            } = paged.ok_or_else(|| no_unit(subject, selector, missing))?;
            if rests {
                unshown = rest::of_units(&mut *units, shown, &page, &window, (subject, request));
            }
            figures = units.figures();
            Shown {
                page,
                attachments,
                notes: unit_notes::of_reply(kind, of_units),
                ..Shown::default()
            }
        }
    };
    notes.append(&mut shown.notes);
    if let (Part::Units(range), Some((_, count))) = (&selector.part, facts.units) {
        notes.extend(range.clamped(count));
    }
    // The list of the sheets has facts that the text does not have.
    let is_book = matches!(facts.units, Some((UnitKind::Sheet, _)));
    contents = contents.filter(|_| is_book || shown.page.following.is_some());
    if let Some(whole) = whole.filter(|_| shown.page.following.is_some()) {
        *artifact = world.store_artifact(&subject.absolute(), &whole);
    }
    let mut annotations = annotations(&mut shown, &window, request, world, notes);
    if let Some(figures) = figures.filter(|_| !window.selector.raw) {
        annotations.extend(figures::on_page(
            &shown.page,
            figures,
            request,
            world,
            notes,
        ));
    }
    Ok(Text {
        window,
        page: shown.page,
        encoding: Encoding {
            valid: true,
            ..encoding
        },
        line_ending: shown.ending,
        tag: shown.tag,
        is_edit_text: is_source,
        annotations,
        made: None,
        facts: Some(facts),
        log: None,
        outline: shown.outline,
        contents: contents.map(Box::new),
        unshown,
        other_form: None,
        conflicts: 0,
    })
}

/// The note that a number or range at the end of a path selects lines of a document with pages or
/// other units, and the path of the units with these numbers. `None` if the document does not have
/// them, or if the lines were not selected by the path.
fn counts_lines(
    kind: UnitKind,
    count: u64,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
) -> Option<String> {
    let Lines::One(range) = selector.lines else {
        return None;
    };
    let of_text = matches!(selector.part, Part::Whole | Part::Converted(View::Main));
    let has = |number: u64| UnitRange::exists(kind, count, number);
    let last = range.end.unwrap_or(range.start.line);
    let origin = request.slice.as_ref().map(|slice| slice.origin);
    // The cells of a notebook are lines of a text that can be edited.
    if !of_text
        || kind == UnitKind::Cell
        || range.by_column
        || matches!(origin, Some(SliceOrigin::Argument(_)))
        || !has(range.start.line)
        || !has(last)
    {
        return None;
    }
    let units = UnitRange {
        last: Some(last),
        ..UnitRange::one(kind, range.start.line)
    };
    let path = escape_invisible(&subject.with_selector(&Selector::of(Part::Units(units))));
    let word = kind.word();
    let lines = &selector.lines;
    let requested = match origin {
        Some(origin) => format!("the option `{}`", origin.name()),
        None if is_after_two_colons(&request.path, lines) => format!("`::{lines}`"),
        None => format!("`:{lines}`"),
    };
    Some(if last == range.start.line {
        format!("{requested} selects lines; `{path}` is {word} {last}")
    } else {
        let first = range.start.line;
        format!("{requested} selects lines; `{path}` is {word}s {first} to {last}")
    })
}

/// Whether a path ends in the selector of these lines of the converted form, such as `::302`. After one
/// colon, `302` may select lines of the file itself.
fn is_after_two_colons(path: &str, lines: &Lines) -> bool {
    let Some((_, rest)) = path.rsplit_once("::") else {
        return false;
    };
    let selector = Selector::parse(rest).ok().flatten();
    selector.is_some_and(|selector| selector.lines == *lines)
}

/// The tag (a short hash for edit tools) of the text to which a document was converted. `None` if
/// edits of the text cannot be applied to the document, or if the text is too long.
pub fn tag(converted: &Converted) -> Option<String> {
    match &converted.text {
        Conversion::Whole(unit) if converted.editable => tag_of(&unit.text),
        _ => None,
    }
}

fn tag_of(text: &str) -> Option<String> {
    let short = text.len() as u64 <= limits::WHOLE_BYTES;
    short.then(|| tag::tag(text.as_bytes()))
}

/// What the declarations that a path selects are in a converted text.
pub enum OfConverted {
    /// These lines of it.
    Lines(Selector),
    /// Another text.
    Made(Box<Text>),
}

/// A page of text with its attachments, which are images and notes. Each attachment has the index,
/// on the page, of the line after which it is shown.
struct Shown {
    page: Page,
    attachments: Vec<(usize, Attachment)>,
    notes: Vec<String>,
    ending: LineEnding,
    tag: Option<String>,
    outline: Option<Outline>,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            page: Page::empty(),
            attachments: Vec::new(),
            notes: Vec::new(),
            ending: LineEnding::Lf,
            tag: None,
            outline: None,
        }
    }
}

/// Shows the text of a document that is converted as a whole. The result is an outline if
/// `outlined` is `Some` and the text is long and can be outlined. Otherwise it is a page.
fn show_whole(
    unit: Unit,
    facts: &DocumentFacts,
    outlined: Option<Outlined>,
    tagged: bool,
    window: &mut Window,
) -> Shown {
    let Unit {
        text,
        attachments,
        notes,
    } = unit;
    let tag = tagged.then(|| tag_of(&text)).flatten();
    let ending = text::ending(text.as_bytes());
    let lines = text::lines(text.as_bytes()) as u64;
    let language = facts.metadata("language");
    let outlined = outlined
        .and_then(|of| outline::of_converted(&text, of, language, attachments.len(), window));
    if let Some((page, mut outline)) = outlined {
        count_hidden(&mut outline, &attachments);
        return Shown {
            page,
            attachments: Vec::new(),
            notes,
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
        notes,
        ending,
        tag,
        outline: None,
    }
}

/// Converts the attachments that follow the lines of a page to notes and images for the reply.
/// Exact text (`:raw`) gets none.
fn annotations(
    shown: &mut Shown,
    window: &Window,
    request: &Request,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Vec<Annotation> {
    let attachments = std::mem::take(&mut shown.attachments);
    if window.selector.raw {
        if !attachments.is_empty() {
            let note = "exact text: notes and images after its lines are left out";
            notes.push(note.to_owned());
        }
        return Vec::new();
    }
    let mut embedded = Embedded::new(&request.style, world, notes);
    let page = &shown.page;
    let shown = attachments.into_iter().filter_map(|(index, attachment)| {
        let what = match attachment.what {
            Attached::Hidden(hidden) => AnnotationContent::Note(hidden.to_string()),
            Attached::Image(image) => embedded.image(&image, attachment.line)?,
        };
        Some(Annotation {
            index,
            content: what,
        })
    });
    let shown = shown.collect();
    // The next path counts lines as the page does.
    embedded.end(page.part.clone(), &request.path);
    shown
}

/// Adds notes to the outline of a notebook on the outputs and attached files that it leaves out. A
/// note follows the piece of the outline (a line, or a group of hidden lines) to which they belong.
/// A piece of several cells has one note with the sum.
fn count_hidden(outline: &mut Outline, attachments: &[Attachment]) {
    let mut counted: Vec<(usize, Hidden)> = Vec::new();
    for attachment in attachments {
        let Attached::Hidden(hidden) = attachment.what else {
            continue;
        };
        let after = outline
            .pieces
            .partition_point(|piece| u64::from(piece.first()) <= attachment.line);
        let Some(place) = after.checked_sub(1) else {
            continue;
        };
        match counted.last_mut() {
            Some((last, so_far)) if *last == place => *so_far = so_far.and(hidden),
            _ => counted.push((place, hidden)),
        }
    }
    let note = |(place, hidden): (usize, Hidden)| (place, hidden.to_string());
    outline.annotations = counted.into_iter().map(note).collect();
}
