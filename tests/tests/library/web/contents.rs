//! Charsets, codings, wrong types, images and documents.

use super::{Client, article, one, paragraph};
use image::ImageFormat;
use omniread_tests::docx::Docx;
use omniread_tests::pdf::Pdf;
use omniread_tests::web::{Page, Site};
use omniread_tests::{Workspace, image as images, pack};

#[test]
fn charset_is_that_of_the_label_the_mark_or_the_page() {
    let text = format!("<p>Grüße aus Köln, naïve Straße. {}", paragraph());
    let latin: Vec<u8> = encoding_rs::WINDOWS_1252.encode(&text).0.into_owned();
    let meta = [b"<meta charset=windows-1252>".to_vec(), latin.clone()].concat();
    let with_mark = [b"\xef\xbb\xbf".to_vec(), text.clone().into_bytes()].concat();
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16 = [b"\xff\xfe".to_vec(), utf16].concat();
    let server = Site::new()
        .page("/label", Page::html_in("windows-1252", &text))
        .page(
            "/koi8",
            Page::html_in("koi8-r", &format!("<p>Привет, мир. {}", paragraph())),
        )
        .page("/meta", Page::new("text/html", meta))
        .page("/mark", Page::new("text/html", with_mark.clone()))
        // A mark is stronger than a label.
        .page(
            "/mark-and-label",
            Page::new("text/html; charset=windows-1252", with_mark),
        )
        .page("/utf16", Page::new("text/html", utf16))
        .page("/bytes", Page::new("text/html", latin.clone()))
        // The label is wrong: the bytes are UTF-8 with letters that no other charset has there.
        .page(
            "/unknown",
            Page::new("text/html; charset=nonsense", text.as_bytes()),
        )
        .page("/text", Page::new("text/plain; charset=iso-8859-1", latin))
        .serve();
    let client = Client::of(&server);
    for address in [
        "/label",
        "/meta",
        "/mark",
        "/mark-and-label",
        "/utf16",
        "/bytes",
        "/unknown",
        "/text",
    ] {
        let reply = client.read(&server.url(address));
        assert!(
            reply.body.contains("Grüße aus Köln, naïve Straße."),
            "{address}: {reply:?}"
        );
    }
    let reply = client.read(&server.url("/koi8"));
    assert!(reply.body.contains("Привет, мир."), "{reply:?}");
}

/// A page whose body has two frames of Zstandard, and a frame between them that is skipped (RFC 8878,
/// 3.1.2).
fn zstd_frames(html: &str) -> Page {
    let (start, end) = html.split_at(html.len() / 2);
    let frame = |text: &str| {
        ruzstd::encoding::compress_to_vec(
            text.as_bytes(),
            ruzstd::encoding::CompressionLevel::Fastest,
        )
    };
    let skipped = *b"\x50\x2a\x4d\x18\x03\0\0\0abc";
    let body = [frame(start), skipped.to_vec(), frame(end)].concat();
    Page::html("")
        .body(body.into())
        .header("Content-Encoding", "zstd")
}

#[test]
fn codings_are_decoded() {
    let page = article("Coded", "");
    let html = format!(
        "<!doctype html><title>Coded</title><h1>Coded</h1><p>{}",
        paragraph().repeat(2)
    );
    let server = Site::new()
        .page("/gzip", page.clone().gzip())
        .page("/deflate", page.clone().deflate())
        .page("/br", page.clone().brotli())
        .page("/zstd", page.clone().zstd())
        .page("/frames", zstd_frames(&html))
        .page("/chunked", page.clone().gzip().chunked())
        .page("/end", page.brotli().until_end())
        .serve();
    let client = Client::of(&server);
    for address in [
        "/gzip", "/deflate", "/br", "/zstd", "/frames", "/chunked", "/end",
    ] {
        let reply = client.read(&server.url(address));
        assert!(reply.body.contains("ten words"), "{address}: {reply:?}");
        assert_eq!(reply.method(), "html", "{address}");
    }
    let requests = server.requests();
    let accepted = requests[0].header("accept-encoding").unwrap_or_default();
    for coding in ["gzip", "br", "zstd"] {
        assert!(accepted.contains(coding), "{accepted}");
    }
}

#[test]
fn wrong_types_are_corrected_from_the_bytes() {
    let png = images::encoded(images::drawing(20, 10), ImageFormat::Png);
    let html = format!(
        "<!DOCTYPE html><title>T</title><h1>Title</h1><p>{}",
        paragraph().repeat(2)
    );
    let server = Site::new()
        .page("/png-as-html", Page::new("text/html", &png))
        .page("/png-as-text", Page::new("text/plain", &png))
        .page(
            "/html-as-bytes",
            Page::new("application/octet-stream", &html),
        )
        .page("/html-without-type", Page::new("", &html).without_type())
        .page(
            "/zip-as-text",
            Page::new("text/plain", pack::zip(&[("a.txt", b"one")])),
        )
        .page("/text-as-png", Page::new("image/png", "just text\n"))
        .serve();
    let client = Client::of(&server);
    for address in ["/png-as-html", "/png-as-text"] {
        let reply = client.read(&server.url(address));
        assert_eq!(reply.method(), "image", "{reply:?}");
        assert!(reply.body.contains("20x10"), "{reply:?}");
    }
    for address in ["/html-as-bytes", "/html-without-type"] {
        let reply = client.read(&server.url(address));
        assert_eq!(reply.method(), "html", "{address}: {reply:?}");
        assert!(reply.body.contains("ten words"), "{address}: {reply:?}");
    }
    let reply = client.read(&server.url("/zip-as-text"));
    assert!(reply.body.contains("a.txt"), "{reply:?}");
    let reply = client.read(&server.url("/text-as-png"));
    assert!(reply.body.contains("just text"), "{reply:?}");
}

#[test]
fn image_is_resized_to_its_limit_or_described() {
    let large = images::encoded(images::photograph(2600, 2000), ImageFormat::Png);
    // The first half of an image cannot be shown.
    let broken = large[..large.len() / 2].to_vec();
    let server = Site::new()
        .page("/large.png", Page::new("image/png", &large))
        .page("/broken.png", Page::new("image/png", broken))
        .serve();
    let client = Client::of(&server);
    let arguments = [
        "--allow-net",
        &server.authority(),
        "--json",
        &server.url("/large.png"),
    ];
    let run = client.cli.run(&arguments);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let blocks = json["blocks"].as_array().expect("blocks");
    let image = blocks.iter().find(|block| block["type"] == "image");
    let data = image.unwrap_or_else(|| panic!("{json}"))["data"]
        .as_str()
        .unwrap();
    // Images of the web have 300 KiB at most.
    assert!(data.len() / 4 * 3 <= 300 * 1024, "{}", data.len());
    let reply = client.read(&server.url("/broken.png"));
    assert!(reply.body.contains("PNG"), "{reply:?}");
}

#[test]
fn documents_are_converted() {
    let docx = Docx::default()
        .heading("A letter")
        .paragraph("Dear reader")
        .build();
    let pdf = Pdf::default()
        .page("First page", &["One line"])
        .page("Second page", &["Another line"])
        .build();
    let server = Site::new()
        .page("/letter.docx", Page::new("application/octet-stream", docx))
        .page("/report.pdf", Page::new("application/pdf", pdf))
        .serve();
    let client = Client::of(&server);
    let reply = client.read(&server.url("/letter.docx"));
    assert_eq!(reply.method(), "markit");
    assert!(reply.body.contains("# A letter"), "{reply:?}");
    let reply = client.read(&server.url("/report.pdf:page:2"));
    assert!(reply.body.contains("Another line"), "{reply:?}");
    assert!(!reply.body.contains("One line"), "{reply:?}");
}

#[test]
fn archives_and_their_members_are_read() {
    let zip = pack::zip(&[("README.md", b"# Read me\n"), ("src/a.txt", b"one\ntwo\n")]);
    let tar = pack::gzip(&pack::tar(&[("b.txt", b"three\n")]));
    let server = Site::new()
        .page("/x.zip", Page::new("application/zip", zip))
        .page("/x.tar.gz", Page::new("application/gzip", tar))
        .serve();
    let client = Client::of(&server);
    let reply = client.read(&server.url("/x.zip"));
    assert!(
        reply.body.contains("README.md") && reply.body.contains("src/"),
        "{reply:?}"
    );
    let reply = client.read(&server.url("/x.zip:README.md"));
    assert!(reply.body.contains("# Read me"), "{reply:?}");
    let reply = client.read(&server.url("/x.tar.gz:b.txt"));
    assert!(reply.body.contains("three"), "{reply:?}");
}

#[test]
fn databases_are_queried() {
    let workspace = Workspace::new();
    let path = workspace.path().join("app.db");
    let app = rusqlite::Connection::open(&path).unwrap();
    app.execute_batch(
        "create table users(id integer primary key, name text);
         with recursive n(i) as (select 1 union all select i + 1 from n where i < 50)
         insert into users select i, 'user ' || i from n;",
    )
    .unwrap();
    drop(app);
    let server = one("/app.db", Page::file("application/octet-stream", &path));
    let client = Client::of(&server);
    let reply = client.read(&server.url("/app.db"));
    assert!(reply.body.contains("users"), "{reply:?}");
    let reply = client.read(&server.url("/app.db:users:7"));
    assert!(reply.body.contains("user 7"), "{reply:?}");
    assert!(!reply.body.contains("user 8"), "{reply:?}");
    let reply = client.read(&server.url("/app.db?v=1:users?limit=5"));
    assert!(
        reply.body.contains("user 5") && !reply.body.contains("user 6"),
        "{reply:?}"
    );
    let reply = client.read(&server.url("/app.db:?q=SELECT count(*) AS n FROM users"));
    assert!(reply.body.contains("50"), "{reply:?}");
    let targets = server.targets();
    assert_eq!(targets[2], "/app.db?v=1");
    assert!(
        targets.iter().all(|target| !target.contains("q=")),
        "{targets:?}"
    );
}

#[test]
fn raw_bytes_are_a_hex_view_with_their_size() {
    let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let server = one("/a.bin", Page::new("application/octet-stream", bytes));
    let reply = Client::of(&server).read(&server.url("/a.bin:raw"));
    assert!(reply.body.contains("00 01 02 03"), "{reply:?}");
    let run = Client::of(&server).run(&server.url("/a.bin:raw"));
    assert!(
        run.stdout.contains("4.9KB") || run.stdout.contains("5000"),
        "{run:?}"
    );
}
