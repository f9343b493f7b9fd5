//! Files that are hostile or damaged, where there are some: all files in the
//! directory `OMNIREAD_TEST_CORPUS`. Without it the tests are reported as
//! ignored.

#![allow(
    missing_docs,
    clippy::print_stdout,
    reason = "a test that tells what it found"
)]

use libtest_mimic::{Arguments, Failed, Trial};
use omniread::{Reason, Reply, Session};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let corpus = std::env::var_os("OMNIREAD_TEST_CORPUS").map(PathBuf::from);
    let missing = corpus.is_none();
    let corpus = corpus.unwrap_or_default();
    let again = corpus.clone();
    let trials = vec![
        Trial::test("every_file_is_answered", move || every_file(&corpus))
            .with_ignored_flag(missing),
        Trial::test("databases_show_what_can_be_read", move || databases(&again))
            .with_ignored_flag(missing),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
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

/// A path that is taken at its word.
fn escaped(path: &Path) -> String {
    let name = path.to_string_lossy();
    if name.contains(':') {
        name.replace('\\', "\\\\").replace(':', "\\:")
    } else {
        name.into_owned()
    }
}

/// Whether a read was ended or failed in a way that no file should cause.
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

/// What became of the queries of damaged databases.
#[derive(Debug, Default)]
struct Counts {
    databases: usize,
    /// No table can be told.
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
        let read = |rest: &str| session.read(&format!("{path}{rest}"));
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
                        let words = format!("{:?}", failure.reason);
                        let words: String = words.chars().take(50).collect();
                        *counts.refused.entry(words).or_default() += 1;
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

/// The tables that a listing names.
fn tables(listing: &Reply) -> Vec<String> {
    let text = listing.text();
    let lines = text.lines().filter(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.rsplit_once(" (").map(|(name, _)| name.to_owned()));
    names.collect()
}
