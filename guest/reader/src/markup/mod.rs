//! HTML as text, with its tables in Markdown.
//!
//! ```text
//! html    the tokens of the markup → text
//! flow    words and the white space between them
//! table   cells and spans → a table in Markdown
//! ```

mod flow;
mod html;
mod table;

pub use html::{has_table, text};
