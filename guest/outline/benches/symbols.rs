//! The time of searches by name and by line, as a multiple of the time of an outline of the same text.
//!
//! `cargo bench -p omniread-outline --bench symbols -- [--gate] [DIR…]` reads the files of directories, or else
//! those of this repository, and prints a row for each extension. With `--gate` it fails if a search for a name
//! that is there, or for a line, takes more than [`MOST`] times as long as an outline, and more than [`EXCESS`]
//! longer for each file.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    reason = "a bench reads files and prints what it found"
)]

use omniread_outline::{scan, symbols};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The largest ratio that `--gate` accepts. The target is 1.2; the rest is for the variation of measurements on
/// a machine with other work.
const MOST: f64 = 1.5;

/// The time that a search may take in addition to that of an outline in any case: a quarter of the time of the
/// shortest read. An outline of Markdown or TOML takes a few microseconds.
const EXCESS: Duration = Duration::from_micros(20);

/// The number of measurements of each text, of which the shortest counts.
const ROUNDS: usize = 15;

/// The sizes in bytes of the files that are read, and the most bytes of one extension.
const SIZES: std::ops::RangeInclusive<u64> = 4_000..=500_000;
const BYTES: usize = 3_000_000;

/// The smallest time of the outlines of an extension for which a ratio counts: shorter ones vary.
const LEAST: Duration = Duration::from_micros(100);

/// The work that is measured for a text.
const WORK: [&str; 4] = ["outline", "found", "block", "unknown"];

fn main() -> ExitCode {
    let mut gate = false;
    let mut directories = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--bench" => {}
            "--gate" => gate = true,
            directory => directories.push(PathBuf::from(directory)),
        }
    }
    if directories.is_empty() {
        directories.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    }
    let mut texts: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for directory in &directories {
        collect(directory, &mut texts);
    }
    println!(
        "extension  files   outline     found     block   unknown   as multiples of an outline"
    );
    let mut slow = Vec::new();
    for (extension, texts) in &texts {
        let times = measured(texts);
        let [outline, ..] = times;
        if outline < LEAST {
            continue;
        }
        let ratios = times.map(|time| time.as_secs_f64() / outline.as_secs_f64());
        let [_, found, block, unknown] = ratios;
        println!(
            "{extension:9} {:6} {:8.2}ms {found:9.2} {block:9.2} {unknown:9.2}",
            texts.len(),
            outline.as_secs_f64() * 1000.0,
        );
        let files = u32::try_from(texts.len()).unwrap_or(u32::MAX);
        for ((work, ratio), time) in WORK.iter().zip(ratios).zip(times).take(3) {
            if ratio > MOST && time.saturating_sub(outline) > EXCESS * files {
                slow.push(format!("{extension} {work}: {ratio:.2}"));
            }
        }
    }
    if gate && !slow.is_empty() {
        println!("more than {MOST} times an outline: {}", slow.join(", "));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Adds the files of a directory by their extensions, in the order of their names.
fn collect(directory: &Path, texts: &mut BTreeMap<String, Vec<(String, String)>>) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() {
            collect(&path, texts);
            continue;
        }
        let is_sized = path
            .metadata()
            .is_ok_and(|data| SIZES.contains(&data.len()));
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if !is_sized {
            continue;
        }
        let known = texts.entry(extension.into_owned()).or_default();
        let bytes: usize = known.iter().map(|(_, text)| text.len()).sum();
        if bytes < BYTES
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            known.push((name.into_owned(), text));
        }
    }
}

/// The sums of the times of each work for all texts.
fn measured(texts: &[(String, String)]) -> [Duration; 4] {
    let mut sums = [Duration::ZERO; 4];
    for (name, text) in texts {
        let line = u32::try_from(text.lines().count() / 2).unwrap_or(u32::MAX);
        let Some(around) = symbols::enclosing(text, name, symbols::At::line(line)) else {
            continue;
        };
        let Some(found) = around.first().map(|one| one.name.clone()) else {
            continue;
        };
        let work: [&dyn Fn(); 4] = [
            &|| drop(scan(text, name)),
            &|| drop(symbols::find(text, name, &found)),
            &|| drop(symbols::enclosing(text, name, symbols::At::line(line))),
            &|| drop(symbols::find(text, name, "no_such_name")),
        ];
        let mut best = [Duration::MAX; 4];
        for _ in 0..ROUNDS {
            for (work, best) in work.iter().zip(&mut best) {
                let start = Instant::now();
                work();
                *best = start.elapsed().min(*best);
            }
        }
        for (sum, best) in sums.iter_mut().zip(best) {
            *sum += best;
        }
    }
    sums
}
