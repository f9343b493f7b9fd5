//! `@interface … @end` of Objective-C.

use super::{Opener, Parser};
use crate::outline::header::End;
use crate::outline::lexer::{self, Token};

impl Parser<'_> {
    /// What the keyword behind `@` is, if the statement begins with it.
    fn keyword(&self) -> Option<&str> {
        match self.header() {
            [at, word, ..] if at.is(b'@') && word.kind == lexer::Kind::Word => {
                Some(self.lexer.text(word))
            }
            _ => None,
        }
    }

    /// A line begins, or a brace: what `@interface` says is over.
    pub(super) fn message_line(&mut self, next: &Token) {
        let Some(keyword) = self.keyword() else {
            return;
        };
        match keyword {
            "interface" | "implementation" | "protocol" => {
                let goes_on = matches!(
                    next.kind,
                    lexer::Kind::Punct(b':' | b'<' | b',' | b'(' | b';' | b'>')
                );
                let open = self
                    .header()
                    .last()
                    .is_some_and(|last| last.is(b':') || last.is(b','));
                if !goes_on && !open && self.header().len() > 2 {
                    self.begin_messages();
                }
            }
            "optional" | "required" | "public" | "private" | "protected" | "package" => {
                self.clear();
            }
            _ => {}
        }
    }

    pub(super) fn begin_messages(&mut self) {
        // The end of the one before may be missing.
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

    /// `@end`; whether it was one.
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
