//! JSON whose values may be of any type.
//!
//! Values stay unparsed until they are shown. An image that was not requested costs only
//! the search for its end.

use super::scan::Scan;
use crate::convert::pretty::pretty;
use crate::limits;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A decoded JSON string. It is borrowed from the file if it contains no escape.
pub struct Text<'j>(pub Cow<'j, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Strings;
        impl<'de> Visitor<'de> for Strings {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Strings)
    }
}

/// A valid JSON value that is not parsed.
#[derive(Clone, Copy)]
pub struct Raw<'j>(&'j str);

impl<'j> Raw<'j> {
    /// Reads a value of a notebook.
    pub fn read(scan: &mut Scan<'j>) -> Option<Self> {
        scan.value().map(Self)
    }

    /// The JSON.
    pub fn get(self) -> &'j str {
        self.0
    }
}

impl<'de> Deserialize<'de> for Raw<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value: &RawValue = Deserialize::deserialize(deserializer)?;
        Ok(Self(value.get()))
    }
}

/// A type that is deserialized from a JSON object.
pub trait FromObject<'de>: Sized {
    /// Reads the fields of an object. A field may be missing, or occur several times.
    fn from_object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error>;
}

/// A JSON value that is expected to be an object or a list.
pub enum Shape<O, L> {
    /// An object.
    Object(O),
    /// A list.
    List(Vec<L>),
    /// The value `null`.
    Null,
    /// A value of another type, and the name of that type.
    Other(&'static str),
}

/// An item of a JSON list that is kept in memory.
pub trait Weighted {
    /// The number of values as which the item counts towards [`limits::NOTEBOOK_VALUES`].
    fn weight(&self) -> usize;
}

impl Weighted for Raw<'_> {
    fn weight(&self) -> usize {
        1
    }
}

impl Weighted for IgnoredAny {
    fn weight(&self) -> usize {
        0
    }
}

/// The error for more values than may be kept in memory. `serde_json` classifies it as a data
/// error. All other errors are syntax errors.
fn too_many<E: Error>() -> E {
    E::custom("too many values")
}

impl<'de, O: FromObject<'de>, L: Deserialize<'de> + Weighted> Deserialize<'de> for Shape<O, L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Shapes(PhantomData))
    }
}

struct Shapes<O, L>(PhantomData<(O, L)>);

impl<'de, O: FromObject<'de>, L: Deserialize<'de> + Weighted> Visitor<'de> for Shapes<O, L> {
    type Value = Shape<O, L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
        O::from_object(object).map(Shape::Object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items: Vec<L> = Vec::new();
        let mut left = limits::NOTEBOOK_VALUES;
        while let Some(item) = list.next_element::<L>()? {
            left = left.checked_sub(item.weight()).ok_or_else(too_many)?;
            items.push(item);
        }
        Ok(Shape::List(items))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Shape::Null)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Shape::Other("a string"))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Shape::Other("a boolean"))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Shape::Other("a number"))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Shape::Other("a number"))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Shape::Other("a number"))
    }
}

/// A JSON object whose fields are ignored.
pub struct Skipped;

impl<'de> FromObject<'de> for Skipped {
    fn from_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self)
    }
}

/// A JSON object with all its fields, in order. The values are not parsed.
#[derive(Default)]
pub struct Fields<'j>(pub Vec<(Cow<'j, str>, Raw<'j>)>);

impl<'j> Fields<'j> {
    /// The fields of a value. `None` if the value is not an object, or has too many
    /// fields.
    pub fn of(value: Raw<'j>) -> Option<Self> {
        match serde_json::from_str(value.get()) {
            Ok(Shape::<Self, IgnoredAny>::Object(fields)) => Some(fields),
            _ => None,
        }
    }

    /// The value of the field `name`. `None` if the field is missing or `null`. If several fields
    /// have this name, the last is used.
    pub fn get(&self, name: &str) -> Option<Raw<'j>> {
        let mut fields = self.0.iter().rev();
        let (_, value) = fields.find(|(field, _)| field == name)?;
        Some(*value).filter(|value| !is_null(*value))
    }
}

impl<'de> FromObject<'de> for Fields<'de> {
    fn from_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        let mut fields = Vec::new();
        while let Some((Text(name), value)) = object.next_entry()? {
            if fields.len() >= limits::NOTEBOOK_VALUES {
                return Err(too_many());
            }
            fields.push((name, value));
        }
        Ok(Self(fields))
    }
}

/// Calls `with` for each item of a list. Returns whether `value` is a list.
pub fn each<'j>(value: Raw<'j>, with: impl FnMut(Raw<'j>)) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(value.get());
    deserializer.deserialize_seq(Each(with)).is_ok()
}

/// A visitor that calls a function for each item of a list and stores no items.
struct Each<F>(F);

impl<'de, F: FnMut(Raw<'de>)> Visitor<'de> for Each<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(item) = list.next_element()? {
            (self.0)(item);
        }
        Ok(())
    }
}

/// Whether a value is `null`.
pub fn is_null(value: Raw<'_>) -> bool {
    value.get() == "null"
}

/// The value as a non-negative integer. `None` if it is not such a number.
pub fn number(value: Raw<'_>) -> Option<u64> {
    value.get().parse().ok()
}

/// The rule by which the strings of a list are joined to a text. It depends on the version of the
/// notebook format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineJoin {
    /// The strings contain their line endings, as in version 4 of the notebook format.
    #[default]
    Concatenate,
    /// The strings may lack line endings, as in versions 1 to 3 of the notebook format: version 2
    /// was written without them, version 3 with or without them. The first string of a list decides
    /// whether line endings are added between its strings, as in the `nbformat` package.
    AddLineEnds,
}

/// The characters at which Python's `splitlines` splits a text. Python programs create the lists of
/// strings with it, and it can keep these characters at the ends of the strings.
const LINE_ENDS: [char; 10] = [
    '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}',
];

impl LineJoin {
    /// The text of a value: a string, or the joined strings of a list. The text of `null` is empty.
    /// Any other value is returned as JSON.
    pub fn text(self, value: Raw<'_>) -> Cow<'_, str> {
        let json = value.get();
        match json.as_bytes().first() {
            Some(b'"') => string(json),
            Some(b'[') => joined(value, self),
            Some(b'n') => Cow::Borrowed(""),
            _ => pretty(json),
        }
    }

    /// The separator between the strings of a list whose first string is `first`.
    fn between(self, first: &str) -> &'static str {
        match self {
            Self::AddLineEnds if !first.ends_with(LINE_ENDS) => "\n",
            Self::AddLineEnds | Self::Concatenate => "",
        }
    }
}

/// The text of a value: a string, or the concatenated strings of a list. The text of `null` is
/// empty. Any other value is returned as JSON.
pub fn text(value: Raw<'_>) -> Cow<'_, str> {
    LineJoin::Concatenate.text(value)
}

fn string(json: &str) -> Cow<'_, str> {
    if let Some(text) = Scan::new(json).text() {
        if !text.has_escapes {
            return Cow::Borrowed(text.raw);
        }
        let mut decoded = String::with_capacity(text.raw.len());
        if text.push_to(&mut decoded).is_some() {
            return Cow::Owned(decoded);
        }
    }
    match serde_json::from_str(json) {
        Ok(Text(text)) => text,
        Err(_) => Cow::Owned(lossy_string(json)),
    }
}

/// Decodes a JSON string that contains the escape of a lone surrogate. UTF-8 cannot represent a
/// lone surrogate, so it is replaced.
fn lossy_string(json: &str) -> String {
    struct Bytes;
    impl Visitor<'_> for Bytes {
        type Value = String;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<String, E> {
            Ok(String::from_utf8_lossy(bytes).into_owned())
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let text = deserializer.deserialize_bytes(Bytes);
    text.unwrap_or_else(|_| json.to_owned())
}

fn joined(value: Raw<'_>, line_join: LineJoin) -> Cow<'_, str> {
    // The quotes and commas of a list take more bytes than the line endings.
    let mut lines = Lines {
        text: String::with_capacity(value.get().len()),
        line_join,
        between: None,
    };
    if lines.push_all(value).is_some() {
        return Cow::Owned(lines.text);
    }
    lines.text.clear();
    lines.between = None;
    let mut deserializer = serde_json::Deserializer::from_str(value.get());
    if (&mut lines).deserialize(&mut deserializer).is_ok() {
        return Cow::Owned(lines.text);
    }
    lines.text.clear();
    lines.between = None;
    each(value, |item| match item.get().as_bytes().first() {
        Some(b'"') => lines.push(&string(item.get())),
        _ => lines.push(&pretty(item.get())),
    });
    Cow::Owned(lines.text)
}

/// A text to which the strings of a list are appended.
struct Lines {
    text: String,
    line_join: LineJoin,
    /// The separator between the strings. `None` before the first string is appended.
    between: Option<&'static str>,
}

impl Lines {
    /// Appends the strings of a list. `None` if an item is another value or has an escape with digits.
    fn push_all(&mut self, list: Raw<'_>) -> Option<()> {
        let mut decoded = String::new();
        Scan::new(list.get()).list(|scan| {
            let item = scan.text()?;
            if item.has_escapes {
                decoded.clear();
                item.push_to(&mut decoded)?;
                self.push(&decoded);
            } else {
                self.push(item.raw);
            }
            Some(())
        })
    }

    fn push(&mut self, item: &str) {
        if let Some(between) = self.between {
            self.text.push_str(between);
        } else {
            self.between = Some(self.line_join.between(item));
        }
        self.text.push_str(item);
    }
}

impl<'de> DeserializeSeed<'de> for &mut Lines {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for &mut Lines {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Line(self))?.is_some() {}
        Ok(())
    }
}

struct Line<'t>(&'t mut Lines);

impl<'de> DeserializeSeed<'de> for Line<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Line<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.push(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Raw<'_> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn texts_are_strings_lists_or_json() {
        for (json, expected) in [
            (r#""a\nb""#, "a\nb"),
            (r#"["a\n", "b"]"#, "a\nb"),
            (r"[]", ""),
            (r"null", ""),
            (r#"["a", 1, null]"#, "a1null"),
            (r"12345678901234567890.50", "12345678901234567890.50"),
            (r#"{"b":1,"a":[]}"#, "{\n  \"b\": 1,\n  \"a\": []\n}"),
            (r#""\ud83d!""#, "\u{fffd}\u{fffd}\u{fffd}!"),
            (r#"["a", "\ud83d"]"#, "a\u{fffd}\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(text(raw(json)), expected, "{json}");
        }
    }

    #[test]
    fn lists_before_version_4_have_lines_with_or_without_endings() {
        for (json, expected) in [
            (r#"["a=1", "b=2"]"#, "a=1\nb=2"),
            (r#"["", "", "a", ""]"#, "\n\na\n"),
            (r#"["a\n", "b\n", "c"]"#, "a\nb\nc"),
            (r#"["a\r\n", "b"]"#, "a\r\nb"),
            (r#"["a\u2028", "b\f", "c"]"#, "a\u{2028}b\u{c}c"),
            (r#"["a", "b\n"]"#, "a\nb\n"),
            (r#"["a", 1, "\ud83d"]"#, "a\n1\n\u{fffd}\u{fffd}\u{fffd}"),
            (r#"["a"]"#, "a"),
            (r"[]", ""),
            (r#""a\nb""#, "a\nb"),
        ] {
            assert_eq!(LineJoin::AddLineEnds.text(raw(json)), expected, "{json}");
        }
        assert_eq!(text(raw(r#"["a=1", "b=2"]"#)), "a=1b=2");
    }
}
