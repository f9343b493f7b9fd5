//! A tree as Markdown.
//!
//! ```text
//! renderer  the state of a conversion
//! elements  elements with a meaning of their own
//! blocks    paragraphs, headings, quotes, and everything else that has lines of its own
//! list      lists, items and definitions
//! table     tables with data, and those that only arrange a page
//! code      preformatted text and its language
//! inline    formatted text, links, images and math in a line
//! notes     footnotes, and references to them
//! footnotes which elements are footnotes, and which links refer to them
//! math      MathML → LaTeX
//! settings  what is left out, and how links are written
//! words     the words in a class
//! ```
//!
//! Blocks, lines and tables are written by [`omniread_document::markdown`], as those of documents are.
//! Functions call each other along the tree, whose depth is limited when it is built.

mod blocks;
mod code;
mod elements;
mod footnotes;
mod frame;
mod gutter;
mod inline;
mod list;
mod math;
mod notes;
mod raised;
mod renderer;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub use elements::{is_code_block, is_math_script, is_never_shown, is_shadow_root};
pub use renderer::{Rendered, render};
pub use settings::{Addresses, Settings};
