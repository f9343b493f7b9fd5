//! The parts of a JSON Feed that are kept in memory. A tree of all values takes many times the
//! memory of the text.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::feed::model::Item;
use crate::limits::{FEED_ITEMS, ITEM_FACTS, JSON_FEED_LEVELS};

/// The members of a feed, an item, an author or an attachment that are kept.
const MEMBERS: &[&str] = &[
    "attachments",
    "author",
    "authors",
    "banner_image",
    "content_html",
    "content_text",
    "date_modified",
    "date_published",
    "description",
    "duration_in_seconds",
    "external_url",
    "feed_url",
    "home_page_url",
    "id",
    "image",
    "language",
    "mime_type",
    "name",
    "next_url",
    "size_in_bytes",
    "summary",
    "tags",
    "title",
    "url",
    "version",
];

/// Reads the name of a member. `None` if it is not one of these names.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().copied().find(|&known| known == name))
    }
}

/// Reads a value with the members that are known, and the first elements of arrays. What is nested
/// deeper than `levels` is empty, so that the recursion is bounded.
#[derive(Clone, Copy)]
pub struct Part {
    levels: usize,
}

impl Part {
    /// Reads a feed without its items, or an item.
    pub fn whole() -> Self {
        Self {
            levels: JSON_FEED_LEVELS,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Part {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Value, A::Error> {
        let mut kept = Vec::new();
        if let Some(levels) = self.levels.checked_sub(1) {
            while kept.len() < ITEM_FACTS {
                match array.next_element_seed(Self { levels })? {
                    Some(value) => kept.push(value),
                    None => return Ok(kept.into()),
                }
            }
        }
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(kept.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(name) = object.next_key_seed(Name(MEMBERS))? {
            match (name, self.levels.checked_sub(1)) {
                (Some(name), Some(levels)) => {
                    let value = object.next_value_seed(Self { levels })?;
                    kept.insert(name.to_owned(), value);
                }
                _ => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(kept.into())
    }
}

/// Reads the items of a feed, one after the other.
pub struct Items<F> {
    /// Makes an item of its value.
    item: F,
    /// The first items.
    pub kept: Vec<Item>,
    /// The number of all items.
    pub count: usize,
}

impl<F: Fn(&Value) -> Item> Items<F> {
    /// Reads items, which `item` makes of their values.
    pub fn new(item: F) -> Self {
        Self {
            item,
            kept: Vec::new(),
            count: 0,
        }
    }
}

impl<'de, F: Fn(&Value) -> Item> DeserializeSeed<'de> for &mut Items<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_map(self)
    }
}

impl<'de, F: Fn(&Value) -> Item> Visitor<'de> for &mut Items<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a feed")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key_seed(Name(&["items"]))? {
            if name.is_some() {
                // Of several members with the same name, the last counts.
                self.kept.clear();
                self.count = 0;
                object.next_value_seed(Array(self))?;
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The array of the items.
struct Array<'a, F>(&'a mut Items<F>);

impl<'de, F: Fn(&Value) -> Item> DeserializeSeed<'de> for Array<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_seq(self)
    }
}

impl<'de, F: Fn(&Value) -> Item> Visitor<'de> for Array<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
        let items = self.0;
        while items.kept.len() < FEED_ITEMS {
            let Some(value) = array.next_element_seed(Part::whole())? else {
                return Ok(());
            };
            items.kept.push((items.item)(&value));
            items.count = items.count.saturating_add(1);
        }
        while array.next_element::<IgnoredAny>()?.is_some() {
            items.count = items.count.saturating_add(1);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> Value {
        let mut json = serde_json::Deserializer::from_str(text);
        Part::whole().deserialize(&mut json).unwrap()
    }

    fn items(text: &str) -> (usize, usize, bool) {
        let mut items = Items::new(|_| Item::default());
        let read = items.deserialize(&mut serde_json::Deserializer::from_str(text));
        (items.kept.len(), items.count, read.is_ok())
    }

    #[test]
    fn unknown_members_are_left_out() {
        let text =
            r#"{"_x":[{"y":1}],"title":"a","authors":[{"name":"b","z":{}}],"id":-1.5,"items":[1]}"#;
        let kept = serde_json::json!({"authors": [{"name": "b"}], "id": -1.5, "title": "a"});
        assert_eq!(part(text), kept);
    }

    #[test]
    fn deep_value_is_cut() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(part(&format!(r#"{{"x":{deep}}}"#)).to_string(), "{}");
        assert_eq!(part(&deep).to_string(), "[[[[]]]]");
    }

    #[test]
    fn long_array_is_cut() {
        let text = format!("[{}1]", "1,".repeat(ITEM_FACTS));
        assert_eq!(part(&text).as_array().map(Vec::len), Some(ITEM_FACTS));
    }

    #[test]
    fn items_beyond_the_limit_are_counted() {
        let text = format!(r#"{{"items":[{}{{}}],"x":1}}"#, "{},".repeat(FEED_ITEMS));
        assert_eq!(items(&text), (FEED_ITEMS, FEED_ITEMS + 1, true));
    }

    #[test]
    fn items_that_are_no_array_are_an_error() {
        assert_eq!(items(r#"{"items":null}"#), (0, 0, false));
    }
}
