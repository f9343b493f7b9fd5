//! Sections and keys of line-based settings: INI, `.properties`, `.env`, systemd units.

use super::lines::Lines;
use super::tree::Tree;
use crate::item::Parsed;
use crate::limits;

/// Finds sections and keys: `[section]`, `key = value`, `key: value`.
pub fn parse(text: &str) -> Option<Parsed> {
    scan(text, false)
}

/// Finds the variables of a `.env` file. Quoted values may span several lines.
pub fn env(text: &str) -> Option<Parsed> {
    scan(text, true)
}

fn scan(text: &str, quoted: bool) -> Option<Parsed> {
    let mut tree = Tree::default();
    // The indentation of the last key. Lines with more indentation continue its value.
    let mut margin: Option<usize> = None;
    let mut goes_on = false;
    let mut quote: Option<(char, u32)> = None;
    let (mut known, mut strange) = (0usize, 0usize);
    for line in Lines::new(text) {
        if let Some((end, _)) = quote {
            tree.content(line.number);
            if line.text.contains(end) {
                quote = None;
            }
            continue;
        }
        let continued = std::mem::take(&mut goes_on);
        if line.is_blank() {
            continue;
        }
        if continued {
            tree.content(line.number);
            goes_on = escapes(line.text);
            continue;
        }
        if matches!(line.byte(), Some(b'#' | b';' | b'!')) {
            tree.comment(line.number, line.number);
            continue;
        }
        if let Some(name) = section(line.bare) {
            tree.begin(1, name, &line, line.number);
            margin = None;
            known = known.saturating_add(1);
            continue;
        }
        if margin.is_some_and(|margin| line.indent() > margin) {
            tree.content(line.number);
            continue;
        }
        if let Some((name, value)) = key(line.bare) {
            tree.begin(2, name, &line, line.number);
            margin = Some(line.indent());
            known = known.saturating_add(1);
            let value = value.trim_ascii_start();
            let mark = value
                .chars()
                .next()
                .filter(|mark| quoted && matches!(mark, '"' | '\''));
            if let Some(mark) =
                mark.filter(|mark| !value.get(1..).is_some_and(|rest| rest.contains(*mark)))
            {
                quote = Some((mark, line.number));
            }
            goes_on = escapes(line.text);
            continue;
        }
        tree.content(line.number);
        strange = strange.saturating_add(1);
        if known.saturating_add(strange) <= limits::INI_LINES && strange > known.saturating_add(10)
        {
            return None;
        }
    }
    if let Some((_, line)) = quote {
        tree.lost(line);
    }
    if strange > known {
        return None;
    }
    tree.finish()
}

/// The name of the section that a line begins: `name` in `[name]`. Returns `None` for other lines.
fn section(bare: &str) -> Option<&str> {
    let (name, after) = bare.strip_prefix('[')?.rsplit_once(']')?;
    let after = after.trim_ascii_start();
    let ends = after.is_empty() || after.starts_with(['#', ';']);
    (ends && !name.is_empty()).then_some(name)
}

/// Splits a line into its key and the assigned value.
fn key(bare: &str) -> Option<(&str, &str)> {
    let at = bare.find(['=', ':'])?;
    let (name, value) = bare.split_at_checked(at)?;
    let name = name.trim_ascii_end();
    let name = name.strip_prefix("export ").unwrap_or(name);
    // Sentences contain `:` and `=` too, so a key is limited to a few words.
    let plain = name.len() <= 200 && name.split(' ').count() <= 4;
    (plain && !name.is_empty()).then_some((name, value.get(1..)?))
}

/// Whether a line ends with an odd number of backslashes, so that the value continues on the next
/// line.
fn escapes(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::super::tree::drawn;
    use super::*;

    #[test]
    fn ini_sections_and_keys_become_sections() {
        let cases: &[(&str, &[&str])] = &[
            (
                "; c\na=1\n[x y]\nb : 1 \\\n  c=2\n\n[remote \"o]\"] # d\n\turl = x\n\t\ty = z\n\tz\n\tfetch=\n",
                &[
                    "a 2-2",
                    "x y 3-5",
                    "  b 4-5",
                    "remote \"o]\" 7-11",
                    "  url 8-10",
                    "  fetch 11-11",
                ],
            ),
            (
                "[options]\ninstall_requires =\n  a\n  b>=1\n\nx = \\\\\ny = 1\n",
                &[
                    "options 1-7",
                    "  install_requires 2-4",
                    "  x 6-6",
                    "  y 7-7",
                ],
            ),
            (
                "This is a text: it says so\nand more\nand more\n",
                &["none"],
            ),
            ("[1, 2],\n[3]x\n", &["none"]),
            ("", &["none"]),
        ];
        for (text, expected) in cases {
            assert_eq!(drawn(parse(text)), *expected, "{text}");
            let windows = text.replace('\n', "\r\n");
            assert_eq!(drawn(parse(&windows)), *expected, "{windows:?}");
        }
    }

    #[test]
    fn quoted_env_values_may_span_lines() {
        let text = "# c\nexport A=1\nB=\"x\ny=1\n\"\nC='a'\nD=\"\n";
        assert_eq!(
            drawn(env(text)),
            ["A 2-2", "B 3-5", "C 6-6", "D 7-7", "lost 7"]
        );
    }
}
