//! What bytes are: one table of first bytes, and one [`sniff`] for all of it.
//!
//! ```text
//! mod          Kind and Container, and the order in which they are looked for
//! image        formats of images
//! unreadable   archives that other programs read
//! documents    formats that are converted to text
//! other        formats that have a name and no reader
//! ```
//!
//! The first bytes decide. A name decides only where the content does not: a
//! Jupyter notebook is JSON, and a Targa image has no magic number.

mod documents;
mod image;
mod other;
mod unreadable;

pub use documents::Document;
pub use image::{ImageFormat, MediaFormat, PDF};
pub use unreadable::Unreadable;

use crate::containers::archive::Format;
use crate::containers::inflate::Compression;
use crate::encoding::{self, Encoding};
use crate::pages::Input;
use crate::path::ends_in;

/// What is known of a source apart from its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// Its name, without the extension of a compression.
    pub name: &'a str,
    /// The MIME type that its server reports.
    pub mime: Option<&'a str>,
    /// The character set that its server reports.
    pub charset: Option<&'a str>,
}

/// A source that contains others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// One compressed stream.
    Compressed(Compression),
    /// An archive.
    Archive(Format),
    /// A SQLite database.
    Database,
    /// An archive that has no reader here.
    Unreadable(&'static Unreadable),
}

/// The first bytes of a SQLite database ("Database File Format", chapter 1.3).
const SQLITE: &[u8] = b"SQLite format 3\0";

impl Container {
    /// The container that the first bytes belong to.
    pub fn of(head: &[u8]) -> Option<Self> {
        if let Some(compression) = Compression::of(head) {
            return Some(Self::Compressed(compression));
        }
        if is_database(head) {
            return Some(Self::Database);
        }
        // An unreadable format may look like a tar archive, never the reverse.
        if let Some(unreadable) = Unreadable::of(head) {
            return Some(Self::Unreadable(unreadable));
        }
        Format::of(head).map(Self::Archive)
    }

    /// Its name in a sentence.
    pub fn name(self) -> String {
        match self {
            Self::Compressed(compression) => format!("{} data", compression.name()),
            Self::Archive(format) => format.name().to_owned(),
            Self::Database => "SQLite database".to_owned(),
            Self::Unreadable(unreadable) => unreadable.name.to_owned(),
        }
    }

    /// Whether its content can be read here.
    pub fn is_readable(self) -> bool {
        !matches!(self, Self::Unreadable(_))
    }
}

/// Whether the first bytes are those of a SQLite database.
pub fn is_database(head: &[u8]) -> bool {
    head.starts_with(SQLITE)
}

/// Whether a file is named like a SQLite database.
pub fn is_named_database(name: &str) -> bool {
    ends_in(name, &["db", "db3", "s3db", "sl3", "sqlite", "sqlite3"])
}

/// What a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It contains others.
    Container(Container),
    /// An image.
    Image(&'static ImageFormat),
    /// An image that is written as text, such as SVG.
    Drawing(&'static ImageFormat),
    /// A PDF document.
    Pdf,
    /// A document that is converted to text.
    Document(Document),
    /// Text.
    Text,
    /// Anything else.
    Other,
}

/// The result of [`sniff`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sniffed {
    /// What the source is.
    pub kind: Kind,
    /// Its encoding, if its bytes can be read as text, whatever its kind is.
    pub encoding: Option<Encoding>,
}

/// Finds out what a source is. `size` is its size, if that is known, and
/// `container` what its first bytes were already found to be.
pub fn sniff(
    input: &mut Input<'_>,
    size: Option<u64>,
    container: Option<Container>,
    hints: Hints<'_>,
) -> Sniffed {
    let labelled = hints
        .charset
        .and_then(|label| encoding::of_label(label, input.head()));
    let encoding = labelled.or_else(|| encoding::detect(input, size, is_known));
    let kind = match container {
        Some(container) => Kind::Container(container),
        None => kind(input.head(), encoding, hints),
    };
    Sniffed { kind, encoding }
}

fn kind(head: &[u8], encoding: Option<Encoding>, hints: Hints<'_>) -> Kind {
    if is_pdf(head) {
        return Kind::Pdf;
    }
    if let Some(format) = ImageFormat::of(head, encoding.is_none(), hints.name) {
        return Kind::Image(format);
    }
    let Some(encoding) = encoding else {
        return Kind::Other;
    };
    if let Some(format) = ImageFormat::of_text(head, encoding) {
        return Kind::Drawing(format);
    }
    Document::of_text(hints).map_or(Kind::Text, Kind::Document)
}

/// Whether the first bytes belong to a format that is not text.
pub fn is_known(head: &[u8]) -> bool {
    Container::of(head).is_some()
        || ImageFormat::of(head, true, "").is_some()
        || other::name(head).is_some()
}

/// The name of the format that the first bytes belong to, other than that of a
/// container.
pub fn format_name(head: &[u8]) -> Option<&'static str> {
    match ImageFormat::of(head, true, "") {
        // The first bytes of the others may be those of anything.
        Some(format) if !format.weak => Some(format.media.long_name),
        _ => other::name(head),
    }
}

/// Whether the first bytes are those of a PDF document: `%PDF-1.7`.
fn is_pdf(head: &[u8]) -> bool {
    matches!(
        head,
        [
            b'%',
            b'P',
            b'D',
            b'F',
            b'-',
            b'0'..=b'9',
            b'.',
            b'0'..=b'9',
            ..
        ]
    )
}

#[cfg(test)]
mod tests;
