//! What pages of a file have in common at their edges.

use super::Opened;
use crate::drawn;
use crate::heads::{Lines, Shown};
use crate::layout::{self, Head, Id, Known, Page};
use crate::page::PageContent;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Lines at the edges of pages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edges {
    /// Those of the text.
    Text,
    /// Those that are marked as artifacts.
    Artifacts,
}

impl Opened {
    /// What the file says about its pages.
    pub(super) fn known(&self) -> Rc<Known> {
        let known = self.known.get_or_init(|| {
            let metadata = self.facts.metadata.iter();
            let titles = metadata.filter(|(name, _)| name == "title");
            let titles = titles.map(|(_, title)| title.as_str());
            let outline = self.outline.iter().map(|entry| entry.title.as_str());
            let labels = self.facts.list.iter().map(|page| page.name.clone());
            Rc::new(Known::of(labels.collect(), titles.chain(outline)))
        });
        Rc::clone(known)
    }

    /// What the lines at the edges of a page have in common with those of other pages. `None` if there is no such
    /// page, or if pages are converted alone.
    fn lines(&mut self, index: usize, what: Edges) -> Option<Rc<Vec<Id>>> {
        if self.alone || index >= self.facts.list.len() {
            return None;
        }
        let known =
            |lines: &[Lines; 2]| lines.get(usize::from(what == Edges::Artifacts))?.get(index);
        if let Some(known) = known(&self.lines) {
            return Some(known);
        }
        let page = self.page(index);
        let lines = match what {
            Edges::Text => layout::lines(index, &page),
            Edges::Artifacts => drawn::artifacts(&page.content)
                .map(|it| layout::lines(index, &Page::new(it)))
                .unwrap_or_default(),
        };
        Some(self.add_lines(index, what, lines))
    }

    fn add_lines(&mut self, index: usize, what: Edges, lines: Vec<Id>) -> Rc<Vec<Id>> {
        let [text, artifacts] = &mut self.lines;
        match what {
            Edges::Text => text.add(index, lines),
            Edges::Artifacts => artifacts.add(index, lines),
        }
    }

    /// Adds the artifacts of a page that are running heads and feet. Returns whether others are left out.
    pub(super) fn artifacts(
        &mut self,
        index: usize,
        page: &PageContent,
        shown: &mut Shown,
    ) -> bool {
        let Some(artifacts) = drawn::artifacts(page) else {
            return false;
        };
        let found = layout::artifacts(&self.known(), index, &Page::new(artifacts));
        if self.failed.is_none() {
            self.add_lines(index, Edges::Artifacts, found.lines);
        }
        // Tagged pages have no sample. The first pages are in place of it.
        let before = [Some(0), Some(1), index.checked_sub(1), index.checked_sub(2)];
        let before: BTreeSet<usize> = before
            .into_iter()
            .flatten()
            .filter(|it| *it < index)
            .collect();
        let before: Vec<usize> = before.into_iter().collect();
        shown.add(index, &found.heads, &before, &mut |page| {
            self.lines(page, Edges::Artifacts)
        });
        found.others
    }
    /// Adds the running heads and feet of the text of a page.
    pub(super) fn add_heads(
        &mut self,
        index: usize,
        heads: &[Head],
        lines: Vec<Id>,
        shown: &mut Shown,
    ) {
        if self.failed.is_none() {
            self.add_lines(index, Edges::Text, lines);
        }
        let before = [index.checked_sub(1), index.checked_sub(2)];
        let before: Vec<usize> = before.into_iter().flatten().collect();
        shown.add(index, heads, &before, &mut |page| {
            self.lines(page, Edges::Text)
        });
    }
}
