//! Blocks of lines by their indentation.

use crate::path::Indentation;

/// The number of columns of a tab, and of a level of indentation.
const LEVEL: u64 = 4;

/// The signs with which the comments of most languages start.
const COMMENTS: [&str; 3] = ["#", "//", "--"];

/// A line, as far as the search for a block needs it.
struct Line<'t> {
    text: &'t str,
    /// The columns before the first other character. A line without one has those of the line before it.
    indent: u64,
}

impl Line<'_> {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_comment(&self) -> bool {
        let text = self.text.trim_start();
        COMMENTS.iter().any(|sign| text.starts_with(sign))
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut last = 0;
    let with_indent = text.lines().map(|text| {
        let spaces = text.chars().take_while(|c| matches!(c, ' ' | '\t'));
        let columns = spaces.map(|c| if c == '\t' { LEVEL } else { 1 }).sum();
        if !text.trim().is_empty() {
            last = columns;
        }
        Line { text, indent: last }
    });
    with_indent.collect()
}

/// One end of a block, while it grows.
struct End {
    /// The lines at this end that have the least indentation of the block.
    outermost: u64,
    open: bool,
}

impl End {
    const NEW: Self = Self {
        outermost: 0,
        open: true,
    };

    /// Whether the block takes the next line at this end. `line` is `None` if there is no such line. `comment` says
    /// whether it is a comment that the block includes.
    fn takes(
        &mut self,
        line: Option<&Line<'_>>,
        least: u64,
        wanted: &Indentation,
        comment: impl Fn(&Line<'_>) -> bool,
    ) -> bool {
        let line = line.filter(|line| self.open && line.indent >= least);
        let Some(line) = line else {
            self.open = false;
            return false;
        };
        if line.indent == least && !wanted.siblings {
            if self.outermost > 0 && !comment(line) {
                self.open = false;
                return false;
            }
            self.outermost = self.outermost.saturating_add(1);
        }
        true
    }
}

/// The first and the last line of the block around a line, counted from 1. The block grows by a line before it and
/// a line after it in turn, and has no empty lines at its ends. `None` if the text does not have the line.
pub fn block(text: &str, wanted: &Indentation) -> Option<(u64, u64)> {
    let lines = lines(text);
    let anchor = usize::try_from(wanted.line).ok()?.checked_sub(1)?;
    let indent = lines.get(anchor)?.indent;
    let least = match wanted.levels {
        0 => 0,
        levels => indent.saturating_sub(levels.saturating_mul(LEVEL)),
    };
    let limit = usize::try_from(wanted.limit).unwrap_or(usize::MAX);
    // The block has the lines from `first` to the one before `end`.
    let (mut first, mut end) = (anchor, anchor.saturating_add(1));
    let (mut up, mut down) = (End::NEW, End::NEW);
    let has_room = |first: usize, end: usize| end.saturating_sub(first) < limit;
    while has_room(first, end) && (up.open || down.open) {
        let before = first.checked_sub(1).and_then(|at| lines.get(at));
        let header = |line: &Line<'_>| wanted.header && line.is_comment();
        if up.takes(before, least, wanted, header) {
            first = first.saturating_sub(1);
            if !has_room(first, end) {
                break;
            }
        }
        if down.takes(lines.get(end), least, wanted, |_| false) {
            end = end.saturating_add(1);
        }
    }
    let found = lines.get(first..end)?;
    // The line itself may be empty.
    let blank = |line: &&Line<'_>| line.is_blank();
    let leading = found.iter().take_while(blank).count();
    if leading == found.len() {
        return Some((wanted.line, wanted.line));
    }
    let trailing = found.iter().rev().take_while(blank).count();
    let number = |index: usize| (index as u64).saturating_add(1);
    let last = end.saturating_sub(trailing).saturating_sub(1);
    Some((number(first.saturating_add(leading)), number(last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wanted(line: u64, levels: u64) -> Indentation {
        Indentation {
            line,
            levels,
            siblings: false,
            header: true,
            limit: 2000,
        }
    }

    const NESTED: &str = "\
class Store:
    # Reads a value.
    def get(self, key):
        if key in self.values:
            return self.values[key]
        return None

    def set(self, key, value):
        self.values[key] = value

VERSION = 1
";

    #[test]
    fn block_ends_at_lines_that_are_indented_less() {
        for (line, levels, block) in [
            (5, 1, (4, 6)),
            (5, 2, (2, 9)),
            (9, 1, (4, 9)),
            (5, 3, (1, 11)),
            (1, 1, (1, 11)),
            (5, 0, (1, 11)),
        ] {
            let found = super::block(NESTED, &wanted(line, levels));
            assert_eq!(found, Some(block), "{line} {levels}");
        }
        let text = "fn a() {\n    if b {\n        c();\n    }\n    d();\n}\n";
        assert_eq!(block(text, &wanted(3, 1)), Some((2, 4)));
        assert_eq!(block(text, &wanted(3, 2)), Some((1, 6)));
        assert_eq!(block(text, &wanted(7, 1)), None);
    }

    #[test]
    fn siblings_and_headers_are_included_on_request() {
        let text = "mod a {\n    fn b() {\n        b1();\n    }\n    // Of c.\n    fn c() {\n        c1();\n    }\n}\n";
        let of = |siblings, header| {
            let wanted = Indentation {
                siblings,
                header,
                ..wanted(7, 1)
            };
            block(text, &wanted)
        };
        assert_eq!(of(false, false), Some((6, 8)));
        assert_eq!(of(false, true), Some((5, 8)));
        assert_eq!(of(true, true), Some((2, 8)));
    }

    #[test]
    fn limit_bounds_the_block() {
        let text = "a\nb\nc\nd\ne\nf\n";
        for (limit, block) in [
            (1, (3, 3)),
            (2, (2, 3)),
            (3, (2, 4)),
            (4, (1, 4)),
            (9, (1, 6)),
        ] {
            let wanted = Indentation {
                limit,
                siblings: true,
                ..wanted(3, 0)
            };
            assert_eq!(super::block(text, &wanted), Some(block), "{limit}");
        }
    }

    proptest! {
        #[test]
        fn block_contains_its_line_within_the_limit(
            text in "([ \\t]{0,9}[a#/{}]{0,2}\n){0,40}",
            line in 1u64..45,
            levels in 0u64..4,
            siblings in any::<bool>(),
            header in any::<bool>(),
            limit in 1u64..50,
        ) {
            let wanted = Indentation { line, levels, siblings, header, limit };
            let lines: Vec<&str> = text.lines().collect();
            match block(&text, &wanted) {
                None => prop_assert!(line > lines.len() as u64),
                Some((first, last)) => {
                    prop_assert!(first <= last && last <= lines.len() as u64);
                    prop_assert!(last - first < limit);
                    let at = lines[usize::try_from(line).unwrap() - 1];
                    prop_assert!(at.trim().is_empty() || (first..=last).contains(&line));
                }
            }
        }
    }
}
