//! Tests of files on servers that accept ranges.

use super::*;
use crate::world::Input;
use crate::world::memory::MemoryDocument;
use std::cell::Cell;
use std::rc::Rc;

/// A server that accepts ranges is not asked for a whole database or PDF document.
#[test]
fn engines_read_large_files_on_a_server_in_parts() {
    let mut world = MemoryWorld::new("/ws");
    let requests = Rc::new(Cell::new(0));
    world.requests = Some(Rc::clone(&requests));
    world.document = Some(Ok(MemoryDocument::default()));
    let database = b"SQLite format 3\0\x10\0\x02\x02".as_slice();
    let pdf = b"%PDF-1.7\n".as_slice();
    // The last field is the maximum number of requests. All bytes are requested if it is above two.
    for (name, start, size, in_parts, most) in [
        ("large.db", database, 3 << 20, true, 1),
        ("small.db", database, 1 << 20, false, 20),
        ("large.pdf", pdf, 5 << 20, true, 2),
        ("small.pdf", pdf, 3 << 20, false, 50),
        ("large.rtf", b"{\\rtf1 ".as_slice(), 5 << 20, false, 200),
    ] {
        let mut body = start.to_vec();
        body.resize(size, b' ');
        let url = format!("https://example.com/{name}");
        world.web.insert(url.clone(), body);
        world.inputs.clear();
        requests.set(0);
        let _ = Dialect::Omp.read(&url, &exact(), &mut world);
        let [input] = &*world.inputs else {
            panic!("{name}: {:?}", world.inputs);
        };
        assert_eq!(matches!(input, Input::Remote(_)), in_parts, "{name}");
        let requests = requests.get();
        assert!(requests <= most, "{name}: {requests} requests");
    }
}
