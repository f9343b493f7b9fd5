//! Blocks that begin and end with words: `do … end`.

use super::{Block, Opener, Parser};
use crate::grammar::{Kind, Nesting, Scope};
use crate::language::End;
use crate::limits;
use crate::token::{self, Roles, Token};

impl Parser<'_> {
    /// Handles a word in a language whose blocks begin and end with words.
    pub(super) fn word(&mut self, token: Token) {
        let Nesting::Ends(ends) = &self.language.nesting else {
            return self.push(token);
        };
        if !token.roles.has(Roles::BLOCK)
            || (!ends.reserved && self.is_name(&token))
            || (ends.values && self.in_group() && !self.leads())
        {
            return self.push(token);
        }
        let word = self.lexer.text(&token);
        // `a[begin]`
        if ends.values && word == "begin" && self.block().opener == Opener::Group(b'[') {
            return self.push(token);
        }
        let holds = |words: &[&str]| self.language.contains_word(words, word);
        if holds(ends.closers) {
            if !(ends.values && self.in_group()) {
                self.close_word(&token);
            }
        } else if holds(ends.openers)
            || (holds(ends.leading) && (self.leads() || (ends.values && self.block().declares)))
        {
            self.open_word(token, false);
        } else if holds(ends.loops) && self.leads() {
            self.open_word(token, true);
        } else if holds(ends.after_head) {
            self.open_after(token);
        } else if holds(ends.breaks) {
            self.finish(End::Statement);
        } else {
            self.push(token);
        }
    }

    /// Whether a word that could be a keyword is a name: `a.end`, `:end`, `end:`,
    /// `def end`.
    fn is_name(&self, token: &Token) -> bool {
        let mut after = self
            .text
            .as_bytes()
            .get(token.end..)
            .unwrap_or_default()
            .iter();
        let key = after.next() == Some(&b':') && after.next() != Some(&b':');
        let header = self.header();
        let Some(last) = header.last() else {
            return key;
        };
        // `a ? b : c`
        let chosen = key
            && header
                .iter()
                .rev()
                .take(limits::TOKENS_BEFORE_KEYWORD)
                .any(|token| token.is(b'?'));
        let member = match last.kind {
            // `:.` is a symbol, and `$.` a variable.
            token::Kind::Punct(b'.') => {
                let before = header.len().checked_sub(2).and_then(|at| header.get(at));
                let named = before.is_some_and(|before| before.is(b':') || before.is(b'$'));
                !(last.adjacent && named)
            }
            token::Kind::Operator => self.lexer.text(last) == "?.",
            token::Kind::Path | token::Kind::Punct(b':' | b'@' | b'$') => token.adjacent,
            token::Kind::Word => matches!(self.lexer.text(last), "def" | "alias" | "undef"),
            _ => false,
        };
        (key && !chosen) || member
    }

    /// Whether the next token begins a statement or an operand.
    fn leads(&self) -> bool {
        self.header().last().is_none_or(|last| match last.kind {
            // `[a... for a in b]`
            token::Kind::Operator => self.lexer.text(last) != "...",
            token::Kind::Arrow | token::Kind::ThinArrow => true,
            token::Kind::Punct(punct) => !matches!(punct, b'?' | b'!' | b'@' | b'$'),
            // `@inbounds for`
            token::Kind::Word if self.lexer.text(last).starts_with('@') => true,
            token::Kind::Word => matches!(
                self.lexer.text(last),
                "then" | "else" | "do" | "and" | "or" | "not" | "in" | "begin" | "ensure"
            ),
            _ => false,
        })
    }

    /// Opens a block that begins with the word `token`. `loops` says whether the next `do` belongs
    /// to the same block.
    fn open_word(&mut self, token: Token, loops: bool) {
        let declares = token.roles.has(Roles::FORM);
        // The header of the open block ends here.
        if self.block().declares {
            self.finish(End::Statement);
        }
        // The tokens before the keyword are part of the declaration: `local function`,
        // `x = function`.
        let before = match self.header() {
            before if declares && before.len() <= limits::TOKENS_BEFORE_KEYWORD => before.to_vec(),
            _ => Vec::new(),
        };
        let above = self.block();
        let place = if declares { above.place } else { Scope::Code };
        self.open(Opener::Word, place, None, before.first().unwrap_or(&token));
        if let Some(block) = self.blocks.last_mut()
            && block.header == self.tokens.len()
        {
            block.awaits_do = loops;
            block.declares = declares;
            self.tokens.extend(before);
        }
        self.push(token);
    }

    /// Records that the statement that has just ended declares the innermost block. `item` is the
    /// index of the declaration.
    pub(super) fn declared(&mut self, item: usize, kind: Kind, holds: Scope) {
        // `def name(…) = value` has no end of its own.
        let is_endless = self.language.family.is_endless;
        let endless = kind == Kind::Function
            && is_endless.is_some_and(|is_endless| is_endless(&self.as_header(End::Statement)));
        if endless {
            let block = self.blocks.pop();
            if let Some(block) = block {
                self.tokens.truncate(block.header);
            }
            return;
        }
        if let Some(block) = self.blocks.last_mut() {
            block.item = Some(item);
            block.place = holds;
            block.local |= kind == Kind::Function;
        }
    }

    /// Handles a word that begins a block after its head: `do`.
    fn open_after(&mut self, token: Token) {
        // This `do` belongs to a loop.
        if let Some(block) = self.blocks.last_mut()
            && block.awaits_do
        {
            block.awaits_do = false;
            return self.finish(End::Statement);
        }
        if self.block().declares {
            self.finish(End::Statement);
        }
        let header = self.as_header(End::Block);
        let found = header.found();
        let ends = self.ends();
        if let (Some(found), Some((first, last))) = (found, ends)
            && found.kind != Kind::Value
        {
            let item = self.add(&found, &first, &last);
            self.open(Opener::Word, found.holds, Some(item), &token);
        } else {
            self.open(Opener::Word, Scope::Code, None, &token);
        }
    }

    /// Handles a word that ends a block.
    fn close_word(&mut self, token: &Token) {
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
            return;
        }
        if self.block().declares {
            self.finish(End::Statement);
        }
        let is_word = |block: &Block| block.opener == Opener::Word;
        let Some(mut at) = self.blocks.iter().rposition(is_word) else {
            self.lost(token.line);
            return self.clear();
        };
        // An end word at the start of a line closes the block of the same indentation.
        if let Some(indent) = token.indent.filter(|_| self.recovers)
            && self
                .blocks
                .get(at)
                .is_some_and(|block| block.indent > indent && block.line < token.line)
            && let Some(same) = self
                .blocks
                .iter()
                .rposition(|block| is_word(block) && block.indent == indent)
            && same < at
        {
            at = same;
            self.lost(token.line);
        }
        while self.blocks.len() > at.saturating_add(1) {
            self.close_unended();
        }
        self.finish(End::Statement);
        self.reach(token);
        let Block {
            item, start, line, ..
        } = *self.block();
        self.close();
        if item.is_some() {
            self.clear();
        } else {
            self.push(Token {
                kind: token::Kind::Group(b'{'),
                indent: None,
                roles: Roles::default(),
                start,
                line,
                ..*token
            });
        }
    }
}
