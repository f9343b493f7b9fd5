//! PDF as Markdown.
//!
//! ```text
//! document     the file as a document whose units are pages
//! heads        which running heads and feet a page shows
//! drawn        some of the glyphs of a page
//! emphasis     bold and italic text that says nothing
//! facts        metadata, labels of pages, outline
//! names        trees of names, destinations and actions
//! attachments  files in the file
//! missing      what is missing in the text of a page
//! unread       text whose characters are unknown
//! file         an open file: its objects, pages, fonts and layers
//! ranges       a large file, of which only the objects that are needed are read
//! layers       optional content
//! content      the content streams of a page → glyphs, lines, rectangles and images
//! fonts        codes of texts → characters and widths
//! inline       glyphs in the order of reading → inline text
//! bidi         the order of reading of the glyphs of a line
//! language     what words say about the text around them
//! script       properties of characters
//! leaders      leader dots
//! forms        presentation forms → letters
//! annotations  links, comments and form fields of a page
//! join         the texts of pages → one text
//! png          PNG files
//! render       a page as an image
//! decode       decompression within limits
//! guard        streams that are too large to be read
//! strings      text strings
//! array        items of arrays
//! matrix       transforms of positions
//! testing      files for tests, built in code
//! limits       every limit, with its reason
//! page         the content of a page: glyphs, lines, images and links with their positions
//! structure    the structure tree → blocks
//! layout       the content of a page without tags → blocks
//! ```
//!
//! [`open`] reads the facts. [`Document::unit`](omniread_document::Document::unit) reads a page: its
//! content, and for a page without tags a sample of at most eight pages and one neighbour on each
//! side, so that the text of a page does not depend on which pages were read before. [`Joined`] is one
//! text of pages that are read in order.
//!
//! Images are `![alt](image:N)`. The first image of page P has the number (P - 1) × 1000 + 1, so that one
//! page is enough to find an image.
//!
//! # The libraries
//!
//! `hayro-syntax`, `hayro-font` and `hayro-cmap` read objects, fonts with codes of one byte, and
//! predefined maps of characters. What they lack is here:
//!
//! * They decompress streams whole. `decode` does so within limits, and `guard` looks for large streams
//!   of objects before a file is read.
//! * A map of characters with an empty destination is rejected whole, and ranges of widths are written
//!   out, whatever numbers the file has. `fonts` reads composite fonts on its own.
//! * A damaged file with many strings that never end is searched in quadratic time. Only the time limit
//!   of a read ends it.
//! * `hayro` draws pages. It decodes images whole, and repeats tiles, dashes and forms as often as a file
//!   asks for. `render` estimates the costs before, and draws the values of fields without an appearance.
//! * The owner password of files of PDF 1.7 and before is not accepted, only the user password.
//!
//! These changes belong in the libraries, and would make code here shorter:
//!
//! * `hayro-syntax`: a limit for `Stream::decoded_data` (`decode`, `guard`), a search for the end of a
//!   stream that is linear over the file, the owner password, and a source that is read by ranges (`ranges`).
//! * `hayro-cmap`: entries of a map with an empty destination are skipped, and the rest is kept
//!   (`fonts::to_unicode`).
//! * `hayro`: limits for the pixels of an image, and for the work of tiles, dashes and forms (`render::survey`);
//!   values of fields without an appearance (`render::values`).

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

mod actions;
mod annotations;
mod array;
mod attachments;
pub mod bidi;
pub mod content;
mod decode;
pub mod document;
mod drawn;
mod emphasis;
mod extremes;
mod facts;
pub mod file;
mod fonts;
mod forms;
mod guard;
mod heads;
pub mod inline;
mod join;
mod language;
mod layers;
pub mod layout;
mod leaders;
pub mod limits;
mod matrix;
mod missing;
mod names;
pub mod page;
mod png;
pub mod ranges;
mod render;
mod script;
mod strings;
pub mod structure;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod unread;

pub use document::{DRAWN, Draw, open, open_ranges, open_source, open_with};
pub use join::Joined;
