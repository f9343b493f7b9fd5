//! Blocks that are delimited by words after `@`: `@interface … @end`.

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
    /// the header of a block, such as `@interface name`, ends the header and opens the block.
    pub(super) fn at_line(&mut self, next: &Token) {
        let Some(words) = self.language.at_blocks else {
            return;
        };
        let Some(keyword) = self.keyword() else {
            return;
        };
        if words.sections.contains(&keyword) {
            self.clear();
        } else if words.openers.contains(&keyword) {
            let continues = matches!(
                next.kind,
                token::Kind::Punct(b':' | b'<' | b',' | b'(' | b';' | b'>')
            );
            let last = self.header().last();
            let open = last.is_some_and(|last| last.is(b':') || last.is(b','));
            if !continues && !open && self.header().len() > 2 {
                self.begin_at_block();
            }
        }
    }

    /// Opens the block of the current statement, such as `@interface name`.
    pub(super) fn begin_at_block(&mut self) {
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
    pub(super) fn at_end(&mut self, token: &Token) -> bool {
        let Some(words) = self.language.at_blocks else {
            return false;
        };
        let last = self.header().last();
        if !last.is_some_and(|last| last.is(b'@')) || words.closer != self.lexer.text(token) {
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
        self.reach(token);
        self.close();
        self.clear();
        true
    }
}
