//! The units that a source may consist of: cells, pages, slides, chapters.
//!
//! One table. The parser of selectors, the messages, the hints and the documents
//! take their words from it.

use std::fmt;

/// What a source consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// Cells of a notebook.
    Cell,
    /// Pages of a document.
    Page,
    /// Slides of a presentation.
    Slide,
    /// Chapters of a book.
    Chapter,
}

/// A row of the table.
struct Row {
    kind: UnitKind,
    /// The word of the selector.
    word: &'static str,
    /// The number of the first unit.
    first: u64,
    /// The sources that consist of such units; `None` until one is read.
    sources: Option<&'static str>,
}

const TABLE: [Row; 4] = [
    Row {
        kind: UnitKind::Cell,
        word: "cell",
        // As the markers in front of cells count.
        first: 0,
        sources: Some("notebook"),
    },
    Row {
        kind: UnitKind::Page,
        word: "page",
        first: 1,
        sources: None,
    },
    Row {
        kind: UnitKind::Slide,
        word: "slide",
        first: 1,
        sources: None,
    },
    Row {
        kind: UnitKind::Chapter,
        word: "chapter",
        first: 1,
        sources: None,
    },
];

impl UnitKind {
    fn row(self) -> &'static Row {
        let [cell, page, slide, chapter] = &TABLE;
        match self {
            Self::Cell => cell,
            Self::Page => page,
            Self::Slide => slide,
            Self::Chapter => chapter,
        }
    }

    /// The kind that a selector names by this word, in any case.
    pub fn named(word: &str) -> Option<Self> {
        let row = TABLE.iter().find(|row| row.word.eq_ignore_ascii_case(word));
        row.map(|row| row.kind)
    }

    /// The word of the selector: `cell`.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// The number of the first unit.
    pub fn first(self) -> u64 {
        self.row().first
    }

    /// What consists of such units, as `notebook`; `None` if no reader knows any.
    pub fn sources(self) -> Option<&'static str> {
        self.row().sources
    }

    /// The selectors for units that there are readers for, as a hint lists them:
    /// `:cell:N in a notebook`.
    pub fn hints() -> impl Iterator<Item = String> {
        TABLE.iter().filter_map(|row| {
            let sources = row.sources?;
            Some(format!(":{}:N in a {sources}", row.word))
        })
    }
}

/// A run of units, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitRange {
    /// What they are.
    pub kind: UnitKind,
    /// The number of the first one.
    pub first: u64,
    /// The number of the last one; `None` is the last that there is.
    pub last: Option<u64>,
}

impl UnitRange {
    /// The units of it that a source of `count` units has, counted from 0: the
    /// first one, and the one after the last. `None` if it has none of them.
    pub fn within(self, count: u64) -> Option<(u64, u64)> {
        let place = |number: u64| number.checked_sub(self.kind.first());
        let first = place(self.first)?;
        let end = match self.last {
            Some(last) => place(last)?.saturating_add(1).min(count),
            None => count,
        };
        (first < end).then_some((first, end))
    }

    /// The note on units that it asks for after the last one.
    pub fn clamped(self, count: u64) -> Option<String> {
        let last = Self::last_of(self.kind, count);
        let more = self.last.is_some_and(|asked| asked > last);
        more.then(|| format!("{}:{last} is the last one", self.kind.word()))
    }

    /// The number of the last unit of a source of `count` units.
    pub fn last_of(kind: UnitKind, count: u64) -> u64 {
        kind.first().saturating_add(count).saturating_sub(1)
    }
}

impl fmt::Display for UnitRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, first, last } = self;
        write!(f, "{}:{first}", kind.word())?;
        match last {
            Some(last) if last == first => Ok(()),
            Some(last) => write!(f, "-{last}"),
            None => f.write_str("-"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_kinds() {
        for row in &TABLE {
            assert_eq!(row.kind.word(), row.word);
            assert_eq!(UnitKind::named(&row.word.to_uppercase()), Some(row.kind));
        }
        assert_eq!(UnitKind::named("line"), None);
    }

    #[test]
    fn ranges_are_clamped_to_the_units_that_there_are() {
        let within = |kind, first, last, count| UnitRange { kind, first, last }.within(count);
        assert_eq!(within(UnitKind::Cell, 0, Some(0), 3), Some((0, 1)));
        assert_eq!(within(UnitKind::Cell, 2, Some(9), 3), Some((2, 3)));
        assert_eq!(within(UnitKind::Cell, 3, Some(9), 3), None);
        assert_eq!(within(UnitKind::Page, 1, None, 3), Some((0, 3)));
        assert_eq!(within(UnitKind::Page, 0, Some(1), 3), None);
        assert_eq!(within(UnitKind::Page, 4, None, 3), None);
        assert_eq!(within(UnitKind::Page, 1, None, 0), None);
    }
}
