//! Detection of content: tables of magic bytes, and the function [`sniff`] that uses all
//! of them.
//!
//! ```text
//! mod          Kind and Container, and the order of detection
//! image        formats of images
//! unreadable   archives that need other programs
//! documents    formats that are converted to text
//! pdf          the first bytes of a PDF document
//! compound     the content of compound files
//! workbook     workbooks without a compound file
//! flat         documents of Microsoft Office in one XML file
//! mail         mails and mailboxes
//! tables       text formats whose records are rows
//! marks        formats that are detected by magic bytes but not read
//! shapes       formats that are detected by their first fields but not read
//! other        formats that are detected but not read
//! unread       a format that is not read, and its program
//! volumes      names of the volumes of divided files
//! ```
//!
//! The first bytes decide. A name decides only where the content does not: a
//! Jupyter notebook is JSON, and a Targa image has no magic number.

mod compound;
mod documents;
mod flat;
mod image;
mod mail;
mod marks;
mod other;
mod pdf;
mod shapes;
mod tables;
mod unread;
mod unreadable;
mod volumes;
mod workbook;

pub use compound::SIGNATURE as COMPOUND_FILE;
pub use documents::Document;
pub use image::{ImageFormat, MediaFormat, PDF};
pub use mail::NAMES as MAIL_NAMES;
pub use tables::TableFormat;
pub use unread::Other;
pub use unreadable::Unreadable;
pub use volumes::Volume;

use crate::containers::archive::Format;
use crate::containers::inflate::Compression;
use crate::encoding::{self, Encoding};
use crate::pages::Input;
use crate::path::ends_in;

/// Metadata of a source that helps detection.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// The name of the file, without an extension such as `.gz` if the content was decompressed.
    pub name: &'a str,
    /// The MIME type that the server reports.
    pub mime: Option<&'a str>,
    /// The character set that the server reports.
    pub charset: Option<&'a str>,
}

/// A file format that contains other content, such as the members of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// A single compressed file, such as gzip data.
    Compressed(Compression),
    /// An archive.
    Archive(Format),
    /// A SQLite database.
    Database,
    /// A document of an office program, which is a zip archive of its parts.
    Document(Document),
    /// An archive or compressed file that another program can open, but not the reader.
    Unreadable(&'static Unreadable),
}

/// The first bytes of a SQLite database ("Database File Format", chapter 1.3).
const SQLITE: &[u8] = b"SQLite format 3\0";

impl Container {
    /// Detects a container from its first bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        if let Some(compression) = Compression::of(head) {
            return Some(Self::Compressed(compression));
        }
        if is_database(head) {
            return Some(Self::Database);
        }
        // An unreadable format may resemble a tar archive, but not the reverse.
        if let Some(unreadable) = Unreadable::of(head) {
            return Some(Self::Unreadable(unreadable));
        }
        Format::of(head).map(Self::Archive)
    }

    /// The name of the format, for messages.
    pub fn name(self) -> String {
        match self {
            Self::Compressed(compression) => format!("{} data", compression.name()),
            Self::Archive(format) => format.name().to_owned(),
            Self::Database => "SQLite database".to_owned(),
            Self::Document(document) => document.name().to_owned(),
            Self::Unreadable(unreadable) => unreadable.name.to_owned(),
        }
    }

    /// Whether the reader can open this container.
    pub fn is_readable(self) -> bool {
        !matches!(self, Self::Unreadable(_))
    }
}

/// Whether the first bytes are those of a SQLite database.
pub fn is_database(head: &[u8]) -> bool {
    head.starts_with(SQLITE)
}

/// Whether the extension is that of a SQLite database.
pub fn is_named_database(name: &str) -> bool {
    ends_in(name, &["db", "db3", "s3db", "sl3", "sqlite", "sqlite3"])
}

/// The kind of content of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An archive, a compressed file or a database.
    Container(Container),
    /// An image.
    Image(&'static ImageFormat),
    /// An image that is written as text, such as SVG.
    Drawing(&'static ImageFormat),
    /// A document that is converted to text.
    Document(Document),
    /// Text.
    Text,
    /// Anything else.
    Other,
}

/// The result of [`sniff`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detected {
    /// The kind of content.
    pub kind: Kind,
    /// The encoding, if the bytes can be decoded as text. It may be `Some` for every kind of
    /// content, except documents that are not text.
    pub encoding: Option<Encoding>,
}

/// Detects the kind and the encoding of the content of a source. `size` is its size in bytes, if
/// known. `container` is the container format, such as an archive format, if one was detected
/// before.
pub fn sniff(
    input: &mut Input<'_>,
    size: Option<u64>,
    container: Option<Container>,
    hints: Hints<'_>,
) -> Detected {
    let kind = match container {
        Some(Container::Document(document)) => Some(Kind::Document(document)),
        Some(container) => Some(Kind::Container(container)),
        None => Document::of_bytes(input, hints.name).map(Kind::Document),
    };
    // These bytes are not text, so that a guess of their encoding would be wasted.
    if let Some(kind @ Kind::Document(document)) = kind
        && !document.is_text()
    {
        return Detected {
            kind,
            encoding: None,
        };
    }
    let labelled = hints
        .charset
        .and_then(|label| encoding::of_label(label, input.head()));
    let encoding = labelled.or_else(|| {
        let detected = encoding::detect(input, size, is_known);
        // A small file of a binary format may have no NUL.
        let is_other = |encoding: &Encoding| {
            (encoding.guessed && other::is_certain(input.head()))
                || (encoding.bom_len == 0
                    && encoding.charset.unit().width() == 1
                    && other::is_data(input.head(), hints.name))
        };
        detected.filter(|encoding| !is_other(encoding))
    });
    let kind = kind.unwrap_or_else(|| of_content(input.head(), encoding, hints));
    Detected { kind, encoding }
}

/// The kind of content that has no container and is not a document with magic bytes.
fn of_content(head: &[u8], encoding: Option<Encoding>, hints: Hints<'_>) -> Kind {
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

/// Whether the first bytes are those of a known format other than text.
pub fn is_known(head: &[u8]) -> bool {
    Container::of(head).is_some()
        || ImageFormat::of(head, true, "").is_some()
        || Other::of(head).is_some()
}

/// The image format of a file that starts with these bytes. `None` for a weak format, whose first
/// bytes also occur in other data.
pub fn image_name(head: &[u8]) -> Option<&'static str> {
    let format = ImageFormat::of(head, true, "").filter(|format| !format.weak);
    format.map(|format| format.media.long_name)
}

#[cfg(test)]
mod tests;
