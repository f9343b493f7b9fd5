//! Prints the messages of logs that report errors, and the time of the search.
//!
//! `cargo run --release -p omniread-logs --example errors -- FILE…`
#![allow(clippy::print_stdout, reason = "it is the purpose of the program")]

use omniread_logs::{Scanner, detect};
use std::time::Instant;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path)?;
        let shape = detect(&path, &[&text]);
        println!("{path}: {} bytes, {shape:?}", text.len());
        let Some(shape) = shape else { continue };
        let search = || {
            let start = Instant::now();
            let mut scanner = Scanner::new(shape);
            scanner.text(&text);
            (start.elapsed(), scanner.report())
        };
        // The best of ten, on a machine with other work.
        let times = (0..10).map(|_| search().0);
        let time = times.min().unwrap_or_default();
        let report = search().1;
        println!(
            "  {} lines, {} errors, {} messages, {} others, {} warnings in {time:?}",
            report.lines,
            report.errors,
            report.messages.len(),
            report.others,
            report.warnings,
        );
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        for message in &report.messages {
            let line = usize::try_from(message.first).map_or(0, |line| line.saturating_sub(1));
            let line = lines.get(line).copied().unwrap_or_default();
            let line = line.get(..150).unwrap_or(line);
            println!(
                "  {}: {} [{} times, to {}; {} follow, cause {:?}]",
                message.first,
                String::from_utf8_lossy(line),
                message.count,
                message.last,
                message.follow,
                message.cause,
            );
        }
    }
    Ok(())
}
