//! The server itself: what it sends over a socket.

use super::*;
use std::time::{Duration, Instant};

/// Sends a request for a page, and returns everything until the server ends the connection.
fn get(server: &Server, address: &str, headers: &str) -> String {
    String::from_utf8_lossy(&get_bytes(server, address, headers)).into_owned()
}

fn get_bytes(server: &Server, address: &str, headers: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(server.authority()).unwrap();
    let request =
        format!("GET {address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    response
}

/// The body of a response.
fn body(response: &[u8]) -> &[u8] {
    let end = response.windows(4).position(|four| four == b"\r\n\r\n");
    &response[end.unwrap() + 4..]
}

#[test]
fn page_is_answered_by_its_address() {
    let site = Site::new()
        .page("/a", Page::html("one"))
        .page("/a?b=1", Page::text("two"));
    let server = site.serve();
    assert_eq!(
        get(&server, "/a?b=2", "X: y\r\n"),
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 3\r\n\r\none"
    );
    assert!(get(&server, "/a?b=1", "").ends_with("\r\n\r\ntwo"));
    assert!(get(&server, "/b", "").starts_with("HTTP/1.1 404 "));
    assert_eq!(server.targets(), ["/a?b=2", "/a?b=1", "/b"]);
    let first = server.requests().remove(0);
    assert_eq!((first.status, first.sent), (200, 3));
    assert_eq!(first.header("x"), Some("y"));
    server.forget();
    server.set("/b", Page::text("three"));
    assert!(get(&server, "/b", "").ends_with("three"));
    assert_eq!(server.targets(), ["/b"]);
}

#[test]
fn connection_is_kept() {
    let server = Site::new().page("/", Page::text("a").chunked()).serve();
    let mut stream = TcpStream::connect(server.authority()).unwrap();
    let expected = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n\
                    Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n";
    for _ in 0..3 {
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let mut response = vec![0; expected.len()];
        stream.read_exact(&mut response).unwrap();
        assert_eq!(String::from_utf8(response).unwrap(), expected);
    }
    assert_eq!((server.connections(), server.requests().len()), (1, 3));
}

#[test]
fn requests_arrive_in_any_parts() {
    let site = Site::new().page("/a", Page::text("one"));
    let server = site.page("/b", Page::text("two")).serve();
    let mut stream = TcpStream::connect(server.authority()).unwrap();
    // Two requests at once, the first part of a third one, and its rest byte by byte.
    let all = "GET /a HTTP/1.1\r\nX: y\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /a HTT";
    stream.write_all(all.as_bytes()).unwrap();
    for byte in b"P/1.1\r\nConnection: close\r\n\r\n" {
        stream.write_all(&[*byte]).unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut responses = String::new();
    stream.read_to_string(&mut responses).unwrap();
    assert_eq!(responses.matches("HTTP/1.1 200 OK").count(), 3);
    assert_eq!(server.targets(), ["/a", "/b", "/a"]);
    assert_eq!(server.requests()[0].header("x"), Some("y"));
    assert_eq!(server.connections(), 1);
}

#[test]
fn head_without_an_end_ends_the_connection() {
    let server = Site::new().page("/", Page::text("a")).serve();
    for head in ["GET / HTTP/1.1\r\n".to_owned(), "x".repeat(1 << 20)] {
        let mut stream = TcpStream::connect(server.authority()).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        if head.len() < 1 << 20 {
            stream.shutdown(std::net::Shutdown::Write).unwrap();
        }
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        assert!(response.is_empty());
    }
    assert!(server.requests().is_empty());
}

#[test]
fn pages_answer_one_request_each() {
    let pages = [Page::empty(503).retry_after("5"), Page::text("a")];
    let server = Site::new().pages("/", pages).serve();
    assert!(get(&server, "/", "").contains("503 Service Unavailable\r\nRetry-After: 5\r\n"));
    assert!(get(&server, "/", "").starts_with("HTTP/1.1 200"));
    assert!(get(&server, "/", "").starts_with("HTTP/1.1 200"));
}

#[test]
fn ranges_are_answered_as_the_page_says() {
    let page = Page::new("application/zip", "0123456789").etag("\"v1\"");
    let server = Site::new()
        .page("/", page.clone().ranges(Ranges::Correct))
        .page("/ignored", page.clone())
        .page("/start", page.clone().ranges(Ranges::WrongStart))
        .page("/total", page.clone().ranges(Ranges::WrongTotal))
        .page("/none", page.clone().ranges(Ranges::NoContentRange))
        .page("/half", page.clone().ranges(Ranges::Half))
        .page("/refused", page.ranges(Ranges::Refused))
        .serve();
    for (address, headers, status, content_range, expected) in [
        ("/", "", 200, None, "0123456789"),
        ("/", "Range: bytes=2-4", 206, Some("bytes 2-4/10"), "234"),
        ("/", "Range: bytes=8-", 206, Some("bytes 8-9/10"), "89"),
        ("/", "Range: bytes=-3", 206, Some("bytes 7-9/10"), "789"),
        ("/", "Range: bytes=8-99", 206, Some("bytes 8-9/10"), "89"),
        ("/", "Range: bytes=10-", 416, Some("bytes */10"), ""),
        ("/", "Range: bytes=1-2,4-5", 200, None, "0123456789"),
        (
            "/",
            "Range: bytes=2-4\r\nIf-Range: \"v1\"",
            206,
            Some("bytes 2-4/10"),
            "234",
        ),
        (
            "/",
            "Range: bytes=2-4\r\nIf-Range: \"v2\"",
            200,
            None,
            "0123456789",
        ),
        ("/ignored", "Range: bytes=2-4", 200, None, "0123456789"),
        (
            "/start",
            "Range: bytes=2-4",
            206,
            Some("bytes 3-4/10"),
            "234",
        ),
        (
            "/total",
            "Range: bytes=2-4",
            206,
            Some("bytes 2-4/11"),
            "234",
        ),
        ("/none", "Range: bytes=2-4", 206, None, "234"),
        ("/half", "Range: bytes=2-5", 206, Some("bytes 2-3/10"), "23"),
        ("/refused", "Range: bytes=2-4", 416, Some("bytes */10"), ""),
    ] {
        let end = if headers.is_empty() { "" } else { "\r\n" };
        let response = get(&server, address, &format!("{headers}{end}"));
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status} ")),
            "{headers}: {response}"
        );
        assert!(
            response.ends_with(&format!("\r\n\r\n{expected}")),
            "{headers}: {response}"
        );
        let stated = content_range.map(|range| format!("Content-Range: {range}\r\n"));
        match stated {
            Some(stated) => assert!(response.contains(&stated), "{headers}: {response}"),
            None => assert!(!response.contains("Content-Range"), "{headers}: {response}"),
        }
    }
}

#[test]
fn current_page_is_not_sent_again() {
    let date = "Wed, 01 Jan 2025 00:00:00 GMT";
    let page = Page::text("a").etag("W/\"v1\"").last_modified(date);
    let server = Site::new().page("/", page).serve();
    for (header, status) in [
        ("If-None-Match: \"v1\"".to_owned(), 304),
        ("If-None-Match: \"v0\", W/\"v1\"".to_owned(), 304),
        ("If-None-Match: *".to_owned(), 304),
        ("If-None-Match: \"v2\"".to_owned(), 200),
        (format!("If-Modified-Since: {date}"), 304),
        (
            "If-Modified-Since: Wed, 01 Jan 2020 00:00:00 GMT".to_owned(),
            200,
        ),
    ] {
        let response = get(&server, "/", &format!("{header}\r\n"));
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status} ")),
            "{header}: {response}"
        );
        assert_eq!(response.ends_with("\r\n\r\na"), status == 200, "{header}");
    }
}

#[test]
fn codings_contain_the_page() {
    let text = "word ".repeat(1000);
    let page = Page::text(&text);
    let server = Site::new()
        .page("/gzip", page.clone().gzip())
        .page("/br", page.clone().brotli())
        .page("/zstd", page.zstd())
        .serve();
    let decoded = |address: &str| {
        let response = get_bytes(&server, address, "");
        let coded = body(&response).to_vec();
        assert!(coded.len() < 500, "{address}: {}", coded.len());
        let mut text = String::new();
        match address {
            "/gzip" => flate2::read::GzDecoder::new(&*coded).read_to_string(&mut text),
            "/br" => brotli::Decompressor::new(&*coded, 4096).read_to_string(&mut text),
            _ => ruzstd::decoding::StreamingDecoder::new(&*coded)
                .unwrap()
                .read_to_string(&mut text),
        }
        .unwrap();
        text
    };
    for address in ["/gzip", "/br", "/zstd"] {
        assert_eq!(decoded(address), text, "{address}");
    }
}

#[test]
fn large_bodies_are_computed_or_read_from_a_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(1 << 40).unwrap();
    let computed = Body::computed(1 << 40, |offset, buffer| {
        for (byte, at) in buffer.iter_mut().zip(offset..) {
            *byte = b'a' + u8::try_from(at % 26).unwrap();
        }
    });
    let server = Site::new()
        .page(
            "/file",
            Page::file("text/plain", file.path()).ranges(Ranges::Correct),
        )
        .page(
            "/computed",
            Page::text("").body(computed).ranges(Ranges::Correct),
        )
        .serve();
    let range = "Range: bytes=1099511627770-1099511627773\r\n";
    assert!(
        get(&server, "/file", range)
            .ends_with("/1099511627776\r\nContent-Length: 4\r\n\r\n\0\0\0\0")
    );
    assert!(get(&server, "/computed", range).ends_with("\r\n\r\nklmn"));
}

#[test]
fn server_misbehaves_as_the_page_says() {
    let endless = Page::text("").body(Body::Endless(b"ab".as_slice().into()));
    let server = Site::new()
        .page("/short", Page::text("abc").false_length(10))
        .page("/end", Page::text("abc").until_end())
        .page("/unfinished", Page::text("abc").unfinished())
        .page("/exactly", Page::exactly("nonsense"))
        .page("/endless", endless)
        .page(
            "/slow",
            Page::text("abc")
                .slow_head(Duration::from_millis(1))
                .slow_body(1, Duration::from_millis(10)),
        )
        .serve();
    assert!(get(&server, "/short", "").ends_with("Content-Length: 10\r\n\r\nabc"));
    assert!(get(&server, "/end", "").ends_with("Connection: close\r\n\r\nabc"));
    assert!(get(&server, "/unfinished", "").ends_with("chunked\r\n\r\n3\r\nabc\r\n"));
    assert_eq!(get(&server, "/exactly", ""), "nonsense");
    let began = Instant::now();
    assert!(get(&server, "/slow", "").ends_with("abc"));
    assert!(began.elapsed() >= Duration::from_millis(100));
    let mut stream = TcpStream::connect(server.authority()).unwrap();
    stream.write_all(b"GET /endless HTTP/1.1\r\n\r\n").unwrap();
    let mut start = vec![0; 1 << 20];
    stream.read_exact(&mut start).unwrap();
    assert!(start.ends_with(b"ab") || start.ends_with(b"ba"));
}

#[test]
fn server_with_a_certificate_speaks_tls() {
    let authority = Authority::new();
    let server = Site::new().page("/", Page::text("secret"));
    let server = server.serve_tls(authority.server("localhost", Validity::Now));
    let mut roots = rustls::RootCertStore::empty();
    let pem = authority.pem();
    let der = rustls::pki_types::pem::PemObject::from_pem_slice(pem.as_bytes()).unwrap();
    roots.add(der).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().unwrap();
    let session = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(server.authority()).unwrap();
    let mut stream = StreamOwned::new(session, stream);
    stream
        .write_all(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut response = Vec::new();
    // The server ends the connection without the message that TLS has for it.
    let _ = stream.read_to_end(&mut response);
    assert!(response.ends_with(b"\r\n\r\nsecret"));
    assert!(server.url("/").starts_with("https://127.0.0.1:"));
}
