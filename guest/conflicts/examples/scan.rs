//! Finds the conflicts of a file, or of a generated text of 100 MB, and prints the time.
//!
//! ```sh
//! cargo run --release --package omniread-conflicts --example scan [FILE]
//! ```

#![allow(clippy::print_stdout, reason = "the output of the program")]

use omniread_conflicts::Scanner;
use std::hint::black_box;
use std::time::Instant;

/// The number of bytes of a generated text.
const BYTES: usize = 100_000_000;

/// The number of bytes of a chunk, as the reader reads it.
const CHUNK: usize = 64 * 1024;

fn main() {
    if let Some(path) = std::env::args().nth(1) {
        let bytes = std::fs::read(&path).expect("the file can be read");
        return measure(&path, &bytes);
    }
    let line = "    let value = table.get(&key).unwrap_or(&Default::default()); // a < b\n";
    let conflict = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> feature\n";
    measure("no conflicts", &repeated(line));
    measure("short lines", &repeated("}\n"));
    measure("angle brackets", &repeated("<<<<<< <<<<<<<\n<div><<<<<<\n"));
    measure(
        "a conflict each 8 KB",
        &repeated(&(line.repeat(112) + conflict)),
    );
    measure("conflicts only", &repeated(conflict));
    measure("markers only", &repeated("<<<<<<< a\n=======\n>>>>>>> b\n"));
    let section = "%%%%%%% a\n+x\n+++++++ b\ny\n";
    let jj = format!("<<<<<<< a\n{section}>>>>>>> b\n");
    measure("conflicts of Jujutsu only", &repeated(&jj));
    measure("starts without ends", &repeated("<<<<<<< a\n"));
    measure(
        "lines of signs in a conflict",
        format!("<<<<<<< a\n{}", repeated_text("=======\n")).as_bytes(),
    );
    measure(
        "short lines in a conflict",
        format!("<<<<<<< a\n{}", repeated_text("}\n")).as_bytes(),
    );
    let side = format!("<<<<<<< HEAD\n{}", repeated_text(line));
    measure("one conflict", side.as_bytes());
}

fn repeated_text(piece: &str) -> String {
    piece.repeat(BYTES / piece.len())
}

fn repeated(piece: &str) -> Vec<u8> {
    repeated_text(piece).into_bytes()
}

/// Prints the best time of five scans.
fn measure(name: &str, bytes: &[u8]) {
    let mut best = f64::INFINITY;
    let mut count = 0u64;
    for _ in 0..5 {
        let start = Instant::now();
        // The reader lists the first ten thousand.
        let mut scanner = Scanner::labelling(1..10_001);
        count = 0;
        for chunk in bytes.chunks(CHUNK) {
            scanner.push(black_box(chunk), &mut |_| count += 1);
        }
        scanner.finish(&mut |_| count += 1);
        best = best.min(start.elapsed().as_secs_f64());
    }
    #[allow(clippy::cast_precision_loss, reason = "a figure of three digits")]
    let speed = bytes.len() as f64 / best / 1e9;
    println!("{name}: {count} conflicts, {speed:.1} GB/s");
}
