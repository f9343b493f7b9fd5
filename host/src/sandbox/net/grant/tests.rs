//! Tests of grants.

use super::*;

fn grants(grants: &[&str]) -> Grants {
    let grants = grants.iter().map(|grant| grant.parse().unwrap());
    Grants(grants.collect())
}

fn host(host: &str) -> Host {
    Host::parse(host).unwrap()
}

fn allows(with: &[&str], name: &str, port: u16, address: &str) -> bool {
    let address = address.parse().unwrap();
    grants(with)
        .check_address(&host(name), port, address)
        .is_ok()
}

#[test]
fn grants_are_parsed() {
    for text in [
        "public",
        "example.com",
        "example.com:8080",
        "*.example.com",
        "*.example.com:8443",
        "10.0.0.5",
        "127.0.0.1:8080",
        "[::1]",
        "[::1]:8080",
        "localhost:3000",
        "xn--bcher-kva.example",
    ] {
        assert_eq!(text.parse::<Grant>().unwrap().to_string(), text);
    }
    assert_eq!("::1".parse::<Grant>().unwrap().to_string(), "[::1]");
    assert_eq!(
        "Example.COM.".parse::<Grant>().unwrap().to_string(),
        "example.com"
    );
    for text in [
        "",
        "*",
        "*.",
        "*.10.0.0.1",
        "a*.example.com",
        "http://example.com",
        "example.com/",
        "example.com:",
        "example.com:0",
        "example.com:65536",
        "example.com:http",
        "exa mple.com",
        "bücher.example",
        "user@example.com",
        "127.1",
        "0x7f.1",
        "2130706433",
        "a..b",
        "[::1",
        "[10.0.0.1]",
    ] {
        assert!(text.parse::<Grant>().is_err(), "{text}");
    }
}

#[test]
fn nothing_is_granted_by_default() {
    assert!(Grants::default().is_empty());
    assert!(!allows(&[], "example.com", 443, "1.1.1.1"));
}

#[test]
fn public_has_public_addresses_and_the_ports_of_the_web() {
    assert!(allows(&["public"], "example.com", 443, "1.1.1.1"));
    assert!(allows(&["public"], "1.1.1.1", 80, "1.1.1.1"));
    for port in [0, 22, 25, 6379, 8080] {
        assert!(
            !allows(&["public"], "example.com", port, "1.1.1.1"),
            "{port}"
        );
    }
    for address in [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "::1",
        "0.0.0.0",
        "192.0.2.1",
    ] {
        assert!(
            !allows(&["public"], "example.com", 80, address),
            "{address}"
        );
        let literal = Host::Address(address.parse().unwrap()).to_string();
        assert!(!allows(&["public"], &literal, 80, address), "{address}");
    }
    let denied = grants(&["public"]).check_host(&host("127.0.0.1"), 80);
    assert!(matches!(
        denied,
        Err(Denied::Address(_, _, Scope::Loopback))
    ));
}

#[test]
fn a_name_has_its_private_addresses() {
    let with = ["wiki.example", "localhost:3000"];
    assert!(allows(&with, "wiki.example", 443, "10.0.0.1"));
    assert!(allows(&with, "localhost", 3000, "127.0.0.1"));
    assert!(allows(&with, "localhost", 3000, "::1"));
    assert!(!allows(&with, "localhost", 80, "127.0.0.1"));
    // Whatever the resolver answers, this name is not another machine.
    assert!(!allows(&with, "localhost", 3000, "93.184.216.34"));
    assert!(!allows(&with, "localhost", 3000, "10.0.0.5"));
    // The owner of a name must not reach this machine or the metadata of a cloud.
    assert!(!allows(&with, "wiki.example", 443, "127.0.0.1"));
    assert!(!allows(&with, "wiki.example", 443, "169.254.169.254"));
    assert!(!allows(&with, "a.wiki.example", 443, "1.1.1.1"));
}

#[test]
fn names_below_a_name_have_public_addresses() {
    let with = ["*.example.com"];
    assert!(allows(&with, "a.b.example.com", 443, "1.1.1.1"));
    for name in ["example.com", "badexample.com", "example.com.evil.org"] {
        assert!(!allows(&with, name, 443, "1.1.1.1"), "{name}");
    }
    assert!(!allows(&with, "a.example.com", 443, "10.0.0.1"));
}

#[test]
fn an_address_is_granted_in_all_notations() {
    let with = ["127.0.0.1:8080", "169.254.169.254"];
    assert!(allows(&with, "127.0.0.1", 8080, "127.0.0.1"));
    assert!(allows(
        &with,
        "[::ffff:127.0.0.1]",
        8080,
        "::ffff:127.0.0.1"
    ));
    assert!(allows(&with, "169.254.169.254", 80, "169.254.169.254"));
    assert!(!allows(&with, "127.0.0.2", 8080, "127.0.0.2"));
    assert!(!allows(&with, "127.0.0.1", 80, "127.0.0.1"));
}

#[test]
fn messages_name_the_grant() {
    let denied = |with: &[&str], name: &str, port: u16, address: &str| {
        let address = address.parse().unwrap();
        let denied = grants(with).check_address(&host(name), port, address);
        let denied = denied.unwrap_err();
        (denied.to_string(), denied.hint().unwrap_or_default())
    };
    let (message, hint) = denied(&[], "example.com", 443, "1.1.1.1");
    assert_eq!(message, "network access to example.com is not granted");
    assert_eq!(hint, "use `--allow-net example.com` to allow it");
    let (_, hint) = denied(&["public"], "example.com", 8080, "1.1.1.1");
    assert_eq!(hint, "use `--allow-net example.com:8080` to allow it");
    let (message, hint) = denied(&["public"], "example.com", 80, "::1");
    assert_eq!(
        message,
        "example.com has the address ::1, which is loopback"
    );
    assert_eq!(hint, "");
    let (message, _) = denied(&["public"], "127.0.0.1", 80, "127.0.0.1");
    assert_eq!(message, "the address 127.0.0.1 is loopback");
    let (_, hint) = denied(&["*.example.com:81"], "a.example.com", 81, "10.0.0.1");
    assert_eq!(hint, "");
    let (_, hint) = denied(&["public"], "example.com", 80, "0.0.0.0");
    assert_eq!(hint, "");
}

#[test]
fn grant_of_an_ipv4_address_is_not_one_of_other_addresses_that_contain_it() {
    let with = ["127.0.0.1:8080"];
    assert!(allows(&with, "127.0.0.1", 8080, "127.0.0.1"));
    assert!(allows(
        &with,
        "[::ffff:127.0.0.1]",
        8080,
        "::ffff:127.0.0.1"
    ));
    let other = "2a01:4f8:1:2:0:5efe:7f00:1";
    assert!(!allows(&with, &format!("[{other}]"), 8080, other));
}

#[test]
fn grant_of_a_host_that_is_not_public_is_never_suggested() {
    for name in [
        "169.254.169.254",
        "127.0.0.1",
        "[::1]",
        "10.0.0.5",
        "192.168.1.1",
        "100.100.100.200",
        "[fd00:ec2::254]",
        "[::ffff:169.254.169.254]",
        "0.0.0.0",
        "localhost",
        "app.localhost",
        "metadata",
        "metadata.google.internal",
        "printer.local",
        "router.home.arpa",
        "nas.lan",
    ] {
        let host = host(name);
        let address = match host {
            Host::Address(address) => address,
            Host::Name(_) => "127.0.0.1".parse().unwrap(),
        };
        for with in [&[][..], &["public"], &["*.example.com"]] {
            for port in [80, 443, 3000] {
                let denied = grants(with).check_address(&host, port, address);
                assert_eq!(denied.unwrap_err().hint(), None, "{name}:{port}");
            }
        }
    }
    for name in [
        "example.com",
        "other.example",
        "1.1.1.1",
        "internal.example.com",
    ] {
        let denied = grants(&[]).check_host(&host(name), 443).unwrap_err();
        assert!(denied.hint().is_some(), "{name}");
    }
}
