//! The values of keys, and where they come from.

use crate::escape::escaped;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// A directory.
    Path(PathBuf),
    /// A list of directories or files.
    Paths(Vec<PathBuf>),
    /// A time. 0 means no limit.
    Time(Duration),
    /// A number, or a size in bytes.
    Number(u64),
    /// A switch.
    Switch(bool),
    /// Headers of requests.
    Headers(Vec<Header>),
    /// The directories of a mount, in the order in which they are searched.
    Places(Vec<Place>),
    /// Variables of the environment of a program, or headers of requests.
    Environment(BTreeMap<String, Secret>),
}

impl Value {
    /// The number of elements of a list. 1 for other values.
    pub fn len(&self) -> usize {
        match self {
            Self::Texts(list) => list.len(),
            Self::Paths(list) => list.len(),
            Self::Headers(list) => list.len(),
            Self::Places(list) => list.len(),
            _ => 1,
        }
    }

    /// Whether the value is a list without elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A header for a host, and where its value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The host that the header is sent to.
    pub host: String,
    /// The name of the header.
    pub name: String,
    /// The word before the value, which is the scheme of `Authorization`, such as `Bearer`.
    pub scheme: Option<String>,
    /// Where the value is.
    pub source: HeaderSource,
}

impl FromStr for Header {
    type Err = HeaderError;

    /// Parses `HOST=NAME=file:PATH`, `HOST=NAME=env:VARIABLE` or `HOST=NAME=SCHEME env:VARIABLE`.
    fn from_str(text: &str) -> Result<Self, HeaderError> {
        let (host, rest) = text.split_once('=').ok_or(HeaderError)?;
        let (name, value) = rest.split_once('=').ok_or(HeaderError)?;
        let (before, place) = value.split_once(':').ok_or(HeaderError)?;
        let (scheme, kind) = match before.split_once(' ') {
            Some((scheme, kind)) => (Some(scheme), kind),
            None => (None, before),
        };
        let is_word = |scheme: &str| {
            !scheme.is_empty()
                && scheme
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let is_empty = host.is_empty() || name.is_empty() || place.is_empty();
        if is_empty || text.contains('\0') || !scheme.is_none_or(is_word) {
            return Err(HeaderError);
        }
        let source = match kind {
            "file" => HeaderSource::File(PathBuf::from(place)),
            "env" => HeaderSource::Variable(place.to_owned()),
            _ => return Err(HeaderError),
        };
        Ok(Self {
            host: host.to_owned(),
            name: name.to_owned(),
            scheme: scheme.map(str::to_owned),
            source,
        })
    }
}

/// A text is not a header and where its value is. It is not repeated, because it may contain the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderError;

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "write `HOST=NAME=file:PATH` or `HOST=NAME=env:VARIABLE`, which say where the value is, with a scheme such as `Bearer ` before `file` or `env` if the value needs it",
        )
    }
}

impl std::error::Error for HeaderError {}

/// Where the value of a header is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderSource {
    /// In the first line of a file.
    File(PathBuf),
    /// In an environment variable.
    Variable(String),
}

impl fmt::Display for Header {
    /// Writes the header as `--net-header` takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}=", self.host, self.name)?;
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme} ")?;
        }
        match &self.source {
            HeaderSource::File(path) => write!(f, "file:{}", path.display()),
            HeaderSource::Variable(name) => write!(f, "env:{name}"),
        }
    }
}

/// A directory of a mount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A directory.
    Directory(PathBuf),
    /// The directories where agents keep skills.
    Auto,
}

/// A text that may be a secret. Its debug format does not contain it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An option of the command line, such as `--timeout`.
    Flag(String),
    /// An environment variable.
    Variable(String),
    /// A line of a file.
    File(PathBuf, usize),
    /// The default.
    Default,
}

impl fmt::Display for Origin {
    /// Writes the origin on one line: `--flag`, `OMNIREAD_X`, `FILE:LINE` or `default`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Variable(name) => f.write_str(&escaped(name)),
            Self::File(path, 0) => f.write_str(&escaped(&path.to_string_lossy())),
            Self::File(path, line) => {
                write!(f, "{}:{line}", escaped(&path.to_string_lossy()))
            }
            Self::Default => f.write_str("default"),
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// Where it comes from.
    pub origin: Origin,
}
