//! Notebooks: converted to text, paged, and with the pictures that stand
//! between the lines which are shown.

use crate::answer::{Aside, Beside, Notebook, Subject, Text};
use crate::encoding::Encoding;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::{Input, fill_text, visible};
use crate::path::{Part, Selector};
use crate::readers::notebook::{
    self, AsideWhat, Broken, Converted, Heading, Picture, PictureData, View,
};
use crate::readers::{picture, text};
use crate::request::{Notebooks, Pictures, Request};
use crate::tag;
use crate::units;
use crate::window::{Numbering, Page};
use crate::world::World;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// Whether a file is read as a notebook: cells of it are asked for, or it is
/// called so by someone who wants it converted.
pub fn wanted(subject: &Subject, selector: &Selector, notebooks: Notebooks) -> bool {
    let called = || {
        let name = subject.members.last().unwrap_or(&subject.path);
        let ending = name.rsplit('.').next().unwrap_or_default();
        ending.eq_ignore_ascii_case("ipynb")
    };
    match selector.part {
        Part::Cells(..) => true,
        Part::Picture => false,
        Part::Whole => notebooks != Notebooks::Json && !selector.raw && called(),
    }
}

/// Reads a notebook. `None` and a note if it is none, or too large, and may be
/// shown as the text that it is.
///
/// # Errors
/// If cells were asked for and there are none of these numbers.
pub fn read(
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
    notes: &mut Vec<String>,
) -> Result<Option<Text>, Failure> {
    let style = &request.style;
    let (first, last) = match selector.part {
        Part::Cells(first, last) => (Some(first), last),
        Part::Whole | Part::Picture => (None, 0),
    };
    let view = match (first, style.notebooks) {
        (Some(first), notebooks) => View::Cells {
            first,
            last,
            heading: match notebooks {
                Notebooks::Outputs => Heading::Numbered,
                Notebooks::Json | Notebooks::Sources => Heading::Marker,
            },
        },
        (None, Notebooks::Outputs) => View::Outputs,
        (None, _) => View::Editable,
    };
    let converted = converted(input, encoding, &view);
    let converted = match converted {
        Ok(converted) => converted,
        Err(why) if first.is_some() => return Err(no_cells(request, selector, &why)),
        Err(why) => {
            notes.push(format!("{why}; it is shown as the text that it is"));
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
    let editable = view == View::Editable;
    let numbering = if editable {
        style.editable
    } else {
        Numbering::None
    };
    let mut window = style.window(selector.clone(), numbering);
    window.context &= editable;
    let tagged = style.tagged && editable && text.len() as u64 <= limits::WHOLE_BYTES;
    let tag = tagged.then(|| tag::tag(text.as_bytes()));
    let ending = text::ending(text.as_bytes());
    let lines = text.split('\n').count() as u64;
    let page = fill_text(text, &window);
    let exact = window.selector.raw;
    if exact && !asides.is_empty() {
        let count = asides.len();
        notes.push(format!(
            "exact text: {count} remarks and pictures between its lines are left out"
        ));
    }
    let asides = if exact { Vec::new() } else { asides };
    let pictures = style.passing.map(|passing| passing.pictures);
    let mut showing = Showing {
        pictures: pictures.unwrap_or(Pictures::Described),
        shown: 0,
        bytes: 0,
        world,
        notes,
    };
    let asides = on_page(&page, lines, asides)
        .map(|(index, what)| Aside {
            index,
            what: match what {
                AsideWhat::Words(words) => Beside::Words(words),
                AsideWhat::Picture(picture) => showing.picture(&picture),
            },
        })
        .collect();
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
) -> Result<Converted, String> {
    let broken = |broken: Broken| broken.to_string();
    let encoding = encoding.ok_or("not a notebook: it is no text")?;
    let limit = limits::CONVERTED_NOTEBOOK_BYTES;
    let bytes = input.first(limit.saturating_add(1));
    if bytes.len() as u64 > limit {
        let limit = units::bytes(limit);
        return Err(format!("a notebook of more than {limit} is not converted"));
    }
    let json = encoding.decoded(&bytes, true);
    let json = String::from_utf8_lossy(&json);
    notebook::convert(&json, view).map_err(broken)
}

/// The failure of cells that are asked for and are not there.
fn no_cells(request: &Request, selector: &Selector, why: &str) -> Failure {
    let path = visible(&request.path);
    Failure::new(
        Reason::Selector(selector.to_string()),
        format!("`{path}`: {why}"),
    )
    .hint("cells are counted from 0")
}

/// What stands behind the lines of a page, by the places of these.
fn on_page(
    page: &Page,
    lines: u64,
    asides: Vec<notebook::Aside>,
) -> impl Iterator<Item = (usize, AsideWhat)> {
    let last = page.lines.len().saturating_sub(1);
    let total = page.total.count();
    // Lines by number, from the end as well, up to those that end on this page.
    let mut places: Vec<(u64, usize)> = page
        .lines
        .iter()
        .enumerate()
        .filter(|(index, line)| line.cut.is_none() || *index < last)
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
    asides.into_iter().filter_map(move |aside| {
        // An empty line at the end is none for a page.
        let number = aside.line.min(total.max(1));
        let place = places.binary_search_by_key(&number, |(number, _)| *number);
        let (_, index) = places.get(place.ok()?)?;
        Some((*index, aside.what))
    })
}

/// The pictures of one page.
struct Showing<'w> {
    pictures: Pictures,
    /// How many are shown.
    shown: usize,
    /// What they take in base64.
    bytes: usize,
    world: &'w mut dyn World,
    notes: &'w mut Vec<String>,
}

impl Showing<'_> {
    /// A picture that a cell puts out, in the same way as one that is a file.
    fn picture(&mut self, picture: &Picture) -> Beside {
        let cell = picture.cell;
        let full =
            self.shown >= limits::NOTEBOOK_PICTURES || self.bytes >= limits::NOTEBOOK_PICTURE_BYTES;
        let mime = visible(&picture.mime);
        if full {
            return Beside::Words(format!("[{mime}; read :cell:{cell} to see it]"));
        }
        let (bytes, kind) = match &picture.data {
            PictureData::Svg(source) => {
                let bytes = source.as_bytes().to_vec();
                let kind = picture::of_text(&bytes);
                (bytes, kind)
            }
            PictureData::Base64(base64) => {
                let Some(bytes) = decoded(base64) else {
                    return Beside::Words(format!("[{mime}; not shown: it is no base64]"));
                };
                let kind = picture::of(&bytes, true, "");
                (bytes, kind)
            }
        };
        let size = units::bytes(bytes.len() as u64);
        let Some(kind) = kind else {
            return Beside::Words(format!("[{mime}, {size}; not shown: it is no picture]"));
        };
        let pictures = match self.pictures {
            // What is handed out untouched are files.
            Pictures::Untouched { .. } => Pictures::Described,
            pictures => pictures,
        };
        let mut notes = Vec::new();
        let read = picture::of_bytes(&bytes, kind, pictures, None, self.world, &mut notes);
        let told = notes
            .into_iter()
            .map(|note| format!("picture of cell:{cell}: {note}"));
        self.notes.extend(told);
        match read {
            Ok(media) => {
                if let Ok(given) = &media.given {
                    self.shown = self.shown.saturating_add(1);
                    self.bytes = self.bytes.saturating_add(given.data.len());
                }
                Beside::Picture(Box::new(media))
            }
            Err(why) => Beside::Words(format!("[{mime}, {size}; not shown: {why}]")),
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
