//! What a read found, before a dialect puts it into words.

use crate::encoding::Encoding;
use crate::path::{Selector, escape, escape_with};
use crate::window::{Page, Total, Window};
use crate::world::Stat;

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// There is no line ending in what was examined.
    None,
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// Both.
    Mixed,
    /// Only `\r`, which is no line ending here.
    Cr,
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
    /// The path without selector: relative to the first root, or absolute.
    pub path: String,
    /// The absolute path of what was opened.
    pub resolved: String,
    /// What the filesystem says of it; `None` for a stream.
    pub stat: Option<Stat>,
    /// Set if the path was repaired.
    pub repair: Option<Repair>,
}

impl Subject {
    /// The path in the escape form, where it needs that.
    pub fn name(&self) -> String {
        match self.stat {
            Some(_) => escape(&self.path),
            // Standard input is `-`, and no file.
            None => self.path.clone(),
        }
    }

    /// The path with a selector.
    pub fn with(&self, selector: &Selector) -> String {
        match self.stat {
            Some(_) => escape_with(&self.path, selector),
            None => format!("{}:{selector}", self.path),
        }
    }
}

/// A page of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// What was asked for.
    pub window: Window,
    /// What is shown of it.
    pub page: Page,
    /// Its encoding.
    pub encoding: Encoding,
    /// How its lines end.
    pub ending: Ending,
    /// The hashline tag, if the text can be edited by it.
    pub tag: Option<String>,
}

/// A page of a directory listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// What was asked for.
    pub window: Window,
    /// What is shown of it.
    pub page: Page,
    /// Entries of the directory itself.
    pub entries: Total,
    /// Entries of it that are listed.
    pub listed: u64,
    /// Entries that deny rules kept out.
    pub withheld: u64,
}

/// A file that is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// Its format, such as `PNG image`.
    pub format: String,
    /// Its first bytes as offsets, hex digits and characters.
    pub hex: String,
}

/// What a read found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Text.
    Text(Text),
    /// A directory.
    Listing(Listing),
    /// Neither.
    Binary(Binary),
}

/// The answer to a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was read.
    pub subject: Subject,
    /// What was found.
    pub body: Body,
    /// Facts worth a sentence: encodings, repairs, damage.
    pub notes: Vec<String>,
}

impl Answer {
    /// The page, if there is one.
    pub fn page(&self) -> Option<&Page> {
        match &self.body {
            Body::Text(text) => Some(&text.page),
            Body::Listing(listing) => Some(&listing.page),
            Body::Binary(_) => None,
        }
    }

    /// The path that shows what follows.
    pub fn next(&self) -> Option<String> {
        Some(self.subject.with(self.page()?.rest.as_ref()?))
    }
}
