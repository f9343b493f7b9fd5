//! Replies that the model has seen before: the option `repeat`.
//!
//! A reply that was shown before in the same generation is one line that names the earlier read. A file that
//! has changed is shown, with a note that names the lines that differ. `PATH:fresh` shows the reply in any case.

use super::reply::{Block, Rendered};
use crate::answer::Answer;
use crate::escapes::escape_invisible;
use crate::failure::Message;
use crate::limits::NAMED_CHANGES;
use crate::path::{Locator, Scheme, Suffix, is_address, locate, strip_separator};
use crate::request::{Request, Slice};
use crate::units;
use crate::world::{Change, Comparison, Earlier};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;

/// The word at the end of a path that shows a reply again.
pub const FRESH: &str = ":fresh";

/// The path without `:fresh`, which is its last word or is before a selector. `None` if it has no such word, or
/// is a web address, whose suffixes have a parser of their own.
pub fn without_fresh(path: &str) -> Option<Cow<'_, str>> {
    let mut words = path.match_indices(':').map(|(at, _)| at).rev();
    let (name, after) = words.find_map(|at| {
        let (name, rest) = path.split_at_checked(at)?;
        let (word, after) = rest.split_at_checked(FRESH.len())?;
        let ends = after.is_empty() || after.starts_with(':');
        (ends && word.eq_ignore_ascii_case(FRESH)).then_some((name, after))
    })?;
    let is_selector = |after: &str| {
        strip_separator(after).is_none_or(|text| Suffix::new(text, false).is_selector())
    };
    if name.is_empty() || !is_selector(after) || is_web(path) {
        return None;
    }
    Some(match after {
        "" => Cow::Borrowed(name),
        after => Cow::Owned(format!("{name}{after}")),
    })
}

/// Whether a path is a web address.
pub fn is_web(path: &str) -> bool {
    matches!(locate(path, false), Ok(Locator::Scheme(Scheme::Web))) || is_address(path)
}

/// Whether a web address, an issue or a pull request is requested itself, and not a copy of the session.
pub fn is_fresh_address(path: &str) -> bool {
    let mut words = path.rsplit(':');
    let is_requested = is_web(path) || path.starts_with("issue://") || path.starts_with("pr://");
    is_requested && words.any(|word| word.eq_ignore_ascii_case("fresh"))
}

/// The answer without what differs from read to read although the content is the same: how old the copy of a
/// web page is. `None` if the answer has nothing of this, so that it need not be formatted again.
pub fn lasting(answer: &Answer) -> Option<Answer> {
    let web = answer.subject.web.as_deref()?;
    if web.age.is_none() && web.notes.is_empty() {
        return None;
    }
    let mut web = web.clone();
    web.age = None;
    web.notes.clear();
    let mut answer = answer.clone();
    answer.subject.web = Some(Box::new(web));
    Some(answer)
}

/// The SHA-256 of a reply in a dialect.
pub fn key(dialect: &str, blocks: &[Block]) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut part = |kind: u8, text: &str| {
        hash.update([kind]);
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    part(0, dialect);
    for block in blocks {
        match block {
            Block::Text(text) => part(1, text),
            Block::Notice(text) => part(2, text),
            Block::Image(media) => {
                part(3, media.mime);
                part(4, &media.data);
            }
            Block::Attachment(media) => {
                part(5, media.mime);
                part(6, &media.data);
            }
        }
    }
    hash.finalize().into()
}

/// The SHA-256 of a request: what it reads, and in which form. `path` is the requested path without `:fresh`.
pub fn request_key(dialect: &str, path: &str, request: &Request) -> [u8; 32] {
    let slice = request.slice.as_ref().map(|slice| &slice.selector);
    let mut hash = Sha256::new();
    for part in [dialect, path, &format!("{slice:?}")] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// The data of a reply that names an earlier one.
#[derive(Serialize)]
pub struct Repeated<'a> {
    path: &'a str,
    /// The sentence for the model.
    pub unchanged: String,
    /// The path that shows the reply again.
    fresh: String,
}

impl<'a> Repeated<'a> {
    /// `path` is the requested path without `:fresh`, and `slice` are the lines that arguments select.
    pub fn new(earlier: &Earlier, path: &'a str, slice: Option<&Slice>) -> Self {
        let fresh = escape_invisible(&format!("{path}{FRESH}"));
        let was = escape_invisible(&earlier.path);
        let age = units::age(earlier.age);
        let (of, with) = if slice.is_some() {
            ("the same lines of ", " with the same arguments")
        } else {
            ("", "")
        };
        let unchanged = format!(
            "unchanged: you have this reply from the read of {of}`{was}` {age}; read `{fresh}`{with} to see it again"
        );
        Self {
            path,
            unchanged,
            fresh,
        }
    }

    /// The reply of dialects whose text is that for the model.
    pub fn as_text(&self) -> Rendered<Vec<Block>> {
        let text = format!("[{}]", self.unchanged);
        Rendered::new(vec![Block::Text(text)], self)
    }
}

/// The note on a file that has changed since it was shown. `None` if it is unchanged.
pub fn note(comparison: &Comparison) -> Option<Message> {
    const CHANGED: &str = "the file has changed since you have seen it";
    let places = match comparison {
        Comparison::Unchanged => return None,
        Comparison::Unknown => return Some(CHANGED.into()),
        Comparison::Changed(places) => places,
    };
    if places.is_empty() {
        return Some(format!("{CHANGED}, but not in these lines").into());
    }
    let mut named: Vec<String> = places.iter().take(NAMED_CHANGES).map(place).collect();
    let more = places.len().saturating_sub(NAMED_CHANGES);
    if more > 0 {
        named.push(format!("{more} more places"));
    }
    Some(format!("{CHANGED}: {}", named.join(", ")).into())
}

/// A place at which lines differ, in words.
fn place(change: &Change) -> String {
    let Change {
        first,
        lines,
        before,
    } = *change;
    let last = first.saturating_add_unsigned(lines.saturating_sub(1));
    let was = match (lines, before) {
        (0, _) => {
            let are = if before == 1 { "line" } else { "lines" };
            return format!("{before} {are} removed before line {first}");
        }
        (_, 0) => " new",
        _ => "",
    };
    if lines == 1 {
        format!("line {first}{was}")
    } else {
        format!("lines {first}-{last}{was}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_at_the_end_is_removed() {
        for (path, name) in [
            ("a.rs:fresh", Some("a.rs")),
            ("a.rs:1-5:FRESH", Some("a.rs:1-5")),
            ("skill://a:fresh", Some("skill://a")),
            (":fresh", None),
            ("a.rs:fresh:1", Some("a.rs:1")),
            ("a.rs:fresh:raw", Some("a.rs:raw")),
            ("a.rs:raw:Fresh:5-9,20", Some("a.rs:raw:5-9,20")),
            ("conflict://1:fresh", Some("conflict://1")),
            ("app.db?q=SELECT 1:fresh", Some("app.db?q=SELECT 1")),
            ("a.zip:fresh:b.txt", None),
            (":fresh:1", None),
            ("a.rs:freshly", None),
            ("fresh", None),
            ("é:fresh", Some("é")),
            ("https://example.com/a:fresh", None),
        ] {
            assert_eq!(without_fresh(path).as_deref(), name, "{path}");
        }
        assert!(is_fresh_address("https://example.com/a:fresh:1-5"));
        assert!(!is_fresh_address("https://example.com/fresh"));
    }

    #[test]
    fn replies_with_the_same_text_in_other_blocks_differ() {
        let text = |text: &str| Block::Text(text.to_owned());
        let keys = [
            key("omp", &[text("ab")]),
            key("omp", &[text("a"), text("b")]),
            key("omp", &[Block::Notice("ab".to_owned())]),
            key("claude", &[text("ab")]),
            key("omp", &[]),
        ];
        for (index, one) in keys.iter().enumerate() {
            assert!(keys.iter().skip(index + 1).all(|other| other != one));
        }
    }

    #[test]
    fn note_names_the_lines() {
        let change = |first, lines, before| Change {
            first,
            lines,
            before,
        };
        let said = |places: Vec<Change>| note(&Comparison::Changed(places)).unwrap().to_string();
        let places = vec![
            change(3, 1, 1),
            change(5, 3, 1),
            change(10, 2, 0),
            change(20, 0, 1),
            change(30, 0, 4),
        ];
        assert_eq!(
            said(places),
            "the file has changed since you have seen it: line 3, lines 5-7, lines 10-11 new, \
             1 line removed before line 20, 4 lines removed before line 30"
        );
        assert!(said(Vec::new()).ends_with(", but not in these lines"));
        let many = (0..100).map(|at| change(at * 2, 1, 1)).collect();
        assert!(said(many).ends_with(" more places"));
        assert_eq!(note(&Comparison::Unchanged), None);
    }
}
