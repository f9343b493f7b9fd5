//! A layer: the values of one file, of the command line or of the environment.

use crate::check::HEADER_FORM;
use crate::ignored::Ignored;
use crate::keys::{self, Key, Table};
use crate::kind::{Form, Kind};
use crate::time::parse_time;
use crate::value::{Entry, Origin, Place, Value};
use omniread_options::{parse_size, parse_switch};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The name of a value: the place of its key in the table of keys, and the name that the user chose.
pub(crate) type Name = (usize, Option<String>);

/// The values of one file, of the command line or of the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    pub(crate) entries: BTreeMap<Name, Entry>,
    pub(crate) ignored: Vec<Ignored>,
}

/// A value that a key does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// The key.
    pub key: String,
    /// The kind of value that is valid. `None` if the key is unknown.
    pub expected: Option<String>,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.expected {
            Some(expected) => write!(f, "`{}` must be {expected}", self.key),
            None => write!(f, "there is no key `{}`", self.key),
        }
    }
}

impl std::error::Error for ValueError {}

impl Layer {
    /// Whether the layer has no values.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a key, such as `limits.timeout`.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        // Without files, a process that reads does not make the table of keys.
        if self.entries.is_empty() {
            return None;
        }
        let (key, part) = keys::find(key)?;
        self.entries.get(&(key.position, part))
    }

    /// The entries that are ignored, whatever the other layers have.
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// Sets a key, such as `limits.timeout` or `mounts.docs`. Replaces its value.
    ///
    /// # Errors
    /// Fails if the key is unknown or takes values of another kind.
    pub fn set(&mut self, key: &str, value: Value, origin: Origin) -> Result<(), ValueError> {
        let (known, part) = found(key)?;
        if !fits(&known.kind, &value) {
            return Err(wrong(known, part.as_deref()));
        }
        let name = (known.position, part);
        self.entries.insert(name, Entry { value, origin });
        Ok(())
    }

    /// Adds elements to the list of a key. Its origin is that of the first elements.
    ///
    /// # Errors
    /// Fails if the key is unknown or takes values of another kind.
    pub fn add(&mut self, key: &str, value: Value, origin: Origin) -> Result<(), ValueError> {
        let (known, part) = found(key)?;
        let fits = fits(&known.kind, &value);
        let name = (known.position, part.clone());
        match (self.entries.get_mut(&name).map(|it| &mut it.value), value) {
            _ if !fits => return Err(wrong(known, part.as_deref())),
            (Some(Value::Texts(list)), Value::Texts(more)) => list.extend(more),
            (Some(Value::Paths(list)), Value::Paths(more)) => list.extend(more),
            (Some(Value::Headers(list)), Value::Headers(more)) => list.extend(more),
            (Some(Value::Places(list)), Value::Places(more)) => list.extend(more),
            (_, value) => {
                self.entries.insert(name, Entry { value, origin });
            }
        }
        Ok(())
    }

    /// Sets a key to a value as the command line has it, such as `5s` or `on`. A text is one element of a
    /// list, except in `options`, where commas separate elements.
    ///
    /// # Errors
    /// Fails if the key is unknown or the value is wrong.
    pub fn set_text(&mut self, key: &str, text: &str, origin: Origin) -> Result<(), ValueError> {
        let (known, part) = found(key)?;
        let is_skill = part.as_deref() == Some("skill");
        let value = match &known.kind {
            Kind::Mount if is_skill && text == "auto" => Some(Value::Places(vec![Place::Auto])),
            kind => of_text(kind, text),
        };
        let value = value.ok_or_else(|| wrong(known, part.as_deref()))?;
        self.set(key, value, origin)
    }
}

fn found(key: &str) -> Result<(&'static Key, Option<String>), ValueError> {
    keys::find(key).ok_or_else(|| ValueError {
        key: key.to_owned(),
        expected: None,
    })
}

fn wrong(key: &Key, part: Option<&str>) -> ValueError {
    let expected = match &key.kind {
        Kind::Headers => HEADER_FORM.to_owned(),
        Kind::Texts(form) if key.table != Table::Named("options") => form.expected(),
        kind => kind.expected(),
    };
    ValueError {
        key: key.named(part),
        expected: Some(expected),
    }
}

/// Whether a value is of a kind, and in its range.
fn fits(kind: &Kind, value: &Value) -> bool {
    match (kind, value) {
        (Kind::Text(form), Value::Text(text)) => form.accepts(text),
        (Kind::Texts(form), Value::Texts(texts)) => texts.iter().all(|text| form.accepts(text)),
        (Kind::Number(range) | Kind::Size(range), Value::Number(number)) => range.contains(number),
        (Kind::Directory, Value::Path(_))
        | (Kind::Directories | Kind::Files, Value::Paths(_))
        | (Kind::Time, Value::Time(_))
        | (Kind::Switch, Value::Switch(_))
        | (Kind::Headers, Value::Headers(_))
        | (Kind::Mount, Value::Places(_))
        | (Kind::Environment, Value::Environment(_)) => true,
        _ => false,
    }
}

/// The value that a text of the command line is.
fn of_text(kind: &Kind, text: &str) -> Option<Value> {
    let path = || (!text.is_empty()).then(|| PathBuf::from(text));
    match kind {
        Kind::Text(_) => Some(Value::Text(text.to_owned())),
        Kind::Texts(Form::FileName) => {
            let names = text.split(',').map(str::trim);
            let names = names.filter(|name| !name.is_empty()).map(str::to_owned);
            Some(Value::Texts(names.collect()))
        }
        Kind::Texts(_) => Some(Value::Texts(vec![text.to_owned()])),
        Kind::Directory => path().map(Value::Path),
        Kind::Directories | Kind::Files => path().map(|path| Value::Paths(vec![path])),
        Kind::Time => parse_time(text).map(Value::Time),
        Kind::Number(_) => text.parse().ok().map(Value::Number),
        Kind::Size(_) => parse_size(text).map(Value::Number),
        Kind::Switch => parse_switch(text).map(Value::Switch),
        Kind::Headers => text.parse().ok().map(|header| Value::Headers(vec![header])),
        Kind::Mount => path().map(|path| Value::Places(vec![Place::Directory(path)])),
        Kind::Environment => None,
    }
}
