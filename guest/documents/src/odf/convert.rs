//! The state of a conversion.

use super::lists::Lists;
use super::references::References;
use super::source::Source;
use super::styles::Styles;
use crate::limits;
use crate::package::Images;
use crate::report::Report;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A converter of texts, slides, headers and footers.
pub struct Converter<'s> {
    /// The parts of the document.
    pub source: &'s mut Source,
    /// The styles of the part that is converted.
    pub styles: Rc<Styles>,
    /// The numbers of lists.
    pub lists: Lists,
    /// The part of a flat file in which the positions of images are, such as `100-200` in bytes. It
    /// is empty for the whole file.
    pub slice: String,
    /// The images in their order.
    pub images: &'s mut Images,
    /// Footnotes, endnotes and comments.
    pub references: References,
    /// Facts about what is left out.
    pub report: Report,
    /// The addresses of the open links. `None` for a link inside the document.
    pub links: Vec<Option<String>>,
    /// The names of the comments whose range has an end.
    pub ranges: BTreeSet<String>,
    /// Whether headings make a table of contents a repetition.
    pub has_headings: bool,
    /// By how many levels headings are deeper, because a title is above them.
    pub shift: u8,
    /// Whether a header or footer is converted.
    pub in_page_text: bool,
    /// The number of page numbers so far.
    pub page_fields: usize,
    /// Whether the document is a presentation.
    pub is_slide: bool,
    /// The number of elements and texts that repeated cells may still add.
    pub repeats: usize,
    /// The number of spaces that may still be repeated.
    pub spaces: usize,
    /// The number of bytes that the addresses of links may still have.
    pub linked: usize,
}

impl<'s> Converter<'s> {
    /// Starts a conversion.
    pub fn new(source: &'s mut Source, images: &'s mut Images, styles: Rc<Styles>) -> Self {
        Self {
            source,
            styles,
            lists: Lists::default(),
            slice: String::new(),
            images,
            references: References::default(),
            report: Report::default(),
            links: Vec::new(),
            ranges: BTreeSet::new(),
            has_headings: false,
            shift: 0,
            in_page_text: false,
            page_fields: 0,
            is_slide: false,
            repeats: limits::REPEATED_NODES,
            spaces: limits::REPEATED_SPACES,
            linked: limits::LINK_BYTES,
        }
    }
}
