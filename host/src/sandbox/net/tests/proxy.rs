//! Requests through a proxy.

use super::tls::{authority, root, server};
use super::*;
use std::net::Shutdown;

/// A proxy that connects all tunnels to one port of this machine, and answers all other requests
/// itself. It requires the password `secret`.
fn proxy(port: u16) -> Server {
    Server::new(move |mut client, requests| {
        while let Some(request) = request(&mut client) {
            let is_allowed = request.contains("proxy-authorization: Basic secret\r\n");
            let is_tunnel = request.starts_with("CONNECT ");
            requests.lock().unwrap().push(request);
            if !is_allowed {
                let refused =
                    b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
                let _ = client.write_all(refused);
            } else if is_tunnel {
                let host = TcpStream::connect(("127.0.0.1", port)).unwrap();
                let _ = client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n");
                let (mut from, mut to) = (client.try_clone().unwrap(), host.try_clone().unwrap());
                thread::spawn(move || {
                    let _ = io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Write);
                });
                let _ = io::copy(&mut { host }, &mut client);
                return;
            } else {
                let _ = client.write_all(HELLO);
            }
        }
    })
}

/// Knows only the name of the proxy.
struct OnlyProxy;

impl Resolve for OnlyProxy {
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        assert_eq!(name, "proxy.example", "the proxy resolves all other names");
        Ok(vec![IpAddr::from([127, 0, 0, 1])])
    }
}

fn through(proxy: &Server, password: Option<&'static str>, config: Config) -> Client {
    let url = format!("http://proxy.example:{}", proxy.port);
    Client::new(Config {
        proxy: Some(url.parse().unwrap()),
        proxy_authorization: password.map(HeaderValue::from_static),
        resolver: Arc::new(OnlyProxy),
        ..config
    })
}

const PASSWORD: Option<&str> = Some("Basic secret");

#[test]
fn proxy_gets_the_address_and_the_password() {
    let proxy = proxy(0);
    let client = through(&proxy, PASSWORD, config(&["public"]));
    run(async {
        for path in ["/a?b", "/c"] {
            let page = get(&client, &format!("http://a.example{path}")).await;
            assert_eq!(page, Ok((200, b"hello".to_vec())));
        }
    });
    assert_eq!(proxy.connections(), 1);
    let requests = proxy.requests.lock().unwrap();
    assert!(requests[0].starts_with("GET http://a.example/a?b HTTP/1.1\r\n"));
    assert!(requests[0].contains("host: a.example\r\n"), "{requests:?}");
}

#[test]
fn tunnel_leads_to_the_certificate_of_the_host() {
    let authority = authority();
    for http2 in [false, true] {
        let host = server(&authority, "a.example", 2100, http2);
        let proxy = proxy(host.port);
        let config = || Config {
            roots: root(&authority),
            ..config(&["public"])
        };
        let client = through(&proxy, PASSWORD, config());
        run(async {
            for _ in 0..2 {
                let page = get(&client, "https://a.example/").await;
                assert_eq!(page, Ok((200, b"hello".to_vec())), "{http2}");
            }
        });
        assert_eq!(proxy.connections(), 1);
        let requests = proxy.requests.lock().unwrap().clone();
        assert!(requests[0].starts_with("CONNECT a.example:443 HTTP/1.1\r\n"));
        // The proxy cannot pass off another host.
        let other = failure(&through(&proxy, PASSWORD, config()), "https://b.example/");
        assert!(matches!(other, Failure::Certificate(_)), "{other:?}");
    }
}

#[test]
fn grants_apply_before_the_proxy() {
    let proxy = proxy(0);
    for (grant, url) in [
        ("a.example", "http://b.example/"),
        ("a.example", "https://b.example/"),
        ("a.example", "http://a.example:8080/"),
        ("public", "http://169.254.169.254/"),
        ("public", "https://10.0.0.1/"),
        ("0.0.0.0", "http://0.0.0.0/"),
    ] {
        let client = through(&proxy, PASSWORD, config(&[grant]));
        let failure = failure(&client, url);
        assert!(matches!(failure, Failure::Denied(_)), "{url}: {failure:?}");
    }
    assert_eq!(proxy.connections(), 0);
}

#[test]
fn this_machine_is_read_without_the_proxy() {
    let (proxy, server) = (proxy(0), Server::answers(HELLO));
    let config = config(&[&format!("127.0.0.1:{}", server.port)]);
    let client = through(&proxy, PASSWORD, config);
    let page = run(get(&client, &server.url("/")));
    assert_eq!(page, Ok((200, b"hello".to_vec())));
    assert_eq!(proxy.connections(), 0);
    let request = server.requests.lock().unwrap()[0].clone();
    assert!(request.starts_with("GET / HTTP/1.1\r\n") && !request.contains("secret"));
}

#[test]
fn refusals_of_the_proxy_are_named() {
    let proxy = proxy(0);
    for password in [None, Some("Basic wrong")] {
        for url in ["http://a.example/", "https://a.example/"] {
            let client = through(&proxy, password, config(&["public"]));
            let expected = Failure::ProxyAuthorization(password.is_some());
            assert_eq!(failure(&client, url), expected, "{url}");
        }
    }
    for (answer, expected) in [
        (&b"HTTP/1.1 403 Forbidden\r\n\r\n"[..], "status 403"),
        (b"HTTP/1.1 200 OK\r\n\r\nbytes", "sends bytes before"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "invalid HTTP"),
        (b"", "connection closed"),
    ] {
        let proxy = Server::new(move |mut stream, _| {
            request(&mut stream);
            let _ = stream.write_all(answer);
        });
        let client = through(&proxy, None, config(&["public"]));
        let failure = failure(&client, "https://a.example/");
        let Failure::Proxy(why) = &failure else {
            panic!("{failure:?}");
        };
        assert!(why.contains(expected), "{why}");
    }
    // A proxy that does not answer, and none.
    let silent = Server::new(|mut stream, _| {
        let _ = stream.read(&mut [0; 4096]);
        thread::sleep(Duration::from_mins(5));
    });
    let hasty = Config {
        limits: Limits {
            exchange: SHORT,
            ..limits()
        },
        ..config(&["public"])
    };
    let failed = failure(&through(&silent, None, hasty), "https://a.example/");
    assert!(
        matches!(failed, Failure::Timeout(Step::Response, _)),
        "{failed:?}"
    );
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let client = Client::new(Config {
        proxy: Some(format!("http://127.0.0.1:{port}").parse().unwrap()),
        ..config(&["public"])
    });
    let failed = failure(&client, "http://a.example/");
    assert!(matches!(failed, Failure::Proxy(_)), "{failed:?}");
}
