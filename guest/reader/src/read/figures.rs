//! The pictures of a document to which the lines of a page refer.
//!
//! They are loaded after the page is filled, from the document that was opened for the text. They are
//! decoded after it is closed, because one engine is open at a time.

use super::embedded::{Embedded, Figure, is_promising};
use crate::answer::{Annotation, AnnotationContent, Media, OverBudget};
use crate::converted::Figures;
use crate::escapes::escape_invisible;
use crate::limits;
use crate::path::{Picture, Selector};
use crate::request::{FigurePolicy, Request};
use crate::window::Page;
use crate::world::World;
use std::collections::BTreeSet;

#[cfg(test)]
mod tests;

/// A reference to a picture.
struct Reference {
    /// The index, on the page, of the line with the first reference to the picture.
    index: usize,
    picture: Picture,
    /// The bytes of the picture, or the reason why it cannot be read. `None` if they are not loaded
    /// because of a limit of the reply.
    bytes: Option<Result<Vec<u8>, String>>,
}

/// Reads the images to which the lines of a page refer, each once, in the order of the references.
/// Returns them with the lines that they follow. Notes on images that are not shown are added to
/// `notes`.
pub fn on_page(
    page: &Page,
    figures: Box<dyn Figures>,
    request: &Request,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Vec<Annotation> {
    let policy = request
        .style
        .media
        .map_or(FigurePolicy::None, |media| media.figures);
    if policy == FigurePolicy::None || !page.text.contains(figures.mark()) {
        return Vec::new();
    }
    let mut references = references(page, figures.mark(), policy);
    if references.is_empty() {
        return Vec::new();
    }
    let mark = figures.mark().to_owned();
    let mut tally = Tally::default();
    let shown = {
        let mut embedded = Embedded::new(&request.style, world, notes);
        if let Some(why) = embedded.refused() {
            notes.push(why.to_owned());
            return Vec::new();
        }
        load(&mut references, figures);
        let shown = references.into_iter().filter_map(|reference| {
            let name = reference.picture.to_string();
            let figure = match reference.bytes {
                Some(Ok(bytes)) => embedded.figure(&bytes, &name),
                Some(Err(why)) => Figure::Undecoded(why),
                None => Figure::Limited,
            };
            let media = tally.count(figure, reference.picture)?;
            Some(Annotation {
                index: reference.index,
                content: AnnotationContent::Figure(name, media),
            })
        });
        shown.collect()
    };
    notes.extend(tally.notes(&mark));
    shown
}

/// Finds the references to pictures in the lines of a page. `mark` precedes the selector of a picture.
/// Only the first reference to a picture is returned. Pictures that `policy` excludes are left out.
fn references(page: &Page, mark: &str, policy: FigurePolicy) -> Vec<Reference> {
    let end = if mark.starts_with("](<") { ">)" } else { ")" };
    let mut found = BTreeSet::new();
    let mut references = Vec::new();
    for index in 0..page.lines.len() {
        for after in page.line(index).split(mark).skip(1) {
            let selector = after.split_once(end).map(|(selector, _)| selector);
            let Some(picture) = selector.and_then(Selector::picture_of) else {
                continue;
            };
            let is_shown = policy == FigurePolicy::All || matches!(picture, Picture::Page(_));
            if is_shown && found.insert(picture) {
                references.push(Reference {
                    index: end_of_table(page, index),
                    picture,
                    bytes: None,
                });
            }
        }
    }
    references
}

/// The last line of the table that a line belongs to, or the line itself. Images between the rows of
/// a table would end it.
fn end_of_table(page: &Page, index: usize) -> usize {
    let is_row = |index: usize| index < page.lines.len() && page.line(index).starts_with('|');
    let mut last = index;
    while is_row(last) && is_row(last.saturating_add(1)) {
        last = last.saturating_add(1);
    }
    last
}

/// Loads the bytes of images, up to the limits for one reply, and closes the document.
fn load(references: &mut [Reference], mut figures: Box<dyn Figures>) {
    let (mut promising, mut bytes, mut failures, mut pages) = (0usize, 0usize, 0usize, 0usize);
    for reference in references.iter_mut().take(limits::FIGURES) {
        if promising >= limits::DOCUMENT_IMAGES || bytes >= limits::FIGURE_BYTES {
            break;
        }
        if matches!(reference.picture, Picture::Page(_)) {
            pages = pages.saturating_add(1);
            if pages > limits::PAGE_IMAGES {
                continue;
            }
        }
        let image = match figures.picture(reference.picture) {
            Ok(image) => image,
            Err(why) => {
                // The memory or the time of the engine may have ended.
                reference.bytes = Some(Err(why));
                failures = failures.saturating_add(1);
                if failures >= limits::FIGURE_FAILURES {
                    break;
                }
                continue;
            }
        };
        bytes = bytes.saturating_add(image.len());
        if image.len() as u64 > limits::IMAGE_BYTES {
            continue;
        }
        promising = promising.saturating_add(usize::from(is_promising(&image)));
        reference.bytes = Some(Ok(image));
    }
}

/// The numbers of images of a page that are shown and that are not.
#[derive(Default)]
struct Tally {
    shown: u64,
    /// The number of images that are not shown because of a limit, and the first of them.
    limited: Option<(u64, Picture)>,
    /// The same for images over the budget of the session, and that of the first of them.
    over: Option<(u64, Picture, OverBudget)>,
    /// The same for images that cannot be decoded, and the reason for the first of them.
    undecoded: Option<(u64, Picture, String)>,
}

impl Tally {
    /// Counts a picture. Returns it if it is shown or described.
    fn count(&mut self, figure: Figure, picture: Picture) -> Option<Box<Media>> {
        match figure {
            Figure::Shown(media) => {
                self.shown = self.shown.saturating_add(1);
                return Some(media);
            }
            Figure::OverBudget(over, media) => {
                let (count, ..) = self.over.get_or_insert((0, picture, over));
                *count = count.saturating_add(1);
                return Some(media);
            }
            Figure::Decoration => {}
            Figure::Undecoded(why) => {
                let (count, ..) = self.undecoded.get_or_insert((0, picture, why));
                *count = count.saturating_add(1);
            }
            Figure::Limited => {
                let (count, _) = self.limited.get_or_insert((0, picture));
                *count = count.saturating_add(1);
            }
        }
        None
    }

    /// The notes on images that are not shown.
    fn notes(self, mark: &str) -> impl Iterator<Item = String> {
        let shown = self.shown;
        let start = mark.trim_start_matches("](").trim_start_matches('<');
        let over = self
            .over
            .map(|(count, first, over)| over.note(count, &format!("{start}{first}")));
        let limited = self.limited.map(|(count, first)| {
            let all = shown.saturating_add(count);
            let verb = if shown == 1 { "is" } else { "are" };
            format!(
                "{shown} of the {all} images in this reply {verb} shown; \
                 their paths read the others, such as `{start}{first}`"
            )
        });
        let undecoded = self.undecoded.map(|(count, first, why)| {
            let why = escape_invisible(&why);
            match count {
                1 => format!("`{first}` is not shown: {why}"),
                _ => format!("{count} images are not shown, such as `{first}`: {why}"),
            }
        });
        over.into_iter().chain(limited).chain(undecoded)
    }
}
