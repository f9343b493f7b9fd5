//! Images of pages and of files, and pages whose text cannot be read.

use super::read;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use omniread::{Block, Dialect, Reason, Session};
use omniread_tests::pdf::objects::{Objects, line};
use omniread_tests::{Workspace, text};

const MANUAL: &[u8] = include_bytes!("../../../../../examples/manual.pdf");

/// A file with pages of these contents.
fn pages(contents: &[&str]) -> Vec<u8> {
    let mut objects = Objects::lines("", &vec![""; contents.len()]);
    for (index, content) in contents.iter().enumerate() {
        let length = content.len();
        objects.replace(
            4 + 2 * index,
            format!("<< /Length {length} >>\nstream\n{content}\nendstream"),
        );
    }
    objects.build()
}

/// The size in pixels of each image of a reply in `omp`.
fn images(session: &Session, path: &str) -> Vec<(u32, u32)> {
    let reply = session.read(path).expect("a reply");
    let sizes = reply.blocks.iter().filter_map(|block| match block {
        Block::Image(image) => Some(size(&STANDARD.decode(&image.data).expect("base64"))),
        _ => None,
    });
    sizes.collect()
}

/// The size in pixels of a PNG file, from its header.
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG"), "not PNG");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("4 bytes"));
    (number(16), number(20))
}

#[test]
fn page_is_an_image_within_the_bounds() {
    let workspace = Workspace::new();
    workspace.file("manual.pdf", MANUAL);
    let session = workspace.session();
    let [(width, height)] = images(&session, "manual.pdf:page:2:img")[..] else {
        panic!("one image")
    };
    assert!(
        width < height && height <= 1568 && height > 1500,
        "{width}x{height}"
    );
    for dialect in [Dialect::Omp, Dialect::Gateway, Dialect::Claude] {
        let reply = read(&session, dialect, "manual.pdf:page:2:img");
        let shown = reply
            .blocks
            .iter()
            .any(|block| matches!(block, Block::Image(_)));
        assert!(shown, "{dialect:?}: {}", reply.text());
    }
    let missing = session.read("manual.pdf:page:9:img").unwrap_err();
    assert!(
        matches!(&missing.reason, Reason::InvalidSelector(selector) if selector == "page:9:img"),
        "{missing:?}"
    );
    let other = session.read("manual.pdf:image:1").unwrap_err();
    assert!(
        matches!(other.reason, Reason::InvalidSelector(_)),
        "{other:?}"
    );
}

#[test]
fn pages_without_text_are_shown_as_images() {
    let workspace = Workspace::new();
    let drawing = "1 0 0 rg 100 100 300 300 re f";
    let text_page = line("A page with text.");
    let contents = [drawing, &text_page, drawing, drawing, drawing];
    workspace.file("scan.pdf", pages(&contents));
    let session = workspace.session();
    let rendered = text(&session, "scan.pdf");
    for page in [1, 3, 4, 5] {
        let reference = format!("![Page {page}](scan.pdf:page:{page}:img)");
        assert!(rendered.contains(&reference), "{reference}: {rendered}");
    }
    assert!(!rendered.contains("scan.pdf:page:2:img"), "{rendered}");
    assert!(rendered.contains("A page with text."), "{rendered}");
    // Three pages are rendered for one reply, and the next path is named.
    assert_eq!(images(&session, "scan.pdf").len(), 3);
    let path = "their paths read the others, such as `scan.pdf:page:5:img`";
    assert!(rendered.contains(path), "{rendered}");
    assert_eq!(images(&session, "scan.pdf:page:5").len(), 1);
    assert_eq!(images(&session, "scan.pdf:page:2").len(), 0);
}

#[test]
fn hidden_text_is_shown_on_request() {
    let workspace = Workspace::new();
    let white = "1 1 1 rg BT /F1 11 Tf 72 600 Td (white-words) Tj ET";
    let contents = [&format!("{} {white}", line("First.")), &line("Second.")];
    workspace.file("x.pdf", pages(&contents.map(String::as_str)));
    let session = workspace.session();
    assert!(!text(&session, "x.pdf").contains("white-words"));
    for path in ["x.pdf:all", "x.pdf:page:1:all", "x.pdf:page:1-2:all"] {
        let rendered = text(&session, path);
        assert!(rendered.contains("white-words"), "{path}: {rendered}");
        assert!(!rendered.contains("left out"), "{path}: {rendered}");
        assert_eq!(
            rendered.contains("Second."),
            path != "x.pdf:page:1:all",
            "{path}"
        );
    }
    // A file of another kind has no such form.
    workspace.file("a.txt", "a");
    assert!(session.read("a.txt:all").is_err());
}
