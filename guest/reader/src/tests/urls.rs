//! Tests of paths that are internal URLs.

use super::*;

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
