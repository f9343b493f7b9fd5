//! Converts markup to Markdown: HTML pages and fragments, feeds and XML.
//!
//! ```text
//! detect      first text, name and MIME type → format
//! charset     first bytes → the declared label of a charset
//! html        a page or a fragment → Markdown
//! feed        RSS, Atom, JSON Feed, OPML and sitemaps → Markdown
//! xml         XML → indented XML
//! metadata    the title, authors, dates and other facts about a page
//! content     the main text of a page
//! dates       dates of pages and feeds → RFC 3339
//! hidden      text that a browser does not show
//! markdown    a tree → Markdown
//! dom         HTML → a tree
//! url         addresses of links and images
//! letters     texts reduced to their letters and digits
//! word_count  the number of words of a text
//! limits      the limits of a conversion, each with its reason
//! ```
//!
//! The input is decoded text, and everything is in memory. Nothing is loaded: links, images and
//! entities are text. A conversion never fails on bad markup. Recursion is limited by the depth of a
//! tree, and time and memory are proportional to the size of the input.

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

pub mod charset;
mod content;
mod dates;
pub mod detect;
mod dom;
pub mod feed;
mod hidden;
pub mod html;
mod letters;
pub mod limits;
mod markdown;
mod metadata;
mod url;
mod word_count;
pub mod xml;

pub use word_count::word_count;

/// Converted text, and facts about its source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// Markdown or, for XML without a Markdown form, indented XML. Lines end with `\n`; the last
    /// line has no line ending.
    pub text: String,
    /// Facts about the source, such as `title` or `author`, in the order in which they are shown.
    /// Each name occurs once.
    pub metadata: Vec<(&'static str, String)>,
    /// Notes for the reply, such as those about hidden text or damage.
    pub notes: Vec<String>,
    /// For an HTML page, the addresses to which it refers, and how much text it has. Empty for feeds
    /// and XML.
    pub links: html::Links,
}

/// The note on the NULs of a text, which a conversion leaves out. `None` if it has none.
pub fn nul_note(text: &str) -> Option<String> {
    let count = memchr::memchr_iter(0, text.as_bytes()).count();
    let characters = if count == 1 {
        "character is"
    } else {
        "characters are"
    };
    (count > 0).then(|| format!("{count} NUL {characters} left out"))
}
