//! Images of documents in the pages of the dialect `omp`.

use super::read;
use image::ImageFormat;
use omniread::{Block, Dialect, Options, Reply, Session};
use omniread_tests::docx::Docx;
use omniread_tests::image::{Shown, drawing, encoded, photograph, shown};
use omniread_tests::pack::zip;
use omniread_tests::{DIALECTS, Workspace, chain};

fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(drawing(width, height), ImageFormat::Png)
}

/// The widths of the images of a reply, in their order.
fn widths(reply: &Reply) -> Vec<u32> {
    let shown = shown(reply, &Options::default()).into_iter();
    shown.map(|Shown { image, .. }| image.width()).collect()
}

fn omp(session: &Session, path: &str) -> Reply {
    read(session, Dialect::Omp, path)
}

/// A document with `count` images, each after a paragraph with its number. Image `n` is `100 + n`
/// pixels wide.
fn album(count: u32) -> Vec<u8> {
    let pages = (1..=count).fold(Docx::default(), |docx, n| {
        docx.paragraph(&format!("before-{n}"))
            .image(&format!("no {n}"), png(100 + n, 50))
    });
    pages.build()
}

#[test]
fn figure_follows_the_line_that_refers_to_it() {
    let workspace = Workspace::new();
    workspace
        .file("album.docx", album(3))
        .file("x.zip", zip(&[("in/my album.docx", &album(3))]));
    let session = workspace.session();
    for path in ["album.docx", "x.zip:in/my album.docx"] {
        let reply = omp(&session, path);
        assert_eq!(widths(&reply), [101, 102, 103], "{path}");
        let texts: Vec<&str> = reply
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        for (index, text) in texts.iter().take(3).enumerate() {
            let n = index + 1;
            assert!(
                text.contains(&format!("before-{n}\n\n![no {n}](")),
                "{text}"
            );
            assert!(
                text.ends_with(&format!(
                    ":image:{n}{}\n[image:{n}]",
                    if path.contains(' ') { ">)" } else { ")" }
                )),
                "{text}"
            );
        }
        assert_eq!(reply.blocks.len(), 6, "{path}");
    }
}

#[test]
fn page_shows_only_the_figures_of_its_lines() {
    let workspace = Workspace::new();
    workspace.file("album.docx", album(4));
    let session = workspace.session();
    // Each paragraph and each image is followed by an empty line.
    for (path, expected) in [
        ("album.docx:1-3", vec![101]),
        ("album.docx:4-7", vec![102]),
        ("album.docx:3,11", vec![101, 103]),
        ("album.docx:-1", vec![104]),
        ("album.docx:1-2", vec![]),
        ("album.docx:3@3", vec![101]),
        ("album.docx:3-3:raw", vec![]),
        ("album.docx:raw", vec![]),
        ("album.docx::raw", vec![]),
    ] {
        let reply = omp(&session, path);
        assert_eq!(widths(&reply), expected, "{path}: {}", reply.text());
    }
}

#[test]
fn figure_is_shown_in_no_other_dialect() {
    let workspace = Workspace::new();
    workspace.file("album.docx", album(2));
    let session = workspace.session();
    for dialect in DIALECTS {
        let reply = read(&session, dialect, "album.docx:");
        let expected = if dialect == Dialect::Omp { 2 } else { 0 };
        assert_eq!(
            shown(&reply, &Options::default()).len(),
            expected,
            "{dialect:?}"
        );
        assert!(reply.text().contains("(album.docx:image:1)"), "{dialect:?}");
        assert_eq!(reply.text().contains("[image:1]"), dialect == Dialect::Omp);
    }
}

#[test]
fn ten_figures_are_shown_and_the_others_are_named() {
    let workspace = Workspace::new();
    workspace
        .file("album.docx", album(14))
        .file("ten.docx", album(10));
    let session = workspace.session();
    let reply = omp(&session, "album.docx");
    assert_eq!(widths(&reply), (101..=110).collect::<Vec<_>>());
    let text = reply.text();
    let notice = "[10 of the 14 images in this reply are shown; their paths read the others, \
                  such as `album.docx:image:11`]";
    assert!(text.contains(notice), "{text}");
    assert!(text.contains("![no 14](album.docx:image:14)"), "{text}");
    assert!(!text.contains("[image:11]"), "{text}");
    assert_eq!(widths(&omp(&session, "album.docx:image:11")), [111]);
    // The other images are on a page of their own lines.
    assert_eq!(
        widths(&omp(&session, "album.docx:41-60")),
        [111, 112, 113, 114]
    );
    let text = omp(&session, "ten.docx").text();
    assert!(!text.contains("images in this reply"), "{text}");
}

#[test]
fn decorations_are_not_shown() {
    let workspace = Workspace::new();
    let docx = Docx::default()
        .image("bullet", png(31, 31))
        .image("line", png(400, 1))
        .image("rule", png(1, 400))
        .image("icon", png(32, 8))
        .image("chart", png(200, 100));
    workspace.file("a.docx", docx.build());
    let session = workspace.session();
    let reply = omp(&session, "a.docx");
    assert_eq!(widths(&reply), [32, 200]);
    let text = reply.text();
    for name in ["bullet", "line", "rule"] {
        assert!(text.contains(&format!("![{name}](a.docx:image:")), "{text}");
    }
    assert!(!text.contains("images"), "{text}");
    // Many of them do not hide the figures after them.
    let icons = (0..30).fold(Docx::default(), |docx, n| {
        docx.image("i", png(8 + n % 8, 8))
    });
    workspace.file("b.docx", icons.image("chart", png(200, 100)).build());
    assert_eq!(widths(&omp(&session, "b.docx")), [200]);
}

#[test]
fn figure_that_cannot_be_decoded_keeps_its_path() {
    let workspace = Workspace::new();
    let metafile = [
        b"\x01\0\0\0\x6c\0\0\0".as_slice(),
        &[0; 32],
        b" EMF",
        &[0; 200],
    ]
    .concat();
    let mut damaged = png(90, 90);
    damaged.truncate(60);
    let docx = Docx::default()
        .image("drawing", metafile)
        .image("damaged", damaged)
        .image("chart", png(200, 100));
    workspace.file("a.docx", docx.build());
    let session = workspace.session();
    let reply = omp(&session, "a.docx");
    assert_eq!(widths(&reply), [200]);
    let text = reply.text();
    assert!(text.contains("![drawing](a.docx:image:1)"), "{text}");
    assert!(
        text.contains(
            "2 images are not shown, such as `image:1`: there is no decoder for Windows metafiles]"
        ),
        "{text}"
    );
}

#[test]
fn large_figure_states_how_it_is_scaled() {
    let workspace = Workspace::new();
    let large = encoded(photograph(3000, 1500), ImageFormat::Png);
    workspace.file("a.docx", Docx::default().image("a", large).build());
    let session = workspace.session();
    let reply = omp(&session, "a.docx");
    assert_eq!(shown(&reply, &Options::default()).len(), 1);
    let text = reply.text();
    let label = text
        .lines()
        .find(|line| line.starts_with("[image:1: PNG image, 3000x1500, "));
    assert!(
        label.unwrap().contains("multiply coordinates by "),
        "{text}"
    );
}

#[test]
fn figures_follow_the_options_for_images() {
    let workspace = Workspace::new();
    workspace.file("a.docx", album(2));
    let session = workspace.session();
    let mut options = Options::default();
    options.image.metadata = true;
    let reply = session.read_as("a.docx", Dialect::Omp, &options).unwrap();
    assert!(shown(&reply, &options).is_empty());
    let text = reply.text();
    assert!(
        text.contains("images are not shown: image-metadata is on"),
        "{text}"
    );
}

/// A book of three chapters. The first two have an image each.
fn book() -> Vec<u8> {
    let chapter = |body: &str| {
        format!("<html xmlns=\"http://www.w3.org/1999/xhtml\"><body>{body}</body></html>")
    };
    let package = "<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\"><metadata/>\
        <manifest><item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/>\
        <item id=\"b\" href=\"b.xhtml\" media-type=\"application/xhtml+xml\"/>\
        <item id=\"c\" href=\"c.xhtml\" media-type=\"application/xhtml+xml\"/>\
        <item id=\"p\" href=\"p.png\" media-type=\"image/png\"/>\
        <item id=\"q\" href=\"q.png\" media-type=\"image/png\"/></manifest>\
        <spine><itemref idref=\"a\"/><itemref idref=\"b\"/><itemref idref=\"c\"/></spine></package>";
    let container = "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\
        <rootfiles><rootfile full-path=\"book.opf\"/></rootfiles></container>";
    let [a, b, c] = [
        "<h1>A</h1><p><img src=\"p.png\"/></p>",
        "<h1>B</h1><p><img src=\"q.png\"/></p>",
        "<h1>C</h1><p>no image</p>",
    ]
    .map(chapter);
    zip(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("book.opf", package.as_bytes()),
        ("a.xhtml", a.as_bytes()),
        ("b.xhtml", b.as_bytes()),
        ("c.xhtml", c.as_bytes()),
        ("p.png", &png(101, 50)),
        ("q.png", &png(102, 50)),
    ])
}

#[test]
fn figures_of_units_are_shown_with_their_unit() {
    let workspace = Workspace::new();
    workspace.file("book.epub", book());
    let session = workspace.session();
    let shown = |path: &str| widths(&omp(&session, path));
    assert_eq!(shown("book.epub"), [101, 102]);
    assert_eq!(shown("book.epub:chapter:1"), [101]);
    assert_eq!(shown("book.epub:chapter:2"), [102]);
    assert_eq!(shown("book.epub:chapter:3"), [0_u32; 0]);
}

#[test]
fn every_figure_of_a_long_document_is_on_one_page() {
    let workspace = Workspace::new();
    let docx = (1..=12).fold(Docx::default(), |docx, n| {
        let docx = docx.image("a", png(100 + n, 50));
        (0..40).fold(docx, |docx, line| {
            docx.paragraph(&format!("text {n}-{line}"))
        })
    });
    workspace.file("long.docx", docx.build());
    let session = workspace.session();
    let pages = chain(&session, "long.docx");
    let all: Vec<u32> = pages.iter().flat_map(widths).collect();
    assert_eq!(all, (101..=112).collect::<Vec<_>>());
}
