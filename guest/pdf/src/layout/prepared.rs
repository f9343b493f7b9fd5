//! The content of a page in the frame of its text: words, lines, fills, images and links.

use super::frame::{self, Frame, Turn};
use super::limits;
use super::strokes::{self, Stroke};
use super::words::{self, Word};
use crate::extremes::Extremes as _;
use crate::page::{PageContent, Rect, Target};
use std::cell::RefCell;
use std::rc::Rc;

/// The sides of a fill in points between which it may be a bullet, and the difference of its sides, relative to the
/// greater one.
const DOT: (f32, f32) = (1.2, 9.0);
const DOT_SIDES: f32 = 0.3;

/// The least width and height of a fill with text in points, and the part of the width and of the height of the page
/// from which it is the background of the page.
const FILL: (f32, f32) = (12.0, 5.0);
const BACKGROUND: (f32, f32) = (0.95, 0.6);

/// The least side of an image in points. Smaller ones are lines and signs.
const IMAGE: f32 = 8.0;

/// The maximum number of words that are compared with a line or a dot.
const COMPARED: usize = 400;

/// The distances in points above and below the baseline of a word at which it may be underlined.
const OVER_LINE: f32 = 6.0;
const UNDER_LINE: f32 = 1.0;

/// The depth of a line below the baseline in font sizes, the part in points by which it may be longer than its
/// words, and the part of it that they cover.
const LINE_DEPTH: f32 = 0.3;
const LONGER: f32 = 1.5;
const COVERED: f32 = 0.7;

/// The distances in points of the baselines of words from the middle of a dot at which they are compared.
const DOT_ABOVE: f32 = 1.0;
const DOT_BELOW: f32 = 12.0;

/// The middle of small letters above the baseline, and the distance of a bullet from it, in font sizes.
const SMALL_MIDDLE: f32 = 0.32;
const DOT_LEVEL: f32 = 0.3;

/// The part of a font size by which a word may be before a dot that is inside of the text, and the white after a
/// bullet in font sizes.
const BEFORE_DOT: f32 = 0.5;
const DOT_GAP: (f32, f32) = (0.05, 2.5);

/// The part of the font size from the baseline of a word up to its middle.
const MIDDLE: f32 = 0.3;

/// A page, and its content in the frame of its text until that is used up.
#[derive(Debug, Default)]
pub struct Page {
    /// The content of the page.
    pub content: PageContent,
    prepared: RefCell<Option<Prepared>>,
}

impl Page {
    /// A page with this content.
    pub fn new(content: PageContent) -> Self {
        Self {
            content,
            prepared: RefCell::new(None),
        }
    }

    /// The content in the frame of its text. It is prepared, unless it was kept.
    pub fn take(&self) -> Prepared {
        let kept = self.prepared.take();
        kept.unwrap_or_else(|| Prepared::of(&self.content))
    }

    /// Keeps the content in the frame of its text for the next use.
    pub fn keep(&self, prepared: Prepared) {
        self.prepared.replace(Some(prepared));
    }
}

/// An image of a page.
#[derive(Clone, Debug)]
pub struct Image {
    /// Its sides.
    pub rect: Rect,
    /// Its number.
    pub number: usize,
    /// What a reader must know of an image that is cut into several. Empty for one image.
    pub parts: String,
}

/// The content of a page in the frame of its text.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// The rotation of the page to the frame.
    pub turn: Turn,
    /// The height of the page in the frame.
    pub height: f32,
    /// The words in the order of the stream.
    pub words: Vec<Word>,
    /// The addresses of the links.
    pub links: Vec<Option<Rc<str>>>,
    /// Horizontal lines.
    pub across: Vec<Stroke>,
    /// Vertical lines.
    pub down: Vec<Stroke>,
    /// Fills that are as large as a line or larger, but not as the page.
    pub fills: Vec<Rect>,
    /// Images.
    pub images: Vec<Image>,
    /// The words of the other directions, each with its own frame.
    pub others: Vec<Other>,
    /// Oblique text, in the order of the stream.
    pub oblique: Vec<Word>,
}

/// The words of another direction, with its rotation.
#[derive(Clone, Debug)]
pub struct Other {
    /// The rotation.
    pub turn: Turn,
    /// The words in the order of the stream.
    pub words: Vec<Word>,
}

impl Prepared {
    /// Prepares a page.
    fn of(page: &PageContent) -> Self {
        let mut frames = frame::frames(page).into_iter();
        let Some(main) = frames.next() else {
            return Self::default();
        };
        let turn = main.turn;
        let (width, height) = turn.extent();
        let mut out = Self {
            turn,
            height,
            words: words_of(&main),
            ..Self::default()
        };
        for other in frames {
            let words = words_of(&other);
            if other.oblique {
                out.oblique = words;
            } else if !words.is_empty() {
                out.others.push(Other {
                    turn: other.turn,
                    words,
                });
            }
        }
        out.shapes(page, &turn, (width, height));
        out.link(page, &turn);
        out
    }

    /// Makes text in which all glyphs have one width the text of the document, and not code.
    pub fn without_code(&mut self) {
        let others = self.others.iter_mut().flat_map(|it| &mut it.words);
        for word in self.words.iter_mut().chain(others).chain(&mut self.oblique) {
            word.face.mono = false;
        }
    }

    /// Horizontal lines and the upper and lower edges of fills, sorted by the position.
    pub fn edges(&self) -> Vec<Stroke> {
        let mut out = self.across.clone();
        for fill in &self.fills {
            for at in [fill.y0, fill.y1] {
                out.push(Stroke {
                    at,
                    start: fill.x0,
                    end: fill.x1,
                });
            }
        }
        strokes::merged(out)
    }

    fn shapes(&mut self, page: &PageContent, turn: &Turn, (width, height): (f32, f32)) {
        for rule in &page.rules {
            let (a, b) = if rule.horizontal {
                ((rule.start, rule.at), (rule.end, rule.at))
            } else {
                ((rule.at, rule.start), (rule.at, rule.end))
            };
            let (a, b) = (turn.point(a.0, a.1), turn.point(b.0, b.1));
            let finite = [a.0, a.1, b.0, b.1].iter().all(|it| it.is_finite());
            if !finite {
                continue;
            }
            if rule.horizontal != turn.swaps() {
                self.across.push(Stroke {
                    at: a.1,
                    start: a.0.lesser(b.0),
                    end: a.0.greater(b.0),
                });
            } else {
                self.down.push(Stroke {
                    at: a.0,
                    start: a.1.lesser(b.1),
                    end: a.1.greater(b.1),
                });
            }
        }
        self.underlines();
        let mut dots = Vec::new();
        for fill in &page.fills {
            let rect = turn.rect(&fill.rect);
            if ![rect.x0, rect.x1, rect.y0, rect.y1]
                .iter()
                .all(|it| it.is_finite())
            {
                continue;
            }
            let (w, h) = (rect.width(), rect.height());
            if w < DOT.1
                && h < DOT.1
                && w > DOT.0
                && h > DOT.0
                && (w - h).abs() < DOT_SIDES * w.greater(h)
            {
                dots.push(rect);
            } else if w > FILL.0
                && h > FILL.1
                && (w < BACKGROUND.0 * width || h < BACKGROUND.1 * height)
            {
                self.fills.push(rect);
            }
        }
        self.bullets(dots);
        for image in &page.images {
            let rect = turn.rect(&image.rect);
            if rect.area().is_finite()
                && !image.artifact
                && rect.width() > IMAGE
                && rect.height() > IMAGE
            {
                self.images.push(Image {
                    rect,
                    number: image.number,
                    parts: image.parts(),
                });
            }
        }
    }

    /// Leaves out the lines under words. They are no lines of tables.
    fn underlines(&mut self) {
        let mut order: Vec<&Word> = self.words.iter().collect();
        order.sort_by(|a, b| a.y.total_cmp(&b.y));
        let is_underline = |stroke: &Stroke| {
            let first = order.partition_point(|it| it.y < stroke.at - OVER_LINE);
            let (mut lo, mut hi, mut ink) = (f32::MAX, f32::MIN, 0.0);
            for word in order.iter().skip(first).take(COMPARED) {
                if word.y > stroke.at + UNDER_LINE {
                    break;
                }
                let under = stroke.at - word.y < LINE_DEPTH * word.size;
                let common = word.x1.lesser(stroke.end) - word.x0.greater(stroke.start);
                if under && common > 0.0 {
                    lo = word.x0.lesser(lo);
                    hi = word.x1.greater(hi);
                    ink += common;
                }
            }
            let length = stroke.end - stroke.start;
            stroke.start > lo - LONGER && stroke.end < hi + LONGER && ink > COVERED * length
        };
        let across = std::mem::take(&mut self.across);
        let across: Vec<Stroke> = across.into_iter().filter(|it| !is_underline(it)).collect();
        self.across = across;
    }

    /// Small squares and discs at the left of a line are bullets.
    fn bullets(&mut self, dots: Vec<Rect>) {
        if dots.is_empty() || self.words.is_empty() || dots.len() > self.words.len() {
            return;
        }
        let mut order: Vec<(f32, f32, f32)> =
            self.words.iter().map(|it| (it.y, it.x0, it.size)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for dot in dots {
            let middle = 0.5 * (dot.y0 + dot.y1);
            let first = order.partition_point(|it| it.0 < middle - DOT_ABOVE);
            let mut best: Option<(f32, f32, f32)> = None;
            let mut covered = false;
            for (y, x0, size) in order.iter().skip(first).take(COMPARED) {
                if *y > middle + DOT_BELOW {
                    break;
                }
                // The middle of small letters.
                if (*y - SMALL_MIDDLE * size - middle).abs() > DOT_LEVEL * size {
                    continue;
                }
                covered |= *x0 < dot.x1 && *x0 > dot.x0 - BEFORE_DOT * size;
                let gap = x0 - dot.x1;
                if (DOT_GAP.0 * size..DOT_GAP.1 * size).contains(&gap)
                    && best.is_none_or(|it| *x0 < it.1)
                {
                    best = Some((*y, *x0, *size));
                }
            }
            // A word before it shows that the dot is inside of the text.
            if let Some((y, _, size)) = best.filter(|_| !covered) {
                let order = self.words.len().saturating_mul(2);
                self.words.push(Word {
                    text: "•".to_owned(),
                    x0: dot.x0,
                    x1: dot.x1,
                    y,
                    size,
                    chars: 1,
                    order,
                    ..Word::default()
                });
            }
        }
    }

    /// Gives words their links.
    fn link(&mut self, page: &PageContent, turn: &Turn) {
        if page.links.is_empty() {
            return;
        }
        let mut order: Vec<(f32, usize)> = self
            .words
            .iter()
            .enumerate()
            .map(|(index, it)| (it.y - MIDDLE * it.size, index))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut budget = limits::LINK_CHECKS;
        for link in page.links.iter().take(limits::LINKS) {
            let Target::Url(url) = &link.target else {
                continue;
            };
            let rect = turn.rect(&link.rect);
            self.links.push(Some(Rc::clone(url)));
            let number = u32::try_from(self.links.len()).unwrap_or_default();
            let first = order.partition_point(|it| it.0 < rect.y0);
            for (y, index) in order.iter().skip(first) {
                if *y > rect.y1 || budget == 0 {
                    break;
                }
                budget = budget.saturating_sub(1);
                if let Some(word) = self.words.get_mut(*index)
                    && rect.contains(word.mid(), *y)
                {
                    word.link = number;
                }
            }
        }
    }
}

fn words_of(frame: &Frame<'_>) -> Vec<Word> {
    words::words(&frame.glyphs)
}
