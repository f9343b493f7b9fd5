//! The Markdown of a page.

use crate::handler::{Found, Page};
use crate::limits;
use crate::nested::{lowered, nested};
use crate::text::line;

/// A page that is written. Headings of a page have the levels 1 to 3. Texts of strangers are added with
/// [`Writer::body`], so that their headings are below those of the page.
pub struct Writer {
    markdown: String,
    notes: Vec<String>,
    /// Whether the last line is one of a list.
    in_list: bool,
}

impl Writer {
    /// A page with a title.
    pub fn new(title: &str) -> Self {
        let title = line(title, limits::LINE_CHARS);
        Self {
            markdown: format!("# {title}\n"),
            notes: Vec::new(),
            in_list: false,
        }
    }

    /// Adds a paragraph or another block that the handler wrote.
    pub fn block(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.markdown.push('\n');
        self.markdown.push_str(text);
        self.markdown.push('\n');
        self.in_list = false;
    }

    /// Adds a heading of level 2.
    pub fn section(&mut self, title: &str) {
        self.block(&format!("## {}", line(title, limits::LINE_CHARS)));
    }

    /// Adds a heading of level 3.
    pub fn part(&mut self, title: &str) {
        self.block(&format!("### {}", line(title, limits::LINE_CHARS)));
    }

    /// Adds the Markdown of a stranger. Its headings become those of level 4 and below.
    pub fn body(&mut self, markdown: &str) {
        self.block(&nested(markdown));
    }

    /// Adds the text of an article that is the whole page: its headings get level 2 or a lower one. The service
    /// and the reader limit its size.
    pub fn article(&mut self, markdown: &str) {
        let text = lowered(markdown, |level| level.max(2));
        self.block(text.trim_matches('\n').trim_end());
    }

    /// Adds an item of a list. `text` is one line.
    pub fn item(&mut self, text: &str) {
        if !self.in_list {
            self.markdown.push('\n');
        }
        self.markdown.push_str(&format!("- {text}\n"));
        self.in_list = true;
    }

    /// Adds a fact to a list, if it is known.
    pub fn fact(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value {
            self.item(&format!("{name}: {value}"));
        }
    }

    /// Adds the first `most` items of a list, and says how many are left out and what shows them.
    pub fn items(&mut self, items: &[String], most: usize, rest: &str) {
        for item in items.iter().take(most) {
            self.item(item);
        }
        let left = items.len().saturating_sub(most);
        if left > 0 {
            self.item(&format!("… and {left} more: {rest}"));
        }
    }

    /// Adds a note.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// The page.
    pub fn page(self) -> Found {
        Found::Page(Page {
            markdown: self.markdown,
            notes: self.notes,
        })
    }
}

/// The date of a time such as `2026-11-29T03:49:00Z`.
pub fn date(time: Option<String>) -> Option<String> {
    let time = time?;
    let date = time.split(['T', ' ']).next().unwrap_or_default();
    (!date.is_empty()).then(|| date.to_owned())
}

/// The length of a list as a number.
pub fn length<T>(list: &[T]) -> u64 {
    u64::try_from(list.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_that_are_left_out_are_counted() {
        let mut page = Writer::new("a\nb");
        page.items(
            &["x".into(), "y".into(), "z".into()],
            1,
            "https://a.example",
        );
        page.block("end");
        let Found::Page(page) = page.page() else {
            panic!("no page");
        };
        let expected = "# a b\n\n- x\n- … and 2 more: https://a.example\n\nend\n";
        assert_eq!(page.markdown, expected);
    }
}
