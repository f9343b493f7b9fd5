//! The selector at the end of a path: which lines, and whether exactly.
//!
//! | form | lines |
//! |---|---|
//! | `N`, `N-` | from N on |
//! | `A-B`, `A..B` | A to B |
//! | `A+C` | C lines from A |
//! | `-N` | the last N |
//! | `5-9,20,40-` | each of these; a bare number is that one line |
//! | `N:C` | from N on: a line and a column as compilers print them, after a file that exists |
//! | `N@C`, `N@C-B` | line N from column C; then up to line B; in a list, without an end, that line alone |
//! | `raw` | the text exactly; also before or after any of these |
//! | `img` | the image that a text draws, such as SVG |
//! | `cell:4`, `page:2-4`, `slide:3-` | units of a source: the 4th, the 2nd to the 4th, from the 3rd on; lines of them after another colon. Cells are counted from 0 |
//!
//! An `L` may stand before each number, and case does not matter.

use super::lines::{Lines, mistake, number, parse_lines};
use super::units::{UnitKind, UnitRange};
use crate::failure::Failure;
use std::fmt;

/// Which part of a file the lines are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// The image that it draws, which has no lines.
    Image,
    /// Units of it, such as the pages of a document.
    Units(UnitRange),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Image => f.write_str("img"),
            Self::Units(units) => units.fmt(f),
        }
    }
}

/// A parsed selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// Of what.
    pub part: Part,
    /// Which lines.
    pub lines: Lines,
    /// The text exactly as it is.
    pub raw: bool,
}

impl Selector {
    /// No selector at all.
    pub const NONE: Self = Self::of(Part::Whole);

    /// All lines of a part.
    pub const fn of(part: Part) -> Self {
        Self {
            part,
            lines: Lines::All,
            raw: false,
        }
    }

    /// Whether it asks for certain lines, or for the exact text.
    pub fn asks_for_lines(&self) -> bool {
        self.raw || self.lines != Lines::All
    }

    /// Parses what follows the colon after a name.
    ///
    /// # Errors
    /// `Ok(None)` if this is no selector and so belongs to a name;
    /// [`Reason::Selector`] if it is one that cannot mean anything, such as
    /// `0` or `9-3`.
    pub fn parse(text: &str) -> Result<Option<Self>, Failure> {
        if text.eq_ignore_ascii_case("img") {
            return Ok(Some(Self::of(Part::Image)));
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

    /// Whether this text names a selector that belongs to no reader yet.
    pub fn reserved(text: &str) -> Option<&'static str> {
        ["conflicts"]
            .into_iter()
            .find(|word| text.eq_ignore_ascii_case(word))
    }
}

/// A selector without the column after its line, as compilers print them: `10` of `10:5`,
/// also of `10:5:` if the colon before the message was copied as well. Names may end like
/// this, such as with a time, so it is for what follows a file that exists.
pub fn without_column(text: &str) -> Option<&str> {
    let (line, column) = text.strip_suffix(':').unwrap_or(text).rsplit_once(':')?;
    let last = line.rsplit(':').next();
    (number(column).is_some() && last.and_then(number).is_some()).then_some(line)
}

/// Parses what follows the word of a kind of units, as in `cell:`.
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
    let part = Part::Units(UnitRange { kind, first, last });
    let of_lines = lines.map_or(Ok(Some(Selector::NONE)), Selector::parse)?;
    let plain = of_lines.filter(|lines| lines.part == Part::Whole);
    Ok(plain.map(|lines| Selector { part, ..lines }))
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

impl fmt::Display for Selector {
    /// The shortest text that parses to this selector, without a colon before
    /// it; nothing if there is no selector.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let raw = if self.raw { "raw" } else { "" };
        let parts = [
            self.part.to_string(),
            self.lines.to_string(),
            raw.to_owned(),
        ];
        let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        f.write_str(&said.join(":"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::Range;
    use super::*;
    use proptest::prelude::*;

    fn canonical(text: &str) -> Option<String> {
        Selector::parse(text).unwrap().map(|s| s.to_string())
    }

    #[test]
    fn every_spelling_has_one_meaning() {
        for (text, meaning) in [
            ("5", "5"),
            ("L5", "5"),
            ("5-", "5"),
            ("5..", "5"),
            ("l5-L9", "5-9"),
            ("5..9", "5-9"),
            ("5+3", "5-7"),
            ("L5+L3", "5-7"),
            ("-4", "-4"),
            ("-4@7", "-4@7"),
            ("raw", "raw"),
            ("RAW", "raw"),
            ("5-9:raw", "5-9:raw"),
            ("raw:5-9", "5-9:raw"),
            ("raw:-60", "-60:raw"),
            ("20,5-9", "5-9,20"),
            ("5-9,10-12", "5-12"),
            ("5-9,7-20", "5-20"),
            ("5-9,7-", "5"),
            ("19,59", "19,59"),
            ("12@2001", "12@2001"),
            ("12@2001-40", "12@2001-40"),
            ("12@2001-12,40-", "12@2001-12,40-"),
            ("12@2001,40-", "12@2001-12,40-"),
            ("5-99999999999999999999", "5"),
            ("5+99999999999999999999", "5"),
            ("2@5-2,7@9,12-", "2@5-2,7@9-7,12-"),
            ("IMG", "img"),
            ("cell:4", "cell:4"),
            ("Cell:2-4", "cell:2-4"),
            ("cell:2-4:5-9", "cell:2-4:5-9"),
            ("cell:0:raw", "cell:0:raw"),
            ("cell:0:raw:-3", "cell:0:-3:raw"),
            ("cell:1-", "cell:1-"),
            ("PAGE:3-5", "page:3-5"),
            ("page:7:13-", "page:7:13"),
            ("page:7-:13-", "page:7-:13"),
            ("slide:2-2", "slide:2"),
            ("chapter:3:raw:1-4", "chapter:3:1-4:raw"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(meaning), "{text}");
        }
    }

    #[test]
    fn a_list_that_merges_into_one_range_stays_a_list() {
        // Lists are exact; a single range is shown with context.
        assert_eq!(
            Selector::parse("1-2,3-4").unwrap().unwrap().lines,
            Lines::List(vec![Range::lines(1, Some(4))])
        );
    }

    #[test]
    fn columns_of_compilers_are_removed() {
        for (text, line) in [
            ("10:5", Some("10")),
            ("10:5:", Some("10")),
            ("cell:4:10:5", Some("cell:4:10")),
            ("10:", None),
            ("10::", None),
            ("10:x", None),
            ("5-9:6", None),
            ("raw:5", None),
            ("10", None),
        ] {
            assert_eq!(without_column(text), line, "{text}");
        }
    }

    #[test]
    fn anything_else_belongs_to_the_name() {
        for text in [
            "",
            "x",
            "LL5",
            "5-x",
            "5,",
            "5,-3",
            "-",
            "--3",
            "5:6",
            "5:",
            "raw:raw",
            "5-9:raw:raw",
            "1.5",
            "5 ",
            "+3",
            "0x",
            "5@",
            "5@3-",
            "@3",
            "0,x",
            "cell",
            "cell:",
            "cell:x",
            "cell:-1",
            "cell:1:img",
            "page:",
            "page:x",
            "pages:1",
            "page:1:slide:1",
            "cell:1:cell:1",
            "img:5",
        ] {
            assert_eq!(Selector::parse(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named_in_full() {
        for (text, message) in [
            (
                "0",
                "Line selector 0 is invalid; lines are 1-indexed. Use :1.",
            ),
            (
                "0-4",
                "Line selector 0 is invalid; lines are 1-indexed. Use :1.",
            ),
            ("9-3", "Invalid range 9-3: end must be >= start."),
            ("5+0", "Invalid range 5+0: count must be >= 1."),
            (
                "cell:99999999999999999999",
                "Cell selector 99999999999999999999 is invalid; no source has that many cells.",
            ),
            ("cell:3-1", "Invalid range 3-1: end must be >= start."),
            ("page:0", "Page selector 0 is invalid; pages are 1-indexed."),
            ("1-3,9-3", "Invalid range 9-3: end must be >= start."),
            (
                "-0",
                "Tail selector -0 is invalid; use :-N with N >= 1 to read the last N lines.",
            ),
            (
                "99999999999999999999",
                "Line selector 99999999999999999999 is invalid; no text has that many lines.",
            ),
            (
                "L99999999999999999999-",
                "Line selector 99999999999999999999 is invalid; no text has that many lines.",
            ),
            (
                "2@99999999999999999999",
                "Column selector 2@99999999999999999999 is invalid; no line has that many characters.",
            ),
            (
                "2@5,2-3",
                "Invalid column in a list: line 2 is in another range as well.",
            ),
            (
                "1-3,2@5",
                "Invalid column in a list: line 2 is in another range as well.",
            ),
            (
                "3@0",
                "Column selector 0 is invalid; columns are 1-indexed. Use :3@1.",
            ),
        ] {
            assert_eq!(
                &*Selector::parse(text).unwrap_err().message,
                message,
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn printing_and_parsing_agree(text in "[L]?[1-9][0-9]{0,2}(@[1-9][0-9]?)?(-|\\.\\.|\\+[1-9])?(,[1-9][0-9]{0,2}-?){0,3}(:raw)?") {
            if let Ok(Some(selector)) = Selector::parse(&text) {
                let printed = selector.to_string();
                let again = Selector::parse(&printed).unwrap().unwrap();
                prop_assert_eq!(again.to_string(), printed);
                prop_assert_eq!(again.raw, selector.raw);
            }
        }

        #[test]
        fn no_text_breaks_the_parser(text in ".{0,40}") {
            let _ = Selector::parse(&text);
        }
    }
}
