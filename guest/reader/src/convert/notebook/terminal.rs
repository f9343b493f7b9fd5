//! Text as a terminal shows it: escape sequences are removed, and overwritten characters
//! are gone.

use crate::limits;
use memchr::memchr3;
use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';
const BACKSPACE: char = '\u{8}';

/// The lines that a terminal shows after all of `text` is written.
pub fn shown(text: &str) -> Cow<'_, str> {
    let special = |text: &str| memchr3(b'\r', b'\x1b', b'\x08', text.as_bytes()).is_some();
    if !special(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut line = Line {
        cells: Vec::new(),
        at: 0,
        out: &mut out,
    };
    for part in text.split_inclusive('\n') {
        let (inner, end) = match part.strip_suffix('\n') {
            Some(inner) => (inner, "\n"),
            None => (part, ""),
        };
        // A CR before LF overwrites nothing.
        let inner = inner.strip_suffix('\r').unwrap_or(inner);
        if special(inner) {
            line.write(inner);
            line.leave(0);
            line.at = 0;
        } else {
            line.out.push_str(inner);
        }
        line.out.push_str(end);
    }
    Cow::Owned(out)
}

/// A line of a terminal, and the position at which the next character is written.
struct Line<'o> {
    /// The last characters of the line, which may still be overwritten.
    cells: Vec<char>,
    /// The index in `cells` at which the next character is written.
    at: usize,
    /// The finished part of the text.
    out: &'o mut String,
}

impl Line<'_> {
    /// Moves all characters of the line except the last `last` characters to the output.
    fn leave(&mut self, last: usize) {
        let count = self.cells.len().saturating_sub(last);
        self.out.extend(self.cells.drain(..count));
        self.at = self.at.saturating_sub(count);
    }

    fn write(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            match c {
                ESCAPE => rest = self.escape(rest),
                '\r' => self.at = 0,
                BACKSPACE => self.at = self.at.saturating_sub(1),
                c => {
                    match self.cells.get_mut(self.at) {
                        Some(cell) => *cell = c,
                        None => self.cells.push(c),
                    }
                    self.at = self.at.saturating_add(1);
                    // Not at each character, because the rest has to be moved.
                    if self.cells.len() > limits::TERMINAL_CHARS.saturating_mul(2) {
                        self.leave(limits::TERMINAL_CHARS);
                    }
                }
            }
        }
    }

    /// Applies an escape sequence if it changes this line, and ignores it otherwise. `text` starts
    /// after the escape character. Returns the text after the sequence.
    fn escape<'t>(&mut self, text: &'t str) -> &'t str {
        let after = |text: &'t str| {
            let mut chars = text.chars();
            chars.next();
            chars.as_str()
        };
        match text.chars().next() {
            Some('[') => self.control(after(text)),
            Some(']' | 'P' | 'X' | '^' | '_') => command(after(text)),
            _ => {
                let rest = text.trim_start_matches(|c| matches!(c, ' '..='/'));
                rest.strip_prefix(|c| matches!(c, '0'..='~'))
                    .unwrap_or(rest)
            }
        }
    }

    /// Applies a control sequence if it changes this line, and ignores it otherwise. `text` starts
    /// after the bracket of the sequence. Returns the text after the sequence.
    fn control<'t>(&mut self, text: &'t str) -> &'t str {
        let rest = text.trim_start_matches(|c| matches!(c, '0'..='?'));
        let end = text.len().saturating_sub(rest.len());
        let parameters = text.get(..end).unwrap_or_default();
        let rest = rest.trim_start_matches(|c| matches!(c, ' '..='/'));
        let mut chars = rest.chars();
        match (chars.next(), parameters) {
            (Some('K'), "" | "0") => self.cells.truncate(self.at),
            // Otherwise the next text would follow spaces.
            (Some('K'), "2") => {
                self.cells.clear();
                self.at = 0;
            }
            (Some('@'..='~'), _) => {}
            _ => return rest,
        }
        chars.as_str()
    }
}

/// Skips an operating system command, such as a window title or a link, and returns the text after
/// it. The command ends with a bell or an escape character. A command without an end is returned as
/// text.
fn command(text: &str) -> &str {
    let end = text.find([BELL, ESCAPE]);
    let Some((_, after)) = end.and_then(|end| text.split_at_checked(end)) else {
        return text;
    };
    after
        .strip_prefix(BELL)
        .or_else(|| after.strip_prefix("\u{1b}\\"))
        .unwrap_or(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_applied() {
        for (text, expected) in [
            ("plain\ntext", "plain\ntext"),
            ("a\r\nb\r\n", "a\nb\n"),
            ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            ("\u{1b}[38;2;1;2;3mx\u{1b}[?25ly", "xy"),
            ("  0%\r 50%\r100%\n", "100%\n"),
            ("hello\rab", "abllo"),
            ("hello\r\u{1b}[Kab", "ab"),
            ("hello\r\u{1b}[2Kab", "ab"),
            ("hello\u{1b}[2Kab", "ab"),
            ("hello\u{1b}[1Kab", "helloab"),
            ("hello\u{8}\u{8}p!", "help!"),
            ("\u{8}a", "a"),
            ("done\r\r\nnext", "done\nnext"),
            ("50%\r", "50%"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{7}!", "link!"),
            ("\u{1b}]0;no end\nx", "0;no end\nx"),
            ("\u{1b}(Ba\u{1b}=b\u{1b}", "ab"),
            ("\u{1b}[31", ""),
            ("\u{1b}[3\u{1b}[1mä", "ä"),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }

    #[test]
    fn only_end_of_long_line_is_overwritten() {
        let long = "ü".repeat(3 * limits::TERMINAL_CHARS);
        assert_eq!(shown(&format!("\r{long}")), long);
        let text = format!("a\r{long}\rend\u{1b}[K\nnext\rN");
        let text = shown(&text);
        let line = text.strip_suffix("end\nNext").unwrap();
        assert!(line.len() > long.len() / 4 && line.len() < long.len());
        assert!(long.starts_with(line));
    }

    #[test]
    fn time_is_linear() {
        for part in [
            "\u{1b}]",
            "\u{1b}[",
            "\r",
            "a\r",
            "\u{1b}P\u{7}",
            "a\u{1b}[1K",
            "\u{1b}[2K",
        ] {
            shown(&part.repeat(200_000));
        }
    }
}
