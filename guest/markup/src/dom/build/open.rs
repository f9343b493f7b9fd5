//! Open elements, and the languages that they belong to.

use crate::dom::{Id, Tag};

/// The language of an open element, and what it may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Html,
    Svg,
    Math,
    /// An element of SVG or MathML that contains HTML, such as `foreignObject`.
    ContainsHtml(Foreign),
    /// An element of MathML that contains text, such as `mtext`.
    ContainsText,
    /// An `annotation-xml` with an encoding other than HTML.
    Annotation,
}

/// A language of elements in HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    Svg,
    Math,
}

impl Space {
    /// The language of the elements in this one that do not belong to HTML.
    pub fn inner(self) -> Foreign {
        match self {
            Self::Svg | Self::ContainsHtml(Foreign::Svg) => Foreign::Svg,
            _ => Foreign::Math,
        }
    }

    /// Whether the element ends searches, although it does not belong to HTML.
    fn is_boundary(self) -> bool {
        matches!(
            self,
            Self::ContainsHtml(_) | Self::ContainsText | Self::Annotation
        )
    }
}

/// An open element.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub id: Id,
    /// The number of the name.
    pub key: u32,
    /// The name, if the element belongs to HTML. [`Tag::Other`] otherwise.
    pub tag: Tag,
    pub space: Space,
    /// The number of elements around the element in the tree, or more. Elements around it may not be
    /// open any more.
    pub depth: u16,
}

impl Open {
    /// Whether end tags inside the element do not close elements around it.
    pub fn is_special(self) -> bool {
        self.tag.is_special() || self.space.is_boundary()
    }

    /// Whether end tags of most elements inside the element do not close elements around it.
    pub fn is_scope(self) -> bool {
        self.space.is_boundary()
            || matches!(
                self.tag,
                tags!(Applet Caption Html Table Td Th Marquee Object Select Template)
            )
    }
}

/// The elements that end the search for an open element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Default,
    Button,
    ListItem,
    Table,
}
