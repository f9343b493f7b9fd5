//! Converts a PDF file, and prints the Markdown. The password of an encrypted file is in the environment
//! variable `PASSWORD`. With a number of runs, the best time in milliseconds is on the standard error.
//!
//! ```text
//! convert FILE [RUNS]
//! ```

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "it is a program"
)]

use omniread_document::Error;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: convert FILE [RUNS]");
        std::process::exit(2);
    };
    let runs = arguments.next().and_then(|runs| runs.parse().ok());
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("@err {path}: {error}");
            std::process::exit(1);
        }
    };
    let mut best = f64::INFINITY;
    for run in 0..runs.unwrap_or(1).max(1) {
        let bytes = bytes.clone();
        let start = Instant::now();
        match convert(bytes) {
            Ok((text, notes)) => {
                best = best.min(start.elapsed().as_secs_f64() * 1000.0);
                if run == 0 {
                    println!("{text}");
                    for note in notes {
                        eprintln!("note: {note}");
                    }
                }
            }
            Err(error) => {
                eprintln!("@err {error:?}");
                std::process::exit(1);
            }
        }
    }
    eprintln!("@ms {best:.3}");
}

/// Converts all pages. A table that goes on on the next page has its header on each page, which is
/// left out here.
fn convert(bytes: Vec<u8>) -> Result<(String, Vec<String>), Error> {
    let password = std::env::var("PASSWORD").ok();
    let mut document = omniread_pdf::open(bytes, password.as_deref())?;
    let mut notes = document.notes().to_vec();
    for (name, value) in &document.facts().metadata {
        notes.push(format!("{name}: {value}"));
    }
    for attachment in document.attachments() {
        let (name, mime, size) = (&attachment.name, &attachment.mime, attachment.size);
        notes.push(format!("attachment: {name}, {mime}, {size} bytes"));
    }
    for entry in document.outline() {
        let (level, title, unit) = (entry.level, &entry.title, entry.unit);
        notes.push(format!("outline: {level} {title} {unit:?}"));
    }
    let mut out = omniread_pdf::Joined::default();
    for index in 0..document.facts().list.len() {
        let unit = document.unit(index);
        out.add(&unit);
        notes.extend(
            unit.notes
                .into_iter()
                .map(|note| format!("{}: {note}", index + 1)),
        );
    }
    Ok((out.text(), notes))
}
