//! Notebooks: converted to text, paged, and with the pictures that stand
//! between the lines which are shown.

use crate::answer::{Aside, Beside, Media, Notebook, Subject, Text};
use crate::encoding::Encoding;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::{Input, fill_text, visible};
use crate::path::{Lines, Part, Range, Selector, ends_in};
use crate::readers::notebook::{
    self, AsideWhat, Broken, Converted, Heading, Picture, PictureData, View,
};
use crate::readers::{picture, text};
use crate::request::{Fit, Notebooks, Passing, Pictures, Request};
use crate::tag;
use crate::units;
use crate::window::{Numbering, Page};
use crate::world::World;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use memchr::memchr_iter;

/// Endings of names of compressed files.
const COMPRESSED: [&str; 5] = ["gz", "bz2", "xz", "zst", "lzma"];

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
    let name = subject.members.last().unwrap_or(&subject.path);
    let name = match name.rsplit_once('.') {
        Some((inner, _)) if subject.compression.is_some() && ends_in(name, &COMPRESSED) => inner,
        _ => name,
    };
    ends_in(name, &["ipynb"])
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
    let page = fill_text(text, &window);
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
                    AsideWhat::Words(words) => Beside::Words(words),
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
    }))
}

/// The notebook as text, or why there is none.
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
    places.sort_unstable();
    asides.into_iter().filter_map(move |mut aside| {
        aside.line = aside.line.min(lines.max(1));
        let place = places.binary_search_by_key(&aside.line, |(number, _)| *number);
        let (_, index) = places.get(place.ok()?)?;
        Some((*index, aside))
    })
}

/// The pictures of one page.
struct Showing<'w> {
    /// How they are shown, or why they are not.
    pictures: Result<Pictures, &'static str>,
    /// How many there are.
    count: usize,
    /// How many of them were tried.
    tried: usize,
    /// How many are shown.
    shown: usize,
    /// What they take in base64.
    bytes: usize,
    /// When no other is begun.
    end: u64,
    /// The line of the first one that was not tried.
    next: Option<u64>,
    world: &'w mut dyn World,
    notes: &'w mut Vec<String>,
}

impl<'w> Showing<'w> {
    fn new(passing: Option<Passing>, world: &'w mut dyn World, notes: &'w mut Vec<String>) -> Self {
        let passing = passing.filter(|passing| passing.inline);
        Self {
            pictures: match passing.map(|passing| passing.pictures) {
                None => Err("pictures in notebooks are not shown in this form of reply"),
                Some(Pictures::Described) => {
                    Err("pictures are not shown: they were only to be described")
                }
                // What is handed out untouched are files.
                Some(Pictures::Untouched { .. }) => Ok(Pictures::Fitted(Fit::DEFAULT)),
                Some(pictures @ Pictures::Fitted(_)) => Ok(pictures),
            },
            count: 0,
            tried: 0,
            shown: 0,
            bytes: 0,
            end: world
                .ticks()
                .saturating_add(limits::NOTEBOOK_PICTURE_MILLIS),
            next: None,
            world,
            notes,
        }
    }

    /// A picture and its line, if there is anything to say or show behind that.
    fn picture(&mut self, picture: &Picture, line: u64) -> Option<Beside> {
        self.count = self.count.saturating_add(1);
        let pictures = self.pictures.ok()?;
        if self.next.is_some()
            || self.tried >= limits::NOTEBOOK_PICTURES
            || self.bytes >= limits::NOTEBOOK_PICTURE_BYTES
            || self.world.ticks() > self.end
        {
            self.next.get_or_insert(line);
            return None;
        }
        self.tried = self.tried.saturating_add(1);
        Some(match self.read(picture, pictures) {
            Ok(media) => {
                if let Ok(given) = &media.given {
                    self.shown = self.shown.saturating_add(1);
                    self.bytes = self.bytes.saturating_add(given.data.len());
                }
                Beside::Picture(Box::new(media))
            }
            Err(why) => Beside::Words(format!("[not shown: {}]", visible(&why))),
        })
    }

    /// A picture that a cell puts out, in the same way as one that is a file.
    fn read(&mut self, picture: &Picture, pictures: Pictures) -> Result<Media, String> {
        let (mut bytes, kind) = match &picture.data {
            PictureData::Svg(source) => {
                let bytes = source.as_bytes().to_vec();
                let kind = picture::of_text(&bytes);
                (bytes, kind)
            }
            PictureData::Base64(base64) => {
                let bytes = decoded(base64).ok_or("it is no base64")?;
                let kind = picture::of(&bytes, true, "");
                (bytes, kind)
            }
        };
        let kind = kind.ok_or("it is no picture")?;
        let size = bytes.len() as u64;
        let too_large = size > limits::PICTURE_BYTES;
        if too_large {
            // Only its header is looked at.
            bytes.truncate(usize::try_from(limits::HEADER_BYTES).unwrap_or(usize::MAX));
        }
        let exceeded = too_large.then_some(limits::PICTURE_BYTES);
        let mut notes = Vec::new();
        let read = picture::of_bytes(&bytes, kind, pictures, exceeded, self.world, &mut notes);
        let cell = picture.cell;
        let told = notes
            .into_iter()
            .map(|note| format!("picture of cell:{cell}: {note}"));
        self.notes.extend(told);
        read.map(|media| Media {
            bytes: Some(size),
            ..media
        })
    }

    /// Says which pictures of the page are not shown; `asked` is what the page
    /// was asked for.
    fn end(self, asked: &Selector) {
        if self.count == 0 {
            return;
        }
        if let Err(why) = self.pictures {
            self.notes.push(why.to_owned());
        }
        if let Some(line) = self.next {
            let next = Selector {
                part: asked.part,
                lines: Lines::One(Range::lines(line, None)),
                raw: false,
            };
            self.notes.push(format!(
                "{} of the {} pictures on this page are shown; ask for the line of another, such as :{next}",
                self.shown, self.count
            ));
        }
    }
}

/// The bytes of base64 with or without padding and line breaks.
fn decoded(base64: &str) -> Option<Vec<u8>> {
    let bare: Vec<u8> = base64
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let end = bare.iter().rposition(|byte| *byte != b'=')?;
    STANDARD_NO_PAD.decode(bare.get(..=end)?).ok()
}

#[cfg(test)]
mod tests;
