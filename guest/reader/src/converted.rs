//! What converters make of a source: text, and what stands after its lines.
//!
//! A converter gives the facts and the list of units first. Text is made a unit at
//! a time, when it is shown, unless making all of it at once is as cheap.

use crate::answer::Facts;
use crate::path::{UnitKind, UnitRange};
use crate::units;
use std::fmt;

/// A source as text.
pub struct Converted {
    /// What is known about the source. Where the text is made by units, the pager
    /// fills in how many there are.
    pub facts: Facts,
    /// An edit of the text is an edit of the source.
    pub editable: bool,
    /// Facts worth a sentence.
    pub notes: Vec<String>,
    /// The text.
    pub text: Conversion,
}

/// The text of a source.
pub enum Conversion {
    /// All that was asked for.
    Made(Unit),
    /// Units that are made when they are shown.
    Units(Box<dyn Units>),
}

/// A source that consists of units.
pub trait Units {
    /// What they are.
    fn kind(&self) -> UnitKind;

    /// How many there are.
    fn count(&self) -> u64;

    /// The key under which facts about the units are kept in the session: it
    /// changes whenever the content does. `None` if it is not known.
    fn key(&self) -> Option<String> {
        None
    }

    /// Makes the unit in a place, counted from 0. One that is damaged has a note
    /// instead of its text; the others do not suffer.
    fn unit(&mut self, place: u64) -> Unit;
}

/// A unit that is asked for and is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoUnit {
    /// What the units are.
    pub kind: UnitKind,
    /// The number that was asked for.
    pub number: u64,
    /// How many there are.
    pub count: u64,
}

impl fmt::Display for NoUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            number,
            count,
        } = self;
        let word = kind.word();
        write!(f, "there is no {word}:{number}: ")?;
        match kind.sources() {
            Some(source) if *count == 0 => write!(f, "the {source} has no {word}s"),
            _ => {
                let last = UnitRange::last_of(*kind, *count);
                write!(f, "the last one is {word}:{last}")
            }
        }
    }
}

/// Why a document cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It is something else, or damaged. Holds what is wrong, as a sentence.
    Unreadable(String),
    /// It has more of something than is converted. Holds of what, as a sentence.
    Large(String),
    /// It has no unit of that number.
    NoUnit(NoUnit),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(words) | Self::Large(words) => f.write_str(words),
            Self::NoUnit(missing) => missing.fmt(f),
        }
    }
}

/// A piece of text that was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Lines with `\n` between them.
    pub text: String,
    /// What stands after its lines, in their order.
    pub attachments: Vec<Attachment>,
    /// Facts worth a sentence.
    pub notes: Vec<String>,
}

impl Unit {
    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let images = self.attachments.iter().map(|one| match &one.what {
            Attached::Image(image) => usize::try_from(image.data.size()).unwrap_or(usize::MAX),
            Attached::Hidden(_) => 0,
        });
        images.fold(self.text.len(), usize::saturating_add)
    }
}

/// What stands after a line of the text and is not a line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Lines of the text before it. An empty one at the end is one of them.
    pub line: u64,
    /// What it is.
    pub what: Attached,
}

/// See [`Attachment`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attached {
    /// Outputs and files that are left out.
    Hidden(Hidden),
    /// An image.
    Image(EmbeddedImage),
}

/// Outputs and files of units that are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// What the units are.
    pub kind: UnitKind,
    /// The numbers of the first and the last of them.
    pub units: (u64, u64),
    /// Outputs.
    pub outputs: usize,
    /// Attached files.
    pub files: usize,
}

impl Hidden {
    /// These and those of later units.
    #[must_use]
    pub fn and(self, later: Self) -> Self {
        Self {
            kind: self.kind,
            units: (self.units.0, later.units.1),
            outputs: self.outputs.saturating_add(later.outputs),
            files: self.files.saturating_add(later.files),
        }
    }
}

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, name: &str| {
            let many = if count == 1 { "" } else { "s" };
            (count > 0).then(|| format!("{} {name}{many}", units::thousands(count as u64)))
        };
        let what = [
            counted(self.outputs, "output"),
            counted(self.files, "attachment"),
        ];
        let what: Vec<String> = what.into_iter().flatten().collect();
        let them = match self.outputs.saturating_add(self.files) {
            1 => "it",
            _ => "them",
        };
        let (first, last) = self.units;
        write!(
            f,
            "[{}; read :{}:{first}",
            what.join(", "),
            self.kind.word()
        )?;
        if last > first {
            write!(f, "-{last}")?;
        }
        write!(f, " to see {them}]")
    }
}

/// An image of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedImage {
    /// What the unit is.
    pub kind: UnitKind,
    /// The number of the unit.
    pub unit: u64,
    /// Its content.
    pub data: ImageData,
}

/// The content of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageData {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// Base64 as it is in the source: line breaks may be in it, and it may be
    /// damaged.
    Base64(String),
    /// The source of an SVG.
    Svg(String),
}

impl ImageData {
    /// About how many bytes it has.
    pub fn size(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Svg(source) => source.len() as u64,
            Self::Base64(base64) => {
                let digit = |byte: &u8| *byte != b'=' && !byte.is_ascii_whitespace();
                let digits = base64.as_bytes().iter().filter(|byte| digit(byte)).count() as u64;
                digits.saturating_mul(3) / 4
            }
        }
    }
}
