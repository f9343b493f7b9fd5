//! Word processors: what docx, doc, RTF and texts of OpenDocument share.
//!
//! ```text
//! paragraph  paragraphs → headings, items of lists, code, quotations and text
//! numbering  the numbers of list items and headings
//! styles     what the names of built-in styles imply
//! contents   titles of tables of contents that are left out
//! table      rows with merged cells
//! notes      footnotes, endnotes and comments
//! pages      headers and footers
//! fields     instructions of fields, and what is shown without a result
//! ```

pub mod contents;
pub mod fields;
pub mod notes;
pub mod numbering;
pub mod pages;
pub mod paragraph;
pub mod styles;
pub mod table;
