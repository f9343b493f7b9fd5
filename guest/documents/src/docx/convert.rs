//! The state of a conversion.

use super::references::References;
use super::sections::Pages;
use super::styles::{self, Styles};
use super::{names, numbering};
use crate::budget::Budget;
use crate::markdown;
use crate::model::{Block, Inline};
use crate::package::{Images, Package, Part, Relationships};
use crate::report::{self, Report};
use crate::word::fields::Fields;
use crate::word::numbering::Numbering;
use crate::word::styles::ParagraphKind;
use crate::xml::{Element, Tree, decode};

/// The number of elements of a title among which text is looked for.
const TITLE_ELEMENTS: usize = 200;

/// The state of a conversion.
pub struct Converter<'p> {
    /// The package.
    pub package: &'p mut Package,
    /// The styles.
    pub styles: Styles,
    /// The numbers of lists.
    pub numbering: Numbering,
    /// The relationships of the part that is converted.
    pub relations: Relationships,
    /// The images in the order of the text.
    pub images: Images,
    /// The notes to which the text refers.
    pub references: References,
    /// The headers and footers.
    pub pages: Pages,
    /// Facts about what is left out.
    pub report: Report,
    /// The amounts that the conversion may still use.
    pub budget: Budget,
    /// The open fields.
    pub fields: Fields,
    /// The addresses of the open links.
    pub links: Vec<Option<String>>,
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
}

impl<'p> Converter<'p> {
    /// Starts a conversion.
    pub fn new(package: &'p mut Package) -> Self {
        Self {
            package,
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
        }
    }

    /// Converts the whole document.
    pub fn document(&mut self, main: &str) -> String {
        let relations = self.package.relationships(main);
        let part = |kind: &str| {
            let found = relations.first(kind).filter(|found| !found.external);
            found.map_or_else(|| names::sibling(main, kind), |found| found.target.clone())
        };
        let (styles, numbering) = (part("styles"), part("numbering"));
        if let Some(part) = self.read(&styles) {
            let text = decode(&part.bytes);
            let tree = Tree::parse_without(&text, styles::UNUSED);
            let damage = part.damage.as_deref();
            self.report.check(&styles, damage, tree.damage());
            self.styles = Styles::read(tree.root());
        }
        if let Some(part) = self.read(&numbering) {
            let text = decode(&part.bytes);
            let tree = Tree::parse(&text);
            let damage = part.damage.as_deref();
            self.report.check(&numbering, damage, tree.damage());
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
        let Some(part) = self.read(main) else {
            self.report.notes.push(report::missing_part(main));
            return Vec::new();
        };
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        let damage = part.damage.as_deref();
        self.report.check(main, damage, tree.damage());
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

    /// Reads a part. The caller notes its damage together with that of its XML.
    pub fn read(&mut self, name: &str) -> Option<Part> {
        self.budget.part(self.package, name)
    }
}
