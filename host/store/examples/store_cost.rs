//! Measures what a store on disk adds to a read: `remember`, `put` and `note_shown` after each read, beside
//! a store in memory.
//!
//! `cargo run --release -p omniread-store --example store_cost -- [READS] [PAUSE] [DIRECTORY]`
//!
//! The pause in microseconds is the time of a read itself. Without it, the thread that moves the log competes
//! with all reads.

#![allow(clippy::print_stdout, reason = "the result")]

use omniread_store::{Handle, NewReply, Run, Snapshot, Stamp, Store, StoreError, StoreLimits};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// The lines of a page. A page has up to 50 kB, and this one 12 kB.
const LINES: usize = 300;

/// The paths that are read in turn: as many as the store keeps.
const PATHS: u64 = 500;

fn snapshot(read: u64) -> Snapshot {
    let line = |n: usize| format!("    let value_{n} = compute({read}, {n})?;");
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&read.to_le_bytes());
    Snapshot {
        tag: Some(format!("{:04x}", read % 65536)),
        hash: Some(hash),
        runs: vec![Run {
            first: 1,
            lines: (0..LINES).map(line).collect(),
        }],
        after: Some(Stamp {
            size: 1,
            modified: i128::from(read),
            device: 1,
            inode: read,
        }),
        ..Snapshot::new(format!(
            "/home/user/project/source/module_{}.rs",
            read % PATHS
        ))
    }
}

fn measure(name: &str, store: &Store, reads: u64, pause: Duration) {
    let handle = Handle::default();
    let value = vec![7; 2000];
    let mut times: [Vec<Duration>; 5] = Default::default();
    for read in 0..reads {
        let snapshot = snapshot(read);
        let mut key = [1; 32];
        key[..8].copy_from_slice(&read.to_le_bytes());
        let cached = format!("lines:{}", snapshot.path);
        thread::sleep(pause);
        let processor = processor_time();
        let start = Instant::now();
        store.remember(&handle, snapshot);
        let remembered = start.elapsed();
        store.put(&handle, &cached, &value);
        let put = start.elapsed();
        let reply = NewReply {
            content: [2; 32],
            path: "/home/user/project/source/module.rs",
            generation: 0,
        };
        store.note_shown(&handle, &key, &reply);
        let all = start.elapsed();
        let processor = processor_time().saturating_sub(processor);
        let (noted, put) = (all.saturating_sub(put), put.saturating_sub(remembered));
        let values = [all, processor, remembered, put, noted];
        for (times, time) in times.iter_mut().zip(values) {
            times.push(time);
        }
    }
    let names = ["all", "processor", "remember", "put", "note_shown"];
    for (what, mut times) in names.into_iter().zip(times) {
        times.sort_unstable();
        let at = |share: usize| {
            let time = times.get(times.len() * share / 1000);
            time.map_or(0, Duration::as_micros)
        };
        println!(
            "{name:7} {what:10} median {:6} us  p99 {:6} us  p99.9 {:6} us  max {:7} us",
            at(500),
            at(990),
            at(999),
            times.last().map_or(0, Duration::as_micros)
        );
    }
}

/// The time that the thread has used on the processor, which does not depend on other processes.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    Duration::ZERO
}

fn main() -> Result<(), StoreError> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| {
        let argument = arguments.next();
        argument
            .and_then(|argument| argument.parse().ok())
            .unwrap_or(default)
    };
    let reads = number(3000);
    let pause = Duration::from_micros(number(5000));
    let directory = arguments.next().map_or_else(
        || std::env::temp_dir().join(format!("omniread-store-cost-{}", std::process::id())),
        PathBuf::from,
    );
    measure("memory", &Store::memory(StoreLimits::MEMORY), reads, pause);
    let start = Instant::now();
    let opened = Store::open(&directory, StoreLimits::DISK)?;
    println!("created in {} us", start.elapsed().as_micros());
    measure("disk", &opened.store, reads, pause);
    println!("dropped writes: {}", opened.store.dropped().writes());
    let start = Instant::now();
    drop(opened);
    println!("closed in {} us", start.elapsed().as_micros());
    let mut opens: Vec<Duration> = Vec::new();
    for _ in 0..100 {
        let start = Instant::now();
        let opened = Store::open(&directory, StoreLimits::DISK)?;
        opens.push(start.elapsed());
        drop(opened);
    }
    opens.sort_unstable();
    let median = opens.get(50).map_or(0, Duration::as_micros);
    println!("opened in {median} us (median of 100)");
    // The directory is only left if the system does not let it go.
    let _ = std::fs::remove_dir_all(&directory);
    Ok(())
}
