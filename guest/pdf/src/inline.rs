//! Glyphs in the order of reading → inline text: lines, words, formats and links.

use crate::bidi;
use crate::extremes::Extremes as _;
use crate::language;
use crate::page::{Font, Glyph, Link, PageContent, Target, Text};
use crate::script;
use omniread_document::model::{Inline, Style};
use std::borrow::Cow;
use std::rc::Rc;

/// A piece of a paragraph.
#[derive(Clone, Debug)]
pub enum Piece<'p> {
    /// A glyph.
    Glyph {
        /// The glyph.
        glyph: Cow<'p, Glyph>,
        /// The format by its tags.
        style: Style,
        /// The address of its link by its tags.
        link: Option<Rc<str>>,
    },
    /// An image.
    Image {
        /// The alternative text.
        alt: String,
        /// The number.
        number: usize,
    },
    /// A line break.
    Break,
    /// A text without a place on the page, such as the value of a form field.
    Text(String),
}

impl<'p> Piece<'p> {
    /// A glyph without tags.
    pub fn glyph(glyph: &'p Glyph) -> Self {
        Self::Glyph {
            glyph: Cow::Borrowed(glyph),
            style: Style::default(),
            link: None,
        }
    }
}

/// How inline text is made.
#[derive(Clone, Copy, Default)]
pub struct Options<'o> {
    /// Whether formats are left out: in headings, and in cells that are bold as a whole.
    pub plain: bool,
    /// Says whether a word occurs in the document, in lower case. It decides on hyphens at line ends.
    pub knows: Option<&'o dyn Fn(&str) -> bool>,
}

/// Makes the inline text of a paragraph.
pub fn inlines(page: &PageContent, pieces: &[Piece<'_>], options: Options<'_>) -> Vec<Inline> {
    let mut writer = Writer {
        page,
        options,
        out: Vec::new(),
        text: String::new(),
        style: Style::default(),
        link: None,
        end: End::default(),
    };
    let glyphs = pieces.iter().filter_map(|piece| match piece {
        Piece::Glyph { glyph, .. } => Some(glyph.as_ref()),
        _ => None,
    });
    let from_right = bidi::direction(glyphs);
    let mut line: Vec<usize> = Vec::new();
    for (place, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Glyph { glyph, .. } => {
                let last = line.last().and_then(|place| pieces.get(*place));
                if let Some(Piece::Glyph { glyph: last, .. }) = last
                    && is_new_line(last, glyph)
                {
                    writer.line(pieces, &std::mem::take(&mut line), from_right);
                }
                line.push(place);
            }
            other => {
                writer.line(pieces, &std::mem::take(&mut line), from_right);
                writer.other(other);
            }
        }
    }
    writer.line(pieces, &line, from_right);
    writer.flush();
    writer.out
}

/// The distance of baselines in font sizes above which a glyph starts a line. Superscripts are raised by less than
/// half of the size of the text.
const NEW_LINE: f32 = 0.6;

/// The same for a glyph that is at least [`BACK`] font sizes before the last one.
const NEW_LINE_BACK: f32 = 0.25;
const BACK: f32 = 2.0;

/// Of raised and lowered glyphs, in sizes of the line: their greatest size, and the distances of their baselines.
const SMALL: f32 = 0.85;
const RAISED: f32 = 0.15;
const LOWERED: f32 = -0.08;

/// The difference of sizes of the glyphs of a line, relative to the size.
const SAME_SIZE: f32 = 0.1;

/// Whether the second glyph starts a new line.
pub fn is_new_line(last: &Glyph, next: &Glyph) -> bool {
    if last.direction != next.direction {
        return true;
    }
    let (before, after) = (bidi::span(last), bidi::span(next));
    let size = last.size.greater(next.size).greater(1.0);
    let down = (after.line - before.line).abs();
    down > NEW_LINE * size || down > NEW_LINE_BACK * size && after.start < before.end - BACK * size
}

/// How the text so far ends: decides what is between two lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum End {
    /// Nothing is there, or white space is not needed.
    #[default]
    Nothing,
    /// A line.
    Line,
}

struct Writer<'w> {
    page: &'w PageContent,
    options: Options<'w>,
    out: Vec<Inline>,
    /// The text with the current format.
    text: String,
    style: Style,
    link: Option<Rc<str>>,
    end: End,
}

impl<'w> Writer<'w> {
    /// Writes a line. The glyphs are given by their places.
    fn line(&mut self, pieces: &[Piece<'_>], places: &[usize], from_right: Option<bool>) {
        let parts = |place: &usize| match pieces.get(*place) {
            Some(Piece::Glyph { glyph, style, link }) => Some((glyph.as_ref(), *style, link)),
            _ => None,
        };
        let line: Vec<_> = places.iter().filter_map(parts).collect();
        let glyphs: Vec<&Glyph> = line.iter().map(|part| part.0).collect();
        let order = bidi::order(&glyphs, from_right);
        let Some(first) = order.first().and_then(|placed| glyphs.get(placed.index)) else {
            // Only spaces.
            if !glyphs.is_empty() && self.end == End::Nothing {
                self.space();
            }
            return;
        };
        if self.end == End::Line {
            self.join_lines(&glyphs, &order, first);
        }
        let measure = Measure::of(&glyphs);
        let links = self.links(&glyphs);
        for placed in &order {
            let Some((glyph, tagged, link)) = line.get(placed.index) else {
                continue;
            };
            if placed.space {
                self.space();
            }
            let page = self.page;
            let font = page.font(glyph);
            let style = if self.options.plain {
                Style::default()
            } else {
                tagged
                    .with(own_style(glyph, font))
                    .with(measure.shift(glyph))
            };
            let link = (*link).clone().or_else(|| address(&links, glyph));
            self.switch(style, link);
            bidi::push(&glyph.text, placed.mirrored, &mut self.text);
        }
        if glyphs
            .last()
            .is_some_and(|glyph| glyph.text.is_blank() && !matches!(glyph.text, Text::None))
        {
            // The space is kept for what follows on the same line.
            self.space();
        }
        self.end = End::Line;
    }

    /// Writes what is between two lines: nothing, a space, or removes a hyphen.
    fn join_lines(&mut self, glyphs: &[&Glyph], order: &[bidi::Placed], first: &Glyph) {
        self.end = End::Nothing;
        let Some(last) = self
            .text
            .chars()
            .next_back()
            .or_else(|| self.last_character())
        else {
            return;
        };
        if last.is_whitespace() {
            return;
        }
        let next = first.text.first().unwrap_or(' ');
        if last == '\u{ad}' {
            self.text.pop();
            return;
        }
        if script::is_hyphen(last) && next.is_alphabetic() {
            let mut text = self.text.chars().rev();
            text.next();
            let letter = text.next();
            if letter.is_some_and(char::is_alphabetic) {
                if next.is_lowercase() && self.is_divided(glyphs, order) {
                    self.text.pop();
                }
                return;
            }
        }
        if script::is_unspaced(last) && script::is_unspaced(next) {
            return;
        }
        self.space();
    }

    /// Whether the hyphen at the end of the text only divides a word.
    fn is_divided(&self, glyphs: &[&Glyph], order: &[bidi::Placed]) -> bool {
        let Some(knows) = self.options.knows else {
            return true;
        };
        let text = self.text.trim_end_matches(script::is_hyphen);
        let start = text.rfind(|it: char| !it.is_alphabetic()).map_or(0, |at| {
            text.get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or(0, |it| at.saturating_add(it.len_utf8()))
        });
        let before = text.get(start..).unwrap_or_default().to_lowercase();
        let mut after = String::new();
        'word: for placed in order {
            if placed.space && !after.is_empty() {
                break;
            }
            let mut own = String::new();
            if let Some(glyph) = glyphs.get(placed.index) {
                glyph.text.push_to(&mut own);
            }
            for character in own.chars() {
                if !character.is_alphabetic() {
                    break 'word;
                }
                after.extend(character.to_lowercase());
            }
        }
        if knows(&format!("{before}{after}")) {
            return true;
        }
        if knows(&format!("{before}-{after}")) {
            return false;
        }
        if language::keeps_hyphen(&before, &after) {
            return false;
        }
        // Both parts are words of their own: a compound.
        !(before.chars().count() > 2
            && after.chars().count() > 2
            && knows(&before)
            && knows(&after))
    }

    fn other(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Image { alt, number } => {
                self.flush();
                self.out.push(Inline::Image {
                    alt: alt.clone(),
                    number: *number,
                });
                self.end = End::Nothing;
            }
            Piece::Break => {
                self.flush();
                if !self.out.is_empty() {
                    self.out.push(Inline::Break);
                }
                self.end = End::Nothing;
            }
            Piece::Text(text) => {
                if self.end == End::Line && !self.text.is_empty() {
                    self.space();
                }
                self.switch(Style::default(), None);
                self.text.push_str(text);
                self.end = End::Nothing;
            }
            Piece::Glyph { .. } => {}
        }
    }

    /// Writes a space, unless there is one.
    fn space(&mut self) {
        let last = self
            .text
            .chars()
            .next_back()
            .or_else(|| self.last_character());
        if last.is_some_and(|last| !last.is_whitespace()) {
            self.text.push(' ');
        }
    }

    /// The last character that was written with another format.
    fn last_character(&self) -> Option<char> {
        match self.out.last()? {
            Inline::Text { text, .. } => text.chars().next_back(),
            Inline::Link { content, .. } => match content.last()? {
                Inline::Text { text, .. } => text.chars().next_back(),
                _ => None,
            },
            Inline::Image { .. } => Some('\u{fffc}'),
            _ => None,
        }
    }

    /// Starts a text with another format or link.
    fn switch(&mut self, style: Style, link: Option<Rc<str>>) {
        if style == self.style && link == self.link {
            return;
        }
        if self.text.trim().is_empty() && self.out.is_empty() {
            self.text.clear();
        }
        // A space before the change belongs to no format.
        let spaced = self.text.ends_with(' ') && self.text.trim_end() != self.text;
        if spaced && !self.text.trim().is_empty() {
            self.text.truncate(self.text.trim_end().len());
        }
        self.flush();
        (self.style, self.link) = (style, link);
        if spaced && self.last_character().is_some_and(|last| last != ' ') {
            self.out.push(Inline::plain(" "));
        }
    }

    fn flush(&mut self) {
        if self.text.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.text);
        let text = Inline::Text {
            text,
            style: self.style,
        };
        match &self.link {
            Some(url) => match self.out.last_mut() {
                Some(Inline::Link { url: last, content }) if **last == **url => content.push(text),
                _ => self.out.push(Inline::Link {
                    url: url.to_string(),
                    content: vec![text],
                }),
            },
            None => self.out.push(text),
        }
    }

    /// The links that overlap a line.
    fn links(&self, glyphs: &[&Glyph]) -> Vec<&'w Link> {
        if self.page.links.is_empty() {
            return Vec::new();
        }
        let low = glyphs
            .iter()
            .map(|glyph| glyph.y.lesser(glyph.y1) - glyph.size)
            .fold(f32::MAX, f32::lesser);
        let high = glyphs
            .iter()
            .map(|glyph| glyph.y.greater(glyph.y1) + glyph.size)
            .fold(f32::MIN, f32::greater);
        let page = self.page;
        let near = |link: &&Link| {
            link.rect.y0 <= high && link.rect.y1 >= low && matches!(link.target, Target::Url(_))
        };
        page.links.iter().filter(near).collect()
    }
}

/// The address of the link at the place of a glyph.
fn address(links: &[&Link], glyph: &Glyph) -> Option<Rc<str>> {
    let (x, y) = (
        f32::midpoint(glyph.x0, glyph.x1),
        f32::midpoint(glyph.y, glyph.y1),
    );
    let y = if glyph.y.to_bits() == glyph.y1.to_bits() {
        y - glyph.size * 0.3
    } else {
        y
    };
    links.iter().find_map(|link| match &link.target {
        Target::Url(url) if link.rect.contains(x, y) => Some(Rc::clone(url)),
        _ => None,
    })
}

/// The format of a glyph by its font.
fn own_style(glyph: &Glyph, font: &Font) -> Style {
    let mut style = Style::default();
    if font.mono {
        return Style::CODE;
    }
    if font.bold || glyph.heavy {
        style = style.with(Style::BOLD);
    }
    if font.italic {
        style = style.with(Style::ITALIC);
    }
    style
}

/// The size and the baseline of most glyphs of a line.
#[derive(Clone, Copy, Debug)]
struct Measure {
    size: f32,
    line: f32,
}

impl Measure {
    fn of(glyphs: &[&Glyph]) -> Self {
        let mut sizes: Vec<(f32, f32)> = glyphs
            .iter()
            .map(|glyph| (glyph.size, bidi::span(glyph).line))
            .collect();
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
        // The largest size that at least a fifth of the glyphs have.
        let place = sizes
            .len()
            .saturating_sub(sizes.len() / 5)
            .saturating_sub(1);
        let size = sizes.get(place).map_or(1.0, |it| it.0);
        let lines = sizes
            .iter()
            .filter(|it| (it.0 - size).abs() < SAME_SIZE * size)
            .map(|it| it.1);
        let mut lines: Vec<f32> = lines.collect();
        lines.sort_by(f32::total_cmp);
        let line = lines.get(lines.len() / 2).copied().unwrap_or_default();
        Self { size, line }
    }

    /// Whether a glyph is above or below the line.
    fn shift(self, glyph: &Glyph) -> Style {
        if glyph.size > SMALL * self.size {
            return Style::default();
        }
        let up = self.line - bidi::span(glyph).line;
        let characters = glyph.text.all(|it| {
            it.is_alphanumeric()
                || matches!(
                    it,
                    '+' | '-' | '−' | '*' | '†' | '‡' | '§' | ',' | '(' | ')'
                )
        });
        if !characters {
            return Style::default();
        }
        if up > RAISED * self.size {
            Style::SUP
        } else if up < LOWERED * self.size {
            Style::SUB
        } else {
            Style::default()
        }
    }
}
