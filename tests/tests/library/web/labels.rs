//! Servers that label what they send wrongly.

use super::{Client, one};
use omniread_tests::pack;
use omniread_tests::web::{Page, Ranges, Site};

/// An archive whose members do not fit into the first range.
fn archive() -> Vec<u8> {
    let filler: Vec<u8> = (0..1_500_000_u32)
        .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
        .collect();
    let text = "right right\n".repeat(2000);
    pack::zip(&[
        ("before.bin", filler.as_slice()),
        ("a.txt", text.as_bytes()),
        ("after.bin", filler.as_slice()),
    ])
}

/// "If `Content-Range` is wrong or missing, use the whole body, or give a note."
#[test]
fn later_range_that_is_not_the_requested_one_is_answered_by_the_whole_body() {
    let page = Page::new("application/zip", archive()).etag("\"v1\"");
    let server = one("/x.zip", page.ranges(Ranges::Half));
    let run = Client::of(&server).run(&server.url("/x.zip:a.txt"));
    assert!(
        run.code == Some(0) && run.stdout.contains("right right\nright right\n"),
        "{run:?}"
    );
}

/// A reader looks for the directory of an archive at its end, which a wrong size moves.
#[test]
fn wrong_size_is_reported() {
    let page = Page::new("application/zip", archive()).etag("\"v1\"");
    let server = one("/x.zip", page.ranges(Ranges::WrongTotal));
    let message = Client::of(&server).refusal(&server.url("/x.zip:a.txt"));
    assert!(
        message.contains("the server states that the file has"),
        "{message}"
    );
}

/// The limit of the headers is not one of the response.
#[test]
fn message_on_large_headers_names_the_headers() {
    let page = Page::text("text").header("X-Long", &"a".repeat(1 << 20));
    let server = one("/a", page);
    let message = Client::of(&server).refusal(&server.url("/a"));
    assert!(message.contains("header"), "{message}");
}

/// "JSON is pretty-printed"; "wrong content types corrected from the bytes".
#[test]
fn json_with_a_wrong_type_is_indented() {
    let json = r#"{"name":"a","list":[1,{"b":"c"}]}"#;
    let server = Site::new()
        .page("/html", Page::html(json))
        .page("/package.json", Page::text(json))
        .page("/bytes.json", Page::new("application/octet-stream", json))
        .serve();
    let client = Client::of(&server);
    for address in ["/html", "/package.json", "/bytes.json"] {
        let reply = client.read(&server.url(address));
        assert_eq!(reply.method(), "json", "{address}: {reply:?}");
        assert!(reply.body.contains("\n  \"name\": \"a\""), "{reply:?}");
    }
}
