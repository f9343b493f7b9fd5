//! Benchmark of `omniread batch`, against reads of the same files through the library in the same run.
//!
//! `cargo bench -p omniread-tests --bench batch`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread_tests::Workspace;
use shared::process::OMNIREAD;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The number of files.
const FILES: usize = 100_000;

/// The number of rounds.
const ROUNDS: usize = 5;

/// The number of threads of the library, and of the batch.
const THREADS: usize = 2;

fn main() {
    let workspace = Workspace::new();
    let mut list = String::new();
    for number in 0..FILES {
        let name = format!("d{}/f{number}.txt", number % 100);
        workspace.file(&name, format!("first of {number}\nsecond\nthird line\n"));
        let _ = writeln!(list, "{name}");
    }
    let small: String = list.split_inclusive('\n').take(FILES / 10).collect();
    println!("files of three lines a second, {THREADS} threads: the library, and `omniread batch`");
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let library = library(&workspace, &list);
        let ordered = batch(&workspace, &list, &[]);
        let resumed = batch(&workspace, &list, &["--resume", "done", "--output", "rows"]);
        println!(
            "library {library:6.0}/s   batch {:6.0}/s   {:.2}   {:.0} us of the processor for each row   with --resume {:6.0}/s",
            ordered.rate,
            ordered.rate / library,
            ordered.processor.as_secs_f64() * 1e6 / FILES as f64,
            resumed.rate,
        );
        ratios.push(ordered.rate / library);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median: {:.2} of the library", ratios[ratios.len() / 2]);
    println!("\npeak of the resident memory in MiB");
    for (files, list) in [(FILES / 10, &small), (FILES, &list)] {
        let run = batch(&workspace, list, &[]);
        println!("{files:6} files: {:.1}", run.peak as f64 / 1024.0);
    }
}

/// Reads all files with threads of this process. Returns the number of reads a second.
fn library(workspace: &Workspace, list: &str) -> f64 {
    let reader = workspace.builder().build().expect("a reader");
    let paths: Vec<&str> = list.lines().collect();
    let began = Instant::now();
    std::thread::scope(|scope| {
        for part in paths.chunks(paths.len().div_ceil(THREADS)) {
            let session = reader.session();
            scope.spawn(move || {
                for path in part {
                    drop(session.read(path).expect("a reply"));
                }
            });
        }
    });
    paths.len() as f64 / began.elapsed().as_secs_f64()
}

/// A run of the program.
struct Run {
    /// The number of rows a second.
    rate: f64,
    /// The time on the processor.
    processor: Duration,
    /// The peak of the resident memory in KiB.
    peak: u64,
}

fn batch(workspace: &Workspace, list: &str, options: &[&str]) -> Run {
    workspace.file("list", list);
    for file in ["done", "rows", "out"] {
        let _ = fs::remove_file(workspace.path().join(file));
    }
    let open = |name| workspace.path().join(name);
    let began = Instant::now();
    let mut child = Command::new(OMNIREAD)
        .current_dir(workspace.path())
        .args(["batch", "--jobs", "2"])
        .args(options)
        .stdin(File::open(open("list")).expect("the list"))
        .stdout(Stdio::from(File::create(open("out")).expect("a file")))
        .spawn()
        .expect("the program");
    let (mut peak, mut processor) = (0, Duration::ZERO);
    let status = loop {
        if let Some(status) = child.try_wait().expect("it ends") {
            break status;
        }
        let read = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id()));
        let facts = read("status").unwrap_or_default();
        let line = facts.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = kib.unwrap_or(peak);
        let times = read("stat").unwrap_or_default();
        let after = times.rsplit_once(") ").map_or("", |(_, after)| after);
        let mut fields = after
            .split(' ')
            .skip(11)
            .map_while(|field| field.parse::<u64>().ok());
        if let (Some(user), Some(system)) = (fields.next(), fields.next()) {
            let ticks = user + system;
            // Linux counts in hundredths of a second.
            processor = Duration::from_millis(ticks * 10);
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success());
    let rate = list.lines().count() as f64 / began.elapsed().as_secs_f64();
    Run {
        rate,
        processor,
        peak,
    }
}
