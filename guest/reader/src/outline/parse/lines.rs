//! Where statements end.

use super::{Opener, Parser};
use crate::outline::grammar::{Calls, Habit, Kind, Nesting, Place};
use crate::outline::header::End;
use crate::outline::keywords::Roles;
use crate::outline::lexer::{self, Token};

impl Parser<'_> {
    pub(super) fn line_begins(&mut self, token: &Token, indent: u32) {
        if self.language.does(Habit::Messages) {
            self.message_line(token);
        }
        let leaves = self.in_group() && self.leaves_group(token, indent);
        match self.language.nesting {
            Nesting::Columns => return self.column(token, indent),
            Nesting::Parentheses => return,
            _ if self.in_group() && !leaves => return,
            _ => {}
        }
        match self.language.nesting {
            Nesting::Indentation => {
                self.finish(End::Statement);
                while self.block().opener == Opener::Indent && indent <= self.block().indent {
                    self.close();
                }
            }
            _ if self.language.newlines && !self.goes_on(token) => self.finish(End::Statement),
            // `MACRO(name)` on a line of its own.
            _ if self.language.calls == Calls::C
                && matches!(
                    token.kind,
                    lexer::Kind::Word | lexer::Kind::Punct(b'~' | b'[' | b'-' | b'+' | b'@')
                )
                && self.as_header(End::Statement).is_macro(token) =>
            {
                self.clear();
            }
            _ => {}
        }
    }

    /// Whether brackets lack their end before this line: it is indented no more
    /// than the one that they began on, and begins a declaration.
    pub(super) fn leaves_group(&mut self, token: &Token, indent: u32) -> bool {
        let block = self.block();
        let form = token.roles.form(self.language);
        let declares = form.is_some_and(|form| form.kind != Kind::Value && form.word != "type")
            || (token.is(b'@') && matches!(self.language.nesting, Nesting::Indentation));
        if !declares
            || indent > block.indent
            || token.line <= block.line
            || block.place == Place::Types
        {
            return false;
        }
        self.lost(block.line);
        while self.in_group() {
            self.close_unended();
        }
        true
    }

    /// Whether a statement goes on with the first token of a line.
    pub(super) fn goes_on(&self, next: &Token) -> bool {
        let header = self.header();
        let (Some(first), Some(last)) = (header.first(), header.last()) else {
            return true;
        };
        if self.language.calls == Calls::Shell {
            return last.is(b'|')
                || last.is(b'\\')
                || next.is(b'{')
                || (last.kind == lexer::Kind::Operator
                    && matches!(self.lexer.text(last), "&&" | "||"));
        }
        let word = self.lexer.text(first);
        let case = matches!(word, "case" | "default");
        // Parameters of a block: `do |a, b|`, and names of operators.
        let wildcard = last.is(b'*') && first.roles.has(Roles::IMPORT);
        if wildcard || (first.is(b'|') && last.is(b'|')) || matches!(word, "alias" | "undef") {
            return false;
        }
        // What stands alone before a declaration.
        if first.is(b'@') && self.language.nesting_is_braces() {
            let header = self.as_header(End::Statement);
            if header.prefix() >= header.tokens.len() {
                return true;
            }
        }
        match last.kind {
            lexer::Kind::Operator => {
                let operator = self.lexer.text(last);
                if !matches!(operator, "++" | "--" | "..") {
                    return true;
                }
            }
            // `case a =>` and `self =>` are followed by statements.
            lexer::Kind::Arrow => {
                return self.language.calls != Calls::None || !self.language.nesting_is_braces();
            }
            // What a lambda takes is followed by statements: `{ a ->`
            lexer::Kind::Thin if self.language.nesting_is_braces() => {
                let declares = first.roles.has(Roles::FORM) || first.roles.has(Roles::MODIFIER);
                return declares || first.is(b'@');
            }
            lexer::Kind::Path | lexer::Kind::Thin => return true,
            lexer::Kind::Punct(
                b'=' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b',' | b'.' | b'<'
                | b'\\',
            ) => {
                return true;
            }
            lexer::Kind::Punct(b':') => return !case,
            _ => {}
        }
        let goes_on = match next.kind {
            lexer::Kind::Punct(b'{') => self.language.calls != Calls::Go,
            lexer::Kind::Punct(b'.' | b':' | b'=' | b'?' | b'|' | b'&' | b'>' | b')' | b']')
            | lexer::Kind::Thin
            | lexer::Kind::Arrow
            | lexer::Kind::Operator => true,
            lexer::Kind::Word => {
                matches!(
                    self.lexer.text(next),
                    "where"
                        | "extends"
                        | "implements"
                        | "with"
                        | "throws"
                        | "by"
                        | "else"
                        | "derives"
                ) && !matches!(self.language.nesting, Nesting::Ends(_))
                    || (self.lexer.text(next) == "when" && word.starts_with("def"))
            }
            _ => false,
        };
        goes_on || (self.language.calls == Calls::Script && self.awaits_more(last))
    }

    /// Whether a comma ends what stands before it.
    pub(super) fn separates(&self) -> bool {
        let block = self.block();
        match block.opener {
            Opener::Group(_) => !self.in_angles(),
            _ if self.language.calls == Calls::Script && block.place != Place::Members => {
                self.separates_script()
            }
            Opener::File => self.language.calls == Calls::Zig,
            Opener::Brace => {
                block.place == Place::Entries
                    || (block.place == Place::Members && self.language.calls == Calls::Zig)
                    || (block.place == Place::Cases && self.header().len() <= 3)
            }
            _ => false,
        }
    }

    pub(super) fn semicolon(&mut self) {
        self.finish(End::Statement);
        if let Some(block) = self.blocks.last_mut()
            && block.place == Place::Cases
        {
            block.place = Place::Members;
        }
    }

    /// A string without an end has hidden what ends the statement.
    pub(super) fn end_broken(&mut self) {
        while self.in_group() {
            self.close_unended();
        }
        self.finish(End::Statement);
    }
}
