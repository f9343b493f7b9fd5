//! Headers and footers of pages. Each text is shown once.

use super::convert::Converter;
use crate::model::Block;
use crate::word::pages::{TEXTS, page_text};
use crate::xml::Element;
use std::collections::BTreeSet;

impl Converter<'_> {
    /// Converts the headers and the footers of the page styles that are used.
    pub fn page_texts(
        &mut self,
        root: Element,
        used: &BTreeSet<String>,
    ) -> (Vec<Block>, Vec<Block>) {
        let mut headers = Vec::new();
        let mut footers = Vec::new();
        self.in_page_text = true;
        let pages = root.child("master-styles");
        let mut texts = BTreeSet::new();
        for page in pages.iter().flat_map(Element::children) {
            if !page.attr("name").is_some_and(|name| used.contains(name)) {
                continue;
            }
            for part in page.children() {
                let (label, out) = match part.name() {
                    "header" | "header-left" | "header-first" => ("header", &mut headers),
                    "footer" | "footer-left" | "footer-first" => ("footer", &mut footers),
                    _ => continue,
                };
                if part.attr("display") == Some("false") || texts.len() >= TEXTS {
                    continue;
                }
                let text = self.page_text(part);
                if !text.is_empty() && texts.insert((label, text.clone())) {
                    out.push(Block::Comment(format!("{label}: {text}")));
                }
            }
        }
        self.in_page_text = false;
        (headers, footers)
    }

    /// Converts a header or footer without page numbers.
    fn page_text(&mut self, part: Element) -> String {
        let before = self.page_fields;
        let blocks = self.blocks(part, 0);
        page_text(blocks, self.page_fields > before)
    }
}

/// Returns the page styles that are used: the first one and those that styles start, with those that
/// follow them.
pub fn used<'n>(
    root: Element<'n, '_>,
    first: Option<&'n str>,
    started: impl Iterator<Item = &'n str>,
) -> BTreeSet<String> {
    let pages = root.child("master-styles");
    let pages: Vec<Element> = pages.iter().flat_map(Element::children).collect();
    let named = |name: &str| pages.iter().find(|page| page.attr("name") == Some(name));
    let first = first.or_else(|| named("Standard").map(|_| "Standard"));
    let first = first.or_else(|| pages.first()?.attr("name"));
    let mut open: Vec<&str> = first.into_iter().chain(started).collect();
    let mut used = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !used.insert(name.to_owned()) {
            continue;
        }
        if let Some(next) = named(name).and_then(|page| page.attr("next-style-name")) {
            open.push(next);
        }
    }
    used
}
