//! Tests of files on servers that accept ranges.

use super::*;
use crate::world::Input;
use crate::world::memory::{MemoryDocument, MemoryHttp, MemoryResponse};
use std::rc::Rc;

/// A server that accepts ranges is not asked for a whole database or PDF document.
#[test]
fn engines_read_large_files_on_a_server_in_parts() {
    let mut world = MemoryWorld::new("/ws");
    world.document = Some(Ok(MemoryDocument::default()));
    let database = b"SQLite format 3\0\x10\0\x02\x02".as_slice();
    let pdf = b"%PDF-1.7\n".as_slice();
    // The last field is the maximum number of requests.
    for (name, start, size, in_parts, most) in [
        ("large.db", database, 3 << 20, true, 1),
        ("small.db", database, 1 << 20, false, 4),
        ("large.pdf", pdf, 5 << 20, true, 1),
        ("small.pdf", pdf, 3 << 20, false, 6),
        ("large.rtf", b"{\\rtf1 ".as_slice(), 9 << 20, false, 8),
    ] {
        let mut body = start.to_vec();
        body.resize(size, b' ');
        let url = format!("https://example.com/{name}");
        let http = Rc::new(MemoryHttp::default());
        http.page(
            &url,
            MemoryResponse::new(200, body)
                .header("ETag", "\"1\"")
                .ranged(),
        );
        world.web = Some(Rc::clone(&http));
        world.inputs.clear();
        let _ = Dialect::Omp.read(&url, &exact(), &mut world);
        let [input] = &*world.inputs else {
            panic!("{name}: {:?}", world.inputs);
        };
        assert_eq!(matches!(input, Input::Remote(_)), in_parts, "{name}");
        let requests = http.requests();
        assert!(requests.len() <= most, "{name}: {requests:?}");
    }
}
