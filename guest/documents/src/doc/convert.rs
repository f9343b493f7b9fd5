//! The state of a conversion.

use super::fib::{self, Fib, Table};
use super::references::References;
use super::shapes::{Image, Shapes};
use super::sprms::Spans;
use super::streams::Streams;
use super::styles::Styles;
use super::text::Text;
use super::{lists, old};
use crate::codepage;
use crate::markdown;
use crate::model::Inline;
use crate::ole::u16_at;
use crate::report::Report;
use crate::word::fields::Fields;
use crate::word::numbering::Numbering;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The state of a conversion.
pub struct Converter<'d> {
    /// The streams.
    pub streams: &'d Streams,
    /// The block that says where everything is.
    pub fib: &'d Fib,
    /// The characters.
    pub text: Text,
    /// The formats of characters.
    pub characters: Spans,
    /// The formats of paragraphs.
    pub paragraphs: Spans,
    /// The styles.
    pub styles: Rc<Styles>,
    /// The numbers of lists.
    pub numbering: Numbering,
    /// The names of the fonts.
    pub fonts: Vec<String>,
    /// The images that are shown so far.
    pub images: Vec<Image>,
    /// The numbers of the images that are shown so far.
    pub image_numbers: BTreeMap<Image, usize>,
    /// The notes to which the text refers.
    pub references: References,
    /// The shapes that are not shown yet.
    pub shapes: Shapes,
    /// Facts about what is left out.
    pub report: Report,
    /// The open fields.
    pub fields: Fields,
    /// Text that belongs to the next paragraph.
    pub carry: Vec<Inline>,
    /// Whether headings make a table of contents a repetition.
    pub has_headings: bool,
    /// Whether the document has a table of contents, which is left out.
    pub has_contents: bool,
    /// The number of levels by which a title moves the headings.
    pub shift: u8,
    /// Whether a header or footer is converted.
    pub in_page_text: bool,
    /// The number of fields with page numbers so far.
    pub page_fields: usize,
    /// The bytes of the definitions of the rows of open tables.
    pub row_bytes: usize,
}

impl<'d> Converter<'d> {
    /// Starts a conversion.
    pub fn new(streams: &'d Streams, fib: &'d Fib) -> Self {
        let table = |table| fib.table(&streams.table, table);
        let mut text = Text::read(&streams.word, table(Table::Pieces));
        let mut report = Report::default();
        if text.units.is_empty() {
            text = old::whole(&streams.word);
            report.notes.push(
                "The table of pieces cannot be read. The text may be out of order.".to_owned(),
            );
        } else if text.is_cut {
            report
                .notes
                .push("Some characters of the text are missing in the file.".to_owned());
        }
        Self {
            streams,
            fib,
            text,
            characters: Spans::read(&streams.word, table(Table::CharacterPages), false),
            paragraphs: Spans::read(&streams.word, table(Table::ParagraphPages), true),
            styles: Rc::new(Styles::read(table(Table::Styles))),
            numbering: lists::read(fib, &streams.table),
            fonts: fonts(table(Table::Fonts)),
            images: Vec::new(),
            image_numbers: BTreeMap::new(),
            references: References::read(fib, &streams.table),
            shapes: Shapes::read(streams, fib),
            report,
            fields: Fields::default(),
            carry: Vec::new(),
            has_headings: false,
            has_contents: false,
            shift: 0,
            in_page_text: false,
            page_fields: 0,
            row_bytes: 0,
        }
    }

    /// Converts the whole document.
    pub fn document(&mut self) -> String {
        let (start, mut end) = self.fib.story(fib::Story::Main);
        if end == 0 {
            end = self.text.units.len();
        }
        self.survey(start, end);
        let content = self.story(start, end, 0);
        let (mut blocks, footers) = self.page_texts();
        blocks.extend(content);
        blocks.extend(footers);
        self.fields.clear();
        blocks.extend(self.notes());
        markdown::render(&blocks)
    }
}

/// Reads the names of the fonts ([MS-DOC] 2.9.286).
fn fonts(table: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at: usize = 4;
    while let Some(size) = table.get(at).map(|size| usize::from(*size)) {
        let start = at.saturating_add(1);
        let end = start.saturating_add(size).min(table.len());
        // The name is after 39 bytes and ends with a zero.
        let name = table.get(start.saturating_add(39)..end).unwrap_or_default();
        let length = (0..name.len()).step_by(2);
        let length = length
            .take_while(|at| u16_at(name, *at).is_some_and(|unit| unit != 0))
            .count();
        let name = name.get(..length.saturating_mul(2)).unwrap_or_default();
        names.push(codepage::utf16(name));
        at = end;
        if size == 0 {
            break;
        }
    }
    names
}
