//! Colours on a terminal. They change nothing that is copied from it.

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use std::io::{IsTerminal as _, Stdout};

/// Line numbers.
const NUMBER: Style = AnsiColor::Green.on_default();

/// The header of a reply, and its notices.
const NOTICE: Style = AnsiColor::Cyan.on_default();

/// When there are colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless the environment says otherwise.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl When {
    /// Whether standard output gets colours. Without a decision, that depends on the
    /// variables `NO_COLOR`, `CLICOLOR` and `TERM`.
    pub fn applies(self, stdout: &Stdout) -> bool {
        match self {
            Self::Auto => {
                stdout.is_terminal()
                    && anstream::AutoStream::choice(stdout) != anstream::ColorChoice::Never
            }
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// The heading of one of several paths.
pub fn heading(text: &str) -> String {
    painted(Style::new().bold(), text)
}

/// A text with a number before each line of the file: other lines are its header and
/// notices. It must not contain escape sequences.
pub fn numbered(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let (number, rest) = line.split_at(prefix(line));
        if !number.is_empty() {
            painted(NUMBER, number) + rest
        } else if line.starts_with('[') {
            painted(NOTICE, line)
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Bytes of the number before a line: `12:`, `12@40:`, `12-40:`, with `|` for the colon
/// where the line is not for an edit.
fn prefix(line: &str) -> usize {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '@');
    let end = line.find(|c| !number(c)).unwrap_or(line.len());
    let starts = line.starts_with(|c: char| c.is_ascii_digit());
    match line.get(end..) {
        Some(rest) if starts && rest.starts_with([':', '|']) => end + 1,
        _ => 0,
    }
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_notices_are_painted() {
        let text = "[a.txt#0000]\n1:[x]\n12@40:y\n3-9:fn f() {\n4|z\n\nplain: 1\n[more]";
        let painted = numbered(text);
        let stripped = anstream::adapter::strip_str(&painted).to_string();
        assert_eq!(stripped, text);
        for (number, line) in [
            ("1:", "[x]"),
            ("12@40:", "y"),
            ("3-9:", "fn f() {"),
            ("4|", "z"),
        ] {
            let expected = format!("\u{1b}[32m{number}\u{1b}[0m{line}\n");
            assert!(painted.contains(&expected), "{number}: {painted:?}");
        }
        for notice in ["[a.txt#0000]", "[more]"] {
            let expected = format!("\u{1b}[36m{notice}\u{1b}[0m");
            assert!(painted.contains(&expected), "{notice}: {painted:?}");
        }
        assert!(painted.contains("\n\nplain: 1\n"), "{painted:?}");
    }
}
