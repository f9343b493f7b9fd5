//! Parser: finds the blocks and statements of a text, and what each of them declares.
//!
//! The submodules contain the rules for braces, block words, columns and parentheses.
//!
//! The parser never fails. The indentation of the surrounding lines shows where a bracket is
//! missing or surplus.

pub mod arrange;
mod at_blocks;
mod braces;
mod branches;
mod columns;
mod indented;
mod lines;
mod lists;
mod statements;
mod undeclared;
mod words;

use super::grammar::{Keyword, Kind, Nesting, Scope};
use super::item::{Parsed, Restart};
use super::language::{Declaration, End, Language, Statement};
use super::lexer::Lexer;
use super::lexis::LexFeature;
use super::token::{self, Token};
use crate::limits;
pub use undeclared::Undeclared;

/// Returns the declarations of a text that is code. If brackets seem to be missing by the indentation,
/// but all brackets match, the indentation is wrong, and only brackets count.
pub fn parse(text: &str, language: &'static Language) -> Parsed {
    let parsed = parse_once(text, language, true);
    if parsed.unbalanced_at.is_some() {
        let strict = parse_once(text, language, false);
        if strict.unbalanced_at.is_none() {
            return strict;
        }
    }
    parsed
}

/// Returns the declarations of the start of a text, up to [`Parsed::restart`]. Brackets that do not match
/// after that place do not matter.
pub fn parse_piece(text: &str, language: &'static Language) -> Parsed {
    let damaged = |parsed: &Parsed| {
        let (lost, restart) = (parsed.unbalanced_at, parsed.restart);
        lost.is_some_and(|lost| restart.is_none_or(|restart| lost < restart.line))
    };
    let parsed = parse_once(text, language, true);
    if damaged(&parsed) {
        let strict = parse_once(text, language, false);
        if !damaged(&strict) && strict.restart.is_some() {
            return strict;
        }
    }
    parsed
}

/// Returns the declarations of a text. `recovers` is whether the indentation shows where a bracket is
/// missing.
fn parse_once(text: &str, language: &'static Language, recovers: bool) -> Parsed {
    let mut parser = Parser {
        text,
        language,
        recovers,
        lexer: Lexer::new(text, language),
        tokens: Vec::with_capacity(limits::STATEMENT_TOKENS),
        blocks: vec![Block::FILE],
        branches: Vec::new(),
        block_words: matches!(language.nesting, Nesting::Ends(_)) || language.at_blocks.is_some(),
        broken: false,
        parsed: Parsed::default(),
        last_line: 1,
        last_end: 0,
        decorated: None,
        old_style: None,
        deeper: 0,
    };
    parser.run();
    parser.finished()
}

/// The token that opened a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opener {
    File,
    /// `{`, which begins statements or declarations.
    Brace,
    /// `{`, `(` or `[`, which begins values.
    Group(u8),
    /// A word, such as `do`.
    Word,
    /// Indentation: the block consists of indented lines.
    Indent,
}

/// A declaration whose value may continue on lines that are indented more than its first one.
#[derive(Clone, Copy, Debug)]
struct Bound {
    /// The index in `items` of the declaration.
    item: usize,
    /// The indentation of its first line in columns.
    indent: u32,
    /// Whether the value begins on a line of its own, so that it may have declarations.
    below: bool,
}

/// An open block.
#[derive(Clone, Copy, Debug)]
struct Block {
    opener: Opener,
    place: Scope,
    /// The index in `items` of the declaration whose body the block is. `None` for other blocks.
    item: Option<usize>,
    /// The index in [`Parser::tokens`] of the first token of the current statement.
    header: usize,
    /// The byte offset in the text of the token that begins the block.
    start: usize,
    /// The line of the token that begins the block.
    line: u32,
    /// The indentation in columns of the line on which the statement begins that opens the block.
    indent: u32,
    /// The keyword that applies to all statements of the block: `const (…)`.
    implied: Option<&'static Keyword>,
    /// The index in `items` of the declaration that the current statement makes, if the statement
    /// continues after the block of the declaration.
    pending: Option<usize>,
    /// Whether the next `do` belongs to this block and opens no block of its own: `while … do`.
    awaits_do: bool,
    /// Whether the current statement is the header of the block and declares it: `def name(…)`.
    declares: bool,
    /// The indentation in columns of the statements in the block, or `None` if it is not known.
    inner: Option<u32>,
    /// The last declaration in the block, if its value may continue on the next lines.
    bound: Option<Bound>,
    /// The keyword of the previous OCaml statement in the block. It also applies to a statement
    /// that begins with `and`.
    before: Option<&'static Keyword>,
    /// The number of `{` so far in the current statement.
    tries: u8,
    /// Whether the block is the body of a function, or is inside one.
    local: bool,
}

impl Block {
    /// The block of the whole file.
    const FILE: Self = Self {
        opener: Opener::File,
        place: Scope::File,
        item: None,
        header: 0,
        start: 0,
        line: 1,
        indent: 0,
        implied: None,
        pending: None,
        awaits_do: false,
        declares: false,
        inner: None,
        bound: None,
        before: None,
        tries: 0,
        local: false,
    };
}

/// The state of parsing a text.
struct Parser<'t> {
    text: &'t str,
    language: &'static Language,
    /// Whether the indentation shows where a bracket is missing.
    recovers: bool,
    lexer: Lexer<'t>,
    /// The tokens of the statements that have not ended. Statements of outer blocks come first.
    tokens: Vec<Token>,
    blocks: Vec<Block>,
    /// A copy of `blocks` and the number of `tokens`, saved at each open `#if` or merge conflict.
    branches: Vec<(Vec<Block>, usize)>,
    /// Whether words may begin and end blocks.
    block_words: bool,
    /// Whether a string that begins on the current line has no closing quote.
    broken: bool,
    parsed: Parsed,
    /// The line on which the most recently handled token ends.
    last_line: u32,
    /// The byte offset after that token.
    last_end: usize,
    /// The line and the byte offset of the first decorator before the current statement, and the
    /// number of open blocks around it.
    decorated: Option<((u32, usize), usize)>,
    /// The index of the item of a function of old C whose parameters are being declared before its
    /// block, and the number of open blocks.
    old_style: Option<(usize, usize)>,
    /// The number of open blocks that are too deep to be kept.
    deeper: u32,
}

impl Parser<'_> {
    fn run(&mut self) {
        while let Some(token) = self.lexer.next() {
            if let Some(indent) = token.indent {
                self.line(&token, indent);
                if self.blocks.len() == 1 && self.tokens.is_empty() {
                    self.restarts();
                }
            }
            if self.is_plain(token.kind) {
                self.push(token);
            } else {
                self.token(token);
            }
            self.reach(&token);
        }
    }

    /// Records that a token was handled.
    #[inline]
    fn reach(&mut self, token: &Token) {
        self.last_line = token.last;
        self.last_end = token.end;
    }

    /// Records that a scan may begin at the line after the last token, which is outside all blocks and
    /// statements.
    #[inline(never)]
    fn restarts(&mut self) {
        let inside = self.deeper > 0
            || self.decorated.is_some()
            || self.old_style.is_some()
            || self.block().before.is_some()
            || self.last_end == 0
            || self.lexer.open_ended.get()
            // Statements of one function follow each other.
            || matches!(self.language.nesting, Nesting::Columns)
            || self.parsed.items.len() >= limits::ITEMS
            || self.language.lex_rules.has(LexFeature::PhpTags);
        let rest = self.text.get(self.last_end..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest.as_bytes());
        // A comment may begin on the line.
        if let Some(end) = end.filter(|_| !inside)
            && rest.get(..end).is_some_and(|rest| rest.trim().is_empty())
        {
            self.parsed.restart = Some(Restart {
                offset: self.last_end.saturating_add(end).saturating_add(1),
                line: self.last_line.saturating_add(1),
            });
        }
    }

    /// Handles the first token of a line.
    #[inline(never)]
    fn line(&mut self, token: &Token, indent: u32) {
        if std::mem::take(&mut self.broken) {
            self.end_broken();
        }
        self.line_begins(token, indent);
    }

    /// Whether a token of this kind only extends the current statement. [`Parser::token`] handles
    /// all other tokens.
    fn is_plain(&self, kind: token::Kind) -> bool {
        match kind {
            token::Kind::Word => !self.block_words,
            token::Kind::Number
            | token::Kind::Arrow
            | token::Kind::ThinArrow
            | token::Kind::Path
            | token::Kind::Operator => true,
            token::Kind::Punct(sign) => !matches!(
                sign,
                b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b',' | b':'
            ),
            token::Kind::Text | token::Kind::Directive | token::Kind::Group(_) => false,
        }
    }

    /// The innermost open block.
    fn block(&self) -> &Block {
        self.blocks.last().unwrap_or(&Block::FILE)
    }

    /// The tokens of the current statement.
    fn header(&self) -> &[Token] {
        let from = self.blocks.last().map_or(0, |block| block.header);
        self.tokens.get(from..).unwrap_or_default()
    }

    /// The first and the last token of the current statement.
    fn ends(&self) -> Option<(Token, Token)> {
        let header = self.header();
        Some((*header.first()?, *header.last()?))
    }

    /// Whether the innermost block is in parentheses or square brackets.
    fn in_group(&self) -> bool {
        let opener = self.blocks.last().map(|block| block.opener);
        matches!(opener, Some(Opener::Group(b'(' | b'[')))
    }

    /// The current statement, prepared for the search for a declaration. `end` says how the
    /// statement ends.
    fn as_header(&self, end: End) -> Statement<'_> {
        let block = self.block();
        let owner = block.item.and_then(|item| self.parsed.items.get(item));
        Statement {
            text: self.text,
            tokens: self.header(),
            language: self.language,
            place: block.place,
            end,
            implied: block.implied.or(block.before),
            owner: owner.map(|item| item.name.as_str()),
            grouped: self.in_group(),
        }
    }

    #[inline(never)]
    fn token(&mut self, token: Token) {
        // Only strings can lack their end, and all strings come here.
        self.broken |= std::mem::take(&mut self.lexer.broken);
        match token.kind {
            _ if matches!(self.language.nesting, Nesting::Parentheses) => self.list_token(token),
            token::Kind::Word if self.at_end(&token) => {}
            token::Kind::Directive => self.directive(&token),
            token::Kind::Punct(b'{') => self.brace(token),
            token::Kind::Punct(open @ (b'(' | b'[')) => self.open_group(token, open),
            token::Kind::Punct(b'}') => self.close_brace(&token),
            token::Kind::Punct(close @ (b')' | b']')) => self.close_group(&token, close),
            token::Kind::Punct(b';') if matches!(self.language.nesting, Nesting::Columns) => {
                self.push(token);
            }
            token::Kind::Punct(b';') if self.language.nesting_is_braces() || !self.in_group() => {
                self.semicolon();
            }
            token::Kind::Punct(b',') if self.separates() => {
                self.finish(End::Statement);
            }
            token::Kind::Word if matches!(self.language.nesting, Nesting::Ends(_)) => {
                self.word(token);
            }
            token::Kind::Punct(b':') if matches!(self.language.nesting, Nesting::Indentation) => {
                self.push(token);
                self.colon();
            }
            _ => self.push(token),
        }
    }

    /// Adds a token to the current statement.
    #[inline]
    fn push(&mut self, token: Token) {
        if self.header().len() < limits::STATEMENT_TOKENS {
            self.tokens.push(token);
        }
    }

    /// Discards the current statement.
    fn clear(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            block.pending = None;
            block.declares = false;
            block.tries = 0;
            self.tokens.truncate(block.header);
        }
    }

    /// Opens a block that begins with `token`.
    fn open(&mut self, opener: Opener, place: Scope, item: Option<usize>, token: &Token) {
        if self.blocks.len() >= limits::BLOCK_DEPTH {
            self.deeper = self.deeper.saturating_add(1);
            return self.clear();
        }
        let above = self.block();
        let indent = self.header().first().and_then(|first| first.indent);
        let function = item
            .and_then(|item| self.parsed.items.get(item))
            .is_some_and(|item| item.kind == Kind::Function);
        self.blocks.push(Block {
            opener,
            place,
            item,
            header: self.tokens.len(),
            start: token.start,
            line: token.line,
            indent: indent.or(token.indent).unwrap_or(above.indent),
            implied: None,
            pending: None,
            awaits_do: false,
            declares: false,
            inner: None,
            bound: None,
            before: None,
            tries: 0,
            local: above.local || function,
        });
    }

    /// Closes the innermost block, whose end is missing. If the block is the body of a declaration,
    /// discards the rest of the statement that declares it.
    fn close_unended(&mut self) {
        let owned = self.block().item.is_some();
        self.close();
        if owned {
            self.clear();
        }
    }

    /// Closes the innermost block.
    fn close(&mut self) {
        self.finish(End::Statement);
        let Block {
            opener,
            item,
            header,
            start,
            ..
        } = *self.block();
        self.blocks.truncate(self.blocks.len().saturating_sub(1));
        if opener == Opener::File {
            return;
        }
        if let Some(at) = item
            && let Some(item) = self.parsed.items.get_mut(at)
        {
            item.extend(self.last_line, self.last_end);
            self.end_inner(start, at);
        }
        self.tokens.truncate(header);
    }

    /// Records that brackets do not match from the line `line` on, unless an earlier call recorded
    /// a line.
    fn lost(&mut self, line: u32) {
        self.parsed.unbalanced_at.get_or_insert(line);
    }

    /// Opens a block of indented lines after a `:`, if the statement before the `:` declares
    /// something.
    fn colon(&mut self) {
        let header = self.as_header(End::Block);
        let Some(found) = header.found() else {
            return;
        };
        let Some((first, last)) = self.ends() else {
            return;
        };
        let item = self.add(&found, &first, &last);
        let indent = first.indent.unwrap_or(self.block().indent);
        self.tokens.truncate(self.block().header);
        let token = last;
        self.open(Opener::Indent, found.holds, Some(item), &token);
        if let Some(block) = self.blocks.last_mut() {
            block.indent = indent;
            block.header = self.tokens.len();
        }
    }

    /// Closes all blocks and returns the result.
    fn finished(mut self) -> Parsed {
        let open = self
            .blocks
            .iter()
            .skip(1)
            .find(|block| block.opener != Opener::Indent);
        let lost = open.map(|block| block.line);
        while self.blocks.len() > 1 {
            self.close_unended();
        }
        self.finish(End::Statement);
        let mut parsed = self.parsed;
        let unended = self.lexer.unended;
        parsed.unbalanced_at = [parsed.unbalanced_at, lost, unended]
            .into_iter()
            .flatten()
            .min();
        arrange::arrange(&mut parsed.items);
        arrange::docs(&mut parsed.items, &self.lexer.comments);
        let inner = arrange::about(self.text, &parsed.items, &self.lexer.comments);
        parsed.file_doc = parsed.file_doc.or(inner);
        parsed.comments = self
            .lexer
            .comments
            .iter()
            .map(|comment| (comment.first, comment.last))
            .collect();
        parsed
    }
}

#[cfg(test)]
mod tests;
