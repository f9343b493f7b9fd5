//! Finds the declarations of a text: which blocks and statements there are, and
//! what each of them declares.
//!
//! It never stops at what it does not understand: a bracket that is missing or
//! left over is told by how the lines around it are indented.

mod arrange;
mod braces;
mod branches;
mod columns;
mod lines;
mod lists;
mod markup;
mod messages;
mod scripts;
mod statements;
mod words;

use super::grammar::{Form, Habit, Kind, Language, Nesting, Place};
use super::header::{End, Found, Header};
use super::item::{Item, Parsed};
use super::lexer::{self, Lexer, Token};

/// Blocks in one another that are kept apart; what is deeper is passed over.
const DEPTH: usize = 200;

/// Braces of a statement before which a declaration is looked for.
const TRIES: u8 = 40;

/// Tokens of a statement that are looked at.
const HEADER: usize = 400;

/// Finds the declarations of a text.
pub fn parse(text: &str, language: &'static Language) -> Parsed {
    if matches!(language.nesting, Nesting::Markup) {
        return markup::parse(text, language);
    }
    let mut parser = Parser {
        text,
        language,
        lexer: Lexer::new(text, language),
        tokens: Vec::with_capacity(HEADER),
        blocks: vec![Block::FILE],
        branches: Vec::new(),
        minds_words: matches!(language.nesting, Nesting::Ends(_)) || language.does(Habit::Messages),
        broken: false,
        parsed: Parsed::default(),
        last_line: 1,
        deeper: 0,
    };
    parser.run();
    parser.finished()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opener {
    File,
    /// `{`, of statements or declarations.
    Brace,
    /// `{`, `(` or `[`, of values.
    Group(u8),
    /// A word.
    Word,
    /// Lines that are indented.
    Indent,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    opener: Opener,
    place: Place,
    item: Option<usize>,
    /// Where the tokens of its statement begin.
    header: usize,
    /// What begins it.
    start: usize,
    /// The line that begins it.
    line: u32,
    /// How far the line is indented on which its statement began.
    indent: u32,
    /// The keyword that holds for all in it.
    implied: Option<&'static Form>,
    /// What its statement was found to declare, before that has ended.
    pending: Option<usize>,
    /// The next `do` is a part of it.
    awaits_do: bool,
    /// The statement that has begun tells of it.
    declares: bool,
    /// How far its statements are indented.
    inner: Option<u32>,
    /// The keyword of the statement before, for which `and` may stand.
    before: Option<&'static Form>,
    /// Braces of the statement that has begun.
    tries: u8,
    /// It stands in a function.
    local: bool,
}

impl Block {
    /// The file as a whole.
    const FILE: Self = Self {
        opener: Opener::File,
        place: Place::File,
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
        before: None,
        tries: 0,
        local: false,
    };
}

struct Parser<'t> {
    text: &'t str,
    language: &'static Language,
    lexer: Lexer<'t>,
    /// Those of the statements that have not ended, one behind the other.
    tokens: Vec<Token>,
    blocks: Vec<Block>,
    /// What was open before each `#if`.
    branches: Vec<(Vec<Block>, usize)>,
    /// Words may begin and end blocks.
    minds_words: bool,
    /// A string lacked its end on this line.
    broken: bool,
    parsed: Parsed,
    /// The line of the last token.
    last_line: u32,
    /// Blocks that are too deep to be kept.
    deeper: u32,
}

impl Parser<'_> {
    fn run(&mut self) {
        while let Some(token) = self.lexer.next() {
            if let Some(indent) = token.indent {
                self.line(&token, indent);
            }
            if self.is_plain(token.kind) {
                self.push(token);
            } else {
                self.token(token);
            }
            self.last_line = token.last;
        }
    }

    /// A line begins with a token.
    #[inline(never)]
    fn line(&mut self, token: &Token, indent: u32) {
        if std::mem::take(&mut self.broken) {
            self.end_broken();
        }
        self.line_begins(token, indent);
    }

    /// Whether a token only becomes a part of the statement that has begun: all
    /// others go to [`Parser::token`].
    fn is_plain(&self, kind: lexer::Kind) -> bool {
        match kind {
            lexer::Kind::Word => !self.minds_words,
            lexer::Kind::Number
            | lexer::Kind::Arrow
            | lexer::Kind::Thin
            | lexer::Kind::Path
            | lexer::Kind::Operator => true,
            lexer::Kind::Punct(sign) => !matches!(
                sign,
                b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b',' | b':'
            ),
            lexer::Kind::Text | lexer::Kind::Directive | lexer::Kind::Group(_) => false,
        }
    }

    fn block(&self) -> &Block {
        self.blocks.last().unwrap_or(&Block::FILE)
    }

    /// The tokens of the statement that has begun.
    fn header(&self) -> &[Token] {
        let from = self.blocks.last().map_or(0, |block| block.header);
        self.tokens.get(from..).unwrap_or_default()
    }

    /// The first and the last of them.
    fn ends(&self) -> Option<(Token, Token)> {
        let header = self.header();
        Some((*header.first()?, *header.last()?))
    }

    fn in_group(&self) -> bool {
        let opener = self.blocks.last().map(|block| block.opener);
        matches!(opener, Some(Opener::Group(b'(' | b'[')))
    }

    fn as_header(&self, end: End) -> Header<'_> {
        let block = self.block();
        let owner = block.item.and_then(|item| self.parsed.items.get(item));
        Header {
            text: self.text,
            tokens: self.header(),
            language: self.language,
            place: block.place,
            end,
            implied: block.implied.or(block.before),
            owner: owner.map(|item| item.name.as_str()),
        }
    }

    #[inline(never)]
    fn token(&mut self, token: Token) {
        // Nothing but a string breaks, and strings come here.
        self.broken |= std::mem::take(&mut self.lexer.broken);
        match token.kind {
            _ if matches!(self.language.nesting, Nesting::Parentheses) => self.list_token(token),
            lexer::Kind::Word
                if self.language.does(Habit::Messages) && self.message_end(&token) => {}
            lexer::Kind::Directive => self.directive(&token),
            lexer::Kind::Punct(b'{') => self.brace(token),
            lexer::Kind::Punct(open @ (b'(' | b'[')) => self.open_group(token, open),
            lexer::Kind::Punct(b'}') => self.close_brace(&token),
            lexer::Kind::Punct(close @ (b')' | b']')) => self.close_group(&token, close),
            lexer::Kind::Punct(b';') if matches!(self.language.nesting, Nesting::Columns) => {
                self.push(token);
            }
            lexer::Kind::Punct(b';') if self.language.nesting_is_braces() || !self.in_group() => {
                self.semicolon();
            }
            lexer::Kind::Punct(b',') if self.separates() => {
                self.finish(End::Statement);
            }
            lexer::Kind::Word if matches!(self.language.nesting, Nesting::Ends(_)) => {
                self.word(token);
            }
            lexer::Kind::Punct(b':') if matches!(self.language.nesting, Nesting::Indentation) => {
                self.push(token);
                self.colon();
            }
            _ => self.push(token),
        }
    }

    #[inline]
    fn push(&mut self, token: Token) {
        if self.header().len() < HEADER {
            self.tokens.push(token);
        }
    }

    /// Forgets the statement that has begun.
    fn clear(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            block.pending = None;
            block.declares = false;
            block.tries = 0;
            self.tokens.truncate(block.header);
        }
    }

    fn open(&mut self, opener: Opener, place: Place, item: Option<usize>, token: &Token) {
        if self.blocks.len() >= DEPTH {
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
            before: None,
            tries: 0,
            local: above.local || function,
        });
    }

    /// Ends a block that lacks its end, and the statement that it is a part of.
    fn close_unended(&mut self) {
        let owned = self.block().item.is_some();
        self.close();
        if owned {
            self.clear();
        }
    }

    /// Ends the block that is open.
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
            item.last = item.last.max(self.last_line);
            self.end_inner(start, at);
        }
        self.tokens.truncate(header);
    }

    fn lost(&mut self, line: u32) {
        self.parsed.lost.get_or_insert(line);
    }

    /// `:` at the end of a line begins a block of lines.
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
        parsed.lost = [parsed.lost, lost, unended].into_iter().flatten().min();
        arrange::arrange(&mut parsed.items);
        arrange::docs(&mut parsed.items, &self.lexer.comments);
        let inner = arrange::about(self.text, &parsed.items, &self.lexer.comments);
        parsed.about = parsed.about.or(inner);
        parsed.comments = self
            .lexer
            .comments
            .iter()
            .map(|comment| (comment.first, comment.last))
            .collect();
        parsed
    }
}

impl Language {
    fn nesting_is_braces(&self) -> bool {
        matches!(self.nesting, Nesting::Braces)
    }

    fn nesting_is_indentation(&self) -> bool {
        matches!(self.nesting, Nesting::Indentation)
    }
}

/// Whether a statement binds a name to something.
fn binds(header: &[Token]) -> bool {
    let mut level = 0u32;
    header.iter().any(|token| {
        match token.kind {
            lexer::Kind::Punct(b'<') => level = level.saturating_add(1),
            lexer::Kind::Punct(b'>') => level = level.saturating_sub(1),
            lexer::Kind::Punct(b'=') => return level == 0,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests;
