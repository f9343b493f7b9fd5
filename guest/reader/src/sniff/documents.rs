//! Formats of documents that are converted to text.

use super::{Hints, compound, flat, mail, pdf, workbook};
use crate::pages::Input;
use crate::path::{UnitKind, ending, is_one_of};
use omniread_document as document;
use omniread_markup::detect::{Format, detect};

/// A format of documents that are converted to text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A Jupyter notebook.
    Notebook,
    /// A document that the document engine converts.
    Engine(document::Format),
    /// An HTML page.
    Html,
    /// A feed, a list of feeds (OPML) or a sitemap.
    Feed,
    /// An XML document of another kind.
    Xml,
    /// An SVG image, whose text form is its XML.
    Svg,
}

/// A row of `TABLE`, with the facts about one document format.
struct Row {
    document: Document,
    /// The full name, such as `Jupyter notebook`.
    name: &'static str,
    /// The short name for messages, such as `notebook`.
    word: &'static str,
    /// The kind of the units into which a document of this format is divided, such as cells.
    units: Option<UnitKind>,
    /// The file name extensions of this format, without a dot.
    extensions: &'static [&'static str],
    /// The MIME types of this format, if it is a text format.
    mimes: &'static [&'static str],
    /// How the bytes are stored.
    stored: Stored,
}

/// How a document is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// As a text that a bare path shows, because it can be edited.
    Text,
    /// As a text that only its converted form makes readable.
    Code,
    /// As a zip archive of parts. Contains the start of the name of the main part.
    Parts(&'static str),
    /// As a zip archive with a member that contains this MIME type.
    Typed(&'static str),
    /// As a compound file.
    Compound,
    /// As other bytes that are not text.
    Binary,
}

/// The part of an office document that lists the types of all parts (ECMA-376-2, 10.1.2).
const CONTENT_TYPES: &str = "[Content_Types].xml";

/// The member of a document that contains its MIME type (EPUB OCF 3.3, 4.3; OpenDocument 1.3,
/// part 2, 3.3).
const MIME_TYPE: &str = "mimetype";

/// The member of an e-book that names its package document (EPUB OCF 3.3, 4.2.6.3.1).
const EPUB_CONTAINER: &str = "META-INF/container.xml";

/// The offset of the content of the first member of a zip archive, if its name is `mimetype` and its
/// header has no further fields.
const FIRST_MEMBER: usize = 30 + MIME_TYPE.len();

const TABLE: [Row; 21] = [
    Row {
        document: Document::Notebook,
        name: "Jupyter notebook",
        word: "notebook",
        units: Some(UnitKind::Cell),
        extensions: &["ipynb"],
        // Registered with IANA.
        mimes: &["application/x-ipynb+json"],
        stored: Stored::Text,
    },
    office(document::Format::Docx, Stored::Parts("word/document")),
    office(document::Format::Pptx, Stored::Parts("ppt/presentation")),
    office(document::Format::Xlsx, Stored::Parts("xl/workbook")),
    office(document::Format::Xlsb, Stored::Parts("xl/workbook")),
    office(document::Format::Xls, Stored::Compound),
    office(document::Format::Doc, Stored::Compound),
    office(document::Format::Ppt, Stored::Compound),
    office(document::Format::Rtf, Stored::Code),
    office(
        document::Format::Epub,
        Stored::Typed("application/epub+zip"),
    ),
    office(
        document::Format::Odt,
        Stored::Typed("application/vnd.oasis.opendocument.text"),
    ),
    office(
        document::Format::Ods,
        Stored::Typed("application/vnd.oasis.opendocument.spreadsheet"),
    ),
    office(
        document::Format::Odp,
        Stored::Typed("application/vnd.oasis.opendocument.presentation"),
    ),
    office(document::Format::Msg, Stored::Compound),
    office(document::Format::Eml, Stored::Text),
    office(document::Format::Mbox, Stored::Text),
    office(document::Format::Pdf, Stored::Binary),
    markup(Document::Html, "HTML page"),
    markup(Document::Feed, "feed"),
    markup(Document::Xml, "XML document"),
    markup(Document::Svg, "SVG image"),
];

/// A row for a format that the document engine converts. Files whose bare path shows their text are not
/// detected by their extension, because the content of the text detects them: see
/// [`Document::of_markup`].
const fn office(format: document::Format, stored: Stored) -> Row {
    Row {
        document: Document::Engine(format),
        name: format.name(),
        word: format.name(),
        units: UnitKind::of(format.units()),
        extensions: format.extensions(),
        mimes: &[],
        stored,
    }
}

/// A row for a format of markup. Neither a name nor a MIME type alone detects it, because the bare
/// path of markup reads its text: see [`Document::of_markup`].
const fn markup(document: Document, name: &'static str) -> Row {
    Row {
        document,
        name,
        word: name,
        units: None,
        extensions: &[],
        mimes: &[],
        stored: Stored::Text,
    }
}

impl Document {
    fn row(self) -> &'static Row {
        let [first, ..] = &TABLE;
        let row = TABLE.iter().find(|row| row.document == self);
        // A test checks that each document has a row.
        row.unwrap_or(first)
    }

    /// Detects the document format of a text. A notebook cannot be distinguished from other JSON by
    /// its content, so the MIME type or the name of the file decides.
    pub fn of_text(hints: Hints<'_>) -> Option<Self> {
        let typed = |row: &&Row| hints.mime.is_some_and(|mime| row.mimes.contains(&mime));
        let row = TABLE.iter().find(typed);
        row.map(|row| row.document)
            .or_else(|| Self::of_name(hints.name))
            .filter(|document| document.engine().is_none())
    }

    /// Detects the document that a zip archive with members of these names is. `head` are the first
    /// bytes of the archive, and `name` is the name of the file. `None` if it is not a document.
    pub fn of_members<'n>(
        names: impl Iterator<Item = &'n str>,
        head: &[u8],
        name: &str,
    ) -> Option<Self> {
        let (mut has_types, mut has_mime_type, mut has_content) = (false, false, false);
        let (mut is_book, mut is_binary, mut document) = (false, false, None);
        for name in names {
            // The names of parts ignore case (ECMA-376-2, 6.2.2.3).
            let name = name.trim_start_matches('/');
            has_types |= name.eq_ignore_ascii_case(CONTENT_TYPES);
            has_mime_type |= name == MIME_TYPE;
            has_content |= name == "content.xml";
            is_book |= name == EPUB_CONTAINER;
            is_binary |= name.eq_ignore_ascii_case("xl/workbook.bin");
            document = document.or_else(|| TABLE.iter().find(|row| row.has_main_part(name)));
        }
        if let Some(row) = document.filter(|_| has_types) {
            return Some(match row.document {
                Self::Engine(document::Format::Xlsx) if is_binary => {
                    Self::Engine(document::Format::Xlsb)
                }
                document => document,
            });
        }
        if is_book {
            return Some(Self::Engine(document::Format::Epub));
        }
        if !has_mime_type || !has_content {
            return None;
        }
        let of_name = || Self::of_name(name).filter(|document| document.is_typed());
        Self::of_mime_type(head)
            .or_else(of_name)
            .or(Some(Self::Engine(document::Format::Odt)))
    }

    /// The document that is stored with its MIME type in the first member of a zip archive, which
    /// starts with the bytes `head`.
    fn of_mime_type(head: &[u8]) -> Option<Self> {
        let mime = head.get(FIRST_MEMBER..)?;
        // The type of a template is longer: `…text-template`.
        let row = TABLE.iter().find(
            |row| matches!(row.stored, Stored::Typed(known) if mime.starts_with(known.as_bytes())),
        );
        row.map(|row| row.document)
    }

    /// Detects a document that is not a zip archive, by its bytes, or, if they are damaged, by its
    /// name. `None` if it is not a document, or if its bare path shows its text.
    pub fn of_bytes(input: &mut Input<'_>, name: &str) -> Option<Self> {
        // A part of a document has no head, so that its name tells the format.
        let is_part = || Self::of_name(name) == Some(Self::Engine(document::Format::Rtf));
        let head = input.head();
        if head.starts_with(b"{\\rtf") || head.starts_with(b"{\\pard") && is_part() {
            return Some(Self::Engine(document::Format::Rtf));
        }
        if pdf::is_pdf(input.head()) {
            return Some(Self::Engine(document::Format::Pdf));
        }
        if workbook::is_stream(input.head()) {
            return Some(Self::Engine(document::Format::Xls));
        }
        if !input.head().starts_with(compound::SIGNATURE) {
            return None;
        }
        let of_name = || {
            let document = Self::of_name(name)?;
            matches!(document.row().stored, Stored::Compound | Stored::Parts(_)).then_some(document)
        };
        match compound::content(input) {
            Some(compound::Content::Document(format)) => Some(Self::Engine(format)),
            // The parts are encrypted, so that only the name tells the format.
            Some(compound::Content::Encrypted) => {
                of_name().or(Some(Self::Engine(document::Format::Docx)))
            }
            Some(compound::Content::Other) => None,
            None => of_name(),
        }
    }

    /// Detects a format whose bare path shows its text, such as HTML. `text` is the start of the
    /// text. A read that does not request the converted form does not call this function.
    pub fn of_markup(text: &str, hints: Hints<'_>) -> Option<Self> {
        if let Some(format) = mail::detect(text, hints) {
            return Some(Self::Engine(format));
        }
        let format = detect(text, hints.name, hints.mime)?;
        Some(match format {
            Format::Html => Self::Html,
            Format::Feed => Self::Feed,
            Format::Xml => Self::of_flat_xml(text).unwrap_or(Self::Xml),
            Format::Svg => Self::Svg,
        })
    }

    /// The document that is stored as one XML file. `text` is the start of the file.
    fn of_flat_xml(text: &str) -> Option<Self> {
        if let Some(format) = flat::detect(text) {
            return Some(Self::Engine(format));
        }
        // OpenDocument has its MIME type in the first element (OpenDocument 1.3, part 3, 3.1.2).
        let (_, element) = text.split_once("<office:document")?;
        let (element, _) = element.split_once('>').unwrap_or((element, ""));
        let (_, mime) = element.split_once("office:mimetype=")?;
        let mime = mime.trim_start_matches(['"', '\'']);
        let row = TABLE
            .iter()
            .find(|row| matches!(row.stored, Stored::Typed(known) if mime.starts_with(known)));
        row.map(|row| row.document)
    }

    /// The document format that the extension of a file name indicates.
    pub fn of_name(name: &str) -> Option<Self> {
        let ending = ending(name)?;
        let row = TABLE.iter().find(|row| is_one_of(ending, row.extensions));
        row.map(|row| row.document)
    }

    /// The format of text that is divided into units of this kind, such as cells. `None` if no such
    /// format has these units.
    pub fn of_units(units: UnitKind) -> Option<Self> {
        match units {
            UnitKind::Cell => Some(Self::Notebook),
            UnitKind::Page
            | UnitKind::Slide
            | UnitKind::Chapter
            | UnitKind::Mail
            | UnitKind::Sheet => None,
        }
    }

    /// The full name, such as `Jupyter notebook`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether a bare path shows the text of the file, which can be edited, and only a path such as
    /// `page.html:` shows the converted form.
    pub fn is_bare_text(self) -> bool {
        self != Self::Notebook && self.row().stored == Stored::Text
    }

    /// Whether the bytes are text.
    pub fn is_text(self) -> bool {
        matches!(self.row().stored, Stored::Text | Stored::Code)
    }

    /// Whether this is a zip archive that contains its MIME type.
    fn is_typed(self) -> bool {
        matches!(self.row().stored, Stored::Typed(_))
    }

    /// Whether this is stored as a zip archive.
    pub fn is_zip(self) -> bool {
        matches!(self.row().stored, Stored::Typed(_) | Stored::Parts(_))
    }

    /// Whether this is a workbook, whose sheets are read like the tables of a database.
    pub fn is_workbook(self) -> bool {
        matches!(
            self,
            Self::Engine(
                document::Format::Xlsx
                    | document::Format::Xlsb
                    | document::Format::Xls
                    | document::Format::Ods
            )
        )
    }

    /// The format for the document engine, if it converts this.
    pub fn engine(self) -> Option<document::Format> {
        match self {
            Self::Engine(format) => Some(format),
            Self::Notebook | Self::Html | Self::Feed | Self::Xml | Self::Svg => None,
        }
    }

    /// The usual file name extension of this format. `None` if the name does not decide.
    pub fn extension(self) -> Option<&'static str> {
        self.row().extensions.first().copied()
    }

    /// The short name for messages, such as `notebook`.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// The kind of the units into which a document of this format is divided, such as cells.
    pub fn units(self) -> Option<UnitKind> {
        self.row().units
    }
}

impl Row {
    /// Whether a member of this name is the main part of a document of this format.
    fn has_main_part(&self, name: &str) -> bool {
        match self.stored {
            Stored::Parts(main) => is_part(name, main),
            Stored::Text | Stored::Code | Stored::Typed(_) | Stored::Compound | Stored::Binary => {
                false
            }
        }
    }
}

/// Whether a member is the main part of a document. `main` is the start of its name. Some programs
/// add a number: `word/document2.xml`.
fn is_part(name: &str, main: &str) -> bool {
    let start = name.get(..main.len());
    let number = name.get(main.len()..).and_then(|end| end.split_once('.'));
    start.is_some_and(|start| start.eq_ignore_ascii_case(main))
        && number.is_some_and(|(number, extension)| {
            number.bytes().all(|byte| byte.is_ascii_digit())
                && (extension.eq_ignore_ascii_case("xml") || extension.eq_ignore_ascii_case("bin"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Option<Document> {
        Document::of_members(names.iter().copied(), b"PK", "x")
    }

    #[test]
    fn office_document_is_detected_by_its_members() {
        for main in [
            "word/document.xml",
            "word/document2.xml",
            "/Word/Document.xml",
        ] {
            let word = Some(Document::Engine(document::Format::Docx));
            assert_eq!(of(&["a", "[Content_Types].xml", main]), word, "{main}");
            assert_eq!(of(&[main, "[content_types].xml"]), word, "{main}");
            assert_eq!(of(&[main]), None, "{main}");
        }
        for other in [
            "word/documents.xml",
            "word/document.xml.rels",
            "document.xml",
            "word/é",
        ] {
            assert_eq!(of(&["[Content_Types].xml", other]), None, "{other}");
        }
        let binary = Some(Document::Engine(document::Format::Xlsb));
        assert_eq!(of(&["[Content_Types].xml", "xl/workbook.bin"]), binary);
        let book = Some(Document::Engine(document::Format::Xlsx));
        assert_eq!(of(&["[Content_Types].xml", "xl/workbook.xml"]), book);
    }

    #[test]
    fn document_with_a_mime_type_is_detected_by_it() {
        let epub = Some(Document::Engine(document::Format::Epub));
        assert_eq!(of(&["META-INF/container.xml"]), epub);
        let odf = |mime: &str, name: &str| {
            let head = [&[b'-'; 30], b"mimetype".as_slice(), mime.as_bytes()].concat();
            Document::of_members(["mimetype", "content.xml"].into_iter(), &head, name)
        };
        let sheet = "application/vnd.oasis.opendocument.spreadsheet-template";
        let ods = Some(Document::Engine(document::Format::Ods));
        assert_eq!(odf(sheet, "a.odt"), ods);
        assert_eq!(odf("", "a.ods"), ods);
        assert_eq!(
            odf("", "a.docx"),
            Some(Document::Engine(document::Format::Odt))
        );
        assert_eq!(of(&["content.xml"]), None);
        assert_eq!(of(&["mimetype", "x.xml"]), None);
    }

    #[test]
    fn flat_document_is_detected_by_its_first_element() {
        let of = |text| Document::of_markup(text, Hints::default());
        let text = "<?xml version='1.0'?>\n<office:document xmlns:office=\"x\" \
            office:mimetype=\"application/vnd.oasis.opendocument.text\"><a/>";
        assert_eq!(of(text), Some(Document::Engine(document::Format::Odt)));
        let other = text.replace("opendocument", "other");
        assert_eq!(of(&other), Some(Document::Xml));
    }

    #[test]
    fn each_document_has_a_row() {
        for row in &TABLE {
            assert_eq!(row.document.row().name, row.name);
            assert_eq!(row.document.row().document, row.document);
            assert_eq!(row.document.is_bare_text(), row.extensions.is_empty());
            for extension in row.extensions {
                let name = format!("dir/A.{}", extension.to_uppercase());
                assert_eq!(Document::of_name(&name), Some(row.document));
            }
        }
        assert_eq!(Document::of_name("ipynb"), None);
    }
}
