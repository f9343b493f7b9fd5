//! WordprocessingML: documents of Word and of programs that write its format.
//!
//! ```text
//! body       paragraphs, headings, list items and content controls
//! runs       text, fields and links inside a paragraph
//! table      tables with merged cells
//! drawing    images, text boxes, charts and diagrams
//! embedded   objects of other programs, and parts of other formats
//! notes      footnotes, endnotes and comments
//! pages      headers and footers
//! styles     the properties that styles give to paragraphs and runs
//! numbering  the part of lists
//! ```
//!
//! Tracked changes are shown as accepted. A part that is missing or damaged becomes a note.

mod body;
mod drawing;
mod embedded;
mod notes;
mod numbering;
mod pages;
mod runs;
mod styles;
mod table;
#[cfg(test)]
mod tests;

use crate::budget::Budget;
use crate::markdown;
use crate::model::{Block, Inline};
use crate::package::{Images, Package, Relationships, metadata};
use crate::report::{self, Report};
use crate::word::fields::Fields;
use crate::word::numbering::Numbering;
use crate::word::styles::ParagraphKind;
use crate::xml::{Element, Tree, decode};
use crate::{Document, Error, Facts, Unit, UnitFacts};
use notes::References;
use pages::Pages;
use styles::Styles;

/// An open document.
pub struct Docx {
    package: Package,
    /// The name of the part with the text.
    main: String,
    facts: Facts,
    notes: Vec<String>,
    images: Option<Images>,
}

/// Opens a document.
///
/// # Errors
/// Fails if the package has no part with text.
pub fn open(bytes: Vec<u8>) -> Result<Docx, Error> {
    let mut package = Package::open(bytes)?;
    let main = main_part(&mut package)?;
    let kind = package.content_type(&main).unwrap_or_default();
    let format = if kind.contains("template") {
        "Word template"
    } else {
        "Word document"
    };
    let facts = Facts {
        format: format.to_owned(),
        metadata: metadata::read(&mut package),
        units: None,
        list: vec![UnitFacts::default()],
    };
    let notes = package.notes().to_vec();
    Ok(Docx {
        package,
        main,
        facts,
        notes,
        images: None,
    })
}

/// Finds the part with the text.
fn main_part(package: &mut Package) -> Result<String, Error> {
    let root = package.relationships("");
    if let Some(found) = root.first("officeDocument")
        && package.has(&found.target)
        && !found.target.starts_with("xl/")
        && !found.target.starts_with("ppt/")
    {
        return Ok(found.target.clone());
    }
    let is_text = |name: &&str| {
        let kind = package.content_type(name).unwrap_or_default();
        kind.contains("wordprocessingml") && kind.contains(".main+xml")
    };
    let typed = package.names().find(is_text).map(str::to_owned);
    if let Some(name) = typed {
        return Ok(name);
    }
    if package.has("word/document.xml") {
        return Ok("word/document.xml".to_owned());
    }
    let has = |folder: &str| package.names().any(|name| name.starts_with(folder));
    let what = if has("xl/") {
        "an Excel workbook"
    } else if has("ppt/") {
        "a PowerPoint presentation"
    } else if has("content.xml") {
        "an OpenDocument file"
    } else {
        "a zip archive without `word/document.xml`"
    };
    Err(Error::Damaged(format!("the file is {what}")))
}

/// Returns the usual name of a part in the folder of the main part.
fn sibling(main: &str, name: &str) -> String {
    match main.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}.xml"),
        None => format!("{name}.xml"),
    }
}

impl Document for Docx {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        if index > 0 {
            return Unit::default();
        }
        self.convert()
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        if self.images.is_none() {
            self.convert();
        }
        let part = self.images.as_ref()?.part(number)?.to_owned();
        let part = self.package.part(&part)?;
        (!part.bytes.is_empty()).then_some(part.bytes)
    }
}

/// The number of elements of a title among which text is looked for.
const TITLE_ELEMENTS: usize = 200;

/// The state of a conversion.
struct Converter<'p> {
    package: &'p mut Package,
    styles: Styles,
    numbering: Numbering,
    /// The relationships of the part that is converted.
    relations: Relationships,
    images: Images,
    references: References,
    pages: Pages,
    report: Report,
    budget: Budget,
    /// The open fields.
    fields: Fields,
    /// The addresses of the open links.
    links: Vec<Option<String>>,
    /// Text that belongs to the next paragraph.
    carry: Vec<Inline>,
    /// Whether headings make a table of contents a repetition.
    has_headings: bool,
    /// Whether the document has a table of contents, which is left out.
    has_contents: bool,
    /// The number of levels by which a title moves the headings.
    shift: u8,
    /// Whether a header or footer is converted.
    in_page_text: bool,
    /// The number of fields with page numbers so far.
    page_fields: usize,
}

impl Docx {
    fn convert(&mut self) -> Unit {
        let mut converter = Converter {
            package: &mut self.package,
            styles: Styles::default(),
            numbering: Numbering::default(),
            relations: Relationships::default(),
            images: Images::default(),
            references: References::default(),
            pages: Pages::default(),
            report: Report::default(),
            budget: Budget::default(),
            fields: Fields::default(),
            links: Vec::new(),
            carry: Vec::new(),
            has_headings: false,
            has_contents: false,
            shift: 0,
            in_page_text: false,
            page_fields: 0,
        };
        let text = converter.document(&self.main);
        let mut notes = converter.report.notes();
        notes.extend(converter.budget.notes());
        self.images = Some(converter.images);
        Unit { text, notes }
    }
}

impl Converter<'_> {
    /// Converts the whole document.
    fn document(&mut self, main: &str) -> String {
        let relations = self.package.relationships(main);
        let part = |kind: &str| {
            let found = relations.first(kind).filter(|found| !found.external);
            found.map_or_else(|| sibling(main, kind), |found| found.target.clone())
        };
        let (styles, numbering) = (part("styles"), part("numbering"));
        if let Some((bytes, _)) = self.read(&styles) {
            let text = decode(&bytes);
            let tree = Tree::parse_without(&text, styles::UNUSED);
            self.report.check(&styles, None, tree.damage());
            self.styles = Styles::read(tree.root());
        }
        if let Some((bytes, _)) = self.read(&numbering) {
            let text = decode(&bytes);
            let tree = Tree::parse(&text);
            self.report.check(&numbering, None, tree.damage());
            self.numbering = numbering::read(tree.root(), &self.styles);
        }
        self.read_settings(&part("settings"));
        self.report.notes.extend(relations.notes());
        self.relations = relations;
        let content = self.body(main);
        let (mut blocks, footers) = self.page_texts(main);
        blocks.extend(content);
        blocks.extend(footers);
        self.fields.clear();
        blocks.extend(self.notes(main));
        markdown::render(&blocks)
    }

    /// Converts the main part. Its XML is not in memory any more when the Markdown is written.
    fn body(&mut self, main: &str) -> Vec<Block> {
        let Some((bytes, _)) = self.read(main) else {
            self.report.notes.push(report::missing_part(main));
            return Vec::new();
        };
        let text = decode(&bytes);
        let tree = Tree::parse(&text);
        self.report.check(main, None, tree.damage());
        self.survey(tree.root());
        // Some programs write several bodies.
        let bodies = tree.root().children().filter(|it| it.name() == "body");
        let mut content = Vec::new();
        for body in bodies {
            content.extend(self.blocks(body, 0));
        }
        content
    }

    /// Looks for a title and for headings.
    fn survey(&mut self, root: Element) {
        let mut entries = false;
        for paragraph in root.descendants().filter(|found| found.name() == "p") {
            let Some(properties) = paragraph.child("pPr") else {
                continue;
            };
            let style = self.styles.paragraph(properties.val("pStyle"));
            let level = styles::outline(properties).or(style.named.outline);
            let is_heading = level.is_some_and(|level| level < 9);
            self.has_headings |= is_heading && style.named.kind != ParagraphKind::ContentsHeading;
            entries |= style.named.kind == ParagraphKind::Contents;
            if style.named.kind == ParagraphKind::Title && self.shift == 0 {
                // Damaged XML may have a title inside each title.
                let inside = paragraph.descendants().take(TITLE_ELEMENTS);
                let mut texts = inside.filter(|found| found.name() == "t");
                let has_text = texts.any(|text| !text.text().trim().is_empty());
                self.shift = u8::from(has_text);
            }
        }
        self.has_contents = entries && self.has_headings;
    }

    /// Reads a part, and notes its damage. Returns its bytes, and whether they are complete.
    fn read(&mut self, name: &str) -> Option<(Vec<u8>, bool)> {
        let part = self.budget.part(self.package, name)?;
        let complete = part.damage.is_none();
        self.report.check(name, part.damage.as_deref(), None);
        Some((part.bytes, complete))
    }
}
