//! Colours of replies on a terminal. Copied text does not contain them.

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use std::io::{IsTerminal as _, Stdout};

/// The colour of line numbers.
const NUMBER: Style = AnsiColor::Green.on_default();

/// The colour of the header of a reply and of its notices.
const NOTICE: Style = AnsiColor::Cyan.on_default();

/// When output is coloured.
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
    /// Whether standard output is coloured. `Auto` also depends on the variables `NO_COLOR`,
    /// `CLICOLOR` and `TERM`.
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

/// Formats the heading before the reply to a path, if several paths are read.
pub fn heading(text: &str) -> String {
    painted(Style::new().bold(), text)
}

/// Colours a reply in which the lines of the file have line numbers. The other lines are the header
/// and notices. The reply must not contain escape sequences.
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

/// The length in bytes of the line number at the start of a line, with its colon: `12:`, `12@40:`,
/// `12-40:`. A bar (`|`) is in place of the colon if an edit tool cannot change the line. The
/// length is 0 if there is no number.
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
