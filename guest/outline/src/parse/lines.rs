//! Finds the ends of statements.

use super::{Opener, Parser};
use crate::grammar::{Kind, Nesting, Scope};
use crate::language::{End, Quirk};
use crate::token::Token;

impl Parser<'_> {
    /// Handles the first token of a line. Ends the previous statement if it is complete.
    pub(super) fn line_begins(&mut self, token: &Token, indent: u32) {
        self.at_line(token);
        let leaves = self.in_group() && self.leaves_group(token, indent);
        match self.language.nesting {
            Nesting::Columns => return self.column(token, indent),
            Nesting::Parentheses => return,
            _ if self.in_group() && !leaves => return,
            _ => {}
        }
        if self.language.has_quirk(Quirk::IndentedBlocks) {
            return self.indented_line(token, indent);
        }
        match self.language.nesting {
            // A backslash at the end of the previous line joins the lines.
            Nesting::Indentation if self.header().last().is_some_and(|last| last.is(b'\\')) => {}
            Nesting::Indentation => {
                self.finish(End::Statement);
                while self.block().opener == Opener::Indent && indent <= self.block().indent {
                    self.close();
                }
            }
            _ if self.language.newlines && !self.continues_statement(token) => {
                self.finish(End::Statement);
                if self.language.has_quirk(Quirk::LoopsEndLines)
                    && let Some(block) = self.blocks.last_mut()
                {
                    block.awaits_do = false;
                }
            }
            // A macro on a line of its own is a statement: `MACRO(name)`.
            _ if self.is_complete(token) => {
                self.clear();
            }
            _ => {}
        }
    }

    /// Whether the current statement is complete before the line that begins with `next`.
    fn is_complete(&self, next: &Token) -> bool {
        let is_complete = self.language.family.is_complete;
        is_complete.is_some_and(|is_complete| is_complete(&self.as_header(End::Statement), next))
    }

    /// Whether `next`, the first token of a line, continues the current statement.
    pub(super) fn continues_statement(&self, next: &Token) -> bool {
        (self.language.family.continues)(&self.as_header(End::Statement), next)
    }

    /// Whether the closing brackets of open groups are missing before the current line. Closes
    /// these groups.
    ///
    /// They are missing if the line begins a declaration, and is indented no more than the line on
    /// which the innermost group began.
    pub(super) fn leaves_group(&mut self, token: &Token, indent: u32) -> bool {
        let block = self.block();
        let form = self.language.form(token.roles);
        let declares = form.is_some_and(|form| form.kind != Kind::Value && form.word != "type")
            || (token.is(b'@') && matches!(self.language.nesting, Nesting::Indentation));
        if !self.recovers
            || !declares
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

    /// Whether a comma ends the current statement.
    pub(super) fn separates(&self) -> bool {
        let block = self.block();
        if matches!(block.opener, Opener::Group(_)) {
            return !self.language.has_quirk(Quirk::Annotations)
                || !self.as_header(End::Statement).in_type_arguments();
        }
        if let Some(separates) = self.language.family.separates
            && let Some(separates) = separates(&self.as_header(End::Statement))
        {
            return separates;
        }
        let commas = self.language.has_quirk(Quirk::Commas);
        match block.opener {
            Opener::File => commas,
            Opener::Brace => {
                block.place == Scope::Entries
                    || (block.place == Scope::Members && commas)
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
