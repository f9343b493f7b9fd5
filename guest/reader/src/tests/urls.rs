//! Tests of paths that are internal URLs.

use super::*;
use crate::path::Suffix;

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

/// The bytes of a resource have no time of their own, so that it cannot differ from that of the resource.
#[test]
fn resource_with_a_time_has_no_note() {
    let mut world = MemoryWorld::new("/ws");
    for url in ["acme://notes.md", "artifact://1"] {
        let text = b"one\ntwo\nthree\n".to_vec();
        world.resources.insert(url.to_owned(), text);
    }
    for url in ["acme://notes.md", "artifact://1", "artifact://1:2-2"] {
        let page = reply(&mut world, url, &exact());
        assert_eq!(page.answer.notes, Vec::<String>::new(), "{url}");
    }
}

#[test]
fn names_and_statements_may_have_many_colons() {
    let mut world = MemoryWorld::new("/ws");
    let long = "acme://1:2:3:4:5:6:7:8:9:10:11.md";
    let (lines, rows) = (b"one\ntwo\n".to_vec(), b"a,b\nx,1\n".to_vec());
    let statement = "?where=a='1:2:3:4:5:6:7:8:9:10' OR b=1";
    world.resources.insert(long.to_owned(), lines);
    world.resources.insert("acme://t.csv".to_owned(), rows);
    for (path, name, suffix) in [
        (format!("{long}:2-2"), long, Some("2-2")),
        (long.to_owned(), long, None),
        (
            format!("acme://t.csv{statement}"),
            "acme://t.csv",
            Some(statement),
        ),
    ] {
        let found = crate::sources::resolve(&path, &crate::sources::Wanted::default(), &mut world);
        let found = found.map_err(|failure| failure.message).unwrap();
        assert_eq!(found.subject.path, name);
        assert_eq!(found.suffix.as_ref().map(Suffix::as_str), suffix);
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
            .contains("no directory is mounted for `skill://`")
    );
}
