//! Lists of addresses (RFC 5322, 3.4): `Name <address>`, groups and comments.

use crate::mime::{charset, words};
/// Writes the addresses of a field as `Name <address>`, without comments and quotes. `fallback` is that
/// of [`charset::decode_field`].
pub fn list(value: &[u8], fallback: &str) -> Vec<String> {
    let text = charset::decode_field(value, fallback);
    let mut out = Vec::new();
    let mut current = Mailbox::default();
    let mut group = false;
    let mut chars = text.chars();
    let mut place = Place::Phrase;
    // The number of open comments.
    let mut depth = 0_usize;
    while let Some(char) = chars.next() {
        match (place, char) {
            (Place::Comment, '(') => depth = depth.saturating_add(1),
            (Place::Comment, ')') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    place = Place::Phrase;
                }
            }
            (Place::Comment, '\\') => current.comment.extend(chars.next()),
            (Place::Comment, _) => current.comment.push(char),
            (Place::Quoted, '"') | (Place::Address, '>') => place = Place::Phrase,
            (Place::Quoted, '\\') => current.phrase.extend(chars.next()),
            (Place::Address, _) => current.address.push(char),
            (Place::Phrase, '(') => {
                place = Place::Comment;
                depth = 1;
            }
            (Place::Phrase, '"') => place = Place::Quoted,
            (Place::Phrase, '<') => {
                current.has_address = true;
                place = Place::Address;
            }
            (Place::Phrase, ':') if !group && !current.has_address => {
                group = true;
                let name = words::spaced(&words::decode_text(&current.phrase));
                out.push(format!("{name}:"));
                current = Mailbox::default();
            }
            (Place::Phrase, ';') => {
                current.take(&mut out);
                group = false;
            }
            (Place::Phrase, ',') => current.take(&mut out),
            (Place::Phrase | Place::Quoted, _) => current.phrase.push(char),
        }
    }
    current.take(&mut out);
    joined(out)
}

/// Joins the name of a group with its first member.
fn joined(list: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(list.len());
    for entry in list {
        match out.last_mut() {
            Some(last) if last.ends_with(':') && !entry.ends_with(':') => {
                last.push(' ');
                last.push_str(&entry);
            }
            _ => out.push(entry),
        }
    }
    out
}

/// Where a character is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Phrase,
    Quoted,
    Comment,
    Address,
}

#[derive(Default)]
struct Mailbox {
    phrase: String,
    comment: String,
    address: String,
    has_address: bool,
}

impl Mailbox {
    /// Adds the address to a list, and starts the next one.
    fn take(&mut self, out: &mut Vec<String>) {
        let Self {
            phrase,
            comment,
            address,
            has_address,
        } = std::mem::take(self);
        let mut name = words::spaced(&words::decode_text(&phrase));
        let mut address = words::spaced(&address);
        // Folding may add spaces to an address. Other text, such as the name of a program, has its own.
        if address.contains('@') {
            address.retain(|char| char != ' ');
        }
        if !has_address {
            // `address (Name)`, which programs wrote before RFC 822.
            if name.contains('@') {
                address = name;
                name = words::spaced(&words::decode_text(&comment));
            } else if name.is_empty() {
                name = words::spaced(&words::decode_text(&comment));
            }
        }
        // Some programs write the name in quotes in quotes.
        let name = without_quotes(&name);
        let text = match (name.is_empty(), address.is_empty()) {
            (true, true) => return,
            (true, false) => address,
            (false, true) => name.to_owned(),
            (false, false) if name.eq_ignore_ascii_case(&address) => address,
            (false, false) => format!("{name} <{address}>"),
        };
        out.push(text);
    }
}

/// Removes quotes around a name.
fn without_quotes(name: &str) -> &str {
    let inner = ['\'', '"'].iter().find_map(|quote| {
        let inner = name.strip_prefix(*quote)?;
        inner.strip_suffix(*quote)
    });
    inner.unwrap_or(name).trim()
}

/// The name of a mailbox that [`list`] wrote, or its address.
pub fn name(mailbox: &str) -> &str {
    match mailbox.rsplit_once(" <") {
        Some((name, _)) => name,
        None => mailbox,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        list(text.as_bytes(), "")
    }

    #[test]
    fn names_and_addresses() {
        assert_eq!(
            of("\"Doe, \\\"J\\\"\" <j@x>, =?utf-8?q?=C3=A9=2C?= <e@x>,a@x (Al (b)), <b@x>,"),
            ["Doe, \"J\" <j@x>", "é, <e@x>", "Al b <a@x>", "b@x"]
        );
        assert_eq!(of("'a@x' <a@x>"), ["a@x"]);
        assert_eq!(of("Name only"), ["Name only"]);
        assert_eq!(of("<Saved by a program>"), ["Saved by a program"]);
        assert_eq!(of("<a\r\n @x>"), ["a@x"]);
        assert_eq!(of(""), [""; 0]);
    }

    #[test]
    fn groups_are_named() {
        assert_eq!(
            of("Team: a@x, B <b@x>;, c@x"),
            ["Team: a@x", "B <b@x>", "c@x"]
        );
        assert_eq!(of("undisclosed-recipients:;"), ["undisclosed-recipients:"]);
    }

    #[test]
    fn damage_is_shown() {
        assert_eq!(of("<a@x"), ["a@x"]);
        assert_eq!(of("\"open a@x"), ["open a@x"]);
        assert_eq!(of(&"(".repeat(100_000)), [""; 0]);
        assert_eq!(of(&"<".repeat(100_000)).len(), 1);
    }
}
