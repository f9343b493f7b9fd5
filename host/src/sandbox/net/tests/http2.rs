//! Servers that send wrong frames of HTTP/2.

use super::tls::{acceptor, address, authority, root};
use super::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const HEADERS: u8 = 1;
const PRIORITY: u8 = 2;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;
/// A frame that no standard defines.
const UNKNOWN: u8 = 0x77;

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [length[1], length[2], length[3], kind, flags];
    [&head[..], &stream.to_be_bytes(), payload].concat()
}

/// The frames of a server that answers the first stream wrongly: some first, then one again and again.
struct Wrong {
    first: Vec<u8>,
    again: Vec<u8>,
}

/// Servers that never send a response.
fn wrong() -> Vec<(&'static str, Wrong)> {
    // `:status: 200`, indexed.
    let status = [0x88];
    // A header without indexing, in parts: a name of one byte and a value of 16 KB.
    let header = [&[0, 1, b'x', 0x7f, 0x81, 0x7f][..], &vec![b'a'; 16_000]].concat();
    vec![
        (
            "resets",
            Wrong {
                first: frame(RST_STREAM, 0, 1, &2u32.to_be_bytes()),
                again: Vec::new(),
            },
        ),
        (
            "goes away",
            Wrong {
                first: frame(GOAWAY, 0, 0, &[0; 8]),
                again: Vec::new(),
            },
        ),
        (
            "settings",
            Wrong {
                first: Vec::new(),
                again: frame(SETTINGS, 0, 0, &[]),
            },
        ),
        (
            "pings",
            Wrong {
                first: Vec::new(),
                again: frame(PING, 0, 0, &[0; 8]),
            },
        ),
        (
            "empty continuations",
            Wrong {
                first: frame(HEADERS, 0, 1, &status),
                again: frame(CONTINUATION, 0, 1, &[]),
            },
        ),
        (
            "large continuations",
            Wrong {
                first: frame(HEADERS, 0, 1, &status),
                again: frame(CONTINUATION, 0, 1, &header),
            },
        ),
        (
            "headers of other streams",
            Wrong {
                first: Vec::new(),
                again: frame(HEADERS, 4, 3, &status),
            },
        ),
        (
            "priorities",
            Wrong {
                first: Vec::new(),
                again: frame(PRIORITY, 0, 1, &[0, 0, 0, 3, 1]).repeat(1000),
            },
        ),
        (
            "window updates",
            Wrong {
                first: Vec::new(),
                again: frame(WINDOW_UPDATE, 0, 0, &1u32.to_be_bytes()).repeat(1000),
            },
        ),
        (
            "unknown frames",
            Wrong {
                first: Vec::new(),
                again: frame(UNKNOWN, 0, 0, &[]).repeat(1000),
            },
        ),
        (
            "interim responses",
            Wrong {
                first: Vec::new(),
                // `:status: 103`, without indexing.
                again: frame(HEADERS, 4, 1, &[0x08, 3, b'1', b'0', b'3']).repeat(1000),
            },
        ),
        (
            "not a frame",
            Wrong {
                first: vec![0xff; 100],
                again: Vec::new(),
            },
        ),
    ]
}

#[test]
fn wrong_frames_end_the_request() {
    let authority = authority();
    for (name, wrong) in wrong() {
        let acceptor = acceptor(&authority, "localhost", 2100, true);
        let Wrong { first, again } = wrong;
        let server = Server::new(move |stream, _| {
            let acceptor = acceptor.clone();
            let (first, again) = (first.clone(), again.clone());
            run(async move {
                stream.set_nonblocking(true).unwrap();
                let stream = tokio::net::TcpStream::from_std(stream).unwrap();
                let Ok(stream) = acceptor.accept(stream).await else {
                    return;
                };
                let (mut input, mut output) = tokio::io::split(stream);
                let reading = async {
                    let mut buffer = [0; 4096];
                    while input.read(&mut buffer).await.is_ok_and(|count| count > 0) {}
                };
                let writing = async {
                    let settings = frame(SETTINGS, 0, 0, &[]);
                    if output.write_all(&settings).await.is_err() {
                        return;
                    }
                    // The request has been sent by then.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    let mut sent = output.write_all(&first).await;
                    while sent.is_ok() && !again.is_empty() {
                        sent = output.write_all(&again).await;
                        tokio::task::yield_now().await;
                    }
                    let _ = output.flush().await;
                    tokio::time::sleep(Duration::from_mins(5)).await;
                };
                tokio::select! {
                    () = reading => {}
                    () = writing => {}
                }
            });
        });
        let client = Client::new(Config {
            roots: root(&authority),
            limits: Limits {
                exchange: Duration::from_secs(1),
                ..limits()
            },
            ..config(&[&format!("localhost:{}", server.port)])
        });
        let start = Instant::now();
        let failure = failure(&client, &address(&server));
        assert!(
            matches!(
                failure,
                Failure::Protocol(_) | Failure::Headers(_) | Failure::Timeout(Step::Response, _)
            ),
            "{name}: {failure:?}"
        );
        // A guard against hangs: the server keeps the connection for longer.
        assert!(start.elapsed() < Duration::from_mins(2), "{name}");
    }
}
