//! Headings of chapters whose markup has none.
//!
//! Programs for layout write headings as paragraphs with a format of their own. The table of contents
//! has their texts.

use std::collections::{BTreeMap, VecDeque};

/// The maximum level of a heading in Markdown.
const LEVELS: usize = 6;

/// Makes the paragraphs headings that are entries of the table of contents: their levels, from 1, and
/// names. Names of the same letters are found one after the other.
pub fn add(text: &mut String, entries: &[(usize, String)]) {
    let mut levels: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
    for (level, name) in entries {
        let key = letters(name);
        if !key.is_empty() {
            levels
                .entry(key)
                .or_default()
                .push_back((*level).min(LEVELS));
        }
    }
    let longest = levels.keys().map(String::len).max().unwrap_or_default();
    let mut out = String::with_capacity(text.len().saturating_add(64));
    let mut is_after_blank = true;
    let mut lines = text.split('\n').peekable();
    let mut is_first = true;
    let mut fences = Fences::default();
    while let Some(line) = lines.next() {
        if !std::mem::take(&mut is_first) {
            out.push('\n');
        }
        let is_alone = is_after_blank && lines.peek().is_none_or(|next| next.is_empty());
        is_after_blank = line.is_empty();
        let is_code = fences.is_code(line);
        // Marks and spaces make a line longer than its letters.
        let is_short = line.len() <= longest.saturating_mul(4).saturating_add(64);
        if is_alone
            && is_short
            && !line.is_empty()
            && !is_code
            && !has_mark(line)
            && let Some(level) = levels.get_mut(&letters(line)).and_then(VecDeque::pop_front)
        {
            out.extend(std::iter::repeat_n('#', level));
            out.push(' ');
            let inner = line.strip_prefix("**");
            let inner = inner.and_then(|inner| inner.strip_suffix("**"));
            out.push_str(inner.filter(|it| !it.contains("**")).unwrap_or(line));
        } else {
            out.push_str(line);
        }
    }
    *text = out;
}

/// Returns whether a text has headings.
pub fn has_headings(text: &str) -> bool {
    let mut fences = Fences::default();
    text.lines()
        .any(|line| !fences.is_code(line) && is_heading(line))
}

/// The blocks of code in the lines of a text.
#[derive(Default)]
struct Fences {
    /// The number of backticks that end the open block.
    open: Option<usize>,
}

impl Fences {
    /// Returns whether the next line is code or its fence.
    fn is_code(&mut self, line: &str) -> bool {
        let rest = line.trim_start_matches('`');
        let ticks = line.len().saturating_sub(rest.len());
        match self.open {
            Some(least) => {
                if ticks >= least && rest.trim().is_empty() {
                    self.open = None;
                }
                true
            }
            None => {
                let is_fence = ticks >= 3 && !rest.contains('`');
                self.open = is_fence.then_some(ticks);
                is_fence
            }
        }
    }
}

/// Returns whether a line begins with the mark of a quotation, a list or a note, or is indented in one. Marks
/// that are text are escaped. Lines of tables are never alone.
fn has_mark(line: &str) -> bool {
    let rest = line.trim_start_matches(|char: char| char.is_ascii_digit());
    let is_number = rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "));
    let marks = [" ", "\t", "> ", "- ", "* ", "+ ", "[^"];
    is_number || marks.iter().any(|mark| line.starts_with(mark))
}

/// Returns whether a line is a heading.
fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    let level = line.len().saturating_sub(rest.len());
    (1..=LEVELS).contains(&level) && rest.starts_with(' ')
}

/// Returns the letters and digits of a text in lowercase.
pub fn letters(text: &str) -> String {
    let letters = text.chars().filter(|char| char.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(text: &str) -> String {
        let mut text = text.to_owned();
        add(&mut text, &[(1, "A start".to_owned())]);
        text
    }

    #[test]
    fn lines_of_quotations_lists_and_code_are_no_headings() {
        for mark in ["> ", "- ", "1. ", "12) ", "   ", "[^1]: "] {
            let text = format!("{mark}A start\n\nA start");
            let expected = format!("{mark}A start\n\n# A start");
            assert_eq!(added(&text), expected);
        }
        let code = "````\n```\n\nA start\n\n````\n\n";
        assert_eq!(
            added(&format!("{code}**A start**")),
            format!("{code}# A start")
        );
        assert_eq!(added("2\\. A start"), "2\\. A start");
    }

    #[test]
    fn comments_in_code_are_no_headings() {
        assert!(!has_headings("```\n# comment\n```\n\ntext"));
        assert!(has_headings("```\n# comment\n```\n\n## Own"));
    }
}
