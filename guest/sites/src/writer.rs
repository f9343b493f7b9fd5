//! The Markdown of a page.

use crate::handler::{Found, Page};
use crate::limits;
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

    /// Adds the text of an article that is the whole page: its headings get level 2 or a lower one.
    pub fn article(&mut self, markdown: &str) {
        self.block(&lowered(&crate::text::block(markdown), |level| {
            level.max(2)
        }));
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

/// Markdown with its headings at level 4 and below, and its code blocks closed, so that it is part of a page
/// with headings of the levels 1 to 3. Headings with underlines become those with number signs. HTML in the
/// Markdown is kept.
pub fn nested(markdown: &str) -> String {
    lowered(markdown, |level| level.saturating_add(3).min(6))
}

/// Markdown with the levels of its headings changed, and its code blocks closed.
fn lowered(markdown: &str, changed: fn(usize) -> usize) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    // Whether the last line may be the text of a heading with an underline.
    let mut in_paragraph = false;
    for text in markdown.lines() {
        let content = text.trim_start_matches(' ');
        let is_indented = text.len().saturating_sub(content.len()) > 3 || content.starts_with('\t');
        let run = marks(content);
        if let Some((mark, count)) = fence {
            let closes = !is_indented
                && matches!(run, Some((it, more)) if it == mark && more >= count)
                && content.trim_end().chars().all(|c| c == mark);
            if closes {
                fence = None;
            }
            out.push(text.to_owned());
            continue;
        }
        let is_underline = is_underline(content);
        match run {
            Some(('#', 1..=6)) if !is_indented && is_heading(content) => {
                out.push(heading(content.trim_start_matches('#'), content, changed));
                in_paragraph = false;
            }
            Some((mark @ ('`' | '~'), count)) if !is_indented && count >= 3 => {
                // A line such as "```x```" is code in a line.
                if mark == '~' || !content.trim_start_matches('`').contains('`') {
                    fence = Some((mark, count));
                }
                out.push(text.to_owned());
                in_paragraph = false;
            }
            _ if is_underline && !is_indented && in_paragraph => {
                if let Some(last) = out.pop() {
                    let level = if content.starts_with('=') { "#" } else { "##" };
                    out.push(heading(&last, level, changed));
                }
                in_paragraph = false;
            }
            _ => {
                in_paragraph = !content.trim().is_empty() && (in_paragraph || !is_indented);
                out.push(text.to_owned());
            }
        }
    }
    if let Some((mark, count)) = fence {
        out.push(mark.to_string().repeat(count));
    }
    out.join("\n")
}

/// A heading with a text, whose level is that of the number signs at the start of `signs`, changed.
fn heading(text: &str, signs: &str, changed: fn(usize) -> usize) -> String {
    let level = signs.chars().take_while(|c| *c == '#').count();
    format!("{} {}", "#".repeat(changed(level)), text.trim())
}

/// Whether a line that starts with number signs is a heading: a space or nothing follows them.
fn is_heading(content: &str) -> bool {
    let after = content.trim_start_matches('#');
    after.is_empty() || after.starts_with([' ', '\t'])
}

/// Whether a line underlines a heading.
fn is_underline(content: &str) -> bool {
    let content = content.trim_end();
    !content.is_empty() && (content.chars().all(|c| c == '=') || content.chars().all(|c| c == '-'))
}

/// The character that a line starts with, and how often.
fn marks(content: &str) -> Option<(char, usize)> {
    let first = content.chars().next()?;
    Some((first, content.chars().take_while(|c| *c == first).count()))
}

/// A code block of a text, with a fence that the text does not contain.
pub fn code(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    format!(
        "{fence}{language}\n{}\n{fence}",
        text.trim_end_matches('\n')
    )
}

/// A number with its word: `1 answer`, `2 answers`.
pub fn count(number: u64, word: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {word}{end}")
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
    fn headings_of_bodies_are_below_those_of_the_page() {
        let body = "# a\n ## b ##\n#c\n    # code\nd\n===\ne\nf\n---\n\n---\n- x\n";
        let expected = "#### a\n##### b ##\n#c\n    # code\n#### d\ne\n##### f\n\n---\n- x";
        assert_eq!(nested(body), expected);
        assert_eq!(nested("###### a"), "###### a");
    }

    #[test]
    fn code_of_bodies_is_kept_and_closed() {
        assert_eq!(
            nested("```sh\n# a\n``\n```\n# b"),
            "```sh\n# a\n``\n```\n#### b"
        );
        assert_eq!(nested("~~~~\n# a\n~~~\n```"), "~~~~\n# a\n~~~\n```\n~~~~");
        assert_eq!(nested("```x``` y\n# b"), "```x``` y\n#### b");
        assert_eq!(nested("    ```\n# b"), "    ```\n#### b");
        assert_eq!(code("a ```` b\n", "md"), "`````md\na ```` b\n`````");
    }

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
        assert_eq!(
            count(1, "answer") + &count(0, "answer"),
            "1 answer0 answers"
        );
    }
}
