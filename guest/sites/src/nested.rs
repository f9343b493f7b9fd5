//! Markdown of strangers within a page: its headings get lower levels, and what it leaves open is closed.
//!
//! The blocks of `CommonMark` (<https://spec.commonmark.org/0.31.2/>) are followed as far as they decide what a
//! heading is: list items, code blocks and blocks of HTML. Quotes are left as they are: each of their lines has
//! its mark.
//!
//! A heading in HTML is changed in the same way as one in Markdown: `<h1>` becomes `<h4>`, also in a block of HTML
//! and where it is not clear whether it is code. Text in code is kept. A line in a block of HTML that looks like a
//! heading of Markdown gets a lower level too, and a line that looks like an underline gets a backslash: those who
//! read the text itself see no block. The content of `pre` and of elements like it is code in this respect.
//!
//! Thematic breaks (`---`, `<hr>`) and other elements are kept: no page uses them for its structure.

mod blocks;
mod comments;
mod html;
mod spans;
mod start;
#[cfg(test)]
mod tests;

use blocks::Blocks;

/// The text of a user that is a part of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The text. It has no heading above level 4, and no open code block at its end.
    pub markdown: String,
    /// The number of HTML comments that are left out. The templates of issues have such comments, and no page
    /// shows them.
    pub hidden: usize,
}

/// The text of a user as [`nested`] Markdown without its HTML comments. A line of code that looks like a heading of
/// the level 1 to 3 whose text starts with one of `own` gets a backslash: a reader that sees only a part of the page
/// may not know that it is code.
pub fn body(text: &str, own: &'static [&'static str]) -> Body {
    let text = crate::text::block(&with_line_ends(text));
    let (text, hidden) = comments::without_comments(&text);
    let markdown = Blocks::new(below, own).changed(&text);
    Body {
        markdown: markdown.trim_matches('\n').trim_end().to_owned(),
        hidden,
    }
}

/// Markdown with its headings at level 4 and below, so that it is part of a page with headings of the levels 1
/// to 3.
pub fn nested(markdown: &str) -> String {
    lowered(markdown, below)
}

/// The level of a heading below those of a page.
fn below(level: usize) -> usize {
    level.saturating_add(3).min(6)
}

/// Markdown with the levels of its headings changed. Headings with underlines become those with number signs.
pub fn lowered(markdown: &str, changed: fn(usize) -> usize) -> String {
    Blocks::new(changed, &[]).changed(&with_line_ends(markdown))
}

/// The text with `\n` at the end of each line. Some programs end lines at other characters too.
fn with_line_ends(text: &str) -> String {
    let text = text.replace('\r', "");
    text.replace(['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'], "\n")
}
