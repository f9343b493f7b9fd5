//! The suffix of a path: the text after a file name, before it is parsed as members or a selector.

use super::escape::{is_escaped, split_escaped};
use super::selector::without_column;
use super::{Selector, fragment, view};
use crate::failure::Failure;
use crate::limits;

/// The text after a file name in a path: members, a query, a selector, or several of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suffix {
    text: String,
    /// Whether the path is in escape form, which makes the suffix escaped as well.
    escaped: bool,
}

/// The suffix of a path, without the colon that separates it from the file name. `rest` is the text
/// after the file name. A leading question mark is part of the suffix. `None` if there is no
/// suffix.
pub fn strip_separator(rest: &str) -> Option<&str> {
    rest.strip_prefix(':')
        .or(Some(rest).filter(|rest| !rest.is_empty()))
}

impl Suffix {
    /// Creates a suffix of a path. `escaped` is true if the path is in escape form.
    pub fn new(text: &str, escaped: bool) -> Self {
        Self {
            text: text.to_owned(),
            escaped,
        }
    }

    /// Creates the suffix that follows a name such as `-`, which cannot contain a backslash escape.
    /// The suffix is in escape form if its own text contains `\:`.
    pub fn of(text: &str) -> Self {
        Self::new(text, is_escaped(text))
    }

    /// The suffix that `rest` is, the text after a name. A fragment of lines becomes their selector.
    /// `None` if nothing follows the name.
    pub fn after_name(rest: &str, escaped: bool) -> Option<Self> {
        if let Some(lines) = fragment::lines(rest) {
            return Some(Self::new(&lines, escaped));
        }
        // A URL encodes the id of a section.
        if rest.starts_with('#')
            && rest.contains('%')
            && let Ok(decoded) = percent_encoding::percent_decode_str(rest).decode_utf8()
        {
            return Some(Self::new(&decoded, escaped));
        }
        strip_separator(rest).map(|rest| Self::new(rest, escaped))
    }

    /// The suffix as it is written in the path.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Parses the suffix of a file that exists and contains no other files as a selector. Returns
    /// `Ok(None)` if it is not a selector.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidSelector`] if the suffix is a selector with invalid numbers, such
    /// as `0` or `9-3`.
    ///
    /// [`Reason::InvalidSelector`]: crate::failure::Reason::InvalidSelector
    pub fn selector(&self) -> Result<Option<Selector>, Failure> {
        match view::parse(&self.text, self.escaped)? {
            Some(selector) => Ok(Some(selector)),
            None => Selector::parse(&self.text),
        }
    }

    /// The suffix without the column of a position that a compiler printed: `10` for `10:5`.
    pub fn without_column(&self) -> Option<Self> {
        without_column(&self.text).map(|line| Self::new(line, self.escaped))
    }

    /// Whether the suffix has the syntax of a selector, valid or not. The name of a member may be
    /// that of a selector of the converted form, such as `full`, which is not one here.
    pub fn is_selector(&self) -> bool {
        !matches!(Selector::parse(&self.text), Ok(None))
            || !matches!(view::parse_symbols(&self.text, self.escaped), Ok(None))
    }

    /// Whether the suffix names the root directory of an archive: empty, `/` or `.`.
    pub fn is_root(&self) -> bool {
        matches!(self.text.as_str(), "" | "/" | ".")
    }

    /// Whether it is a query of rows, which follows the path of a file, perhaps after row numbers.
    pub fn is_query(&self) -> bool {
        self.text.starts_with('?') || (self.text.starts_with(':') && self.text.contains('?'))
    }

    /// The whole suffix as one name, with escapes resolved.
    pub fn unescaped(&self) -> String {
        if !self.escaped {
            return self.text.clone();
        }
        let (mut name, mut rest) = split_escaped(&self.text);
        while let Some(text) = rest {
            let (next, more) = split_escaped(text);
            name = format!("{name}:{next}");
            rest = more;
        }
        name
    }

    /// The names that the suffix may start with, the longest first. Each comes with the rest of the
    /// suffix after the name. A name ends at a colon, at a question mark, before a fragment or at the
    /// end of the suffix. At most [`limits::NAME_CANDIDATES`] of these are tried.
    pub fn names(&self) -> Vec<(String, Option<Self>)> {
        let text = self.text.as_str();
        let mut ends = Vec::new();
        let mut after_backslash = false;
        let mut closed = false;
        for (at, c) in text.char_indices() {
            // An escaped character is part of the name. An unescaped colon ends it.
            let escaped = after_backslash && self.escaped;
            after_backslash = c == '\\' && !escaped;
            let ends_here = match c {
                ':' | '?' => true,
                '#' => {
                    let (name, rest) = text.split_at_checked(at).unwrap_or((text, ""));
                    fragment::follows(name, rest)
                }
                _ => false,
            };
            if escaped || !ends_here {
                continue;
            }
            ends.push(at);
            closed = self.escaped && c == ':';
            if closed || ends.len() >= limits::NAME_CANDIDATES {
                break;
            }
        }
        if !closed {
            ends.push(text.len());
        }
        let split = |end: usize| {
            let (name, rest) = text.split_at_checked(end)?;
            let name = if self.escaped {
                split_escaped(name).0
            } else {
                name.to_owned()
            };
            Some((name, Self::after_name(rest, self.escaped)))
        };
        ends.into_iter().rev().filter_map(split).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::escape_all;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_sorted_longest_first() {
        let names = Suffix::of("a:b:5").names();
        let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a:b:5", "a:b", "a"]);
    }

    #[test]
    fn question_mark_ends_a_name() {
        let of = |text: &str, escaped| {
            let names = Suffix::new(text, escaped).names().into_iter();
            let rest = |rest: Option<Suffix>| rest.map_or(String::new(), |rest| rest.text);
            names
                .map(|(name, after)| format!("{name} {}", rest(after)))
                .collect::<Vec<_>>()
        };
        assert_eq!(of("t?a:b", false), ["t?a:b ", "t?a b", "t ?a:b"]);
        assert_eq!(of("t\\:?a:b", true), ["t:?a b", "t: ?a:b"]);
        assert_eq!(of("t:?q=a\\:b:c", true), ["t ?q=a\\:b:c"]);
    }

    #[test]
    fn fragment_ends_a_name() {
        let names = Suffix::of("a.html#top:5").names().into_iter();
        let names: Vec<(String, String)> = names
            .map(|(name, rest)| (name, rest.map_or(String::new(), |rest| rest.text)))
            .collect();
        let expected = [
            ("a.html#top:5", ""),
            ("a.html#top", "5"),
            ("a.html", "#top:5"),
        ];
        assert_eq!(
            names,
            expected.map(|(name, rest)| (name.to_owned(), rest.to_owned()))
        );
        let names = Suffix::of("a.rs#L3").names();
        assert_eq!(names.last().unwrap().1, Some(Suffix::of("3-3")));
        assert_eq!(Suffix::of("C#.md").names().len(), 1);
    }

    #[test]
    fn fragment_ends_a_name_in_escape_form() {
        let of = |text: &str| {
            let names = Suffix::new(text, true).names().into_iter();
            names
                .map(|(name, rest)| (name, rest.map_or(String::new(), |rest| rest.text)))
                .collect::<Vec<_>>()
        };
        let pair = |name: &str, rest: &str| (name.to_owned(), rest.to_owned());
        assert_eq!(
            of("c\\:1.md#top:5"),
            [pair("c:1.md#top", "5"), pair("c:1.md", "#top:5")]
        );
        assert_eq!(
            of("c\\:1.md#L2"),
            [pair("c:1.md#L2", ""), pair("c:1.md", "2-2")]
        );
        assert_eq!(of("c\\:1:#x").len(), 1);
    }

    proptest! {
        #[test]
        fn escaped_members_are_found_again(parts in prop::collection::vec("[a:\\\\b/]{1,6}", 1..4)) {
            let all: Vec<&str> = ["f"].into_iter().chain(parts.iter().map(String::as_str)).collect();
            let path = escape_all(&all, true) + ":5-9";
            let escaped = is_escaped(&path);
            let mut rest = Some(Suffix::new(&path, escaped));
            for part in all {
                let names = rest.take().unwrap().names();
                let found = names.into_iter().find(|(name, _)| name == part);
                prop_assert!(found.is_some(), "{path}: {part}");
                rest = found.and_then(|(_, rest)| rest);
            }
            prop_assert_eq!(rest, Some(Suffix::new("5-9", escaped)));
        }
    }
}
