//! A text that is searched for declarations, headings or keys, and the selectors of those that are found.

use super::outline::is_short;
use super::text;
use crate::limits;
use crate::path::{Lines, Part, Range, Selector, Start};
use omniread_outline::data::{Scanned, keys_by_name};
use omniread_outline::symbol::{Found, Symbol};
use omniread_outline::symbols::{self, At, Symbols};
use omniread_outline::{self as scanner, Parsed};

/// A text that is searched, and how it is read.
pub struct Searched<'t> {
    pub text: &'t str,
    /// The file name that determines the format.
    pub name: &'t str,
    /// The cells of a notebook, which have no file name.
    pub cells: Option<Parsed>,
    /// The part of the source that the text is.
    pub part: Part,
}

/// A declaration that was found, with what a reply says about it.
#[derive(Debug)]
pub struct Hit {
    pub symbol: Symbol,
    /// The column at which it starts, and its text, if it shares a long line with other code.
    pub shared: Option<(u64, String)>,
    /// The first line of its signature, without spaces around it.
    pub head: String,
}

impl Hit {
    /// Moves the declaration by the number of lines before the piece in which it was found.
    pub fn after(mut self, lines: u32) -> Self {
        let symbol = &mut self.symbol;
        for line in [
            &mut symbol.first,
            &mut symbol.sign,
            &mut symbol.line,
            &mut symbol.head,
            &mut symbol.last,
        ] {
            *line = line.saturating_add(lines);
        }
        symbol.unsure_from = symbol.unsure_from.map(|line| line.saturating_add(lines));
        self
    }

    /// The selector of the declaration in a part of the source.
    pub fn selector(&self, part: &Part) -> Selector {
        let symbol = &self.symbol;
        let (first, last) = (u64::from(symbol.first), u64::from(symbol.last));
        let range = match &self.shared {
            Some((column, _)) => Range {
                start: Start {
                    line: last,
                    column: *column,
                },
                end: None,
                by_column: true,
            },
            None => Range::lines(first, Some(last.max(first))),
        };
        Selector {
            part: part.clone(),
            lines: Lines::One(range),
            raw: false,
        }
    }
}

/// The result of a search for a name.
#[derive(Debug)]
pub struct Hits {
    /// The first declarations with the name.
    pub first: Vec<Hit>,
    /// The number of all declarations with the name.
    pub total: usize,
    /// The names that are similar, if no declaration has the name.
    pub similar: Vec<String>,
    /// The line from which brackets do not match, if no declaration has the name.
    pub unsure_from: Option<u32>,
    /// The number of lines of the text, if it is short enough for an outline.
    pub short_lines: Option<u64>,
}

impl<'t> Searched<'t> {
    /// The text of a file.
    pub fn of_file(text: &'t str, name: &'t str) -> Self {
        Self {
            text,
            name,
            cells: None,
            part: Part::Whole,
        }
    }

    /// What a reply says about a declaration.
    pub fn hit(&self, symbol: Symbol) -> Hit {
        let shared = self.column(&symbol).map(|column| {
            let (start, end) = symbol.bytes;
            let text = self.text.get(start..end).unwrap_or_default();
            (column, text.to_owned())
        });
        let head = self.head(&symbol);
        Hit {
            symbol,
            shared,
            head,
        }
    }

    /// Finds the declarations with a name. `None` if the text has no declarations by its format.
    pub fn hits(&self, query: &str) -> Option<Hits> {
        let mut unsure = None;
        let (symbols, total, similar) = match self.find(query)? {
            Found::One(symbol) => (vec![symbol], 1, Vec::new()),
            Found::Several { symbols, total } => (symbols, total, Vec::new()),
            Found::None {
                similar,
                unsure_from,
            } => {
                unsure = unsure_from;
                (Vec::new(), 0, similar)
            }
        };
        let lines = text::lines(self.text.as_bytes());
        Some(Hits {
            short_lines: is_short(self.text.len(), lines).then_some(lines as u64),
            first: symbols.into_iter().map(|symbol| self.hit(symbol)).collect(),
            total,
            similar,
            unsure_from: unsure,
        })
    }

    /// Finds the declarations with a name.
    fn find(&self, query: &str) -> Option<Found> {
        match &self.cells {
            Some(cells) => Some(Symbols::new(self.text, cells, None).find(query)),
            None => symbols::find(self.text, self.name, query),
        }
    }

    /// Finds the declarations that contain a place, the innermost first.
    pub fn enclosing(&self, at: At) -> Option<Vec<Symbol>> {
        match &self.cells {
            Some(cells) => Some(Symbols::new(self.text, cells, None).enclosing(at)),
            None => symbols::enclosing(self.text, self.name, at),
        }
    }

    /// The declarations of the outline.
    pub fn parsed(&self) -> Option<Parsed> {
        if self.cells.is_some() {
            return self.cells.clone();
        }
        match scanner::scan(self.text, self.name)? {
            Scanned::Items(parsed) => Some(parsed),
            Scanned::Sample(_) => None,
        }
    }

    /// The word for what has a name in the text.
    pub fn word(&self) -> &'static str {
        word(self.name, || {
            self.parsed().is_some_and(|parsed| parsed.prose)
        })
    }

    /// The line with an offset in it, and the offset of its start.
    fn line_at(&self, offset: usize) -> (usize, &str) {
        let before = self.text.get(..offset).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        let rest = self.text.get(start..).unwrap_or_default();
        let end = rest.find('\n').unwrap_or(rest.len());
        (start, rest.get(..end).unwrap_or_default())
    }

    /// The column at which a declaration starts, if it shares a long line with other code.
    fn column(&self, symbol: &Symbol) -> Option<u64> {
        let (start, line) = self.line_at(symbol.bytes.0);
        if line.len() <= limits::SYMBOL_LINE_BYTES || symbol.sign != symbol.last {
            return None;
        }
        let before = self.text.get(start..symbol.bytes.0)?;
        let after = self
            .text
            .get(symbol.bytes.1..start.checked_add(line.len())?);
        let alone = before.trim().is_empty() && after.is_some_and(|after| after.trim().is_empty());
        (!alone).then(|| (before.chars().count() as u64).saturating_add(1))
    }

    /// The line of the signature of a declaration that has its name, without spaces around it.
    fn head(&self, symbol: &Symbol) -> String {
        let (start, end) = symbol.bytes;
        let named = symbols::start_of_line(self.text, symbol.line);
        // The declaration may share its line, and its attributes may be on lines before it.
        let is_part = symbol.sign == symbol.last && named.is_some_and(|named| named <= start);
        let offset = if is_part { Some(start) } else { named };
        let end = if is_part { end } else { self.text.len() };
        let rest = offset.and_then(|offset| self.text.get(offset..end));
        let line = rest
            .and_then(|rest| rest.lines().next())
            .unwrap_or_default();
        let mut chars = line.trim().chars();
        let mut head: String = chars.by_ref().take(limits::SYMBOL_HEAD_CHARS).collect();
        if chars.next().is_some() {
            head.push('…');
        }
        head
    }
}

/// The word for what has a name in a file. `is_prose` is whether its text is prose.
pub fn word(file: &str, is_prose: impl FnOnce() -> bool) -> &'static str {
    if keys_by_name(file).is_some() {
        "key"
    } else if is_prose() {
        "heading"
    } else {
        "declaration"
    }
}
