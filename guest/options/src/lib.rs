//! The options of a read: one table that names, parses and explains them.
//!
//! The command line (`--set KEY=VALUE`), the environment (`OMNIREAD_KEY`), the
//! library and the WIT record all reach this record; `--help` prints the table.
//! It is a crate of its own because both sides of the sandbox need it.

use std::fmt;
use std::ops::RangeInclusive;

/// Lines of an open-ended read, unless an option says otherwise: about what a
/// model takes in at a glance, and a tenth of what one page may hold.
pub const DEFAULT_LINES: u32 = 300;

/// Lines of any one page.
pub const MAX_LINES: u32 = 3000;

/// Pixels of the longer side of an image that is shown, unless an option says
/// otherwise: what models look at without making it smaller themselves.
pub const IMAGE_SIDE: u32 = 1568;

/// What that option may be: model APIs refuse whole conversations for more.
pub const IMAGE_SIDES: RangeInclusive<u32> = 64..=8000;

/// Bytes of an image that is shown, unless an option says otherwise: its base64
/// costs context and time.
pub const IMAGE_BYTES: u32 = 500 * 1024;

/// What that option may be: in base64 it stays below the 5 MB that model APIs
/// take.
pub const IMAGE_SIZES: RangeInclusive<u32> = 16 * 1024..=3840 * 1024;

/// Ignore files, unless an option names others: that of the agent whose tool
/// `gemini` stands in for, and that of the tool it descends from.
const IGNORE_FILES: [&str; 2] = [".siiignore", ".geminiignore"];

/// An option that does not exist, or a value that it cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    /// The option as it was typed.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for OptionError {}

/// How images are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageOptions {
    /// Images are described, not shown.
    pub metadata: bool,
    /// Pixels of the longer side of an image that is shown.
    pub side: u32,
    /// Bytes of an image that is shown.
    pub bytes: u32,
}

impl Default for ImageOptions {
    fn default() -> Self {
        Self {
            metadata: false,
            side: IMAGE_SIDE,
            bytes: IMAGE_BYTES,
        }
    }
}

/// How a read behaves where its path leaves that open.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own that users set by name"
)]
pub struct Options {
    /// Lines of an open-ended read.
    pub limit: u32,
    /// Pages have no limit but that of a reply: 8 MiB. For paths, not for arguments.
    pub all: bool,
    /// The lines to read, as in a selector; for paths, not for arguments.
    pub lines: Option<String>,
    /// Editable text carries a tag header and numbered lines.
    pub hashlines: bool,
    /// `N|` before each line where hashlines do not apply.
    pub numbers: bool,
    /// The agent has an edit tool that uses the tags.
    pub edits: bool,
    /// The tag header is written in its older form.
    pub pilcrow: bool,
    /// A single range shows lines around it.
    pub margin: bool,
    /// Long files are answered with an outline.
    pub outlines: bool,
    /// A range shows the declarations that it stands in.
    pub context: bool,
    /// How images are shown.
    pub image: ImageOptions,
    /// `comma` takes absolute paths, not only relative ones.
    pub absolute: bool,
    /// Names of ignore files at the top of a root; what they match is refused
    /// by `gemini`.
    pub ignores: Vec<String>,
    /// The path `-` names standard input.
    pub stdin: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limit: DEFAULT_LINES,
            all: false,
            lines: None,
            hashlines: true,
            numbers: false,
            edits: true,
            pilcrow: false,
            margin: true,
            outlines: true,
            context: false,
            image: ImageOptions::default(),
            absolute: false,
            ignores: IGNORE_FILES.map(str::to_owned).to_vec(),
            stdin: false,
        }
    }
}

/// Options as another record with the same fields, such as the one that bindings
/// generate: `convert!(options => wit::Options, wit::ImageOptions)`.
#[macro_export]
macro_rules! convert {
    ($options:ident => $record:ty, $image:ty) => {{
        type Record = $record;
        type Image = $image;
        Record {
            limit: $options.limit,
            all: $options.all,
            lines: $options.lines,
            hashlines: $options.hashlines,
            numbers: $options.numbers,
            edits: $options.edits,
            pilcrow: $options.pilcrow,
            margin: $options.margin,
            outlines: $options.outlines,
            context: $options.context,
            image: Image {
                metadata: $options.image.metadata,
                side: $options.image.side,
                bytes: $options.image.bytes,
            },
            absolute: $options.absolute,
            ignores: $options.ignores,
            stdin: $options.stdin,
        }
    }};
}

/// Where an option keeps its value.
enum Field {
    Number(fn(&mut Options) -> &mut u32, RangeInclusive<u32>),
    Switch(fn(&mut Options) -> &mut bool),
    Names(fn(&mut Options) -> &mut Vec<String>),
}

/// An option as users name it.
pub struct Setting {
    /// Its key.
    pub key: &'static str,
    /// What it does, its values and its default.
    pub help: &'static str,
    field: Field,
}

/// The options that users set by name. `lines` and `stdin` are not among them: they
/// belong to a path.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "limit",
        help: "lines of an open-ended read, 1 to 3000 [default: 300]",
        field: Field::Number(|o| &mut o.limit, 1..=MAX_LINES),
    },
    Setting {
        key: "all",
        help: "no page limit but that of a reply, 8 MiB; no outlines [default: off]",
        field: Field::Switch(|o| &mut o.all),
    },
    Setting {
        key: "hashlines",
        help: "tag header and `N:` before the lines of editable text [default: on]",
        field: Field::Switch(|o| &mut o.hashlines),
    },
    Setting {
        key: "numbers",
        help: "`N|` before lines that have no `N:` [default: off]",
        field: Field::Switch(|o| &mut o.numbers),
    },
    Setting {
        key: "edits",
        help: "the agent has an edit tool; off leaves `hashlines` out [default: on]",
        field: Field::Switch(|o| &mut o.edits),
    },
    Setting {
        key: "pilcrow",
        help: "write the tag header as `¶PATH#TAG` [default: off]",
        field: Field::Switch(|o| &mut o.pilcrow),
    },
    Setting {
        key: "margin",
        help: "a single range shows one line before it and three after [default: on]",
        field: Field::Switch(|o| &mut o.margin),
    },
    Setting {
        key: "outlines",
        help: "answer long files with an outline [default: on]",
        field: Field::Switch(|o| &mut o.outlines),
    },
    Setting {
        key: "context",
        help: "ranges show the first lines of the declarations that they stand in as well [default: off]",
        field: Field::Switch(|o| &mut o.context),
    },
    Setting {
        key: "image-metadata",
        help: "describe images, do not show them [default: off]",
        field: Field::Switch(|o| &mut o.image.metadata),
    },
    Setting {
        key: "image-side",
        help: "pixels of the longer side of an image that is shown, 64 to 8000 [default: 1568]",
        field: Field::Number(|o| &mut o.image.side, IMAGE_SIDES),
    },
    Setting {
        key: "image-bytes",
        help: "bytes of an image that is shown, 16384 to 3932160 [default: 512000]",
        field: Field::Number(|o| &mut o.image.bytes, IMAGE_SIZES),
    },
    Setting {
        key: "absolute",
        help: "dialect comma takes absolute paths [default: off]",
        field: Field::Switch(|o| &mut o.absolute),
    },
    Setting {
        key: "ignores",
        help: "names of ignore files at the top of a root, with commas between them; dialect gemini refuses what they match [default: .siiignore,.geminiignore]",
        field: Field::Names(|o| &mut o.ignores),
    },
];

impl Options {
    /// Sets one option by its key, in which `-` and `_` are the same.
    ///
    /// # Errors
    /// If the key is unknown or the value wrong.
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
                Ok(number) if range.contains(&number) => *field(self) = number,
                _ => return Err(out_of_range(key, value, range)),
            },
            Field::Switch(field) => match value.to_ascii_lowercase().as_str() {
                "on" | "true" | "yes" | "1" => *field(self) = true,
                "off" | "false" | "no" | "0" => *field(self) = false,
                _ => {
                    return Err(wrong(format!(
                        "option `{key}` is `on` or `off`, not `{value}`"
                    )));
                }
            },
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

    /// Checks numbers that were set in another way.
    ///
    /// # Errors
    /// If one is out of its range.
    pub fn check(&self) -> Result<(), OptionError> {
        let mut options = self.clone();
        for setting in SETTINGS {
            if let Field::Number(field, range) = &setting.field {
                let number = *field(&mut options);
                if !range.contains(&number) {
                    return Err(out_of_range(setting.key, &number.to_string(), range));
                }
            }
        }
        Ok(())
    }

    /// Takes over every `OMNIREAD_KEY` of an environment that names an option, and
    /// returns the other variables with such a name.
    ///
    /// # Errors
    /// As [`Options::set`] for a malformed value.
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

    /// Whether an environment variable sets an option.
    pub fn is_variable(name: &str) -> bool {
        setting(name).is_some()
    }
}

/// The start of the names of environment variables that set options.
const PREFIX: &str = "OMNIREAD_";

/// The setting of an environment variable.
fn setting(variable: &str) -> Option<&'static Setting> {
    let key = variable.strip_prefix(PREFIX)?;
    let key = key.to_ascii_lowercase().replace('_', "-");
    SETTINGS.iter().find(|setting| setting.key == key)
}

fn out_of_range(key: &str, value: &str, range: &RangeInclusive<u32>) -> OptionError {
    let (least, most) = (range.start(), range.end());
    OptionError {
        key: key.to_owned(),
        message: format!("option `{key}` is a number from {least} to {most}, not `{value}`"),
        hint: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_set_by_its_key() {
        for setting in SETTINGS {
            let mut options = Options::default();
            let value = match &setting.field {
                Field::Number(_, range) => range.start().to_string(),
                Field::Names(_) => ".aiexclude".to_owned(),
                Field::Switch(field) => if *field(&mut options) { "off" } else { "on" }.to_owned(),
            };
            let before = options.clone();
            options.set(&setting.key.replace('-', "_"), &value).unwrap();
            assert_ne!(options, before, "{}", setting.key);
        }
    }

    #[test]
    fn wrong_keys_and_values_are_named() {
        let mut options = Options::default();
        for (key, value) in [
            ("colour", "on"),
            ("limit", "0"),
            ("limit", "3001"),
            ("image-side", "8001"),
            ("image-bytes", "0"),
            ("outlines", "maybe"),
            ("ignores", "a,b/c"),
        ] {
            assert_eq!(options.set(key, value).unwrap_err().key, key);
        }
        assert_eq!(options, Options::default());
    }

    #[test]
    fn names_are_separated_by_commas() {
        let mut options = Options::default();
        options.set("ignores", " .a , .b,").unwrap();
        assert_eq!(options.ignores, [".a", ".b"]);
        options.set("ignores", "").unwrap();
        assert!(options.ignores.is_empty());
    }

    #[test]
    fn the_environment_may_hold_other_variables() {
        let mut options = Options::default();
        let others = options.set_from_environment([
            ("OMNIREAD_DIALECT", "claude"),
            ("HOME", "/"),
            ("OMNIREAD_LIMIT", "20"),
        ]);
        assert_eq!(others, Ok(vec!["OMNIREAD_DIALECT"]));
        assert_eq!(options.limit, 20);
    }
}
