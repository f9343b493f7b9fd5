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
