//! Formats of documents that are converted to text.

use super::Hints;
use crate::path::{UnitKind, ends_in};

/// A format of documents that are converted to text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A Jupyter notebook.
    Notebook,
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

const TABLE: [Row; 1] = [Row {
    document: Document::Notebook,
    name: "Jupyter notebook",
    word: "notebook",
    units: Some(UnitKind::Cell),
    extensions: &["ipynb"],
    // Registered with IANA.
    mimes: &["application/x-ipynb+json"],
}];

impl Document {
    fn row(self) -> &'static Row {
        let [notebook] = &TABLE;
        match self {
            Self::Notebook => notebook,
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
            for extension in row.extensions {
                let name = format!("dir/A.{}", extension.to_uppercase());
                assert_eq!(Document::of_name(&name), Some(row.document));
            }
        }
        assert_eq!(Document::of_name("ipynb"), None);
    }
}
