//! What becomes of a statement that ends.

use super::{Block, Found, Opener, Parser};
use crate::outline::grammar::{Calls, Habit, Kind, Nesting, Place};
use crate::outline::header::End;
use crate::outline::item::{ITEMS, Item, NAME, cut};
use crate::outline::keywords::Roles;
use crate::outline::lexer::{self, Token};

impl Parser<'_> {
    /// Ends a statement.
    pub(super) fn finish(&mut self, end: End) {
        if self.declares_nothing() {
            return self.clear();
        }
        let inside = self.block();
        let hidden = matches!(self.language.calls, Calls::C | Calls::Java)
            && matches!(inside.place, Place::Code | Place::Values | Place::Entries)
            && inside.pending.is_none();
        if hidden
            && let Some(found) = self.recovered(end)
            && let Some((first, last)) = self.ends()
        {
            self.add(&found, &first, &last);
            return self.clear();
        }
        let Some((first, last)) = self.ends() else {
            return;
        };
        let Block {
            opener,
            place,
            pending,
            declares,
            ..
        } = *self.block();
        if let Some(item) = pending.and_then(|item| self.parsed.items.get_mut(item)) {
            item.last = item.last.max(last.last);
            self.clear();
            return;
        }
        let as_header = self.as_header(end);
        let prefix = as_header.prefix();
        let imports = || {
            let behind = as_header.word(prefix).map_or(0, |_| prefix);
            as_header.has(behind, Roles::IMPORT)
        };
        // `import(…): type` is a method.
        let member =
            self.language.calls == Calls::Script && matches!(place, Place::Members | Place::Types);
        if place != Place::Code && place != Place::Entries && !member && imports() {
            self.import(first.line, last.last);
        } else if (matches!(self.language.nesting, Nesting::Columns)
            && matches!(opener, Opener::Group(_)))
            || (self.language.does(Habit::Messages) && first.is(b'@'))
        {
            // What stands in brackets declares nothing, and neither does `@class name;`.
        } else if let Some(found) = as_header.found_behind(prefix) {
            if self.goes_with_last(&found, &first, &last) {
                return self.clear();
            }
            let item = self.add(&found, &first, &last);
            self.add_more(&found, &last);
            if declares {
                self.declared(item, found.kind, found.holds);
            }
        } else if first.kind == lexer::Kind::Text && self.header().len() == 1 {
            self.doc_inside(&first);
        }
        self.clear();
    }

    /// Whether the statement is one of those, of which there are most, that declare
    /// nothing: it begins with a word that is no keyword.
    fn declares_nothing(&self) -> bool {
        let block = self.block();
        if block.pending.is_some() || block.implied.is_some() {
            return false;
        }
        let within = matches!(block.place, Place::Code | Place::Values | Place::Entries);
        match self.header() {
            [] => true,
            [only] if within => only.kind == lexer::Kind::Word,
            [first, ..] => {
                let plain = first.kind == lexer::Kind::Word && first.roles.is_none();
                // What is indented no more than the block may follow it.
                let inside = first.indent.is_none_or(|indent| indent > block.indent);
                plain && inside && self.language.calls.none_in(block.place)
            }
        }
    }

    /// Adds lines of an import to the run that ends before them, with at most one
    /// other line between.
    pub(super) fn import(&mut self, first: u32, last: u32) {
        match self.parsed.imports.last_mut() {
            Some(run) if run.1.saturating_add(2) >= first => run.1 = last,
            _ => self.parsed.imports.push((first, last)),
        }
    }

    /// Another equation of the function before belongs to it.
    pub(super) fn goes_with_last(&mut self, found: &Found, first: &Token, last: &Token) -> bool {
        let name = found
            .name
            .and_then(|(start, end, _)| self.text.get(start..end));
        let local = self.block().local;
        if self.language.calls != Calls::Haskell || found.kind != Kind::Function {
            return false;
        }
        match self.parsed.items.last_mut() {
            Some(item)
                if Some(item.name.as_str()) == name
                    && item.kind == found.kind
                    && item.local == local =>
            {
                item.last = item.last.max(last.last).max(first.line);
                true
            }
            _ => false,
        }
    }

    /// A text at the start of a block tells of what that belongs to.
    pub(super) fn doc_inside(&mut self, text: &Token) {
        let block = self.block();
        let first = self.parsed.items.is_empty() && self.parsed.imports.is_empty();
        if block.opener == Opener::File && first && self.language.nesting_is_indentation() {
            self.parsed.about.get_or_insert((text.line, text.last));
            return;
        }
        if let Some(item) = block.item.and_then(|item| self.parsed.items.get_mut(item))
            && self.language.nesting_is_indentation()
            && item.doc.is_none()
            && text.line == item.head.saturating_add(1)
        {
            item.doc = Some((text.line, text.last));
        }
    }

    /// Adds what a statement of C names besides.
    fn add_more(&mut self, found: &Found, last: &Token) {
        let declares = matches!(found.kind, Kind::Function | Kind::Type);
        if !declares || self.language.calls != Calls::C {
            return;
        }
        for (start, end, line) in self.as_header(End::Statement).more_names() {
            let found = Found {
                name: Some((start, end, line)),
                ..*found
            };
            let first = Token {
                start,
                line,
                ..*last
            };
            self.add(&found, &first, last);
        }
    }

    pub(super) fn add(&mut self, found: &Found, first: &Token, last: &Token) -> usize {
        let name = found
            .name
            .and_then(|(start, end, _)| self.text.get(start..end))
            .unwrap_or_default();
        let header = self.as_header(End::Statement);
        let selector = Some(())
            .filter(|()| self.language.does(Habit::Messages))
            .and_then(|()| header.selector());
        let name = selector.as_deref().unwrap_or(name);
        let name = cut(name, NAME);
        let sign = header.tokens.get(header.annotations()).unwrap_or(first);
        let sign = sign.line.max(first.line);
        let item = Item {
            kind: found.kind,
            name: if name.contains(|c: char| c.is_ascii_whitespace()) {
                name.split_whitespace().collect::<Vec<_>>().join(" ")
            } else {
                name.to_owned()
            },
            line: found.name.map_or(first.line, |(_, _, line)| line),
            start: first.start,
            first: first.line,
            sign,
            head: found.head.unwrap_or(last.last),
            last: last.last,
            doc: None,
            parent: None,
            local: self.block().local,
        };
        if self.parsed.items.len() >= ITEMS {
            self.lost(first.line);
            return usize::MAX;
        }
        self.parsed.items.push(item);
        self.parsed.items.len().saturating_sub(1)
    }
}
