//! Sets and checks options by their keys.

use crate::settings::Field;
use crate::{OptionError, Options, SETTINGS, Setting, parse_size, parse_switch};
use std::ops::RangeInclusive;

impl Options {
    /// Sets one option by its key. `-` and `_` are the same in a key.
    ///
    /// # Errors
    /// Fails if the key is unknown or the value is wrong.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        let wrong = |message: String| OptionError {
            key: key.to_owned(),
            message,
            hint: None,
        };
        let name = key.replace('_', "-").to_ascii_lowercase();
        let Some(setting) = SETTINGS.iter().find(|s| s.key == name) else {
            let keys: Vec<_> = SETTINGS.iter().map(|s| s.key).collect();
            return Err(OptionError {
                hint: Some(format!("the options are {}", keys.join(", "))),
                ..wrong(format!("there is no option `{key}`"))
            });
        };
        match &setting.field {
            Field::Number(field, range) => match value.parse() {
                Ok(number) if range.contains(&number) => *field.of(self) = number,
                _ => return Err(out_of_range(key, value, range)),
            },
            Field::Rest(_) if value.is_empty() => self.rest = None,
            Field::Rest(range) => match value.parse() {
                Ok(number) if range.contains(&number) => self.rest = Some(number),
                _ => return Err(out_of_range(key, value, range)),
            },
            Field::Limit(field, range) => match value.parse() {
                Ok(number) if number == 0 || range.contains(&number) => *field.of(self) = number,
                _ => return Err(out_of_range_or_none(key, value, range)),
            },
            Field::Size(field, range) => {
                let bytes = parse_size(value).and_then(|bytes| u32::try_from(bytes).ok());
                match bytes.filter(|bytes| range.contains(bytes)) {
                    Some(bytes) => *field.of(self) = bytes,
                    None => return Err(wrong_size(key, value, range)),
                }
            }
            Field::Switch(field) => match parse_switch(value) {
                Some(on) => *field(self) = on,
                None => {
                    return Err(wrong(format!(
                        "option `{key}` is `on` or `off`, not `{value}`"
                    )));
                }
            },
            Field::Address(field) => {
                let address = value.trim().trim_end_matches('/');
                let is_address = ["https://", "http://"].iter().any(|scheme| {
                    let host = address.strip_prefix(scheme);
                    host.is_some_and(|host| {
                        let is_free = |c: char| !c.is_whitespace() && !"@?#".contains(c);
                        !host.is_empty() && !host.starts_with('/') && host.chars().all(is_free)
                    })
                });
                if !is_address && !address.is_empty() {
                    return Err(wrong(format!(
                        "option `{key}` is an address such as `https://github.example.com/api/v3`, not `{value}`"
                    )));
                }
                *field(self) = is_address.then(|| address.to_owned());
            }
            Field::Names(field) => {
                let names = value.split(',').map(str::trim);
                let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
                if let Some(path) = names.iter().find(|name| name.contains(['/', '\0'])) {
                    return Err(wrong(format!(
                        "option `{key}` takes names of files, not the path `{path}`"
                    )));
                }
                *field(self) = names.into_iter().map(str::to_owned).collect();
            }
        }
        Ok(())
    }

    /// Checks that all numbers are in their ranges. Options that were set by [`Options::set`] need
    /// no check.
    ///
    /// # Errors
    /// Fails if a number is out of its range.
    pub fn check(&self) -> Result<(), OptionError> {
        let mut options = self.clone();
        for setting in SETTINGS {
            let (field, range) = match &setting.field {
                Field::Number(field, range) | Field::Size(field, range) => (field, range),
                Field::Limit(field, range) => {
                    let number = *field.of(&mut options);
                    if number != 0 && !range.contains(&number) {
                        let number = number.to_string();
                        return Err(out_of_range_or_none(setting.key, &number, range));
                    }
                    continue;
                }
                Field::Rest(range) => {
                    if let Some(number) = options.rest.filter(|it| !range.contains(it)) {
                        return Err(out_of_range(setting.key, &number.to_string(), range));
                    }
                    continue;
                }
                Field::Switch(_) | Field::Names(_) | Field::Address(_) => continue,
            };
            let number = *field.of(&mut options);
            if !range.contains(&number) {
                return Err(out_of_range(setting.key, &number.to_string(), range));
            }
        }
        Ok(())
    }

    /// Sets the option `KEY` for each environment variable `OMNIREAD_KEY`. Returns the names of the
    /// other variables that start with `OMNIREAD_`.
    ///
    /// # Errors
    /// Fails if a value is wrong.
    pub fn set_from_environment<'a>(
        &mut self,
        variables: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Vec<&'a str>, OptionError> {
        let mut others = Vec::new();
        for (name, value) in variables {
            match setting(name) {
                Some(setting) => self.set(setting.key, value)?,
                None if name.starts_with(PREFIX) => others.push(name),
                None => {}
            }
        }
        Ok(others)
    }

    /// Whether the environment variable `name` sets an option.
    pub fn is_variable(name: &str) -> bool {
        setting(name).is_some()
    }
}

/// The prefix of the environment variables that set options.
const PREFIX: &str = "OMNIREAD_";

/// The option that an environment variable sets. `None` if it sets no option.
fn setting(variable: &str) -> Option<&'static Setting> {
    let key = variable.strip_prefix(PREFIX)?;
    let key = key.to_ascii_lowercase().replace('_', "-");
    SETTINGS.iter().find(|setting| setting.key == key)
}

fn out_of_range(key: &str, value: &str, range: &RangeInclusive<u32>) -> OptionError {
    let (least, most) = (range.start(), range.end());
    OptionError {
        key: key.to_owned(),
        message: format!("option `{key}` must be a number from {least} to {most}, not `{value}`"),
        hint: None,
    }
}

fn out_of_range_or_none(key: &str, value: &str, range: &RangeInclusive<u32>) -> OptionError {
    let (least, most) = (range.start(), range.end());
    OptionError {
        key: key.to_owned(),
        message: format!(
            "option `{key}` must be a number from {least} to {most}, or 0 for no limit, not `{value}`"
        ),
        hint: None,
    }
}

fn wrong_size(key: &str, value: &str, range: &RangeInclusive<u32>) -> OptionError {
    let (least, most) = (range.start(), range.end());
    OptionError {
        key: key.to_owned(),
        message: format!(
            "option `{key}` must be a size from {least} to {most} bytes, not `{value}`"
        ),
        hint: Some("write a number of bytes, or a number with K or M, such as 256K".to_owned()),
    }
}
