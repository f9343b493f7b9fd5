//! The state of a conversion, and what it reports.

use super::lists::Lists;
use super::notes::References;
use super::source::Source;
use super::styles::Styles;
use crate::budget::LinksCut;
use crate::limits;
use crate::note::quoted_name;
use crate::package::Images;
use crate::xml::Tree;
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
    /// What is left out.
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

/// What a conversion leaves out or cannot read.
#[derive(Default)]
pub struct Report {
    /// Notes on damage.
    pub notes: Vec<String>,
    /// Whether there are tracked changes.
    pub changes: bool,
    /// Whether a table of contents is left out.
    pub contents: bool,
    /// The number of characters of hidden text.
    pub hidden: usize,
    /// Whether deep content is shown without structure.
    pub flattened: bool,
    /// The number of embedded documents.
    pub embedded: usize,
    /// The number of images above the limit.
    pub images: usize,
    /// The number of images that the package does not contain.
    pub missing: usize,
    /// The links whose addresses are left out.
    pub links: LinksCut,
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

    /// Notes the damage of the XML of a part.
    pub fn check(&mut self, name: &str, damage: Option<&str>, tree: &Tree) {
        if let Some(damage) = damage {
            let note = format!("The part {} is damaged: {damage}.", quoted_name(name));
            self.report.notes.push(note);
        }
        if let Some(damage) = tree.damage() {
            let note = format!(
                "The XML of the part {} is damaged: {damage}.",
                quoted_name(name)
            );
            self.report.notes.push(note);
        }
    }
}

impl Report {
    /// Writes the notes.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        notes.dedup();
        if notes.len() > limits::NOTES {
            let more = notes.len().saturating_sub(limits::NOTES);
            notes.truncate(limits::NOTES);
            notes.push(format!("{more} more notes are left out."));
        }
        if self.changes {
            notes.push("Tracked changes are shown as accepted.".to_owned());
        }
        if self.contents {
            notes.push("The table of contents is left out. It repeats the headings.".to_owned());
        }
        if self.hidden > 0 {
            notes.push(format!(
                "{} characters of hidden text are left out.",
                self.hidden
            ));
        }
        if self.flattened {
            notes.push("Deeply nested content is shown as text without structure.".to_owned());
        }
        if self.embedded > 0 {
            notes.push(match self.embedded {
                1 => "An embedded document is not shown.".to_owned(),
                count => format!("{count} embedded documents are not shown."),
            });
        }
        if self.images > 0 {
            notes.push(format!("{} more images are not shown.", self.images));
        }
        if self.missing > 0 {
            notes.push(match self.missing {
                1 => "An image is missing in the file.".to_owned(),
                count => format!("{count} images are missing in the file."),
            });
        }
        notes.extend(self.links.notes());
        notes
    }
}
