//! Finds the declarations, headings, keys or sample records of a long text, for an outline of it
//! that fits on one page.
//!
//! ```text
//! item       declarations and sections, and the maximum number of them
//! languages  language detection; one table for each language
//! lexis      lexical rules of a language: comments, strings, characters of words
//! lexer      tokens: words, strings, comments and punctuation
//! keywords   roles of keywords in a language
//! spans      runs of spaces and letters, eight bytes at a time
//! parse      blocks and statements
//! header     what a statement declares
//! cells      the cells of a notebook, each in its own language
//! data       prose and data: headings, keys, elements, records
//! plan       the lines that an outline shows, within a budget
//! ```
//!
//! A scan takes linear time and never fails. Damaged text results in a partial outline.

mod cells;
pub mod data;
pub mod grammar;
mod header;
mod item;
mod keywords;
pub mod languages;
mod lexer;
mod lexis;
mod parse;
mod plan;
mod spans;

pub use cells::cells;
pub use item::{Item, Parsed};
pub use parse::parse;
pub use plan::{Budget, Piece, plan, sampled};

use data::Scanned;

/// Finds the declarations, sections or sample records of a text. `name` is the file name. The name
/// determines the scanner or, if it does not, the contents do. Returns `None` if no scanner
/// recognises the text.
pub fn scan(text: &str, name: &str) -> Option<Scanned> {
    if let Some(scan) = data::by_name(name) {
        return scan(text);
    }
    match languages::by_contents(name, text) {
        Some(language) => Some(Scanned::Items(parse(text, language))),
        None => data::by_content(text),
    }
}
