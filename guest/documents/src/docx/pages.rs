//! Headers and footers of pages. Each text is shown once.

use super::convert::Converter;
use super::styles::is_on;
use crate::budget::start;
use crate::limits;
use crate::model::Block;
use crate::word::pages::page_text;
use crate::xml::{Tree, decode};

impl Converter<'_> {
    /// Reads the settings that concern pages.
    pub fn read_settings(&mut self, part: &str) {
        if let Some(read) = self.read(part) {
            let text = decode(&read.bytes);
            let tree = Tree::parse(&text);
            let damage = read.damage.as_deref();
            self.report.check(part, damage, tree.damage());
            self.pages.even = tree.root().child("evenAndOddHeaders").is_some_and(is_on);
        }
    }

    /// Converts the headers and the footers.
    pub fn page_texts(&mut self, main: &str) -> (Vec<Block>, Vec<Block>) {
        let relations = self.package.relationships(main);
        let pages = std::mem::take(&mut self.pages);
        self.in_page_text = true;
        let mut converted = [Vec::new(), Vec::new()];
        let kinds = [("header", &pages.headers), ("footer", &pages.footers)];
        for ((label, ids), out) in kinds.into_iter().zip(&mut converted) {
            let mut texts: Vec<String> = Vec::new();
            for id in ids {
                let Some(part) = relations.part(id) else {
                    continue;
                };
                let text = self.page_text(part);
                let text = start(&text, limits::PAGE_TEXT_BYTES).to_owned();
                if !text.is_empty() && !texts.contains(&text) {
                    out.push(Block::Comment(format!("{label}: {text}")));
                    texts.push(text);
                }
            }
        }
        self.in_page_text = false;
        self.relations = relations;
        let [headers, footers] = converted;
        (headers, footers)
    }

    /// Converts a header or footer without page numbers.
    fn page_text(&mut self, part: &str) -> String {
        let Some(read) = self.read(part) else {
            return String::new();
        };
        let text = decode(&read.bytes);
        let tree = Tree::parse(&text);
        let damage = read.damage.as_deref();
        self.report.check(part, damage, tree.damage());
        self.relations = self.package.relationships(part);
        self.report.notes.extend(self.relations.notes());
        self.fields.clear();
        let before = self.page_fields;
        let blocks = self.blocks(tree.root(), 0);
        page_text(blocks, self.page_fields > before)
    }
}
