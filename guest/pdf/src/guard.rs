//! Looks for streams that are too large, before the library reads a file.
//!
//! The library decompresses streams of objects and cross-reference streams whole. A file of some hundred
//! bytes can make 512 MB of them.
//!
//! The streams are found by their names. A stream whose name is written with escapes, or that has none, is
//! not found. The memory limit of the engine ends such a read.

use crate::decode;
use crate::limits;
use memchr::memmem;

/// Whether a stream of objects or a cross-reference stream is larger than the limit, or there are too many
/// trailers.
pub fn is_bomb(bytes: &[u8]) -> bool {
    // Each trailer stays in memory while a damaged file is searched.
    if memmem::find_iter(bytes, "trailer")
        .take(limits::TRAILERS)
        .count()
        >= limits::TRAILERS
    {
        return true;
    }
    let mut rest = limits::OBJECT_BYTES;
    let stream = memmem::Finder::new("stream");
    let end = memmem::Finder::new("endstream");
    for name in ["/ObjStm", "/XRef"] {
        for at in memmem::find_iter(bytes, name).take(limits::OBJECT_STREAMS) {
            let after = bytes.get(at..).unwrap_or_default();
            let near = after.get(..after.len().min(4096)).unwrap_or_default();
            let Some(start) = stream.find(near) else {
                continue;
            };
            let start = start.saturating_add("stream".len());
            let head_start = at.saturating_sub(1024);
            let head = bytes
                .get(head_start..at.saturating_add(start))
                .unwrap_or_default();
            let data = after.get(start..).unwrap_or_default();
            let data = data.strip_prefix(b"\r").unwrap_or(data);
            let data = data.strip_prefix(b"\n").unwrap_or(data);
            let data = data
                .get(..end.find(data).unwrap_or(data.len()))
                .unwrap_or_default();
            // The filters of the dictionary: those after the end of the object before.
            let own = memmem::rfind(head, b"obj").unwrap_or_default();
            let own = head.get(own..).unwrap_or_default();
            let layers = memmem::find_iter(own, "FlateDecode")
                .chain(memmem::find_iter(own, "/Fl "))
                .count();
            let others = ["LZW", "RunLength", "/RL"]
                .iter()
                .any(|name| memmem::find(own, name.as_bytes()).is_some());
            if others && data.len() > 4096 {
                return true;
            }
            // Deflate makes data up to 1032 times as long.
            if layers <= 1 && data.len().saturating_mul(1032) <= limits::SMALL_OBJECT_BYTES {
                continue;
            }
            let mut bytes = data.to_vec();
            for _ in 0..layers.max(1) {
                let (next, cut) = decode::inflate(&bytes, rest.saturating_add(1));
                if cut {
                    return true;
                }
                bytes = next;
            }
            match rest.checked_sub(bytes.len()) {
                Some(less) => rest = less,
                None => return true,
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    fn file(filter: &str, data: &[u8]) -> Vec<u8> {
        let mut out = format!(
            "%PDF-1.5\n1 0 obj << /Type /ObjStm /Filter {filter} /Length {} >> stream\n",
            data.len()
        )
        .into_bytes();
        out.extend_from_slice(data);
        out.extend_from_slice(b"\nendstream endobj\n");
        out
    }

    #[test]
    fn large_streams_are_found() {
        let small = deflated(&vec![b' '; 100_000]);
        assert!(!is_bomb(&file("/FlateDecode", &small)));
        let large = deflated(&vec![b' '; limits::OBJECT_BYTES + 10]);
        assert!(is_bomb(&file("/FlateDecode", &large)));
        let twice = deflated(&large);
        assert!(is_bomb(&file("[/FlateDecode /FlateDecode]", &twice)));
        assert!(!is_bomb(b"/ObjStm"));
        assert!(is_bomb(&b"trailer << >>\n".repeat(limits::TRAILERS)));
    }
}
