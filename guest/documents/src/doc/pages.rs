//! Headers and footers of pages. Each text is shown once.

use super::convert::Converter;
use super::fib::{Story, Table, number, positions};
use super::sprms::{byte, sprms};
use crate::model::Block;
use crate::ole::{u16_at, u32_at};
use crate::word::pages::{TEXTS, page_text};

impl Converter<'_> {
    /// Converts the headers and the footers.
    pub fn page_texts(&mut self) -> (Vec<Block>, Vec<Block>) {
        let table = self.fib.table(&self.streams.table, Table::PageTexts);
        let (places, _) = positions(table, 0);
        let settings = self
            .fib
            .table(&self.streams.table, Table::DocumentProperties);
        let has_even = settings.first().is_some_and(|flags| flags & 1 != 0);
        let sections = self.sections();
        let (start, end) = self.fib.story(Story::PageTexts);
        self.in_page_text = true;
        let mut out = [Vec::new(), Vec::new()];
        let mut texts: [Vec<String>; 2] = [Vec::new(), Vec::new()];
        // Six texts separate footnotes. Then there are six for each section: the headers and the
        // footers of even and odd pages, and those of its first page.
        for (index, pair) in places.windows(2).skip(6).take(TEXTS * 6).enumerate() {
            let [first, last] = pair else { continue };
            let (is_footer, is_used) = match index % 6 {
                0 => (0, has_even),
                1 => (0, true),
                2 => (1, has_even),
                3 => (1, true),
                kind => {
                    let section = sections.get(index / 6).copied();
                    (kind.saturating_sub(4), section.unwrap_or(false))
                }
            };
            if !is_used || first >= last {
                continue;
            }
            let before = self.page_fields;
            let first = start.saturating_add(*first);
            let last = start.saturating_add(*last).min(end);
            self.fields.clear();
            let blocks = self.story(first, last, 1);
            let text = page_text(blocks, self.page_fields > before);
            let label = if is_footer == 0 { "header" } else { "footer" };
            let (Some(out), Some(texts)) = (out.get_mut(is_footer), texts.get_mut(is_footer))
            else {
                continue;
            };
            if !text.is_empty() && !texts.contains(&text) {
                out.push(Block::Comment(format!("{label}: {text}")));
                texts.push(text);
            }
        }
        self.in_page_text = false;
        self.fields.clear();
        let [headers, footers] = out;
        (headers, footers)
    }

    /// Returns for each section whether its first page has its own header and footer.
    fn sections(&self) -> Vec<bool> {
        let table = self.fib.table(&self.streams.table, Table::Sections);
        let (_, elements) = positions(table, 12);
        let (elements, _) = elements.as_chunks::<12>();
        let word = &self.streams.word;
        let sections = elements.iter().take(TEXTS).map(|element| {
            let at = u32_at(element, 2).map_or(usize::MAX, number);
            let size = u16_at(word, at).map_or(0, usize::from);
            let start = at.saturating_add(2);
            let end = start.saturating_add(size).min(word.len());
            let mut list = sprms(word.get(start..end).unwrap_or_default());
            list.any(|(code, operand)| code == 0x300a && byte(operand) != 0)
        });
        sections.collect()
    }
}
