//! Workbooks: what their formats share. The types are those of `omniread_document::workbook`.
//!
//! ```text
//! number_format  numbers → displayed text
//! document       a workbook as a document: its sheets as Markdown
//! binary         what binary workbooks of all versions share
//! formula        formulas of binary workbooks → text
//! hyperlink      the addresses of formulas that are links
//! iso            dates of ISO 8601 in cells
//! notes          notes on sheets
//! ```

pub mod binary;
pub mod document;
pub mod formula;
pub mod hyperlink;
pub mod iso;
pub mod notes;
pub mod number_format;

pub use omniread_document::workbook::*;
