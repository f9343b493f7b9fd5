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

use omniread_documents::Error;
use omniread_pdf::content::{Show, content};
use omniread_pdf::file::File;
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
            Ok(text) => {
                best = best.min(start.elapsed().as_secs_f64() * 1000.0);
                if run == 0 {
                    println!("{text}");
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

fn convert(bytes: Vec<u8>) -> Result<String, Error> {
    let password = std::env::var("PASSWORD").ok();
    let file = File::open(bytes, password.as_deref())?;
    let mut out = String::new();
    for index in 0..file.pdf().pages().len() {
        let page = content(&file, index, Show::Visible);
        let mut last: Option<&omniread_pdf::page::Glyph> = None;
        for glyph in &page.glyphs {
            if let Some(last) = last {
                if (last.y - glyph.y).abs() > 0.5 * glyph.size {
                    out.push('\n');
                } else if glyph.x0 - last.x1 > 0.2 * glyph.size {
                    out.push(' ');
                }
            }
            glyph.text.push_to(&mut out);
            last = Some(glyph);
        }
        if std::env::var_os("FACTS").is_some() {
            eprintln!("{:?} fonts {:?}", page.missing, page.fonts);
            eprintln!(
                "{} rules, {} fills, {} images",
                page.rules.len(),
                page.fills.len(),
                page.images.len()
            );
        }
        out.push_str("\n\n");
    }
    Ok(out)
}
