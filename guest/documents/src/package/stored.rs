//! Parts in memory, of packages that are no zip archive.

use std::collections::BTreeMap;

/// The start of the note on a file whose XML is damaged.
pub const DAMAGED: &str = "The XML of the file is damaged";

/// The parts of a package that is not a zip archive.
#[derive(Default)]
pub struct Parts {
    /// The parts with their names.
    pub list: Vec<(String, Vec<u8>)>,
    /// The content types of parts by their names.
    pub types: BTreeMap<String, String>,
    /// Notes on the package.
    pub notes: Vec<String>,
}

impl Parts {
    /// Notes what is wrong with the XML.
    pub fn damaged(&mut self, why: Option<&str>) {
        let note = why.map(|why| format!("{DAMAGED}: {why}."));
        self.notes.extend(note);
    }
}
