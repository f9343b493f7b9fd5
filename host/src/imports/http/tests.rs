//! The requests of a read, without an instance of the reader: the functions are called as it calls
//! them.

use super::*;
use crate::access::Access;
use crate::bindings::omniread::parts::sandbox::Host as _;
use crate::component::Component;
use crate::sandbox::net::tests::{
    HELLO, SHORT, Server, client, config, limits, request, with_limits,
};
use crate::sandbox::net::{Client, Limits, Progress};
use crate::sandbox::{CancelToken, Stop, Stopped};
use crate::state::ReadGrant;
use crate::system::{Grant, StandardInput};
use std::io::Write as _;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use wasmtime_wasi::p2::bindings::sync::io::{poll, streams};

/// The host side of a read, which may send the requests of a client.
fn state(client: Option<Client>, stop: Stop) -> State {
    let grant = ReadGrant {
        system: Grant {
            policy: Arc::default(),
            stop,
            memory: 512 << 20,
            environment: Arc::default(),
            stdin: StandardInput::Empty,
        },
        access: Arc::new(Access {
            client: client.map(Arc::new),
            ..Access::default()
        }),
        progress: Some(Progress::new()),
    };
    let component = Component::shared(true).unwrap();
    component.state(grant, Arc::default())
}

/// Sends a request for `/`, and returns the status and the body. `None` if the body ends early.
fn get(state: &mut State, server: &Server) -> Result<(u16, Option<Vec<u8>>), ErrorCode> {
    let mut http = view(state);
    let fields = HostFields::new(&mut http).unwrap();
    let request = HostOutgoingRequest::new(&mut http, fields).unwrap();
    let borrow = || Resource::new_borrow(request.rep());
    http.set_scheme(borrow(), Some(Scheme::Http))
        .unwrap()
        .unwrap();
    let authority = format!("127.0.0.1:{}", server.port);
    http.set_authority(borrow(), Some(authority))
        .unwrap()
        .unwrap();
    http.set_path_with_query(borrow(), Some("/".to_owned()))
        .unwrap()
        .unwrap();
    let future = handle(state, request, None).unwrap()?;
    let mut http = view(state);
    let borrow = || Resource::new_borrow(future.rep());
    let pollable = subscribe(&mut http, borrow()).unwrap();
    poll::HostPollable::block(http.table, pollable).unwrap();
    let response = super::get(&mut http, borrow()).unwrap();
    let response = response.unwrap().unwrap()?;
    assert!(super::get(&mut http, borrow()).unwrap().unwrap().is_err());
    let borrow = || Resource::new_borrow(response.rep());
    let status = HostIncomingResponse::status(&mut http, borrow()).unwrap();
    let body = HostIncomingResponse::consume(&mut http, borrow())
        .unwrap()
        .unwrap();
    let stream = HostIncomingBody::stream(&mut http, body).unwrap().unwrap();
    let mut content = Vec::new();
    loop {
        let borrow = Resource::new_borrow(stream.rep());
        // A call that does not block may find nothing.
        let read = match streams::HostInputStream::read(http.table, borrow, 65536) {
            Ok(bytes) if bytes.is_empty() => {
                let borrow = Resource::new_borrow(stream.rep());
                streams::HostInputStream::blocking_read(http.table, borrow, 65536)
            }
            read => read,
        };
        match read {
            Ok(bytes) => content.extend(bytes),
            Err(wasmtime_wasi::p2::StreamError::Closed) => return Ok((status, Some(content))),
            Err(_) => return Ok((status, None)),
        }
    }
}

fn failed(state: &mut State) -> Option<RequestFailure> {
    state.request_failed().unwrap()
}

#[test]
fn page_is_read_and_its_progress_is_known() {
    let server = Server::answers(HELLO);
    let mut state = state(Some(client(&server)), Stop::default());
    assert!(state.get_capabilities().unwrap().network);
    for _ in 0..2 {
        let (status, body) = get(&mut state, &server).unwrap();
        assert_eq!((status, body.as_deref()), (200, Some(b"hello".as_slice())));
        assert!(failed(&mut state).is_none());
    }
    let progress = state.hooks.progress().unwrap().received().unwrap();
    assert_eq!((progress.bytes, progress.total), (5, Some(5)));
    assert_eq!(progress.host, "127.0.0.1");
}

#[test]
fn read_without_grants_sends_nothing_and_names_the_host() {
    let server = Server::answers(HELLO);
    let mut state = state(None, Stop::default());
    assert!(!state.get_capabilities().unwrap().network);
    assert!(failed(&mut state).is_none());
    let error = get(&mut state, &server).unwrap_err();
    assert!(matches!(error, ErrorCode::HttpRequestDenied), "{error:?}");
    let failure = failed(&mut state).unwrap();
    let RequestError::Refused(why) = &failure.error else {
        panic!("{failure:?}");
    };
    assert_eq!(why, "network access to 127.0.0.1 is not granted");
    // The address is one of this machine.
    assert_eq!(failure.hint, None);
    assert_eq!(server.connections(), 0);
}

#[test]
fn failures_of_bodies_have_a_reason_until_the_next_request() {
    let server = Server::new(|mut stream, requests| {
        while let Some(head) = request(&mut stream) {
            let mut requests = requests.lock().unwrap();
            requests.push(head);
            let answer = match requests.len() {
                1 => b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".to_vec(),
                2 => [&b"HTTP/1.1 200 OK\r\n\r\n"[..], &vec![b'a'; 100_001]].concat(),
                _ => HELLO.to_vec(),
            };
            let _ = stream.write_all(&answer);
            if requests.len() < 3 {
                return;
            }
        }
    });
    let mut state = state(Some(client(&server)), Stop::default());
    assert_eq!(get(&mut state, &server).unwrap(), (200, None));
    let failure = failed(&mut state).unwrap();
    assert!(
        matches!(failure.error, RequestError::Protocol(_)),
        "{failure:?}"
    );
    assert_eq!(get(&mut state, &server).unwrap(), (200, None));
    let failure = failed(&mut state).unwrap();
    assert!(
        matches!(failure.error, RequestError::Size(100_000)),
        "{failure:?}"
    );
    let hint = failure.hint.unwrap();
    assert!(hint.contains("--net-bytes"), "{hint}");
    assert_eq!(get(&mut state, &server).unwrap().0, 200);
    assert!(failed(&mut state).is_none());
}

#[test]
fn timeouts_have_their_limit() {
    let never = Server::new(|stream, _| {
        thread::sleep(Duration::from_mins(5));
        drop(stream);
    });
    let exchange = SHORT;
    let hasty = with_limits(
        &never,
        Limits {
            exchange,
            ..limits()
        },
    );
    let mut state = state(Some(hasty), Stop::default());
    get(&mut state, &never).unwrap_err();
    let failure = failed(&mut state).unwrap();
    assert!(
        matches!(failure.error, RequestError::Timeout(300)),
        "{failure:?}"
    );
}

#[test]
fn read_that_was_stopped_ends_in_place_of_an_error() {
    let never = Server::new(|stream, _| {
        thread::sleep(Duration::from_mins(5));
        drop(stream);
    });
    let token = CancelToken::new();
    let stop = Stop {
        token: Some(token.clone()),
        ..Stop::default()
    };
    let client = Client::new(config(&[&format!("127.0.0.1:{}", never.port)]));
    let mut state = state(Some(client), stop);
    let cancelling = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        token.cancel();
    });
    let start = Instant::now();
    get(&mut state, &never).unwrap_err();
    let ended = state.request_failed().unwrap_err();
    assert_eq!(ended.downcast_ref(), Some(&Stopped::Cancelled));
    // A guard against hangs: the server does not answer for longer.
    assert!(start.elapsed() < Duration::from_mins(2));
    cancelling.join().unwrap();
}

/// The time that a server takes to answer does not count.
#[test]
fn time_of_the_network_does_not_count_towards_the_timeout() {
    const WAIT: Duration = Duration::from_millis(300);
    let slow = Server::new(|mut stream, _| {
        request(&mut stream);
        thread::sleep(WAIT);
        let _ = stream.write_all(HELLO);
    });
    let mut state = state(Some(client(&slow)), Stop::default());
    let start = Instant::now();
    assert_eq!(get(&mut state, &slow).unwrap().0, 200);
    let time = Arc::clone(&state.stop().time);
    assert!(time.network().total() >= WAIT);
    assert!(time.real() <= start.elapsed().saturating_sub(WAIT));
}

/// Sends a request for `/` with one call.
fn get_at_once(state: &mut State, server: &Server) -> Result<sandbox::Response, RequestFailure> {
    let url = format!("http://127.0.0.1:{}/", server.port);
    let headers = vec![("accept".to_owned(), "*/*".to_owned())];
    state.send_request(url, headers).unwrap().unwrap()
}

/// The next part of a body after its start. `None` if it fails, or if it has ended.
fn next(state: &mut State, rest: &Resource<DynInputStream>) -> Option<Vec<u8>> {
    let borrow = Resource::new_borrow(rest.rep());
    streams::HostInputStream::blocking_read(&mut state.system.table, borrow, 65536).ok()
}

#[test]
fn request_with_one_call_has_its_whole_body_and_keeps_the_connection() {
    let server = Server::answers(HELLO);
    let mut state = state(Some(client(&server)), Stop::default());
    assert!(state.sends_requests().unwrap());
    for _ in 0..2 {
        let response = get_at_once(&mut state, &server).unwrap();
        assert_eq!((response.status, &*response.start), (200, &b"hello"[..]));
        assert!(response.rest.is_none());
        let length = ("content-length".to_owned(), b"5".to_vec());
        assert!(response.headers.contains(&length), "{:?}", response.headers);
        assert!(failed(&mut state).is_none());
    }
    assert_eq!(server.connections(), 1);
    assert!(state.system.table.is_empty());
    let progress = state.hooks.progress().unwrap().received().unwrap();
    assert_eq!((progress.bytes, progress.total), (5, Some(5)));
}

#[test]
fn request_with_one_call_that_is_refused_has_the_reason() {
    let server = Server::answers(HELLO);
    let mut state = state(None, Stop::default());
    let failure = get_at_once(&mut state, &server).unwrap_err();
    let RequestError::Refused(why) = &failure.error else {
        panic!("{failure:?}");
    };
    assert_eq!(why, "network access to 127.0.0.1 is not granted");
    assert_eq!(server.connections(), 0);
    // What is no address or no header is an error of `wasi:http`.
    for (url, header) in [("http://a b/", "x"), ("http://127.0.0.1/", "x\n")] {
        let headers = vec![("accept".to_owned(), header.to_owned())];
        let sent = state.send_request(url.to_owned(), headers).unwrap();
        assert!(sent.is_none(), "{url}");
    }
}

#[test]
fn body_that_the_reader_may_leave_is_not_waited_for() {
    for (head, requested) in [
        ("302 Found\r\nLocation: /b", "accept"),
        ("200 OK\r\nContent-Encoding: foo", "accept"),
        (
            "200 OK\r\nContent-Encoding: gzip\r\nContent-Encoding: foo",
            "accept",
        ),
        // The whole file in place of the part that was requested.
        ("200 OK", "range"),
    ] {
        let server = Server::new(move |mut stream, _| {
            request(&mut stream);
            let head =
                format!("HTTP/1.1 {head}\r\nProxy-Authenticate: x\r\nContent-Length: 5\r\n\r\n");
            let _ = stream.write_all(head.as_bytes());
            thread::sleep(Duration::from_mins(5));
        });
        let mut state = state(Some(client(&server)), Stop::default());
        let start = Instant::now();
        let url = format!("http://127.0.0.1:{}/", server.port);
        let headers = vec![(requested.to_owned(), "bytes=0-1".to_owned())];
        let response = state.send_request(url, headers).unwrap().unwrap().unwrap();
        assert!(
            response.start.is_empty() && response.rest.is_some(),
            "{head}"
        );
        assert!(start.elapsed() < Duration::from_mins(2), "{head}");
        // A guest gets no headers that are for the connection or a proxy.
        let mut names = response.headers.iter().map(|(name, _)| name.as_str());
        assert!(names.all(|name| name != "proxy-authenticate"), "{head}");
    }
}

#[test]
fn body_that_ends_early_after_its_start_fails_when_it_is_read() {
    let server = Server::new(|mut stream, requests| {
        request(&mut stream);
        let mut requests = requests.lock().unwrap();
        requests.push(String::new());
        let body = if requests.len() == 1 { "abc" } else { "" };
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
        let _ = stream.write_all(format!("{head}{body}").as_bytes());
    });
    let mut state = state(Some(client(&server)), Stop::default());
    for start in [&b"abc"[..], b""] {
        let response = get_at_once(&mut state, &server).unwrap();
        assert_eq!((response.status, &*response.start), (200, start));
        assert!(failed(&mut state).is_none());
        let rest = response.rest.unwrap();
        assert_eq!(next(&mut state, &rest), None);
        let failure = failed(&mut state).unwrap();
        assert!(
            matches!(failure.error, RequestError::Protocol(_)),
            "{failure:?}"
        );
    }
}
