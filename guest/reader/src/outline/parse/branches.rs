//! Branches of `#if`, and sides of a conflict.

use super::{DEPTH, Parser};
use crate::outline::lexer::Token;

impl Parser<'_> {
    /// `#if` and its like: of branches each begins with what was open before the
    /// first.
    pub(super) fn directive(&mut self, token: &Token) {
        let text = self.lexer.text(token);
        let word = text.trim_start_matches('#').trim_start();
        let is = |name: &str| word.starts_with(name);
        // Of both sides of a conflict each begins with what was open before.
        let conflict = !text.starts_with('#');
        if conflict {
            self.lost(token.line);
        }
        if is("if") || is("<") {
            if self.branches.len() < DEPTH {
                self.branches.push((self.blocks.clone(), self.tokens.len()));
            }
        } else if is("else") || is("elif") || is("=") || is("|") {
            if let Some((open, tokens)) = self.branches.last().cloned()
                && open.len() != self.blocks.len()
            {
                self.blocks = open;
                self.tokens.truncate(tokens);
                let header = self.tokens.len();
                for block in &mut self.blocks {
                    block.header = block.header.min(header);
                }
            }
        } else if is("endif") || is(">") {
            self.branches.pop();
        } else if is("include") || is("import") {
            self.import(token.line, token.last);
        }
    }
}
