//! Statements that begin in a column.

use super::{Opener, Parser};
use crate::grammar::{Kind, Scope};
use crate::language::{End, Quirk};
use crate::token::{self, Roles, Token};

impl Parser<'_> {
    /// Handles the first token of a line, which is indented by `indent` columns. The line begins a
    /// new statement if it is indented no more than the other statements of the block.
    pub(super) fn column(&mut self, token: &Token, indent: u32) {
        let led = self.language.has_quirk(Quirk::KeywordsLead);
        let word = self.lexer.text(token);
        let keyword = token.roles.has(Roles::FORM);
        let mut begins = false;
        while self.block().opener == Opener::Indent && indent <= self.block().indent {
            if word == "end" {
                self.reach(token);
            }
            self.close();
            begins = true;
        }
        let opens = self.header_opens();
        if let Opener::Group(_) = self.block().opener {
            // A block in brackets: `(struct`.
            if opens && led && word != "end" && indent > 0 {
                return self.open_column(Scope::File, None, indent, token);
            }
            // The contents of brackets are indented.
            let closes = matches!(
                token.kind,
                token::Kind::Punct(b')' | b']' | b'}' | b',' | b'|')
            );
            if indent > 0 || closes || (led && (!keyword || word == "end")) {
                return;
            }
            let line = self.block().line;
            self.lost(line);
            while matches!(self.block().opener, Opener::Group(_)) {
                self.close_unended();
            }
        }
        let first = self
            .header()
            .first()
            .and_then(|first| first.indent)
            .unwrap_or(0);
        if opens && indent > first && word != "end" {
            return self.begin_column(indent, token);
        }
        if led && !keyword {
            // `let f x =` may continue in any column.
            return;
        }
        let inner = self.block().inner.unwrap_or(indent);
        if begins || indent <= inner {
            self.remember();
            self.finish(End::Statement);
            if let Some(block) = self.blocks.last_mut() {
                block.inner = Some(block.inner.unwrap_or(indent).min(indent));
            }
        }
    }

    /// Opens a block that begins with the current line. The statement before the line declares the
    /// block.
    fn begin_column(&mut self, indent: u32, token: &Token) {
        self.remember();
        let Some((first, last)) = self.ends() else {
            return;
        };
        let found = self.as_header(End::Block).found();
        let item = found.as_ref().map(|found| self.add(found, &first, &last));
        let place = found.map_or(Scope::File, |found| found.holds);
        self.clear();
        self.open_column(place, item, indent, token);
    }

    /// Opens a block of lines that are indented at least as much as `indent`.
    fn open_column(&mut self, place: Scope, item: Option<usize>, indent: u32, token: &Token) {
        let levels = self.blocks.len();
        self.open(Opener::Indent, place, item, token);
        if self.blocks.len() > levels
            && let Some(block) = self.blocks.last_mut()
        {
            block.indent = indent.saturating_sub(1);
            block.inner = Some(indent);
        }
    }

    /// Whether the current statement opens a block that consists of the lines after it:
    /// `module A = struct`.
    fn header_opens(&self) -> bool {
        let opens = self.language.family.opens_column;
        opens.is_some_and(|opens| opens(&self.as_header(End::Block)))
    }

    /// Records the keyword of the current statement, if it also applies to a following statement that
    /// begins with a certain word, such as `and`.
    fn remember(&mut self) {
        let Some(repeats) = self.language.family.repeats else {
            return;
        };
        let Some(first) = self.header().first() else {
            return;
        };
        if self.lexer.text(first) == repeats {
            return;
        }
        let form = self.language.form(first.roles);
        let form = form.filter(|form| form.kind != Kind::Value);
        if let Some(block) = self.blocks.last_mut() {
            block.before = form;
        }
    }
}
