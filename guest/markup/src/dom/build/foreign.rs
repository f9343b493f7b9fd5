//! Tags in SVG and MathML (13.2.6.5).

use super::open::{Foreign, Space};
use super::{Builder, Start, Token};
use crate::dom::{Name, Tag};

impl Builder {
    /// Whether the innermost open element belongs to SVG or MathML.
    pub fn is_foreign(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.space != Space::Html)
    }

    /// Whether text at this place belongs to SVG or MathML.
    pub(super) fn is_foreign_text(&self) -> bool {
        let Some(open) = self.open.last() else {
            return false;
        };
        matches!(open.space, Space::Svg | Space::Math | Space::Annotation)
    }

    /// Whether a start tag at this place belongs to SVG or MathML.
    pub(super) fn is_foreign_start(&self, token: &Token) -> bool {
        let Some(open) = self.open.last() else {
            return false;
        };
        match open.space {
            Space::Html | Space::ContainsHtml(_) => false,
            Space::Svg | Space::Math => true,
            Space::ContainsText => matches!(token.tag, tags!(Mglyph Malignmark)),
            Space::Annotation => token.tag != Tag::Svg,
        }
    }

    /// Opens an element in SVG or MathML, or ends these if it belongs to HTML.
    pub(super) fn start_foreign(&mut self, token: &Token) -> Start {
        if breaks_out(token) {
            self.close_foreign();
            return self.again(token);
        }
        let space = self.open.last().map_or(Space::Svg, |open| open.space);
        self.insert_foreign(token, space.inner() == Foreign::Svg)
    }

    /// Inserts an element of SVG or MathML.
    pub(super) fn insert_foreign(&mut self, token: &Token, is_svg: bool) -> Start {
        let space = match (is_svg, token.tag) {
            (true, tags!(ForeignObject Desc Title)) => Space::ContainsHtml(Foreign::Svg),
            (true, _) => Space::Svg,
            (false, tags!(Mi Mo Mn Ms Mtext)) => Space::ContainsText,
            (false, Tag::AnnotationXml) => annotation(token),
            (false, _) => Space::Math,
        };
        self.insert_as(token, space);
        if token.self_closing {
            self.pop();
            return Start::Closed;
        }
        Start::Open
    }

    /// Closes the innermost elements of SVG and MathML that do not contain HTML.
    fn close_foreign(&mut self) {
        while self.is_foreign_text() {
            self.pop();
        }
    }

    /// Closes an element of SVG or MathML. Returns `false` if the end tag belongs to HTML.
    pub(super) fn end_foreign(&mut self, tag: Tag, key: u32) -> bool {
        if matches!(tag, tags!(Br P)) {
            self.close_foreign();
            return false;
        }
        for (at, open) in self.open.iter().enumerate().rev() {
            if open.space == Space::Html {
                return false;
            }
            if open.key == key {
                self.pop_to(at);
                return true;
            }
        }
        true
    }
}

/// The content of an annotation of a formula, by its encoding.
fn annotation(token: &Token) -> Space {
    let encoding = token.attributes.get(Name::Encoding).unwrap_or_default();
    let is_html = ["text/html", "application/xhtml+xml"]
        .iter()
        .any(|name| encoding.eq_ignore_ascii_case(name.as_bytes()));
    if is_html {
        Space::ContainsHtml(Foreign::Math)
    } else {
        Space::Annotation
    }
}

/// Whether a start tag in SVG or MathML ends it, because the element belongs to HTML.
fn breaks_out(token: &Token) -> bool {
    match token.tag {
        tags!(B Big Blockquote Body Br Center Code Dd Div Dl Dt Em Embed H1 H2 H3 H4 H5 H6 Head Hr I
            Img Li Listing Menu Meta Nobr Ol P Pre Ruby S Small Span Strike Strong Sub Sup Table Tt
            U Ul Var) => true,
        Tag::Font => [Name::Color, Name::Face, Name::Size]
            .into_iter()
            .any(|name| token.attributes.get(name).is_some()),
        _ => false,
    }
}
