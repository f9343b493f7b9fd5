//! The selector at the end of a path: lines or units, and whether as exact text.
//!
//! | form | lines |
//! |---|---|
//! | `N`, `N-` | all lines from N |
//! | `A-B`, `A..B` | A to B |
//! | `A+C` | C lines from A |
//! | `-N` | the last N lines |
//! | `5-9,20,40-` | several ranges; a single number is one line |
//! | `N:C` | all lines from N; C is a column that a compiler printed; only after an existing file |
//! | `N@C` | line N from column C |
//! | `N@C-B` | line N from column C, and the lines up to B |
//! | `raw` | the exact text; also before or after any form above |
//! | `img` | the image that a text describes, such as SVG |
//! | `image:3`, `img:3` | an image in a document, by number from 1 |
//! | `cell:4`, `page:2-4`, `slide:3-` | units by number; cells are numbered from 0 |
//! | `page:2:5-9` | lines in these units |
//! | `page:2:img` | an image of a page |
//! | `sym:NAME` | the declaration, heading or key with this name |
//! | `120:block`, `120:8:block`, `120:block+1` | the declaration around a line, or the one around that |
//! | `conflicts`, `conflict:2`, `conflict:2/ours` | merge conflicts; see the module `conflict` |
//! | `page:2-4:all` | pages with text that cannot be seen, such as white text |
//!
//! An `L` may precede each number. Case is ignored. The module `view` has the selectors of the
//! converted form, such as `full`, and those of declarations.

use super::conflict::{Conflict, parse_conflict};
use super::escape::escape_all;
use super::lines::{Lines, mistake, number, parse_lines};
use super::picture::{FIGURE, IMAGE, Picture, parse_image};
use super::symbol::Symbol;
use super::units::{UnitKind, UnitRange};
use crate::failure::Failure;
use std::fmt;

/// The part of a source to which the lines of a selector refer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The whole source.
    Whole,
    /// The image that a text describes, such as an SVG file. An image has no lines.
    Image,
    /// A picture of a document. It has no lines.
    Figure(Picture),
    /// A range of units, such as the pages of a document.
    Units(UnitRange),
    /// Merge conflicts, their lines, or a side of one.
    Conflict(Conflict),
    /// Declarations, headings or keys, or the lines of one.
    Symbol(Symbol),
    /// The converted form, such as the Markdown of a web page.
    Converted(View),
}

/// The part of a file that its converted form shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// The main text of a web page; everything in all other files.
    Main,
    /// The whole web page.
    Full,
    /// The section of a web page with this id.
    Section(String),
}

/// A parsed selector: the end of a path, which selects a part, lines or the exact text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// The part of the source.
    pub part: Part,
    /// The lines of that part.
    pub lines: Lines,
    /// Whether the exact text is requested, without line numbers and escapes.
    pub raw: bool,
}

impl Selector {
    /// The selector for the whole source, as for a path without a selector.
    pub const NONE: Self = Self::of(Part::Whole);

    /// The selector for all lines of a part.
    pub const fn of(part: Part) -> Self {
        Self {
            part,
            lines: Lines::All,
            raw: false,
        }
    }

    /// Whether this selector requests particular lines or the exact text.
    pub fn selects_lines(&self) -> bool {
        self.raw || self.lines != Lines::All
    }

    /// The id of the section of a web page that is requested, if one is.
    pub fn section(&self) -> Option<&str> {
        match &self.part {
            Part::Converted(View::Section(id)) => Some(id),
            _ => None,
        }
    }

    /// Parses the text after the colon that follows a name. Returns `Ok(None)` if the text is
    /// not a selector and therefore belongs to the name. A selector of the converted form is not
    /// parsed here, because a member of an archive may have its name: see
    /// [`Suffix::selector`](super::Suffix::selector).
    ///
    /// # Errors
    /// Returns [`Reason::InvalidSelector`] if the text is a selector with invalid numbers, such
    /// as `0` or `9-3`.
    ///
    /// [`Reason::InvalidSelector`]: crate::failure::Reason::InvalidSelector
    pub fn parse(text: &str) -> Result<Option<Self>, Failure> {
        if text.eq_ignore_ascii_case(IMAGE) {
            return Ok(Some(Self::of(Part::Image)));
        }
        if let Some((word, figure)) = text.split_once(':')
            && [FIGURE, IMAGE]
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known))
        {
            let picture = parse_image(figure)?;
            return Ok(picture.map(|picture| Self::of(Part::Figure(picture))));
        }
        if let Some((conflict, lines)) = parse_conflict(text)? {
            return of_conflict(conflict, lines);
        }
        if let Some((word, units)) = text.split_once(':')
            && let Some(kind) = UnitKind::named(word)
        {
            return parse_units(kind, units);
        }
        let (lines, raw) = match text.split_once(':') {
            None if text.eq_ignore_ascii_case("raw") => {
                return Ok(Some(Self {
                    raw: true,
                    ..Self::NONE
                }));
            }
            None => (text, false),
            Some((lines, raw)) if raw.eq_ignore_ascii_case("raw") => (lines, true),
            Some((raw, lines)) if raw.eq_ignore_ascii_case("raw") => (lines, true),
            Some(_) => return Ok(None),
        };
        let part = Part::Whole;
        Ok(parse_lines(lines)?.map(|lines| Self { part, lines, raw }))
    }

    /// The picture of a document that a text selects.
    pub fn picture_of(text: &str) -> Option<Picture> {
        match Self::parse(text).ok()??.part {
            Part::Figure(picture) => Some(picture),
            _ => None,
        }
    }
}

/// Removes the column from a position that a compiler printed. Returns `10` for `10:5`, and also
/// for `10:5:`, in which the colon before the message was copied too. Use this only for the suffix
/// of a file that exists, because a file name may end like this too, for example in a time.
pub fn without_column(text: &str) -> Option<&str> {
    let (line, column) = text.strip_suffix(':').unwrap_or(text).rsplit_once(':')?;
    let last = line.rsplit(':').next();
    (number(column).is_some() && last.and_then(number).is_some()).then_some(line)
}

/// The selector of a conflict with the text after it: lines, or `raw`.
fn of_conflict(conflict: Conflict, lines: Option<&str>) -> Result<Option<Selector>, Failure> {
    let of_lines = lines.map_or(Ok(Some(Selector::NONE)), Selector::parse)?;
    let fits = |lines: &Selector| {
        lines.part == Part::Whole && (conflict.has_lines() || lines.lines == Lines::All)
    };
    let part = Part::Conflict(conflict);
    let fitting = of_lines.filter(fits);
    Ok(fitting.map(|lines| Selector { part, ..lines }))
}

/// Parses the rest of a selector of units (such as pages) after the name of their kind and a colon:
/// `2-4:raw` in `cell:2-4:raw`.
fn parse_units(kind: UnitKind, text: &str) -> Result<Option<Selector>, Failure> {
    let (units, lines) = match text.split_once(':') {
        Some((units, lines)) => (units, Some(lines)),
        None => (text, None),
    };
    let (first, last) = match units.split_once('-') {
        Some((first, "")) => (number(first), Some(None)),
        Some((first, last)) => (number(first), number(last).map(Some)),
        None => (number(units), number(units).map(Some)),
    };
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(None);
    };
    let word = kind.word();
    if first.max(last.unwrap_or(0)) == u64::MAX {
        let named = capitalized(word);
        let message =
            format!("{named} selector {units} is invalid; no source has that many {word}s.");
        return Err(mistake(text, message));
    }
    if first < kind.first() {
        let named = capitalized(word);
        let message = format!("{named} selector {first} is invalid; {word}s are 1-indexed.");
        return Err(mistake(text, message));
    }
    if let Some(last) = last.filter(|last| *last < first) {
        let message = format!("Invalid range {first}-{last}: end must be >= start.");
        return Err(mistake(text, message));
    }
    if kind == UnitKind::Page
        && last == Some(first)
        && lines.is_some_and(|lines| lines.eq_ignore_ascii_case(IMAGE))
    {
        return Ok(Some(Selector::of(Part::Figure(Picture::Page(first)))));
    }
    let (hidden, lines) = match lines {
        Some(lines) if kind == UnitKind::Page => without_hidden(lines),
        lines => (false, lines),
    };
    let part = Part::Units(UnitRange {
        kind,
        first,
        last,
        hidden,
    });
    let of_lines = lines.map_or(Ok(Some(Selector::NONE)), Selector::parse)?;
    let plain = of_lines.filter(|lines| lines.part == Part::Whole);
    Ok(plain.map(|lines| Selector { part, ..lines }))
}

/// Removes the word for hidden text from the start of the rest of a selector of pages: `all` or
/// `all:5-9`. Returns whether it was there, and the selector of lines after it.
pub(super) fn without_hidden(text: &str) -> (bool, Option<&str>) {
    let (word, lines) = match text.split_once(':') {
        Some((word, lines)) => (word, Some(lines)),
        None => (text, None),
    };
    if word.eq_ignore_ascii_case(UnitRange::HIDDEN) {
        (true, lines)
    } else {
        (false, Some(text))
    }
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

impl fmt::Display for Selector {
    /// Writes the shortest text that parses to this selector, without a leading colon. Writes
    /// nothing for [`Selector::NONE`]. The id of a section is in escape form if necessary.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Lines of the main text follow an empty part.
        let mut begun = true;
        match &self.part {
            Part::Whole => begun = false,
            Part::Image => f.write_str(IMAGE)?,
            Part::Figure(picture) => picture.fmt(f)?,
            Part::Units(units) => units.fmt(f)?,
            Part::Conflict(conflict) => conflict.fmt(f)?,
            Part::Symbol(symbol) => symbol.fmt(f)?,
            Part::Converted(View::Main) => {}
            Part::Converted(View::Full) => f.write_str("full")?,
            Part::Converted(View::Section(id)) => {
                let section = format!("#{id}");
                f.write_str(&escape_all(&[&section], self.selects_lines()))?;
            }
        }
        let raw = if self.raw { "raw" } else { "" };
        for part in [self.lines.to_string().as_str(), raw] {
            if part.is_empty() {
                continue;
            }
            if begun {
                f.write_str(":")?;
            }
            f.write_str(part)?;
            begun = true;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
