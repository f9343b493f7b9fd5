//! The bytes of the content of a page.

use crate::array;
use crate::decode;
use crate::limits;
use hayro_syntax::object::{Object, Stream};
use hayro_syntax::page::Page;

/// The number of bytes that filters may read and write for each byte of content. Programs apply one or two.
pub const FILTERS: usize = 4;

/// The number of bytes that a stream counts which cannot be decoded. It may be found late.
pub const FAILED: usize = limits::CONTENT_BYTES / 8;

/// The bytes of the content of a page.
pub fn of_page(page: &Page<'_>) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    let mut cut = false;
    let mut work = 0_usize;
    let mut add = |stream: &Stream<'_>| {
        let most = limits::CONTENT_BYTES.saturating_sub(out.len().max(work / FILTERS));
        if most == 0 {
            cut = true;
            return;
        }
        let decoded = decode::measured(stream, most);
        work = work.saturating_add(decoded.as_ref().map_or(FAILED, |decoded| decoded.2));
        if let Some((bytes, more, _)) = decoded {
            cut |= more;
            out.extend_from_slice(bytes.get(..most.min(bytes.len())).unwrap_or_default());
            out.push(b'\n');
        }
    };
    match page.raw().get::<Object<'_>>("Contents") {
        Some(Object::Stream(stream)) => add(&stream),
        Some(Object::Array(list)) => {
            for stream in array::streams(&list).take(100_000) {
                add(&stream);
            }
        }
        _ => {}
    }
    (out, cut)
}
