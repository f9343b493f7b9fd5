//! Declarations and sections found in a text, and the lines of imports and comments between them.

use super::grammar::Kind;

/// A declaration or section. Line numbers start at 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The kind of declaration.
    pub kind: Kind,
    /// The name; empty for an anonymous declaration.
    pub name: String,
    /// The line of the name.
    pub line: u32,
    /// The byte offset in the text at which the first token of the item begins.
    pub start: usize,
    /// The byte offset of the name, or of the first token if there is no name.
    pub name_start: usize,
    /// The byte offset after the last token, or 0 if the item consists of whole lines.
    pub end: usize,
    /// The line and the byte offset of the first decorator, if decorators are statements of their
    /// own before the declaration: `@name` in Python, `@doc` in Elixir.
    pub decorated: Option<(u32, usize)>,
    /// The first line, including attributes.
    pub first: u32,
    /// The first line of the signature, after any attributes.
    pub sign: u32,
    /// The last line of the signature.
    pub head: u32,
    /// The last line of the body.
    pub last: u32,
    /// The first and last lines of the documentation comment, before the declaration or at the
    /// start of its block.
    pub doc: Option<(u32, u32)>,
    /// The index of the enclosing item in [`Parsed::items`].
    pub parent: Option<usize>,
    /// Whether the declaration is inside a function.
    pub local: bool,
}

impl Item {
    /// Creates a section of one line. The caller sets `last` when the end of the section is known.
    pub fn section(name: &str, line: u32, start: usize) -> Self {
        Self {
            kind: Kind::Section,
            name: name.to_owned(),
            line,
            start,
            name_start: start,
            end: 0,
            decorated: None,
            first: line,
            sign: line,
            head: line,
            last: line,
            doc: None,
            parent: None,
            local: false,
        }
    }

    /// Moves the end of the body to a line and a byte offset, if they are after it.
    pub fn extend(&mut self, last: u32, end: usize) {
        self.last = self.last.max(last);
        self.end = self.end.max(end);
    }
}

/// The result of scanning a text.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// Declarations and sections in the order of the text. A parent precedes its children.
    pub items: Vec<Item>,
    /// The first and last line of each run of imports.
    pub imports: Vec<(u32, u32)>,
    /// The first and last line of each run of comments.
    pub comments: Vec<(u32, u32)>,
    /// The first and last lines of the documentation of the whole file, at its start.
    pub file_doc: Option<(u32, u32)>,
    /// The first line from which brackets or other delimiters do not match. Items after it are
    /// uncertain.
    pub unbalanced_at: Option<u32>,
    /// Whether the text is prose. The outline of prose may have more lines, so that it shows all
    /// headings.
    pub prose: bool,
    /// The last place at which the scan of code was outside all statements and blocks.
    pub restart: Option<Restart>,
}

/// A place from which a text can be scanned without the text before it: the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// The byte offset.
    pub offset: usize,
    /// The number of the line.
    pub line: u32,
}

impl Parsed {
    /// The first line of an item, with its decorators and the comment before it. `specified` is the line on which
    /// it begins after an access specifier, before which a comment does not belong to it.
    pub fn beginning(&self, item: &Item, specified: Option<u32>) -> u32 {
        let first = specified
            .or(item.decorated.map(|at| at.0))
            .unwrap_or(item.first);
        let comment = || {
            let after = self.comments.partition_point(|(_, last)| *last < first);
            let comment = after.checked_sub(1).and_then(|at| self.comments.get(at));
            comment.filter(|(_, last)| last.saturating_add(1) == first)
        };
        let doc = item
            .doc
            .filter(|(doc, _)| *doc < first && specified.is_none());
        doc.or_else(|| comment().copied())
            .map_or(first, |(comment, _)| comment.min(first))
    }

    /// Appends the result for a part of the text. The part begins at byte `start` and is preceded
    /// by `lines` lines. Items without a parent become children of `owner`.
    pub fn include(&mut self, part: Self, start: usize, lines: u32, owner: Option<usize>) {
        let base = self.items.len();
        let moved = |line: u32| line.saturating_add(lines);
        let run = |(first, last): (u32, u32)| (moved(first), moved(last));
        self.items.extend(part.items.into_iter().map(|item| {
            Item {
                line: moved(item.line),
                start: item.start.saturating_add(start),
                name_start: item.name_start.saturating_add(start),
                end: if item.end == 0 {
                    0
                } else {
                    item.end.saturating_add(start)
                },
                decorated: item
                    .decorated
                    .map(|(line, at)| (moved(line), at.saturating_add(start))),
                first: moved(item.first),
                sign: moved(item.sign),
                head: moved(item.head),
                last: moved(item.last),
                doc: item.doc.map(run),
                parent: item
                    .parent
                    .map(|parent| parent.saturating_add(base))
                    .or(owner),
                ..item
            }
        }));
        self.imports.extend(part.imports.into_iter().map(run));
        self.comments.extend(part.comments.into_iter().map(run));
        self.unbalanced_at = self.unbalanced_at.or(part.unbalanced_at.map(moved));
    }
}

/// The longest prefix of a text that has at most `most` bytes and ends between characters.
pub fn cut(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_text_ends_at_character_boundary() {
        assert_eq!(cut("aäb", 2), "a");
        assert_eq!(cut("aäb", 9), "aäb");
    }
}
