//! Ends statements and records their declarations.

use super::{Block, Declaration, Opener, Parser};
use crate::grammar::{Kind, Nesting, Scope};
use crate::item::{Item, cut};
use crate::language::{End, Quirk};
use crate::limits;
use crate::token::{self, Roles, Token};

impl Parser<'_> {
    /// Ends the current statement and records what it declares. Decorators before a declaration
    /// belong to it.
    pub(super) fn finish(&mut self, end: End) {
        let Some(first) = self.header().first().copied() else {
            return self.clear();
        };
        let levels = self.blocks.len();
        let grouped = matches!(self.block().opener, Opener::Group(_));
        if !grouped && self.decorates() {
            let before = self.decorated.filter(|(_, around)| *around == levels);
            self.decorated = before.or(Some(((first.line, first.start), levels)));
            return self.clear();
        }
        self.finish_statement(end);
        // Statements in the arguments of a decorator do not come after it.
        self.decorated = self.decorated.filter(|(_, around)| *around < levels);
    }

    /// Whether the current statement is a decorator.
    fn decorates(&self) -> bool {
        match self.header() {
            [at, word, ..] if at.is(b'@') => {
                matches!(self.language.nesting, Nesting::Indentation)
                    || self.language.decorators.contains(&self.lexer.text(word))
            }
            _ => false,
        }
    }

    /// Ends a statement that is no decorator.
    fn finish_statement(&mut self, end: End) {
        if self.in_old_parameters() {
            return self.clear();
        }
        if self.declares_nothing() {
            return self.clear();
        }
        let inside = self.block();
        let hidden = self.language.has_quirk(Quirk::MissingBraces)
            && matches!(inside.place, Scope::Code | Scope::Values | Scope::Entries)
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
            item.extend(last.last, last.end);
            self.clear();
            return;
        }
        let as_header = self.as_header(end);
        let prefix = as_header.prefix();
        let imports = || {
            let index = as_header.word(prefix).map_or(0, |_| prefix);
            as_header.has(index, Roles::IMPORT)
        };
        // `import(…): type` is a method.
        let member = self.language.has_quirk(Quirk::ImportMethods)
            && matches!(place, Scope::Members | Scope::Types);
        if place != Scope::Code && place != Scope::Entries && !member && imports() {
            self.import(first.line, last.last);
        } else if (matches!(self.language.nesting, Nesting::Columns)
            && matches!(opener, Opener::Group(_)))
            || (self.language.at_blocks.is_some() && first.is(b'@'))
        {
            // A statement in brackets declares nothing. `@class name;` is only a forward
            // declaration.
        } else if let Some(found) = as_header.found_after(prefix) {
            if self.goes_with_last(&found, &first, &last) {
                return self.clear();
            }
            let old_style = self.language.has_quirk(Quirk::Macros)
                && found.kind == Kind::Function
                && self.as_header(end).declares_old_parameters();
            // The tokens past the limit are not kept, but they belong to the statement.
            let cut = self.header().len() >= limits::STATEMENT_TOKENS;
            let item = self.add(&found, &first, &last);
            if cut && let Some(item) = self.parsed.items.get_mut(item) {
                item.extend(self.last_line, self.last_end);
            }
            if old_style {
                self.old_style = Some((item, self.blocks.len()));
                return self.clear();
            }
            self.add_more(&found, &last);
            if declares {
                self.declared(item, found.kind, found.holds);
            }
        } else if first.kind == token::Kind::Text && self.header().len() == 1 {
            self.doc_inside(&first);
        }
        self.clear();
    }

    /// Whether the current statement is between the parameters of a function of old C and its block.
    pub(super) fn in_old_parameters(&mut self) -> bool {
        let levels = self.blocks.len();
        if self.old_style.is_some_and(|(_, opened)| levels < opened) {
            self.old_style = None;
        }
        self.old_style.is_some_and(|(_, opened)| levels == opened)
    }

    /// Whether the current statement clearly declares nothing: most such statements begin with a
    /// word that is not a keyword.
    fn declares_nothing(&self) -> bool {
        let block = self.block();
        if block.pending.is_some() || block.implied.is_some() {
            return false;
        }
        let within = matches!(block.place, Scope::Code | Scope::Values | Scope::Entries);
        match self.header() {
            [] => true,
            [only] if within && only.kind == token::Kind::Word => true,
            // A value in brackets. A string at the start of a block may be its documentation.
            [only]
                if matches!(only.kind, token::Kind::Number | token::Kind::Text)
                    && within
                    && matches!(block.opener, Opener::Group(_))
                    && block.item.is_none()
                    && self.language.family.statement.is_none() =>
            {
                true
            }
            [first, ..] => {
                let plain = first.kind == token::Kind::Word && first.roles.is_none();
                // A statement that is indented no more than the block may be after it.
                let inside = block.opener == Opener::File
                    || first.indent.is_none_or(|indent| indent > block.indent);
                plain && inside && self.language.family.silent.has(block.place)
            }
        }
    }

    /// Records an import on the lines `first` to `last`. It extends the previous run of imports if
    /// at most one line is between them, and otherwise begins a new run.
    pub(super) fn import(&mut self, first: u32, last: u32) {
        match self.parsed.imports.last_mut() {
            Some(run) if run.1.saturating_add(2) >= first => run.1 = last,
            _ => self.parsed.imports.push((first, last)),
        }
    }

    /// Whether the current statement is another equation of the function that was declared
    /// last. If so, extends that function to the end of the statement.
    pub(super) fn goes_with_last(
        &mut self,
        found: &Declaration,
        first: &Token,
        last: &Token,
    ) -> bool {
        let name = found
            .name
            .and_then(|(start, end, _)| self.text.get(start..end));
        let local = self.block().local;
        if !self.language.has_quirk(Quirk::Equations) || found.kind != Kind::Function {
            return false;
        }
        match self.parsed.items.last_mut() {
            Some(item)
                if Some(item.name.as_str()) == name
                    && item.kind == found.kind
                    && item.local == local =>
            {
                item.extend(last.last.max(first.line), last.end);
                true
            }
            _ => false,
        }
    }

    /// Records a string at the start of a block as the documentation of that block.
    pub(super) fn doc_inside(&mut self, text: &Token) {
        let block = self.block();
        let first = self.parsed.items.is_empty() && self.parsed.imports.is_empty();
        if block.opener == Opener::File && first && self.language.nesting_is_indentation() {
            self.parsed.file_doc.get_or_insert((text.line, text.last));
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

    /// Adds the further names that a statement declares: `b` in `int a(int), b(int);`.
    fn add_more(&mut self, found: &Declaration, last: &Token) {
        let declares = matches!(found.kind, Kind::Function | Kind::Type);
        let Some(more_names) = self.language.family.more_names.filter(|_| declares) else {
            return;
        };
        let more = more_names(&self.as_header(End::Statement));
        for (start, end, line) in more {
            let found = Declaration {
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

    /// Adds an item for the second declaration of a statement: `b` in `a = function b()`. Its
    /// signature consists of the tokens from `first` to `last`.
    pub(super) fn add_inner(&mut self, found: &Declaration, first: &Token, last: &Token) {
        let item = self.add(found, first, last);
        if let Some(item) = self.parsed.items.get_mut(item) {
            item.sign = first.line;
        }
    }

    /// Ends the item that [`Parser::add_inner`] added, at the end of the block of the declaration.
    /// `start` is the offset of the block, and `outer` is the index of the item for the first name.
    pub(super) fn end_inner(&mut self, start: usize, outer: usize) {
        let inner = self.parsed.items.get_mut(outer.saturating_add(1));
        if let Some(item) = inner.filter(|item| item.start < start) {
            item.extend(self.last_line, self.last_end);
        }
    }

    /// Adds an item for the declaration `found`. Its signature consists of the tokens from `first`
    /// to `last`. Returns the index of the item, or `usize::MAX` if there are too many items.
    pub(super) fn add(&mut self, found: &Declaration, first: &Token, last: &Token) -> usize {
        let name = found
            .name
            .and_then(|(start, end, _)| self.text.get(start..end))
            .unwrap_or_default();
        let levels = self.blocks.len();
        let decorated = self.decorated.take_if(|(_, around)| *around >= levels);
        let decorated = decorated.map(|(first, _)| first);
        let header = self.as_header(End::Statement);
        let divided_name = self.language.family.divided_name;
        let divided = divided_name.and_then(|divided_name| divided_name(&header));
        let name = divided.as_deref().unwrap_or(name);
        let name = cut(name, limits::NAME_BYTES);
        // An attribute of the file, `#![…]`, is before the declaration and does not belong to it.
        let inner = header.inner_attributes();
        let first = header
            .tokens
            .get(inner)
            .filter(|_| {
                inner > 0 && header.tokens.first().map(|one| one.start) == Some(first.start)
            })
            .unwrap_or(first);
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
            name_start: found.name.map_or(first.start, |(start, _, _)| start),
            end: last.end,
            decorated,
            first: first.line,
            sign,
            head: found.head.unwrap_or(last.last),
            last: last.last,
            doc: None,
            parent: None,
            local: self.block().local,
        };
        if self.parsed.items.len() >= limits::ITEMS {
            self.lost(first.line);
            return usize::MAX;
        }
        self.parsed.items.push(item);
        let at = self.parsed.items.len().saturating_sub(1);
        if self.language.has_quirk(Quirk::IndentedBlocks) {
            self.binds_lines(found, at);
        }
        at
    }
}
