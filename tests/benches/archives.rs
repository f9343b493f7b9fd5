//! Benchmark of archives: the command line against common programs, measured alternately.
//!
//! `cargo bench -p omniread-tests --bench archives`

#![allow(
    missing_docs,
    clippy::print_stdout,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread_tests::Workspace;
use shared::archives::{big, compressed, many};
use shared::{memory, paired, processes, row, run};

fn main() {
    let workspace = Workspace::new();
    many(&workspace);
    big(&workspace);
    compressed(&workspace);
    let session = workspace.session();
    println!("warm reads, medians; the second column is a read of 12 bytes");
    workspace.file("12B.txt", "hello world\n");
    for path in [
        "many.zip",
        "many.zip:dir7/",
        "many.zip:dir7/file7.txt",
        "big.zip:small.txt",
    ] {
        let (ours, least) = paired(
            200,
            || drop(session.read(path).expect("a reply")),
            || drop(session.read("12B.txt").expect("a reply")),
        );
        row(path, ours, least, "12B.txt");
    }
    println!("\nwarm reads against whole processes, medians");
    let (ours, others) = paired(
        40,
        || drop(session.read("big.zip:small.txt").expect("a reply")),
        || {
            run(&workspace, "unzip", &["-p", "big.zip", "small.txt"]);
        },
    );
    row(
        "big.zip:small.txt",
        ours,
        others,
        "unzip -p big.zip small.txt",
    );
    println!("\nwhole processes: omniread against common programs, medians");
    for (ours, other) in [
        ("many.zip", "unzip -l many.zip"),
        ("many.zip", "python3 -m zipfile -l many.zip"),
        (
            "many.zip:dir7/file7.txt",
            "unzip -p many.zip dir7/file7.txt",
        ),
        ("big.zip:small.txt", "unzip -p big.zip small.txt"),
        ("logs.tar.gz:0.log:1-50", "tar -xOzf logs.tar.gz 0.log"),
        ("logs.tar.gz:19.log:1-50", "tar -xOzf logs.tar.gz 19.log"),
        ("logs.tar.gz:19.log:1-50", "bsdtar -xOf logs.tar.gz 19.log"),
    ] {
        let other: Vec<&str> = other.split(' ').collect();
        processes(&workspace, &[ours], &other);
    }
    println!("\npeak memory of the command line");
    for path in ["many.zip", "big.zip:small.txt", "logs.tar.gz:19.log:1-50"] {
        memory(&workspace, path);
    }
}
