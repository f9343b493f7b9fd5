//! The refusals of searches for declarations, with the paths of what may have been meant.

use super::reading::Reading;
use super::searched::Hits;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Indentation, Lines, Part, Range, Selector, Symbol as Wanted};
use crate::units;
use omniread_outline::symbol::Symbol;
use omniread_outline::{Item, Parsed};

impl Reading<'_> {
    /// The failure for a line after the end of the text.
    pub fn no_line(&self, line: u64, total: u64) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let s = if total == 1 { "" } else { "s" };
        let message = format!("`{path}` has {total} line{s}, so line {line} does not exist");
        Failure::new(Reason::InvalidSelector(selector.to_string()), message)
    }

    /// The failure for a long line that has several declarations. `symbol` is one of them.
    pub fn shared_line(&self, line: u64, symbol: &Symbol) -> Failure {
        let path = &self.subject.requested;
        let message = format!("line {line} of `{path}` is long and has several declarations");
        let part = Part::Symbol(Wanted::Named(symbol.query().to_owned()));
        let named = escape_invisible(&self.subject.with_selector(&Selector::of(part)));
        Failure::new(Reason::InvalidSelector(self.selector.to_string()), message)
            .hint(format!("name one of them, as in `{named}`"))
    }

    /// The failure for a text whose format has no declarations.
    pub fn no_format(&self) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = format!(
            "`{path}` is not in a format with declarations, headings or keys for `:{selector}`"
        );
        let itself = escape_invisible(&self.subject.whole());
        Failure::new(Reason::InvalidSelector(selector.to_string()), message)
            .hint(format!("read it with `{itself}`"))
    }

    /// The failure for a text that is too long to be searched. `what` is what may have at most `limit` bytes.
    pub fn too_long(&self, part: Part, what: &str, limit: u64) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = format!(
            "`{path}` is too long for `:{selector}`: {what} at most {}",
            units::bytes(limit)
        );
        let first = match &self.selector.part {
            Part::Symbol(
                Wanted::Around { line, .. } | Wanted::Indented(Indentation { line, .. }),
            ) => *line,
            _ => 1,
        };
        let range = self.lines_from(first, part);
        Failure::new(Reason::limit("symbol-text", limit), message)
            .hint(format!("read lines of it, as with `{range}`"))
    }

    /// The failure for a document whose text is too long to be searched.
    pub fn too_long_document(&self) -> Failure {
        let limit = limits::SYMBOL_TEXT_BYTES;
        self.too_long(self.form_part(), "headings are searched for in", limit)
    }

    /// The path of some lines from a line on.
    pub fn lines_from(&self, first: u64, part: Part) -> String {
        let last = first.saturating_add(limits::SYMBOL_RANGE_LINES.saturating_sub(1));
        let lines = Selector {
            part,
            lines: Lines::One(Range::lines(first, Some(last))),
            raw: false,
        };
        escape_invisible(&self.subject.with_selector(&lines))
    }

    /// The failure for a name that no declaration has.
    pub fn no_symbol(&self, word: &str, name: &str, found: &Hits, part: &Part) -> Failure {
        let message = format!("`{}` has no {word} `{name}`", self.subject.requested);
        let path = |name: &String| {
            let part = Part::Symbol(Wanted::Named(name.clone()));
            let path = self.subject.with_selector(&Selector::of(part));
            format!("`{}`", escape_invisible(&path))
        };
        let similar: Vec<String> = found.similar.iter().map(path).collect();
        let whole = Selector::of(part.clone());
        let all = if whole == Selector::NONE {
            self.subject.whole()
        } else {
            self.subject.with_selector(&whole)
        };
        let all = escape_invisible(&all);
        let open = self.request.style.open_lines;
        let it = match found.short_lines {
            Some(lines) if lines > open => "its outline",
            _ => "it",
        };
        let hint = if similar.is_empty() {
            format!("no name is similar; read {it} with `{all}`")
        } else {
            let similar = similar.join(", ");
            format!("similar names: {similar}; read {it} with `{all}`")
        };
        let unsure = found.unsure_from.map(missed);
        let hint = [Some(hint), unsure]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("; ");
        let reason = Reason::InvalidSelector(self.selector.to_string());
        Failure::new(reason, message).hint(hint)
    }

    /// The failure for a line that is in no declaration.
    pub fn outside(&self, word: &str, line: u64, near: Near, part: &Part) -> Failure {
        let path = &self.subject.requested;
        let message = format!("line {line} of `{path}` is in no {word}");
        let reason = Reason::InvalidSelector(self.selector.to_string());
        let failure = Failure::new(reason, message);
        let named: Vec<String> = [near.before, near.after]
            .into_iter()
            .flatten()
            .map(|(name, first, last)| {
                let lines = Selector {
                    part: part.clone(),
                    lines: Lines::One(Range::lines(first, Some(last.max(first)))),
                    raw: false,
                };
                let path = escape_invisible(&self.subject.with_selector(&lines));
                format!("`{path}` ({})", escape_invisible(&name))
            })
            .collect();
        let are = if named.len() == 1 { "is" } else { "are" };
        let nearest =
            (!named.is_empty()).then(|| format!("the nearest {are} {}", named.join(" and ")));
        let hints: Vec<String> = [nearest, near.unsure_from.map(missed)]
            .into_iter()
            .flatten()
            .collect();
        if hints.is_empty() {
            return failure;
        }
        failure.hint(hints.join("; "))
    }
}

/// The end of a hint: brackets do not match from a line on, so that a declaration may be missed.
fn missed(line: u32) -> String {
    format!(
        "brackets do not match from line {line} on, so that declarations after it may be missed"
    )
}

/// The declarations before and after a line, each with its name, its first line and its last line.
#[derive(Debug, Default)]
pub struct Near {
    before: Option<(String, u64, u64)>,
    after: Option<(String, u64, u64)>,
    /// The first line from which brackets do not match.
    unsure_from: Option<u32>,
}

impl Near {
    /// Adds the declarations of a text with `lines` lines before it.
    pub fn with(mut self, parsed: Option<&Parsed>, lines: u64, line: u64) -> Self {
        let items = parsed.map_or(&[][..], |parsed| &parsed.items);
        let first = |item: &Item| {
            let first = parsed.map_or(item.first, |parsed| parsed.beginning(item, None));
            lines.saturating_add(first.into())
        };
        let named = |item: &Item| {
            (
                item.name.clone(),
                first(item),
                lines.saturating_add(item.last.into()),
            )
        };
        let unsure = parsed.and_then(|parsed| parsed.unbalanced_at);
        let unsure = unsure.map(|line| line.saturating_add(u32::try_from(lines).unwrap_or(0)));
        self.unsure_from = self.unsure_from.or(unsure);
        let before = items
            .iter()
            .filter(|item| lines.saturating_add(item.last.into()) < line)
            .max_by_key(|item| (item.last, std::cmp::Reverse(item.first)));
        self.before = before.map(named).or(self.before);
        let after = items.iter().find(|item| first(item) > line);
        self.after = self.after.or_else(|| after.map(named));
        self
    }

    /// Whether a declaration after the line is known.
    pub fn is_complete(&self) -> bool {
        self.after.is_some()
    }
}
