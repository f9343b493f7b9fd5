//! The stream of a workbook with its globals.

use super::book::Globals;

/// The stream of a workbook, and what is before its sheets.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The stream.
    pub stream: &'a [u8],
    /// What is before the sheets.
    pub globals: &'a Globals,
}
