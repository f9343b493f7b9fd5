//! Blocks between braces, and groups of values.

use super::{Block, Opener, Parser, TRIES, binds};
use crate::outline::grammar::{Calls, Habit, Kind, Nesting, Place};
use crate::outline::header::{End, Found, Header};
use crate::outline::lexer::{self, Token};

impl Parser<'_> {
    pub(super) fn brace(&mut self, token: Token) {
        if self.language.does(Habit::Messages) {
            self.message_line(&token);
        }
        let tries = self.block().tries;
        if let Some(block) = self.blocks.last_mut() {
            block.tries = tries.saturating_add(1);
        }
        if tries > TRIES {
            self.open(Opener::Group(b'{'), Place::Entries, None, &token);
            return;
        }
        let julia = self.language.calls == Calls::Julia;
        if julia || matches!(self.language.nesting, Nesting::Columns) {
            self.open(Opener::Group(b'{'), Place::Values, None, &token);
            return;
        }
        let script = self.language.calls == Calls::Script;
        if script && self.begins_type() {
            self.open(Opener::Group(b'{'), Place::Types, None, &token);
            return;
        }
        let last = self.header().last().copied();
        // `name(…) : member{…} {`
        let member = self.language.calls == Calls::C
            && last.is_some_and(|last| last.kind == lexer::Kind::Word)
            && self.as_header(End::Block).sets_members();
        let required = self.language.calls == Calls::C && self.requires_code();
        // `#{…}` in a selector.
        let inserted = self.language.calls == Calls::Rules
            && token.glued
            && last.is_some_and(|last| last.is(b'#'));
        if member || required || inserted {
            self.open(Opener::Group(b'{'), Place::Entries, None, &token);
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
            // What binds a name ends with its statement.
            let item = self.add(&found, &first, &last);
            if script && found.head.is_some() {
                self.add_inner(&found, &last);
            }
            let values = found.holds == Place::Entries;
            let opener = if values {
                Opener::Group(b'{')
            } else {
                Opener::Brace
            };
            self.open(opener, found.holds, Some(item), &token);
            return;
        }
        let last = self.header().last().copied();
        let block = self.block();
        if script && let Some(place) = self.script_place(last.as_ref()) {
            self.open(Opener::Group(b'{'), place, None, &token);
            return;
        }
        let value = match last {
            None => {
                matches!(block.opener, Opener::Group(b'(' | b'[')) || block.place == Place::Entries
            }
            Some(last) => matches!(
                last.kind,
                lexer::Kind::Punct(b'=' | b',' | b'?' | b'&' | b'|' | b'+') | lexer::Kind::Operator
            ),
        };
        if (value && !script) || self.language.calls == Calls::Lua {
            self.open(Opener::Group(b'{'), Place::Entries, None, &token);
            return;
        }
        if last.is_some_and(|last| last.kind == lexer::Kind::Arrow) {
            self.open(Opener::Group(b'{'), Place::Code, None, &token);
            return;
        }
        let header = self.as_header(End::Block);
        let transparent = header.prefix() >= header.tokens.len();
        let initial =
            self.language.calls == Calls::C && self.header().iter().any(|token| token.is(b'='));
        if initial {
            self.open(Opener::Group(b'{'), Place::Entries, None, &token);
            return;
        }
        if self.language.calls == Calls::Zig && header.is_container() {
            self.open(Opener::Brace, Place::Members, None, &token);
            // What a function returns is not its own.
            if let Some(block) = self.blocks.last_mut() {
                block.local = false;
            }
            return;
        }
        let place = if transparent && block.place != Place::Entries {
            block.place
        } else {
            Place::Code
        };
        self.open(Opener::Brace, place, None, &token);
    }

    /// Whether a template requires the code that begins here to be right:
    /// `requires requires(T a) {`, `= requires {`.
    fn requires_code(&self) -> bool {
        let mut before = self.header().iter().rev().peekable();
        before.next_if(|last| last.kind == lexer::Kind::Group(b'('));
        let requires = |token: &&Token| {
            token.kind == lexer::Kind::Word && self.lexer.text(token) == "requires"
        };
        before.next().as_ref().is_some_and(requires)
            && before.next().is_some_and(|before| {
                requires(&before) || before.is(b'=') || before.kind == lexer::Kind::Operator
            })
    }

    /// What the statement declares if ends of blocks are missing before it: it is
    /// indented no more than what it seems to stand in.
    pub(super) fn recovered(&mut self, end: End) -> Option<Found> {
        let first = *self.header().first()?;
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
                (inside && !matches!(block.place, Place::File)).then_some(at)
            })?;
        let above = *self.blocks.get(at.checked_sub(1)?)?;
        let header = Header {
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

    pub(super) fn open_group(&mut self, token: Token, open: u8) {
        // To a shell `[` is a word.
        if open == b'[' && self.language.calls == Calls::Shell {
            return self.push(token);
        }
        let block = self.block();
        let implied = match self.header() {
            [only]
                if open == b'('
                    && self.language.calls == Calls::Go
                    && block.place != Place::Members =>
            {
                let form = only.roles.form(self.language);
                form.filter(|form| form.kind != Kind::Function)
            }
            _ => None,
        };
        let place = if implied.is_some() {
            Place::File
        } else if self.language.calls == Calls::Script {
            self.script_group(&token)
        } else if open == b'(' {
            Place::Values
        } else {
            Place::Code
        };
        self.open(Opener::Group(open), place, None, &token);
        if let Some(block) = self.blocks.last_mut() {
            block.implied = implied;
            if implied.is_some() {
                block.opener = Opener::Group(b'{');
            }
        }
    }

    pub(super) fn close_group(&mut self, token: &Token, close: u8) {
        let open = if close == b')' { b'(' } else { b'[' };
        if open == b'[' && self.language.calls == Calls::Shell {
            return self.push(*token);
        }
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
            return;
        }
        let matches = |block: &Block| {
            block.opener == Opener::Group(open) || (block.implied.is_some() && open == b'(')
        };
        // A branch of `case` has no opening bracket.
        if self.language.calls == Calls::Shell && !self.blocks.last().is_some_and(matches) {
            return self.clear();
        }
        // Groups do not hold blocks that are open, so far as they end at all.
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

    /// Ends a group of values, which becomes a part of its statement.
    pub(super) fn end_group(&mut self, token: &Token) {
        self.last_line = token.last;
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
        // Only its place counts, and where it ends.
        let before = start
            .checked_sub(1)
            .and_then(|at| self.text.as_bytes().get(at));
        self.push(Token {
            kind: lexer::Kind::Group(open),
            indent: None,
            glued: before.is_some_and(|byte| !byte.is_ascii_whitespace()),
            start,
            line,
            ..*token
        });
    }

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
        // A line that begins with it belongs to the block of the same indentation.
        if let Some(indent) = token.indent
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
        self.last_line = token.last;
        let Block {
            opener,
            start,
            line,
            ..
        } = *self.block();
        if opener == Opener::Brace {
            self.finish(End::Statement);
            self.last_line = token.last;
            self.close();
            self.end_declared(start, line, token);
        } else {
            self.end_group(token);
        }
    }

    /// Ends the statement of a block that is closed, unless a `typedef` goes on
    /// with a name.
    pub(super) fn end_declared(&mut self, start: usize, line: u32, token: &Token) {
        let first = self.header().first();
        let typedef = first.is_some_and(|first| self.lexer.text(first) == "typedef");
        if !typedef || self.language.calls != Calls::C {
            return self.clear();
        }
        self.push(Token {
            kind: lexer::Kind::Group(b'{'),
            indent: None,
            start,
            line,
            ..*token
        });
    }
}
