//! The commands of the documents: every `console` block is run as it stands.
//!
//! A line that starts with `$ ` is a command, the lines below it are what it
//! prints, `…` stands for any number of lines or for the rest of one. Commands
//! run in the project, which the documents take to be `/omniread`.

#![allow(missing_docs, reason = "a test")]

use libtest_mimic::{Arguments, Failed, Trial};
use omniread_reader::dialects::Dialect;
use omniread_tests::project;
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for document in documents() {
        let text = std::fs::read_to_string(project().join(&document)).expect("a document");
        let blocks = blocks(&text);
        assert!(!blocks.is_empty(), "{document} shows no command");
        for (line, block) in blocks {
            trials.push(Trial::test(format!("{document}:{line}"), move || {
                run(&block)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The README, and the pages of the dialects: one for each.
fn documents() -> Vec<String> {
    let pages = Dialect::ALL
        .iter()
        .map(|dialect| format!("docs/dialects/{}.md", dialect.name()));
    std::iter::once("README.md".to_owned())
        .chain(pages)
        .collect()
}

/// The `console` blocks, with the line at which they start.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in text.lines().enumerate() {
        match &mut open {
            None if line == "```console" => open = Some((number + 2, String::new())),
            None => {}
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some((_, block)) => {
                block.push_str(line);
                block.push('\n');
            }
        }
    }
    blocks
}

fn run(block: &str) -> Result<(), Failed> {
    let bin = tempfile::tempdir()?;
    // The program has another name where cargo builds it for tests.
    let program = Path::new(env!("CARGO_BIN_EXE_omniread-under-test"));
    // A copy could not be run while another test starts a program: that has the
    // file open for writing until it is started.
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, bin.path().join("omniread"))?;
    #[cfg(not(unix))]
    std::fs::copy(program, bin.path().join("omniread"))?;
    let path = std::env::var("PATH")?;
    let path = format!("{}:{path}", bin.path().display());
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, output))) => output.push(line),
            (None, None) => return Err("a block starts with a command".into()),
        }
    }
    for (command, expected) in commands {
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(project())
            .env("PATH", &path)
            .output()?;
        let actual = String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?;
        let actual = actual.replace(&project().display().to_string(), "/omniread");
        let actual: Vec<&str> = actual.lines().collect();
        if !matches(&expected, &actual) {
            return Err(format!(
                "$ {command}\nexpected:\n{}\nprinted:\n{}",
                expected.join("\n"),
                actual.join("\n")
            )
            .into());
        }
    }
    Ok(())
}

fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match (expected, actual) {
        ([], []) => true,
        (["…", rest @ ..], _) => {
            (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..]))
        }
        ([first, rest @ ..], [line, lines @ ..]) => {
            let same = match first.split_once('…') {
                Some((start, end)) => {
                    line.len() >= start.len() + end.len()
                        && line.starts_with(start)
                        && line.ends_with(end)
                }
                None => first == line,
            };
            same && matches(rest, lines)
        }
        _ => false,
    }
}
