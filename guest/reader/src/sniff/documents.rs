//! Formats of documents that are converted to text.

use super::Hints;
use crate::path::{UnitKind, ends_in};
use omniread_markup::detect::{Format, detect};

/// A format of documents that are converted to text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A Jupyter notebook.
    Notebook,
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
}

const TABLE: [Row; 5] = [
    Row {
        document: Document::Notebook,
        name: "Jupyter notebook",
        word: "notebook",
        units: Some(UnitKind::Cell),
        extensions: &["ipynb"],
        // Registered with IANA.
        mimes: &["application/x-ipynb+json"],
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
    }
}

impl Document {
    fn row(self) -> &'static Row {
        let [notebook, html, feed, xml, svg] = &TABLE;
        match self {
            Self::Notebook => notebook,
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
            Self::Notebook => false,
            Self::Html | Self::Feed | Self::Xml | Self::Svg => true,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

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
