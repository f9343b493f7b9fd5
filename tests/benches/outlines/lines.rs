//! Lines of a file, and the lines around them.

/// A line of a file, with access to the other lines of the file.
#[derive(Clone, Copy, Debug)]
pub struct SourceLine<'s> {
    lines: &'s [&'s str],
    at: usize,
}

/// The maximum number of lines in which the end of a parameter list is searched.
const LONG: usize = 30;

impl<'s> SourceLine<'s> {
    /// The line with this number, counted from 1, if the file has it.
    pub fn new(lines: &'s [&'s str], number: u32) -> Option<Self> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        (at < lines.len()).then_some(Self { lines, at })
    }

    /// The line number, counted from 1.
    pub fn number(self) -> u32 {
        u32::try_from(self.at + 1).unwrap_or_default()
    }

    /// The text of the line.
    pub fn line(self) -> &'s str {
        self.lines.get(self.at).unwrap_or(&"")
    }

    /// The text of the previous line. Empty for the first line.
    pub fn before(self) -> &'s str {
        self.above().next().map_or("", Self::line)
    }

    /// The previous lines, the nearest one first.
    pub fn above(self) -> impl Iterator<Item = Self> {
        let lines = self.lines;
        (0..self.at).rev().map(move |at| Self { lines, at })
    }

    /// The texts of the following lines.
    pub fn below(self) -> impl Iterator<Item = &'s str> {
        self.lines.iter().skip(self.at + 1).copied()
    }

    /// The text of the file before this line.
    pub fn start(self) -> String {
        let mut text = self.lines.get(..self.at).unwrap_or(&[]).join("\n");
        text.push('\n');
        text
    }

    /// The indentation of the line in bytes, or `None` if the line is blank.
    pub fn indent(self) -> Option<usize> {
        self.line().find(|sign: char| !sign.is_whitespace())
    }

    /// The nearest previous line that is indented less and is not a preprocessor directive.
    pub fn around(self) -> Option<Self> {
        let indent = self.indent()?;
        self.above().find(|place| {
            let less = place.indent().is_some_and(|other| other < indent);
            less && !place.line().starts_with('#')
        })
    }

    /// The text after the parameter list that follows a name on this line. `None` if no parameter
    /// list follows it.
    pub fn after_parameters(self, name: &str) -> Option<String> {
        let end = self.lines.len().min(self.at + LONG);
        let text = self.lines.get(self.at..end)?.join("\n");
        let begins = text.get(after(&text, name)?..)?;
        let list = begins.trim_start().strip_prefix('(')?;
        let mut open = 1u32;
        for (at, sign) in list.char_indices() {
            match sign {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                return Some(list.get(at + 1..)?.trim_start().to_owned());
            }
        }
        None
    }
}

/// Whether a character can be part of a name.
pub fn in_name(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// The byte offset in a text at which the first occurrence of a whole word ends.
pub fn after(text: &str, word: &str) -> Option<usize> {
    let mut found = text.match_indices(word);
    found.find_map(|(at, word)| {
        let end = at + word.len();
        let inside = text.get(..at)?.ends_with(in_name) || text.get(end..)?.starts_with(in_name);
        (!inside).then_some(end)
    })
}

/// The text before the first occurrence of a whole word.
pub fn ahead<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.get(..after(text, word)? - word.len())
}

/// Whether a line contains this name and a keyword for a class: `class`, `struct` or `union`.
pub fn names_class(line: &str, name: &str) -> bool {
    let words = ["class", "struct", "union"];
    after(line, name).is_some() && words.iter().any(|word| after(line, word).is_some())
}
