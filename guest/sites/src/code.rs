//! Code as Markdown: in a block, and in a line.

use crate::limits;
use crate::text::line;

/// A code block, with a fence that is longer than each run of backticks in it. It has no line break at its end.
pub fn fenced(text: &str, language: &str) -> String {
    let fence = "`".repeat(longest_run(text).saturating_add(1).max(3));
    let end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{fence}{language}\n{text}{end}{fence}")
}

/// Code in a line of at most [`limits::LINE_CHARS`] characters.
pub fn code(text: &str) -> String {
    let text = line(text, limits::LINE_CHARS);
    let run = longest_run(&text);
    if run == 0 {
        return format!("`{text}`");
    }
    let fence = "`".repeat(run.saturating_add(1));
    format!("{fence} {text} {fence}")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fence_is_longer_than_those_in_code() {
        assert_eq!(fenced("a", "rust"), "```rust\na\n```");
        assert_eq!(fenced("", ""), "```\n```");
        assert_eq!(fenced("````\n", ""), "`````\n````\n`````");
        assert_eq!(fenced("a ```` b\n", "md"), "`````md\na ```` b\n`````");
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "`` a`b ``");
    }
}
