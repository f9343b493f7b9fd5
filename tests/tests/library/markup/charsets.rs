//! The encoding of markup: byte order mark, declaration, bytes.

use omniread_tests::{Workspace, text};

/// An HTML page whose text is `words` in this encoding. `declared` is the encoding that the page
/// declares.
fn page(declared: &str, words: &[u8]) -> Vec<u8> {
    let head = format!("<!DOCTYPE html><meta charset=\"{declared}\"><title>Words</title><p>");
    [head.as_bytes(), words].concat()
}

#[test]
fn declared_charset_decodes_markup() {
    let workspace = Workspace::new();
    workspace
        .file("latin2.html", page("iso-8859-2", b"\xb3\xf3d\xbc"))
        .file("unknown.html", page("no-such", "łódź".as_bytes()))
        .file("wrong.html", page("iso-8859-2", "łódź".as_bytes()))
        .file("ascii.html", page("iso-8859-2", b"only ASCII"))
        .file(
            "declared.xml",
            b"<?xml version=\"1.0\" encoding=\"koi8-r\"?><a>\xcd\xc9\xd2</a>".as_slice(),
        )
        .file(
            "marked.html",
            [
                b"\xff\xfe".as_slice(),
                &utf16(&String::from_utf8(page("latin1", b"wide")).unwrap()),
            ]
            .concat(),
        );
    let session = workspace.session();
    for (path, words, encoding, note) in [
        ("latin2.html:", "łódź", "iso-8859-2", false),
        ("unknown.html:", "łódź", "utf-8", false),
        ("wrong.html:", "łódź", "utf-8", true),
        ("ascii.html:", "only ASCII", "utf-8", false),
        ("declared.xml:", "мир", "koi8-r", false),
        ("marked.html:", "wide", "utf-16le", false),
    ] {
        let reply = session.read(path).unwrap();
        assert!(reply.text().contains(words), "{path}: {}", reply.text());
        let details = &reply.details.document().unwrap().text;
        assert_eq!(details.encoding, encoding, "{path}");
        assert!(!details.guessed, "{path}");
        let said = "the declared encoding iso-8859-2 is wrong: the text is UTF-8";
        let has = reply.details.notes.iter().any(|one| *one == said);
        assert_eq!(has, note, "{path}: {:?}", reply.details.notes);
    }
    // The bare path is detected from the bytes, as before.
    assert!(text(&session, "latin2.html").contains("(guessed)"));
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}
