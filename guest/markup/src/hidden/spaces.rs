//! Elements whose style keeps white space, so that their text is code.

use super::css::{Spaces, Style};
use crate::dom::{Document, Id, Tag};
use crate::limits;
use std::collections::BTreeSet;

/// The search for elements whose text is code.
pub struct Search {
    /// The work that is left: one for each node, and one for each 4 bytes of its text.
    left: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            left: limits::SPACE_CHECKS,
        }
    }
}

impl Search {
    /// Whether the style of an element makes its text code: it keeps white space, and the element has
    /// several lines of nothing but text. If it also wraps lines, as in messages of people, the lines
    /// must have different indentations.
    pub fn is_code(&mut self, document: &Document, id: Id, tag: Tag, style: &Style) -> bool {
        let wraps = match style.spaces {
            Some(Spaces::Kept) => false,
            Some(Spaces::KeptAndWrapped) => true,
            Some(Spaces::Joined) | None => return false,
        };
        if !matches!(tag, Tag::Div | Tag::P) {
            return false;
        }
        let mut lines = Lines::default();
        for node in document.subtree(id).skip(1) {
            let text = document.text(node);
            let cost = text.map_or(0, |text| text.len() / 4).saturating_add(1);
            let Some(left) = self.left.checked_sub(cost) else {
                return false;
            };
            self.left = left;
            match document.tag(node) {
                None => lines.add(text.unwrap_or_default()),
                Some(Tag::Br) => lines.add("\n"),
                Some(Tag::Div | Tag::P) => lines.start(),
                Some(Tag::Table | Tag::Img | Tag::Pre | Tag::Ul | Tag::Ol | Tag::Form) => {
                    return false;
                }
                Some(tag) if tag.heading().is_some() => return false,
                Some(_) => {}
            }
        }
        lines.count > 1 && (!wraps || lines.indentations.len() > 1)
    }
}

/// The lines of an element that are not blank.
#[derive(Default)]
struct Lines {
    count: usize,
    /// The lengths of the white space at the start of the lines, as far as more than one matters.
    indentations: BTreeSet<usize>,
    /// The white space at the start of the current line.
    indentation: usize,
    /// Whether the current line has other text.
    has_text: bool,
}

impl Lines {
    fn start(&mut self) {
        self.indentation = 0;
        self.has_text = false;
    }

    fn add(&mut self, text: &str) {
        for part in text.split_inclusive('\n') {
            if !self.has_text {
                let line = part.trim_start();
                let space = part.len().saturating_sub(line.len());
                self.indentation = self.indentation.saturating_add(space);
                if !line.is_empty() {
                    self.has_text = true;
                    self.count = self.count.saturating_add(1);
                    // The first line follows a tag, so that its indentation says little.
                    if self.count > 1 && self.indentations.len() < 2 {
                        self.indentations.insert(self.indentation);
                    }
                }
            }
            if part.ends_with('\n') {
                self.start();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::html::fragment;

    #[test]
    fn style_that_keeps_white_space_makes_code() {
        for (html, expected) in [
            (
                "<div style='white-space: pre'><div>if x:</div><div>  y()</div><br><div>z()</div></div>",
                "```\nif x:\n  y()\n\nz()\n```",
            ),
            (
                "<style>.c{white-space:pre}</style><div class=c>a\n  b</div>",
                "```\na\n  b\n```",
            ),
            (
                "<style>.b .c{white-space:pre-wrap}</style><div class=b><div class=c>a\n  b\nc</div></div>",
                "```\na\n  b\nc\n```",
            ),
            (
                "<style>#c{white-space:break-spaces!important}</style><p id=c>a<br>  b<br>c</p>",
                "```\na\n  b\nc\n```",
            ),
            ("<p style='white-space:pre'>one line</p>", "one line"),
            ("<div style='white-space:pre-wrap'>a\nb\nc</div>", "a b c"),
            (
                "<div style='white-space:pre-wrap'>\n    a\n    b\n</div>",
                "a b",
            ),
            (
                "<style>.c{white-space:pre}.c.d{white-space:normal}</style><p class='c d'>a\n  b</p>",
                "a b",
            ),
            (
                "<style>.c{white-space:pre}</style><div class=c>a\n b<h2>c</h2></div>",
                "a b\n\n## c",
            ),
        ] {
            assert_eq!(fragment(html, None).text, expected, "{html}");
        }
    }
}
