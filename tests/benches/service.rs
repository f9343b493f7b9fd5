//! Benchmark of the long-lived processes, against reads through the library in the same run.
//!
//! `cargo bench -p omniread-tests --bench service`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread_tests::Workspace;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The number of requests without a reply that the client of the service keeps.
const IN_FLIGHT: usize = 64;

/// The number of reads of a round.
const READS: usize = 40_000;

fn main() {
    let workspace = shared::workspace();
    println!("reads of 12B.txt a second: the library with two threads, and `omniread serve`");
    let mut rates = Vec::new();
    for _ in 0..7 {
        let library = library(&workspace);
        let (service, latencies) = service(&workspace, IN_FLIGHT, READS);
        let p99 = percentile(&latencies, 99);
        println!(
            "library {library:6.0}/s   serve {service:6.0}/s   {:.2}   p50 {:.1} ms, p99 {:.1} ms",
            service / library,
            percentile(&latencies, 50).as_secs_f64() * 1e3,
            p99.as_secs_f64() * 1e3,
        );
        rates.push((service / library, p99));
    }
    rates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut tails: Vec<_> = rates.iter().map(|rate| rate.1).collect();
    tails.sort();
    println!(
        "medians: {:.2} of the library, p99 {:.1} ms with {IN_FLIGHT} requests in flight",
        rates[rates.len() / 2].0,
        tails[tails.len() / 2].as_secs_f64() * 1e3,
    );
    println!("\none request at a time, medians");
    let (_, latencies) = service(&workspace, 1, 3000);
    let session = workspace.session();
    std::fs::write(
        workspace.path().join("4KB.txt"),
        "0123456 89abcde\n".repeat(230),
    )
    .expect("a file");
    for path in ["12B.txt", "4KB.txt"] {
        let typed = percentile(
            &times(2000, || drop(session.read(path).expect("a reply"))),
            50,
        );
        let mcp = percentile(&mcp(&workspace, path, 2000), 50);
        println!(
            "{path}: typed {:.0} us, MCP {:.0} us, difference {:.0} us",
            typed.as_secs_f64() * 1e6,
            mcp.as_secs_f64() * 1e6,
            mcp.saturating_sub(typed).as_secs_f64() * 1e6,
        );
    }
    println!(
        "12B.txt: serve {:.0} us",
        percentile(&latencies, 50).as_secs_f64() * 1e6
    );
    let started = times(30, || {
        Process::start(&workspace, &["mcp"]).initialize().end();
    });
    println!(
        "start of `omniread mcp` to the response to `initialize`, and its end: {:.1} ms",
        percentile(&started, 50).as_secs_f64() * 1e3
    );
}

fn times(rounds: usize, mut call: impl FnMut()) -> Vec<Duration> {
    let time = |_| {
        let began = Instant::now();
        call();
        began.elapsed()
    };
    (0..rounds).map(time).collect()
}

/// Calls the tool of the MCP server, one call after the other.
fn mcp(workspace: &Workspace, path: &str, rounds: usize) -> Vec<Duration> {
    let mut server = Process::start(workspace, &["mcp"]).initialize();
    let mut id = 1;
    let times = times(rounds, || {
        id += 1;
        let reply = server.request(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"read","arguments":{{"path":"{path}"}}}}}}"#
        ));
        assert!(reply.contains("\"isError\":false"), "{reply}");
    });
    server.end();
    times
}

/// Reads with two threads. Returns the number of reads a second.
fn library(workspace: &Workspace) -> f64 {
    let session = workspace.session();
    let read = || drop(session.read("12B.txt").expect("a reply"));
    read();
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..READS / 2).for_each(|_| read()));
        }
    });
    READS as f64 / began.elapsed().as_secs_f64()
}

/// A long-lived process, and its streams.
struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start(workspace: &Workspace, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_omniread-under-test"))
            .args(arguments)
            .current_dir(workspace.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        Self {
            child,
            input,
            output: BufReader::with_capacity(64 << 10, output),
        }
    }

    /// Initializes an MCP server.
    fn initialize(mut self) -> Self {
        let reply = self.request(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
        );
        assert!(reply.contains("serverInfo"), "{reply}");
        let initialized = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
        self.input
            .write_all(initialized.as_bytes())
            .expect("it reads");
        self
    }

    /// Sends a line, and returns the next line of output.
    fn request(&mut self, line: &str) -> String {
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .expect("it reads");
        let mut reply = String::new();
        self.output.read_line(&mut reply).expect("it replies");
        reply
    }

    fn end(mut self) {
        drop(self.input);
        self.child.wait().expect("the service ends");
    }
}

/// Sends requests and keeps `in_flight` of them without a reply. Returns the number of replies a
/// second, and the time from each request to its reply.
fn service(workspace: &Workspace, in_flight: usize, reads: usize) -> (f64, Vec<Duration>) {
    let mut service = Process::start(workspace, &["serve"]);
    let mut sent = Vec::with_capacity(reads);
    let mut latencies = Vec::with_capacity(reads);
    let mut requests = String::new();
    let mut line = Vec::new();
    let began = Instant::now();
    while latencies.len() < reads {
        // Replies that have arrived together are answered with one write.
        while sent.len() < reads && sent.len() - latencies.len() < in_flight {
            requests.push_str(&format!("{{\"id\":{},\"path\":\"12B.txt\"}}\n", sent.len()));
            sent.push(Instant::now());
        }
        service
            .input
            .write_all(requests.as_bytes())
            .expect("it reads");
        requests.clear();
        loop {
            line.clear();
            service
                .output
                .read_until(b'\n', &mut line)
                .expect("it replies");
            latencies.push(sent[id(&line)].elapsed());
            if service.output.buffer().is_empty() {
                break;
            }
        }
    }
    let rate = reads as f64 / began.elapsed().as_secs_f64();
    service.end();
    (rate, latencies)
}

/// The id at the start of a reply.
fn id(line: &[u8]) -> usize {
    let text = std::str::from_utf8(line).expect("UTF-8");
    let id = text
        .strip_prefix("{\"id\":")
        .and_then(|rest| rest.split_once(','));
    id.expect("an id").0.parse().expect("a number")
}

fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times[(times.len() * percent / 100).min(times.len() - 1)]
}
