//! Tests of paths that are URLs.

use super::*;
use crate::failure::{NetworkError, Unreachable};

#[test]
fn internal_url_is_read_like_a_file() {
    let mut world = MemoryWorld::new("/ws");
    let url = "acme://notes.md".to_owned();
    world
        .resources
        .insert(url.clone(), b"one\ntwo\nthree\n".to_vec());
    let page = reply(&mut world, &format!("{url}:2-2"), &exact());
    assert!(matches!(&*page.blocks, [Block::Text(text), ..] if text.starts_with("two")));
    let refused = Dialect::Omp
        .read("acme://x:2", &exact(), &mut world)
        .unwrap_err();
    assert_eq!(refused.failure.reason, Reason::NotFound(vec![url]));
}

#[test]
fn web_address_is_read_like_a_file() {
    let mut world = MemoryWorld::new("/ws");
    let mut page = |url: &str, body: &[u8]| world.web.insert(url.to_owned(), body.to_vec());
    page("https://example.com/a.txt", b"one\ntwo\nthree\n");
    page("http://example.com:8080", b"a port\n");
    page("https://example.com/a.txt?q=x:y", b"a query\n");
    page("https://www.example.com/wiki/Help:Contents", b"a colon\n");
    for (path, text) in [
        ("https://example.com/a.txt:1-2", "one\ntwo"),
        ("https://example.com/a.txt:2-3:raw", "two\nthree\n"),
        ("http://example.com:8080", "a port"),
        ("www.example.com/wiki/Help:Contents:1", "a colon"),
        ("https://example.com/a.txt?q=x:y", "a query"),
    ] {
        let page = reply(&mut world, path, &exact());
        assert!(
            matches!(&*page.blocks, [Block::Text(shown), ..] if shown == text),
            "{path}: {:?}",
            page.blocks
        );
        // A URL cannot be edited, and it is not reported to the session.
        assert!(!page.answer.subject.editable(), "{path}");
    }
    assert!(world.snapshots.is_empty());
    // A number after a server name is a port.
    let long: String = (1..=400).map(|n| format!("line {n}\n")).collect();
    for server in ["https://long.example", "http://long.example:8080"] {
        world
            .web
            .insert(server.to_owned(), long.clone().into_bytes());
        world
            .web
            .insert(format!("{server}/"), long.clone().into_bytes());
        let page = reply(&mut world, server, &exact());
        let next = page.answer.next().unwrap();
        assert_eq!(next, format!("{server}/:301"));
        let rest = reply(&mut world, &next, &exact());
        assert!(
            matches!(&*rest.blocks, [Block::Text(shown), ..] if shown.starts_with("line 301")),
            "{:?}",
            rest.blocks
        );
    }
    let first = reply(&mut world, "https://example.com/a.txt:1", &exact());
    assert_eq!(first.answer.subject.path, "https://example.com/a.txt");

    for dialect in Dialect::ALL {
        let url = "https://unreachable.example/x";
        let refused = dialect
            .read(&format!("{url}:5-9"), &exact(), &mut world)
            .unwrap_err();
        let error = NetworkError::Connect("connection refused".to_owned());
        let url = url.to_owned();
        let message = format!("cannot read `{url}`: the connection failed: connection refused");
        assert_eq!(*refused.failure.message, *message);
        assert_eq!(
            refused.failure.reason,
            Reason::Network(Unreachable { url, error })
        );
    }
}

/// If the host does not support the scheme `acme`, the path `acme://x` is that of the file
/// `acme:/x`.
#[test]
fn unknown_scheme_may_be_the_name_of_a_file() {
    let mut world = MemoryWorld::new("/ws");
    world.file("acme:/x", "one\n");
    let page = reply(&mut world, "acme://x", &exact());
    assert!(
        matches!(&*page.blocks, [Block::Text(text), ..] if text.ends_with("one")),
        "{:?}",
        page.blocks
    );
    let refused = Dialect::Omp
        .read("skill://x", &exact(), &mut world)
        .unwrap_err();
    assert!(
        refused
            .text
            .contains("`skill://` URLs are not supported yet")
    );
}
