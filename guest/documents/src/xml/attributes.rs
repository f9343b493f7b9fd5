//! The attributes of a start tag.

use super::set::Set;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::{Attribute, Attributes};
use quick_xml::name::QName;
use std::borrow::Cow;

/// An attribute as it is in the file.
pub struct Raw<'a> {
    pub name: &'a str,
    pub value: Cow<'a, str>,
    /// Whether the value has no references and no white space but spaces.
    is_plain: bool,
}

impl<'a> Raw<'a> {
    /// Decodes the value.
    pub fn decoded(self) -> Cow<'a, str> {
        if self.is_plain {
            return self.value;
        }
        let attribute = Attribute {
            key: QName(self.name),
            value: self.value,
        };
        let known = |name: &str| Some(resolve_predefined_entity(name).unwrap_or_default());
        let value = attribute.normalized_value_with(XmlVersion::Implicit1_0, 1, known);
        value.unwrap_or(attribute.value)
    }
}

/// Lists attributes. Those that are written as by most programs, `name="value"`, are read here. From another one on,
/// the reader of XML reads them.
pub struct List<'a> {
    rest: &'a str,
    others: Option<Attributes<'a>>,
}

impl<'a> List<'a> {
    /// The attributes in the text after the name of a tag.
    pub fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            others: None,
        }
    }
}

impl<'a> Iterator for List<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        let others = match &mut self.others {
            Some(others) => others,
            None => {
                let mut bytes = self.rest.bytes();
                let start = bytes.position(|byte| !is_space(byte))?;
                if let Some((found, after)) = simple(self.rest, start) {
                    self.rest = self.rest.get(after..).unwrap_or_default();
                    return Some(found);
                }
                let mut others = Attributes::new(self.rest, 0);
                others.with_checks(false);
                self.others.insert(others)
            }
        };
        let found = others.find_map(Result::ok)?;
        Some(Raw {
            name: found.key.0,
            value: found.value,
            is_plain: false,
        })
    }
}

/// Bytes that end the name of an attribute.
static NAME_ENDS: Set = Set::of(b"= \t\n\r");

/// Bytes that a value in other quotes may have, or that are decoded, and both quotes.
static VALUE_STOPS: Set = Set::of(b"\"'&\t\n\r");

/// Bytes of a value that are decoded.
static NOT_PLAIN: Set = Set::of(b"&\t\n\r");

/// Reads the attribute whose name starts at a position. Also returns the position after it.
fn simple(list: &str, start: usize) -> Option<(Raw<'_>, usize)> {
    let from_name = list.as_bytes().get(start..)?;
    let length = NAME_ENDS.find(from_name)?;
    let equals = start.checked_add(length)?;
    let [b'=', quote @ (b'"' | b'\''), rest @ ..] = from_name.get(length..)? else {
        return None;
    };
    if length == 0 {
        return None;
    }
    let plain = VALUE_STOPS.find(rest)?;
    let is_plain = rest.get(plain) == Some(quote);
    let size = if is_plain {
        plain
    } else {
        let after = rest.get(plain..)?;
        plain.checked_add(after.iter().position(|byte| byte == quote)?)?
    };
    let is_plain = is_plain || !NOT_PLAIN.is_in(rest.get(plain..size)?);
    let first = equals.checked_add(2)?;
    let end = first.checked_add(size)?;
    let found = Raw {
        name: list.get(start..equals)?,
        value: Cow::Borrowed(list.get(first..end)?),
        is_plain,
    };
    Some((found, end.checked_add(1)?))
}

/// Whether a byte is white space in XML.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_those_of_the_reader() {
        for text in [
            "",
            " ",
            " a=\"1\" b:c='2'",
            " a=\"1\"b=\"2\"",
            " a=\"\" b='\"'\t\n",
            " a = \"1\" b=\"2\"",
            " a=\"1&amp;2&#x41;&no;&\" b=\"x\ty\r\nz\"",
            " a b=\"2\" c=3 d=\"4\"",
            " =\"1\" b=\"2\"",
            " a=\"1\" =",
            " a=\"1\" b=\"2",
            " a=\"1\" a=\"2\"",
            " a=\"é\" é=\"ü\"/",
            " a=\"<b>\" / c=\"d\"",
            "/ a=\"1\"",
        ] {
            let mut reader = Attributes::new(text, 0);
            reader.with_checks(false);
            let expected = reader.filter_map(Result::ok).map(|attribute| Raw {
                name: attribute.key.0,
                value: attribute.value,
                is_plain: false,
            });
            let of = |raw: Raw<'_>| (raw.name.to_owned(), raw.decoded().into_owned());
            let expected: Vec<_> = expected.map(of).collect();
            let found: Vec<_> = List::new(text).map(of).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
