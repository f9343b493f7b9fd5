//! Macros of the preprocessor of C, which an outline does not have: `#define NAME`.

use crate::grammar::Kind;
use crate::language::Language;
use crate::lexis::LexFeature;
use crate::symbol::{Matches, Symbol};

/// Finds the definitions of a macro.
pub fn find(text: &str, language: &Language, query: &str) -> Matches {
    let mut matches = Matches::default();
    let bytes = text.as_bytes();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    if !language.lex_rules.has(LexFeature::Preprocessor)
        || query.is_empty()
        || !query.chars().all(is_name)
    {
        return matches;
    }
    // The number of the line at an offset, and the first line of the comment that ends before it.
    let (mut line, mut at) = (1u32, 0usize);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let end = memchr::memchr(b'\n', rest.as_bytes())
            .map_or(text.len(), |end| at.saturating_add(end).saturating_add(1));
        let current = text.get(at..end).unwrap_or_default();
        if defined(current).is_some_and(|name| {
            name.strip_prefix(query)
                .is_some_and(|after| !after.starts_with(is_name))
        }) {
            let (last, after) = last_line(bytes, line, end);
            let first = line.saturating_sub(comment_lines(text, at));
            let start = at.saturating_add(current.len().saturating_sub(current.trim_start().len()));
            matches.add(|| {
                Some(Symbol {
                    name: query.to_owned(),
                    quoted: None,
                    kind: Kind::Value,
                    word: "macro",
                    first,
                    sign: line,
                    line,
                    head: line,
                    last,
                    bytes: (start, after),
                    unsure_from: None,
                })
            });
        }
        (line, at) = (line.saturating_add(1), end);
    }
    matches
}

/// The text from the name of the macro on, if a line defines one.
fn defined(line: &str) -> Option<&str> {
    let directive = line.trim_start().strip_prefix('#')?;
    let name = directive.trim_start().strip_prefix("define")?;
    name.starts_with([' ', '\t']).then(|| name.trim_start())
}

/// The last line of a definition whose first line ends at `end`, and the offset after it without
/// its line break.
fn last_line(bytes: &[u8], mut line: u32, mut end: usize) -> (u32, usize) {
    loop {
        let before = bytes.get(..end).unwrap_or_default();
        let text = before.strip_suffix(b"\n").unwrap_or(before);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let rest = bytes.get(end..).unwrap_or_default();
        if !text.ends_with(b"\\") || rest.is_empty() {
            return (line, text.len());
        }
        let next = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at.saturating_add(1));
        end = end.saturating_add(next);
        line = line.saturating_add(1);
    }
}

/// The number of lines of the comment that ends on the line before the offset `at`.
fn comment_lines(text: &str, at: usize) -> u32 {
    let mut before = text.get(..at).unwrap_or_default();
    let mut lines = 0u32;
    let mut inside = false;
    let mut known = 0u32;
    while let Some(body) = before.strip_suffix('\n') {
        let start = body.rfind('\n').map_or(0, |end| end.saturating_add(1));
        let line = body.get(start..).unwrap_or_default().trim();
        lines = lines.saturating_add(1);
        if inside {
            if line.starts_with("/*") {
                (inside, known) = (false, lines);
            }
        } else if line.starts_with("//")
            || (line.starts_with("/*") && code_after_comments(line).is_empty())
        {
            known = lines;
        } else if line.ends_with("*/") && !line.contains("/*") {
            inside = true;
        } else {
            break;
        }
        if lines >= crate::limits::MACRO_COMMENT_LINES {
            break;
        }
        before = before.get(..start).unwrap_or_default();
    }
    known
}

/// The text after white space and the comments of C at its start.
pub fn code_after_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = if rest.starts_with("//") {
            rest.split_once('\n')
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/")
        } else {
            return rest;
        };
        rest = after.map_or("", |(_, after)| after.trim_start());
    }
}
