//! Statuses, redirects and empty bodies.

use super::{Client, article, one, paragraph};
use omniread_tests::web::{Page, Site};

#[test]
fn statuses_of_errors_are_answers() {
    for status in [400, 401, 403, 404, 410, 429, 451, 500, 502, 503] {
        let page = Page::html(&format!(
            "<h1>Sorry</h1><p>The text of the error. {}",
            paragraph()
        ));
        let server = one("/a", page.status(status));
        let client = Client::of(&server);
        let reply = client.read(&server.url("/a"));
        assert_eq!(reply.method(), "failed", "{status}");
        assert!(reply.notes().contains(&status.to_string()), "{reply:?}");
        assert!(reply.body.contains("The text of the error."), "{reply:?}");
        let details = client.details(&server.url("/a"));
        assert_eq!(details["status"], status, "{details}");
        assert!(
            server.targets().iter().all(|target| target == "/a"),
            "{:?}",
            server.targets()
        );
    }
}

#[test]
fn answers_without_a_body_are_reported() {
    for (page, status) in [
        (Page::empty(204), 204),
        (Page::empty(304), 304),
        (Page::empty(404), 404),
        (Page::empty(500), 500),
        (Page::html(""), 200),
        (Page::text(""), 200),
        (Page::text("").chunked(), 200),
    ] {
        let server = one("/a", page);
        let client = Client::of(&server);
        let reply = client.read(&server.url("/a"));
        assert_eq!(reply.method(), "failed", "{status}: {reply:?}");
        assert!(!reply.notes().is_empty(), "{status}: {reply:?}");
        assert_eq!(client.details(&server.url("/a"))["status"], status);
    }
}

#[test]
fn busy_servers_say_how_long_to_wait() {
    for status in [429, 503] {
        let page = Page::text("busy").status(status);
        let server = one("/a", page.clone().retry_after("120"));
        let reply = Client::of(&server).read(&server.url("/a"));
        assert_eq!(reply.method(), "failed");
        assert!(reply.notes().contains("120"), "{reply:?}");
        let date = "Wed, 21 Oct 2026 07:28:00 GMT";
        let server = one("/a", page.retry_after(date));
        let reply = Client::of(&server).read(&server.url("/a"));
        assert!(reply.notes().contains("21 Oct 2026 07:28:00"), "{reply:?}");
    }
}

#[test]
fn redirects_are_followed_and_reported() {
    for status in [301, 302, 303, 307, 308] {
        let server = Site::new()
            .page("/1", Page::redirect(status, "/2"))
            .page("/2", Page::redirect(status, "dir/3"))
            .page("/dir/3", article("Target", ""))
            .serve();
        let client = Client::of(&server);
        let reply = client.read(&server.url("/1"));
        assert_eq!(reply.url(), server.url("/dir/3"));
        for address in ["/1", "/2"] {
            assert!(reply.notes().contains(&server.url(address)), "{reply:?}");
        }
        assert_eq!(server.targets(), ["/1", "/2", "/dir/3"]);
        let details = client.details(&server.url("/1"));
        assert_eq!(
            details["web"]["redirects"],
            serde_json::json!([server.url("/1"), server.url("/2")])
        );
    }
}

#[test]
fn redirects_are_limited_to_five() {
    let site = |count: usize| {
        let mut site = Site::new();
        for n in 0..count {
            site = site.page(
                &format!("/{n}"),
                Page::redirect(302, &format!("/{}", n + 1)),
            );
        }
        site.page(&format!("/{count}"), article("Target", ""))
            .serve()
    };
    let server = site(5);
    let reply = Client::of(&server).read(&server.url("/0"));
    assert_eq!(reply.url(), server.url("/5"));
    let server = site(6);
    let message = Client::of(&server).refusal(&server.url("/0"));
    assert!(message.contains(&server.url("/5")), "{message}");
    assert!(server.requests().len() <= 6, "{:?}", server.targets());
}

#[test]
fn loops_of_redirects_end() {
    let server = Site::new()
        .page("/a", Page::redirect(302, "/b"))
        .page("/b", Page::redirect(302, "/a"))
        .page("/self", Page::redirect(302, "/self"))
        .page("/good", article("Good", ""))
        .serve();
    let client = Client::of(&server);
    for address in ["/a", "/self"] {
        server.forget();
        let message = client.refusal(&server.url(address));
        assert!(message.contains("redirect"), "{message}");
        assert!(server.requests().len() <= 6, "{:?}", server.targets());
    }
    client.read(&server.url("/good"));
}

#[test]
fn redirect_without_a_target_is_an_answer() {
    let server = one("/a", Page::html("<p>Nowhere").status(302));
    let run = Client::of(&server).run(&server.url("/a"));
    assert!(run.code.is_some_and(|code| code < 2), "{run:?}");
    assert!(
        run.stdout.contains("302") || run.stderr.contains("302"),
        "{run:?}"
    );
}

#[test]
fn fragment_of_a_redirect_selects_a_section() {
    let server = Site::new()
        .page("/old", Page::redirect(301, "/new#second"))
        .page("/new", article("Target", ""))
        .serve();
    let reply = Client::of(&server).read(&server.url("/old"));
    assert!(reply.body.contains("Second part"), "{reply:?}");
    assert!(!reply.body.contains("Third part"), "{reply:?}");
    assert_eq!(server.targets(), ["/old", "/new"]);
}
