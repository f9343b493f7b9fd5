//! Cuts code into words and punctuation. What stands in comments and strings is
//! passed over.
//!
//! Time is linear in the text: nothing is looked at again but what stands
//! between a quote and the end of its line, once for each kind of string.

mod comments;
mod heredocs;
mod markup;
mod perl;
mod strings;
mod tables;
mod tokens;

use super::grammar::Language;
use super::keywords::{Keywords, Roles};
use super::lexis::{Extra, Lexis, Quote};
use super::spans;
use memchr::{memchr, memmem};
use std::cell::Cell;
use std::collections::VecDeque;
use tables::{Class, classes, inner};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word: a name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string.
    Text,
    /// One character of punctuation.
    Punct(u8),
    /// `=>`
    Arrow,
    /// `->`
    Thin,
    /// `::`
    Path,
    /// An operator of several characters.
    Operator,
    /// A line for the preprocessor.
    Directive,
    /// What stood between brackets, of which this is the first one.
    Group(u8),
}

/// A word, string, bracket or other sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
    /// The line it starts on, counted from 1.
    pub line: u32,
    /// The line it ends on.
    pub last: u32,
    /// How far its line is indented, if it is the first on it.
    pub indent: Option<u32>,
    /// It follows the one before it without a gap.
    pub glued: bool,
    /// What it is if it is a keyword.
    pub roles: Roles,
}

impl Token {
    /// Its first byte, the one behind it, and its line.
    pub fn place(&self) -> (usize, usize, u32) {
        (self.start, self.end, self.line)
    }

    /// Whether it is this character.
    pub fn is(&self, punct: u8) -> bool {
        self.kind == Kind::Punct(punct)
    }
}

/// A run of lines that are comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its first byte.
    pub start: usize,
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
}

/// Tokens of a text.
pub struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    lexis: &'static Lexis,
    keywords: Keywords,
    classes: [Class; 256],
    /// Bytes of words behind the first.
    inner: [bool; 256],
    at: usize,
    line: u32,
    line_start: usize,
    /// Where the last comment began that stands before code on its line.
    lead: usize,
    /// Nothing but blanks stands before on this line.
    fresh: bool,
    /// Up to so many bytes a word may begin a string, end with a sign, or end the
    /// code: `r"…"`, `empty?`, `__END__`.
    particular: usize,
    /// What the token before is, its first byte, and the byte behind it.
    before: (Kind, usize, usize),
    /// Ends of texts that begin on the next line.
    heredocs: Vec<heredocs::Heredoc<'t>>,
    /// Runs of comments that stand on lines of their own.
    pub comments: Vec<Comment>,
    /// The line of a string or comment that does not end.
    pub unended: Option<u32>,
    /// The string before had no end.
    pub broken: bool,
    /// Where code in markup begins and ends.
    stops: VecDeque<markup::Stop>,
    /// Bytes that were looked through for ends that are not there.
    wasted: Cell<usize>,
}

/// Times the bytes of a text that may be looked through in vain: one that is
/// made for it would be looked through from each of its characters on.
const WASTE: usize = 4;

/// Levels of strings in code in strings.
const STRING_DEPTH: u32 = 8;

/// Columns of a tab.
const TAB: u32 = 8;

impl<'t> Lexer<'t> {
    /// A lexer at the start of a text.
    pub fn new(text: &'t str, language: &'static Language) -> Self {
        let lexis = &language.lexis;
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
            particular: tokens::particular(lexis),
            before: (Kind::Operator, 0, 0),
            heredocs: Vec::new(),
            comments: Vec::new(),
            unended: None,
            broken: false,
            stops: VecDeque::new(),
            wasted: Cell::new(0),
        };
        if lexis.has(Extra::PhpTags) {
            // Without any tag it is the rest of a file.
            let page = text.trim_start().starts_with('<') || text.contains("<?");
            let end = if page { lexer.php_begins(0) } else { 0 };
            lexer.skip_to(end);
        }
        lexer
    }

    /// Whether ends are still looked for.
    fn searches(&self) -> bool {
        self.wasted.get() <= self.bytes.len().saturating_mul(WASTE)
    }

    /// Notes that bytes were looked through in vain.
    fn waste(&self, bytes: usize) {
        self.wasted.set(self.wasted.get().saturating_add(bytes));
    }

    /// Where an end stands that is looked for in the text from `from` on.
    fn find(&self, from: usize, end: &[u8]) -> Option<usize> {
        let text = self.bytes.get(from..)?;
        if !self.searches() {
            return None;
        }
        let found = memmem::find(text, end);
        if found.is_none() {
            self.waste(text.len());
        }
        Some(from.saturating_add(found?))
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at.saturating_add(ahead)).copied()
    }

    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.bytes.len());
    }

    fn class(&self, byte: u8) -> Class {
        self.classes
            .get(usize::from(byte))
            .copied()
            .unwrap_or(Class::Punct)
    }

    fn is_inner(&self, byte: u8) -> bool {
        self.inner.get(usize::from(byte)).copied().unwrap_or(false)
    }

    /// Goes behind the end of a line, which is next.
    fn newline(&mut self) {
        self.skip(1);
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
        self.fresh = true;
        if !self.heredocs.is_empty() {
            self.skip_heredocs();
        }
    }

    /// Goes to a place ahead, and counts the lines up to there.
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

    /// Where this line ends.
    fn line_end(&self) -> usize {
        memchr(b'\n', self.rest()).map_or(self.bytes.len(), |end| self.at.saturating_add(end))
    }

    /// How far a line is indented on which something begins at a byte.
    fn indent(&self, at: usize) -> u32 {
        // A comment is a part of its line: `/* static */ int name()`.
        let led = self.lead >= self.line_start && self.lead < at;
        let end = if led { self.lead } else { at };
        let blanks = self.bytes.get(self.line_start..end).unwrap_or_default();
        if memchr(b'\t', blanks).is_none() {
            return u32::try_from(blanks.len()).unwrap_or(u32::MAX);
        }
        blanks.iter().fold(0u32, |column, blank| match blank {
            b'\t' => column
                .saturating_add(TAB)
                .saturating_sub(column.checked_rem(TAB).unwrap_or(0)),
            _ => column.saturating_add(1),
        })
    }

    /// The next token.
    ///
    /// What there is most of is told here: words, blanks and brackets.
    #[inline]
    pub fn next(&mut self) -> Option<Token> {
        let mut glued = true;
        loop {
            // A blank stands before most tokens: it is no reason to branch.
            let blank = self.peek(0) == Some(b' ');
            self.at = self.at.saturating_add(usize::from(blank));
            glued &= !blank;
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

    /// The token that begins here, unless it is a comment, behind which it goes.
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

    /// A token from here to a place ahead, to which it goes. It may go on behind
    /// its line.
    fn token(&mut self, kind: Kind, end: usize, glued: bool) -> Token {
        // Each goes ahead, whatever happens.
        let length = end.saturating_sub(self.at).max(1);
        let start = self.at;
        let mut token = self.sign(kind, length, glued);
        self.at = start;
        self.skip_to(token.end);
        token.last = self.line;
        token
    }

    /// A token of this line, which is so many bytes long, and behind which it goes.
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
            glued,
            roles: Roles::default(),
        }
    }

    /// Whether an operand may stand here, so that `/` begins a regular expression.
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

    /// What begins here of the strings that there are.
    fn quote(&self) -> Option<&'static Quote> {
        let rest = self.rest();
        self.lexis
            .strings
            .iter()
            .find(|quote| rest.starts_with(quote.open.as_bytes()))
    }

    /// The text of a token.
    pub fn text(&self, token: &Token) -> &'t str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }
}
