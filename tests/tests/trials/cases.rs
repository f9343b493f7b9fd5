//! Tests of the command line: each file in `cases/` is one test.
//!
//! A case contains the files of its workspace, then commands and their output:
//!
//! ```text
//! === file NAME
//! CONTENT
//! === run ARGUMENTS
//! STANDARD OUTPUT
//! === stderr
//! STANDARD ERROR
//! === exit STATUS
//! ```
//!
//! * A content or output ends with the line before the next `===`.
//! * `=== stdin` is the standard input of the next commands.
//! * `=== escaped NAME` is a file in which `\n`, `\r`, `\t`, `\xNN` and `\\` have their
//!   meaning in C.
//! * `=== directory NAME` is an empty directory, `=== link NAME TARGET` is a symlink.
//!
//! With `BLESS=1` in the environment the outputs are written instead of compared. Read the
//! diff afterwards.

use libtest_mimic::{Failed, Trial};
use omniread_tests::{CasePart, Cli, Workspace, case_parts};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

pub fn trials() -> Vec<Trial> {
    let cases = omniread_tests::package().join("cases");
    let mut files: Vec<PathBuf> = fs::read_dir(&cases)
        .expect("tests/cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "case")
        })
        .collect();
    files.sort();

    files
        .into_iter()
        .map(|path| {
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            Trial::test(format!("cases::{name}"), move || run(&path))
        })
        .collect()
}

fn run(path: &Path) -> Result<(), Failed> {
    let case = fs::read_to_string(path)?;
    let workspace = Workspace::new();
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let (mut actual, parts) = case_parts(&case);
    let mut stdin = Vec::new();
    for part in &parts {
        match part.heading.split_once(' ').unwrap_or((part.heading, "")) {
            ("file", name) => {
                workspace.file(name, &part.body);
            }
            ("escaped", name) => {
                workspace.file(name, unescape(part.body.trim_end_matches('\n')));
            }
            ("directory", name) => {
                workspace.directory(name);
            }
            #[cfg(unix)]
            ("link", link) => {
                let (name, target) = link.split_once(' ').ok_or("a link needs a target")?;
                workspace.link(name, target);
            }
            ("stdin", _) => stdin = part.body.clone().into_bytes(),
            ("run", line) => {
                write_part(&mut actual, part);
                let root = workspace.path().display().to_string();
                let arguments: Vec<String> = split(line)
                    .into_iter()
                    .map(|a| a.replace("$ROOT", &root))
                    .collect();
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                let run = cli.run_with(&arguments, &stdin);
                let parent = workspace.path().parent().ok_or("a parent")?.to_owned();
                let parent = format!("--root {}`", parent.display());
                let shown = |text: &str| {
                    let text = text.replace(&root, "$ROOT");
                    ended(&countless(&timeless(
                        &text.replace(&parent, "--root $PARENT`"),
                    )))
                };
                actual.truncate(actual.len() - part.body.len());
                actual.push_str(&shown(&run.stdout));
                if !run.stderr.is_empty() {
                    actual.push_str("=== stderr\n");
                    actual.push_str(&shown(&run.stderr));
                }
                if run.code != Some(0) {
                    let _ = writeln!(actual, "=== exit {}", run.code.unwrap_or(-1));
                }
                continue;
            }
            // Expected output of the previous run, which the run has replaced.
            ("stderr" | "exit", _) => continue,
            (other, _) => return Err(format!("`=== {other}` is no part of a case").into()),
        }
        write_part(&mut actual, part);
    }
    if actual == case {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, actual)?;
        return Ok(());
    }
    Err(difference(&case, &actual).into())
}

fn write_part(out: &mut String, part: &CasePart<'_>) {
    let _ = writeln!(out, "=== {}", part.heading);
    out.push_str(&part.body);
}

/// Adds `⏎` and a newline to a text that does not end with a newline. An empty text is unchanged.
fn ended(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') {
        text.to_owned()
    } else {
        format!("{text}⏎\n")
    }
}

/// Replaces the value of `modified` in JSON, which is different in each run, with `$TIME`.
fn timeless(text: &str) -> String {
    let Some((before, after)) = text.split_once("\"modified\":") else {
        return text.to_owned();
    };
    let is_time = |c: char| c.is_ascii_digit() || "\"-:.TZ".contains(c);
    let rest = after.trim_start_matches(is_time);
    let time = if rest == after { "" } else { "$TIME" };
    format!("{before}\"modified\":{time}{}", timeless(rest))
}

/// Replaces the tokens of the text of a reply with `$TOKENS` in each line of JSON whose text names the workspace: its
/// name is different in each run.
fn countless(text: &str) -> String {
    let blocks = |reply: &str| {
        reply
            .split("\"details\":")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let lines = text
        .split('\n')
        .map(|line| match line.split_once("\"tokens\":{\"text\":") {
            Some((before, after)) if blocks(before).contains("$ROOT") => {
                let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
                format!("{before}\"tokens\":{{\"text\":$TOKENS{rest}")
            }
            _ => line.to_owned(),
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// Splits a line into arguments as a shell does, but supports only white space and single quotes.
fn split(line: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    for (n, part) in line.split('\'').enumerate() {
        if n % 2 == 1 {
            arguments.push(part.to_owned());
        } else {
            arguments.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    arguments
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next() {
            Some(b'n') => out.push(b'\n'),
            Some(b'r') => out.push(b'\r'),
            Some(b't') => out.push(b'\t'),
            Some(b'x') => {
                let digits: Vec<u8> = bytes.by_ref().take(2).collect();
                let digits = String::from_utf8(digits).expect("hex digits");
                out.push(u8::from_str_radix(&digits, 16).expect("hex digits"));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

fn difference(expected: &str, actual: &str) -> String {
    let mut out = String::from("the output differs; BLESS=1 rewrites the case\n");
    let (mut expected, mut actual) = (expected.lines(), actual.lines());
    loop {
        match (expected.next(), actual.next()) {
            (None, None) => return out,
            (Some(a), Some(b)) if a == b => {}
            (a, b) => {
                if let Some(a) = a {
                    let _ = writeln!(out, "- {a}");
                }
                if let Some(b) = b {
                    let _ = writeln!(out, "+ {b}");
                }
            }
        }
    }
}
