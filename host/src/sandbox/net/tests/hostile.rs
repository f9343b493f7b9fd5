//! Servers that answer wrongly, and the requests after them.

use super::*;

/// A server that answers the first connection with these bytes, and others as a server should.
fn once(answer: &'static [u8]) -> Server {
    let count = AtomicUsize::new(0);
    Server::new(move |mut stream, requests| {
        let is_first = count.fetch_add(1, Ordering::SeqCst) == 0;
        while let Some(request) = request(&mut stream) {
            requests.lock().unwrap().push(request);
            let _ = stream.write_all(if is_first { answer } else { HELLO });
            if is_first {
                return;
            }
        }
    })
}

#[test]
fn next_request_works_after_a_failure() {
    for answer in [
        &b""[..],
        b"no HTTP\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n",
        b"HTTP/1.1 200 OK\r\nX: \0\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ] {
        let server = once(answer);
        let client = client(&server);
        run(async {
            let failed = get(&client, &server.url("/")).await;
            let shown = String::from_utf8_lossy(answer);
            if !answer.starts_with(b"HTTP/1.1 101") {
                assert!(
                    matches!(failed, Err(Failure::Protocol(_))),
                    "{shown}: {failed:?}"
                );
            }
            let next = get(&client, &server.url("/")).await;
            assert_eq!(next, Ok((200, b"hello".to_vec())), "{shown}");
        });
    }
}

/// Each part of a body takes time, and so does each interim response.
#[test]
fn endless_small_parts_end() {
    let endless = |first: &'static [u8], again: &'static [u8]| {
        let again = again.repeat(1000);
        Server::new(move |mut stream, _| {
            request(&mut stream);
            let _ = stream.write_all(first);
            while stream.write_all(&again).is_ok() {}
        })
    };
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let server = endless(chunked, b"1\r\na\r\n");
    assert_eq!(failure(&client(&server), &server.url("/")), Failure::Parts);
    let server = endless(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n");
    let failed = failure(&client(&server), &server.url("/"));
    assert!(
        matches!(&failed, Failure::Protocol(why) if why.contains("belongs to no response")),
        "{failed:?}"
    );
}

/// Bytes after a response are not the response to the next request.
#[test]
fn response_is_not_followed_by_another_one() {
    let forged = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged";
    let server = Server::new(|mut stream, requests| {
        while let Some(request) = request(&mut stream) {
            let mut requests = requests.lock().unwrap();
            requests.push(request);
            let answer = if requests.len() == 1 {
                &forged[..]
            } else {
                HELLO
            };
            let _ = stream.write_all(answer);
        }
    });
    let client = client(&server);
    run(async {
        let first = get(&client, &server.url("/")).await;
        assert_eq!(first, Ok((200, b"abc".to_vec())));
        tokio::time::sleep(Duration::from_millis(30)).await;
        let next = get(&client, &server.url("/")).await;
        assert_eq!(next, Ok((200, b"hello".to_vec())));
    });
}

/// The client follows no redirect, and each target is checked like any address.
#[test]
fn targets_of_redirects_are_new_decisions() {
    let internal = Server::answers(HELLO);
    let location = format!("http://127.0.0.1:{}/", internal.port);
    let answer = format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
    let server = Server::new(move |mut stream, _| {
        while request(&mut stream).is_some() {
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    let client = client(&server);
    run(async {
        let page = get(&client, &server.url("/")).await;
        assert_eq!(page, Ok((302, Vec::new())));
        let denied = get(&client, &location).await;
        assert!(
            matches!(denied, Err(Failure::Denied(Denied::Port(..)))),
            "{denied:?}"
        );
    });
    assert_eq!(internal.connections(), 0);
}

#[test]
fn read_with_many_slow_requests_ends() {
    let slow = Server::new(|mut stream, _| {
        while request(&mut stream).is_some() {
            thread::sleep(Duration::from_millis(100));
            let _ = stream.write_all(HELLO);
        }
    });
    let client = client(&slow);
    let clock = clock(Duration::from_millis(450));
    let uri: Uri = slow.url("/").parse().unwrap();
    run(async {
        for count in 0..100 {
            let sent = client
                .send(Method::GET, &uri, &HeaderMap::new(), &clock)
                .await;
            match sent {
                Ok(_) => {}
                Err(Failure::Timeout(Step::Read, limit)) => {
                    assert_eq!(limit, Duration::from_millis(450));
                    assert!(count > 0);
                    return;
                }
                Err(other) => panic!("{other:?}"),
            }
        }
        panic!("no request failed");
    });
}

/// Answers too late.
struct Late;

impl Resolve for Late {
    fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        thread::sleep(Duration::from_secs(3));
        Ok(vec![IpAddr::from([127, 0, 0, 1])])
    }
}

#[test]
fn name_server_that_does_not_answer_is_left() {
    let client = Client::new(Config {
        limits: Limits {
            connect: SHORT,
            ..limits()
        },
        resolver: Arc::new(Late),
        ..config(&["site.example", "127.0.0.1"])
    });
    assert_eq!(
        failure(&client, "http://site.example/"),
        Failure::Timeout(Step::Resolve, SHORT)
    );
}
