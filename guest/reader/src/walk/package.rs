//! Documents of office programs, which are zip archives of their parts. A path reads the document,
//! unless it names one of the parts.

use crate::containers::archive::Index;
use crate::path::Suffix;
use crate::sniff::Document;

/// A zip archive that may be a document.
#[derive(Clone, Copy)]
pub struct Package<'a> {
    /// The first bytes.
    pub head: &'a [u8],
    /// The name of the file.
    pub name: &'a str,
    /// The text of the path after the name.
    pub rest: Option<&'a Suffix>,
}

impl Package<'_> {
    /// The format of the document. `None` if the archive is not a document, or if the path does not
    /// select a part of its text.
    pub fn document(&self, index: &Index) -> Option<Document> {
        let document = self.kind(index)?;
        // The query of a workbook has no name before it.
        let is_query = self.rest.is_some_and(|rest| rest.as_str().starts_with('?'));
        (selects(self.rest) || (is_query && document.is_workbook())).then_some(document)
    }

    /// The format of the workbook. `None` if the archive is not a workbook. The path may name a
    /// sheet.
    pub fn workbook(&self, index: &Index) -> Option<Document> {
        self.kind(index).filter(|document| document.is_workbook())
    }

    /// The format of the document, whatever the path selects. `None` if the archive is not a
    /// document.
    pub fn kind(&self, index: &Index) -> Option<Document> {
        let names = index.members.iter().map(|member| member.name.as_str());
        Document::of_members(names, self.head, self.name)
    }

    /// The format of a damaged document, by its name. `None` as for [`Package::document`].
    pub fn damaged(&self) -> Option<Document> {
        let document = Document::of_name(self.name).filter(|document| document.is_zip())?;
        (document.is_workbook() || selects(self.rest)).then_some(document)
    }
}

/// Whether `rest` is nothing or a selector, and not the name of a member.
fn selects(rest: Option<&Suffix>) -> bool {
    let is_selector = |rest: &Suffix| !matches!(rest.selector(), Ok(None));
    rest.is_none_or(|rest| {
        is_selector(rest) || rest.without_column().is_some_and(|rest| is_selector(&rest))
    })
}
