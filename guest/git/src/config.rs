//! The few settings that change how a repository is read.

use crate::id::Algorithm;

/// The settings of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The hash of ids. `None` if it is another one than those that are known.
    pub algorithm: Option<Algorithm>,
    /// The format of references other than files: `reftable`.
    pub references: Option<String>,
    /// Whether objects may be missing, because they are fetched when they are needed.
    pub partial: bool,
}

/// Reads the settings in the text of a file `config`. Lines that are not valid are ignored, as they change nothing
/// here.
pub fn parse(text: &str) -> Config {
    let mut config = Config {
        algorithm: Some(Algorithm::Sha1),
        ..Config::default()
    };
    let mut section = String::new();
    for line in text.lines() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            let name = header.split([']', ' ', '"']).next().unwrap_or_default();
            section = name.to_ascii_lowercase();
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, "true"));
        let value = value.split(['#', ';']).next().unwrap_or_default();
        let value = value.trim().trim_matches('"');
        match (section.as_str(), key.trim().to_ascii_lowercase().as_str()) {
            ("extensions", "objectformat") => {
                config.algorithm = match value {
                    "sha1" => Some(Algorithm::Sha1),
                    "sha256" => Some(Algorithm::Sha256),
                    _ => None,
                };
            }
            ("extensions", "refstorage") if value != "files" => {
                config.references = Some(value.to_owned());
            }
            ("extensions", "partialclone") => config.partial = true,
            ("remote", "promisor") if value == "true" => config.partial = true,
            _ => {}
        }
    }
    config
}
