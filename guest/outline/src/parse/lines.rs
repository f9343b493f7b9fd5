//! Finds the ends of statements.

use super::{Opener, Parser};
use crate::grammar::{Family, Kind, Nesting, Quirk, Scope};
use crate::header::End;
use crate::keywords::Roles;
use crate::lexer::{self, Token};

impl Parser<'_> {
    /// Handles the first token of a line. Ends the previous statement if it is complete.
    pub(super) fn line_begins(&mut self, token: &Token, indent: u32) {
        if self.language.has_quirk(Quirk::Messages) {
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
            _ if self.language.newlines && !self.continues_statement(token) => {
                self.finish(End::Statement);
            }
            // A macro on a line of its own is a statement: `MACRO(name)`.
            _ if self.language.family == Family::C
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

    /// Whether the closing brackets of open groups are missing before the current line. Closes
    /// these groups.
    ///
    /// They are missing if the line begins a declaration, and is indented no more than the line on
    /// which the innermost group began.
    pub(super) fn leaves_group(&mut self, token: &Token, indent: u32) -> bool {
        let block = self.block();
        let form = token.roles.form(self.language);
        let declares = form.is_some_and(|form| form.kind != Kind::Value && form.word != "type")
            || (token.is(b'@') && matches!(self.language.nesting, Nesting::Indentation));
        if !declares
            || indent > block.indent
            || token.line <= block.line
            || block.place == Scope::Types
        {
            return false;
        }
        self.lost(block.line);
        while self.in_group() {
            self.close_unended();
        }
        true
    }

    /// Whether `next`, the first token of a line, continues the current statement.
    pub(super) fn continues_statement(&self, next: &Token) -> bool {
        let header = self.header();
        let (Some(first), Some(last)) = (header.first(), header.last()) else {
            return true;
        };
        if self.language.family == Family::Shell {
            return last.is(b'|')
                || last.is(b'\\')
                || next.is(b'{')
                || (last.kind == lexer::Kind::Operator
                    && matches!(self.lexer.text(last), "&&" | "||"));
        }
        let word = self.lexer.text(first);
        let case = matches!(word, "case" | "default");
        // These lines are complete: the parameters of a block, `do |a, b|`, and `alias` with
        // operators as names.
        let wildcard = last.is(b'*') && first.roles.has(Roles::IMPORT);
        if wildcard || (first.is(b'|') && last.is(b'|')) || matches!(word, "alias" | "undef") {
            return false;
        }
        // An annotation on a line of its own belongs to the next declaration.
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
            // Statements follow `case a =>` and `self =>`.
            lexer::Kind::Arrow => {
                return self.language.family != Family::None || !self.language.nesting_is_braces();
            }
            // Statements follow the parameters of a lambda: `{ a ->`.
            lexer::Kind::ThinArrow if self.language.nesting_is_braces() => {
                let declares = first.roles.has(Roles::FORM) || first.roles.has(Roles::MODIFIER);
                return declares || first.is(b'@');
            }
            lexer::Kind::Path | lexer::Kind::ThinArrow => return true,
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
            lexer::Kind::Punct(b'{') => self.language.family != Family::Go,
            lexer::Kind::Punct(b'.' | b':' | b'=' | b'?' | b'|' | b'&' | b'>' | b')' | b']')
            | lexer::Kind::ThinArrow
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
        goes_on || (self.language.family == Family::Script && self.awaits_more(last))
    }

    /// Whether a comma ends the current statement.
    pub(super) fn separates(&self) -> bool {
        let block = self.block();
        match block.opener {
            Opener::Group(_) => !self.in_angles(),
            _ if self.language.family == Family::Script && block.place != Scope::Members => {
                self.separates_script()
            }
            Opener::File => self.language.family == Family::Zig,
            Opener::Brace => {
                block.place == Scope::Entries
                    || (block.place == Scope::Members && self.language.family == Family::Zig)
                    || (block.place == Scope::Cases && self.header().len() <= 3)
            }
            _ => false,
        }
    }

    /// Handles `;`.
    pub(super) fn semicolon(&mut self) {
        self.finish(End::Statement);
        if let Some(block) = self.blocks.last_mut()
            && block.place == Scope::Cases
        {
            block.place = Scope::Members;
        }
    }

    /// Ends the statement on the previous line. A string without a closing quote hides the end of
    /// the statement.
    pub(super) fn end_broken(&mut self) {
        while self.in_group() {
            self.close_unended();
        }
        self.finish(End::Statement);
    }
}
