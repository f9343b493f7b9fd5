//! What a long text holds, on one page: every declaration of code, every heading
//! of prose, the keys of data, some records of tables and logs.
//!
//! ```text
//! item       what is found, and how much of it is kept
//! languages  which language a text is in: one table for each
//! lexer      words, strings and comments, by the lexis of a language
//! keywords   what its words mean; spans: runs of bytes of one kind
//! parse      blocks and statements; header: what each of them declares
//! data       prose and data: headings, keys, elements, records
//! plan       which lines are shown, within a budget
//! ```

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

use data::Found;

/// What a text holds, if its name or the text itself tells what it is.
pub fn scan(text: &str, name: &str) -> Option<Found> {
    if let Some(scan) = data::by_name(name) {
        return scan(text);
    }
    match languages::by_contents(name, text) {
        Some(language) => Some(Found::Items(parse(text, language))),
        None => data::by_content(text),
    }
}
