//! The number formats of cells.

use crate::workbook::Value;
use crate::workbook::number_format::{Epoch, NumberFormat};
use std::collections::BTreeMap;

/// The number formats of a workbook.
#[derive(Debug, Default)]
pub struct Styles {
    epoch: Epoch,
    formats: Vec<NumberFormat>,
    /// For each style of cells, the index of its format.
    cells: Vec<usize>,
    general: NumberFormat,
}

impl Styles {
    /// Returns the formats. `codes` are format codes by their identifiers, and `cells` are the
    /// identifiers of the formats of each style. Formats without a code are built in.
    pub fn new(epoch: Epoch, codes: &BTreeMap<u16, String>, cells: &[u16]) -> Self {
        let mut styles = Self {
            epoch,
            general: NumberFormat::builtin(0),
            ..Self::default()
        };
        let mut known = BTreeMap::new();
        for id in cells {
            let index = *known.entry(*id).or_insert_with(|| {
                styles.formats.push(match codes.get(id) {
                    Some(code) => NumberFormat::parse(code),
                    None => NumberFormat::builtin(*id),
                });
                styles.formats.len().saturating_sub(1)
            });
            styles.cells.push(index);
        }
        styles
    }

    fn format(&self, style: usize) -> &NumberFormat {
        let index = self.cells.get(style);
        let format = index.and_then(|index| self.formats.get(*index));
        format.unwrap_or(&self.general)
    }

    /// Returns the value of a number and its displayed text.
    pub fn number(&self, style: usize, number: f64) -> (Value, Option<String>) {
        self.format(style).number(number, self.epoch)
    }

    /// Returns the displayed form of a text.
    pub fn text(&self, style: usize, text: &str) -> Option<String> {
        self.format(style).text(text)
    }
}
