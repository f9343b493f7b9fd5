//! The dialect `claude`: the limits of images.

use super::{MIB, call, numbered, png, text};
use omniread::{Block, Dialect, Reason};
use omniread_tests::Workspace;
use serde_json::json;
use std::fs::File;

/// The dialect `claude` only describes an image file of more than 20 MiB in text, and refuses one
/// of more than 50 MiB.
#[test]
fn claude_describes_large_images_and_refuses_huge_ones() {
    let workspace = Workspace::new();
    workspace
        .file("fits.png", png(20 * MIB))
        .file("more.png", png(20 * MIB + 1))
        .file("huge.png", png(100));
    let huge = File::options()
        .write(true)
        .open(workspace.path().join("huge.png"))
        .unwrap();
    huge.set_len(50 << 20).unwrap();
    let session = workspace.session();
    let read = |name: &str| call(&session, Dialect::Claude, &json!({"file_path": name}));
    let reply = read("fits.png").unwrap();
    assert!(matches!(
        reply.blocks.as_slice(),
        [Block::Image(_), Block::Text(_)]
    ));
    let expected =
        "Image: fits.png\nSize: 20 MB\nDimensions: 1200 x 800\nType: PNG\n[converted to ";
    assert!(reply.text().starts_with(expected), "{}", reply.text());
    for name in ["more.png", "huge.png"] {
        let reply = read(name).unwrap();
        assert!(
            matches!(reply.blocks.as_slice(), [Block::Text(_)]),
            "{name}"
        );
        assert!(
            reply.text().ends_with("[not shown: larger than 20.0MB]"),
            "{}",
            reply.text()
        );
        assert!(reply.details.image().unwrap().payload.is_none());
    }
    huge.set_len((50 << 20) + 1).unwrap();
    let failure = read("huge.png").unwrap_err();
    assert!(matches!(failure.reason, Reason::Limit(limit) if limit.name == "image-size"));
}

/// `pages` selects pages of a PDF document, and `allow_large` lifts the limit of a page. Both can be
/// used with `offset` and `limit`.
#[test]
fn claude_takes_the_arguments_of_today() {
    let workspace = Workspace::new();
    let manual = std::fs::read(omniread_tests::project().join("examples/manual.pdf")).unwrap();
    workspace
        .file("manual.pdf", manual)
        .file("long.txt", numbered(2500))
        .file("a.txt", "a\n");
    let session = workspace.session();
    let shown = |arguments: &serde_json::Value| text(&session, Dialect::Claude, arguments);
    let page = shown(&json!({"file_path": "manual.pdf", "pages": "2"}));
    assert!(page.contains("<!-- page 2 -->"), "{page}");
    assert!(!page.contains("<!-- page 1 -->") && !page.contains("<!-- page 3 -->"));
    assert_eq!(page, shown(&json!({"file_path": "manual.pdf:page:2"})));
    let pages = shown(&json!({"file_path": "manual.pdf", "pages": "1-2"}));
    assert!(pages.contains("<!-- page 1 -->") && pages.contains("<!-- page 2 -->"));
    let part = shown(&json!({"file_path": "manual.pdf", "pages": "1-2", "offset": 3, "limit": 1}));
    assert!(part.contains("(Showing 1 of "), "{part}");

    assert!(shown(&json!({"file_path": "long.txt"})).ends_with("Use offset=2001 to continue."));
    let whole = shown(&json!({"file_path": "long.txt", "allow_large": true}));
    assert!(
        whole.contains("\tline 1\n") && whole.ends_with("\tline 2500"),
        "{whole}"
    );
    let rest = shown(&json!({"file_path": "long.txt", "offset": 2, "allow_large": true}));
    assert!(!rest.contains("\tline 1\n") && rest.contains("\tline 2500"));
    let few = shown(&json!({"file_path": "long.txt", "limit": 2, "allow_large": true}));
    assert!(
        few.ends_with("(Showing 2 of 2,500 total lines) Use offset=3 to continue."),
        "{few}"
    );

    let failure = |arguments: serde_json::Value| {
        call(&session, Dialect::Claude, &arguments)
            .unwrap_err()
            .text
    };
    assert_eq!(
        failure(json!({"file_path": "manual.pdf", "pages": "1-21"})),
        "argument `pages` names 21 pages, more than the 20 of a call\nhint: read pages 1-20 first"
    );
    let of_text = failure(json!({"file_path": "a.txt", "pages": "1"}));
    assert!(
        of_text.starts_with("`a.txt` has no pages for `:page:1`"),
        "{of_text}"
    );
}

/// The definitions of today differ from the others in the tools that have changed.
#[test]
fn definitions_of_today_have_the_arguments_of_today() {
    let workspace = Workspace::new();
    let reader = workspace.builder().build().unwrap();
    let arguments = |definitions: Vec<omniread::Definition>, dialect| {
        let definition = definitions.into_iter().find(|it| it.dialect == dialect);
        let schema: serde_json::Value = serde_json::from_str(&definition.unwrap().schema).unwrap();
        let names: Vec<String> = schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        names
    };
    let current = |dialect| arguments(reader.current_definitions().unwrap(), dialect);
    let specified = |dialect| arguments(reader.definitions().unwrap(), dialect);
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names.join(" ")
    };
    assert_eq!(
        sorted(current(Dialect::Gemini)),
        "end_line file_path start_line"
    );
    assert_eq!(
        sorted(specified(Dialect::Gemini)),
        "absolute_path limit offset prefer_full_read"
    );
    assert_eq!(
        sorted(current(Dialect::Claude)),
        "allow_large file_path limit offset pages"
    );
    assert_eq!(sorted(specified(Dialect::Claude)), "file_path limit offset");
    for dialect in [Dialect::Omp, Dialect::Gateway, Dialect::Comma] {
        assert_eq!(current(dialect), specified(dialect));
    }
}
