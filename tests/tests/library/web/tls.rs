//! Certificates.

use super::{Client, article, one};
use omniread_tests::web::{Authority, Page, Server, Site, Validity};

/// A client with access to a server, which trusts an authority.
fn trusting(server: &Server, authority: &Authority) -> Client {
    let client = Client::without_grants()
        .allow(&server.authority())
        .allow(&format!("localhost:{}", server.port()));
    client.workspace.file("ca.pem", authority.pem());
    client.option("--ca").option("ca.pem")
}

fn site() -> Site {
    Site::new().page("/a", article("Secure", ""))
}

#[test]
fn certificate_of_a_given_authority_is_accepted() {
    let authority = Authority::new();
    for name in ["localhost", "127.0.0.1"] {
        let server = site().serve_tls(authority.server(name, Validity::Now));
        let reply = trusting(&server, &authority).read(&server.url_of(name, "/a"));
        assert!(reply.body.contains("ten words"), "{reply:?}");
        assert!(reply.url().starts_with("https://"), "{reply:?}");
        // No root of the platform has signed it.
        let message = Client::without_grants()
            .allow(&format!("{name}:{}", server.port()))
            .refusal(&server.url_of(name, "/a"));
        assert!(message.contains("--ca"), "{message}");
    }
}

#[test]
fn wrong_certificates_are_typed_failures() {
    let authority = Authority::new();
    for (config, what) in [
        (
            authority.server("other.example", Validity::Now),
            "another name",
        ),
        (authority.server("localhost", Validity::Expired), "expired"),
        (
            Authority::new().server("localhost", Validity::Now),
            "another authority",
        ),
        (Authority::self_signed("localhost"), "self-signed"),
    ] {
        let server = site().serve_tls(config);
        let client = trusting(&server, &authority);
        let message = client.refusal(&server.url_of("localhost", "/a"));
        assert!(message.contains("certificate"), "{what}: {message}");
        // The request is not sent to a server that is not the one.
        assert_eq!(server.requests(), [], "{what}");
    }
}

#[test]
fn other_protocols_on_the_port_are_typed_failures() {
    let authority = Authority::new();
    let plain = one("/a", Page::text("text"));
    let client = trusting(&plain, &authority);
    let address = format!("https://localhost:{}/a", plain.port());
    let message = client.refusal(&address);
    assert!(message.contains("cannot read"), "{message}");
    let secure = site().serve_tls(authority.server("localhost", Validity::Now));
    let client = trusting(&secure, &authority);
    client.refusal(&format!("http://localhost:{}/a", secure.port()));
    assert_eq!(secure.requests(), []);
}

#[test]
fn redirect_from_https_to_http_is_refused() {
    let authority = Authority::new();
    let plain = one("/b", article("Plain", ""));
    let site = Site::new().page("/a", Page::redirect(302, &plain.url("/b")));
    let server = site.serve_tls(authority.server("localhost", Validity::Now));
    let client = trusting(&server, &authority).allow(&plain.authority());
    let message = client.refusal(&server.url_of("localhost", "/a"));
    assert!(message.contains(&plain.url("/b")), "{message}");
    assert_eq!(plain.connections(), 0);
    // The other direction is allowed.
    let upgrade = one("/c", Page::redirect(301, &server.url_of("localhost", "/d")));
    server.set("/d", article("Secure", ""));
    let client = trusting(&server, &authority).allow(&upgrade.authority());
    let reply = client.read(&upgrade.url("/c"));
    assert_eq!(reply.url(), server.url_of("localhost", "/d"));
}

#[test]
fn file_without_certificates_is_an_error_of_the_command_line() {
    let server = one("/a", Page::text("text"));
    let client = Client::of(&server);
    client.workspace.file("empty.pem", "");
    for file in ["empty.pem", "missing.pem"] {
        let arguments = [
            "--allow-net",
            &server.authority(),
            "--ca",
            file,
            &server.url("/a"),
        ];
        let run = client.cli.run(&arguments);
        assert_eq!(run.code, Some(2), "{file}: {run:?}");
        assert!(run.stderr.contains(file), "{file}: {run:?}");
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn handshake_that_never_ends_is_a_typed_failure() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    // Connections stay open, and nothing is sent.
    std::thread::spawn(move || listener.incoming().collect::<Vec<_>>());
    let client = Client::without_grants()
        .allow(&address.to_string())
        .option("--net-timeout")
        .option("1");
    let message = client.refusal(&format!("https://{address}/"));
    assert!(message.contains("--net-timeout"), "{message}");
}
