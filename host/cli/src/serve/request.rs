//! The requests of the service: one JSON object on each line.

use crate::question::{self, Question};
use omniread::sessions::Handle;
use omniread::{Dialect, Options};
use omniread_service::limits;
use serde_json::{Map, Value};

/// The question about the service. All others are about a session.
const METRICS: &str = "metrics";

/// The method of questions, a label of the metrics.
pub const ASK: &str = "ask";

/// A request.
#[derive(Debug)]
pub enum Request {
    /// Read something, and reply with this id.
    Read(Box<Read>),
    /// Stop the read with this id.
    Cancel(Id),
    /// Reply with the metrics of the service, and this id.
    Metrics(Id),
}

/// A read.
#[derive(Debug)]
pub struct Read {
    /// The id that the client chose.
    pub id: Id,
    /// The dialect of the reply.
    pub dialect: Dialect,
    /// What to read.
    pub what: What,
    /// The options of the read.
    pub options: Options,
    /// The session whose state the read has, if it is not that of the service.
    pub session: Option<Handle>,
    /// The generation of the conversation, as the client names it.
    pub generation: Option<String>,
}

/// What to read.
#[derive(Debug, PartialEq, Eq)]
pub enum What {
    /// This path.
    Path(String),
    /// The tool of the dialect runs with these arguments: a JSON object, as text.
    Arguments(String),
    /// A question about the state of the session.
    Question(Question),
}

impl What {
    /// The method of the request, a label of the metrics.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Path(_) => "path",
            Self::Arguments(_) => "arguments",
            Self::Question(_) => ASK,
        }
    }
}

/// The id of a request: a string or an integer, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Id(String);

/// The reason why a line is not a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The id of the line, if it has a valid one.
    pub id: Option<Id>,
    /// What is wrong.
    pub message: String,
    /// How to correct it.
    pub hint: Option<String>,
}

impl Id {
    /// The id as JSON.
    pub fn as_json(&self) -> &str {
        &self.0
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let text = match value {
            Value::String(_) => value.to_string(),
            // Other numbers lose digits, so that the client would not recognise the id.
            Value::Number(number) if number.is_i64() || number.is_u64() => number.to_string(),
            _ => return Err("`id` is not a string or an integer of at most 64 bits".to_owned()),
        };
        if text.len() > limits::ID_BYTES {
            let most = limits::ID_BYTES;
            return Err(format!("`id` is longer than {most} bytes"));
        }
        Ok(Self(text))
    }
}

impl Request {
    /// Parses a line. `dialect` and `options` apply if the request does not set them.
    ///
    /// # Errors
    /// Fails if the line is not a request.
    pub fn parse(line: &[u8], dialect: Dialect, options: &Options) -> Result<Self, Invalid> {
        let mut fields = match serde_json::from_slice(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Err(Invalid::new(None, "the line is not a JSON object")),
            Err(error) => {
                let message = format!("the line is not JSON: {error}");
                return Err(Invalid::new(None, message)
                    .hint("write each request on one line, as one JSON object"));
            }
        };
        if let Some(id) = fields.remove("cancel") {
            let id = Id::parse(&id)
                .map_err(|message| Invalid::new(None, message.replacen("`id`", "`cancel`", 1)))?;
            return match unknown(&fields) {
                Some(name) => Err(Invalid::field(Some(id), &name)),
                None => Ok(Self::Cancel(id)),
            };
        }
        let id = match fields.remove("id") {
            Some(id) => Id::parse(&id).map_err(|message| Invalid::new(None, message))?,
            None => {
                return Err(Invalid::new(None, "the request has no `id`")
                    .hint("add an `id`, a string or an integer that the reply repeats"));
            }
        };
        if fields.get(ASK).is_some_and(|name| name == METRICS) {
            fields.remove(ASK);
            return match unknown(&fields) {
                Some(name) => Err(Invalid::new(
                    Some(id),
                    format!("`{METRICS}` has no field `{}`", short(&name)),
                )),
                None => Ok(Self::Metrics(id)),
            };
        }
        let invalid = |message: String| Invalid::new(Some(id.clone()), message);
        let dialect = match fields.remove("dialect") {
            None | Some(Value::Null) => dialect,
            Some(Value::String(name)) => Dialect::named(&name).ok_or_else(|| {
                let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
                invalid(format!("`{name}` is not a dialect"))
                    .hint(format!("the dialects are {}", names.join(", ")))
            })?,
            Some(_) => return Err(invalid("`dialect` is not a string".to_owned())),
        };
        let (session, generation) = of_session(&mut fields).map_err(invalid)?;
        let what = match fields.remove(ASK) {
            None | Some(Value::Null) => read(&mut fields),
            Some(Value::String(name)) => ask(&name, &mut fields),
            Some(_) => Err(("`ask` is not a string".to_owned(), None)),
        };
        let what = what.map_err(|(message, hint)| Invalid {
            id: Some(id.clone()),
            message,
            hint,
        })?;
        let mut options = options.clone();
        match fields.remove("options") {
            None | Some(Value::Null) => {}
            Some(Value::Object(values)) => {
                set(&mut options, &values).map_err(|(message, hint)| Invalid {
                    id: Some(id.clone()),
                    message,
                    hint,
                })?;
            }
            Some(_) => return Err(invalid("`options` is not an object".to_owned())),
        }
        if let Some(name) = unknown(&fields) {
            return Err(Invalid::field(Some(id), &name));
        }
        Ok(Self::Read(Box::new(Read {
            id,
            dialect,
            what,
            options,
            session,
            generation,
        })))
    }
}

/// Why a field is wrong, and how to correct it.
type Wrong = (String, Option<String>);

/// The session and the generation of a request. They are removed from its fields.
fn of_session(fields: &mut Map<String, Value>) -> Result<(Option<Handle>, Option<String>), String> {
    let mut text = |name: &str| match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.len() <= limits::ID_BYTES => Ok(Some(text)),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => {
            let most = limits::ID_BYTES;
            Err(format!(
                "`{name}` is not a number or a string of at most {most} bytes"
            ))
        }
    };
    let session = text("session")?
        .map(|name| Handle::of_client(&name))
        .transpose();
    let session = session.map_err(|_| "`session` is not 1 to 128 visible ASCII characters")?;
    Ok((session, text("generation")?))
}

/// What a request reads. The fields are removed.
fn read(fields: &mut Map<String, Value>) -> Result<What, Wrong> {
    let mut given = |name| fields.remove(name).filter(|value| !value.is_null());
    let message = match (given("path"), given("arguments")) {
        (Some(Value::String(path)), None) => return Ok(What::Path(path)),
        (None, Some(arguments @ Value::Object(_))) => {
            return Ok(What::Arguments(arguments.to_string()));
        }
        // Some model APIs pass arguments as text.
        (None, Some(Value::String(arguments))) => return Ok(What::Arguments(arguments)),
        (None, None) => {
            let hint = "add a `path` to read, or the `arguments` of the tool";
            let message = "the request has no `path` and no `arguments`";
            return Err((message.to_owned(), Some(hint.to_owned())));
        }
        (Some(_), Some(_)) => "`path` and `arguments` exclude each other",
        (Some(_), None) => "`path` is not a string",
        (None, Some(_)) => "`arguments` is not an object",
    };
    Err((message.to_owned(), None))
}

/// The question of a request. Its fields are removed.
fn ask(name: &str, fields: &mut Map<String, Value>) -> Result<What, Wrong> {
    match Question::parse(name, fields) {
        Some(question) => Ok(What::Question(question.map_err(|message| (message, None))?)),
        None => Err((
            format!("`{}` is not a question", short(name)),
            Some(format!(
                "`ask` is {}, {METRICS}",
                question::NAMES.join(", ")
            )),
        )),
    }
}

/// Sets options from JSON values: strings, numbers and booleans.
fn set(options: &mut Options, values: &Map<String, Value>) -> Result<(), (String, Option<String>)> {
    for (key, value) in values {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            Value::Null => continue,
            _ => {
                let message = format!("the option `{key}` is not a string, number or boolean");
                return Err((message, None));
            }
        };
        let outcome = options.set(key, &value);
        outcome.map_err(|error| (error.message, error.hint))?;
    }
    Ok(())
}

/// The start of a name, for a message.
fn short(name: &str) -> String {
    let shown: String = name.chars().take(50).collect();
    shown.escape_debug().to_string()
}

/// The name of a field that is not known.
fn unknown(fields: &Map<String, Value>) -> Option<String> {
    fields.keys().next().cloned()
}

impl Invalid {
    /// An error with a message.
    pub fn new(id: Option<Id>, message: impl Into<String>) -> Self {
        Self {
            id,
            message: message.into(),
            hint: None,
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn field(id: Option<Id>, name: &str) -> Self {
        Self::new(
            id,
            format!("`{}` is not a field of a request", short(name)),
        )
        .hint("the fields are id, dialect, path, arguments, options, session, generation and ask, or cancel alone")
    }
}
