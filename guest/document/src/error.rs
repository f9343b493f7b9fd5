//! Why a document cannot be read.

use std::fmt;

/// The reason why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The document is encrypted, and the password is missing or wrong.
    Encrypted,
    /// The document is damaged, or has another format. Contains what is wrong.
    Damaged(String),
    /// The document uses a feature that is not supported. Contains its name.
    Unsupported(String),
    /// A limit was exceeded. Contains its name: `memory`, `time`, `bytes`, …
    Exhausted(String),
    /// The file cannot be read. Contains the reason.
    Io(String),
    /// The engine failed. Contains the reason. No converter returns it.
    Failed(String),
    /// The component draws no pages. Contains the name of the file of the component that does.
    Missing(String),
}

impl Error {
    /// The error that a limit was exceeded, by the name of the limit.
    pub fn exhausted(limit: &str) -> Self {
        Self::Exhausted(limit.to_owned())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encrypted => f.write_str("it is encrypted, and the password is missing or wrong"),
            Self::Damaged(what) => write!(f, "it is damaged: {what}"),
            Self::Unsupported(what) => write!(f, "it uses {what}, which is not supported"),
            Self::Exhausted(what) => write!(f, "it exceeds the limit `{what}`"),
            Self::Io(why) => f.write_str(why),
            Self::Failed(why) => write!(f, "the document engine failed: {why}"),
            Self::Missing(file) => {
                write!(f, "this component draws no pages; use `{file}`")
            }
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_document_or_the_component() {
        let limit = Error::exhausted("bytes");
        assert_eq!(limit, Error::Exhausted("bytes".to_owned()));
        assert_eq!(limit.to_string(), "it exceeds the limit `bytes`");
        let feature = Error::Unsupported("a handler of its own".to_owned());
        assert_eq!(
            feature.to_string(),
            "it uses a handler of its own, which is not supported"
        );
        let missing = Error::Missing("omniread-full.wasm".to_owned());
        assert_eq!(
            missing.to_string(),
            "this component draws no pages; use `omniread-full.wasm`"
        );
    }
}
