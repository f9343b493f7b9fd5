//! The files that the benches read.

#![allow(
    dead_code,
    clippy::print_stdout,
    reason = "each bench uses a part of it, and prints"
)]

use omniread_tests::Workspace;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The line that large files are made of.
pub const LINE: &str =
    "2026-11-21T03:14:15.926Z INFO  request handled in 42 ms by worker-7, 200 OK\n";

/// A workspace with a file of 12 bytes, one of 50 KB, a log of 2 MB, and a
/// directory.
pub fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("12B.txt", "hello world\n");
    let mut source = String::new();
    for n in 0..1000 {
        let _ = writeln!(
            source,
            "    let value_{n:04} = compute({n}, \"some text\");"
        );
    }
    workspace.file("50KB.rs", source);
    workspace.file("2MB.log", LINE.repeat((2 << 20) / LINE.len()));
    for folder in 0..10 {
        for file in 0..15 {
            workspace.file(&format!("tree/folder{folder}/file{file}.txt"), "x\n");
        }
    }
    workspace
}

/// The middle one.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Times two things in turns, after one round that is not counted.
pub fn paired(rounds: usize, mut a: impl FnMut(), mut b: impl FnMut()) -> (Duration, Duration) {
    let mut times = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let start = Instant::now();
        a();
        let between = Instant::now();
        b();
        if round > 0 {
            times.0.push(between - start);
            times.1.push(between.elapsed());
        }
    }
    (median(times.0), median(times.1))
}

/// Prints two times and their ratio.
pub fn row(name: &str, ours: Duration, other: Duration, against: &str) {
    let ratio = ours.as_secs_f64() / other.as_secs_f64();
    println!("  {name:34} {ours:>10.1?}  {other:>10.1?}  {ratio:>5.2} × {against}");
}
