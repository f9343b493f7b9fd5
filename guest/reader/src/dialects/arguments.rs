//! Parses the JSON arguments of a tool into the type of its dialect.
//!
//! The errors of Serde do not name the wrong field. So the fields are deserialized one by one,
//! each with its name.

use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason, json_error};
use crate::limits;
use serde::de::value::MapDeserializer;
use serde::de::{
    DeserializeOwned, Deserializer, Error, Expected, IgnoredAny, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Value;
use std::fmt;

/// Parses the arguments of a tool, one JSON object, into `T`.
///
/// # Errors
/// Returns [`Reason::InvalidArgument`] with the name of the wrong argument. The name is
/// `arguments` if the JSON is not an object or is too large.
pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Failure> {
    let all = |message| Failure::new(Reason::InvalidArgument("arguments".to_owned()), message);
    if json.len() > limits::ARGUMENT_BYTES {
        return Err(all(format!(
            "the arguments have {} bytes, more than {}",
            json.len(),
            limits::ARGUMENT_BYTES
        )));
    }
    let fields = match serde_json::from_str(json) {
        Ok(Parsed::Object(fields)) => fields,
        Ok(Parsed::Other(kind)) => {
            return Err(all(format!("the arguments are {kind}, not an object")));
        }
        Err(error) => {
            let message = format!("the arguments are not valid JSON: {}", json_error(&error));
            return Err(all(message).hint("pass one JSON object"));
        }
    };
    let fields = fields
        .into_iter()
        .map(|(name, value)| (name.clone(), Field { name, value }));
    T::deserialize(MapDeserializer::new(fields)).map_err(Failure::from)
}

/// The failure for a wrong argument. `is` completes the sentence "argument `name` …".
pub fn argument_failure(name: &str, is: &str) -> Failure {
    Failure::new(
        Reason::InvalidArgument(name.to_owned()),
        format!("argument `{name}` {is}"),
    )
}

/// A path argument: a string that is not empty, has at most [`limits::PATH_BYTES`] bytes and
/// contains no NUL.
#[derive(Debug, PartialEq, Eq)]
pub struct PathString(pub String);

/// An argument with a path, or with a list of paths, which has at most [`limits::QUERY_BYTES`] bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct PathList(pub String);

/// A whole number of at least `LEAST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count<const LEAST: u64>(pub u64);

/// Accepts a path, or also a list of paths.
struct PathVisitor {
    lists: bool,
}

impl Visitor<'_> for PathVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        let (what, most) = if self.lists && text.contains(';') {
            ("a list of paths", limits::QUERY_BYTES)
        } else {
            ("a path", limits::PATH_BYTES)
        };
        match text {
            "" => Err(E::custom("is empty")),
            text if text.contains('\0') => Err(E::custom("contains a NUL character")),
            text if text.len() > most => Err(E::custom(format_args!(
                "has {} bytes, more than the {most} that {what} may have",
                text.len()
            ))),
            text => Ok(text.to_owned()),
        }
    }
}

impl<'de> Deserialize<'de> for PathString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = PathVisitor { lists: false };
        deserializer.deserialize_string(visitor).map(Self)
    }
}

impl<'de> Deserialize<'de> for PathList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = PathVisitor { lists: true };
        deserializer.deserialize_string(visitor).map(Self)
    }
}

impl<'de, const LEAST: u64> Deserialize<'de> for Count<LEAST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CountVisitor<const LEAST: u64>;
        impl<const LEAST: u64> Visitor<'_> for CountVisitor<LEAST> {
            type Value = Count<LEAST>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number of at least {LEAST}")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Count<LEAST>, E> {
                if number < LEAST {
                    return Err(E::invalid_value(Unexpected::Unsigned(number), &self));
                }
                Ok(Count(number))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Count<LEAST>, E> {
                match u64::try_from(number) {
                    Ok(number) => self.visit_u64(number),
                    Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
                }
            }

            /// Accepts floats without a fraction: `5.0` and `1e30` are whole numbers in JSON
            /// Schema.
            fn visit_f64<E: Error>(self, number: f64) -> Result<Count<LEAST>, E> {
                if number.fract() != 0.0 || number < 0.0 {
                    return Err(E::invalid_value(Unexpected::Float(number), &self));
                }
                self.visit_u64(format!("{:.0}", number.abs()).parse().unwrap_or(u64::MAX))
            }
        }
        deserializer.deserialize_u64(CountVisitor)
    }
}

/// The maximum number of characters shown of an unknown argument name.
const SHOWN_CHARS: usize = 100;

/// The error for a wrong argument.
#[derive(Debug)]
struct Wrong {
    argument: String,
    is: String,
    hint: Option<String>,
}

impl Wrong {
    fn new(argument: &str, is: impl Into<String>) -> Self {
        Self {
            argument: argument.to_owned(),
            is: is.into(),
            hint: None,
        }
    }
}

impl From<Wrong> for Failure {
    fn from(found: Wrong) -> Self {
        let failure = argument_failure(&found.argument, &found.is);
        match found.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "argument `{}` {}", self.argument, self.is)
    }
}

impl std::error::Error for Wrong {}

impl Error for Wrong {
    fn custom<T: fmt::Display>(is: T) -> Self {
        Self::new("", is.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let kind = match found {
            Unexpected::Bool(_) => "a boolean",
            Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
            Unexpected::Str(_) => "a string",
            Unexpected::Seq => "an array",
            Unexpected::Map => "an object",
            _ => "null",
        };
        Self::new("", format!("must be {expected}, not {kind}"))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let value = match found {
            Unexpected::Unsigned(number) => number.to_string(),
            Unexpected::Signed(number) => number.to_string(),
            Unexpected::Float(number) => number.to_string(),
            other => other.to_string(),
        };
        Self::new("", format!("must be {expected}, not {value}"))
    }

    fn unknown_field(name: &str, expected: &'static [&'static str]) -> Self {
        let names: Vec<String> = expected.iter().map(|name| format!("`{name}`")).collect();
        // The name may contain any characters, and be of any length.
        let shown: String = name.chars().take(SHOWN_CHARS).collect();
        Self {
            hint: Some(format!("the arguments are {}", names.join(", "))),
            ..Self::new(&escape_invisible(&shown), "is unknown")
        }
    }

    fn missing_field(name: &'static str) -> Self {
        Self::new(name, "is missing")
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::new(name, "is given twice")
    }
}

/// The JSON of the arguments.
enum Parsed {
    /// An object, as names and values. A name may occur more than once.
    Object(Vec<(String, Value)>),
    /// A value that is not an object. Contains the name of its type, such as `an array`.
    Other(&'static str),
}

impl<'de> Deserialize<'de> for Parsed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ParsedVisitor;
        impl<'de> Visitor<'de> for ParsedVisitor {
            type Value = Parsed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parsed, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Parsed::Object(fields))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Parsed, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Parsed::Other("an array"))
            }

            fn visit_str<E: Error>(self, _: &str) -> Result<Parsed, E> {
                Ok(Parsed::Other("a string"))
            }

            fn visit_u64<E: Error>(self, _: u64) -> Result<Parsed, E> {
                Ok(Parsed::Other("a number"))
            }

            fn visit_i64<E: Error>(self, _: i64) -> Result<Parsed, E> {
                Ok(Parsed::Other("a number"))
            }

            fn visit_f64<E: Error>(self, _: f64) -> Result<Parsed, E> {
                Ok(Parsed::Other("a number"))
            }

            fn visit_bool<E: Error>(self, _: bool) -> Result<Parsed, E> {
                Ok(Parsed::Other("a boolean"))
            }

            fn visit_unit<E: Error>(self) -> Result<Parsed, E> {
                Ok(Parsed::Other("null"))
            }
        }
        deserializer.deserialize_any(ParsedVisitor)
    }
}

/// A deserializer of the value of one argument.
struct Field {
    name: String,
    value: Value,
}

impl IntoDeserializer<'_, Wrong> for Field {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Field {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let Self { name, value } = self;
        let outcome = match value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(_) => Err(Wrong::invalid_type(Unexpected::Seq, &visitor)),
            Value::Object(fields) => {
                let fields = fields.into_iter();
                visitor.visit_map(MapDeserializer::new(fields.map(|(name, value)| {
                    let field = Self {
                        name: name.clone(),
                        value,
                    };
                    (name, field)
                })))
            }
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), _, _) => visitor.visit_u64(number),
                (None, Some(number), _) => visitor.visit_i64(number),
                (None, None, number) => visitor.visit_f64(number.unwrap_or(f64::NAN)),
            },
        };
        outcome.map_err(|wrong: Wrong| Wrong {
            // A field of an object has its own name.
            argument: Some(wrong.argument)
                .filter(|field| !field.is_empty())
                .unwrap_or(name),
            ..wrong
        })
    }

    /// Treats an optional argument with the value `null` as missing: models send every argument if
    /// tool calling is strict.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize, PartialEq, Eq)]
    #[serde(deny_unknown_fields)]
    struct Call {
        path: PathString,
        offset: Option<Count<0>>,
        limit: Option<Count<1>>,
        all: Option<bool>,
    }

    #[test]
    fn correct_arguments_are_parsed() {
        let call: Call = parse(r#"{"path": "a", "offset": 0, "limit": 5.0, "all": true}"#).unwrap();
        assert_eq!(
            call,
            Call {
                path: PathString("a".to_owned()),
                offset: Some(Count(0)),
                limit: Some(Count(5)),
                all: Some(true),
            }
        );
        let call: Call = parse(r#"{"path": "a", "limit": 1e30}"#).unwrap();
        assert_eq!(call.limit, Some(Count(u64::MAX)));
        let call: Call = parse(r#"{"path": "a", "offset": -0}"#).unwrap();
        assert_eq!(call.offset, Some(Count(0)));
    }

    #[test]
    fn null_optional_arguments_are_missing() {
        let call: Call =
            parse(r#"{"path": "a", "offset": null, "limit": null, "all": null}"#).unwrap();
        assert_eq!(call, parse(r#"{"path": "a"}"#).unwrap());
    }

    #[test]
    fn wrong_argument_is_named() {
        for (json, argument, is) in [
            ("{}", "path", "is missing"),
            (r#"{"path": ""}"#, "path", "is empty"),
            (r#"{"path": "a\u0000"}"#, "path", "contains a NUL character"),
            (r#"{"path": 5}"#, "path", "must be a string, not a number"),
            (r#"{"path": null}"#, "path", "must be a string, not null"),
            (
                r#"{"path": ["a"]}"#,
                "path",
                "must be a string, not an array",
            ),
            (r#"{"path": {}}"#, "path", "must be a string, not an object"),
            (r#"{"path": "a", "path": "b"}"#, "path", "is given twice"),
            (r#"{"path": "a", "pages": 1}"#, "pages", "is unknown"),
            (
                "{\"path\": \"a\", \"a\\u001b\": 1}",
                "a⟨U+001B⟩",
                "is unknown",
            ),
            (
                r#"{"path": "a", "offset": -1}"#,
                "offset",
                "must be a whole number of at least 0, not -1",
            ),
            (
                r#"{"path": "a", "limit": 0}"#,
                "limit",
                "must be a whole number of at least 1, not 0",
            ),
            (
                r#"{"path": "a", "limit": -0.0}"#,
                "limit",
                "must be a whole number of at least 1, not 0",
            ),
            (
                r#"{"path": "a", "limit": 1.5}"#,
                "limit",
                "must be a whole number of at least 1, not 1.5",
            ),
            (
                r#"{"path": "a", "limit": -1e30}"#,
                "limit",
                "must be a whole number of at least 1, not -1000000000000000000000000000000",
            ),
            (
                r#"{"path": "a", "limit": "2"}"#,
                "limit",
                "must be a whole number of at least 1, not a string",
            ),
            (
                r#"{"path": "a", "limit": null, "limit": 1}"#,
                "limit",
                "is given twice",
            ),
            (r#"{"path": "a", "pages": null}"#, "pages", "is unknown"),
            (
                r#"{"path": "a", "all": 1}"#,
                "all",
                "must be a boolean, not a number",
            ),
        ] {
            let failure = parse::<Call>(json).unwrap_err();
            assert_eq!(
                failure.reason,
                Reason::InvalidArgument(argument.to_owned()),
                "{json}"
            );
            assert_eq!(
                *failure.message,
                format!("argument `{argument}` {is}"),
                "{json}"
            );
        }
    }

    #[test]
    fn json_that_is_not_an_object_is_refused() {
        let deep = "[".repeat(1000);
        let long = format!("{{\"path\": \"{}\"}}", "x".repeat(10 << 20));
        for json in [
            "", "[]", "[1, [2]]", "null", "5", "-5", "0.5", "true", "\"path\"", "{", "{} {}",
            &deep, &long,
        ] {
            let failure = parse::<Call>(json).unwrap_err();
            assert_eq!(
                failure.reason,
                Reason::InvalidArgument("arguments".to_owned())
            );
        }
    }
}
