//! A line as JSON.

use crate::limits;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// A line of a JSON lines file.
pub enum Record<'t> {
    /// An object: its keys and the text of its values.
    Object(Vec<(String, &'t RawValue)>),
    /// Any other value.
    Other(&'t RawValue),
    /// Not JSON.
    Damaged,
}

impl<'de: 't, 't> Deserialize<'de> for Record<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = <&RawValue>::deserialize(deserializer)?;
        if !value.get().starts_with('{') {
            return Ok(Self::Other(value));
        }
        let fields: Fields<'_> = serde_json::from_str(value.get()).map_err(D::Error::custom)?;
        Ok(Self::Object(fields.0))
    }
}

/// The fields of an object, in order.
struct Fields<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Fields<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    let value: &'de RawValue = map.next_value()?;
                    if fields.len() < limits::ROW_VALUES {
                        fields.push((key, value));
                    }
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}
