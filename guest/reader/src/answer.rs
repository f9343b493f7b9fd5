//! What a read found, before a dialect puts it into words.

use crate::digest::{Digest, Unhashed};
use crate::encoding::Encoding;
use crate::outline::Piece;
use crate::path::UnitKind;
use crate::sniff::MediaFormat;
use crate::subject::Subject;
use crate::window::{Page, Total, Window};
use crate::world::Facts as ImageFacts;

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

/// What follows a line and is not a line of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The line, by its place on the page.
    pub index: usize,
    /// What it is.
    pub what: Beside,
}

/// See [`Aside`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beside {
    /// A remark in brackets.
    Words(String),
    /// An image.
    Image(Box<Media>),
}

/// What is known about a document that was converted to text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its format: `Jupyter notebook`.
    pub format: &'static str,
    /// What it consists of, and how many of them there are.
    pub units: Option<(UnitKind, u64)>,
    /// What it states about itself, each name once: `language`, `title`.
    pub stated: Vec<(&'static str, String)>,
}

impl Facts {
    /// What the document states under a name.
    pub fn stated(&self, name: &str) -> Option<&str> {
        let fact = self.stated.iter().find(|(known, _)| *known == name);
        fact.map(|(_, value)| value.as_str())
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
    /// Its lines are those of the text that an edit tool changes.
    pub edited: bool,
    /// Remarks and images between its lines, in their order.
    pub asides: Vec<Aside>,
    /// What is known about the document, if the text was converted from one.
    pub facts: Option<Facts>,
    /// What the lines of the page are parts of, if they are those of an outline.
    pub outline: Option<Outline>,
}

/// The outline of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its lines.
    pub pieces: Vec<Piece>,
    /// Lines of the text.
    pub lines: u64,
    /// From where on it is not sure what stands in what.
    pub lost: Option<u32>,
    /// What holds for all of the text.
    pub words: Vec<String>,
    /// Remarks that follow pieces: the index of the piece and the remark, in order.
    pub asides: Vec<(usize, String)>,
}

/// A page of a directory listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// What was asked for.
    pub window: Window,
    /// What is shown of it.
    pub page: Page,
    /// The format of the archive, if it is one's.
    pub archive: Option<&'static str>,
    /// Entries of the directory itself.
    pub entries: Total,
    /// Entries of it that are listed.
    pub listed: u64,
    /// How many entries are shown at most where some were left out of the tree.
    pub limit: Option<u64>,
    /// Entries that deny rules kept out.
    pub withheld: u64,
}

impl Listing {
    /// Entries that a page of it shows at most.
    pub fn page_limit(&self) -> u64 {
        // The first line of a directory is the directory.
        let heads = u64::from(self.archive.is_none());
        let lines = self.window.open_lines.min(self.window.max_lines);
        lines.saturating_sub(heads)
    }
}

/// What an archive holds, for whoever asked for neither a member nor a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// The format of the archive.
    pub format: &'static str,
    /// Its first entries, as they are listed.
    pub first: Vec<String>,
    /// How many there are.
    pub entries: u64,
    /// The first file in it, by its path in the archive.
    pub member: Option<String>,
}

/// What a database was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its tables and views.
    Tables,
    /// The definition of a table, and sample rows.
    Schema,
    /// One row, by its key.
    Row,
    /// Rows of a table.
    Query,
    /// What a statement gives.
    Raw,
}

/// What a database says, as lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// The lines.
    pub page: Page,
    /// What it was asked for.
    pub form: Form,
    /// The table that was asked for.
    pub table: Option<String>,
    /// The columns that are shown.
    pub columns: Vec<String>,
    /// Rows that are shown, or tables.
    pub rows: u64,
    /// Rows that there are, or tables.
    pub total: Total,
    /// The path that shows what follows.
    pub next: Option<String>,
}

/// A file that is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// Its format, such as `PNG image`.
    pub format: String,
    /// Its first bytes as offsets, hex digits and characters.
    pub hex: String,
    /// Its first bytes themselves, if they were asked for.
    pub bytes: Option<Vec<u8>>,
    /// It holds files, or one that is compressed, and can be looked into.
    pub holds: bool,
    /// `:raw` asks for it as text; of a database it is a table.
    pub raw: bool,
}

/// Width and height of an image, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// Why an image or attachment is not handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Withheld {
    /// It was only to be described.
    Described,
    /// It has more bytes than this.
    Bytes(u64),
    /// It is wider or higher than this many pixels.
    Side(u32),
    /// Models do not take its format.
    Format,
    /// It cannot be decoded. Holds why.
    Undecoded(String),
}

/// An image or attachment as it is handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its MIME type.
    pub mime: &'static str,
    /// Its bytes in base64.
    pub data: String,
    /// How many bytes these are, before base64.
    pub bytes: u64,
    /// The size of an image.
    pub size: Option<Dimensions>,
    /// They are the bytes of the file.
    pub untouched: bool,
}

/// An image or attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// Its format.
    pub format: &'static MediaFormat,
    /// How many bytes it has, as far as that is known.
    pub bytes: Option<u64>,
    /// What the header of an image tells, as far as it was found.
    pub facts: Option<ImageFacts>,
    /// What a model gets.
    pub given: Result<Given, Withheld>,
}

impl Text {
    /// The cells of the notebook that the text was converted from.
    pub fn cells(&self) -> Option<u64> {
        match self.facts.as_ref()?.units? {
            (UnitKind::Cell, count) => Some(count),
            _ => None,
        }
    }
}

impl Media {
    /// The size of an image, as far as it is known.
    pub fn size(&self) -> Option<Dimensions> {
        self.facts.as_ref().map(|facts| Dimensions {
            width: facts.width,
            height: facts.height,
        })
    }
}

/// What a read found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Text.
    Text(Text),
    /// A directory.
    Listing(Listing),
    /// An archive, where those are listed only if that is asked for.
    Archive(Inside),
    /// A database.
    Database(Database),
    /// An image or attachment.
    Media(Media),
    /// None of these.
    Binary(Binary),
}

/// The answer to a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was read.
    pub subject: Subject,
    /// What was found.
    pub body: Body,
    /// The hash of the bytes on disk if it was asked for, or why it is missing.
    pub digest: Option<Result<Digest, Unhashed>>,
    /// Facts worth a sentence: encodings, repairs, damage.
    pub notes: Vec<String>,
}

impl Answer {
    /// The page, if there is one.
    pub fn page(&self) -> Option<&Page> {
        match &self.body {
            Body::Text(text) => Some(&text.page),
            Body::Listing(listing) => Some(&listing.page),
            Body::Database(database) => Some(&database.page),
            Body::Archive(_) | Body::Media(_) | Body::Binary(_) => None,
        }
    }

    /// Bytes on disk: as many as were read where all were, else what the
    /// filesystem says.
    pub fn size(&self) -> Option<u64> {
        let hashed = self.hash().map(|digest| digest.bytes);
        hashed.or_else(|| self.known(self.subject.info.size))
    }

    /// Bytes of what is shown, as far as they are known.
    pub fn bytes(&self) -> Option<u64> {
        self.known(self.subject.bytes())
    }

    /// A size that may be true: files of the kernel claim to have no bytes.
    fn known(&self, size: Option<u64>) -> Option<u64> {
        let shows = match &self.body {
            Body::Text(text) => text.page.total.count() > 0,
            Body::Binary(binary) => !binary.hex.is_empty(),
            Body::Listing(_) | Body::Archive(_) | Body::Database(_) | Body::Media(_) => false,
        };
        size.filter(|size| *size > 0 || !shows)
    }

    /// Its SHA-256, if it was asked for and there is one.
    pub fn sha256(&self) -> Option<&str> {
        self.hash().map(|digest| digest.sha256.as_str())
    }

    fn hash(&self) -> Option<&Digest> {
        self.digest.as_ref()?.as_ref().ok()
    }

    /// The path that shows what follows.
    pub fn next(&self) -> Option<String> {
        match &self.body {
            // Its lines are no lines of a file: what is cut of them has no path.
            Body::Database(database) if database.page.rest.is_some() => None,
            Body::Database(database) => database.next.clone(),
            _ => Some(self.subject.with(self.page()?.left.as_ref()?)),
        }
    }
}
