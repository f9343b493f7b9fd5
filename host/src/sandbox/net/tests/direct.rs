//! Connections that the thread of a read serves.

use super::*;

/// Requests a page, and reads no byte of its body.
fn head_of(client: &Client, url: &str) -> u16 {
    let clock = clock(client.limits().read);
    let uri: Uri = url.parse().unwrap();
    let sent = run(client.send(Method::GET, &uri, &HeaderMap::new(), &clock));
    sent.unwrap().status().as_u16()
}

/// No task belongs to a connection, so that it can be used from each thread, whatever runtime it has.
#[test]
fn connection_is_kept_for_requests_of_other_threads() {
    let server = Server::answers(HELLO);
    let client = Arc::new(client(&server));
    for _ in 0..3 {
        let (client, url) = (Arc::clone(&client), server.url("/"));
        let page = thread::spawn(move || run(get(&client, &url)));
        assert_eq!(page.join().unwrap(), Ok((200, b"hello".to_vec())));
    }
    assert_eq!(server.connections(), 1);
    // Requests at the same time have a connection each.
    let requests = (0..3).map(|_| {
        let (client, url) = (Arc::clone(&client), server.url("/"));
        thread::spawn(move || (0..20).all(|_| run(get(&client, &url)).is_ok()))
    });
    let requests: Vec<_> = requests.collect();
    assert!(requests.into_iter().all(|it| it.join().unwrap()));
    assert!(server.connections() <= 3);
}

#[test]
fn body_that_is_not_read_ends_its_connection_unless_it_has_arrived() {
    let short = Server::answers(HELLO);
    let reader = client(&short);
    for _ in 0..3 {
        assert_eq!(head_of(&reader, &short.url("/")), 200);
    }
    assert_eq!(short.connections(), 1);
    let unfinished = Server::new(|mut stream, _| {
        while request(&mut stream).is_some() {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
        }
    });
    let reader = client(&unfinished);
    for _ in 0..3 {
        assert_eq!(head_of(&reader, &unfinished.url("/")), 200);
    }
    assert_eq!(unfinished.connections(), 3);
}

/// Bytes after a response would be taken for the next one.
#[test]
fn connection_with_bytes_that_nobody_requested_is_not_used_again() {
    let server = Server::new(|mut stream, _| {
        while request(&mut stream).is_some() {
            let _ = stream.write_all(HELLO);
            thread::sleep(Duration::from_millis(20));
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
        }
    });
    let client = client(&server);
    for _ in 0..3 {
        let page = run(get(&client, &server.url("/")));
        assert_eq!(page, Ok((200, b"hello".to_vec())));
        thread::sleep(Duration::from_millis(60));
    }
    assert_eq!(server.connections(), 3);
}

#[test]
fn response_in_many_parts_arrives() {
    let server = Server::new(|mut stream, _| {
        while request(&mut stream).is_some() {
            let _ = stream.set_nodelay(true);
            let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            for byte in head.iter().chain(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") {
                let _ = stream.write_all(&[*byte]);
            }
        }
    });
    let client = client(&server);
    for _ in 0..3 {
        let page = run(get(&client, &server.url("/")));
        assert_eq!(page, Ok((200, b"abcde".to_vec())));
    }
    assert_eq!(server.connections(), 1);
}
