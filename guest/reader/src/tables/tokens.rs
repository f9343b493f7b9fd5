//! The tokens of rows as text, before they are formatted.

use crate::window::Limit;
use omniread_tokens::Tally;

/// The tokens of a page of rows. They are counted only if they are limited.
#[derive(Clone, Debug)]
pub struct RowTokens {
    budget: Option<u64>,
    /// Whether columns are aligned: the spaces after a value are a token.
    is_aligned: bool,
    /// The tokens of a table, and those of its numbers of rows.
    lines: Tally,
    numbers: Tally,
    /// The tokens of the rows as blocks.
    blocks: Tally,
    rows: u64,
    /// Whether the numbers of the rows are shown, because they are not 1, 2, 3 and so on.
    is_numbered: bool,
}

impl RowTokens {
    /// The tokens of no rows.
    pub fn new(budget: Option<u64>, is_aligned: bool) -> Self {
        Self {
            budget,
            is_aligned,
            lines: Tally::default(),
            numbers: Tally::default(),
            blocks: Tally::default(),
            rows: 0,
            is_numbered: false,
        }
    }

    /// The maximum number of tokens. `None` for no limit.
    pub fn budget(&self) -> Option<u64> {
        self.budget
    }

    /// The limit of the page.
    pub fn limit(&self) -> Option<Limit> {
        self.budget.map(Limit::Tokens)
    }

    /// The size in bytes up to which a row may be shown alone: few values have less than two bytes in a token.
    pub fn row_bytes(&self) -> usize {
        let bytes = self.budget.map(|tokens| tokens.saturating_mul(2));
        let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
        bytes.unwrap_or(usize::MAX)
    }

    /// Adds a column.
    pub fn add_column(&mut self, head: &str) {
        if self.budget.is_some() {
            let (before, after) = self.bars();
            self.lines.add(before);
            self.lines.add(head);
            self.lines
                .add(if self.is_aligned { " | ---" } else { "|-" });
            self.lines.add(after);
            self.align();
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
        if self.budget.is_none() {
            return;
        }
        self.rows = self.rows.saturating_add(1);
        self.is_numbered |= number != self.rows;
        let (before, after) = self.bars();
        self.numbers.add(&format!("{before}{number}{after}"));
        let (mut line, mut block) = (String::new(), format!("── Row {number} ──\n"));
        for (value, name) in values.zip(heads.iter().chain(more)) {
            line.push_str(before);
            line.push_str(value);
            line.push_str(after);
            self.align();
            if !value.is_empty() {
                block.push_str(name);
                block.push_str(": ");
                block.push_str(value);
                block.push('\n');
            }
        }
        line.push_str("|\n");
        self.lines.add(&line);
        self.blocks.add(&block);
    }

    /// What is before and after each value.
    fn bars(&self) -> (&'static str, &'static str) {
        if self.is_aligned {
            ("| ", " ")
        } else {
            ("|", "")
        }
    }

    fn align(&mut self) {
        if self.is_aligned {
            self.lines.add_tokens(1);
        }
    }

    /// Whether the rows are within the budget. `is_wide` is whether they are blocks.
    pub fn fits(&self, is_wide: bool) -> bool {
        let numbers = if self.is_numbered {
            self.numbers.tokens()
        } else {
            0
        };
        let tokens = if is_wide {
            self.blocks.tokens()
        } else {
            self.lines.tokens().saturating_add(numbers)
        };
        self.budget.is_none_or(|budget| tokens <= budget)
    }
}
