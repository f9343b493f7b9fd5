//! Benchmark of documents: the component against the same code compiled natively, and the quality and
//! speed of conversions beside other programs.
//!
//! `cargo bench -p omniread-tests -F native --bench documents` measures the time of generated documents, and of
//! a CSV file of 1 GB, for which the temporary directory needs room. `-- speed WORD` measures only
//! the paths that contain a word, such as `.pdf`.
//!
//! `cargo bench -p omniread-tests -F native --bench documents -- quality DOCUMENTS SCORER [--peers] [--files]
//! [--twins]` scores conversions, as `tests/documents/quality.py` explains. `DOCUMENTS` has
//! `FORMAT/NAME.EXT` and the truth in `FORMAT/expected/NAME.EXT.md`, and `SCORER` has `score.py`. A
//! directory with an `index.jsonl` is a set of PDF files, with scores by producer, and of tagged files and
//! others. With `--formats pdf`, the PDF files of `DOCUMENTS/pdf` are scored.
//! `OMNIREAD_TEST_PYTHON` names a Python with the packages that they need, and with the programs to
//! compare with.
//!
//! `convert FILE RUNS` prints the conversion of one file, as the script expects. `native FILE RUNS` only reads it
//! without a sandbox, for a profiler.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread::{Block, Reader};
use omniread_options::Options;
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use omniread_tests::pdf::report::report;
use omniread_tests::{Workspace, chain, project};
use shared::documents::{csv, deck, letter, workbook};
use shared::{cost, paired, row};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["convert", file, runs] => convert(file, runs.parse().expect("a number of runs")),
        ["quality", documents, scorer, more @ ..] => {
            let more: Vec<&str> = more
                .iter()
                .copied()
                .filter(|word| *word != "--bench")
                .collect();
            quality(documents, scorer, &more);
        }
        ["native", file, runs, ..] => native(file, runs.parse().expect("a number of runs")),
        ["speed", only, ..] => speed(only),
        _ => speed(""),
    }
}

/// The rows of the workbook.
const ROWS: usize = 5000;

/// Measures the paths that contain a word.
fn speed(only: &str) {
    let workspace = Workspace::new();
    for (name, content) in [
        ("10-pages.docx", letter(10)),
        ("300-pages.docx", letter(300)),
        ("30-slides.pptx", deck(30)),
        ("5000x10.xlsx", workbook(ROWS)),
        ("10-pages.pdf", report(10)),
        ("200-pages.pdf", report(200)),
    ] {
        println!("{name} has {} bytes", content.len());
        workspace.file(name, content);
    }
    if "1GB.csv".contains(only) {
        csv(&workspace.path().join("1GB.csv"), 1 << 30);
    }
    println!("\nwarm reads: fresh instance and read, component against native, medians");
    for (path, rounds) in [
        ("10-pages.docx", 200),
        ("300-pages.docx", 20),
        ("30-slides.pptx", 100),
        ("30-slides.pptx:slide:20", 100),
        ("5000x10.xlsx", 40),
        ("5000x10.xlsx:Rows?where=c3>4990&limit=20", 40),
        ("5000x10.xlsx:Rows:4000-4020", 40),
        ("200-pages.pdf", 40),
        ("200-pages.pdf:page:1", 100),
        ("200-pages.pdf:page:150", 100),
        // All of its pages: a tenth of the time is that of a page.
        ("10-pages.pdf:page:1-10:raw", 40),
        // The first page of a table does not need the rest of the file.
        ("1GB.csv:", 40),
        ("1GB.csv:table?limit=20", 40),
    ] {
        if path.contains(only) {
            warm(&workspace, path, rounds);
        }
    }
    println!("\nprocesses: seconds of CPU, and peak memory");
    for path in [
        "10-pages.docx",
        "300-pages.docx",
        "30-slides.pptx",
        "5000x10.xlsx",
        "200-pages.pdf",
        "1GB.csv:",
    ] {
        if path.contains(only) {
            cost(&workspace, path);
        }
    }
}

fn warm(workspace: &Workspace, path: &str, rounds: usize) {
    let options = Options::default();
    let session = workspace.session();
    let mut world = LocalWorld::new(vec![workspace.path().display().to_string()]);
    // Requests for rows need the SQL engine, which is a component.
    let has_native = Dialect::Omp.read(path, &options, &mut world).is_ok();
    let (ours, theirs) = paired(
        rounds,
        || drop(session.read(path).expect("a reply")),
        || {
            if has_native {
                drop(Dialect::Omp.read(path, &options, &mut world));
            }
        },
    );
    if has_native {
        row(path, ours, theirs, "native");
    } else {
        println!("  {path:34} {ours:>10.1?}");
    }
}

/// Reads a path without a sandbox a number of times.
fn native(path: &str, runs: usize) {
    let (directory, name) = path.rsplit_once('/').expect("an absolute path");
    let mut world = LocalWorld::new(vec![directory.to_owned()]);
    for _ in 0..runs {
        Dialect::Omp
            .read(name, &Options::default(), &mut world)
            .expect("a reply");
    }
}

/// Prints the conversion of a file, and the best time of several reads.
fn convert(file: &str, runs: usize) {
    let file = Path::new(file);
    let directory = file.parent().expect("an absolute path");
    let reader = Reader::builder().root(directory).build().expect("a reader");
    let session = reader.session();
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    // The bare path of a table is its text.
    let extension = file.extension().and_then(|extension| extension.to_str());
    let is_table = matches!(extension, Some("csv" | "tsv"));
    let path = format!("{name}:{}", if is_table { "" } else { "raw" });
    for reply in chain(&session, &path) {
        // Notices are in blocks of their own.
        if let Some(Block::Text(page)) = reply.blocks.first() {
            print!("{page}");
        }
    }
    let time = |_| {
        let start = Instant::now();
        let _ = session.read(&path);
        start.elapsed()
    };
    let best = (0..runs.max(1)).map(time).min().expect("a run");
    eprintln!("@ms {:.3}", best.as_secs_f64() * 1e3);
}

/// Runs the script that scores conversions, with this program as the converter.
fn quality(documents: &str, scorer: &str, more: &[&str]) {
    let python = std::env::var("OMNIREAD_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let this = std::env::current_exe().expect("the path of this program");
    let status = Command::new(&python)
        .arg(project().join("tests/documents/quality.py"))
        .args([documents, "--scorer", scorer])
        .args(more)
        .arg("--")
        .arg(this)
        .arg("convert")
        .status()
        .expect("Python");
    println!("quality.py: {status}");
}
