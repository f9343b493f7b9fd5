//! The result of a read, before a dialect renders it.

use crate::digest::{Digest, DigestError};
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::path::{Part, UnitKind, UnitRange};
use crate::sniff::MediaFormat;
use crate::subject::{Rest, Subject};
use crate::window::{Limit, Page, Total, Window};
use crate::world::{ImageFacts, ShownImages};
use omniread_outline::Piece;
use std::borrow::Cow;
use std::fmt;

/// The line endings of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    /// The examined part of the text contains no line ending.
    None,
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// Both `\n` and `\r\n`.
    Mixed,
    /// Only `\r`. The reader does not split lines at it.
    Cr,
}

/// A note or image that follows a line and is not a line of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The index in the lines of the page of the line that the note or image follows.
    pub index: usize,
    /// The note or image.
    pub content: AnnotationContent,
}

/// The content of an [`Annotation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnnotationContent {
    /// The text of a note, in brackets.
    Note(String),
    /// An image.
    Image(Box<Media>),
    /// An image to which the text refers, with the selector that reads it, such as `image:3`.
    Figure(String, Box<Media>),
}

/// Facts about a document that was converted to text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFacts {
    /// The name of the format, such as `Jupyter notebook`.
    pub format: Cow<'static, str>,
    /// The kind of the units of the document (such as cells of a notebook), and their number.
    pub units: Option<(UnitKind, u64)>,
    /// The metadata of the document, each with a name such as `language` and a value. Each name
    /// occurs once.
    pub metadata: Vec<(&'static str, String)>,
    /// Whether the metadata, such as the title of a web page, is shown before the first line of the
    /// text.
    pub headed: bool,
}

impl DocumentFacts {
    /// The value of the metadata that is called `name`. `None` if the document has no such
    /// metadata.
    pub fn metadata(&self, name: &str) -> Option<&str> {
        let fact = self.metadata.iter().find(|(known, _)| *known == name);
        fact.map(|(_, value)| value.as_str())
    }
}

/// A page of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The requested lines, and the limits of the page.
    pub window: Window,
    /// The lines that are shown.
    pub page: Page,
    /// The encoding of the text.
    pub encoding: Encoding,
    /// The line endings of the text.
    pub line_ending: LineEnding,
    /// The tag of the text (four hex digits of its hash), with which an edit tool checks that the
    /// text is unchanged. `None` if the tag is not needed or cannot be computed.
    pub tag: Option<String>,
    /// Whether an edit tool changes these lines. `false` if the tool edits another form of the
    /// document, such as its converted text.
    pub is_edit_text: bool,
    /// Notes and images that follow lines of the page, in the order of these lines.
    pub annotations: Vec<Annotation>,
    /// What the lines are, if they are not those of the content: a list of matches, for example. `None` for lines of
    /// the content, or of its converted form.
    pub made: Option<Made>,
    /// Facts about the document, if the text was converted from one.
    pub facts: Option<DocumentFacts>,
    /// The outline that the page shows. `None` if the page shows the text itself.
    pub outline: Option<Outline>,
    /// What is known of a log that is longer than the page, of which the page shows the first lines, the last lines
    /// and lines that report errors. `None` if the page shows the text itself.
    pub log: Option<Log>,
    /// The table of contents of a document whose text is longer than the page. `None` if it was not
    /// requested, or if the document has none.
    pub contents: Option<Box<Contents>>,
    /// The declarations, headings or units that the page does not show. `None` if they are not listed.
    pub unshown: Option<Box<Unshown>>,
    /// What the path with a colon after it reads, such as `its rows as a table`. `None` if the text has
    /// no other form, or if the dialect does not name it.
    pub other_form: Option<&'static str>,
    /// The number of unresolved merge conflicts in the shown lines. It is 0 if they are exact
    /// text.
    pub conflicts: u64,
}

/// A text that is made from the content, and is not a range of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// The declarations, headings or keys of one name.
    Matches,
    /// The merge conflicts.
    Conflicts,
    /// A side of a merge conflict.
    Side,
    /// A part of a long line.
    PartOfLine,
}

impl Made {
    /// The word for the text: `list`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Matches | Self::Conflicts => "list",
            Self::Side => "side",
            Self::PartOfLine => "part",
        }
    }

    /// The whole name of the text: `list of matches`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Matches => "list of matches",
            Self::Conflicts => "list of conflicts",
            Self::Side => "side of a conflict",
            Self::PartOfLine => "part of a line",
        }
    }
}

/// The declarations, headings, keys or units of a text that its page does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unshown {
    /// The word for an entry: `declaration`, `heading`, `key`, `slide`.
    pub word: &'static str,
    /// The entries that fit, in the order of the text.
    pub entries: Vec<UnshownEntry>,
    /// The number of the others.
    pub more: u64,
    /// The path that lists all. `None` if no path does.
    pub all: Option<String>,
    /// Whether the list has room for the path to which its entries are appended.
    pub names_path: bool,
}

/// A declaration, heading, key or unit that a page does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnshownEntry {
    /// The selector that reads it: `310-340`, `slide:3`.
    pub selector: String,
    /// The number of entries around it.
    pub depth: u32,
    /// The first line of its signature, or its title.
    pub head: String,
}

/// The table of contents of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The word for an entry: `slide`, `heading`.
    pub word: &'static str,
    /// The entries in their order.
    pub entries: Vec<Entry>,
    /// The number of entries that are left out.
    pub more: u64,
}

/// An entry of a table of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The selector that reads the entry: `slide:3`.
    pub selector: String,
    /// The level of a heading, from 1.
    pub level: u8,
    /// The title in one line. It may be empty.
    pub title: String,
    /// Whether other programs do not show the unit, such as a hidden slide.
    pub hidden: bool,
}

/// The outline of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The pieces of the outline: lines of the text, and the gaps between them.
    pub pieces: Vec<Piece>,
    /// The number of lines of the whole text.
    pub lines: u64,
    /// The number of the first line at which brackets do not match, so that the nesting is
    /// uncertain from there on.
    pub unbalanced_from: Option<u32>,
    /// Notes on the whole text.
    pub notes: Vec<String>,
    /// Notes that follow pieces of the outline, in order. Each has the index of its piece in
    /// `pieces`.
    pub annotations: Vec<(usize, String)>,
    /// Whether it has fewer lines, because of the budget of tokens.
    pub is_shortened: bool,
    /// Whether its lines are declarations, headings or keys, which have names.
    pub is_named: bool,
}

/// A log of which a page shows only some lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The number of lines at the start of the text that the page shows.
    pub first: u64,
    /// The number of lines at the end of the text that the page shows.
    pub last: u64,
    /// The number of lines that report errors in the searched part of the text.
    pub errors: u64,
    /// The number of lines that report warnings in the searched part of the text.
    pub warnings: u64,
    /// What is known of lines of the page that report errors, in the order of their lines.
    pub marks: Vec<Mark>,
    /// The number of lines that report errors and whose message is not on the page.
    pub hidden: u64,
    /// The first of these lines. A negative number counts from the end of the text.
    pub first_hidden: Option<i64>,
    /// The part of the text that was searched for errors.
    pub searched: Searched,
}

/// What is known of a line that reports an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The number of the line.
    pub line: i64,
    /// The number of lines in the same part of the text that differ only by numbers, with this one.
    pub count: u64,
    /// The last of these lines.
    pub last: i64,
    /// The number of lines that follow the line and belong to it, such as a stack trace.
    pub follow: u64,
}

/// The part of a log that was searched for errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searched {
    /// All lines.
    All,
    /// The first lines.
    Start {
        /// The number of these lines.
        lines: u64,
    },
    /// The first and the last lines.
    Ends {
        /// The number of first lines.
        first: u64,
        /// The number of last lines.
        last: u64,
        /// The number of bytes between them.
        between: u64,
    },
}

/// A page of a directory listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The requested lines of the listing, and the limits of the page.
    pub window: Window,
    /// The lines that are shown.
    pub page: Page,
    /// The format of the archive, if the directory is in an archive.
    pub archive: Option<&'static str>,
    /// The number of entries of the directory, without those of its subdirectories.
    pub entries: Total,
    /// The number of entries of the directory that are listed, without those of its subdirectories.
    pub listed: u64,
    /// The limit that left entries out of the listing: the number of listed entries if the limit on
    /// the whole listing was reached, otherwise the maximum number of children of a subdirectory.
    pub limit: Option<u64>,
    /// The number of entries that deny rules removed from the listing.
    pub denied_entries: u64,
}

impl Listing {
    /// The maximum number of entries on one page of the listing.
    pub fn page_limit(&self) -> u64 {
        // The first line of a directory listing names the directory itself.
        let heads = u64::from(self.archive.is_none());
        let lines = self.window.open_lines.min(self.window.max_lines);
        lines.saturating_sub(heads)
    }
}

/// A summary of an archive, for the error message of a dialect that refuses a path to the archive
/// itself and accepts only paths to its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveSummary {
    /// The format of the archive.
    pub format: &'static str,
    /// The first entries of the root directory, each as a line of a listing.
    pub first: Vec<String>,
    /// The number of entries of the root directory.
    pub entries: u64,
    /// The path of the first file in the archive, which the message names as an example.
    pub member: Option<String>,
}

/// The part of a database that a path selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabasePart {
    /// The tables and views.
    Tables,
    /// The definition of a table, and sample rows.
    Schema,
    /// One row, selected by its key.
    Row,
    /// The rows of a table that the path selects.
    Query,
    /// The result of an SQL statement.
    Raw,
}

/// A part of a database, or of a table of rows in a text file, as lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// The lines.
    pub page: Page,
    /// Whether the rows are those of a text file, such as a CSV file, or of a sheet of a workbook, and
    /// not of a database.
    pub is_text: bool,
    /// The part that was requested.
    pub part: DatabasePart,
    /// The name of the table that was requested.
    pub table: Option<String>,
    /// The names of the columns that are shown.
    pub columns: Vec<String>,
    /// The number of rows that are shown. In a list of tables, the number of tables that are shown.
    pub rows: u64,
    /// The number of all rows that the request selects, shown or not. In a list of tables, the
    /// number of all tables.
    pub total: Total,
    /// The path that shows the next rows.
    pub next: Option<String>,
    /// The limit that ended the page before the last of the requested rows, tables or values. `None` for their number.
    pub limit: Option<Limit>,
}

/// [`Binary::format`] of a file whose format is unknown.
pub const UNKNOWN_FORMAT: &str = "unknown binary data";

/// A file that is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// The format of the file, such as `PNG image`.
    pub format: String,
    /// Whether the bytes can also be decoded as text, which contains NUL characters. `format` is
    /// then the encoding.
    pub is_text: bool,
    /// A hex dump of the first bytes, with offsets and characters.
    pub hex: String,
    /// The number of bytes in the hex dump.
    pub hex_bytes: usize,
    /// The first bytes of the file, if they were requested.
    pub bytes: Option<Vec<u8>>,
    /// Whether a path can name content inside the file, because it is an archive or compressed.
    pub is_container: bool,
}

/// Width and height of an image, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

impl Dimensions {
    /// The tokens that an image of this size costs, and one of half the width and height.
    pub fn tokens(self) -> ImageTokens {
        self.tokens_of(self)
    }

    /// The tokens that an image of this size costs if it is shown in the size `shown`, and in half of that width and
    /// height.
    fn tokens_of(self, shown: Self) -> ImageTokens {
        let side = (shown.width.max(shown.height) / 2).max(1);
        let half = self.scaled(side);
        ImageTokens {
            whole: omniread_tokens::image(shown.width, shown.height),
            half: omniread_tokens::image(half.width, half.height),
        }
    }

    /// The size with `side` pixels on the longer side, rounded as images are scaled.
    fn scaled(self, side: u32) -> Self {
        let long = u64::from(self.width.max(self.height).max(1));
        let scale = |length: u32| {
            let pixels = u64::from(length).saturating_mul(side.into());
            let rounded = pixels.saturating_add(long / 2).checked_div(long);
            u32::try_from(rounded.unwrap_or(0)).unwrap_or(side).max(1)
        };
        Self {
            width: scale(self.width),
            height: scale(self.height),
        }
    }
}

/// The tokens that an image costs a language model, as estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageTokens {
    /// The tokens of the image in the size in which it is shown.
    pub whole: u64,
    /// Its tokens at half the width and height.
    pub half: u64,
}

/// The budget of a session for its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageBudget {
    /// The number of images.
    Count(u64),
    /// The number of their tokens.
    Tokens(u64),
}

/// An image that is over the budget of the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverBudget {
    /// The budget.
    pub budget: ImageBudget,
    /// The tokens that the image costs.
    pub tokens: ImageTokens,
    /// The path to which the words for a size are added, to see the image in any case. `None` if a note names
    /// it.
    pub path: Option<String>,
}

impl OverBudget {
    /// The note on `count` images of a reply that are over the budget. `path` is that of the first of them, or of
    /// all of them.
    pub fn note(&self, count: u64, path: &str) -> String {
        let (budget, path) = (self.budget, escape_invisible(path));
        let (s, are) = if count == 1 { ("", "is") } else { ("s", "are") };
        format!(
            "{count} image{s} {are} not shown, because the session has a budget of {budget}; `{path}:full` shows \
             images in any case, and `{path}:half` at half the size"
        )
    }
}

impl fmt::Display for ImageBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(1) => f.write_str("1 image"),
            Self::Count(most) => write!(f, "{most} images"),
            Self::Tokens(most) => write!(f, "{most} tokens of images"),
        }
    }
}

/// The reason why an image or attachment is not in the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotShown {
    /// The dialect or the options request a description only.
    Described,
    /// The file is larger than the limit, which is this number of bytes.
    Bytes(u64),
    /// The image is wider or higher than the limit, which is this number of pixels.
    Side(u32),
    /// Models do not accept the format of the file.
    Format,
    /// The image cannot be decoded, for this reason.
    Undecoded(String),
    /// The image is over the budget of the session.
    Budget(OverBudget),
}

/// An image or attachment as a model receives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// The MIME type of the bytes.
    pub mime: &'static str,
    /// The bytes in base64.
    pub data: String,
    /// The number of bytes before they are encoded in base64.
    pub bytes: u64,
    /// The width and height, if this is an image.
    pub size: Option<Dimensions>,
    /// Whether the bytes are the unchanged bytes of the file.
    pub passthrough: bool,
    /// Whether an image is shown at half the size, because the path requests it.
    pub is_half: bool,
}

/// An image or attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// The format of the file.
    pub format: &'static MediaFormat,
    /// The size of the file in bytes, if known.
    pub bytes: Option<u64>,
    /// The facts from the header of the image, if it could be read.
    pub facts: Option<ImageFacts>,
    /// The image or attachment for the model, or the reason why it is not in the reply.
    pub payload: Result<Payload, NotShown>,
}

impl Text {
    /// The word for what the lines belong to: `file`.
    pub fn word(&self) -> &'static str {
        self.made.map_or("file", Made::word)
    }

    /// The range of the units that the path selects, and the number of all units of the document. `None` if the path
    /// selects no units.
    pub fn unit_range(&self) -> Option<(UnitRange, u64)> {
        let (kind, count) = self.facts.as_ref()?.units?;
        match self.window.selector.part {
            Part::Units(range) if range.kind == kind => Some((range, count)),
            _ => None,
        }
    }

    /// The number of cells, if the text was converted from a notebook.
    pub fn cells(&self) -> Option<u64> {
        match self.facts.as_ref()?.units? {
            (UnitKind::Cell, count) => Some(count),
            _ => None,
        }
    }
}

/// The start of the note on a database that cannot be read, so that its bytes are shown.
pub const UNREAD_DATABASE: &str = "the file cannot be read as a database";

impl Media {
    /// The width and height of the image, if its header could be read.
    pub fn size(&self) -> Option<Dimensions> {
        self.facts.as_ref().map(|facts| Dimensions {
            width: facts.width,
            height: facts.height,
        })
    }

    /// The tokens that the image costs. `None` if it is neither shown nor over the budget of the session.
    pub fn tokens(&self) -> Option<ImageTokens> {
        match &self.payload {
            Ok(payload) if self.format.image => {
                let shown = payload.size?;
                Some(self.size().unwrap_or(shown).tokens_of(shown))
            }
            Err(NotShown::Budget(over)) => Some(over.tokens),
            Ok(_) | Err(_) => None,
        }
    }
}

/// The content that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a read has one body, and most are texts"
)]
pub enum Body {
    /// Text.
    Text(Text),
    /// A directory.
    Listing(Listing),
    /// An archive, in a dialect that lists the content of an archive only on request.
    Archive(ArchiveSummary),
    /// A database.
    Database(Database),
    /// An image or attachment.
    Media(Media),
    /// Any other file.
    Binary(Binary),
}

/// The result of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The file, member or stream that was read.
    pub subject: Subject,
    /// The content that was read.
    pub body: Body,
    /// The SHA-256 of the bytes on disk, or the reason why it is missing. `None` if it was not
    /// requested.
    pub digest: Option<Result<Digest, DigestError>>,
    /// Notes for the reply, such as those about damage or a followed link.
    pub notes: Vec<String>,
}

impl Answer {
    /// The images that the reply shows.
    pub fn shown_images(&self) -> ShownImages {
        let mut shown = ShownImages::default();
        for media in self.media() {
            if media.payload.is_ok() && media.format.image {
                shown.add(media.tokens().map_or(0, |tokens| tokens.whole));
            }
        }
        shown
    }

    /// The images and attachments of the reply, shown or described.
    pub fn media(&self) -> impl Iterator<Item = &Media> {
        let (only, annotations) = match &self.body {
            Body::Media(media) => (Some(media), [].as_slice()),
            Body::Text(text) => (None, text.annotations.as_slice()),
            Body::Listing(_) | Body::Archive(_) | Body::Database(_) | Body::Binary(_) => {
                (None, [].as_slice())
            }
        };
        let inside = annotations.iter().filter_map(|one| match &one.content {
            AnnotationContent::Image(media) | AnnotationContent::Figure(_, media) => Some(&**media),
            AnnotationContent::Note(_) => None,
        });
        only.into_iter().chain(inside)
    }

    /// The page of lines that is shown. `None` if the content does not consist of lines.
    pub fn page(&self) -> Option<&Page> {
        match &self.body {
            Body::Text(text) => Some(&text.page),
            Body::Listing(listing) => Some(&listing.page),
            Body::Database(database) => Some(&database.page),
            Body::Archive(_) | Body::Media(_) | Body::Binary(_) => None,
        }
    }

    /// The size in bytes of the file or archive member as it is stored: the number of bytes that
    /// were hashed or, without a hash, the size that is stated for it.
    pub fn size(&self) -> Option<u64> {
        let hashed = self.hash().map(|digest| digest.bytes);
        hashed.or_else(|| self.plausible_size(self.subject.info.size))
    }

    /// The size in bytes of the content that was read, if it is known.
    pub fn bytes(&self) -> Option<u64> {
        self.plausible_size(self.subject.bytes())
    }

    /// Replaces a size of 0 by `None` if there is content. Files of the kernel, such as those in
    /// `/proc`, have content although they report 0 bytes.
    fn plausible_size(&self, size: Option<u64>) -> Option<u64> {
        let shows = match &self.body {
            Body::Text(text) => text.page.total.count() > 0,
            Body::Binary(binary) => !binary.hex.is_empty(),
            Body::Listing(_) | Body::Archive(_) | Body::Database(_) | Body::Media(_) => false,
        };
        size.filter(|size| *size > 0 || !shows)
    }

    /// The SHA-256 of the bytes on disk, if it was requested and computed.
    pub fn sha256(&self) -> Option<&str> {
        self.hash().map(|digest| digest.sha256.as_str())
    }

    fn hash(&self) -> Option<&Digest> {
        self.digest.as_ref()?.as_ref().ok()
    }

    /// The path that shows the next lines or rows. `None` if there are no more, or no path selects
    /// them.
    pub fn next(&self) -> Option<String> {
        match &self.body {
            // These lines are not lines of a file, so no path selects the rest of a cut line.
            Body::Database(database) if database.page.following.is_some() => None,
            Body::Database(database) => database.next.clone(),
            _ => match &self.subject.rest {
                Rest::Selected => {
                    Some(self.subject.with_selector(self.page()?.remaining.as_ref()?))
                }
                Rest::Path(path) => Some(path.clone()),
                Rest::Unreachable => None,
            },
        }
    }

    /// Whether a page of lines does not show everything that was requested.
    pub fn is_cut(&self) -> bool {
        let remains = self.page().is_some_and(|page| page.remaining.is_some());
        remains || self.subject.rest != Rest::Selected
    }
}
