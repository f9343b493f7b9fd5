//! Prints the estimate of each file that standard input names, one a line, or the speed for a file.
//!
//! ```sh
//! find . -name '*.rs' | cargo run --release --package omniread-tokens --example estimate
//! cargo run --release --package omniread-tokens --example estimate -- FILE
//! ```

#![allow(clippy::print_stdout, reason = "the output of the program")]

use omniread_tokens::estimate;
use std::hint::black_box;
use std::io::BufRead as _;
use std::time::Instant;

fn main() {
    if let Some(path) = std::env::args().nth(1) {
        return measure(&read(&path));
    }
    for path in std::io::stdin().lock().lines() {
        let path = path.expect("standard input is text");
        println!("{}\t{path}", estimate(&read(&path)));
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).expect("the file is text in UTF-8")
}

/// Prints the best time of five estimates of at least 20 MB.
fn measure(text: &str) {
    let text = text.repeat((20_000_000 / text.len().max(1)).max(1));
    let mut best = f64::INFINITY;
    let mut tokens = 0;
    for _ in 0..5 {
        let start = Instant::now();
        tokens = estimate(black_box(&text));
        best = best.min(start.elapsed().as_secs_f64());
    }
    #[allow(clippy::cast_precision_loss, reason = "a figure of three digits")]
    let speed = text.len() as f64 / best / 1e6;
    println!("{} bytes: {tokens} tokens, {speed:.0} MB/s", text.len());
}
