//! The JSON arguments of a tool, taken one by one.

use crate::failure::{Failure, Reason};
use crate::limits;
use serde_json::{Map, Value};

/// Arguments that have not been taken yet.
pub struct Arguments(Map<String, Value>);

fn wrong(name: &str, message: String) -> Failure {
    Failure::new(Reason::Argument(name.to_owned()), message)
}

impl Arguments {
    /// Parses one JSON object.
    ///
    /// # Errors
    /// [`Reason::Argument`], naming `arguments`, if it is none or too large.
    pub fn parse(json: &str) -> Result<Self, Failure> {
        if json.len() > limits::ARGUMENT_BYTES {
            return Err(wrong(
                "arguments",
                format!(
                    "the arguments have {} bytes, more than {}",
                    json.len(),
                    limits::ARGUMENT_BYTES
                ),
            ));
        }
        match serde_json::from_str(json) {
            Ok(Value::Object(arguments)) => Ok(Self(arguments)),
            Ok(other) => Err(wrong(
                "arguments",
                format!("the arguments are {}, not an object", kind(&other)),
            )),
            Err(error) => Err(wrong(
                "arguments",
                format!("the arguments are no JSON: {error}"),
            )),
        }
    }

    /// Takes a text that must be given.
    ///
    /// # Errors
    /// [`Reason::Argument`] if it is missing, empty or no text.
    pub fn text(&mut self, name: &str) -> Result<String, Failure> {
        match self.0.remove(name) {
            Some(Value::String(text)) if !text.is_empty() => Ok(text),
            Some(Value::String(_)) => Err(wrong(name, format!("argument `{name}` is empty"))),
            Some(other) => Err(wrong(
                name,
                format!("argument `{name}` is {}, not a string", kind(&other)),
            )),
            None => Err(wrong(name, format!("argument `{name}` is missing"))),
        }
    }

    /// Takes a whole number that may be given.
    ///
    /// # Errors
    /// [`Reason::Argument`] if it is less than `least` or no whole number.
    pub fn number(&mut self, name: &str, least: u64) -> Result<Option<u64>, Failure> {
        let Some(value) = self.0.remove(name) else {
            return Ok(None);
        };
        // `5.0` is a whole number in JSON Schema.
        let whole = value.as_u64().or_else(|| {
            let float = value.as_f64()?;
            let text = (float.fract() == 0.0 && float >= 0.0).then(|| format!("{float:.0}"))?;
            text.parse().ok()
        });
        match whole {
            Some(number) if number >= least => Ok(Some(number)),
            _ if value.is_number() => Err(wrong(
                name,
                format!("argument `{name}` is a whole number of at least {least}, not {value}"),
            )),
            _ => Err(wrong(
                name,
                format!("argument `{name}` is {}, not a number", kind(&value)),
            )),
        }
    }

    /// Ends the taking.
    ///
    /// # Errors
    /// [`Reason::Argument`] if there are arguments that nobody took.
    pub fn finish(self, known: &str) -> Result<(), Failure> {
        match self.0.keys().next() {
            Some(name) => Err(wrong(name, format!("there is no argument `{name}`"))
                .hint(format!("the arguments are {known}"))),
            None => Ok(()),
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
