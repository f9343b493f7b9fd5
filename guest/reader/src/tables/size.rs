//! The size of rows as text, before they are formatted.

use crate::limits;
use omniread_document::markdown::row::cell_bytes;

/// The minimum number of characters of a line that a column takes.
const COLUMN_CHARS: usize = limits::MIN_COLUMN_WIDTH + 3;

/// The size of a page of rows.
#[derive(Clone, Debug, Default)]
pub struct Size {
    columns: usize,
    /// The maximum width of an aligned table in characters. `None` for a table that is not aligned.
    width: Option<usize>,
    rows: usize,
    /// The size of the names of the columns, each with its bar.
    head_bytes: usize,
    /// The size of the values that are not empty, without their bars.
    value_bytes: usize,
    /// The size of the numbers of the rows, each with its bar.
    number_bytes: usize,
    /// The size of the rows as blocks.
    block_bytes: usize,
    /// The width of the widest text of each column in characters.
    widths: Vec<usize>,
    /// The number of digits of the largest number of a row.
    digits: usize,
    /// Whether the numbers of the rows are shown, because they are not 1, 2, 3 and so on.
    is_numbered: bool,
    /// The number of bytes of the names and values after the first one of each character.
    continuation_bytes: usize,
}

impl Size {
    /// The size of no rows. `width` is the maximum width of an aligned table.
    pub fn of(width: Option<usize>) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// The largest number of columns of which the widths are measured. A table with more columns is
    /// never aligned.
    fn aligned_columns(&self) -> usize {
        self.width.map_or(0, |width| width / COLUMN_CHARS)
    }

    /// Whether there are so many columns that rows are blocks.
    pub fn is_wide(&self) -> bool {
        self.columns > limits::WIDE_TABLE_COLUMNS
    }

    /// Adds a column after the others.
    pub fn add_column(&mut self, head: &str) {
        self.columns = self.columns.saturating_add(1);
        self.head_bytes = self.head_bytes.saturating_add(cell_bytes(head));
        let chars = self.count(head);
        if self.widths.len() < self.aligned_columns() {
            self.widths.push(chars.max(limits::MIN_COLUMN_WIDTH));
        }
    }

    /// Adds a row. Its values have the names `heads` and, after these, `more`.
    pub fn add_row<'t>(
        &mut self,
        number: u64,
        values: impl Iterator<Item = &'t str>,
        heads: &[String],
        more: &[String],
    ) {
        self.rows = self.rows.saturating_add(1);
        let digits = number.checked_ilog10().unwrap_or(0).saturating_add(1);
        let digits = usize::try_from(digits).unwrap_or(0);
        self.digits = self.digits.max(digits);
        self.is_numbered |= number != self.rows as u64;
        // The number and a bar.
        self.number_bytes = self.number_bytes.saturating_add(digits).saturating_add(1);
        // `── Row N ──` and a line ending.
        let mut block = digits.saturating_add(19);
        let names = heads.iter().chain(more);
        for (index, (value, name)) in values.zip(names).enumerate() {
            if value.is_empty() {
                continue;
            }
            // Each cell has a bar, whether it has a value or not.
            let bytes = cell_bytes(value).saturating_sub(1);
            self.value_bytes = self.value_bytes.saturating_add(bytes);
            let line = name.len().saturating_add(value.len()).saturating_add(3);
            block = block.saturating_add(line);
            if index < self.aligned_columns() {
                let chars = self.count(value);
                if let Some(width) = self.widths.get_mut(index) {
                    *width = chars.max(*width);
                }
            }
        }
        self.block_bytes = self.block_bytes.saturating_add(block);
    }

    /// The number of characters of a text. Adds the other bytes of it.
    fn count(&mut self, text: &str) -> usize {
        let chars = text.chars().count();
        let others = text.len().saturating_sub(chars);
        self.continuation_bytes = self.continuation_bytes.saturating_add(others);
        chars
    }

    /// The size of the text in bytes.
    pub fn bytes(&self) -> usize {
        if self.is_wide() {
            return self.block_bytes;
        }
        // A bar and a line ending around the cells of each row, and the bar of each cell.
        let each = self.columns.saturating_add(2);
        // `-|` below each name, and a bar and a line ending around the names and the line below them.
        let lines = self
            .columns
            .saturating_mul(2)
            .saturating_add(each.saturating_mul(self.rows))
            .saturating_add(4);
        let numbers = if self.is_numbered {
            // `#|` and `-|` are above the numbers.
            self.number_bytes.saturating_add(4)
        } else {
            0
        };
        let plain = self
            .head_bytes
            .saturating_add(self.value_bytes)
            .saturating_add(numbers)
            .saturating_add(lines);
        plain.max(self.aligned().unwrap_or(0))
    }

    /// The size with aligned columns. `None` if they are too wide to be aligned.
    fn aligned(&self) -> Option<usize> {
        let most = self.width?;
        let is_narrow = |width: &usize| *width <= limits::COLUMN_WIDTH;
        if self.columns > self.widths.len() || !self.widths.iter().all(is_narrow) {
            return None;
        }
        let texts: usize = self.widths.iter().sum();
        let rules = self.columns.saturating_mul(3).saturating_add(1);
        let number = if self.is_numbered {
            self.digits.max(limits::MIN_COLUMN_WIDTH).saturating_add(3)
        } else {
            0
        };
        let width = texts.saturating_add(rules).saturating_add(number);
        if width > most {
            return None;
        }
        let line = width.saturating_add(1);
        // The names and the line below them take a line each.
        let lines = self.rows.saturating_add(2).saturating_mul(line);
        Some(lines.saturating_add(self.continuation_bytes))
    }
}
