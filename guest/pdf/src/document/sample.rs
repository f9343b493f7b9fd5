//! The sample of pages from which the layout analysis learns about the document.

use super::Opened;
use crate::layout::{self, Studied};
use crate::limits;
use crate::ranges::Need;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The pages of a sample that are kept, because they may be read next: so many before the page that is read, and so many
/// after it.
const BEFORE: usize = 2;
const AFTER: usize = 8;

impl Opened {
    /// Prepares the layout analysis of the page `index`.
    pub(super) fn prepare(&mut self, index: usize) -> Rc<layout::Document> {
        if self.alone {
            self.layout.take();
        }
        if let Some(layout) = self.layout.get() {
            return Rc::clone(layout);
        }
        let (layout, studied) = self.learned(index);
        let layout = Rc::new(layout);
        let is_complete = self.failed.is_none();
        self.is_new = is_complete && !self.alone;
        // The content of pages that could not be read is read again.
        self.studied = if is_complete {
            studied
        } else {
            Studied::default()
        };
        let _ = self.layout.set(Rc::clone(&layout));
        layout
    }

    /// What the layout analysis knows of the document. It comes from a sample of the pages that does not
    /// depend on which page is read.
    ///
    /// If pages are converted alone, the sample is the page `index`.
    fn learned(&mut self, index: usize) -> (layout::Document, Studied) {
        let count = self.facts.list.len();
        let indexes: Vec<usize> = if self.alone {
            vec![index]
        } else {
            sampled(count).into_iter().collect()
        };
        self.read(|ranges| ranges.pages(&indexes, Need::Text));
        let mut sample = Vec::new();
        let mut glyphs = 0_usize;
        for page_index in indexes {
            // Of a long document, most pages of the sample are not read next. The memory of one is used again for
            // the next.
            let near = index.saturating_sub(BEFORE)..=index.saturating_add(AFTER);
            let is_kept = count <= limits::SAMPLE_PAGES || near.contains(&page_index);
            let page = if is_kept {
                self.page(page_index)
            } else {
                self.interpreted(page_index)
            };
            glyphs = glyphs.saturating_add(page.content.glyphs.len());
            if glyphs > limits::SAMPLE_GLYPHS {
                break;
            }
            sample.push((page_index, page.take()));
        }
        let outline = self
            .outline
            .iter()
            .map(|entry| (entry.level, entry.title.clone(), entry.unit));
        let context = layout::Context {
            sample,
            outline: outline.collect(),
            known: self.known(),
        };
        layout::Document::new(context)
    }
}

/// The pages of the sample: at most eight, spread over the document.
fn sampled(count: usize) -> BTreeSet<usize> {
    let last = count.saturating_sub(1);
    let pages = limits::SAMPLE_PAGES;
    (0..pages)
        .map(|place| {
            last.saturating_mul(place)
                .checked_div(pages.saturating_sub(1))
                .unwrap_or_default()
        })
        .filter(|index| *index < count)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_spread() {
        assert_eq!(sampled(0).len(), 0);
        assert_eq!(sampled(1).into_iter().collect::<Vec<_>>(), [0]);
        assert_eq!(sampled(8).len(), 8);
        let many = sampled(5000);
        assert!(many.len() == 8 && many.contains(&0) && many.contains(&4999));
    }
}
