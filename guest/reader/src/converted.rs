//! The result of a converter: text, and the images and notes that follow its lines.
//!
//! A converter first returns the facts and the list of units. The text of a unit is made
//! when the unit is shown, unless the conversion of all units at once is as cheap.

use crate::answer::DocumentFacts;
use crate::path::{Picture, UnitKind, UnitRange};
use crate::units;
use omniread_markup::html::Links;
use std::fmt;

/// The result of the conversion of a source, such as a notebook or document, to text.
pub struct Converted {
    /// Facts about the source. If the text is converted unit by unit (such as page by page), the
    /// pager adds the number of units.
    pub facts: DocumentFacts,
    /// Whether edit tools may apply edits of the text to the source.
    pub editable: bool,
    /// Whether dialects that number the lines of files number these lines too.
    pub numbered: bool,
    /// The items of which the outline of a long text consists. `None` if it has no outline.
    pub outline: Option<Outlined>,
    /// Whether a long text has a table of contents.
    pub contents: bool,
    /// Notes for the reply.
    pub notes: Vec<String>,
    /// The text.
    pub text: Conversion,
    /// The pictures to which the text refers by paths. `None` if the text has no such references, or
    /// if it consists of units, which then have the images.
    pub figures: Option<Box<dyn Figures>>,
    /// The addresses to which a web page refers, and its number of words. `None` for other documents.
    pub links: Option<Box<Links>>,
}

/// The items of the outline of a converted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlined {
    /// The cells of a notebook.
    Cells,
    /// The elements of XML.
    Elements,
}

/// The text of a source.
pub enum Conversion {
    /// The whole requested text, already converted.
    Whole(Unit),
    /// Units, such as pages or slides, that are converted when they are shown.
    Units(Box<dyn Units>),
}

/// A source that consists of units: cells, pages, slides or chapters.
pub trait Units {
    /// The kind of the units.
    fn kind(&self) -> UnitKind;

    /// The number of units.
    fn count(&self) -> u64;

    /// The key under which the session stores facts about the units, such as their numbers of
    /// lines. If the content of the source changes, so does the key. `None` if no facts are stored.
    fn key(&self) -> Option<String> {
        None
    }

    /// The title of a unit. `place` is its index, counted from 0. Converts nothing.
    fn title(&mut self, _place: u64) -> Title {
        Title::default()
    }

    /// The outline: the level, the title and the index of the unit of each entry. Converts nothing.
    fn outline(&mut self) -> Vec<(u8, String, u64)> {
        Vec::new()
    }

    /// Converts one unit. `place` is its index, counted from 0. A damaged unit has a note instead
    /// of its text; the other units are not affected.
    fn unit(&mut self, place: u64) -> Unit;

    /// Includes text that other programs do not show in the units that are converted from now on.
    fn show_hidden(&mut self) {}

    /// The pictures to which the text of the units refers by paths. No unit can be converted
    /// afterwards.
    fn figures(self: Box<Self>) -> Option<Box<dyn Figures>> {
        None
    }
}

/// The pictures of an open document, to which its text refers by paths such as
/// `![alt](letter.docx:image:3)`.
pub trait Figures {
    /// The part of a reference that precedes the selector of the picture: `](letter.docx:`.
    fn mark(&self) -> &str;

    /// The bytes of a picture.
    ///
    /// # Errors
    /// Fails with the reason why it cannot be read.
    fn picture(&mut self, picture: Picture) -> Result<Vec<u8>, String>;
}

/// The title of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// The title. For a page, its label if that is not the number. It may be empty.
    pub name: String,
    /// Whether other programs do not show the unit, such as a hidden slide.
    pub hidden: bool,
    /// What reads the unit, if that is a name, such as that of a sheet, and not its number.
    pub selector: Option<String>,
}

/// The error for a requested unit, such as a cell, that does not exist. The message has no subject,
/// because callers put the document before it: `has no cell:9: the last one is cell:3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoUnit {
    /// The kind of the units.
    pub kind: UnitKind,
    /// The number of the unit that was requested.
    pub number: u64,
    /// The number of units of the source.
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
        if *count == 0 {
            return write!(f, "has no {word}s");
        }
        let last = UnitRange::last_of(*kind, *count);
        write!(f, "has no {word}:{number}: the last one is {word}:{last}")
    }
}

/// The reason why a document cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// The document is damaged, or it has another format. Contains the message.
    Unreadable(String),
    /// The document exceeds a limit of the conversion. Contains the message.
    Large(String),
    /// The requested unit does not exist.
    NoUnit(NoUnit),
    /// The web page has no section with the requested id. Contains the ids of some sections.
    NoSection(Vec<String>),
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(message) | Self::Large(message) => f.write_str(message),
            Self::NoUnit(missing) => missing.fmt(f),
            Self::NoSection(_) => f.write_str("has no such section"),
        }
    }
}

/// The converted text of one unit, such as a page, or of the whole request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Lines with `\n` between them.
    pub text: String,
    /// Images and notices that follow lines, in order of the lines.
    pub attachments: Vec<Attachment>,
    /// Notes for the reply.
    pub notes: Vec<String>,
}

impl Unit {
    /// The approximate size in bytes of the text and of the images.
    pub fn size(&self) -> usize {
        let images = self.attachments.iter().map(|one| match &one.what {
            Attached::Image(image) => usize::try_from(image.data.size()).unwrap_or(usize::MAX),
            Attached::Hidden(_) => 0,
        });
        images.fold(self.text.len(), usize::saturating_add)
    }
}

/// An image or a notice that follows a line of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The number of lines of the text before the attachment. An empty line at the end of the text
    /// is counted.
    pub line: u64,
    /// The image or notice.
    pub what: Attached,
}

/// The content of an [`Attachment`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attached {
    /// A notice that outputs of a notebook cell, or files attached to it, are left out.
    Hidden(Hidden),
    /// An image.
    Image(EmbeddedImage),
}

/// The outputs and attached files that are left out of the text of one or more units, such as
/// cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The kind of the units.
    pub kind: UnitKind,
    /// The numbers of the first and the last of these units.
    pub units: (u64, u64),
    /// The number of outputs.
    pub outputs: usize,
    /// The number of attached files.
    pub files: usize,
}

impl Hidden {
    /// Adds the outputs and files of later units.
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

/// An image in a unit of a source, such as a cell or page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedImage {
    /// The kind of the unit that contains the image.
    pub kind: UnitKind,
    /// The number of the unit that contains the image, as in selectors.
    pub unit: u64,
    /// The content of the image.
    pub data: ImageData,
}

/// The content of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageData {
    /// Encoded bytes, such as those of a PNG file.
    Bytes(Vec<u8>),
    /// Base64 as written in the source, possibly with line breaks or damage.
    Base64(String),
    /// The XML of an SVG image.
    Svg(String),
}

impl ImageData {
    /// The approximate size in bytes. Base64 counts as the bytes that it encodes.
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
