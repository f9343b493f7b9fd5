//! Formats of documents: what is converted to text.

use super::Hints;
use crate::path::{UnitKind, ends_in};

/// A format of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A Jupyter notebook.
    Notebook,
}

/// A row of the table.
struct Row {
    document: Document,
    /// Its name: `Jupyter notebook`.
    name: &'static str,
    /// The word for one in a sentence: `notebook`.
    word: &'static str,
    /// What it consists of.
    units: Option<UnitKind>,
    /// The endings of its names.
    extensions: &'static [&'static str],
    /// The MIME types of those that are text.
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

    /// The document that a text is. Nothing in a notebook tells it from other JSON,
    /// so its name decides.
    pub fn of_text(hints: Hints<'_>) -> Option<Self> {
        let typed = |row: &&Row| hints.mime.is_some_and(|mime| row.mimes.contains(&mime));
        let row = TABLE.iter().find(typed);
        row.map(|row| row.document)
            .or_else(|| Self::of_name(hints.name))
    }

    /// The document that a file is by its name.
    pub fn of_name(name: &str) -> Option<Self> {
        let row = TABLE.iter().find(|row| ends_in(name, row.extensions));
        row.map(|row| row.document)
    }

    /// The document that is meant where these units are asked for of a text.
    pub fn of_units(units: UnitKind) -> Option<Self> {
        match units {
            UnitKind::Cell => Some(Self::Notebook),
            UnitKind::Page | UnitKind::Slide | UnitKind::Chapter => None,
        }
    }

    /// Its name: `Jupyter notebook`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The word for one in a sentence: `notebook`.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// What it consists of.
    pub fn units(self) -> Option<UnitKind> {
        self.row().units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_formats() {
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
