//! JSON whose values may be of any type.
//!
//! Values are taken as they stand in the file and looked at when they are shown,
//! so that an image that is not asked for costs no more than finding its end.

use super::pretty::{pretty, string_end};
use crate::limits;
use memchr::{memchr_iter, memrchr};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A string, which is that of the file where no escape is in it.
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

/// What is made of an object.
pub trait FromObject<'de>: Sized {
    /// Takes its fields, of which any may be missing or be there twice.
    fn from_object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error>;
}

/// A value that should be an object or a list.
pub enum Shape<O, L> {
    /// An object.
    Object(O),
    /// A list.
    List(Vec<L>),
    /// No value.
    Null,
    /// Another value, and what it is called.
    Other(&'static str),
}

/// An item of a list that is held.
pub trait Held {
    /// How many of [`limits::NOTEBOOK_VALUES`] it takes.
    fn weight(&self) -> usize;
}

impl Held for &RawValue {
    fn weight(&self) -> usize {
        1
    }
}

impl Held for IgnoredAny {
    fn weight(&self) -> usize {
        0
    }
}

/// There are more values than are held. No other error is about what JSON says
/// instead of how it is written.
fn too_many<E: Error>() -> E {
    E::custom("too many values")
}

impl<'de, O: FromObject<'de>, L: Deserialize<'de> + Held> Deserialize<'de> for Shape<O, L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Shapes(PhantomData))
    }
}

struct Shapes<O, L>(PhantomData<(O, L)>);

impl<'de, O: FromObject<'de>, L: Deserialize<'de> + Held> Visitor<'de> for Shapes<O, L> {
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

/// An object of which nothing is needed.
pub struct Skipped;

impl<'de> FromObject<'de> for Skipped {
    fn from_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self)
    }
}

/// An object with all its fields, in their order.
#[derive(Default)]
pub struct Fields<'j>(pub Vec<(Cow<'j, str>, &'j RawValue)>);

impl<'j> Fields<'j> {
    /// The fields of a value; none if it is no object, or has too many.
    pub fn of(value: &'j RawValue) -> Option<Self> {
        match serde_json::from_str(value.get()) {
            Ok(Shape::<Self, IgnoredAny>::Object(fields)) => Some(fields),
            _ => None,
        }
    }

    /// A field that has a value. Of several that have one name the last counts.
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

/// Does something with each item of a value; tells whether it is a list.
pub fn each<'j>(value: &'j RawValue, with: impl FnMut(&'j RawValue)) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(value.get());
    deserializer.deserialize_seq(Each(with)).is_ok()
}

/// Does something with each item of a list, of which none is held.
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

/// A number that counts something.
pub fn number(value: &RawValue) -> Option<u64> {
    value.get().parse().ok()
}

/// How the strings of a list make up a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// One after another, as in version 4: each has its own line ending.
    #[default]
    Ended,
    /// As in versions 1 to 3: version 2 was written without line endings,
    /// version 3 with or without them. The first string decides for a list, as
    /// in the `nbformat` package.
    Bare,
}

/// The characters at which Python's `splitlines`, which wrote these lists, ends
/// a line and which it left in its place if asked to keep line endings.
const LINE_ENDS: [char; 10] = [
    '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}',
];

impl Lists {
    /// A string, or a list of strings joined; any other value as JSON.
    pub fn text(self, value: &RawValue) -> Cow<'_, str> {
        let json = value.get();
        match json.as_bytes().first() {
            Some(b'"') => string(json),
            Some(b'[') => joined(value, self),
            Some(b'n') => Cow::Borrowed(""),
            _ => pretty(json),
        }
    }

    /// What separates the strings of a list that starts with this one.
    fn between(self, first: &str) -> &'static str {
        match self {
            Self::Bare if !first.ends_with(LINE_ENDS) => "\n",
            Self::Bare | Self::Ended => "",
        }
    }
}

/// A string, or a list of strings one after another; any other value as JSON.
pub fn text(value: &RawValue) -> Cow<'_, str> {
    Lists::Ended.text(value)
}

fn string(json: &str) -> Cow<'_, str> {
    match serde_json::from_str(json) {
        Ok(Text(text)) => text,
        Err(_) => Cow::Owned(halves(json)),
    }
}

/// A string with an escape that is half of a character, which text cannot hold.
fn halves(json: &str) -> String {
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

fn joined(value: &RawValue, lists: Lists) -> Cow<'_, str> {
    // The quotes and commas of a list take more room than line endings do.
    let mut lines = Lines {
        text: String::with_capacity(value.get().len()),
        lists,
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

/// A text that the strings of a list are appended to.
struct Lines {
    text: String,
    lists: Lists,
    /// The separator, known once the first one is there.
    between: Option<&'static str>,
}

impl Lines {
    fn push(&mut self, item: &str) {
        if let Some(between) = self.between {
            self.text.push_str(between);
        } else {
            self.between = Some(self.lists.between(item));
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

/// The name of each number that JSON has no word for, though Python writes it.
const NO_NUMBERS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// The same with such numbers as strings, if there are any.
pub fn with_named_numbers(json: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = json;
    let mut found = false;
    while let Some(at) = rest.find(['"', '-', 'I', 'N']) {
        let (before, token) = rest.split_at_checked(at)?;
        out.push_str(before);
        if let Some(name) = NO_NUMBERS.iter().find(|name| token.starts_with(**name)) {
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
        let (token, behind) = token.split_at_checked(end)?;
        out.push_str(token);
        rest = behind;
    }
    out.push_str(rest);
    found.then_some(out)
}

/// Line and column of the first value that is nested too deep.
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
            assert_eq!(Lists::Bare.text(&raw(json)), expected, "{json}");
        }
        assert_eq!(text(&raw(r#"["a=1", "b=2"]"#)), "a=1b=2");
    }

    #[test]
    fn depth_is_found_outside_of_strings() {
        let deep = |levels: usize| format!("\n{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(too_deep(&deep(limits::JSON_DEPTH)), None);
        let column = limits::JSON_DEPTH + 1;
        assert_eq!(too_deep(&deep(column)), Some((2, column)));
        assert_eq!(too_deep(&format!("\"\\\"{}\"", deep(500))), None);
        assert_eq!(too_deep(&"[],".repeat(1000)), None);
        assert_eq!(too_deep("\"\\"), None);
    }
}
