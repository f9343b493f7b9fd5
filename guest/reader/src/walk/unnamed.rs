//! Tables in standard input, which has no name that states the format.

use crate::failure::Failure;
use crate::limits;
use crate::pages::Input;
use crate::path::Suffix;
use crate::path::rows::of_file;
use crate::sniff::{self, Container, Kind};
use crate::sources::of_text;
use crate::subject::{Origin, Subject};
use crate::tables;
use crate::world::Bytes;

/// Whether content without a name is a table: the rest of the path can request rows, and the first bytes
/// are records.
///
/// # Errors
/// Fails if the request is not valid.
pub fn is_table(head: &[u8], subject: &Subject, rest: Option<&Suffix>) -> Result<bool, Failure> {
    let is_unnamed = subject.origin == Origin::Stdin
        && subject.inner_path.is_empty()
        && subject.info.mime.is_none()
        && Container::of(head).is_none();
    let Some(rest) = rest.filter(|_| is_unnamed) else {
        return Ok(false);
    };
    // Most texts after a path are selectors of its lines.
    if matches!(of_file(rest), Ok(None)) {
        return Ok(false);
    }
    let whole = head.len() < limits::SNIFF_BYTES;
    let mut bytes = Bytes::new(head.to_vec());
    let encoding = Input::new(&mut bytes, None).ok().and_then(|mut input| {
        let hints = subject.hints();
        let detected = sniff::sniff(&mut input, None, None, hints);
        let encoding = detected.encoding.filter(|_| detected.kind == Kind::Text)?;
        // A mail and a page without a declaration are texts with another form.
        let is_other = of_text(&input, encoding, hints).is_some();
        (!is_other).then_some(encoding)
    });
    let Some(encoding) = encoding else {
        return Ok(false);
    };
    // A request that is not valid for a table may be valid for something else.
    let is_table = tables::is_table(&encoding.decoded(head, whole), whole);
    Ok(is_table && of_file(rest)?.is_some())
}
