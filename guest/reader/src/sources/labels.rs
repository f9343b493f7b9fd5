//! Pages of a PDF document that a path selects by their labels, such as `iii`, and the failures for paths
//! that select nothing in a PDF document.
//!
//! A number in a path is always the number of the page, counted from 1, never its label.

use super::repair::{similar_names, there_is_in};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Suffix, UnitKind};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::subject::Subject;
use crate::world::FileError;
use omniread_document as document;

/// The suffix `page:3:5-9` for `page:iii:5-9`, if exactly one page has the label `iii`.
pub fn with_number(rest: &Suffix, pages: &[document::UnitFacts]) -> Option<Suffix> {
    let text = after_word(rest)?;
    let ends = text.match_indices(':').map(|(at, _)| at);
    let ends = std::iter::once(text.len()).chain(ends.take(limits::NAME_CANDIDATES));
    for end in ends {
        let (label, lines) = text.split_at_checked(end)?;
        let mut places = pages
            .iter()
            .enumerate()
            .filter(|(_, page)| !label.is_empty() && page.name == label);
        let (Some((place, _)), None) = (places.next(), places.next()) else {
            continue;
        };
        let number = UnitKind::Page.first().saturating_add(place as u64);
        let word = UnitKind::Page.word();
        let found = Suffix::new(&format!("{word}:{number}{lines}"), false);
        if !matches!(found.selector(), Ok(None)) {
            return Some(found);
        }
    }
    None
}

/// The text after `page:`.
fn after_word(rest: &Suffix) -> Option<&str> {
    let (word, text) = rest.as_str().split_once(':')?;
    (UnitKind::named(word) == Some(UnitKind::Page)).then_some(text)
}

/// The failure for a path that is neither a selector nor the name of an attachment. `names` are the
/// attachments that may be named.
pub fn nothing_selected(
    subject: &Subject,
    rest: &Suffix,
    facts: &document::Facts,
    names: &[&str],
    request: &Request,
) -> Failure {
    match after_word(rest) {
        Some(pages) => no_pages(subject, rest, pages, facts),
        None => no_attachment(subject, rest, names, request),
    }
}

/// The failure for `page:` with pages that cannot be selected like this.
fn no_pages(subject: &Subject, rest: &Suffix, pages: &str, facts: &document::Facts) -> Failure {
    let file = subject.before_selector();
    let (range, is_image) = match pages.rsplit_once(':') {
        Some((range, word)) if word.eq_ignore_ascii_case("img") => (range, true),
        _ => (pages, false),
    };
    let numbers = range
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b',' | b' '));
    let is_range = numbers && range.bytes().any(|b| b.is_ascii_digit());
    let first = range
        .split(['-', ',', ' '])
        .find(|it| !it.is_empty())
        .unwrap_or("1");
    let requested = &subject.requested;
    let (message, hint) = if is_image && is_range {
        (
            format!(
                "`{requested}:{}` selects an image of several pages",
                rest.as_str()
            ),
            format!("an image shows one page, such as `{file}:page:{first}:img`"),
        )
    } else if is_range {
        (
            format!("`{requested}:{}` is not a range of pages", rest.as_str()),
            format!("write one page as `{file}:page:{first}`, and several as `{file}:page:1-3`"),
        )
    } else {
        let label = pages.split(':').next().unwrap_or(pages);
        let is_label = |page: &&document::UnitFacts| page.name == label && !label.is_empty();
        let count = facts.list.len();
        let message = match facts.list.iter().filter(is_label).count() {
            0 => format!("`{requested}` has no page `{label}`"),
            1 => format!(
                "`{}` does not select lines of the page `{label}`",
                rest.as_str()
            ),
            same => format!("`{requested}` has {same} pages with the label `{label}`"),
        };
        let s = if count == 1 { "" } else { "s" };
        (
            message,
            format!("it has {count} page{s}; `{file}:page:1` is the first one"),
        )
    };
    Failure::new(Reason::InvalidSelector(rest.as_str().to_owned()), message).hint(hint)
}

/// The failure for the name of an attachment that does not exist.
fn no_attachment(subject: &Subject, rest: &Suffix, names: &[&str], request: &Request) -> Failure {
    // Dialects that do not convert the bare path read lines of the text only in this form.
    let lines = if request.style.nul_is_binary {
        "::5-9"
    } else {
        ":5-9"
    };
    let near = similar_names(&rest.unescaped(), &mut names.iter().copied());
    let paths: Vec<String> = near.iter().map(|name| path_of(subject, name)).collect();
    let (shown, file) = (subject.shown(), subject.before_selector());
    let has = match (names.len(), names.first()) {
        (_, None) => "has no attachments".to_owned(),
        (1, Some(name)) => format!("has one attachment, `{}`", path_of(subject, name)),
        (count, Some(name)) => format!(
            "has {count} attachments, such as `{}`, and none has this name",
            path_of(subject, name)
        ),
    };
    let hint = if paths.is_empty() {
        format!("`{shown}` {has}; `{file}:page:1` reads a page, and `{file}{lines}` reads lines")
    } else {
        there_is_in(&subject.member_path(""), &paths)
    };
    Failure {
        reason: Reason::NotFound(paths),
        ..failure(FileError::NotFound, &request.path).hint(escape_invisible(&hint))
    }
}

/// The path that reads an attachment. A name that is a selector, such as `page:1`, follows `./`.
pub fn path_of(subject: &Subject, name: &str) -> String {
    let is_selector = !matches!(Suffix::new(name, false).selector(), Ok(None));
    let prefix = if is_selector { "./" } else { "" };
    subject.member_path(&format!("{prefix}{name}"))
}

/// The name of an attachment without `./` before it.
pub fn without_prefix(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_of_one_page_selects_it() {
        let page = |name: &str| document::UnitFacts {
            name: name.to_owned(),
            hidden: false,
        };
        let pages = ["i", "ii", "iii", "A-1", "x", "x", "", "b:c"].map(page);
        for (text, number) in [
            ("page:iii", Some("page:3")),
            ("PAGE:ii:5-9", Some("page:2:5-9")),
            ("page:A-1:img", Some("page:4:img")),
            ("page:i:all:raw", Some("page:1:all:raw")),
            ("page:b:c", Some("page:8")),
            ("page:III", None),
            ("page:x", None),
            ("page:", None),
            ("page:iv", None),
            ("page:i:x", None),
            ("slide:i", None),
            ("iii", None),
        ] {
            let found = with_number(&Suffix::of(text), &pages);
            assert_eq!(found.as_ref().map(Suffix::as_str), number, "{text}");
        }
    }
}
