//! Searches in a text that is too long to be in memory with its declarations, piece by piece.
//!
//! A piece of code ends at the start of a line at which the scanner is outside all statements and
//! blocks. A piece of prose ends before its last outermost heading. The next piece begins there, so
//! that each declaration is in one piece with all its lines, and nothing before a piece matters but
//! the number of its lines. The scope of a module without a block, `package A;`, is in one piece too:
//! a piece ends before such a module if the scope does not end in the piece.

use super::similar::Similar;
use super::{At, RULES, Symbols, start_of_line};
use crate::data::{self, Scanned};
use crate::grammar::Nesting;
use crate::item::{Parsed, Restart};
use crate::language::Language;
use crate::parse::parse_piece;
use crate::symbol::{Matches, Symbol};
use crate::{declarations, languages, limits};

/// The text that is searched for.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'q> {
    /// A name.
    Name(&'q str),
    /// The declarations that contain a place.
    Line(At),
}

/// A search, which takes pieces one after the other.
#[derive(Debug)]
pub struct Search<'q> {
    file: &'q str,
    wanted: Wanted<'q>,
    /// The language of the text, if it is code.
    language: Option<&'static Language>,
    /// Whether the format is known.
    known: bool,
    similar: Option<Similar>,
    /// The number of lines before the current piece.
    lines: u32,
    found: bool,
    is_prose: bool,
    /// The first line from which brackets do not match.
    unsure_from: Option<u32>,
}

/// The result for a piece.
#[derive(Debug)]
pub enum Step {
    /// The text has no declarations by its format.
    Unknown,
    /// No declaration ends in the text so far, so that the piece must be longer.
    Longer,
    /// The piece was searched.
    Piece(Box<Piece>),
}

/// A piece that was searched. Lines and offsets count from its start.
#[derive(Debug)]
pub struct Piece {
    /// The declarations that have the name, by the rules of a search in the order of their precedence.
    pub matches: [Matches; RULES],
    /// The declarations that contain the line, the innermost first. `None` if the line is in another
    /// piece.
    pub around: Option<Vec<Symbol>>,
    /// The declarations of the piece.
    pub parsed: Parsed,
    /// The number of lines before the piece.
    pub before: u32,
    /// The byte offset at which the piece ends.
    pub end: usize,
    /// Whether the piece has more declarations than were searched, and cannot be divided.
    pub is_cut: bool,
}

impl<'q> Search<'q> {
    /// Begins a search. `file` is the file name, which determines the format.
    pub fn new(file: &'q str, wanted: Wanted<'q>) -> Self {
        Self {
            file,
            wanted,
            language: None,
            known: false,
            similar: None,
            lines: 0,
            found: false,
            is_prose: false,
            unsure_from: None,
        }
    }

    /// Searches the text from the end of the previous piece on. `is_last` is whether it ends with the
    /// text.
    pub fn piece(&mut self, text: &str, is_last: bool) -> Step {
        let is_data = data::by_name(self.file);
        if !self.known {
            self.known = true;
            self.language = match is_data {
                Some(_) => None,
                None => languages::by_contents(self.file, text),
            };
        }
        let language = self.language;
        let mut parsed = match (is_data, language) {
            (Some(scan), _) => match scan(text) {
                Some(Scanned::Items(parsed)) => parsed,
                None if self.lines > 0 => Parsed::default(),
                Some(Scanned::Sample(_)) | None => return Step::Unknown,
            },
            (None, Some(language)) if is_last || matches!(language.nesting, Nesting::Markup) => {
                declarations::parse(text, language)
            }
            (None, Some(language)) => parse_piece(text, language),
            (None, None) => return Step::Unknown,
        };
        let many = parsed.items.len() >= limits::ITEMS;
        let place = match language {
            _ if is_last && !many => None,
            Some(language) => before_open_module(text, &parsed, language),
            None => last_section(text, &parsed),
        };
        if place.is_none() && !is_last {
            return Step::Longer;
        }
        let is_cut = many && place.is_none();
        let restart = place;
        let end = restart.map_or(text.len(), |restart| restart.offset);
        if let Some(restart) = restart {
            parsed.items.retain(|item| item.first < restart.line);
            parsed.comments.retain(|(first, _)| *first < restart.line);
            parsed.unbalanced_at = parsed.unbalanced_at.filter(|line| *line < restart.line);
        }
        let text = text.get(..end).unwrap_or(text);
        let symbols = Symbols::new(text, &parsed, language);
        let lines = restart.map_or(symbols.lines, |restart| restart.line.saturating_sub(1));
        let mut matches: [Matches; RULES] = Default::default();
        let mut around = None;
        match self.wanted {
            Wanted::Name(query) => {
                matches = symbols.matches(query, self.found);
                let [exact, case, slug, ..] = &matches;
                self.found |= [exact, case, slug].iter().any(|one| one.total > 0);
                let similar = self
                    .similar
                    .get_or_insert_with(|| Similar::of(query, language));
                symbols.offer(similar);
            }
            Wanted::Line(At { line, column }) => {
                let line = line.checked_sub(self.lines).filter(|line| *line <= lines);
                around = line.map(|line| symbols.enclosing(At { line, column }));
            }
        }
        self.is_prose |= parsed.prose;
        let before = self.lines;
        let unsure = parsed.unbalanced_at;
        self.unsure_from = self
            .unsure_from
            .or(unsure.map(|line| line.saturating_add(before)));
        self.lines = before.saturating_add(lines);
        Step::Piece(Box::new(Piece {
            matches,
            around,
            parsed,
            before,
            end,
            is_cut,
        }))
    }

    /// The number of lines that were searched.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Whether the text is prose, whose declarations are headings.
    pub fn is_prose(&self) -> bool {
        self.is_prose
    }

    /// The first line from which brackets do not match.
    pub fn unsure_from(&self) -> Option<u32> {
        self.unsure_from
    }

    /// The names that are similar to the one that was searched for.
    pub fn similar(self) -> Vec<String> {
        self.similar.map_or_else(Vec::new, Similar::names)
    }
}

/// The last place at which a scan of code may begin again. If a module without a block is open there,
/// the start of the line at which the module begins, with the comment before it. `None` if nothing
/// precedes the module.
fn before_open_module(text: &str, parsed: &Parsed, language: &'static Language) -> Option<Restart> {
    let restart = parsed.restart?;
    if !language.scopes_until_next {
        return Some(restart);
    }
    let symbols = Symbols::new(text, parsed, Some(language));
    let open = symbols.names.open_module();
    let Some(module) = open.and_then(|open| parsed.items.get(open)) else {
        return Some(restart);
    };
    restart_at(text, symbols.beginning(module))
}

/// The start of a line, if another one precedes it.
fn restart_at(text: &str, line: u32) -> Option<Restart> {
    let offset = start_of_line(text, line).filter(|_| line > 1)?;
    Some(Restart { offset, line })
}

/// The start of the last outermost section of prose or data, if others precede it.
fn last_section(text: &str, parsed: &Parsed) -> Option<Restart> {
    let outermost = parsed.items.iter().rev();
    let item = outermost.clone().find(|item| item.parent.is_none())?;
    // The last one of too many is not complete either.
    restart_at(text, item.first)
}
