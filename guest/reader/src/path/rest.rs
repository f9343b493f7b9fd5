//! What a path says behind the name of something that exists.

use super::Selector;
use super::escape::{is_escaped, split_escaped};
use crate::limits;

/// A selector, or what is asked of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    text: String,
    /// The path is in escape form, and so is this.
    escaped: bool,
}

/// What a path says behind a name: what follows a colon, or all from a question
/// mark on.
pub fn behind(rest: &str) -> Option<&str> {
    rest.strip_prefix(':')
        .or(Some(rest).filter(|rest| !rest.is_empty()))
}

impl Rest {
    /// What follows a name in a path, or in one of escape form.
    pub fn new(text: &str, escaped: bool) -> Self {
        Self {
            text: text.to_owned(),
            escaped,
        }
    }

    /// What follows a name that tells nothing of the form.
    pub fn of(text: &str) -> Self {
        Self::new(text, is_escaped(text))
    }

    /// The same as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is a selector, be it a wrong one.
    pub fn is_selector(&self) -> bool {
        !matches!(Selector::parse(&self.text), Ok(None))
    }

    /// Whether it names the root of the archive that it follows.
    pub fn is_root(&self) -> bool {
        matches!(self.text.as_str(), "" | "/" | ".")
    }

    /// The whole of it as one name.
    pub fn unescaped(&self) -> String {
        if !self.escaped {
            return self.text.clone();
        }
        let (mut name, mut rest) = split_escaped(&self.text);
        while let Some(behind) = rest {
            let (next, more) = split_escaped(behind);
            name = format!("{name}:{next}");
            rest = more;
        }
        name
    }

    /// The names that its start may mean, the longest first, each with what
    /// follows it: behind a colon, or from a question mark on. At most
    /// [`limits::NAME_ENDS`] of them are counted.
    pub fn names(&self) -> Vec<(String, Option<Self>)> {
        let text = self.text.as_str();
        let mut ends = Vec::new();
        let mut marked = false;
        let mut closed = false;
        for (at, c) in text.char_indices() {
            // What is escaped is part of a name, and a bare colon ends it.
            let part = marked && self.escaped;
            marked = c == '\\' && !part;
            if part || !matches!(c, ':' | '?') {
                continue;
            }
            ends.push(at);
            closed = self.escaped && c == ':';
            if closed || ends.len() >= limits::NAME_ENDS {
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
            Some((name, behind(rest).map(|rest| Self::new(rest, self.escaped))))
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
    fn names_are_longest_first() {
        let names = Rest::of("a:b:5").names();
        let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a:b:5", "a:b", "a"]);
    }

    #[test]
    fn questions_end_names_too() {
        let of = |text: &str, escaped| {
            let names = Rest::new(text, escaped).names().into_iter();
            let rest = |rest: Option<Rest>| rest.map_or(String::new(), |rest| rest.text);
            names
                .map(|(name, behind)| format!("{name} {}", rest(behind)))
                .collect::<Vec<_>>()
        };
        assert_eq!(of("t?a:b", false), ["t?a:b ", "t?a b", "t ?a:b"]);
        assert_eq!(of("t\\:?a:b", true), ["t:?a b", "t: ?a:b"]);
        assert_eq!(of("t:?q=a\\:b:c", true), ["t ?q=a\\:b:c"]);
    }

    proptest! {
        #[test]
        fn members_come_back(parts in prop::collection::vec("[a:\\\\b/]{1,6}", 1..4)) {
            let all: Vec<&str> = ["f"].into_iter().chain(parts.iter().map(String::as_str)).collect();
            let path = escape_all(&all, true) + ":5-9";
            let escaped = is_escaped(&path);
            let mut rest = Some(Rest::new(&path, escaped));
            for part in all {
                let names = rest.take().unwrap().names();
                let found = names.into_iter().find(|(name, _)| name == part);
                prop_assert!(found.is_some(), "{path}: {part}");
                rest = found.and_then(|(_, rest)| rest);
            }
            prop_assert_eq!(rest, Some(Rest::new("5-9", escaped)));
        }
    }
}
