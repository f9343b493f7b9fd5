//! Splits source code into tokens.
//!
//! Comments are skipped and recorded. Each string is one token. The lexical rules of the language
//! are in its [`LexRules`].
//!
//! Time is linear in the length of the text. Only the bytes between a quote and the end of its line
//! are scanned more than once: once for each kind of string. [`limits::FAILED_SEARCHES`] limits the searches that fail.

mod ahead;
mod comments;
mod heredocs;
mod markup;
mod perl;
mod strings;
mod tables;
mod tokens;

use super::keywords::Keywords;
use super::lexis::{LexFeature, LexRules, Quote};
use super::spans;
use crate::language::Language;
use crate::limits;
use crate::token::{Kind, Roles, Token};
use ahead::{Heredoc, Stop};
use memchr::{memchr, memmem};
use std::cell::Cell;
use std::collections::VecDeque;
use tables::{Class, classes, inner};

/// A run of consecutive comment lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The offset of the first byte.
    pub start: usize,
    /// The first line, counted from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

/// A lexer: [`Lexer::next`] returns the tokens of a text one after the other.
pub struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    lexis: &'static LexRules,
    keywords: Keywords,
    classes: [Class; 256],
    /// For each byte value, whether the byte may be in a word after the first character.
    inner: [bool; 256],
    at: usize,
    line: u32,
    line_start: usize,
    /// The offset of the most recent comment that begins a line, or `usize::MAX` before the first
    /// one. Code may follow the comment on the line: `/* static */ int name()`.
    lead: usize,
    /// Whether no token has begun on this line.
    fresh: bool,
    /// The maximum length in bytes of a word that may begin a string, end with a sign or end the
    /// code: `r"…"`, `empty?`, `__END__`.
    particular: usize,
    /// The kind of the previous token, and the byte offsets at which it starts and ends.
    before: (Kind, usize, usize),
    /// Heredocs whose text begins on the next line.
    heredocs: Vec<Heredoc<'t>>,
    /// Runs of comments on lines of their own.
    pub comments: Vec<Comment>,
    /// The line number of the first string or comment that does not end.
    pub unended: Option<u32>,
    /// Whether a string that does not end was read. The parser resets this flag.
    pub broken: bool,
    /// Positions in markup at which code begins or ends.
    stops: VecDeque<Stop>,
    /// The number of bytes that were scanned by searches for a delimiter that is missing.
    wasted: Cell<usize>,
    /// Whether a search for a delimiter reached the end of the text. If the text continues, the delimiter may
    /// follow.
    pub open_ended: Cell<bool>,
    /// Whether a backslash escapes the quote after it in strings without escapes.
    backslashes: bool,
}

/// The width of a tab in columns.
const TAB: u32 = 8;

/// Whether SQL is that of `MySQL`, in which a backslash escapes a quote.
fn is_mysql(text: &str) -> bool {
    let start = text.as_bytes().get(..limits::LANGUAGE_BYTES);
    let start = start.unwrap_or(text.as_bytes());
    ["TABLE `", "TABLES `", "INTO `", "EXISTS `", "/*!4"]
        .iter()
        .any(|sign| memmem::find(start, sign.as_bytes()).is_some())
}

impl<'t> Lexer<'t> {
    /// Creates a lexer at the start of a text.
    pub fn new(text: &'t str, language: &'static Language) -> Self {
        let lexis = &language.lex_rules;
        let mut lexer = Self {
            text,
            bytes: text.as_bytes(),
            lexis,
            keywords: Keywords::of(language),
            classes: classes(lexis),
            inner: inner(lexis),
            at: 0,
            line: 1,
            line_start: 0,
            lead: usize::MAX,
            fresh: true,
            particular: tables::particular(lexis),
            before: (Kind::Operator, 0, 0),
            heredocs: Vec::new(),
            comments: Vec::new(),
            unended: None,
            broken: false,
            stops: VecDeque::new(),
            wasted: Cell::new(0),
            open_ended: Cell::new(false),
            backslashes: lexis.has(LexFeature::Backslashes) && is_mysql(text),
        };
        if lexis.has(LexFeature::PhpTags) {
            // A text without any tag is a fragment of PHP code.
            let page = text.trim_start().starts_with('<') || text.contains("<?");
            let end = if page { lexer.php_begins(0) } else { 0 };
            lexer.skip_to(end);
        }
        lexer
    }

    /// Whether failed searches have not yet reached the limit [`limits::FAILED_SEARCHES`].
    fn searches(&self) -> bool {
        self.wasted.get() <= self.bytes.len().saturating_mul(limits::FAILED_SEARCHES)
    }

    /// Records the number of bytes that a failed search scanned.
    fn waste(&self, bytes: usize) {
        self.wasted.set(self.wasted.get().saturating_add(bytes));
    }

    /// The offset of the first occurrence of `end` at or after the offset `from`. Returns `None` if
    /// `end` does not occur, or if failed searches have scanned too many bytes.
    fn find(&self, from: usize, end: &[u8]) -> Option<usize> {
        let text = self.bytes.get(from..)?;
        if !self.searches() {
            return None;
        }
        let found = memmem::find(text, end);
        if found.is_none() {
            self.waste(text.len());
            self.open_ended.set(true);
        }
        Some(from.saturating_add(found?))
    }

    /// The byte that is `ahead` bytes after the current position.
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at.saturating_add(ahead)).copied()
    }

    /// The bytes from the current position on.
    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Moves forward by a number of bytes on this line.
    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.bytes.len());
    }

    /// The kind of token that a byte may begin.
    fn class(&self, byte: u8) -> Class {
        self.classes
            .get(usize::from(byte))
            .copied()
            .unwrap_or(Class::Punct)
    }

    /// Whether a byte may be in a word after the first character.
    fn is_inner(&self, byte: u8) -> bool {
        self.inner.get(usize::from(byte)).copied().unwrap_or(false)
    }

    /// Advances over the line feed at the current position, and over the heredocs that begin after
    /// it.
    fn newline(&mut self) {
        self.skip(1);
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
        self.fresh = true;
        if !self.heredocs.is_empty() {
            self.skip_heredocs();
        }
    }

    /// Moves forward to the offset `end`, and counts the lines on the way.
    fn skip_to(&mut self, end: usize) {
        let passed = self.bytes.get(self.at..end).unwrap_or_default();
        if let Some(last) = memchr::memrchr(b'\n', passed) {
            let lines = memchr::memchr_iter(b'\n', passed).count();
            self.line = self
                .line
                .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            self.line_start = self.at.saturating_add(last).saturating_add(1);
        }
        self.at = end;
    }

    /// The offset of the end of the current line.
    fn line_end(&self) -> usize {
        memchr(b'\n', self.rest()).map_or(self.bytes.len(), |end| self.at.saturating_add(end))
    }

    /// The indentation in columns of the current line, whose first token is at the offset `at`. A
    /// comment before the token is not part of the indentation.
    fn indent(&self, at: usize) -> u32 {
        // A comment before the code determines the indentation: `/* static */ int name()`.
        let led = self.lead >= self.line_start && self.lead < at;
        let end = if led { self.lead } else { at };
        let spaces = self.bytes.get(self.line_start..end).unwrap_or_default();
        if memchr(b'\t', spaces).is_none() {
            return u32::try_from(spaces.len()).unwrap_or(u32::MAX);
        }
        spaces.iter().fold(0u32, |column, space| match space {
            b'\t' => column
                .saturating_add(TAB)
                .saturating_sub(column.checked_rem(TAB).unwrap_or(0)),
            _ => column.saturating_add(1),
        })
    }

    /// Returns the next token.
    ///
    /// Handles the most frequent tokens itself: words, white space and brackets.
    #[inline]
    pub fn next(&mut self) -> Option<Token> {
        let mut glued = true;
        loop {
            // Most tokens follow one space, so it is skipped without a branch.
            let space = self.peek(0) == Some(b' ');
            self.at = self.at.saturating_add(usize::from(space));
            glued &= !space;
            let rest = self.rest();
            let byte = *rest.first()?;
            match self.class(byte) {
                Class::Word => {
                    let length = self.word_length(rest);
                    if length <= self.particular {
                        return Some(self.particular_word(rest, length, glued));
                    }
                    return Some(self.plain_word(rest, length, glued));
                }
                Class::Space => {
                    glued = false;
                    self.at = self.at.saturating_add(spans::blanks(rest).max(1));
                }
                Class::Newline => {
                    glued = false;
                    self.newline();
                }
                Class::Single if self.stops.is_empty() => {
                    return Some(self.sign(Kind::Punct(byte), 1, glued));
                }
                class => {
                    let token = self.other(class, byte, glued);
                    if token.is_some() {
                        return token;
                    }
                    glued = false;
                }
            }
        }
    }

    /// Returns the next token, but not if it is a word without roles, a number, most strings, or one of most operators.
    /// Text that declares nothing consists of these, and needs no tokens for them.
    pub fn next_notable(&mut self) -> Option<Token> {
        loop {
            let rest = self.rest();
            let (kind, length) = match self.class(*rest.first()?) {
                Class::Space => {
                    self.skip(spans::blanks(rest).max(1));
                    continue;
                }
                Class::Newline => {
                    self.newline();
                    continue;
                }
                Class::Word => {
                    let length = self.word_length(rest);
                    let word = rest.get(..length).unwrap_or_default();
                    if length <= self.particular || !self.keywords.roles(word).is_none() {
                        return self.next();
                    }
                    (Kind::Word, length)
                }
                Class::Digit => match self.plain_digits(rest) {
                    Some(length) => (Kind::Number, length),
                    None => return self.next(),
                },
                Class::Special => match self.plain_string(rest) {
                    Some(length) => (Kind::Text, length),
                    None => return self.next(),
                },
                // A conflict marker begins a line.
                Class::Single | Class::Punct if !self.fresh && self.stops.is_empty() => {
                    match rest {
                        [sign @ (b',' | b';'), ..] => (Kind::Punct(*sign), 1),
                        [sign @ (b'(' | b')' | b'[' | b']' | b'{' | b'}'), ..]
                            if self.class(*sign) == Class::Single =>
                        {
                            return Some(self.sign(Kind::Punct(*sign), 1, false));
                        }
                        [
                            sign @ (b'=' | b'.' | b':' | b'+' | b'-' | b'*' | b'/'),
                            next,
                            ..,
                        ] if !tables::continues_operator(*next) => (Kind::Punct(*sign), 1),
                        _ => return self.next(),
                    }
                }
                _ => return self.next(),
            };
            let start = self.at;
            self.skip(length);
            self.fresh = false;
            self.before = (kind, start, self.at);
        }
    }

    /// Returns the token that begins at the current position. If a comment begins there, skips it
    /// and returns `None`.
    #[inline(never)]
    fn other(&mut self, class: Class, byte: u8, glued: bool) -> Option<Token> {
        Some(match class {
            Class::Digit => self.number(glued),
            Class::Comment | Class::Special | Class::Punct if self.begins_conflict(byte) => {
                let end = self.line_end();
                self.token(Kind::Directive, end, false)
            }
            Class::Comment if self.comment() => return None,
            Class::Comment | Class::Special => self.special(byte, glued),
            _ => self.punct(byte, glued),
        })
    }

    /// Returns the token from the current position to the offset `end`, and moves to its end. The
    /// token may span several lines.
    fn token(&mut self, kind: Kind, end: usize, glued: bool) -> Token {
        // A token has at least one byte, so that the lexer always moves forward.
        let length = end.saturating_sub(self.at).max(1);
        let start = self.at;
        let mut token = self.sign(kind, length, glued);
        self.at = start;
        self.skip_to(token.end);
        token.last = self.line;
        token
    }

    /// Returns the token that has `length` bytes and is on this line only, and moves to its end.
    #[inline]
    fn sign(&mut self, kind: Kind, length: usize, glued: bool) -> Token {
        let start = self.at;
        self.skip(length);
        let end = self.at;
        let indent = self.fresh.then(|| self.indent(start));
        self.fresh = false;
        self.before = (kind, start, end);
        Token {
            kind,
            start,
            end,
            line: self.line,
            last: self.line,
            indent,
            adjacent: glued,
            roles: Roles::default(),
        }
    }

    /// Whether an operand may follow the previous token, so that `/` begins a regular expression.
    fn awaits_operand(&self) -> bool {
        let (kind, start, end) = self.before;
        match kind {
            Kind::Number | Kind::Text | Kind::Punct(b')' | b']') => false,
            Kind::Word => self
                .bytes
                .get(start..end)
                .is_some_and(tables::awaits_operand),
            _ => true,
        }
    }

    /// The kind of string that begins at the current position, if a string begins there.
    fn quote(&self) -> Option<&'static Quote> {
        let rest = self.rest();
        self.lexis.strings.iter().find(|quote| {
            let open = quote.open.as_bytes();
            open.first() == rest.first() && rest.starts_with(open)
        })
    }

    /// The text of a token.
    pub fn text(&self, token: &Token) -> &'t str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }
}
