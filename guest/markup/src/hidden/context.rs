//! The colours and the font size that text inherits.

use super::color::Rgb;
use super::css::{Font, Method, Paint, Style};
use crate::dom::{Document, Id, Name, Tag};

/// The colours and the font size that text inherits, as far as the styles are known.
#[derive(Clone, Copy, PartialEq)]
pub struct Context {
    color: Option<Paint>,
    /// The colour of the background. `None` if it is not known.
    background: Option<Rgb>,
    /// Whether the background is that of the page.
    pub is_page: bool,
    /// Whether the background has the shape of the text.
    is_text_shape: bool,
    /// Whether the font has no size.
    is_tiny: bool,
    sheets: Sheets,
}

/// Which style sheets of a page are known.
#[derive(Clone, Copy, PartialEq)]
enum Sheets {
    All,
    Some,
}

impl Sheets {
    /// The colour of text that browsers use without a style. `None` if a sheet that is not known may have a
    /// style.
    fn usual(self, color: Rgb) -> Option<Paint> {
        (self == Self::All).then_some(Paint::Opaque(color))
    }
}

impl Context {
    /// The context of a page without styles. `is_complete` is whether all its style sheets are known.
    pub fn page(is_complete: bool) -> Self {
        let sheets = if is_complete {
            Sheets::All
        } else {
            Sheets::Some
        };
        Self {
            color: sheets.usual([0, 0, 0]),
            background: Some([255, 255, 255]),
            is_page: true,
            is_text_shape: false,
            is_tiny: false,
            sheets,
        }
    }

    /// The context in an element.
    pub fn inner(self, document: &Document, id: Id, tag: Tag, own: &Style) -> Self {
        let mut inner = self;
        if tag == Tag::A && document.has(id, Name::Href) {
            // Browsers show links in blue.
            inner.color = self.sheets.usual([0, 0, 238]);
        }
        if tag == Tag::Button {
            inner.color = self.sheets.usual([0, 0, 0]);
            inner.background = None;
            inner.is_page = false;
        }
        inner.color = own.color.or(inner.color);
        if own.has_image == Some(true) {
            inner.background = None;
            inner.is_page = false;
        } else if own.background.is_some() {
            inner.background = own.background;
            inner.is_page = false;
        }
        inner.is_text_shape = own.is_text_shape.unwrap_or(self.is_text_shape);
        inner.is_tiny = match own.font {
            Some(Font::Tiny) => true,
            Some(Font::Readable) => false,
            Some(Font::Relative) | None => self.is_tiny,
        };
        // A page whose whole text is hidden has other styles that are not known.
        if matches!(tag, Tag::Html | Tag::Body) && inner.hides().is_some() {
            inner.color = None;
            inner.is_tiny = false;
        }
        inner
    }

    /// How text in this context is hidden.
    pub fn hides(self) -> Option<Method> {
        if self.is_tiny {
            return Some(Method::Size);
        }
        match self.color? {
            Paint::Transparent => (!self.is_text_shape).then_some(Method::TransparentColor),
            Paint::Opaque(color) => {
                is_same_color(color, self.background?).then_some(Method::SameColor)
            }
        }
    }
}

/// Whether text has the colour of its background.
fn is_same_color(color: Rgb, background: Rgb) -> bool {
    color
        .iter()
        .zip(background)
        .all(|(a, b)| a.abs_diff(b) <= 8)
}
