//! Benchmark of web addresses, with a server on this machine: a page against its transfer alone, and
//! against other programs that read a page.
//!
//! `cargo bench -p omniread-tests --bench web`. `OMNIREAD_TEST_PYTHON` names a Python with the programs
//! to compare with: `trafilatura` and `markitdown`.
//!
//! The numbers of requests for parts of large files are checked by the test `web`.

#![allow(
    missing_docs,
    clippy::print_stdout,
    reason = "a bench prints what it found"
)]

mod shared;

use http_body_util::{BodyExt as _, Empty};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use omniread::{Network, Reader};
use omniread_tests::Workspace;
use omniread_tests::web::{Page, Server, Site};
use shared::{paired, row};
use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

const ROUNDS: usize = 300;

/// A client without checks, over a connection that is kept.
struct Plain {
    runtime: Runtime,
    sender: SendRequest<Empty<Bytes>>,
    authority: String,
}

impl Plain {
    fn new(server: &Server) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let authority = server.authority();
        let address = authority.clone();
        let sender = runtime.block_on(async move {
            let stream = TcpStream::connect(address).await.expect("a connection");
            stream.set_nodelay(true).expect("a socket");
            let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("HTTP");
            tokio::spawn(connection);
            sender
        });
        Self {
            runtime,
            sender,
            authority,
        }
    }

    /// Requests a page, and reads it to its end.
    fn get(&mut self, path: &str) {
        let request = hyper::Request::get(path)
            .header("Host", &self.authority)
            .body(Empty::new())
            .expect("a request");
        let sender = &mut self.sender;
        self.runtime.block_on(async {
            sender.ready().await.expect("a connection");
            let response = sender.send_request(request).await.expect("a response");
            let body = response.into_body().collect().await.expect("a body");
            assert!(!body.to_bytes().is_empty(), "{path}");
        });
    }
}

fn main() {
    let workspace = Workspace::new();
    workspace.file("tiny.txt", "hello\n");
    let article = article(100_000);
    workspace.file("article.html", &article);
    let server = Site::new()
        .page("/tiny.txt", Page::text("hello\n"))
        .page("/article.html", Page::html(&article))
        .serve();
    let network = Network::default().allow(server.authority().parse().expect("a grant"));
    let reader = Reader::builder()
        .root(workspace.path())
        .network(network)
        .build()
        .expect("a reader");
    let session = reader.session();
    let read = |path: &str| drop(session.read(path).expect("a reply"));
    let mut plain = Plain::new(&server);
    let millis = |time: Duration| time.as_secs_f64() * 1e3;

    println!("warm reads, medians of {ROUNDS}");
    let url = server.url("/article.html");
    let (ours, transfer) = paired(ROUNDS, || read(&url), || plain.get("/article.html"));
    row("article of 100 KB", ours, transfer, "its transfer by hyper");
    let after = millis(ours) - millis(transfer);
    println!("  after its bytes have arrived: {after:.2} ms (limit 6)");

    // The rest of a read is measured with a local file of the same content.
    let url = server.url("/tiny.txt");
    let (ours, transfer) = paired(ROUNDS, || read(&url), || plain.get("/tiny.txt"));
    let (local, _) = paired(ROUNDS, || read("tiny.txt"), || ());
    row("text of 6 bytes", ours, transfer, "its transfer by hyper");
    let overhead = millis(ours) - millis(transfer) - millis(local);
    println!(
        "  a local read: {local:.1?}; overhead of the checked connection: {overhead:.2} ms (limit 0.3)"
    );

    println!("\nother programs, in one process each: the page of 100 KB");
    let url = server.url("/article.html");
    peer(
        "trafilatura",
        &url,
        // Its own function to fetch a page does not accept addresses of this machine.
        "import trafilatura as t; from urllib.request import urlopen",
        "t.extract(urlopen(url).read(), output_format='markdown')",
    );
    peer(
        "markitdown",
        &url,
        "from markitdown import MarkItDown; m = MarkItDown()",
        "m.convert(url).text_content",
    );
}

/// Prints the median time of an expression of Python that returns the text of the page.
fn peer(name: &str, url: &str, setup: &str, expression: &str) {
    let python = std::env::var("OMNIREAD_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = format!(
        "import time, statistics\n{setup}\nurl = {url:?}\ntimes = []\nfor _ in range(15):\n    start = time.perf_counter()\n    text = {expression}\n    times.append(time.perf_counter() - start)\n    assert 'quick brown fox' in (text or ''), 'no text of the page'\nprint(f'{{statistics.median(times[1:]) * 1e3:.1f}}')"
    );
    let output = Command::new(python).args(["-c", &script]).output();
    match output {
        Ok(output) if output.status.success() => {
            let time = String::from_utf8_lossy(&output.stdout);
            println!("  {name:34} {:>10} ms", time.trim());
        }
        Ok(output) => {
            let error = String::from_utf8_lossy(&output.stderr);
            let why = error.lines().last().unwrap_or("no message");
            println!("  {name:34} failed: {why}");
        }
        Err(error) => println!("  {name:34} failed: {error}"),
    }
}

const SENTENCE: &str =
    "The quick brown fox, which nobody had seen before, jumps over the lazy dog. ";

/// An article of about this many bytes.
fn article(bytes: usize) -> String {
    let mut html = "<!doctype html><html lang=en><head><title>An article</title></head><body>\
                    <nav><a href=/>Home</a></nav><article><h1>An article</h1>"
        .to_owned();
    let mut n = 0;
    while html.len() < bytes {
        n += 1;
        let _ = writeln!(
            html,
            "<h2 id=s{n}>Section {n}</h2><p>{SENTENCE}<a href=\"/page/{n}\">A link</a>. {SENTENCE}{SENTENCE}</p>\
             <ul><li>{SENTENCE}<li><code>code {n}</code></ul>"
        );
    }
    html.push_str("</article></body></html>");
    html
}
