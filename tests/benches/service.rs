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
    let (_, latencies) = service(&workspace, 1, 3000);
    println!(
        "one request at a time: p50 {:.0} us",
        percentile(&latencies, 50).as_secs_f64() * 1e6
    );
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

/// A process of the service, and its streams.
struct Service {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Service {
    fn start(workspace: &Workspace) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_omniread-under-test"))
            .arg("serve")
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

    fn end(mut self) {
        drop(self.input);
        self.child.wait().expect("the service ends");
    }
}

/// Sends requests and keeps `in_flight` of them without a reply. Returns the number of replies a
/// second, and the time from each request to its reply.
fn service(workspace: &Workspace, in_flight: usize, reads: usize) -> (f64, Vec<Duration>) {
    let mut service = Service::start(workspace);
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
