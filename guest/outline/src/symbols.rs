//! Finds a declaration by its name, and the declarations that contain a line.
//!
//! ```text
//! symbols  a text and a query → declarations
//! constants constants and variables that an outline does not have
//! macros   definitions of macros of C
//! names    the names of declarations with the names of what contains them
//! pieces   searches in a long text, piece by piece
//! query    the parts of a query, and how they match names
//! similar  the names that are most similar to a query without a match
//! ```
//!
//! The declarations are those of an outline. For JSON, YAML and TOML, [`crate::data::keys`] finds
//! every key instead, because an outline has only the first key of each line.

mod constants;
mod macros;
mod names;
pub mod pieces;
mod query;
mod similar;
#[cfg(test)]
mod tests;

use crate::data::{self, Scanned, keys};
use crate::grammar::Kind;
use crate::item::{Item, Parsed};
use crate::language::{Language, Quirk};
use crate::symbol::{Found, Matches, Place, Symbol};
use crate::{declarations, languages, limits};
use macros::code_after_comments;
use names::{Names, with_keyword};
use query::{Query, Tier};
use similar::Similar;

/// Finds the declarations, headings or keys of a text that have a name. `file` is the file name,
/// which determines the format as for [`crate::scan`]. A query is a name, or a path of names with
/// `.`, `::`, `#`, `/` or `\` between them. A path matches the end of the path of a declaration. In
/// JSON, YAML and TOML, a path from the root takes precedence. Returns `None` if the text has no
/// declarations by its format.
pub fn find(text: &str, file: &str, query: &str) -> Option<Found> {
    let trimmed = query.trim();
    if let Some(walk) = data::keys_by_name(file) {
        // A key may have spaces at its ends.
        let exact = Some(query).filter(|query| *query != trimmed);
        let exact = exact.and_then(|query| keys::find(text, walk, query));
        let query = trimmed;
        let found = exact.or_else(|| keys::find(text, walk, query));
        let Some(mut found) = found else {
            let mut similar = Similar::new(query);
            let lost = keys::each(text, walk, &mut |name, path| similar.offer(name, path));
            return Some(Found::None {
                similar: similar.names(),
                unsure_from: lost.and_then(|_| unbalanced_at(text, file)),
            });
        };
        as_outline(text, file, found.symbols_mut());
        return Some(found);
    }
    let (parsed, language) = scanned(text, file)?;
    Some(Symbols::new(text, &parsed, language).find(trimmed))
}

/// The first line from which the brackets of a text do not match, as its outline has it.
fn unbalanced_at(text: &str, file: &str) -> Option<u32> {
    scanned(text, file)?.0.unbalanced_at
}

/// Replaces the line from which the brackets of data do not match by that of the outline.
fn as_outline(text: &str, file: &str, symbols: &mut [Symbol]) {
    if symbols.iter().any(|symbol| symbol.unsure_from.is_some()) {
        let line = unbalanced_at(text, file);
        for symbol in symbols {
            symbol.unsure_from = line.filter(|line| *line <= symbol.last);
        }
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1. It matters only in a line of more than
    /// [`limits::COLUMN_LINE_BYTES`].
    pub column: Option<usize>,
}

impl At {
    /// The start of a line.
    pub fn line(line: u32) -> Self {
        Self { line, column: None }
    }

    /// The byte offset of the place, if its column matters.
    fn offset(self, text: &str) -> Option<usize> {
        let column = self.column?.checked_sub(1)?;
        let start = start_of_line(text, self.line)?;
        let line = text.get(start..)?.lines().next()?;
        if line.len() <= limits::COLUMN_LINE_BYTES {
            return None;
        }
        let (offset, _) = line.char_indices().nth(column)?;
        Some(start.saturating_add(offset))
    }
}

/// The byte offset of the start of a line.
pub fn start_of_line(text: &str, line: u32) -> Option<usize> {
    let Some(before) = usize::try_from(line).ok()?.checked_sub(2) else {
        return Some(0);
    };
    let end = memchr::memchr_iter(b'\n', text.as_bytes()).nth(before)?;
    Some(end.saturating_add(1))
}

/// Finds the declarations, headings or keys of a text that contain a place, the innermost first.
/// Returns `None` if the text has no declarations by its format.
pub fn enclosing(text: &str, file: &str, at: At) -> Option<Vec<Symbol>> {
    if let Some(walk) = data::keys_by_name(file) {
        let mut found = keys::enclosing(text, walk, at.line, at.offset(text));
        as_outline(text, file, &mut found);
        return Some(found);
    }
    let (parsed, language) = scanned(text, file)?;
    Some(Symbols::new(text, &parsed, language).enclosing(at))
}

/// The places of the declarations, headings or keys of an outline of a text, and the word for one of them. Returns
/// `None` if the text has none by its format.
pub fn places(text: &str, file: &str) -> Option<(Vec<Place>, &'static str)> {
    let (parsed, language) = scanned(text, file)?;
    let word = match language {
        _ if parsed.prose => "heading",
        Some(_) => "declaration",
        None => "key",
    };
    Some((Symbols::new(text, &parsed, language).places(), word))
}

/// The declarations of a text, and its language if it is code.
fn scanned(text: &str, file: &str) -> Option<(Parsed, Option<&'static Language>)> {
    if let Some(scan) = data::by_name(file) {
        return match scan(text)? {
            Scanned::Items(parsed) => Some((parsed, None)),
            Scanned::Sample(_) => None,
        };
    }
    let language = languages::by_contents(file, text)?;
    Some((declarations::parse(text, language), Some(language)))
}

/// The number of rules by which a name may match.
pub const RULES: usize = 7;

/// The declarations of a text, to be searched.
#[derive(Debug)]
pub struct Symbols<'t> {
    text: &'t str,
    parsed: &'t Parsed,
    language: Option<&'static Language>,
    names: Names<'t>,
    /// The number of lines of the text.
    lines: u32,
}

impl<'t> Symbols<'t> {
    /// Prepares the declarations of a text for searches. `language` is the language of the text, if
    /// it is code in one language.
    pub fn new(text: &'t str, parsed: &'t Parsed, language: Option<&'static Language>) -> Self {
        Self {
            text,
            parsed,
            language,
            names: Names::new(text, parsed, language),
            lines: line_count(text),
        }
    }

    /// Finds the declarations that have a name. See [`find`].
    pub fn find(&self, query: &str) -> Found {
        let matches = self.matches(query, false);
        let best = matches.into_iter().find(|matches| matches.total > 0);
        best.and_then(Matches::found).unwrap_or_else(|| {
            let mut similar = Similar::of(query, self.language);
            self.offer(&mut similar);
            Found::None {
                similar: similar.names(),
                unsure_from: self.parsed.unbalanced_at,
            }
        })
    }

    /// The declarations that match a query by each of the rules. Only those of the first rule by which
    /// any name matches count. `found` is whether other parts of the text have names that match the whole
    /// query, so that the rules for its parts do not matter.
    fn matches(&self, query: &str, found: bool) -> [Matches; RULES] {
        let mut matches: [Matches; RULES] = Default::default();
        let [exact, case, slug, rest @ ..] = &mut matches;
        self.collect(query, None, [exact, case, slug]);
        let found = found || [exact, case, slug].iter().any(|one| one.total > 0);
        let [exact, case, slug, macros] = rest;
        if let Some(language) = self.language.filter(|_| !found) {
            if let Some((word, name)) = with_keyword(query, language) {
                self.collect(name, Some(word), [exact, case, slug]);
            }
            if exact.total == 0 && case.total == 0 {
                *macros = macros::find(self.text, language, query.trim());
                if macros.total == 0 {
                    *macros = constants::find(self.text, language, query.trim());
                }
            }
        }
        matches
    }

    /// Adds the declarations that have a name, and if `word` is given, that this keyword declares.
    fn collect(&self, query: &str, word: Option<&str>, matches: [&mut Matches; 3]) {
        let prose = self.language.is_none();
        let folded = prose
            || self
                .language
                .is_some_and(|language| language.case_insensitive);
        let query = Query::new(query, prose);
        let [exact, case, slug] = matches;
        for (at, item) in self.parsed.items.iter().enumerate() {
            let tier = query.tier(&self.names, at, item, folded);
            let tier = tier.filter(|_| word.is_none_or(|word| self.is_declared_by(item, word)));
            match tier {
                Some(Tier::Exact) => exact.add(|| Some(self.symbol(at, item))),
                Some(Tier::Case) => case.add(|| Some(self.symbol(at, item))),
                Some(Tier::Slug) => slug.add(|| Some(self.symbol(at, item))),
                None => {}
            }
        }
        for matches in [exact, case, slug] {
            self.complete(&mut matches.symbols);
        }
    }

    /// Whether a keyword declares an item. In a language without declaring keywords, any word before the name
    /// may be one: `create table name`.
    fn is_declared_by(&self, item: &Item, word: &str) -> bool {
        let words = || {
            let before = self
                .text
                .get(item.start..item.name_start)
                .unwrap_or_default();
            before
                .split_ascii_whitespace()
                .any(|one| one.eq_ignore_ascii_case(word))
        };
        let bare = self
            .language
            .is_some_and(|language| language.keywords.is_empty());
        self.word(item) == word || (bare && words())
    }

    /// Offers all names as similar ones.
    fn offer(&self, similar: &mut Similar) {
        for (at, item) in self.parsed.items.iter().enumerate() {
            let members_of = self.names.type_of_members(at);
            let name = members_of.unwrap_or_else(|| self.names.own(item));
            similar.offer(name, &mut || {
                members_of.map_or_else(|| self.names.path(at), str::to_owned)
            });
        }
    }

    /// All declarations, in the order of the text.
    pub fn all(&self) -> Vec<Symbol> {
        let items = self.parsed.items.iter().enumerate();
        let mut symbols: Vec<Symbol> = items.map(|(at, item)| self.symbol(at, item)).collect();
        self.complete(&mut symbols);
        symbols
    }

    /// The places of all declarations, in the order of the text. An outer declaration precedes its inner ones.
    pub fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::with_capacity(self.parsed.items.len());
        for (at, item) in self.parsed.items.iter().enumerate() {
            let outer = self.names.outer(at).and_then(|outer| places.get(outer));
            let depth = outer.map_or(0, |outer| outer.depth.saturating_add(1));
            places.push(Place {
                first: self.beginning(item),
                sign: item.sign,
                last: self.last(at, item),
                depth,
                local: item.local || outer.is_some_and(|outer| outer.local),
            });
        }
        places
    }

    /// Finds the declarations that contain a place, the innermost first.
    pub fn enclosing(&self, place: At) -> Vec<Symbol> {
        let line = place.line;
        let offset = place.offset(self.text);
        let size = |at: usize, item: &Item| {
            let lines = self.last(at, item).saturating_sub(self.beginning(item));
            let bytes = offset.map_or(0, |_| item.end.saturating_sub(item.start));
            (lines, bytes)
        };
        let holds = |item: &Item| {
            offset.is_none_or(|offset| {
                item.end == 0 || item.first != item.last || (item.start..item.end).contains(&offset)
            })
        };
        let mut inner: Option<(usize, &Item)> = None;
        for (at, item) in self.parsed.items.iter().enumerate() {
            let contains =
                self.beginning(item) <= line && line <= self.last(at, item) && holds(item);
            // The later of two declarations of one size is the inner one, unless it only follows
            // the other on the same line.
            let smaller = inner.is_none_or(|(before, one)| {
                let (inside, around) = (size(at, item), size(before, one));
                inside < around || (inside == around && self.names.parent(at) == Some(before))
            });
            if contains && smaller {
                inner = Some((at, item));
            }
        }
        let mut found = Vec::new();
        while let Some((at, item)) = inner {
            if self.beginning(item) <= line && line <= self.last(at, item) && holds(item) {
                found.push(self.symbol(at, item));
            }
            let above = self.names.outer(at);
            inner = above.and_then(|above| Some((above, self.parsed.items.get(above)?)));
        }
        self.complete(&mut found);
        found
    }

    /// The first line of a declaration, with the comment before it. The documentation of an item may
    /// be inside it, and another comment before it.
    fn beginning(&self, item: &Item) -> u32 {
        let specified = self.after_specifier(item).map(|at| at.0);
        let first = self.parsed.beginning(item, specified);
        // The line that names the interpreter of a script is no documentation.
        let earliest = if self.text.starts_with("#!") { 2 } else { 1 };
        first.max(earliest).min(specified.unwrap_or(item.first))
    }

    /// The line and the byte offset at which a declaration begins after an access specifier, which its
    /// statement begins with: `public:`.
    fn after_specifier(&self, item: &Item) -> Option<(u32, usize)> {
        let language = self.language?;
        if !language.has_quirk(Quirk::Labels) {
            return None;
        }
        let mut rest = self.text.get(item.start..item.name_start)?;
        let mut line = item.first;
        let mut found = false;
        loop {
            let (word, after) = rest.split_once(':')?;
            let mut words = word.split_ascii_whitespace();
            let is_specifier = words
                .next()
                .is_some_and(|word| matches!(word, "public" | "protected" | "private"))
                // Qt has `public slots:`.
                && words.nth(1).is_none()
                && word.len() <= limits::TAG_BYTES
                && !after.starts_with(':');
            if !is_specifier {
                return found.then(|| (line, item.name_start.saturating_sub(rest.len())));
            }
            found = true;
            // The comments after the specifier are in front of the declaration.
            let after = code_after_comments(after);
            let passed = rest.len().saturating_sub(after.len());
            let passed = rest.get(..passed).unwrap_or_default();
            line = line.saturating_add(breaks(passed));
            rest = after;
            if !rest.contains(':') {
                return Some((line, item.name_start.saturating_sub(rest.len())));
            }
        }
    }

    /// The last line of a declaration. A module without a block ends before the next one, or with the
    /// text.
    fn last(&self, at: usize, item: &Item) -> u32 {
        match self.names.scope_end(at) {
            None => item.last,
            Some(next) => next.saturating_sub(1).min(self.lines).max(item.last),
        }
    }

    /// The symbol of an item. [`Symbols::complete`] sets the end of an item of whole lines.
    fn symbol(&self, at: usize, item: &Item) -> Symbol {
        let specified = self.after_specifier(item);
        let last = self.last(at, item);
        Symbol {
            name: self.names.path(at),
            quoted: None,
            kind: item.kind,
            word: self.word(item),
            first: self.beginning(item),
            sign: specified.map_or(item.sign, |(line, _)| line.max(item.sign).min(item.line)),
            line: item.line,
            head: item.head,
            last,
            bytes: (
                specified
                    .or(item.decorated)
                    .map_or(item.start, |(_, start)| start),
                self.names.scope_end(at).map_or(item.end, |_| 0),
            ),
            unsure_from: self.parsed.unbalanced_at.filter(|line| *line <= last),
        }
    }

    /// The keyword that declares an item, or the word for its kind.
    fn word(&self, item: &Item) -> &'static str {
        let keyword = self.language.and_then(|language| {
            let before = self.text.get(item.start..item.name_start)?;
            let from = before.floor_char_boundary(before.len().saturating_sub(limits::NAME_BYTES));
            before
                .get(from..)?
                .split(|c: char| !c.is_alphanumeric() && !"_-".contains(c))
                .filter_map(|word| language.keyword(word))
                // `const fn`
                .find(|keyword| keyword.kind == item.kind)
        });
        match (keyword, item.kind) {
            (Some(keyword), _) => keyword.word,
            (None, Kind::Function) => "function",
            (None, Kind::Type) => "type",
            (None, Kind::Module) => "module",
            (None, Kind::Value) => "value",
            (None, Kind::Section) if self.parsed.prose => "heading",
            (None, Kind::Section) => "section",
        }
    }

    /// Sets the byte ranges of symbols that consist of whole lines.
    fn complete(&self, symbols: &mut [Symbol]) {
        if symbols.iter().all(|symbol| symbol.bytes.1 > 0) {
            return;
        }
        // The offset after each line. A text has at most as many lines as bytes.
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', self.text.as_bytes()).collect();
        for symbol in symbols {
            if symbol.bytes.1 == 0 {
                let last = usize::try_from(symbol.last).unwrap_or(usize::MAX);
                let end = last.checked_sub(1).and_then(|last| ends.get(last));
                symbol.bytes.1 = end.copied().unwrap_or(self.text.len());
            }
        }
    }
}

/// The number of line breaks of a text.
fn breaks(text: &str) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    u32::try_from(breaks).unwrap_or(u32::MAX)
}

/// The number of lines of a text.
fn line_count(text: &str) -> u32 {
    breaks(text).saturating_add(u32::from(!text.ends_with('\n')))
}
