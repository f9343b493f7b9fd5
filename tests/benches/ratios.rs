//! Benchmark of plain reads: the component against the same code compiled natively, and the command
//! line against common programs, measured alternately.
//!
//! `cargo bench -p omniread-tests -F native --bench ratios`. Set `OMNIREAD_BENCH_10GB=1` to include a file of
//! 10 GB.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread_options::Options;
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use omniread_tests::Workspace;
use shared::{large, memory, paired, processes, row};

fn main() {
    let workspace = shared::workspace();
    if std::env::args().any(|argument| argument == "--small") {
        for path in [
            "12B.txt",
            "50KB.rs:500-520",
            "50KB.rs:500-520:raw",
            "2MB.log",
            "2MB.log:raw",
            "tree",
        ] {
            warm(&workspace, path, 1000);
        }
        return;
    }
    let lines = large(&workspace, "1GB.log", 1 << 30);
    let middle = lines / 2;
    println!("warm reads: fresh instance and read, component against native, medians");
    let ranged = format!("1GB.log:{middle}-{}", middle + 49);
    let counted = format!("1GB.log:{}", lines - 10);
    let tail = "1GB.log:-50".to_owned();
    for (path, rounds) in [
        ("12B.txt", 2000),
        ("50KB.rs:500-520", 1000),
        ("50KB.rs", 1000),
        ("2MB.log:10000-10050", 100),
        ("2MB.log", 100),
        ("tree", 300),
        (&ranged, 15),
        (&counted, 9),
        (&tail, 200),
    ] {
        warm(&workspace, path, rounds);
    }
    if std::env::var_os("OMNIREAD_BENCH_10GB").is_some() {
        let lines = large(&workspace, "10GB.log", 10 << 30);
        warm(
            &workspace,
            &format!("10GB.log:{}-{}", lines / 2, lines / 2 + 49),
            3,
        );
        warm(&workspace, "10GB.log:-50", 50);
    }
    println!("\nwhole processes: omniread against common programs, medians");
    let (a, b) = (middle.to_string(), (middle + 49).to_string());
    let print = format!("{a},{b}p;{b}q");
    for (arguments, other) in [
        (vec!["12B.txt"], vec!["cat", "12B.txt"]),
        (vec!["50KB.rs"], vec!["cat", "-n", "50KB.rs"]),
        (
            vec!["2MB.log:10000-10050"],
            vec!["sed", "-n", "10000,10050p;10050q", "2MB.log"],
        ),
        (
            vec![ranged.as_str()],
            vec!["sed", "-n", print.as_str(), "1GB.log"],
        ),
        (vec!["1GB.log:-50"], vec!["tail", "-n", "50", "1GB.log"]),
        (vec!["tree"], vec!["ls", "-lR", "tree"]),
    ] {
        processes(&workspace, &arguments, &other);
    }
    println!("\npeak memory of the command line");
    for path in [
        "12B.txt",
        "2MB.log",
        "1GB.log",
        ranged.as_str(),
        "1GB.log:-50",
    ] {
        memory(&workspace, path);
    }
}

fn warm(workspace: &Workspace, path: &str, rounds: usize) {
    let session = workspace.session();
    let options = Options::default();
    let mut world = LocalWorld::new(vec![workspace.path().display().to_string()]);
    let (ours, native) = paired(
        rounds,
        || drop(session.read(path).expect("a reply")),
        || {
            drop(
                Dialect::Omp
                    .read(path, &options, &mut world)
                    .expect("a reply"),
            );
        },
    );
    row(path, ours, native, "native");
}
