//! What is found in a text: declarations, sections, and lines that are neither.

use super::grammar::Kind;

/// Declarations and sections of a text that are kept; the longest one that is
/// outlined has fewer lines.
pub const ITEMS: usize = 50_000;

/// Bytes of a name that are kept.
pub const NAME: usize = 200;

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its name; some have none.
    pub name: String,
    /// The line of its name.
    pub line: u32,
    /// Its first byte.
    pub start: usize,
    /// Its first line, that of an attribute of it perhaps.
    pub first: u32,
    /// The first line that tells what it is, behind its attributes.
    pub sign: u32,
    /// The last line that tells what it is.
    pub head: u32,
    /// Its last line.
    pub last: u32,
    /// What is said of it: before it, or at the start of its block.
    pub doc: Option<(u32, u32)>,
    /// What it stands in.
    pub parent: Option<usize>,
    /// It stands in a function.
    pub local: bool,
}

impl Item {
    /// A section that stands on one line, as far as is known.
    pub fn section(name: &str, line: u32, start: usize) -> Self {
        Self {
            kind: Kind::Section,
            name: name.to_owned(),
            line,
            start,
            first: line,
            sign: line,
            head: line,
            last: line,
            doc: None,
            parent: None,
            local: false,
        }
    }
}

/// What was found in a text.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// Declarations, as they follow one another.
    pub items: Vec<Item>,
    /// Runs of lines that are imports.
    pub imports: Vec<(u32, u32)>,
    /// Runs of lines that are comments.
    pub comments: Vec<(u32, u32)>,
    /// What is said of the file as a whole, at its start.
    pub about: Option<(u32, u32)>,
    /// From where on the brackets do not match.
    pub lost: Option<u32>,
    /// It is prose: its sections are headings, which its outline shows all.
    pub prose: bool,
}

impl Parsed {
    /// Takes over what was found in a part of the text that begins at `start`,
    /// behind so many lines. What stands in nothing there stands in `owner`.
    pub fn include(&mut self, part: Self, start: usize, lines: u32, owner: Option<usize>) {
        let base = self.items.len();
        let moved = |line: u32| line.saturating_add(lines);
        let run = |(first, last): (u32, u32)| (moved(first), moved(last));
        self.items.extend(part.items.into_iter().map(|item| {
            Item {
                line: moved(item.line),
                start: item.start.saturating_add(start),
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
        self.lost = self.lost.or(part.lost.map(moved));
    }
}

/// The start of a name or another text, at most so many bytes of it.
pub fn cut(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_ends_with_a_character() {
        assert_eq!(cut("aäb", 2), "a");
        assert_eq!(cut("aäb", 9), "aäb");
    }
}
