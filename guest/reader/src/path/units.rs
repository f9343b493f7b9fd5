//! Kinds of units (cells, pages, slides, chapters, mails, sheets) and ranges of them.
//!
//! `TABLE` is the only list of them. The selector parser, messages, hints and documents use its
//! names and first numbers.

use omniread_document as document;
use std::fmt;

/// The kind of unit that a document consists of: cells, pages, slides, chapters, mails or sheets.
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
    /// Mails of a mailbox.
    Mail,
    /// Sheets of a workbook.
    Sheet,
}

/// A row of the table of unit kinds.
struct Row {
    kind: UnitKind,
    /// The name in a selector and in messages: `cell`.
    word: &'static str,
    /// The number of the first unit of a source: 0 or 1.
    first: u64,
}

const TABLE: [Row; 6] = [
    Row {
        kind: UnitKind::Cell,
        word: "cell",
        // The cell markers in the text of a notebook count from 0 as well.
        first: 0,
    },
    Row {
        kind: UnitKind::Page,
        word: "page",
        first: 1,
    },
    Row {
        kind: UnitKind::Slide,
        word: "slide",
        first: 1,
    },
    Row {
        kind: UnitKind::Chapter,
        word: "chapter",
        first: 1,
    },
    Row {
        kind: UnitKind::Mail,
        word: "mail",
        first: 1,
    },
    Row {
        kind: UnitKind::Sheet,
        word: "sheet",
        first: 1,
    },
];

impl UnitKind {
    /// The kind of the units of a document that an engine converts.
    pub const fn of(kind: Option<document::UnitKind>) -> Option<Self> {
        match kind {
            Some(document::UnitKind::Slide) => Some(Self::Slide),
            Some(document::UnitKind::Chapter) => Some(Self::Chapter),
            Some(document::UnitKind::Mail) => Some(Self::Mail),
            Some(document::UnitKind::Page) => Some(Self::Page),
            Some(document::UnitKind::Sheet) => Some(Self::Sheet),
            None => None,
        }
    }

    const fn row(self) -> &'static Row {
        let [cell, page, slide, chapter, mail, sheet] = &TABLE;
        match self {
            Self::Cell => cell,
            Self::Page => page,
            Self::Slide => slide,
            Self::Chapter => chapter,
            Self::Mail => mail,
            Self::Sheet => sheet,
        }
    }

    /// The kind whose name in a selector is `word`, ignoring case.
    pub fn named(word: &str) -> Option<Self> {
        let row = TABLE.iter().find(|row| row.word.eq_ignore_ascii_case(word));
        row.map(|row| row.kind)
    }

    /// The name in a selector and in messages: `cell`.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// The number of the first unit of a source: 0 or 1.
    pub const fn first(self) -> u64 {
        self.row().first
    }
}

/// A range of units, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitRange {
    /// The kind of unit.
    pub kind: UnitKind,
    /// The number of the first unit of the range.
    pub first: u64,
    /// The number of the last unit of the range. `None` means the last unit of the source.
    pub last: Option<u64>,
    /// Whether text is included that other programs do not show, such as white text.
    pub hidden: bool,
}

impl UnitRange {
    /// The word in a selector for text that other programs do not show.
    pub const HIDDEN: &str = "all";

    /// All units of a kind.
    pub const fn all(kind: UnitKind) -> Self {
        Self {
            kind,
            first: kind.first(),
            last: None,
            hidden: false,
        }
    }

    /// One unit.
    pub const fn one(kind: UnitKind, number: u64) -> Self {
        Self {
            first: number,
            last: Some(number),
            ..Self::all(kind)
        }
    }

    /// This range in a source of `count` units, as indexes from 0: the index of its first unit, and
    /// the index after its last unit. `None` if the source has no unit in this range.
    pub fn within(self, count: u64) -> Option<(u64, u64)> {
        let place = |number: u64| number.checked_sub(self.kind.first());
        let first = place(self.first)?;
        let end = match self.last {
            Some(last) => place(last)?.saturating_add(1).min(count),
            None => count,
        };
        (first < end).then_some((first, end))
    }

    /// A note with the number of the last unit of a source of `count` units, if this range ends
    /// after that unit.
    pub fn clamped(self, count: u64) -> Option<String> {
        let last = Self::last_of(self.kind, count);
        let more = self.last.is_some_and(|requested| requested > last);
        more.then(|| format!("{}:{last} is the last one", self.kind.word()))
    }

    /// The number of the last unit of a source of `count` units.
    pub fn last_of(kind: UnitKind, count: u64) -> u64 {
        kind.first().saturating_add(count).saturating_sub(1)
    }

    /// Whether a source of `count` units has one with this number.
    pub fn exists(kind: UnitKind, count: u64, number: u64) -> bool {
        count > 0 && (kind.first()..=Self::last_of(kind, count)).contains(&number)
    }
}

impl fmt::Display for UnitRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            first,
            last,
            hidden,
        } = self;
        write!(f, "{}:{first}", kind.word())?;
        match last {
            Some(last) if last == first => {}
            Some(last) => write!(f, "-{last}")?,
            None => f.write_str("-")?,
        }
        if *hidden {
            write!(f, ":{}", Self::HIDDEN)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_rows_are_in_the_order_of_the_kinds() {
        for row in &TABLE {
            assert_eq!(row.kind.word(), row.word);
            assert_eq!(UnitKind::named(&row.word.to_uppercase()), Some(row.kind));
        }
        assert_eq!(UnitKind::named("line"), None);
    }

    #[test]
    fn unit_range_is_clamped_to_the_source() {
        let within = |kind, first, last, count| {
            let all = UnitRange::all(kind);
            UnitRange { first, last, ..all }.within(count)
        };
        assert_eq!(within(UnitKind::Cell, 0, Some(0), 3), Some((0, 1)));
        assert_eq!(within(UnitKind::Cell, 2, Some(9), 3), Some((2, 3)));
        assert_eq!(within(UnitKind::Cell, 3, Some(9), 3), None);
        assert_eq!(within(UnitKind::Page, 1, None, 3), Some((0, 3)));
        assert_eq!(within(UnitKind::Page, 0, Some(1), 3), None);
        assert_eq!(within(UnitKind::Page, 4, None, 3), None);
        assert_eq!(within(UnitKind::Page, 1, None, 0), None);
    }
}
