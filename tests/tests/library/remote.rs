//! Large databases and PDF documents on a server that accepts ranges: the engines read them in parts.

use omniread::{Block, Network, Reason, Session};
use omniread_tests::pdf::objects::Objects;
use omniread_tests::web::{Page, Ranges, Request, Server, Site};
use omniread_tests::{Workspace, text};
use rusqlite::Connection;
use std::path::Path;

/// The number of rows of the large tables.
const ROWS: u32 = 100_000;

/// A database of about 50 MB: two tables of which one has a text as its key, and two small ones. Its
/// header says that it uses a write-ahead log, as many programs leave it.
fn database(path: &Path) -> Vec<u8> {
    let database = Connection::open(path).unwrap();
    database
        .execute_batch(&format!(
            "PRAGMA journal_mode = WAL;
             CREATE TABLE small(id INTEGER PRIMARY KEY, name TEXT);
             INSERT INTO small VALUES (1, 'one'), (2, 'two');
             CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, about TEXT);
             WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT {ROWS})
             INSERT INTO users SELECT x, 'user-' || x, hex(zeroblob(160)) FROM c;
             CREATE TABLE keyed(key TEXT PRIMARY KEY, value TEXT);
             INSERT INTO keyed SELECT 'key-' || id, about FROM users;
             CREATE TABLE last(id INTEGER PRIMARY KEY);
             PRAGMA wal_checkpoint(TRUNCATE);"
        ))
        .unwrap();
    drop(database);
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(bytes[18..20], [2, 2]);
    assert!(bytes.len() > 40 << 20, "{}", bytes.len());
    bytes
}

/// A server with one file, which accepts ranges.
fn serve(address: &str, bytes: Vec<u8>) -> Server {
    let page = Page::new("application/octet-stream", bytes);
    let page = page.etag("\"1\"").ranges(Ranges::Correct);
    Site::new().page(address, page).serve()
}

/// A session that may read from the server, and keeps nothing from the reads before.
fn session(workspace: &Workspace, server: &Server) -> Session {
    let grant = server.authority().parse().unwrap();
    let network = Network::default().allow(grant);
    let reader = workspace.builder().network(network).build().unwrap();
    server.forget();
    reader.session()
}

/// The number of requests, and of the bytes that were sent.
fn cost(server: &Server) -> (usize, u64) {
    let requests = server.requests();
    let sent = requests.iter().map(|request: &Request| request.sent).sum();
    (requests.len(), sent)
}

#[test]
fn database_on_a_server_is_read_in_parts() {
    let workspace = Workspace::new();
    let server = serve("/app.db", database(&workspace.path().join("local.db")));
    // Each with the text of the reply, and the maximum number of requests and bytes.
    for (path, expected, requests, bytes) in [
        ("users:77777", "user-77777", 8, 3 << 20),
        ("keyed:key-77777", "key-77777", 8, 3 << 20),
        ("small", "two", 5, 2 << 20),
        ("users", "user-5", 8, 4 << 20),
        ("users?where=id>99000&limit=3", "user-99003", 8, 4 << 20),
        ("users?order=id:desc&limit=3", "user-99998", 8, 4 << 20),
        ("?q=SELECT max(id) FROM users", "100000", 8, 3 << 20),
        // The list of tables. Large tables are not counted.
        ("", "users (rows not counted)", 14, 6 << 20),
        ("", "small (2 rows)", 14, 6 << 20),
    ] {
        let session = session(&workspace, &server);
        let separator = if path.is_empty() { "" } else { ":" };
        let url = format!("{}{separator}{path}", server.url("/app.db"));
        let reply = text(&session, &url);
        let (sent, size) = cost(&server);
        assert!(reply.contains(expected), "{path}: {reply}");
        assert!(sent <= requests, "{path}: {sent} requests");
        assert!(size <= bytes, "{path}: {size} bytes");
    }
}

#[test]
fn scan_of_a_database_on_a_server_is_refused() {
    let workspace = Workspace::new();
    let server = serve("/app.db", database(&workspace.path().join("local.db")));
    for query in [
        ":?q=SELECT sum(length(about)) FROM users",
        ":users?where=about='x'",
    ] {
        let session = session(&workspace, &server);
        let url = format!("{}{query}", server.url("/app.db"));
        let failure = session.read(&url).unwrap_err();
        let (requests, size) = cost(&server);
        assert!(
            failure.message.contains("requests or 16"),
            "{}",
            failure.message
        );
        let hint = failure.hint.clone().unwrap_or_default();
        assert!(hint.contains("download"), "{hint}");
        assert!(
            matches!(&failure.reason, Reason::Limit { .. }),
            "{:?}",
            failure.reason
        );
        assert!(requests <= 40 && size <= 40 << 20, "{requests} {size}");
        // The next read works.
        assert!(text(&session, &server.url("/app.db:users:5")).contains("user-5"));
    }
}

/// A PDF document of about 20 MB: ten pages, each with a line and an image.
fn document() -> Vec<u8> {
    const SIDE: usize = 1450;
    let pages: Vec<usize> = (0..10).map(|index| 3 + 3 * index).collect();
    let mut file = Objects::new("", &pages);
    for page in 1..=10u8 {
        file.page_with_image(page, SIDE);
    }
    file.build()
}

#[test]
fn page_of_a_document_on_a_server_is_read_in_parts() {
    let workspace = Workspace::new();
    let bytes = document();
    assert!(bytes.len() > 20_000_000, "{}", bytes.len());
    let server = serve("/report.pdf", bytes);
    for page in [2, 10, 1] {
        let session = session(&workspace, &server);
        let reply = text(&session, &server.url(&format!("/report.pdf:page:{page}")));
        let (requests, size) = cost(&server);
        assert!(reply.contains(&format!("page-mark-{page} ")), "{reply}");
        assert!(requests <= 12 && size < 8 << 20, "{requests} {size}");
    }
    // An image of a page needs the picture on it.
    let session = session(&workspace, &server);
    let reply = session.read(server.url("/report.pdf:page:2:img")).unwrap();
    let (requests, size) = cost(&server);
    let is_image = |block: &Block| matches!(block, Block::Image(_));
    assert!(reply.blocks.iter().any(is_image));
    assert!(requests <= 16 && size < 12 << 20, "{requests} {size}");
}

/// A damaged file is read whole, in few requests.
#[test]
fn damaged_document_on_a_server_is_read_whole() {
    let workspace = Workspace::new();
    let mut bytes = document();
    bytes.truncate(bytes.len() - 300);
    let server = serve("/report.pdf", bytes);
    let session = session(&workspace, &server);
    let reply = text(&session, &server.url("/report.pdf:page:2"));
    let (requests, size) = cost(&server);
    assert!(reply.contains("page-mark-2 "), "{reply}");
    assert!(requests <= 24 && size < 30 << 20, "{requests} {size}");
}

#[test]
fn file_that_changes_on_the_server_is_not_mixed() {
    let workspace = Workspace::new();
    let bytes = database(&workspace.path().join("local.db"));
    let page = |tag: &str| {
        let page = Page::new("application/octet-stream", bytes.clone());
        page.etag(tag).ranges(Ranges::Correct)
    };
    let server = Site::new()
        .pages("/app.db", [page("\"1\""), page("\"2\"")])
        .serve();
    let session = session(&workspace, &server);
    let failure = session.read(server.url("/app.db:users:77777")).unwrap_err();
    assert!(failure.message.contains("changed"), "{}", failure.message);
}
