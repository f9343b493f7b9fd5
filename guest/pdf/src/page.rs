//! The content of a page: glyphs, lines, filled rectangles, images and links with their positions.
//!
//! Positions are in points (1/72 inch). The origin is the upper left corner of the visible page (its
//! crop box, after its rotation), and `y` grows downwards.

use crate::extremes::Extremes as _;
use std::rc::Rc;

/// The content of a page, in the order in which it is drawn.
#[derive(Clone, Debug, Default)]
pub struct PageContent {
    /// The width of the visible page in points.
    pub width: f32,
    /// The height of the visible page in points.
    pub height: f32,
    /// The glyphs in the order of drawing, without those that are not visible.
    pub glyphs: Vec<Glyph>,
    /// Thin lines and thin rectangles, horizontal and vertical.
    pub rules: Vec<Rule>,
    /// Filled rectangles that are not thin, in the order of drawing.
    pub fills: Vec<Fill>,
    /// Images in the order of drawing.
    pub images: Vec<Figure>,
    /// Links in the order of the annotations.
    pub links: Vec<Link>,
    /// The glyphs of annotations, such as form fields.
    pub drawn: Vec<Drawn>,
    /// The number of glyphs that are marked as artifacts, and are text of the page.
    pub labels: usize,
    /// The fonts of the glyphs.
    pub fonts: Vec<Font>,
    /// For each font, whether its glyphs are [`UNKNOWN`] because their characters are. It may be empty.
    pub unknown_fonts: Vec<bool>,
    /// What was left out.
    pub missing: Missing,
}

impl PageContent {
    /// The font of a glyph. An unknown number gives an empty font.
    pub fn font(&self, glyph: &Glyph) -> &Font {
        static NONE: Font = Font::NONE;
        self.fonts.get(usize::from(glyph.font.0)).unwrap_or(&NONE)
    }
}

/// A rectangle: `x0 <= x1`, `y0 <= y1`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// The left side.
    pub x0: f32,
    /// The upper side.
    pub y0: f32,
    /// The right side.
    pub x1: f32,
    /// The lower side.
    pub y1: f32,
}

impl Rect {
    /// The rectangle of two opposite corners.
    pub fn of(a: (f32, f32), b: (f32, f32)) -> Self {
        Self {
            x0: a.0.lesser(b.0),
            y0: a.1.lesser(b.1),
            x1: a.0.greater(b.0),
            y1: a.1.greater(b.1),
        }
    }

    /// The width.
    pub fn width(&self) -> f32 {
        self.x1 - self.x0
    }

    /// The height.
    pub fn height(&self) -> f32 {
        self.y1 - self.y0
    }

    /// The area.
    pub fn area(&self) -> f32 {
        self.width() * self.height()
    }

    /// The part that is in both. `None` if there is no such part.
    pub fn common(&self, other: &Self) -> Option<Self> {
        let part = Self {
            x0: self.x0.greater(other.x0),
            y0: self.y0.greater(other.y0),
            x1: self.x1.lesser(other.x1),
            y1: self.y1.lesser(other.y1),
        };
        (part.x0 <= part.x1 && part.y0 <= part.y1).then_some(part)
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn around(&self, other: &Self) -> Self {
        Self {
            x0: self.x0.lesser(other.x0),
            y0: self.y0.lesser(other.y0),
            x1: self.x1.greater(other.x1),
            y1: self.y1.greater(other.y1),
        }
    }

    /// Whether the point is in it.
    pub fn contains(&self, x: f32, y: f32) -> bool {
        (self.x0..=self.x1).contains(&x) && (self.y0..=self.y1).contains(&y)
    }
}

/// The character of text that is left out because its characters are unknown. No file has it: it is reserved
/// for use inside of programs.
pub const UNKNOWN: char = '\u{fffe}';

/// The characters of a glyph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// One character.
    One(char),
    /// Several characters in logical order, such as those of a ligature. Never empty.
    Many(Rc<str>),
    /// No characters: the glyph belongs to characters that another glyph has.
    None,
    /// The font does not say which character it is.
    Unmapped,
}

impl Text {
    /// Adds the characters to a text. An unmapped glyph is U+FFFD.
    pub fn push_to(&self, out: &mut String) {
        match self {
            Self::One(one) => out.push(*one),
            Self::Many(many) => out.push_str(many),
            Self::None => {}
            Self::Unmapped => out.push('\u{fffd}'),
        }
    }

    /// The first character.
    pub fn first(&self) -> Option<char> {
        match self {
            Self::One(one) => Some(*one),
            Self::Many(many) => many.chars().next(),
            Self::None => None,
            Self::Unmapped => Some('\u{fffd}'),
        }
    }

    /// The last character.
    pub fn last(&self) -> Option<char> {
        match self {
            Self::Many(many) => many.chars().next_back(),
            _ => self.first(),
        }
    }

    /// Whether all characters have the property. An empty text has it.
    #[inline]
    pub fn all(&self, mut property: impl FnMut(char) -> bool) -> bool {
        match self {
            Self::One(one) => property(*one),
            Self::Many(many) => many.chars().all(property),
            Self::None => true,
            Self::Unmapped => property('\u{fffd}'),
        }
    }

    /// Whether it is white space, or has no characters.
    #[inline]
    pub fn is_blank(&self) -> bool {
        match self {
            // Most characters are these.
            Self::One(one) if one.is_ascii() => matches!(one, ' ' | '\t'..='\r'),
            _ => self.is_rare_blank(),
        }
    }

    /// As [`Text::is_blank`], for any text.
    fn is_rare_blank(&self) -> bool {
        match self {
            Self::One(one) => one.is_whitespace(),
            Self::Many(_) => self.all(char::is_whitespace),
            Self::None => true,
            Self::Unmapped => false,
        }
    }
}

/// The direction in which a glyph is followed by the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// To the right: the usual one, also for scripts that are read from the right.
    #[default]
    Right,
    /// Downwards: vertical writing, or text that is turned by 90° clockwise.
    Down,
    /// To the left: upside down.
    Left,
    /// Upwards: text that is turned by 90° counterclockwise.
    Up,
    /// Oblique, such as a watermark.
    Other,
}

/// The number of a font in [`PageContent::fonts`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FontId(pub u16);

/// A font.
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Font {
    /// The PostScript name without the prefix of a subset, such as `TimesNewRomanPS-BoldMT`. It may
    /// be empty.
    pub name: String,
    /// Whether the strokes are heavy, by the name, the weight or the flags.
    pub bold: bool,
    /// Whether it is slanted.
    pub italic: bool,
    /// Whether all glyphs have one width.
    pub mono: bool,
    /// Whether the strokes have serifs.
    pub serif: bool,
    /// Whether it writes downwards.
    pub vertical: bool,
}

impl Font {
    const NONE: Self = Self {
        name: String::new(),
        bold: false,
        italic: false,
        mono: false,
        serif: false,
        vertical: false,
    };
}

/// A colour: red, green and blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// Black.
    pub const BLACK: Self = Self([0; 3]);
    /// White.
    pub const WHITE: Self = Self([255; 3]);

    /// The largest difference of a component.
    pub fn distance(self, other: Self) -> u8 {
        let pairs = self.0.iter().zip(other.0);
        pairs.map(|(a, b)| a.abs_diff(b)).max().unwrap_or_default()
    }
}

/// A glyph.
///
/// The start is the point on the baseline where it is drawn, and the end is where the next glyph
/// starts, without extra space. For [`Direction::Right`], `x0 <= x1` and both have the baseline `y`.
/// In vertical writing, the line between start and end is the centre of the glyph.
#[derive(Clone, Debug, PartialEq)]
pub struct Glyph {
    /// The characters.
    pub text: Text,
    /// The `x` of the start.
    pub x0: f32,
    /// The `x` of the end.
    pub x1: f32,
    /// The `y` of the start: the baseline.
    pub y: f32,
    /// The `y` of the end: equal to `y` unless the text is turned.
    pub y1: f32,
    /// The size of the font in points, after all transforms.
    pub size: f32,
    /// The direction.
    pub direction: Direction,
    /// The font.
    pub font: FontId,
    /// The colour.
    pub colour: Colour,
    /// Whether it has no ink: text over a scanned page, which programs for recognition write.
    pub invisible: bool,
    /// Whether it is drawn with strokes around the filled shape, which makes it heavier.
    pub heavy: bool,
    /// Whether it belongs to an artifact, such as a running head.
    pub artifact: bool,
    /// The number of the marked content to which it belongs, on this page.
    pub mcid: Option<Mark>,
}

/// The number of marked content. It is unique in its stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The number of the object of the form that contains it. 0 is the page itself.
    pub stream: u32,
    /// The number (`MCID`).
    pub id: u32,
}

/// A thin line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Whether it is horizontal. Otherwise it is vertical.
    pub horizontal: bool,
    /// The smaller end: `x` of a horizontal line, `y` of a vertical line.
    pub start: f32,
    /// The greater end.
    pub end: f32,
    /// The middle of its thickness: `y` of a horizontal line, `x` of a vertical line.
    pub at: f32,
    /// The thickness.
    pub thickness: f32,
    /// The colour.
    pub colour: Colour,
}

/// A filled rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// The rectangle.
    pub rect: Rect,
    /// The colour.
    pub colour: Colour,
}

/// An image.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The rectangle around it.
    pub rect: Rect,
    /// Its number in the document, from 1.
    pub number: usize,
    /// The number of its last part, if it is cut into images. Otherwise its own.
    pub last: usize,
    /// Whether it has one colour, as far as its size tells.
    pub blank: bool,
    /// Whether it belongs to an artifact, such as a background.
    pub artifact: bool,
    /// The number of the marked content to which it belongs.
    pub mcid: Option<Mark>,
    /// The number of glyphs that are drawn before it.
    pub after: usize,
}

impl Figure {
    /// What a reader must know of an image that is cut into several. Empty for one image.
    pub fn parts(&self) -> String {
        let parts = self.last.saturating_sub(self.number).saturating_add(1);
        if parts == 1 {
            return String::new();
        }
        let page = self.number.saturating_sub(1) / 1000;
        format!(
            "in {parts} parts, image:{} to image:{}; page:{}:img shows all",
            self.number,
            self.last,
            page.saturating_add(1)
        )
    }
}

/// A link.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The rectangle that reacts.
    pub rect: Rect,
    /// The target.
    pub target: Target,
    /// The number of the object, if it is one.
    pub object: Option<u32>,
}

/// The glyphs of an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The number of its object.
    pub object: u32,
    /// The place of its first glyph.
    pub start: usize,
    /// The place after its last glyph.
    pub end: usize,
}

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An address. It is never followed.
    Url(Rc<str>),
    /// A page of the document, from 0.
    Page(usize),
}

/// What a page has beside the text that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The number of glyphs with ink or over a scan, shown or not, without white space and without `unknown`.
    pub glyphs: usize,
    /// The number of those glyphs whose character is unknown.
    pub unmapped: usize,
    /// The number of glyphs that are [`UNKNOWN`] because the characters of their font are.
    pub unknown: usize,
    /// The number of those glyphs that are the text of a scan, which a program recognised.
    pub recognised: usize,
    /// The number of characters that cannot be seen: white, tiny, off the page, under an image.
    pub hidden: usize,
    /// The number of images.
    pub images: usize,
    /// Whether anything but text is drawn, otherwise than in white.
    pub ink: bool,
    /// The number of images in the content that have no end.
    pub unended: usize,
    /// Whether a limit ended the page.
    pub cut: bool,
}
