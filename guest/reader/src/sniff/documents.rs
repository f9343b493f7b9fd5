//! Formats of documents that are converted to text.

use super::Hints;
use crate::path::{UnitKind, ends_in};
use crate::world::DocumentFormat;
use omniread_markup::detect::{Format, detect};

/// A format of documents that are converted to text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A Jupyter notebook.
    Notebook,
    /// A document of Word.
    Word,
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
    /// The format for the document engine and the start of the name of the main part, if this is a
    /// format of office programs: a zip archive, whose members are the parts of the document.
    office: Option<(DocumentFormat, &'static str)>,
}

/// The part of an office document that lists the types of all parts (ECMA-376-2, 10.1.2).
const CONTENT_TYPES: &str = "[Content_Types].xml";

/// The first bytes of a compound file, in which an encrypted office document is stored
/// ([MS-OFFCRYPTO], 2.3.4).
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

const TABLE: [Row; 6] = [
    Row {
        document: Document::Notebook,
        name: "Jupyter notebook",
        word: "notebook",
        units: Some(UnitKind::Cell),
        extensions: &["ipynb"],
        // Registered with IANA.
        mimes: &["application/x-ipynb+json"],
        office: None,
    },
    Row {
        document: Document::Word,
        name: "Word document",
        word: "Word document",
        units: None,
        extensions: &["docx", "docm", "dotx", "dotm"],
        mimes: &[],
        office: Some((DocumentFormat::Docx, "word/document")),
    },
    markup(Document::Html, "HTML page"),
    markup(Document::Feed, "feed"),
    markup(Document::Xml, "XML document"),
    markup(Document::Svg, "SVG image"),
];

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
        office: None,
    }
}

impl Document {
    fn row(self) -> &'static Row {
        let [notebook, word, html, feed, xml, svg] = &TABLE;
        match self {
            Self::Notebook => notebook,
            Self::Word => word,
            Self::Html => html,
            Self::Feed => feed,
            Self::Xml => xml,
            Self::Svg => svg,
        }
    }

    /// Detects the document format of a text. A notebook cannot be distinguished from other JSON by
    /// its content, so the MIME type or the name of the file decides.
    pub fn of_text(hints: Hints<'_>) -> Option<Self> {
        let typed = |row: &&Row| hints.mime.is_some_and(|mime| row.mimes.contains(&mime));
        let row = TABLE.iter().find(typed);
        row.map(|row| row.document)
            .or_else(|| Self::of_name(hints.name))
            .filter(|document| document.office().is_none())
    }

    /// Detects the office document of a zip archive with members of these names. `None` if the
    /// archive is not a document.
    pub fn of_members<'n>(names: impl Iterator<Item = &'n str>) -> Option<Self> {
        let (mut has_types, mut document) = (false, None);
        for name in names {
            // The names of parts ignore case (ECMA-376-2, 6.2.2.3).
            let name = name.trim_start_matches('/');
            has_types |= name.eq_ignore_ascii_case(CONTENT_TYPES);
            let is_main = |row: &&Row| row.office.is_some_and(|(_, main)| is_part(name, main));
            document = document.or_else(|| TABLE.iter().find(is_main));
        }
        document.filter(|_| has_types).map(|row| row.document)
    }

    /// Detects an office document that is encrypted. Its first bytes are those of older formats
    /// too, so the name decides.
    pub fn of_encrypted(head: &[u8], name: &str) -> Option<Self> {
        let document = Self::of_name(name).filter(|_| head.starts_with(COMPOUND_FILE))?;
        document.office().map(|_| document)
    }

    /// Detects a format of markup, such as HTML. `text` is the start of the text. A read that does
    /// not request the converted form does not call this function.
    pub fn of_markup(text: &str, hints: Hints<'_>) -> Option<Self> {
        let format = detect(text, hints.name, hints.mime)?;
        Some(match format {
            Format::Html => Self::Html,
            Format::Feed => Self::Feed,
            Format::Xml => Self::Xml,
            Format::Svg => Self::Svg,
        })
    }

    /// The document format that the extension of a file name indicates.
    pub fn of_name(name: &str) -> Option<Self> {
        let row = TABLE.iter().find(|row| ends_in(name, row.extensions));
        row.map(|row| row.document)
    }

    /// The document format that is divided into units of this kind, such as cells. `None` if no
    /// supported format has such units.
    pub fn of_units(units: UnitKind) -> Option<Self> {
        match units {
            UnitKind::Cell => Some(Self::Notebook),
            UnitKind::Page | UnitKind::Slide | UnitKind::Chapter => None,
        }
    }

    /// The full name, such as `Jupyter notebook`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether this is markup, which is converted only if the path requests it.
    pub fn is_markup(self) -> bool {
        match self {
            Self::Notebook | Self::Word => false,
            Self::Html | Self::Feed | Self::Xml | Self::Svg => true,
        }
    }

    /// The format for the document engine, if this is a format of office programs.
    pub fn office(self) -> Option<DocumentFormat> {
        self.row().office.map(|(format, _)| format)
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

/// Whether a member is the main part of a document. `main` is the start of its name. Some programs
/// add a number: `word/document2.xml`.
fn is_part(name: &str, main: &str) -> bool {
    let start = name.get(..main.len());
    let number = name.get(main.len()..).and_then(|end| end.split_once('.'));
    start.is_some_and(|start| start.eq_ignore_ascii_case(main))
        && number.is_some_and(|(number, extension)| {
            number.bytes().all(|byte| byte.is_ascii_digit())
                && extension.eq_ignore_ascii_case("xml")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn office_document_is_detected_by_its_members() {
        let of = |names: &[&str]| Document::of_members(names.iter().copied());
        for main in [
            "word/document.xml",
            "word/document2.xml",
            "/Word/Document.xml",
        ] {
            let word = Some(Document::Word);
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
    }

    #[test]
    fn table_rows_have_the_order_of_the_enum() {
        for row in &TABLE {
            assert_eq!(row.document.name(), row.name);
            assert_eq!(row.document.is_markup(), row.extensions.is_empty());
            for extension in row.extensions {
                let name = format!("dir/A.{}", extension.to_uppercase());
                assert_eq!(Document::of_name(&name), Some(row.document));
            }
        }
        assert_eq!(Document::of_name("ipynb"), None);
    }
}
