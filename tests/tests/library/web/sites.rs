//! Pages of services, by their handlers: the names of the services lead to servers on this machine.

use super::{Client, article};
use omniread_tests::web::{Authority, Page, Proxy, Server, Site, Validity};
use serde_json::{Value, json};

/// Servers in place of services, and a client that reaches only them.
struct Services {
    servers: Vec<(&'static str, Server)>,
    client: Client,
}

impl Services {
    fn start(sites: Vec<(&'static str, Site)>) -> Self {
        let authority = Authority::new();
        let start = |(name, site): (&'static str, Site)| {
            (name, site.serve_tls(authority.server(name, Validity::Now)))
        };
        let servers: Vec<(&str, Server)> = sites.into_iter().map(start).collect();
        let proxy = Proxy::start(servers.iter().map(|(name, server)| (*name, server)));
        let client = Client::without_grants()
            .option("--proxy")
            .option(&proxy.url());
        client.workspace.file("ca.pem", authority.pem());
        let client = client.option("--ca").option("ca.pem");
        let client = servers
            .iter()
            .fold(client, |client, (name, _)| client.allow(name));
        Self { servers, client }
    }

    fn targets(&self, name: &str) -> Vec<String> {
        let found = self.servers.iter().find(|(own, _)| *own == name);
        found
            .map(|(_, server)| server.targets())
            .unwrap_or_default()
    }
}

fn json_page(value: &Value) -> Page {
    Page::new("application/json; charset=utf-8", value.to_string())
}

/// The fields of <https://docs.github.com/en/rest/issues/issues#get-an-issue>.
fn github() -> Vec<(&'static str, Site)> {
    let issue = json!({
        "number": 1, "title": "It fails", "state": "open", "user": { "login": "ann" },
        "comments": 0, "created_at": "2026-01-02T03:04:05Z", "body": "Steps",
    });
    let api = Site::new()
        .page("/repos/o/r/issues/1", json_page(&issue))
        .page("/repos/o/r/issues/1/comments", json_page(&json!([])));
    let raw = Site::new()
        .page(
            "/o/r/main/src/a.rs",
            Page::new("text/plain; charset=utf-8", "fn a() {}\nfn b() {}\n"),
        )
        .page(
            "/o/r/feature/x/a.html",
            Page::new("text/plain; charset=utf-8", "<p>Hello</p>\n"),
        );
    let pages = Site::new()
        .page("/o/r/issues/1", article("The page of the issue", ""))
        .page("/o/r/issues/2", article("The page of another issue", ""))
        .page("/o/r/settings", article("Settings", ""));
    vec![
        ("api.github.com", api),
        ("raw.githubusercontent.com", raw),
        ("github.com", pages),
    ]
}

#[test]
fn handler_is_named_and_the_page_is_not_requested() {
    let services = Services::start(github());
    let reply = services.client.read("https://github.com/o/r/issues/1");
    assert_eq!(reply.method(), "github");
    assert!(
        reply.body.contains("It fails") && reply.body.contains("Steps"),
        "{reply:?}"
    );
    assert_eq!(services.targets("github.com"), Vec::<String>::new());
    let details = services.client.details("https://github.com/o/r/issues/1");
    assert_eq!(details["web"]["method"], "handler");
    assert_eq!(details["web"]["handler"], "github");
}

#[test]
fn files_are_read_as_files() {
    let services = Services::start(github());
    let reply = services
        .client
        .read("https://github.com/o/r/blob/main/src/a.rs");
    assert_eq!(reply.method(), "github");
    assert!(reply.body.contains("fn a() {}"), "{reply:?}");
    let lines = services
        .client
        .read("https://github.com/o/r/blob/main/src/a.rs#L2");
    assert!(lines.body.contains("fn b() {}"), "{lines:?}");
    // The source of a page is not converted.
    let html = services
        .client
        .read("https://github.com/o/r/blob/feature/x/a.html");
    assert!(html.body.contains("<p>Hello</p>"), "{html:?}");
}

#[test]
fn exact_and_whole_pages_are_those_of_the_site() {
    let services = Services::start(github());
    for suffix in [":raw", ":full"] {
        let reply = services
            .client
            .read(&format!("https://github.com/o/r/issues/1{suffix}"));
        assert_ne!(reply.method(), "github");
        assert!(reply.body.contains("The page of the issue"), "{reply:?}");
    }
    assert_eq!(services.targets("api.github.com"), Vec::<String>::new());
    let other = services.client.read("https://github.com/o/r/settings");
    assert_eq!(other.method(), "html");
}

#[test]
fn page_is_read_if_the_handler_fails() {
    let services = Services::start(github());
    let reply = services.client.read("https://github.com/o/r/issues/2");
    assert_eq!(reply.method(), "html");
    assert!(
        reply.body.contains("The page of another issue"),
        "{reply:?}"
    );
    assert!(
        reply.notes().contains("handler `github` was not used"),
        "{reply:?}"
    );
    // A host that is not granted is not asked.
    let client = Client::without_grants().allow("github.com");
    let services = Services {
        client,
        ..Services::start(github())
    };
    let run = services.client.run("https://github.com/o/r/issues/1");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(services.targets("api.github.com"), Vec::<String>::new());
}

/// One page of each other service, with the fields that the service documents: the tests of the crate name the
/// documentation.
fn others() -> Vec<(&'static str, Site)> {
    let site = |address: &str, value: &Value| Site::new().page(address, json_page(value));
    let krate = json!({
        "crate": { "id": "tiny", "name": "tiny", "max_stable_version": "1.2.0", "description": "A small crate", "downloads": 5 },
        "versions": [{ "num": "1.2.0", "license": "MIT", "features": { "default": ["std"], "std": [] } }],
    });
    let crates = site("/api/v1/crates/tiny", &krate)
        .page(
            "/api/v1/crates/tiny/1.2.0/dependencies",
            json_page(&json!({ "dependencies": [] })),
        )
        .page(
            "/api/v1/crates/tiny/1.2.0/readme",
            Page::html("<p>The README</p>"),
        );
    let source = "<html><body><pre class=\"rust\"><code>fn tiny() {}\n</code></pre></body></html>";
    let docs = Site::new().page("/tiny/latest/src/tiny/lib.rs.html", Page::html(source));
    let npm = json!({ "name": "tiny", "version": "1.0.0", "description": "A small package", "license": "MIT" });
    let registry = site("/tiny/latest", &npm).page(
        "/tiny",
        json_page(&json!({ "name": "tiny", "readme": "# Use it" })),
    );
    let pypi = json!({ "info": { "name": "tiny", "version": "1.0", "summary": "A small project", "description": "Text" }, "urls": [] });
    let question = json!({ "items": [{
        "question_id": 5, "title": "How?", "body": "<p>I want to know.</p>", "score": 1, "answer_count": 1,
        "owner": { "display_name": "ann" }, "creation_date": 1_700_000_000,
    }], "quota_remaining": 100 });
    let answers = json!({ "items": [{
        "answer_id": 6, "question_id": 5, "body": "<p>Like this.</p>", "score": 2, "is_accepted": true,
        "owner": { "display_name": "bob" }, "creation_date": 1_700_000_000,
    }], "quota_remaining": 99 });
    let exchange = site("/2.3/questions/5", &question)
        .page("/2.3/questions/5/answers", json_page(&answers))
        .page(
            "/2.3/posts/5;6/comments",
            json_page(&json!({ "items": [] })),
        );
    let article = json!({ "parse": { "title": "Rust", "pageid": 1, "revid": 9, "text": "<p>Rust is iron oxide.</p>" } });
    let feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><id>http://arxiv.org/abs/2101.00001v1</id>\
        <title>On tests</title><summary>We test.</summary><author><name>Ann</name></author></entry></feed>";
    let arxiv = Site::new().page("/api/query", Page::new("application/atom+xml", feed));
    let rfc = site("/rfc/rfc2616.json", &json!({
        "doc_id": "RFC2616", "title": "HTTP/1.1", "status": "DRAFT STANDARD", "obsoleted_by": ["RFC7230"], "format": ["ASCII"],
    }))
    .page("/rfc/rfc2616.txt", Page::text("Hypertext Transfer Protocol\n"));
    let mdn = json!({ "doc": { "title": "Tiny", "mdn_url": "/en-US/docs/Web/API/Tiny", "body": [
        { "type": "prose", "value": { "id": null, "title": null, "content": "<p>It is small.</p>" } },
    ] } });
    let item = json!({ "id": 8, "type": "story", "title": "My app", "by": "ann", "time": 1_700_000_000, "kids": [9], "descendants": 1 });
    let tree = json!({ "id": 8, "type": "story", "children": [
        { "id": 9, "type": "comment", "author": "bob", "text": "<p>Nice.</p>", "children": [], "created_at_i": 1_700_000_100 },
    ] });
    let issue = json!({ "iid": 3, "title": "It fails", "description": "Steps", "state": "opened", "author": { "username": "ann" }, "user_notes_count": 0 });
    let gitlab = site("/api/v4/projects/ann%2Ftiny/issues/3", &issue)
        .page(
            "/api/v4/projects/ann%2Ftiny/issues/3/notes",
            json_page(&json!([])),
        )
        .page(
            "/api/v4/projects/ann%2Ftiny/repository/files/a.rs/raw",
            Page::text("fn a() {}\n"),
        )
        .page(
            "/api/v4/projects/ann%2Ftiny/repository/commits/main",
            json_page(&json!({ "id": "c0ffee0000000000000000000000000000000000" })),
        );
    vec![
        ("crates.io", crates),
        ("docs.rs", docs),
        ("registry.npmjs.org", registry),
        ("pypi.org", site("/pypi/tiny/json", &pypi)),
        ("api.stackexchange.com", exchange),
        ("en.wikipedia.org", site("/w/api.php", &article)),
        ("export.arxiv.org", arxiv),
        ("www.rfc-editor.org", rfc),
        (
            "developer.mozilla.org",
            site("/en-US/docs/Web/API/Tiny/index.json", &mdn),
        ),
        ("hacker-news.firebaseio.com", site("/v0/item/8.json", &item)),
        ("hn.algolia.com", site("/api/v1/items/8", &tree)),
        ("gitlab.com", gitlab),
    ]
}

#[test]
fn each_service_is_read_by_its_handler() {
    let services = Services::start(others());
    for (url, method, parts) in [
        (
            "https://crates.io/crates/tiny",
            "crates.io",
            &["A small crate", "1.2.0", "The README"][..],
        ),
        (
            "https://docs.rs/tiny/latest/src/tiny/lib.rs.html",
            "docs.rs",
            &["fn tiny() {}"],
        ),
        (
            "https://www.npmjs.com/package/tiny",
            "npm",
            &["A small package", "Use it"],
        ),
        (
            "https://pypi.org/project/tiny/",
            "pypi",
            &["A small project"],
        ),
        (
            "https://stackoverflow.com/questions/5/how",
            "stack-exchange",
            &["I want to know", "Like this"],
        ),
        (
            "https://en.wikipedia.org/wiki/Rust",
            "wikipedia",
            &["iron oxide"],
        ),
        (
            "https://arxiv.org/abs/2101.00001",
            "arxiv",
            &["On tests", "We test"],
        ),
        (
            "https://datatracker.ietf.org/doc/html/rfc2616",
            "rfc-editor",
            &["Hypertext Transfer Protocol"],
        ),
        (
            "https://developer.mozilla.org/en-US/docs/Web/API/Tiny",
            "mdn",
            &["It is small"],
        ),
        (
            "https://news.ycombinator.com/item?id=8",
            "hacker-news",
            &["My app", "Nice."],
        ),
        (
            "https://gitlab.com/ann/tiny/-/issues/3",
            "gitlab",
            &["It fails", "Steps"],
        ),
        (
            "https://gitlab.com/ann/tiny/-/blob/main/a.rs",
            "gitlab",
            &["fn a() {}"],
        ),
    ] {
        let reply = services.client.read(url);
        assert_eq!(reply.method(), method, "{url}: {reply:?}");
        for part in parts {
            assert!(reply.body.contains(part), "{url}: {part}: {reply:?}");
        }
    }
}
