//! Blocks in braces, and groups of values.

use super::{Block, Opener, Parser};
use crate::grammar::{Kind, Nesting, Scope};
use crate::language::{Declaration, End, Quirk, Statement};
use crate::limits;
use crate::token::{self, Token};

impl Parser<'_> {
    /// Handles `{`. The tokens before it decide which kind of block begins.
    pub(super) fn brace(&mut self, token: Token) {
        self.at_line(&token);
        if self.header().is_empty()
            && self.in_old_parameters()
            && let Some((item, _)) = self.old_style.take()
        {
            return self.open(Opener::Brace, Scope::Code, Some(item), &token);
        }
        self.old_style = None;
        let tries = self.block().tries;
        if let Some(block) = self.blocks.last_mut() {
            block.tries = tries.saturating_add(1);
        }
        if tries > limits::STATEMENT_BRACES {
            self.open(Opener::Group(b'{'), Scope::Entries, None, &token);
            return;
        }
        if let Some(item) = self.block().pending
            && self.language.has_quirk(Quirk::ValuesContinue)
        {
            return self.open(Opener::Brace, Scope::Code, Some(item), &token);
        }
        let family = self.language.family;
        if let Some(literal) = family.literal
            && let Some(place) = literal(&self.as_header(End::Block), &token)
        {
            self.open(Opener::Group(b'{'), place, None, &token);
            return;
        }
        let mut found = self.as_header(End::Block).found();
        if found.is_none() {
            found = self.recovered(End::Block);
        }
        if let Some(found) = found {
            let Some((first, last)) = self.ends() else {
                return;
            };
            // A declaration that binds a name to a value ends with its statement.
            let item = self.add(&found, &first, &last);
            if let Some(inner) = family.inner
                && let Some((found, first)) = inner(&self.as_header(End::Block), &found)
            {
                self.add_inner(&found, &first, &last);
            }
            let values = found.holds == Scope::Entries;
            let opener = if values {
                Opener::Group(b'{')
            } else {
                Opener::Brace
            };
            self.open(opener, found.holds, Some(item), &token);
            return;
        }
        let header = self.as_header(End::Block);
        if let Some(place) = (family.values)(&header) {
            self.open(Opener::Group(b'{'), place, None, &token);
            return;
        }
        let last = header.tokens.last();
        if last.is_some_and(|last| last.kind == token::Kind::Arrow) {
            self.open(Opener::Group(b'{'), Scope::Code, None, &token);
            return;
        }
        if family.members.is_some_and(|members| members(&header)) {
            self.open(Opener::Brace, Scope::Members, None, &token);
            // A type that a function returns is not local to the function.
            if let Some(block) = self.blocks.last_mut() {
                block.local = false;
            }
            return;
        }
        let above = header.place;
        let transparent = header.prefix() >= header.tokens.len();
        let place = if transparent && above != Scope::Entries {
            above
        } else {
            Scope::Code
        };
        self.open(Opener::Brace, place, None, &token);
    }

    /// The declaration in the current statement, if closing brackets of blocks are missing before
    /// the statement. They are missing if the statement is indented no more than a block that seems
    /// to contain it. Closes such blocks. Returns `None` otherwise.
    pub(super) fn recovered(&mut self, end: End) -> Option<Declaration> {
        let first = *self.header().first().filter(|_| self.recovers)?;
        let indent = first.indent?;
        let at = self
            .blocks
            .iter()
            .enumerate()
            .skip(1)
            .find_map(|(at, block)| {
                let inside = block.indent >= indent
                    && block.line < first.line
                    && block.opener != Opener::Word;
                (inside && !matches!(block.place, Scope::File)).then_some(at)
            })?;
        let above = *self.blocks.get(at.checked_sub(1)?)?;
        let header = Statement {
            place: above.place,
            owner: above
                .item
                .and_then(|item| self.parsed.items.get(item))
                .map(|item| item.name.as_str()),
            ..self.as_header(end)
        };
        let found = header
            .found()
            .filter(|found| matches!(found.kind, Kind::Function | Kind::Type))?;
        self.lost(first.line);
        let tokens = self.header().to_vec();
        self.clear();
        while self.blocks.len() > at {
            self.close_unended();
        }
        self.clear();
        self.tokens.extend(tokens);
        Some(found)
    }

    /// Handles `(` or `[`.
    pub(super) fn open_group(&mut self, token: Token, open: u8) {
        if open == b'[' && self.language.has_quirk(Quirk::BracketWords) {
            return self.push(token);
        }
        let block = self.block();
        let implied = match self.header() {
            [only]
                if open == b'('
                    && self.language.has_quirk(Quirk::Groups)
                    && block.place != Scope::Members =>
            {
                let form = self.language.form(only.roles);
                form.filter(|form| form.kind != Kind::Function)
            }
            _ => None,
        };
        let place = if implied.is_some() {
            Scope::File
        } else if let Some(group) = self.language.family.group {
            group(&self.as_header(End::Statement), &token)
        } else if open == b'(' {
            Scope::Values
        } else {
            Scope::Code
        };
        self.open(Opener::Group(open), place, None, &token);
        if let Some(block) = self.blocks.last_mut() {
            block.implied = implied;
            if implied.is_some() {
                block.opener = Opener::Group(b'{');
            }
        }
    }

    /// Handles `)` or `]`.
    pub(super) fn close_group(&mut self, token: &Token, close: u8) {
        let open = if close == b')' { b'(' } else { b'[' };
        if open == b'[' && self.language.has_quirk(Quirk::BracketWords) {
            return self.push(*token);
        }
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
            return;
        }
        let matches = |block: &Block| {
            block.opener == Opener::Group(open) || (block.implied.is_some() && open == b'(')
        };
        if self.language.has_quirk(Quirk::LoneBrackets) && !self.blocks.last().is_some_and(matches)
        {
            return self.clear();
        }
        // A group cannot contain an open block, so this bracket does not match.
        let Some(at) = self.blocks.iter().rposition(matches) else {
            self.lost(token.line);
            return;
        };
        let between = self.blocks.get(at.saturating_add(1)..).unwrap_or_default();
        if between
            .iter()
            .any(|block| matches!(block.opener, Opener::Brace | Opener::Word))
        {
            self.lost(token.line);
            return;
        }
        while self.blocks.len() > at.saturating_add(1) {
            self.close_unended();
        }
        self.end_group(token);
    }

    /// Closes the innermost group of values, and adds it as one token to the statement that
    /// contains it.
    pub(super) fn end_group(&mut self, token: &Token) {
        self.reach(token);
        let Block {
            opener: Opener::Group(open),
            item,
            start,
            line,
            ..
        } = *self.block()
        else {
            return;
        };
        self.close();
        if item.is_some() && !binds(self.header()) {
            return self.end_declared(start, line, token);
        }
        if let (Some(item), Some(above)) = (item, self.blocks.last_mut()) {
            above.pending = Some(item);
        }
        // Only the position of the group and its end matter, not its contents.
        let before = start
            .checked_sub(1)
            .and_then(|at| self.text.as_bytes().get(at));
        self.push(Token {
            kind: token::Kind::Group(open),
            indent: None,
            adjacent: before.is_some_and(|byte| !byte.is_ascii_whitespace()),
            start,
            line,
            ..*token
        });
    }

    /// Handles `}`.
    pub(super) fn close_brace(&mut self, token: &Token) {
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
            return;
        }
        let is_brace = |block: &Block| {
            block.implied.is_none() && matches!(block.opener, Opener::Brace | Opener::Group(b'{'))
        };
        let Some(mut at) = self.blocks.iter().rposition(is_brace) else {
            self.lost(token.line);
            return;
        };
        // A brace at the start of a line closes the block of the same indentation.
        if let Some(indent) = token.indent.filter(|_| self.recovers)
            && self
                .blocks
                .get(at)
                .is_some_and(|block| block.indent > indent && block.line < token.line)
            && self.language.nesting_is_braces()
        {
            let same = self.blocks.iter().rposition(|block| {
                is_brace(block) && block.indent == indent && block.item.is_some()
            });
            let above = same.is_some_and(|same| same < at);
            if above && token.indent == Some(0) {
                at = same.unwrap_or(at);
                self.lost(token.line);
            }
        }
        while self.blocks.len() > at.saturating_add(1) {
            self.close_unended();
        }
        self.reach(token);
        let Block {
            opener,
            item,
            start,
            line,
            ..
        } = *self.block();
        if opener == Opener::Brace {
            self.finish(End::Statement);
            self.reach(token);
            self.close();
            // `call { … } if condition`
            if item.is_none()
                && matches!(self.language.nesting, Nesting::Ends(_))
                && !self.header().is_empty()
            {
                return self.push(Token {
                    kind: token::Kind::Group(b'{'),
                    indent: None,
                    start,
                    line,
                    ..*token
                });
            }
            if item.is_some()
                && self.language.has_quirk(Quirk::ValuesContinue)
                && binds(self.header())
                && let Some(above) = self.blocks.last_mut()
            {
                // `fun name() = try { … } catch …`
                above.pending = item;
                return self.push(Token {
                    kind: token::Kind::Group(b'{'),
                    indent: None,
                    start,
                    line,
                    ..*token
                });
            }
            self.end_declared(start, line, token);
        } else {
            self.end_group(token);
        }
    }

    /// Ends the statement whose block was closed, unless its keyword requires a name after the block.
    /// `start` and `line` are the position at which the block began, and `token` is its closing
    /// bracket.
    pub(super) fn end_declared(&mut self, start: usize, line: u32, token: &Token) {
        let first = self.header().first();
        let trailing = self.language.family.trailing;
        if !first.is_some_and(|first| trailing.contains(&self.lexer.text(first))) {
            return self.clear();
        }
        self.push(Token {
            kind: token::Kind::Group(b'{'),
            indent: None,
            start,
            line,
            ..*token
        });
    }
}

/// Whether a statement contains a `=` outside `<…>`, which binds a name to a value.
pub(super) fn binds(header: &[Token]) -> bool {
    let mut level = 0u32;
    header.iter().any(|token| {
        match token.kind {
            token::Kind::Punct(b'<') => level = level.saturating_add(1),
            token::Kind::Punct(b'>') => level = level.saturating_sub(1),
            token::Kind::Punct(b'=') => return level == 0,
            _ => {}
        }
        false
    })
}
