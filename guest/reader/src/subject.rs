//! What a path leads to: where it is, what is known of it, and how to write it
//! again as a path.

use crate::path::{Selector, as_file, ends_in, escape_all, is_escaped};
use crate::place::Place;
use crate::world::Info;
use std::borrow::Cow;

/// Where the bytes of a read come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file or directory of a root, by its name: symlinks are not followed in
    /// it.
    File(Place),
    /// Standard input.
    Stdin,
    /// The body that a web address answered with.
    Url,
    /// A resource of the agent, such as `skill://name`. Holds the file that an
    /// edit tool may change, if there is one.
    Resource(Option<Place>),
}

impl Origin {
    /// The file that an edit tool may change.
    pub fn file(&self) -> Option<&Place> {
        match self {
            Self::File(place) | Self::Resource(Some(place)) => Some(place),
            Self::Stdin | Self::Url | Self::Resource(None) => None,
        }
    }
}

/// A step from a file to what it contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A member of an archive; the name of a directory ends in a slash.
    Member(String),
    /// A table of a database, or the key of a row in it.
    Table(String),
}

impl Step {
    /// Its name, as it is written in a path.
    pub fn name(&self) -> &str {
        match self {
            Self::Member(name) | Self::Table(name) => name,
        }
    }
}

/// How a missing path was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The path that was asked for.
    pub from: String,
    /// The path that was read instead.
    pub to: String,
    /// In what way.
    pub how: How,
}

/// In what way a missing path was repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is the end of exactly one path.
    Suffix,
    /// Exactly one name looks the same.
    Lookalike,
}

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The name as it was typed, without selector.
    pub typed: String,
    /// The path without selector: relative to the first root, or absolute.
    pub path: String,
    /// The absolute path of what was opened.
    pub resolved: String,
    /// Where its bytes come from.
    pub origin: Origin,
    /// What is known of the file, or of the member of it that is read.
    pub info: Info,
    /// How it is compressed, if its decompressed content is read.
    pub compression: Option<&'static str>,
    /// The steps from the file to what is read.
    pub inside: Vec<Step>,
    /// What is shown is the root of an archive.
    pub root: bool,
    /// Set if the path was repaired.
    pub repair: Option<Repair>,
}

/// Whether an address ends with its server: `https://example.com:8080`.
fn is_bare_server(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    !rest.contains(['/', '?', '#'])
}

/// Endings of names of compressed files.
const COMPRESSED: [&str; 5] = ["gz", "bz2", "xz", "zst", "lzma"];

impl Subject {
    /// Standard input, which the path `-` names.
    pub fn stdin() -> Self {
        Self::remote("-", "-".to_owned(), Origin::Stdin, Info::default())
    }

    /// What is not a file of a root, by the name that was typed and the name of what
    /// answered.
    pub fn remote(typed: &str, resolved: String, origin: Origin, info: Info) -> Self {
        Self {
            typed: typed.to_owned(),
            path: typed.to_owned(),
            resolved,
            origin,
            info,
            compression: None,
            inside: Vec::new(),
            root: false,
            repair: None,
        }
    }

    /// Whether it is all of what the path names, with nothing unpacked.
    pub fn is_whole(&self) -> bool {
        self.compression.is_none() && self.inside.is_empty()
    }

    /// Whether an edit of what is shown is an edit of the file.
    pub fn editable(&self) -> bool {
        self.origin.file().is_some() && self.is_whole()
    }

    /// Bytes of what is shown, as its source reports them.
    pub fn bytes(&self) -> Option<u64> {
        let plain = self.compression.is_none();
        self.info.size.filter(|_| plain)
    }

    /// The member or table that the path leads to.
    pub fn last_step(&self) -> Option<&str> {
        self.inside.last().map(Step::name)
    }

    /// The name of what is read, without the ending of its compression.
    pub fn inner_name(&self) -> &str {
        let name = self.last_step().unwrap_or(&self.path);
        match name.rsplit_once('.') {
            Some((inner, _)) if self.compression.is_some() && ends_in(name, &COMPRESSED) => inner,
            _ => name,
        }
    }

    /// The path with its members, as it is shown.
    pub fn shown(&self) -> String {
        self.parts(self.path.as_str().into()).join(":")
    }

    /// The same as an absolute path.
    pub fn absolute(&self) -> String {
        self.parts(self.resolved.as_str().into()).join(":")
    }

    fn parts<'s>(&'s self, path: Cow<'s, str>) -> Vec<Cow<'s, str>> {
        let steps = self.inside.iter().map(|step| step.name().into());
        std::iter::once(path).chain(steps).collect()
    }

    /// The path in the escape form, where it needs that.
    pub fn name(&self) -> String {
        self.written(&self.path, None, false)
    }

    /// The path of a member of this.
    pub fn inside(&self, member: &str) -> String {
        self.written(self.asked(), Some(member), false)
    }

    /// The path without a selector, which reads all of it.
    pub fn whole(&self) -> String {
        self.written(self.asked(), None, false)
    }

    /// The path up to the colon before a selector.
    pub fn before_selector(&self) -> String {
        // A member could be called like the selector.
        let root = self.root.then_some("/");
        self.written(self.asked(), root, true)
    }

    /// The path with a selector.
    pub fn with(&self, selector: &Selector) -> String {
        format!("{}:{selector}", self.before_selector())
    }

    /// The path of what is asked of this database, or of a table of it: a text
    /// from its question mark on.
    pub fn asking(&self, table: Option<&str>, query: &str) -> String {
        let path = self.written(self.asked(), table, true);
        // In escape form a colon ends the name of a file.
        let colon = if is_escaped(&path) && table.is_none() {
            ":"
        } else {
            ""
        };
        format!("{path}{colon}{query}")
    }

    /// A path of this so that it is read again; `more` tells that something
    /// follows.
    fn written(&self, path: &str, member: Option<&str>, more: bool) -> String {
        let file = match self.origin {
            Origin::File(_) => as_file(path),
            // Their names are no names of files.
            Origin::Stdin | Origin::Url | Origin::Resource(_) => path.into(),
        };
        let mut parts = self.parts(file);
        parts.extend(member.map(Cow::from));
        // The escape form is one of files.
        if matches!(self.origin, Origin::Url | Origin::Resource(_)) {
            let followed = more || parts.len() > 1;
            if let Some(url) = parts.first_mut()
                && self.origin == Origin::Url
                && followed
                && is_bare_server(url)
            {
                // A number after it would be a port.
                url.to_mut().push('/');
            }
            return parts.join(":");
        }
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        escape_all(&parts, more)
    }

    /// The path by the kind that was typed: absolute if that is, since some
    /// tools take nothing else.
    fn asked(&self) -> &str {
        if self.repair.is_none() && self.typed.starts_with('/') {
            &self.resolved
        } else {
            &self.path
        }
    }
}
