//! The few settings that change how a repository is read.

use crate::config_text;
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
    for setting in config_text::entries(text) {
        let value = setting.value.as_deref().unwrap_or("true");
        let is_true = matches!(
            value.to_ascii_lowercase().as_str(),
            "true" | "yes" | "on" | "1"
        );
        match (setting.section.as_str(), setting.key.as_str()) {
            ("extensions", "objectformat") if setting.inner.is_empty() => {
                config.algorithm = match value {
                    "sha1" => Some(Algorithm::Sha1),
                    "sha256" => Some(Algorithm::Sha256),
                    _ => None,
                };
            }
            ("extensions", "refstorage") if setting.inner.is_empty() && value != "files" => {
                config.references = Some(value.to_owned());
            }
            ("extensions", "partialclone") => config.partial = true,
            ("remote", "promisor") if is_true => config.partial = true,
            _ => {}
        }
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_the_syntax_of_git() {
        for (text, algorithm, partial) in [
            ("", Some(Algorithm::Sha1), false),
            (
                "[extensions]\nobjectFormat = sha256 ; a comment",
                Some(Algorithm::Sha256),
                false,
            ),
            (
                "[Extensions] objectformat = \"sha\\\n256\" # continued",
                Some(Algorithm::Sha256),
                false,
            ),
            ("[extensions]\nobjectformat = other", None, false),
            (
                "[extensions \"x\"]\nobjectformat = sha256",
                Some(Algorithm::Sha1),
                false,
            ),
            ("[remote \"o\"]\npromisor", Some(Algorithm::Sha1), true),
            (
                "[remote \"o\"]\npromisor = yes",
                Some(Algorithm::Sha1),
                true,
            ),
            (
                "[remote \"o\"]\npromisor = false",
                Some(Algorithm::Sha1),
                false,
            ),
            ("# [remote \"o\"]\npromisor", Some(Algorithm::Sha1), false),
        ] {
            let config = parse(text);
            assert_eq!(
                (config.algorithm, config.partial),
                (algorithm, partial),
                "{text}"
            );
        }
    }
}
