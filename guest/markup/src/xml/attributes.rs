//! The attributes of a tag, also of a damaged one.

use super::tokens::slice;

/// An attribute as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// The name, with its prefix.
    pub name: &'a str,
    /// The value with its entity references as written. `None` if the attribute has no value.
    pub value: Option<&'a str>,
    /// The quote around the value. `None` if the value is not quoted.
    pub quote: Option<char>,
}

/// Iterates over the attributes in the source of a tag.
#[derive(Clone, Debug)]
pub struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Attributes<'a> {
    /// The attributes in the source of a tag, without its name.
    pub fn new(source: &'a str) -> Self {
        Self { rest: source }
    }

    /// Takes the text up to the first character that `ends` accepts.
    fn take(&mut self, ends: impl FnMut(char) -> bool) -> &'a str {
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let taken = slice(self.rest, 0, end);
        self.rest = self.rest.get(end..).unwrap_or_default();
        taken
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        // Quotes and slashes between attributes come from damaged tags.
        self.take(|c| !(c.is_ascii_whitespace() || matches!(c, '/' | '"' | '\'' | '=' | '<')));
        if self.rest.is_empty() {
            return None;
        }
        let name =
            self.take(|c| c.is_ascii_whitespace() || matches!(c, '=' | '/' | '"' | '\'' | '<'));
        let Some(value) = self.rest.trim_ascii_start().strip_prefix('=') else {
            return Some(Attribute {
                name,
                value: None,
                quote: None,
            });
        };
        self.rest = value.trim_ascii_start();
        let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let value = match quote {
            Some(quote) => {
                self.rest = self.rest.get(1..).unwrap_or_default();
                let value = self.take(|c| c == quote);
                self.rest = self.rest.get(1..).unwrap_or_default();
                value
            }
            None => self.take(|c| c.is_ascii_whitespace()),
        };
        Some(Attribute {
            name,
            value: Some(value),
            quote,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(source: &str) -> Vec<(&str, Option<&str>)> {
        Attributes::new(source)
            .map(|attribute| (attribute.name, attribute.value))
            .collect()
    }

    #[test]
    fn attributes_of_all_forms_are_read() {
        let expected = [
            ("a", Some("1 ")),
            ("b:c", Some("'")),
            ("d", Some("x/y")),
            ("e", None),
        ];
        assert_eq!(pairs("a='1 'b:c = \"'\" d=x/y  e"), expected);
    }

    #[test]
    fn value_without_end_is_read() {
        assert_eq!(pairs("a='1 b"), [("a", Some("1 b"))]);
        assert_eq!(pairs("a="), [("a", Some(""))]);
    }

    proptest::proptest! {
        #[test]
        fn attributes_of_any_text_end(source in "[a='\"/ <]{0,60}|.{0,40}") {
            proptest::prop_assert!(Attributes::new(&source).count() <= source.len());
        }
    }
}
