//! Blocks of Objective-C: `@interface … @end`.

use super::{Opener, Parser};
use crate::language::End;
use crate::token::{self, Token};

impl Parser<'_> {
    /// The keyword of the current statement, if the statement begins with `@` and a keyword:
    /// `@interface`.
    fn keyword(&self) -> Option<&str> {
        match self.header() {
            [at, word, ..] if at.is(b'@') && word.kind == token::Kind::Word => {
                Some(self.lexer.text(word))
            }
            _ => None,
        }
    }

    /// Handles `next`, which is the first token of a line or a brace. If `next` does not continue
    /// the header of an `@interface`, ends the header and opens the block.
    pub(super) fn message_line(&mut self, next: &Token) {
        let Some(keyword) = self.keyword() else {
            return;
        };
        match keyword {
            "interface" | "implementation" | "protocol" => {
                let continues = matches!(
                    next.kind,
                    token::Kind::Punct(b':' | b'<' | b',' | b'(' | b';' | b'>')
                );
                let open = self
                    .header()
                    .last()
                    .is_some_and(|last| last.is(b':') || last.is(b','));
                if !continues && !open && self.header().len() > 2 {
                    self.begin_messages();
                }
            }
            "optional" | "required" | "public" | "private" | "protected" | "package" => {
                self.clear();
            }
            _ => {}
        }
    }

    /// Opens the block of `@interface`, `@implementation` or `@protocol`.
    pub(super) fn begin_messages(&mut self) {
        // The `@end` of the previous block may be missing.
        while self.blocks.iter().any(|block| block.opener == Opener::Word) {
            self.lost(self.last_line);
            let header: Vec<Token> = self.header().to_vec();
            self.tokens.truncate(self.block().header);
            self.close_unended();
            self.tokens.extend(header);
        }
        let found = self.as_header(End::Block).found();
        let ends = self.ends();
        if let (Some(found), Some((first, last))) = (found, ends) {
            let item = self.add(&found, &first, &last);
            self.clear();
            self.open(Opener::Word, found.holds, Some(item), &first);
        }
    }

    /// Closes the innermost block if `token` is the `end` of an `@end`. Returns whether it is.
    pub(super) fn message_end(&mut self, token: &Token) -> bool {
        let last = self.header().last();
        if !last.is_some_and(|last| last.is(b'@')) || self.lexer.text(token) != "end" {
            return false;
        }
        self.clear();
        let Some(at) = self
            .blocks
            .iter()
            .rposition(|block| block.opener == Opener::Word)
        else {
            return true;
        };
        while self.blocks.len() > at.saturating_add(1) {
            self.lost(token.line);
            self.close_unended();
        }
        self.last_line = token.last;
        self.close();
        self.clear();
        true
    }
}
