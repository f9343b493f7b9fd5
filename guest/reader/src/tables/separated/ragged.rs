//! Rows with something in common that a note names.

/// The most rows of which a note names the number.
const NAMED_ROWS: usize = 3;

/// Rows that a note names: their number, and the first of them.
#[derive(Default)]
pub struct Ragged {
    count: u64,
    first: Vec<u64>,
}

impl Ragged {
    pub fn add(&mut self, row: u64) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < NAMED_ROWS {
            self.first.push(row);
        }
    }

    /// The number of rows.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The first rows.
    pub fn rows(&self) -> &[u64] {
        &self.first
    }

    /// The note that these rows have `what`, such as `more values than columns`.
    pub fn note(&self, what: &str) -> Option<String> {
        let rows: Vec<String> = self.first.iter().map(u64::to_string).collect();
        let rows = rows.join(", ");
        match self.count {
            0 => None,
            1 => Some(format!("row {rows} has {what}")),
            count if count <= NAMED_ROWS as u64 => Some(format!("rows {rows} have {what}")),
            count => Some(format!("{count} rows have {what}, the first are {rows}")),
        }
    }
}
