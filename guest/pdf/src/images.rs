//! Images of the file as files of their own.

use hayro_syntax::Filter;
use hayro_syntax::object::Stream;

/// The bytes of an image as a file that programs can show. `None` if this is not possible.
pub fn file_of(stream: &Stream<'_>) -> Option<Vec<u8>> {
    match stream.filters().as_slice() {
        [Filter::DctDecode] => Some(stream.raw_data().into_owned()),
        _ => None,
    }
}
