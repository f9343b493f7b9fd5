//! Addresses that are refused. No packet is sent to them: the tests listen there.

use super::{Client, article, one};
use omniread_tests::web::{Page, Site};

#[test]
fn nothing_is_reachable_without_a_grant() {
    let server = one("/", Page::text("text"));
    let message = Client::without_grants().refusal(&server.url("/"));
    assert!(message.contains("is not granted"), "{message}");
    assert!(message.contains("127.0.0.1"), "{message}");
    assert_eq!(server.connections(), 0);
}

#[test]
fn grant_is_for_one_host_and_port() {
    let server = one("/", Page::text("text"));
    let other = one("/", Page::text("other"));
    let client = Client::of(&server);
    client.read(&server.url("/"));
    client.refusal(&other.url("/"));
    // The name of an address is another host.
    client.refusal(&server.url_of("localhost", "/"));
    // A grant of the host alone is for the ports 80 and 443.
    let without_port = Client::without_grants().allow("127.0.0.1");
    without_port.refusal(&other.url("/"));
    assert_eq!(other.connections(), 0);
    let named = Client::without_grants().allow(&format!("localhost:{}", server.port()));
    let reply = named.read(&server.url_of("localhost", "/"));
    assert!(reply.body.contains("text"), "{reply:?}");
}

#[test]
fn public_does_not_include_this_machine_in_any_spelling() {
    let server = one("/", Page::text("text"));
    let port = server.port();
    let client = Client::without_grants().allow("public");
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "0177.0.0.1",
        "127.0.0.1.",
        "\u{ff11}27.0.0.1",
        "127\u{3002}0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "0.0.0.0",
        "0",
        "[::]",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
    ] {
        for address in [format!("http://{host}:{port}/"), format!("http://{host}/")] {
            client.refusal(&address);
            assert_eq!(server.connections(), 0, "{address}");
        }
    }
}

#[test]
fn public_does_not_include_private_networks_and_metadata_services() {
    let client = Client::without_grants().allow("public");
    for host in [
        "169.254.169.254",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[fc00::1]",
        "100.64.0.1",
        "100.100.100.200",
        "192.0.0.192",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "198.18.0.1",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:a9fe:a9fe::]",
    ] {
        let message = client.refusal(&format!("http://{host}/latest/meta-data/"));
        // A page can name such an address, so no hint suggests to grant it.
        assert!(!message.contains("--allow-net"), "{host}: {message}");
    }
    // No grant can allow these.
    for host in ["224.0.0.1", "255.255.255.255", "[ff02::1]"] {
        client.refusal(&format!("http://{host}/"));
    }
}

#[test]
fn ports_other_than_those_of_the_web_need_a_grant() {
    let client = Client::without_grants().allow("public");
    for port in [0, 25, 22, 6379, 8080] {
        client.refusal(&format!("http://example.com:{port}/"));
    }
}

#[test]
fn redirect_to_an_address_that_is_not_granted_is_refused_at_that_hop() {
    let inside = one("/", Page::text("secret"));
    for status in [301, 302, 303, 307, 308] {
        for target in [
            inside.url("/"),
            inside.url_of("localhost", "/"),
            "http://169.254.169.254/latest/".to_owned(),
            "http://[::1]/".to_owned(),
            "file:///etc/passwd".to_owned(),
            "ftp://127.0.0.1/".to_owned(),
            "javascript:alert(1)".to_owned(),
            "data:text/plain,secret".to_owned(),
            format!("//{}/", inside.authority()),
        ] {
            let server = Site::new()
                .page("/a", Page::redirect(status, "/b"))
                .page("/b", Page::redirect(status, &target))
                .serve();
            let message = Client::of(&server).refusal(&server.url("/a"));
            assert!(!message.contains("root:"), "{target}: {message}");
            assert!(!message.contains("secret\n"), "{target}: {message}");
            // A redirect cannot make a hint that suggests to grant its target.
            assert!(!message.contains("--allow-net"), "{target}: {message}");
            // The hop is named.
            let host = target.split('/').nth(2).unwrap_or(&target);
            let scheme = target.split(':').next().unwrap_or_default();
            assert!(
                message.contains(host) || message.contains(scheme),
                "{target}: {message}"
            );
            assert_eq!(server.targets(), ["/a", "/b"]);
        }
    }
    assert_eq!(inside.connections(), 0);
}

#[test]
fn redirect_to_another_granted_host_is_followed() {
    let other = one("/b", article("Other", ""));
    let server = one("/a", Page::redirect(302, &other.url("/b")));
    let client = Client::of(&server).allow(&other.authority());
    let reply = client.read(&server.url("/a"));
    assert_eq!(reply.url(), other.url("/b"));
    let request = other.requests().remove(0);
    assert_eq!(request.header("host"), Some(other.authority().as_str()));
    assert_eq!(request.header("referer"), None);
}

#[test]
fn token_is_sent_to_its_host_only() {
    let other = one("/b", article("Other", ""));
    let server = Site::new()
        .page("/a", Page::redirect(302, &other.url_of("localhost", "/b")))
        .page("/c", article("Own", ""))
        .serve();
    let client = Client::of(&server).allow(&format!("localhost:{}", other.port()));
    client.workspace.file("token", "Bearer s3cret-token\n");
    let header = format!(
        "127.0.0.1=Authorization=file:{}",
        client.workspace.path().join("token").display()
    );
    let client = client.option("--net-header").option(&header);
    let runs = [client.run(&server.url("/a")), client.run(&server.url("/c"))];
    for run in runs {
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(!run.stdout.contains("s3cret-token"), "{run:?}");
        assert!(!run.stderr.contains("s3cret-token"), "{run:?}");
    }
    for request in server.requests() {
        assert_eq!(request.header("authorization"), Some("Bearer s3cret-token"));
    }
    assert_eq!(other.requests()[0].header("authorization"), None);
}

/// The proxy gets the whole address of a page of another machine, and pages of this machine are read
/// without it.
#[test]
fn proxy_of_the_option_is_used_for_other_machines() {
    let proxy = one("http://docs.example/guide", article("From the proxy", ""));
    let server = one("/a", article("From this machine", ""));
    let client = Client::of(&server).allow("docs.example");
    let client = client
        .option("--proxy")
        .option(&format!("http://{}", proxy.authority()));
    let reply = client.read("http://docs.example/guide");
    assert_eq!(reply.head("Title"), "From the proxy");
    assert_eq!(
        client.read(&server.url("/a")).head("Title"),
        "From this machine"
    );
    assert_eq!(proxy.targets(), ["http://docs.example/guide"]);
    let message = client.refusal("http://other.example/");
    assert!(message.contains("`--allow-net other.example`"), "{message}");
    assert_eq!(proxy.requests().len(), 1);
}

#[test]
fn host_that_is_not_valid_is_named() {
    let message = Client::without_grants()
        .allow("public")
        .refusal("http://a!b/");
    assert!(message.contains("`a!b` is not a valid host"), "{message}");
}

#[test]
fn proxies_of_the_environment_are_not_used() {
    let proxy = one("/", Page::text("from the proxy"));
    let server = one("/a", article("Title", ""));
    let client = Client::of(&server);
    let mut command = client.cli.command();
    for name in [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ] {
        command.env(name, proxy.origin());
    }
    let arguments = ["--allow-net", &server.authority(), &server.url("/a")];
    let output = command.args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("ten words"), "{text}");
    assert_eq!(proxy.connections(), 0);
    assert_eq!(server.targets(), ["/a"]);
}

#[test]
fn other_forms_of_a_page_are_only_those_that_are_granted() {
    let inside = one("/m.md", Page::markdown("# Inside"));
    let link = format!(
        "<link rel=alternate type=text/markdown href={}>",
        inside.url("/m.md")
    );
    let frame = format!(
        "<iframe src={}></iframe><a href={}>d</a>",
        inside.url("/d.pdf"),
        inside.url("/d.pdf")
    );
    let server = Site::new()
        .page("/a", article("Title", &link))
        .page("/b", super::short_page(&frame))
        .serve();
    let client = Client::of(&server);
    for address in ["/a", "/b"] {
        let reply = client.read(&server.url(address));
        assert_eq!(reply.method(), "html", "{reply:?}");
    }
    assert_eq!(inside.connections(), 0);
}

#[test]
fn grants_that_are_not_hosts_are_errors_of_the_command_line() {
    for grant in [
        "http://example.com",
        "*",
        "example.com/",
        "127.0.0.1/8",
        "a b",
        "",
        // `public` means all hosts.
        "all",
        "any",
    ] {
        let run = Client::without_grants()
            .allow(grant)
            .run("http://example.com/");
        assert_eq!(run.code, Some(2), "{grant}: {run:?}");
    }
}
