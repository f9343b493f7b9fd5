//! What the conversion of one document or slide may use: the bytes of its parts, its images, the
//! addresses of its links, and the cells of its charts.
//!
//! A file may refer to one part, or repeat one address, thousands of times. The limits of a part are
//! not enough against it.

use crate::limits;
use crate::model::Block;
use crate::package::{LONG_LINKS, Package, Part};

/// What is left, and what was left out.
pub struct Budget {
    xml: usize,
    embedded: usize,
    cells: usize,
    links: usize,
    images: usize,
    cut: Cut,
}

/// What was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cut {
    text: bool,
    charts: bool,
    links: LinksCut,
}

/// The links whose addresses were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinksCut {
    /// Whether addresses are longer than [`limits::URL_BYTES`].
    pub long: bool,
    /// Whether all addresses together are longer than [`limits::LINK_BYTES`].
    pub many: bool,
}

impl LinksCut {
    /// Writes notes on what was left out.
    pub fn notes(self) -> impl Iterator<Item = String> {
        let many = "There are too many links. The rest is shown without addresses.";
        let notes = [(self.long, LONG_LINKS), (self.many, many)];
        let notes = notes.into_iter().filter(|(is_cut, _)| *is_cut);
        notes.map(|(_, note)| note.to_owned())
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            xml: limits::CONVERTED_BYTES,
            embedded: limits::EMBEDDED_BYTES,
            cells: limits::CHART_CELLS,
            links: limits::LINK_BYTES,
            images: limits::IMAGES,
            cut: Cut::default(),
        }
    }
}

impl Budget {
    /// Reads a part with text. `None` if there is no such part, or nothing more may be read.
    pub fn part(&mut self, package: &mut Package, name: &str) -> Option<Part> {
        if self.xml == 0 {
            self.cut.text |= package.has(name);
            return None;
        }
        let part = package.part_within(name, limits::PART_BYTES.min(self.xml))?;
        self.xml = self.xml.saturating_sub(part.bytes.len());
        Some(part)
    }

    /// Reads a part with a chart or a diagram. `None` as for [`Self::part`].
    pub fn embedded(&mut self, package: &mut Package, name: &str) -> Option<Part> {
        if self.embedded == 0 || self.cells == 0 {
            self.cut.charts |= package.has(name);
            return None;
        }
        let part = package.part_within(name, self.embedded)?;
        // Even an empty part takes time.
        self.embedded = self.embedded.saturating_sub(part.bytes.len().max(1000));
        Some(part)
    }

    /// Returns the number of bytes that an object with a chart may have. `None` if nothing more may be
    /// read.
    pub fn object(&mut self) -> Option<usize> {
        self.cut.charts |= self.embedded == 0 || self.cells == 0;
        (self.embedded > 0 && self.cells > 0).then_some(self.embedded)
    }

    /// Counts the bytes of an object.
    pub fn spend_object(&mut self, bytes: usize) {
        self.embedded = self.embedded.saturating_sub(bytes.max(1000));
    }

    /// Counts the cells of a chart.
    pub fn spend_cells(&mut self, blocks: &[Block]) {
        for block in blocks {
            let count = match block {
                Block::Table(table) => table.rows.iter().map(Vec::len).sum(),
                _ => 1,
            };
            self.cells = self.cells.saturating_sub(count);
        }
    }

    /// Counts a link. Returns whether its address may be shown.
    pub fn link(&mut self, url: &str) -> bool {
        if !self.is_address(url) {
            return false;
        }
        let rest = self.links.checked_sub(url.len());
        self.cut.links.many |= rest.is_none();
        self.links = rest.unwrap_or(self.links);
        rest.is_some()
    }

    /// Returns whether an address is not too long, and notes it otherwise.
    pub fn is_address(&mut self, url: &str) -> bool {
        let is_long = url.len() > limits::URL_BYTES;
        self.cut.links.long |= is_long;
        !is_long
    }

    /// Counts an image. Returns whether it may be shown.
    pub fn image(&mut self) -> bool {
        let rest = self.images.checked_sub(1);
        self.images = rest.unwrap_or_default();
        rest.is_some()
    }

    /// Writes notes on what was left out.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.cut.text {
            notes.push(format!(
                "The text has more than {} MB of XML. The rest is left out.",
                limits::CONVERTED_BYTES >> 20
            ));
        }
        if self.cut.charts {
            notes.push("There are too many charts and diagrams. The rest is left out.".to_owned());
        }
        notes.extend(self.cut.links.notes());
        notes
    }
}

/// Returns the start of a text that has at most `most` bytes.
pub fn start(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_images_end_at_the_limits() {
        let mut budget = Budget::default();
        let url = "x".repeat(limits::URL_BYTES);
        let count = (0..2000).filter(|_| budget.link(&url)).count();
        assert_eq!(count, limits::LINK_BYTES / limits::URL_BYTES);
        let count = (0..2 * limits::IMAGES).filter(|_| budget.image()).count();
        assert_eq!(count, limits::IMAGES);
        let many = "There are too many links. The rest is shown without addresses.";
        assert_eq!(budget.notes(), [many]);
        assert!(!budget.link(&(url + "x")));
        assert_eq!(budget.notes(), [LONG_LINKS, many]);
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(start("aé", 2), "a");
        assert_eq!(start("aé", 3), "aé");
        assert_eq!(start("aé", 9), "aé");
    }
}
