//! The tokens of a page: what its lines cost, and the end of a line that is over the budget.

use crate::limits;
use omniread_tokens::{Tally, estimate};

/// The tokens of the lines of a page, with their numbers.
pub struct PageTokens {
    /// The maximum number of tokens.
    pub budget: u64,
    used: Tally,
    /// The line that is counted, as it is shown. The memory is reused.
    line: String,
}

impl PageTokens {
    pub fn new(budget: u64) -> Self {
        Self {
            budget,
            used: Tally::default(),
            line: String::new(),
        }
    }

    /// The tokens that are left for the text of a line after `before`: its number, for example. A line that is
    /// not `raw` has a mark where it is cut, for which tokens are kept.
    pub fn left(&self, before: &str, raw: bool) -> u64 {
        let mark = if raw { 0 } else { limits::CUT_MARK_TOKENS };
        let taken = self.used.tokens().saturating_add(estimate(before));
        self.budget.saturating_sub(taken).saturating_sub(mark)
    }

    /// Adds a line, if it fits or must be shown. Returns whether it does. `before` is shown before `text`. A cut line has a mark, unless
    /// it is raw text, which has its own line endings too.
    pub fn add(&mut self, (before, text): (&str, &str), line: LineKind) -> bool {
        self.line.clear();
        self.line.push_str(before);
        self.line.push_str(text);
        let mut used = self.used;
        if !line.raw {
            self.line.push('\n');
            used.add_tokens(if line.cut { limits::CUT_MARK_TOKENS } else { 0 });
        }
        used.add(&self.line);
        let fits = used.tokens() <= self.budget || line.must;
        if fits {
            self.used = used;
        }
        fits
    }
}

/// How a line is shown.
#[derive(Clone, Copy)]
pub struct LineKind {
    /// Whether the text is exact.
    pub raw: bool,
    /// Whether the end of the line is not shown.
    pub cut: bool,
    /// Whether the line is shown even if it is over the budget.
    pub must: bool,
}

/// The tokens of one line, while it is written. They are estimated only as often as the line may reach the
/// budget.
pub struct LineTokens {
    budget: u64,
    /// The tokens of the parts before `from`, which is a byte offset in the text that the line is written to.
    before: Tally,
    from: usize,
    /// The end of the text that was estimated, and the tokens that were left.
    checked: usize,
    left: u64,
}

/// No byte costs more: it may be a piece of its own, with the costs of itself and of the end of the piece in the
/// tables, of up to two tokens each.
const TOKENS_OF_A_BYTE: u64 = 6;

/// The size in bytes from which a part of a line is counted once, and not with what follows it. A word that is
/// split costs one token more.
const PART_BYTES: usize = 512;

impl LineTokens {
    /// The tokens of a line that is written from the byte offset `from` on.
    pub fn new(budget: u64, from: usize) -> Self {
        Self {
            budget,
            before: Tally::default(),
            from,
            checked: from,
            left: budget,
        }
    }

    /// Whether the line, which `out` ends with, is within the budget.
    pub fn fits(&mut self, out: &str) -> bool {
        let new = out.len().saturating_sub(self.checked) as u64;
        if new.saturating_mul(TOKENS_OF_A_BYTE) <= self.left {
            return true;
        }
        let part = out.get(self.from..).unwrap_or_default();
        let mut all = self.before;
        all.add(part);
        let Some(left) = self.budget.checked_sub(all.tokens()) else {
            return false;
        };
        self.left = left;
        self.checked = out.len();
        if part.len() >= PART_BYTES {
            (self.before, self.from) = (all, out.len());
        }
        true
    }
}
