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
use shared::process::{OMNIREAD, Process};
use std::io::{BufRead as _, Write as _};
use std::time::{Duration, Instant};

/// The number of requests without a reply that the client of the service keeps.
const IN_FLIGHT: usize = 64;

/// The number of reads of a round with many requests in flight.
const READS: usize = 40_000;

/// The number of rounds of single reads.
const ROUNDS: usize = 25;

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
    println!("\none request at a time: medians of {ROUNDS} rounds");
    let path = workspace.path().join("4KB.txt");
    std::fs::write(path, "0123456 89abcde\n".repeat(230)).expect("a file");
    for path in ["12B.txt", "4KB.txt"] {
        alone(&workspace, path);
    }
    let started = times(30, |_| {
        let server = Process::start(OMNIREAD, &["mcp"], &workspace);
        server.initialize().end();
    });
    println!(
        "start of `omniread mcp` to the response to `initialize`, and its end: {:.1} ms",
        percentile(&started, 50).as_secs_f64() * 1e3
    );
}

fn times(calls: usize, mut call: impl FnMut(usize)) -> Vec<Duration> {
    let time = |number| {
        let began = Instant::now();
        call(number);
        began.elapsed()
    };
    (0..calls).map(time).collect()
}

/// Compares single reads: through the library, `omniread serve` and `omniread mcp`. They take turns,
/// so that a busy machine affects all.
fn alone(workspace: &Workspace, path: &str) {
    let session = workspace.session();
    let mut serve = Process::start(OMNIREAD, &["serve"], workspace);
    let mut mcp = Process::start(OMNIREAD, &["mcp"], workspace).initialize();
    let arguments = format!(r#"{{"name":"read","arguments":{{"path":"{path}"}}}}"#);
    let rounds: Vec<[f64; 3]> = (0..ROUNDS)
        .map(|_| {
            let median = |call: &mut dyn FnMut(usize)| {
                let time = percentile(&times(100, call), 50);
                time.as_secs_f64() * 1e6
            };
            let typed = median(&mut |_| drop(session.read(path).expect("a reply")));
            let serve = median(&mut |id| {
                let reply = serve.request(&format!(r#"{{"id":{id},"path":"{path}"}}"#));
                assert!(reply.contains("\"blocks\""), "{reply}");
            });
            let mcp = median(&mut |id| {
                let reply = mcp.request(&format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{arguments}}}"#
                ));
                assert!(reply.contains("\"isError\":false"), "{reply}");
            });
            [typed, serve - typed, mcp - typed]
        })
        .collect();
    for process in [serve, mcp] {
        process.end();
    }
    let [typed, serve, mcp] = [0, 1, 2].map(|column| {
        let mut values: Vec<f64> = rounds.iter().map(|round| round[column]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    });
    println!("{path}: typed {typed:.0} us; serve adds {serve:.0} us, MCP adds {mcp:.0} us");
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

/// Sends requests and keeps `in_flight` of them without a reply. Returns the number of replies a
/// second, and the time from each request to its reply.
fn service(workspace: &Workspace, in_flight: usize, reads: usize) -> (f64, Vec<Duration>) {
    let mut service = Process::start(OMNIREAD, &["serve"], workspace);
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
