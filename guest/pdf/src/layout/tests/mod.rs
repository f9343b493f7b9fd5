//! Tests of layout analysis over pages that are built here.

#![expect(clippy::cast_precision_loss, reason = "the counts are small")]

mod charts;
mod columns;
mod contents;
mod framed;
mod hanging;
mod headers;
mod headings;
mod hostile;
mod pages;
mod prose;
mod remarks;
mod ruled;
mod sections;
mod spaced;
mod tables;
mod text;
mod typewriter;

use super::{Context, Document, Known, Page, analysed, blocks, lines, may_continue};
use crate::heads::Shown;
use crate::page::{
    Colour, Direction, Figure, Fill, Font, FontId, Glyph, Link, PageContent, Rect, Rule, Target,
    Text,
};
use std::rc::Rc;

/// The fonts of built pages.
pub const REGULAR: u16 = 0;
pub const BOLD: u16 = 1;
pub const MONO: u16 = 2;
pub const ITALIC: u16 = 3;
pub const VERTICAL: u16 = 4;

/// A page that is built.
pub struct Builder {
    pub page: PageContent,
}

impl Builder {
    /// A page of 600 × 800 points.
    pub fn new() -> Self {
        let font = |name: &str, bold, mono, italic, vertical| Font {
            name: name.to_owned(),
            bold,
            italic,
            mono,
            serif: false,
            vertical,
        };
        Self {
            page: PageContent {
                width: 600.0,
                height: 800.0,
                fonts: vec![
                    font("Regular", false, false, false, false),
                    font("Bold", true, false, false, false),
                    font("Mono", false, true, false, false),
                    font("Italic", false, false, true, false),
                    font("Vertical", false, false, false, true),
                ],
                ..PageContent::default()
            },
        }
    }

    /// Adds a line of text. Each letter is half an em wide, in the font for code 0.6 em, and a wide
    /// character a whole em.
    pub fn text(mut self, (x, y): (f32, f32), size: f32, font: u16, text: &str) -> Self {
        let mut at = x;
        for character in text.chars() {
            let width = if crate::script::is_wide(character) {
                size
            } else if font == MONO {
                0.6 * size
            } else {
                0.5 * size
            };
            self.page
                .glyphs
                .push(glyph(character, (at, at + width), y, size, font));
            at += width;
        }
        self
    }

    /// Adds lines of text below each other.
    pub fn lines(mut self, x: f32, y: f32, size: f32, lines: &[&str]) -> Self {
        for (index, line) in lines.iter().enumerate() {
            self = self.text((x, y + 1.2 * size * index as f32), size, REGULAR, line);
        }
        self
    }

    /// Adds text with a distance between the letters.
    pub fn spaced(mut self, (x, y): (f32, f32), size: f32, distance: f32, text: &str) -> Self {
        for (index, character) in text.chars().enumerate() {
            let at = x + (0.5 * size + distance) * index as f32;
            if character != ' ' {
                self.page
                    .glyphs
                    .push(glyph(character, (at, at + 0.5 * size), y, size, BOLD));
            }
        }
        self
    }

    pub fn across(mut self, x0: f32, x1: f32, y: f32) -> Self {
        self.page.rules.push(Rule {
            horizontal: true,
            start: x0,
            end: x1,
            at: y,
            thickness: 0.5,
            colour: Colour::BLACK,
        });
        self
    }

    pub fn down(mut self, x: f32, y0: f32, y1: f32) -> Self {
        self.page.rules.push(Rule {
            horizontal: false,
            start: y0,
            end: y1,
            at: x,
            thickness: 0.5,
            colour: Colour::BLACK,
        });
        self
    }

    pub fn fill(mut self, x0: f32, y0: f32, x1: f32, y1: f32) -> Self {
        self.page.fills.push(Fill {
            rect: Rect { x0, y0, x1, y1 },
            colour: Colour::BLACK,
        });
        self
    }

    pub fn image(mut self, [x0, y0, x1, y1]: [f32; 4], number: usize) -> Self {
        self.page.images.push(Figure {
            rect: Rect { x0, y0, x1, y1 },
            number,
            last: number,
            blank: false,
            artifact: false,
            mcid: None,
            after: 0,
        });
        self
    }

    pub fn link(mut self, [x0, y0, x1, y1]: [f32; 4], url: &str) -> Self {
        self.page.links.push(Link {
            rect: Rect { x0, y0, x1, y1 },
            target: Target::Url(url.into()),
            object: None,
        });
        self
    }

    /// The Markdown of the page, in a document of this page.
    pub fn markdown(self) -> String {
        markdown_of(&[self.page]).remove(0)
    }
}

pub fn glyph(character: char, (x0, x1): (f32, f32), y: f32, size: f32, font: u16) -> Glyph {
    Glyph {
        text: Text::One(character),
        x0,
        x1,
        y,
        y1: y,
        size,
        direction: Direction::Right,
        font: FontId(font),
        colour: Colour::BLACK,
        invisible: false,
        heavy: false,
        artifact: false,
        mcid: None,
    }
}

/// The Markdown of the pages of a document.
pub fn markdown_of(pages: &[PageContent]) -> Vec<String> {
    with_notes(pages).into_iter().map(|it| it.0).collect()
}

/// The Markdown of the pages of a document, and whether heads of the page are left out.
pub fn with_notes(pages: &[PageContent]) -> Vec<(String, bool)> {
    let pages: Vec<Rc<Page>> = pages.iter().cloned().map(Page::new).map(Rc::new).collect();
    let (document, mut studied) = Document::new(Context {
        sample: pages.iter().map(|it| it.take()).enumerate().collect(),
        outline: Vec::new(),
        known: Rc::new(Known::of(
            vec![String::new(); pages.len()],
            std::iter::empty(),
        )),
    });
    let page = |index: usize| pages.get(index).map(|it| &**it);
    (0..pages.len())
        .map(|index| {
            let known = studied.take(&document, index);
            let own = known.unwrap_or_else(|| analysed(&document, index, &pages[index]));
            let before = index.checked_sub(1).filter(|_| may_continue(&own));
            let before = before.and_then(|it| page(it).map(|page| analysed(&document, it, page)));
            let found = blocks(&document, own, before.as_ref());
            let before: Vec<usize> = (index.saturating_sub(2)..index).collect();
            let mut shown = Shown::default();
            shown.add(index, &found.heads, &before, &mut |other| {
                page(other).map(|page| Rc::new(lines(other, page)))
            });
            let left_out = shown.left_out;
            (shown.around(found.blocks, Vec::new()).0, left_out)
        })
        .collect()
}

/// Lines of running text, 60 characters wide, that fill a measure of 300 points at size 10.
pub const PROSE: [&str; 6] = [
    "The reader of the page sees a text that fills the whole line",
    "and goes on in the next one without a gap between both lines",
    "until the paragraph ends with a line that is not full at all",
    "or with a wider gap, as it is usual in most of the documents",
    "that people write, print and send, and that programs read so",
    "that their words are in the order in which they were written",
];
