//! The parts of a query, and how they match the names of declarations.

use super::names::{Names, unquoted};
use crate::item::{Item, cut};
use crate::limits;

/// The rule by which a name matches a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The name is the query.
    Exact,
    /// The name differs from the query only in upper and lower case, or in marks.
    Case,
    /// The name has the anchor that the query is, as GitHub makes it.
    Slug,
}

/// A query for a name.
#[derive(Debug)]
pub struct Query<'q> {
    /// The query as it was written, without spaces around it.
    whole: &'q str,
    text: &'q str,
    /// The parts of the path, the outermost first.
    parts: Vec<&'q str>,
    /// The anchor of the query, if names are headings.
    slug: Option<String>,
    /// Whether the query may be the name of an operator of C++.
    is_operator: bool,
    /// The first letters of the whole query and of its last part.
    letters: [Option<char>; 2],
}

impl<'q> Query<'q> {
    /// Splits a query. `prose` is whether the names are headings.
    pub fn new(text: &'q str, prose: bool) -> Self {
        let whole = cut(text.trim(), limits::QUERY_BYTES);
        let text = whole;
        let text = if prose {
            text.trim_start_matches('#').trim_start()
        } else {
            without_parameters(text)
        };
        let mut parts = parts(text, prose);
        if !prose {
            for part in &mut parts {
                *part = unquoted(without_pointer(part));
            }
        }
        Self {
            whole,
            text,
            letters: [text, parts.last().copied().unwrap_or(text)].map(first_letter),
            parts,
            slug: prose.then(|| slug(text)),
            is_operator: text.contains("operator"),
        }
    }

    /// The rule by which an item matches, if it does. `folded` is whether upper and lower case may
    /// differ.
    pub fn tier(&self, names: &Names<'_>, at: usize, item: &Item, folded: bool) -> Option<Tier> {
        let name = names.own(item);
        if name.is_empty() || self.text.is_empty() {
            return None;
        }
        if self.slug.is_some() && !self.may_be_heading(name) {
            return None;
        }
        let members_of = names.type_of_members(at);
        if name == self.text
            || name == self.whole
            || item.name == self.text
            || (self.is_operator && same_operator(name, self.text))
            || self.ends_path(names, at, item, false)
        {
            // The declaration of a type takes precedence over blocks of its members.
            return Some(if members_of.is_some() {
                Tier::Case
            } else {
                Tier::Exact
            });
        }
        if self.slug.is_some() && self.is_written_path(names, at, name) {
            return Some(Tier::Exact);
        }
        if folded && (equal(name, self.text) || self.ends_path(names, at, item, true)) {
            return Some(Tier::Case);
        }
        // The blocks of a type that is declared in another file.
        if self.parts.len() == 1 && members_of.is_some_and(|name| name == self.text) {
            return Some(Tier::Case);
        }
        let slug = self.slug.as_deref().filter(|slug| !slug.is_empty())?;
        if !could_be(name, slug) {
            return None;
        }
        let plain = plain(name);
        if equal(&plain, self.text) {
            return Some(Tier::Case);
        }
        (self::slug(&plain) == slug).then_some(Tier::Slug)
    }

    /// Whether the first letter of a heading allows that it matches. Most headings are rejected so.
    fn may_be_heading(&self, name: &str) -> bool {
        let letter = first_letter(name);
        self.letters.contains(&letter)
            || name.contains(['<', '[', '!'])
            || self.whole.ends_with(name)
    }

    /// Whether the query is the path of a heading as replies write it, with dots, or the end of that path:
    /// `Guide.Install`.
    fn is_written_path(&self, names: &Names<'_>, at: usize, name: &str) -> bool {
        let before = self.whole.strip_suffix(name);
        if !before.is_some_and(|before| before.ends_with('.')) {
            return false;
        }
        let mut left = Some(self.whole);
        names.each_part(at, &mut |part| {
            left = left.and_then(|left| left.strip_suffix(part));
            match left {
                Some("") | None => false,
                Some(more) => {
                    left = more.strip_suffix('.');
                    left.is_some()
                }
            }
        });
        left == Some("")
    }

    /// Whether the last letter of a name shows that its path does not end with the query. Most names are
    /// rejected so.
    fn cannot_end(&self, name: &str, folded: bool) -> bool {
        if folded || self.is_operator {
            return false;
        }
        let Some(wanted) = self.parts.last() else {
            return true;
        };
        let last = name.as_bytes().last();
        last != wanted.as_bytes().last()
            // Quotes, spaces and type arguments may follow.
            && last.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    }

    /// Whether the path of an item ends with the parts of the query.
    fn ends_path(&self, names: &Names<'_>, at: usize, item: &Item, folded: bool) -> bool {
        let prose = self.slug.is_some();
        let same = |wanted: &str, name: &str| {
            wanted == name
                || (self.is_operator && same_operator(wanted, name))
                || (folded && equal(wanted, name))
                || (folded && prose && could_be(name, wanted) && equal(wanted, &plain(name)))
        };
        if self.cannot_end(names.own(item), folded) {
            return false;
        }
        // The number of parts of the query that are still to be found.
        let mut left = self.parts.len();
        let mut failed = left == 0;
        names.each_part(at, &mut |part| {
            // A name with separators may be one part of the query or several.
            let whole = left.checked_sub(1).and_then(|last| self.parts.get(last));
            if whole.is_some_and(|whole| same(whole, part)) {
                left = left.saturating_sub(1);
                return left > 0;
            }
            if prose {
                failed = true;
                return false;
            }
            for piece in parts(part, false).into_iter().rev() {
                let wanted = left.checked_sub(1).and_then(|last| self.parts.get(last));
                let Some(wanted) = wanted else {
                    break;
                };
                if !same(wanted, unquoted(piece)) {
                    failed = true;
                    return false;
                }
                left = left.saturating_sub(1);
            }
            left > 0
        });
        !failed && left == 0
    }
}

/// A query without the list of parameters at its end: `name(a, b)`. `operator()` is a name.
fn without_parameters(text: &str) -> &str {
    if !text.ends_with(')') {
        return text;
    }
    let bare = text
        .split_once('(')
        .map_or(text, |(bare, _)| bare.trim_end());
    if bare.ends_with("operator") || bare.is_empty() {
        text
    } else {
        bare
    }
}

/// The type of the receiver of a method in Go, as errors and documentation write it: `T` in `(*T)`.
fn without_pointer(part: &str) -> &str {
    let inner = part
        .strip_prefix('(')
        .and_then(|part| part.strip_suffix(')'))
        .map(|part| part.trim_start_matches(['*', '&']))
        .filter(|part| !part.is_empty());
    inner.unwrap_or(part)
}

/// Whether two names of operators of C++ differ only in spaces: `operator ==`.
fn same_operator(one: &str, other: &str) -> bool {
    let sign = |name: &str| -> Option<(usize, usize)> {
        let at = name.find("operator")?;
        let after = at.saturating_add("operator".len());
        let rest = name.get(after..)?;
        let sign = rest.trim_start();
        let is_sign = sign.starts_with(|c: char| !c.is_alphanumeric() && c != '_');
        is_sign.then(|| (after, name.len().saturating_sub(sign.len())))
    };
    let (Some((before, from)), Some((after, to))) = (sign(one), sign(other)) else {
        return false;
    };
    one.get(..before) == other.get(..after) && one.get(from..) == other.get(to..)
}

/// Whether two names differ only in upper and lower case.
fn equal(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
        || (!(one.is_ascii() && other.is_ascii())
            && one
                .chars()
                .flat_map(char::to_lowercase)
                .eq(other.chars().flat_map(char::to_lowercase)))
}

/// Splits a path into its parts, the outermost first. Type arguments in `<…>` are left out. A name
/// of an operator, such as `==`, is one part. `prose` is whether only `/` and `>` separate parts,
/// because headings contain dots and colons.
fn parts(text: &str, prose: bool) -> Vec<&str> {
    let is_separator = |c: char| {
        if prose {
            matches!(c, '/' | '>')
        } else {
            matches!(c, '.' | ':' | '#' | '/' | '\\')
        }
    };
    if prose || !text.contains(char::is_alphanumeric) {
        let parts = text.split(is_separator).map(str::trim);
        return parts
            .filter(|part| !part.is_empty())
            .take(limits::QUERY_PARTS)
            .collect();
    }
    // The labels of a block of HCL: `resource "type" "name"`.
    if text.ends_with('"') && text.contains(" \"") {
        return text.split_ascii_whitespace().collect();
    }
    let mut parts = Vec::new();
    let (mut from, mut level) = (0usize, 0usize);
    let mut end = None;
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '`' => quoted = !quoted,
            _ if quoted => {}
            '<' if level > 0 || begins_arguments(text, at) => {
                end.get_or_insert(at);
                level = level.saturating_add(1);
            }
            '>' if level > 0 => level = level.saturating_sub(1),
            // `r#type` is one name of Rust.
            '#' if text.get(from..at) == Some("r") => {}
            _ if level == 0 && is_separator(c) => {
                let part = text.get(from..end.take().unwrap_or(at)).unwrap_or_default();
                parts.push(part.trim());
                from = at.saturating_add(c.len_utf8());
            }
            _ => {}
        }
    }
    let part = text.get(from..end.unwrap_or(text.len()));
    parts.push(part.unwrap_or_default().trim());
    // A backquoted name is one part of a query, and several parts of the name that it is compared with.
    parts = parts
        .into_iter()
        .flat_map(|part| match part.strip_prefix('`') {
            Some(inner) => self::parts(inner.strip_suffix('`').unwrap_or(inner), false),
            None => vec![part],
        })
        .collect();
    parts.retain(|part| !part.is_empty() && *part != "prototype" && *part != "self");
    let surplus = parts.len().saturating_sub(limits::QUERY_PARTS);
    parts.split_off(surplus)
}

/// Whether a `<` begins type arguments. It may also be an operator: `operator<`, `A#<=>`.
fn begins_arguments(text: &str, at: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(at) else {
        return false;
    };
    before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        && !before.ends_with("operator")
        && after.contains('>')
}

/// Whether a heading may have this text or anchor: a quick test by the letters of both, without building
/// either.
fn could_be(name: &str, wanted: &str) -> bool {
    // A link or tag at the start of a heading hides its first letter.
    first_letter(name) == first_letter(wanted) || name.contains(['<', '[', '!'])
}

/// The first letter or digit of a text, in lower case.
fn first_letter(text: &str) -> Option<char> {
    let first = text.chars().find(|c| c.is_alphanumeric())?;
    first.to_lowercase().next()
}

/// The anchor of a heading as GitHub makes it: in lower case, with `-` for each space, and without
/// punctuation. Source: <https://docs.github.com/en/get-started/writing-on-github>.
fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for c in name.trim().chars() {
        if c.is_alphanumeric() || matches!(c, '-' | '_') {
            slug.extend(c.to_lowercase());
        } else if c == ' ' {
            slug.push('-');
        }
    }
    slug
}

/// The text of a heading without marks of emphasis and code, tags, targets of links, and
/// `{#identifier}` at its end.
fn plain(name: &str) -> String {
    let name = match name.rsplit_once("{#") {
        Some((before, after)) if after.ends_with('}') => before.trim_end(),
        _ => name,
    };
    let mut plain = String::with_capacity(name.len());
    let mut rest = name.chars();
    while let Some(c) = rest.next() {
        match c {
            '`' | '*' | '[' => {}
            '!' if rest.as_str().starts_with('[') => {}
            '\\' => plain.extend(rest.next()),
            ']' => {
                let target = rest.as_str().strip_prefix('(');
                if let Some((_, after)) = target.and_then(|target| target.split_once(')')) {
                    rest = after.chars();
                }
            }
            '<' => match rest.as_str().split_once('>') {
                Some((_, after)) => rest = after.chars(),
                None => plain.push(c),
            },
            _ => plain.push(c),
        }
    }
    plain.trim().to_owned()
}
