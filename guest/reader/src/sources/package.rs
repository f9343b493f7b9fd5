//! Documents of office programs, which are zip archives of their parts. A path reads the document,
//! unless it names one of the parts.

use crate::containers::archive::{Format, Index, read_to_memory};
use crate::limits;
use crate::path::Suffix;
use crate::sniff::Document;
use crate::world::{Bytes, FileError, Source};

/// The format of an archive that is a document. `None` if it is not a document, or if `rest`, the
/// text of the path after its name, does not select a part of its text.
pub fn document(format: Format, index: &Index, rest: Option<&Suffix>) -> Option<Document> {
    if format != Format::Zip || !selects(rest) {
        return None;
    }
    Document::of_members(index.members.iter().map(|member| member.name.as_str()))
}

/// The format of a damaged document, by its name. `None` as for [`document`].
pub fn damaged(format: Option<Format>, name: &str, rest: Option<&Suffix>) -> Option<Document> {
    if format != Some(Format::Zip) || !selects(rest) {
        return None;
    }
    Document::of_name(name).filter(|document| document.office().is_some())
}

/// Reads a zip archive in a stream, such as standard input, into memory. Sets `size` to its size in
/// bytes.
///
/// # Errors
/// Fails if the archive is too large or cannot be read.
pub fn in_memory(
    source: &mut dyn Source,
    size: &mut Option<u64>,
) -> Result<Box<dyn Source>, FileError> {
    let bytes = read_to_memory(source, "nested-archive", limits::NESTED_BYTES)?;
    *size = Some(bytes.len() as u64);
    Ok(Box::new(Bytes::new(bytes)))
}

/// Whether `rest` is nothing or a selector, and not the name of a member.
fn selects(rest: Option<&Suffix>) -> bool {
    let is_selector = |rest: &Suffix| !matches!(rest.selector(), Ok(None));
    rest.is_none_or(|rest| {
        is_selector(rest) || rest.without_column().is_some_and(|rest| is_selector(&rest))
    })
}
