//! Branches of `#if`, and sides of merge conflicts.

use super::Parser;
use crate::limits;
use crate::token::Token;

impl Parser<'_> {
    /// Handles a preprocessor directive, such as `#if`, or a marker of a merge conflict. At the
    /// start of a later branch, the blocks that were open before the first branch are open again.
    pub(super) fn directive(&mut self, token: &Token) {
        let text = self.lexer.text(token);
        let word = text.trim_start_matches('#').trim_start();
        let is = |name: &str| word.starts_with(name);
        // Each side of a merge conflict begins with the blocks that were open before the conflict.
        let conflict = !text.starts_with('#');
        if conflict {
            self.lost(token.line);
        }
        if is("if") || is("<") {
            if self.branches.len() < limits::BLOCK_DEPTH {
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
