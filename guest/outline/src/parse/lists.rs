//! Languages in which every statement is in parentheses.

use super::{Block, Opener, Parser};
use crate::grammar::{Keyword, Kind, Scope};
use crate::language::Declaration;
use crate::token::{self, Token};

impl Parser<'_> {
    /// Handles a token of a language in which every statement is in parentheses.
    pub(super) fn list_token(&mut self, token: Token) {
        match token.kind {
            token::Kind::Punct(open @ (b'(' | b'[' | b'{')) => self.open_list(token, open),
            token::Kind::Punct(b')' | b']' | b'}') => self.close_list(&token),
            _ => self.push(token),
        }
    }

    /// Opens a list at the bracket `open`.
    fn open_list(&mut self, token: Token, open: u8) {
        // A parenthesis in the first column is inside no other list.
        if token.indent == Some(0) && open == b'(' && self.blocks.len() > 1 {
            let line = self.block().line;
            self.lost(line);
            self.deeper = 0;
            while self.blocks.len() > 1 {
                self.end_list(self.last_line, self.last_end);
            }
            self.clear();
        }
        let function = self
            .list_form()
            .is_some_and(|form| form.kind == Kind::Function);
        let local = self.block().local || function;
        let levels = self.blocks.len();
        // The list after `#_` is not evaluated.
        let unread = self.block().place == Scope::Values || self.is_unread();
        let place = if unread { Scope::Values } else { Scope::Code };
        self.open(Opener::Group(open), place, None, &token);
        if self.blocks.len() > levels
            && let Some(block) = self.blocks.last_mut()
        {
            block.local = local;
        }
    }

    /// Whether the current tokens end with `#_`, which tells Clojure not to evaluate the next list.
    fn is_unread(&self) -> bool {
        match self.header() {
            [.., sign, word] => sign.is(b'#') && word.adjacent && self.lexer.text(word) == "_",
            _ => false,
        }
    }

    /// Closes the innermost list, and adds it as one token to the list that contains it.
    fn close_list(&mut self, token: &Token) {
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
            return;
        }
        if self.blocks.len() <= 1 {
            return self.lost(token.line);
        }
        self.end_list(token.last, token.end);
        // Only the presence of the list matters, not its contents.
        if self.blocks.len() > 1 {
            self.push(Token {
                kind: token::Kind::Group(b'('),
                indent: None,
                ..*token
            });
        } else {
            self.clear();
        }
    }

    /// The declaration keyword at the start of the current list: `defn`. Returns `None` if the list
    /// begins with anything else.
    fn list_form(&self) -> Option<&'static Keyword> {
        let word = self
            .header()
            .first()
            .filter(|first| first.kind == token::Kind::Word)?;
        let word = self.lexer.text(word);
        let word = word
            .rsplit_once('/')
            .filter(|(space, _)| !space.is_empty())
            .map_or(word, |(_, word)| word);
        self.language.keyword(word)
    }

    /// Closes the innermost open list of a Lisp. If the list is a definition, such as `(defn f [x])`,
    /// records the declaration.
    fn end_list(&mut self, last_line: u32, last_end: usize) {
        let Block {
            opener,
            place,
            start,
            line,
            header,
            local,
            ..
        } = *self.block();
        let declared = (opener == Opener::Group(b'(') && place == Scope::Code)
            .then(|| self.list_form())
            .flatten();
        if let Some(form) = declared {
            let mut rest = self.header().iter().skip(1);
            // Metadata precedes the name: `^:private`, `^{…}`.
            let mut name = rest.next();
            while name.is_some_and(|token| token.is(b'^') || token.is(b'#')) {
                rest.next();
                name = rest.next();
            }
            if let Some(name) = name.filter(|name| name.kind == token::Kind::Word).copied() {
                let found = Declaration {
                    kind: form.kind,
                    name: Some(name.place()),
                    holds: Scope::Code,
                    head: Some(name.line),
                };
                let first = Token {
                    start,
                    line,
                    ..name
                };
                let item = self.add(&found, &first, &name);
                let local = self
                    .blocks
                    .iter()
                    .rev()
                    .nth(1)
                    .is_some_and(|above| above.local)
                    || local;
                if let Some(item) = self.parsed.items.get_mut(item) {
                    item.last = last_line;
                    item.end = last_end;
                    item.local = local;
                }
            }
        }
        self.blocks.pop();
        self.tokens.truncate(header);
    }
}
