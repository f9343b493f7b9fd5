//! Sections of TOML: tables and keys.

use super::lines::{Line, Lines};
use super::tree::Tree;
use crate::item::Parsed;

/// Finds the tables and keys of TOML.
pub fn parse(text: &str) -> Option<Parsed> {
    let mut scan = Scan {
        tree: Tree::default(),
        paths: Vec::new(),
        within: None,
    };
    for line in Lines::new(text) {
        scan.line(&line);
    }
    if let Some(within) = scan.within {
        scan.tree.lost(within.line);
    }
    scan.tree.finish()
}

/// A value that continues on the next line.
struct Within {
    /// The number of brackets in the value that are not closed.
    depth: u32,
    /// The delimiter that ends the open string, if a string is open.
    string: Option<&'static str>,
    /// The line on which the value began.
    line: u32,
}

struct Scan<'t> {
    tree: Tree,
    /// The paths of the open tables, the outermost first.
    paths: Vec<&'t str>,
    within: Option<Within>,
}

impl<'t> Scan<'t> {
    fn line(&mut self, line: &Line<'t>) {
        if let Some(mut within) = self.within.take() {
            if within.string.is_none() && line.indent() == 0 && key(line.text).is_some() {
                // Arrays contain no keys at the start of a line, so a bracket is missing.
                self.tree.lost(within.line);
            } else {
                let ended = within.ends(line.text);
                self.within = (!ended).then_some(within);
                if !line.is_blank() {
                    self.tree.content(line.number);
                }
                return;
            }
        }
        match line.byte() {
            None => {}
            Some(b'#') => self.tree.comment(line.number, line.number),
            Some(b'[') => match table(line.bare) {
                Some(path) => self.table(path, line),
                None => self.strange(line.number),
            },
            _ => match key(line.bare) {
                Some((name, value)) => {
                    self.tree.begin(u32::MAX, name, line, line.number);
                    let mut within = Within {
                        depth: 0,
                        string: None,
                        line: line.number,
                    };
                    if !within.ends(value) {
                        self.within = Some(within);
                    }
                }
                None => self.strange(line.number),
            },
        }
    }

    /// Records damage on a line that is neither the header of a table nor a key.
    fn strange(&mut self, line: u32) {
        self.tree.content(line);
        self.tree.lost(line);
    }

    /// Begins a table. Its parent is the innermost open table whose path is a prefix of `path`.
    fn table(&mut self, path: &'t str, line: &Line<'_>) {
        let inside = |above: &&mut &str| {
            let rest = path.strip_prefix(**above);
            !rest.is_some_and(|rest| rest.trim_ascii_start().starts_with('.'))
        };
        while self.paths.pop_if(|above| inside(&above)).is_some() {}
        let level = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        self.paths.push(path);
        self.tree.begin(level, path, line, line.number);
    }
}

impl Within {
    /// Reads the next line of the value. Returns whether the value ends on this line.
    fn ends(&mut self, line: &str) -> bool {
        let mut rest = line;
        loop {
            if let Some(end) = self.string {
                let Some(after) = after_string(rest, end) else {
                    return false;
                };
                rest = after;
                self.string = None;
            }
            let next = rest.find(['"', '\'', '[', ']', '{', '}', '#']);
            let Some(found) = next.and_then(|at| rest.get(at..)) else {
                return self.depth == 0;
            };
            let after = found.get(1..).unwrap_or_default();
            rest = after;
            match found.as_bytes() {
                [b'#', ..] => return self.depth == 0,
                [b'[' | b'{', ..] => self.depth = self.depth.saturating_add(1),
                [b']' | b'}', ..] => self.depth = self.depth.saturating_sub(1),
                [quote, one, two, ..] if quote == one && quote == two => {
                    let end = if *quote == b'"' { "\"\"\"" } else { "'''" };
                    self.string = Some(end);
                    rest = found.get(3..).unwrap_or_default();
                }
                // A quote without a closing quote on its line ends with the line.
                [b'"', ..] => rest = after_string(after, "\"").unwrap_or_default(),
                _ => rest = after_string(after, "'").unwrap_or_default(),
            }
        }
    }
}

/// The text after the delimiter `end`, which ends a string. `text` begins inside the string.
/// Returns `None` if the string does not end.
fn after_string<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    if end.starts_with('\'') {
        return text.split_once(end).map(|(_, after)| after);
    }
    let mut rest = text;
    loop {
        let found = rest.find(['"', '\\'])?;
        rest = rest.get(found..)?;
        if let Some(after) = rest.strip_prefix(end) {
            return Some(after);
        }
        let escaped = usize::from(rest.starts_with('\\')).saturating_add(1);
        let length = rest
            .chars()
            .take(escaped)
            .map(char::len_utf8)
            .fold(0, usize::saturating_add);
        rest = rest.get(length..)?;
    }
}

/// The path in the header of a table, without brackets: `a.b` in `[a.b]`.
pub fn table(text: &str) -> Option<&str> {
    let (open, end) = if text.starts_with("[[") {
        (2, "]]")
    } else {
        (1, "]")
    };
    let inner = text.get(open..)?;
    // Brackets in a quoted part of the path do not end it.
    let mut at = 0usize;
    let path = loop {
        let rest = inner.get(at..)?;
        let found = rest.find(['"', '\'', ']', '#'])?;
        let tail = rest.get(found..)?;
        if tail.starts_with(end) {
            break inner.get(..at.saturating_add(found))?;
        }
        let quote = tail
            .bytes()
            .next()
            .filter(|byte| matches!(byte, b'"' | b'\''))?;
        let after = after_string(tail.get(1..)?, if quote == b'"' { "\"" } else { "'" })?;
        at = inner.len().saturating_sub(after.len());
    };
    Some(path.trim_ascii()).filter(|path| !path.is_empty())
}

/// Splits a line into its key, as written, and the assigned value.
pub fn key(text: &str) -> Option<(&str, &str)> {
    let mut rest = text;
    loop {
        rest = match rest.bytes().next()? {
            quote @ (b'"' | b'\'') => {
                after_string(rest.get(1..)?, if quote == b'"' { "\"" } else { "'" })?
            }
            b'=' => break,
            byte if byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'-' | b'.' | b' ' | b'\t') =>
            {
                rest.get(1..)?
            }
            0x80.. => {
                let mut letters = rest.chars();
                letters.next();
                letters.as_str()
            }
            _ => return None,
        };
    }
    let name = text
        .get(..text.len().saturating_sub(rest.len()))?
        .trim_ascii();
    (!name.is_empty()).then_some((name, rest.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::super::tree::drawn;
    use super::*;

    #[test]
    fn toml_tables_and_keys_become_sections() {
        let cases: &[(&str, &[&str])] = &[
            (
                "# c\na.b = 1\n\n[x]\n\"k = 1\" = \"[\" # [\n\n[x.y]\nz = [\n  '#', # ]\n\n  [1]\n]\n[xz]\n\n[[x]]\n[[x]]\n[x.\"a]b\".c]\nq = 1\n",
                &[
                    "a.b 2-2",
                    "x 4-12",
                    "  \"k = 1\" 5-5",
                    "  x.y 7-12",
                    "    z 8-12",
                    "xz 13-13",
                    "x 15-15",
                    "x 16-18",
                    "  x.\"a]b\".c 17-18",
                    "    q 18-18",
                ],
            ),
            (
                "a = \"\"\"\n[x]\n\\\"\"\" b = 1\n\"\"\"\nc = '''\n\\'''\nd = { e = 1 }\n",
                &["a 1-4", "c 5-6", "d 7-7"],
            ),
            ("a = \"\\\\\"\nä = 'x\\'\n", &["a 1-1", "ä 2-2"]),
            // Damage.
            (
                "a = [\n 1,\nb = 2\n[x]\n",
                &["a 1-2", "b 3-3", "x 4-4", "lost 1"],
            ),
            ("a = \"\"\"\nb = 2\n", &["a 1-2", "lost 1"]),
            (
                "a = 1\n[x\nb = \"\n= 1\nc d\n",
                &["a 1-2", "b 3-5", "lost 2"],
            ),
            ("x\n[]\n", &["none"]),
            ("", &["none"]),
        ];
        for (text, expected) in cases {
            assert_eq!(drawn(parse(text)), *expected, "{text}");
            let windows = text.replace('\n', "\r\n");
            assert_eq!(drawn(parse(&windows)), *expected, "{windows:?}");
        }
        assert_eq!(
            parse("# a\n# b\n\nc = 1 # d\n# e\n").unwrap().comments,
            [(1, 2), (5, 5)]
        );
    }
}
