//! Details of a document.

use super::text::TextDetails;
use serde::Serialize;
use wasmtime::component::{ComponentType, Lift};

/// Details of a document.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct DocumentDetails {
    /// The format, such as `Jupyter notebook`.
    pub format: String,
    /// The units, if the document has any.
    pub units: Option<Units>,
    /// Metadata of the document, each name once. A notebook may have `language` and `nbformat`.
    #[serde(serialize_with = "super::sorted")]
    pub metadata: Vec<(String, String)>,
    /// Details of the text that the document was converted to.
    pub text: TextDetails,
}

/// The kind and number of the units (such as the cells of a notebook) of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Units {
    /// The kind of the units.
    pub kind: UnitKind,
    /// The number of units in the whole document.
    pub count: u64,
}

/// A kind of unit, which is a part of a document. The name of the kind is used to select a unit:
/// `:cell:3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(enum)]
#[repr(u8)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnitKind {
    /// A cell of a notebook. The first one has number 0.
    #[component(name = "cell")]
    Cell,
    /// A page of a document.
    #[component(name = "page")]
    Page,
    /// A slide of a presentation.
    #[component(name = "slide")]
    Slide,
    /// A chapter of a book.
    #[component(name = "chapter")]
    Chapter,
    /// A mail of a mailbox.
    #[component(name = "mail")]
    Mail,
    /// A sheet of a workbook.
    #[component(name = "sheet")]
    Sheet,
}
