//! Finds the declarations, headings, keys or sample records of a long text, for an outline of it
//! that fits on one page.
//!
//! ```text
//! lib        a text and its file name → declarations, sections or sample records
//! plan       the lines that an outline shows, within a budget
//! cells      the cells of a notebook, each in its own language
//! data       prose and data: headings, keys, elements, records
//! declarations  the declarations of a text in any language
//! markup     pages: headings, elements, scripts and styles
//! parse      blocks and statements
//! languages  language detection; one table for each language
//! families   what the languages of one family need: declarations without a keyword, braces, lines
//! header     what a statement declares
//! lexer      a text → tokens: words, strings, comments and punctuation
//! keywords   roles of keywords in a language
//! language   the types of these tables: a language, a family, and a statement to which they apply
//! grammar    the terms of the tables: keywords, names, scopes
//! lexis      lexical rules of a language: comments, strings, characters of words
//! token      words, strings, brackets and other signs
//! item       declarations and sections
//! symbols    declarations by their name, and those that contain a line
//! symbol     the result of such a search
//! spans      runs of spaces and letters, eight bytes at a time
//! sort       sorting by numbers and names, which the reader shares
//! numbers    numbers in human-readable form
//! limits     every limit, with its reason
//! ```
//!
//! Invariants:
//!
//! * A scan takes linear time and never fails. Damaged text results in a partial outline, with the
//!   first line that is uncertain.
//! * The code is the same for all languages. What one language needs is in its table.
//! * Nothing panics on data: no indexing, no unchecked arithmetic, no `unwrap`.

#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

mod cells;
pub mod data;
mod declarations;
mod families;
pub mod grammar;
mod header;
mod item;
mod keywords;
mod language;
pub mod languages;
mod lexer;
mod lexis;
pub mod limits;
mod markup;
pub mod numbers;
mod parse;
mod plan;
pub mod sort;
mod spans;
pub mod symbol;
pub mod symbols;
mod token;

pub use cells::cells;
pub use declarations::parse;
pub use item::{Item, Parsed, Restart};
pub use language::Language;
pub use plan::{Budget, Piece, plan, sampled};

use data::Scanned;

/// Finds the declarations, sections or sample records of a text. `name` is the file name. The name
/// determines the scanner or, if it does not, the contents do. Returns `None` if no scanner
/// recognises the text.
pub fn scan(text: &str, name: &str) -> Option<Scanned> {
    if let Some(scan) = data::by_name(name) {
        return scan(text);
    }
    let language = languages::by_contents(name, text)?;
    Some(Scanned::Items(parse(text, language)))
}

/// Whether [`scan`] may find something in a text with this first line. If not, the text itself is not needed.
pub fn may_scan(first_line: &str, name: &str) -> bool {
    if let Some(scan) = data::of_name(name) {
        return matches!(scan, data::Named::Scanner(_));
    }
    languages::by_name(name).is_some() || languages::by_first_line(first_line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn logs_have_no_outline() {
        let mut log = String::new();
        for n in 0..400 {
            let _ = writeln!(log, "2024-01-02 03:04:05 INFO request {n} took 7ms");
        }
        for name in ["a.log", "a.log.1", "syslog", "server", "a.txt"] {
            assert!(scan(&log, name).is_none(), "{name}");
            let first_line = log.lines().next().unwrap_or_default();
            assert!(!may_scan(first_line, name), "{name}");
        }
        assert!(may_scan("#!/bin/sh", "server") && may_scan("", "a.rs") && may_scan("", "a.json"));
    }
}
