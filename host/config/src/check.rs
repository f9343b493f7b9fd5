//! Values of a TOML file, checked by the kind of their key.

use crate::error::Finding;
use crate::escape::shown;
use crate::kind::{self, Form, Kind};
use crate::limits::MAX_INTEGER;
use crate::source::Source;
use crate::time::parse_time;
use crate::value::{Header, HeaderSource, Place, Secret, Value};
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::time::Duration;
use toml::Spanned;
use toml::de::DeValue;

/// A value of a file, with its position.
pub(crate) type Raw<'t> = Spanned<DeValue<'t>>;

/// The value of a key.
pub(crate) struct Checked<'c> {
    /// The name of the key, for messages.
    pub(crate) name: &'c str,
    /// The kind of its value.
    pub(crate) kind: &'c Kind,
    /// The file.
    pub(crate) source: &'c Source,
}

/// A wrong value: what is expected. `None` for the kind of the key.
struct Wrong(Option<String>);

impl Checked<'_> {
    /// Converts a value.
    ///
    /// # Errors
    /// Fails with all problems of the value.
    pub(crate) fn value(&self, raw: &Raw<'_>) -> Result<Value, Vec<Finding>> {
        match self.kind {
            Kind::Texts(form) => self.list(raw, |raw| text(raw, *form)).map(Value::Texts),
            Kind::Directories | Kind::Files => {
                self.list(raw, |raw| self.path(raw)).map(Value::Paths)
            }
            Kind::Headers => self.list(raw, |raw| self.header(raw)).map(Value::Headers),
            Kind::Mount => match raw.get_ref() {
                DeValue::Array(_) => self.list(raw, |raw| self.place(raw)),
                _ => self
                    .place(raw)
                    .map(|place| vec![place])
                    .map_err(|wrong| vec![self.finding(raw, &format!("`{}`", self.name), wrong)]),
            }
            .map(Value::Places),
            Kind::Environment => self.environment(raw),
            _ => self
                .scalar(raw)
                .map_err(|wrong| vec![self.finding(raw, &format!("`{}`", self.name), wrong)]),
        }
    }

    fn scalar(&self, raw: &Raw<'_>) -> Result<Value, Wrong> {
        let value = match (self.kind, raw.get_ref()) {
            (Kind::Text(Form::Program), _) => {
                Some(Value::Text(self.program(text(raw, Form::Program)?)?))
            }
            (Kind::Text(form), _) => Some(Value::Text(text(raw, *form)?)),
            (Kind::Directory, _) => Some(Value::Path(self.path(raw)?)),
            (Kind::Time, DeValue::String(text)) => parse_time(text).map(Value::Time),
            (Kind::Time, DeValue::Integer(_)) => {
                let seconds = integer(raw, &(0..=MAX_INTEGER));
                seconds.map(|it| Value::Time(Duration::from_secs(it)))
            }
            (Kind::Size(range), DeValue::String(text)) => kind::size(text)
                .filter(|bytes| range.contains(bytes))
                .map(Value::Number),
            (Kind::Number(range) | Kind::Size(range), _) => integer(raw, range).map(Value::Number),
            (Kind::Switch, DeValue::Boolean(on)) => Some(Value::Switch(*on)),
            (Kind::Switch, DeValue::String(text)) => kind::switch(text).map(Value::Switch),
            _ => None,
        };
        value.ok_or(Wrong(None))
    }

    /// Converts the elements of a list.
    fn list<T>(
        &self,
        raw: &Raw<'_>,
        convert: impl Fn(&Raw<'_>) -> Result<T, Wrong>,
    ) -> Result<Vec<T>, Vec<Finding>> {
        let DeValue::Array(elements) = raw.get_ref() else {
            return Err(vec![self.finding(
                raw,
                &format!("`{}`", self.name),
                Wrong(None),
            )]);
        };
        let mut values = Vec::new();
        let mut findings = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            match convert(element) {
                Ok(value) => values.push(value),
                Err(wrong) => {
                    let subject = format!("element {} of `{}`", index + 1, self.name);
                    findings.push(self.finding(element, &subject, wrong));
                }
            }
        }
        if findings.is_empty() {
            Ok(values)
        } else {
            Err(findings)
        }
    }

    fn path(&self, raw: &Raw<'_>) -> Result<PathBuf, Wrong> {
        let DeValue::String(text) = raw.get_ref() else {
            return Err(Wrong(Some("a path, as a text".to_owned())));
        };
        self.source
            .resolve(text)
            .map_err(|expected| Wrong(Some(expected)))
    }

    /// A program. A relative path starts in the directory of the file, as every other path of it does, and
    /// becomes absolute: a working directory that a file of a workspace could be in must not choose the
    /// program. A name without a separator is left as it is, for `PATH`.
    fn program(&self, text: String) -> Result<String, Wrong> {
        if self.source.is_workspace || !text.contains(std::path::is_separator) {
            return Ok(text);
        }
        let path = self.source.resolve(&text);
        let path = path.map_err(|expected| Wrong(Some(expected)))?;
        let path = std::path::absolute(&path).unwrap_or(path).into_os_string();
        let expected = "an absolute path, because that of this file is not UTF-8";
        path.into_string()
            .map_err(|_| Wrong(Some(expected.to_owned())))
    }

    fn place(&self, raw: &Raw<'_>) -> Result<Place, Wrong> {
        let is_auto = matches!(raw.get_ref(), DeValue::String(text) if text == "auto");
        if is_auto && self.name == "mounts.skill" {
            return Ok(Place::Auto);
        }
        match raw.get_ref() {
            DeValue::String(_) => self.path(raw).map(Place::Directory),
            _ => Err(Wrong(None)),
        }
    }

    fn header(&self, raw: &Raw<'_>) -> Result<Header, Wrong> {
        let DeValue::String(text) = raw.get_ref() else {
            return Err(Wrong(Some(HEADER_FORM.to_owned())));
        };
        let header = text.parse::<Header>();
        let mut header = header.map_err(|_| Wrong(Some(HEADER_FORM.to_owned())))?;
        if let HeaderSource::File(path) = &mut header.source {
            let resolved = path.to_str().map(|text| self.source.resolve(text));
            if let Some(resolved) = resolved {
                *path = resolved.map_err(|expected| Wrong(Some(expected)))?;
            }
        }
        Ok(header)
    }

    fn environment(&self, raw: &Raw<'_>) -> Result<Value, Vec<Finding>> {
        let DeValue::Table(table) = raw.get_ref() else {
            return Err(vec![self.finding(
                raw,
                &format!("`{}`", self.name),
                Wrong(None),
            )]);
        };
        let mut variables = BTreeMap::new();
        let mut findings = Vec::new();
        for (name, value) in table {
            let subject = format!("`{}.{}`", self.name, shown(name.get_ref()));
            let is_name = !name.get_ref().is_empty() && !name.get_ref().contains(['=', '\0']);
            match value.get_ref() {
                DeValue::String(text) if is_name && !text.contains('\0') => {
                    match self.secret(text) {
                        Ok(secret) => {
                            variables.insert(name.get_ref().to_string(), secret);
                        }
                        Err(wrong) => findings.push(self.finding(value, &subject, wrong)),
                    }
                }
                _ => {
                    let expected = "a name with a text";
                    let wrong = Wrong(Some(expected.to_owned()));
                    findings.push(self.finding(value, &subject, wrong));
                }
            }
        }
        if findings.is_empty() {
            Ok(Value::Environment(variables))
        } else {
            Err(findings)
        }
    }

    /// A value, or the place of one. A file is relative to the directory of the configuration file.
    fn secret(&self, text: &str) -> Result<Secret, Wrong> {
        let Some(path) = text.strip_prefix("file:") else {
            return Ok(Secret(text.to_owned()));
        };
        let path = self.source.resolve(path);
        let path = path.map_err(|expected| Wrong(Some(expected)))?;
        Ok(Secret(format!("file:{}", path.display())))
    }

    /// The problem of a wrong value.
    fn finding(&self, raw: &Raw<'_>, subject: &str, wrong: Wrong) -> Finding {
        let expected = wrong.0.unwrap_or_else(|| self.kind.expected());
        let found = described(raw.get_ref(), self.kind.is_secret());
        Finding {
            at: raw.span(),
            key: Some(self.name.to_owned()),
            message: format!("{subject} must be {expected}, not {found}"),
            expected: Some(expected),
            unknown: None,
        }
    }
}

/// A text of a form.
fn text(raw: &Raw<'_>, form: Form) -> Result<String, Wrong> {
    match raw.get_ref() {
        DeValue::String(text) if form.accepts(text) => Ok(text.to_string()),
        _ => Err(Wrong(Some(form.expected()))),
    }
}

/// An integer in a range.
fn integer(raw: &Raw<'_>, range: &RangeInclusive<u64>) -> Option<u64> {
    let DeValue::Integer(integer) = raw.get_ref() else {
        return None;
    };
    let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok()?;
    let is_valid = number <= MAX_INTEGER && range.contains(&number);
    is_valid.then_some(number)
}

/// The form of a header, for messages.
pub(crate) const HEADER_FORM: &str = "`HOST=NAME=file:PATH`, `HOST=NAME=env:VARIABLE` or with a scheme `HOST=Authorization=Bearer env:VARIABLE`, which say where the value is";

/// A value in a message. The text of a secret is left out.
fn described(value: &DeValue<'_>, is_secret: bool) -> String {
    match value {
        DeValue::String(_) if is_secret => "this text".to_owned(),
        DeValue::String(text) => format!("`{}`", shown(text)),
        DeValue::Integer(integer) if integer.radix() == 10 => {
            format!("`{}`", shown(integer.as_str()))
        }
        DeValue::Integer(_) => "this number".to_owned(),
        DeValue::Float(float) => format!("the number `{}` with a fraction", shown(float.as_str())),
        DeValue::Boolean(on) => format!("`{on}`"),
        DeValue::Datetime(_) => "a date or a time of day".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// The position of an empty range at a byte.
pub(crate) fn at(byte: usize) -> Range<usize> {
    byte..byte
}
