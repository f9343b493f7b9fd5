//! The resident memory of long-lived processes while they read. Only for Linux.
//!
//! `cargo bench -p omniread-tests --bench memory` sends 100,000 reads to each process.
//! `OMNIREAD_BENCH_MINUTES=10` sends as many as it can in this time.

#![allow(
    missing_docs,
    clippy::print_stdout,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread_tests::process::memory;
use omniread_tests::{Workspace, pack, project};
use shared::process::{OMNIREAD, Process};
use std::fs;
use std::io::{BufRead as _, Write as _};
use std::time::{Duration, Instant};

/// The number of requests without a reply.
const IN_FLIGHT: usize = 64;

/// The number of reads, unless the time is given.
const READS: usize = 100_000;

/// The paths that are read in turns.
const PATHS: [&str; 12] = [
    "README.md",
    "README.md:5-20",
    "README.md:raw",
    "50KB.rs",
    "2MB.log:10000-10050",
    "tree",
    "source.tar.gz",
    "source.tar.gz:README.md:1-400",
    "app.db",
    "app.db:users",
    "ages.ipynb",
    "missing",
];

/// An image, which is read once in 200 reads.
const IMAGE: &str = "chart.svg:img";

fn main() {
    let minutes = std::env::var("OMNIREAD_BENCH_MINUTES").ok();
    let minutes: Option<u64> = minutes.map(|text| text.parse().expect("a number of minutes"));
    let time = minutes.map(Duration::from_mins);
    let workspace = workspace();
    println!("resident memory in MiB, with {IN_FLIGHT} requests in flight");
    for command in ["serve", "mcp"] {
        run(&workspace, command, time);
    }
}

fn workspace() -> Workspace {
    let workspace = shared::workspace();
    for name in ["app.db", "ages.ipynb", "chart.svg"] {
        let file = project().join("examples").join(name);
        workspace.file(name, fs::read(file).expect("an example"));
    }
    let readme = fs::read(project().join("README.md")).expect("the README");
    let source = "pub fn function() -> u32 { 1 }\n".repeat(10_000);
    let members = [("README.md", &readme[..]), ("lib.rs", source.as_bytes())];
    workspace.file("source.tar.gz", pack::gzip(&pack::tar(&members)));
    workspace.file("README.md", readme);
    workspace
}

/// Sends reads to a process for a time, or [`READS`] of them.
fn run(workspace: &Workspace, command: &str, time: Option<Duration>) {
    let mut process = Process::start(OMNIREAD, &[command], workspace);
    let is_mcp = command == "mcp";
    if is_mcp {
        process = process.initialize();
    }
    print!("{command}: {:.1} at the start", resident(&process));
    let (mut sent, mut received) = (0, 0);
    let mut line = Vec::new();
    let began = Instant::now();
    let mut next = 1;
    loop {
        let done = match time {
            // In percent.
            Some(time) => 100 * began.elapsed().as_millis() / time.as_millis(),
            None => (100 * sent / READS) as u128,
        };
        if done >= 20 * next {
            print!(", {:.1} after {} %", resident(&process), 20 * next);
            std::io::stdout().flush().expect("standard output");
            next += 1;
        }
        if done >= 100 {
            break;
        }
        let mut requests = String::new();
        while sent - received < IN_FLIGHT {
            sent += 1;
            requests += &request(sent, is_mcp);
        }
        process
            .input
            .write_all(requests.as_bytes())
            .expect("it reads");
        received += replies(&mut process, &mut line);
    }
    let seconds = began.elapsed().as_secs_f64();
    while received < sent {
        received += replies(&mut process, &mut line);
    }
    // Idle threads end after five seconds.
    std::thread::sleep(Duration::from_secs(8));
    println!(
        ", {:.1} when idle\n  {sent} reads in {seconds:.0} s; peak {:.1}",
        resident(&process),
        mebibytes(&process, "VmHWM"),
    );
    process.end();
}

/// Reads the replies that have arrived together, and returns their number.
fn replies(process: &mut Process, line: &mut Vec<u8>) -> usize {
    let mut count = 0;
    loop {
        line.clear();
        process.output.read_until(b'\n', line).expect("a reply");
        assert!(!line.is_empty(), "the process has ended");
        count += 1;
        if process.output.buffer().is_empty() {
            return count;
        }
    }
}

fn request(number: usize, is_mcp: bool) -> String {
    let path = if number.is_multiple_of(200) {
        IMAGE
    } else {
        PATHS[number % PATHS.len()]
    };
    if is_mcp {
        format!(
            r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"read","arguments":{{"path":"{path}"}}}}}}"#
        ) + "\n"
    } else {
        format!(r#"{{"id":{number},"path":"{path}"}}"#) + "\n"
    }
}

/// The resident memory in MiB.
fn resident(process: &Process) -> f64 {
    mebibytes(process, "VmRSS")
}

#[expect(clippy::cast_precision_loss, reason = "the figure has three digits")]
fn mebibytes(process: &Process, field: &str) -> f64 {
    memory(process.child.id(), field) as f64 / f64::from(1 << 20)
}
