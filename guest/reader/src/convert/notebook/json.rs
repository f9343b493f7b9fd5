//! JSON whose values may be of any type.
//!
//! Values stay unparsed until they are shown. An image that was not requested costs only
//! the search for its end.

use crate::convert::pretty::{pretty, string_end};
use crate::limits;
use memchr::{memchr_iter, memrchr};
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

impl Weighted for &RawValue {
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
pub struct Fields<'j>(pub Vec<(Cow<'j, str>, &'j RawValue)>);

impl<'j> Fields<'j> {
    /// The fields of a value. `None` if the value is not an object, or has too many
    /// fields.
    pub fn of(value: &'j RawValue) -> Option<Self> {
        match serde_json::from_str(value.get()) {
            Ok(Shape::<Self, IgnoredAny>::Object(fields)) => Some(fields),
            _ => None,
        }
    }

    /// The value of the field `name`. `None` if the field is missing or `null`. If several fields
    /// have this name, the last is used.
    pub fn get(&self, name: &str) -> Option<&'j RawValue> {
        let mut fields = self.0.iter().rev();
        let (_, value) = fields.find(|(field, _)| field == name)?;
        Some(*value).filter(|value| !is_null(value))
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
pub fn each<'j>(value: &'j RawValue, with: impl FnMut(&'j RawValue)) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(value.get());
    deserializer.deserialize_seq(Each(with)).is_ok()
}

/// A visitor that calls a function for each item of a list and stores no items.
struct Each<F>(F);

impl<'de, F: FnMut(&'de RawValue)> Visitor<'de> for Each<F> {
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
pub fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

/// The value as a non-negative integer. `None` if it is not such a number.
pub fn number(value: &RawValue) -> Option<u64> {
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
    pub fn text(self, value: &RawValue) -> Cow<'_, str> {
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
pub fn text(value: &RawValue) -> Cow<'_, str> {
    LineJoin::Concatenate.text(value)
}

fn string(json: &str) -> Cow<'_, str> {
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

fn joined(value: &RawValue, line_join: LineJoin) -> Cow<'_, str> {
    // The quotes and commas of a list take more bytes than the line endings.
    let mut lines = Lines {
        text: String::with_capacity(value.get().len()),
        line_join,
        between: None,
    };
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

/// The numbers that Python writes to JSON although JSON does not allow them.
const NON_FINITE: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// Replaces the numbers `-Infinity`, `Infinity` and `NaN`, which JSON does not allow, by strings.
/// `None` if `json` contains no such number.
pub fn with_named_numbers(json: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = json;
    let mut found = false;
    while let Some(at) = rest.find(['"', '-', 'I', 'N']) {
        let (before, token) = rest.split_at_checked(at)?;
        out.push_str(before);
        if let Some(name) = NON_FINITE.iter().find(|name| token.starts_with(**name)) {
            found = true;
            out.push_str(&format!("\"{name}\""));
            rest = token.get(name.len()..)?;
            continue;
        }
        let end = if token.starts_with('"') {
            string_end(token)?
        } else {
            1
        };
        let (token, after) = token.split_at_checked(end)?;
        out.push_str(token);
        rest = after;
    }
    out.push_str(rest);
    found.then_some(out)
}

/// The line and the column in bytes, both counted from 1, of the first value that is nested too
/// deep. `None` if there is no such value.
pub fn too_deep(json: &str) -> Option<(usize, usize)> {
    let mut depth = 0usize;
    let mut at = 0usize;
    loop {
        let rest = json.as_bytes().get(at..)?;
        let found = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'[' | b']' | b'{' | b'}'))?;
        at = at.checked_add(found)?;
        let token = rest.get(found)?;
        match token {
            b'"' => at = at.checked_add(string_end(json.get(at..)?)?)?,
            _ => at = at.checked_add(1)?,
        }
        match token {
            b'[' | b'{' => depth = depth.saturating_add(1),
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limits::JSON_DEPTH {
            let before = json.as_bytes().get(..at)?;
            let line = memchr_iter(b'\n', before).count();
            let start = memrchr(b'\n', before).map_or(0, |end| end.saturating_add(1));
            return Some((line.saturating_add(1), at.saturating_sub(start)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
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
            assert_eq!(text(&raw(json)), expected, "{json}");
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
            assert_eq!(LineJoin::AddLineEnds.text(&raw(json)), expected, "{json}");
        }
        assert_eq!(text(&raw(r#"["a=1", "b=2"]"#)), "a=1b=2");
    }

    #[test]
    fn too_deep_ignores_brackets_in_strings() {
        let deep = |levels: usize| format!("\n{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(too_deep(&deep(limits::JSON_DEPTH)), None);
        let column = limits::JSON_DEPTH + 1;
        assert_eq!(too_deep(&deep(column)), Some((2, column)));
        assert_eq!(too_deep(&format!("\"\\\"{}\"", deep(500))), None);
        assert_eq!(too_deep(&"[],".repeat(1000)), None);
        assert_eq!(too_deep("\"\\"), None);
    }
}
