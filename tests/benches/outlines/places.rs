//! Lines of a file, and what stands around them.

/// A line of a file.
#[derive(Clone, Copy, Debug)]
pub struct Place<'s> {
    lines: &'s [&'s str],
    at: usize,
}

/// Lines over which a list of parameters may go.
const LONG: usize = 30;

impl<'s> Place<'s> {
    /// The line of this number, if there is one.
    pub fn new(lines: &'s [&'s str], number: u32) -> Option<Self> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        (at < lines.len()).then_some(Self { lines, at })
    }

    /// Its number.
    pub fn number(self) -> u32 {
        u32::try_from(self.at + 1).unwrap_or_default()
    }

    /// What the line says.
    pub fn line(self) -> &'s str {
        self.lines.get(self.at).unwrap_or(&"")
    }

    /// The line before.
    pub fn before(self) -> &'s str {
        self.above().next().map_or("", Self::line)
    }

    /// The lines before, the nearest one first.
    pub fn above(self) -> impl Iterator<Item = Self> {
        let lines = self.lines;
        (0..self.at).rev().map(move |at| Self { lines, at })
    }

    /// The lines behind.
    pub fn below(self) -> impl Iterator<Item = &'s str> {
        self.lines.iter().skip(self.at + 1).copied()
    }

    /// All of the file up to this line, without it.
    pub fn start(self) -> String {
        let mut text = self.lines.get(..self.at).unwrap_or(&[]).join("\n");
        text.push('\n');
        text
    }

    /// How far the line is indented; nothing, if it is empty.
    pub fn indent(self) -> Option<usize> {
        self.line().find(|sign: char| !sign.is_whitespace())
    }

    /// The nearest line before that is indented less, and no directive.
    pub fn around(self) -> Option<Self> {
        let indent = self.indent()?;
        self.above().find(|place| {
            let less = place.indent().is_some_and(|other| other < indent);
            less && !place.line().starts_with('#')
        })
    }

    /// What stands behind the brackets that follow a name on this line.
    pub fn behind(self, name: &str) -> Option<String> {
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

/// Whether a letter belongs to a name.
pub fn in_name(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Where a whole word ends, the first time that it stands in a text.
pub fn after(text: &str, word: &str) -> Option<usize> {
    let mut found = text.match_indices(word);
    found.find_map(|(at, word)| {
        let end = at + word.len();
        let inside = text.get(..at)?.ends_with(in_name) || text.get(end..)?.starts_with(in_name);
        (!inside).then_some(end)
    })
}

/// What stands before a whole word, the first time that it stands in a text.
pub fn ahead<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.get(..after(text, word)? - word.len())
}

/// Whether a line names the class that it begins so.
pub fn names_class(line: &str, name: &str) -> bool {
    let words = ["class", "struct", "union"];
    after(line, name).is_some() && words.iter().any(|word| after(line, word).is_some())
}
