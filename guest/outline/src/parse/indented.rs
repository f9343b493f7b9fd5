//! Blocks in a language in which they are in braces or indented: `trait A:`, and the value after `=`.
//!
//! A block of members is opened by the sign at the end of its statement. The value of a declaration may
//! consist of several statements without any sign, so that the lines after a declaration which are
//! indented more belong to it, also after a block in braces.

use super::braces::binds;
use super::{Bound, Opener, Parser};
use crate::grammar::{Kind, Scope};
use crate::item::cut;
use crate::language::{Declaration, End, Statement};
use crate::limits;
use crate::token::{self, Roles, Token};

impl Parser<'_> {
    /// Handles the first token of a line, which is indented by `indent` columns and outside of
    /// parentheses.
    pub(super) fn indented_line(&mut self, token: &Token, indent: u32) {
        let marker = self.end_marker(token);
        while self.block().opener == Opener::Indent && !self.goes_on(token, indent) {
            if let Some(end) = marker.filter(|_| indent == self.block().indent) {
                self.finish(End::Statement);
                (self.last_line, self.last_end) = (token.line, end);
            }
            self.close();
        }
        let first = self.header().first().map(|first| first.indent);
        let deeper = first.flatten().is_some_and(|first| indent > first);
        if deeper && self.opens_indented(token) {
            return;
        }
        if first.is_some() {
            let parameters = deeper && self.as_header(End::Statement).awaits_parameters(token);
            if parameters || self.continues_statement(token) {
                return;
            }
            self.finish(End::Statement);
        }
        let Some(Bound {
            item,
            indent: around,
            below,
        }) = self.block().bound
        else {
            return;
        };
        if indent == around
            && let Some(end) = marker
            && let Some(item) = self.parsed.items.get_mut(item)
        {
            item.extend(token.line, end);
            (self.last_line, self.last_end) = (token.line, end);
        }
        let inside = indent > around || (indent == around && self.is_branch(token));
        // Lines of declarations may be indented by mistake.
        let declares = || self.as_header(End::Statement).declares_next(token);
        if inside && !token.is(b'}') && (below || !declares()) {
            self.open_indented(Scope::Code, item, around, token);
        } else if let Some(block) = self.blocks.last_mut() {
            block.bound = None;
        }
    }

    /// Whether the line that begins with `token` is in the innermost block, which is indented. A branch may
    /// begin in the column of the statement around the block.
    fn goes_on(&self, token: &Token, indent: u32) -> bool {
        let block = self.block();
        indent > block.indent
            || (indent == block.indent && block.place == Scope::Code && self.is_branch(token))
    }

    /// Whether the line that begins with `token` is a branch of the statement before it.
    fn is_branch(&self, token: &Token) -> bool {
        match self.lexer.text(token) {
            "else" | "catch" | "finally" | "then" | "do" | "yield" => true,
            // `case a =>`, but not `case class A`
            "case" => {
                let rest = self.text.get(token.end..).unwrap_or_default();
                let line = rest.lines().next().unwrap_or_default();
                let next = line.split_ascii_whitespace().next().unwrap_or_default();
                !matches!(next, "class" | "object") && line.contains("=>")
            }
            _ => false,
        }
    }

    /// The offset after the line that begins with `token`, if the line marks the end of a block: `end name`.
    fn end_marker(&self, token: &Token) -> Option<usize> {
        if token.kind != token::Kind::Word || self.lexer.text(token) != "end" {
            return None;
        }
        let line = self.text.get(token.end..)?.lines().next()?;
        let mut words = line.split_ascii_whitespace();
        let name = words.next()?;
        let is_name = name
            .chars()
            .all(|c| c.is_alphanumeric() || "_$`".contains(c));
        let end = token.end.saturating_add(line.trim_end().len());
        (is_name && words.next().is_none_or(|more| more.starts_with("//"))).then_some(end)
    }

    /// Opens a block before the line that begins with `next`, if the current statement requires one. Returns
    /// whether it did.
    fn opens_indented(&mut self, next: &Token) -> bool {
        let Some((first, last)) = self.ends() else {
            return false;
        };
        let may_open = match last.kind {
            token::Kind::Punct(sign) => matches!(sign, b':' | b'='),
            token::Kind::Group(open) => open == b'(',
            token::Kind::Word => self.lexer.text(&last) == "with",
            _ => false,
        };
        if !may_open {
            return false;
        }
        // The sign is no part of a name.
        let signed = last.is(b':');
        if signed {
            self.tokens.pop();
        }
        let header = self.as_header(End::Block);
        let place = header.opened(signed, next, &last);
        let found = place.and_then(|place| Some((header.found()?, place)));
        if signed {
            self.tokens.push(last);
        }
        let Some((found, place)) = found else {
            return false;
        };
        let item = self.add(&found, &first, &last);
        let around = first.indent.unwrap_or(0);
        self.clear();
        self.open_indented(place, item, around, next);
        true
    }

    /// Opens the block of an item, which holds the lines that are indented more than `around`.
    fn open_indented(&mut self, place: Scope, item: usize, around: u32, token: &Token) {
        let levels = self.blocks.len();
        // No sign ends a block of lines, so that those that are too deep are not counted.
        if levels >= limits::BLOCK_DEPTH {
            return;
        }
        self.open(Opener::Indent, place, Some(item), token);
        let start = self.parsed.items.get(item).map(|item| item.start);
        if self.blocks.len() > levels
            && let Some(block) = self.blocks.last_mut()
        {
            block.indent = around;
            block.local |= place == Scope::Code;
            block.start = start.unwrap_or(block.start);
        }
    }

    /// Records that lines after the declaration `item` may belong to it, because it binds a name to a value.
    pub(super) fn binds_lines(&mut self, found: &Declaration, item: usize) {
        let header = self.header();
        let indent = header.first().and_then(|first| first.indent);
        let value = matches!(found.kind, Kind::Function | Kind::Value) && binds(header);
        let below = header
            .iter()
            .zip(header.iter().skip(1))
            .any(|(sign, next)| sign.is(b'=') && next.line > sign.line);
        let bound = indent.filter(|_| value).map(|indent| Bound {
            item,
            indent,
            below,
        });
        if let Some(block) = self.blocks.last_mut() {
            block.bound = bound;
        }
    }
}

impl Statement<'_> {
    /// The scope of the block of indented lines that the statement opens. `signed` is whether `:` follows
    /// the statement, `last` is its last token with this sign, and `next` is the first token of the next line.
    fn opened(&self, signed: bool, next: &Token, last: &Token) -> Option<Scope> {
        let prefix = self.prefix();
        let form = self.form(prefix)?;
        let members = matches!(form.kind, Kind::Type | Kind::Module);
        let word = self.words(last.start, last.end);
        let is = |name: &str| {
            let words = self.tokens.iter();
            words
                .into_iter()
                .any(|token| self.words(token.start, token.end) == name)
        };
        let value = binds(self.tokens);
        let opens = match form.word {
            "given" => signed || word == "with",
            "extension" => signed || last.kind == token::Kind::Group(b'('),
            _ if members => signed && !value,
            _ => signed && value,
        };
        if opens {
            let instance = members || form.word == "given" || is("new");
            return Some(if instance { form.holds } else { Scope::Code });
        }
        (last.is(b'=') && self.declares_next(next)).then_some(Scope::Code)
    }

    /// Whether the line that begins with `next` declares something.
    fn declares_next(&self, next: &Token) -> bool {
        if !next.roles.has(Roles::FORM) && !next.roles.has(Roles::MODIFIER) && !next.is(b'@') {
            return false;
        }
        let ahead = cut(self.words(next.start, self.text.len()), limits::NAME_BYTES);
        let mut words = ahead
            .split_ascii_whitespace()
            .skip_while(|word| word.starts_with('@') || self.language.modifiers.contains(word));
        let word = words.next().unwrap_or_default();
        let name = words.next().unwrap_or_default();
        self.language
            .keyword(word)
            .is_some_and(|form| form.word != "extension")
            && name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '`')
    }

    /// Whether the parameters of a declaration continue on the line that begins with `next`.
    fn awaits_parameters(&self, next: &Token) -> bool {
        let (Some(form), Some(last)) = (self.form(self.prefix()), self.tokens.last()) else {
            return false;
        };
        matches!(form.kind, Kind::Function | Kind::Type)
            && !binds(self.tokens)
            && (next.is(b'(') || next.is(b'['))
            && matches!(
                last.kind,
                token::Kind::Word | token::Kind::Group(b'(' | b'[')
            )
    }
}
