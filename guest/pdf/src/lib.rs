//! PDF as Markdown.
//!
//! ```text
//! document     the file as a document whose units are pages
//! facts        metadata, labels of pages, outline
//! names        trees of names, destinations and actions
//! attachments  files in the file
//! file         an open file: its objects, pages, fonts and layers
//! content      the content streams of a page → glyphs, lines, rectangles and images
//! fonts        codes of texts → characters and widths
//! inline       glyphs in the order of reading → inline text
//! bidi         the order of reading of the glyphs of a line
//! arabic       presentation forms of letters
//! annotations  links, comments and form fields of a page
//! join         the texts of pages → one text
//! images       images as files of their own
//! decode       decompression within limits
//! guard        streams that are too large to be read
//! strings      text strings
//! matrix       transforms of positions
//! testing      files for tests, built in code
//! limits       every limit, with its reason
//! page         the content of a page: glyphs, lines, images and links with their positions
//! structure    the structure tree → blocks
//! layout       the content of a page without tags → blocks
//! ```

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

mod annotations;
mod arabic;
mod attachments;
pub mod bidi;
pub mod content;
mod decode;
pub mod document;
mod facts;
pub mod file;
mod fonts;
mod guard;
mod images;
pub mod inline;
mod join;
pub mod layout;
pub mod limits;
mod matrix;
mod names;
pub mod page;
mod strings;
pub mod structure;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;

pub use document::open;
pub use join::join;
