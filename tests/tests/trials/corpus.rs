//! Reads a corpus of hostile and damaged files: all files in the directory
//! `OMNIREAD_TEST_CORPUS`.
//!
//! The tests are reported as ignored if the variable is not set.

#![allow(clippy::print_stdout, reason = "a test that prints its counts")]

use libtest_mimic::{Failed, Trial};
use omniread::{Reason, Reply, Session};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub fn trials() -> Vec<Trial> {
    let corpus = std::env::var_os("OMNIREAD_TEST_CORPUS").map(PathBuf::from);
    let missing = corpus.is_none();
    let corpus = corpus.unwrap_or_default();
    let (again, third) = (corpus.clone(), corpus.clone());
    let trials = vec![
        Trial::test("corpus::every_file_is_read_or_refused", move || {
            every_file(&corpus)
        })
        .with_ignored_flag(missing),
        Trial::test("corpus::damaged_databases_are_read_or_refused", move || {
            databases(&again)
        })
        .with_ignored_flag(missing),
        Trial::test(
            "corpus::pdf_files_are_within_the_limits_of_the_engine",
            move || pdf_files(&third),
        )
        .with_ignored_flag(missing),
    ];
    trials
}

/// All files below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn session(corpus: &Path) -> Result<Session, Failed> {
    let corpus = corpus.canonicalize()?;
    Ok(omniread_tests::builder().root(corpus).build()?.session())
}

/// The path in the form that a read expects. If it contains a colon, each colon is escaped as `\:`
/// and each backslash as `\\`.
fn escaped(path: &Path) -> String {
    let name = path.to_string_lossy();
    if name.contains(':') {
        name.replace('\\', "\\\\").replace(':', "\\:")
    } else {
        name.into_owned()
    }
}

/// Whether a read failed because of an internal error, a cancellation, or a limit on time or
/// memory. No file should cause such a failure.
fn is_defect(reason: &Reason) -> bool {
    matches!(reason, Reason::Internal(_) | Reason::Cancelled(_))
        || matches!(reason, Reason::Limit(limit) if ["time", "memory"].contains(&limit.name.as_str()))
}

fn every_file(corpus: &Path) -> Result<(), Failed> {
    let session = session(corpus)?;
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for file in files(corpus) {
        let path = escaped(&file.canonicalize()?);
        let kind = match session.read(&path) {
            Ok(reply) => reply.details.kind.name().to_owned(),
            Err(failure) if is_defect(&failure.reason) => {
                return Err(format!("{path}: {failure:?}").into());
            }
            Err(_) => "refused".to_owned(),
        };
        *kinds.entry(kind).or_default() += 1;
    }
    println!("files by what they are: {kinds:?}");
    if kinds.is_empty() {
        return Err("there are no files".into());
    }
    Ok(())
}

/// The maximum number of replies that are read of a PDF file, from its start.
const PDF_REPLIES: usize = 10;

/// Reads the PDF files. A file that ends the engine is an answer, so the text of each reply is searched.
fn pdf_files(corpus: &Path) -> Result<(), Failed> {
    let session = session(corpus)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut slowest = (Duration::ZERO, String::new());
    let mut defects = Vec::new();
    for file in files(corpus) {
        if !std::fs::read(&file)?.starts_with(b"%PDF-") {
            continue;
        }
        let path = escaped(&file.canonicalize()?);
        *counts.entry("files").or_default() += 1;
        let mut next = vec![format!("{path}:"), format!("{path}:page:1")];
        let mut replies = 0;
        while let Some(path) = next.pop() {
            let begun = Instant::now();
            let outcome = session.read(&path);
            slowest = slowest.max((begun.elapsed(), path.clone()));
            match outcome {
                Ok(reply) => {
                    let text = reply.text();
                    let ended = [
                        "the document engine",
                        "the limit `time`",
                        "the limit `memory`",
                    ];
                    if ended.iter().any(|part| text.contains(part)) {
                        defects.push(format!("{path}: {text}"));
                    }
                    let is_answer = text.contains("[Cannot read .pdf file: ");
                    *counts
                        .entry(if is_answer { "answers" } else { "texts" })
                        .or_default() += 1;
                    replies += 1;
                    next.extend(reply.details.next.filter(|_| replies < PDF_REPLIES));
                }
                Err(failure) if is_defect(&failure.reason) => {
                    defects.push(format!("{path}: {failure:?}"));
                }
                Err(_) => *counts.entry("refused").or_default() += 1,
            }
        }
    }
    println!("{counts:?}, the slowest read: {slowest:?}");
    if !defects.is_empty() {
        return Err(defects.join("\n").into());
    }
    Ok(())
}

/// The numbers of databases that were read, and of the results of these reads.
#[derive(Debug, Default)]
struct Counts {
    databases: usize,
    /// The number of databases whose list of tables cannot be read.
    closed: usize,
    damaged: usize,
    tables: usize,
    rows: usize,
    refused: BTreeMap<String, usize>,
}

fn databases(corpus: &Path) -> Result<(), Failed> {
    let session = session(corpus)?;
    let mut counts = Counts::default();
    for file in files(corpus) {
        let Ok(head) = std::fs::read(&file) else {
            continue;
        };
        if !head.starts_with(b"SQLite format 3\0") {
            continue;
        }
        counts.databases += 1;
        let path = escaped(&file.canonicalize()?);
        let read = |rest: &str| session.read(format!("{path}{rest}"));
        let listing = read("").map_err(|failure| format!("{path}: {failure:?}"))?;
        if listing.details.kind.name() != "database" {
            counts.closed += 1;
            continue;
        }
        counts.damaged += usize::from(listing.text().starts_with("[damaged: "));
        let names = tables(&listing);
        counts.tables += names.len();
        for name in names {
            for rest in ["", "?limit=500", ":1", "?order=rowid&limit=5"] {
                match read(&format!(":{name}{rest}")) {
                    Ok(reply) => {
                        let details = reply.details.database().ok_or("no details")?;
                        counts.rows += usize::try_from(details.rows)?;
                    }
                    Err(failure) if is_defect(&failure.reason) => {
                        return Err(format!("{path}:{name}{rest}: {failure:?}").into());
                    }
                    Err(failure) => {
                        let message = format!("{:?}", failure.reason);
                        let message: String = message.chars().take(50).collect();
                        *counts.refused.entry(message).or_default() += 1;
                    }
                }
            }
        }
        for query in ["pragma integrity_check", "select * from sqlite_schema"] {
            if let Err(failure) = read(&format!("?q={query}"))
                && is_defect(&failure.reason)
            {
                return Err(format!("{path}?q={query}: {failure:?}").into());
            }
        }
    }
    println!("{counts:#?}");
    Ok(())
}

/// The names of the tables in the reply that lists a database.
fn tables(listing: &Reply) -> Vec<String> {
    let text = listing.text();
    let lines = text.lines().filter(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.rsplit_once(" (").map(|(name, _)| name.to_owned()));
    names.collect()
}
