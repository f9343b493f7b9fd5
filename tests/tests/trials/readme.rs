//! The commands in the documents: every `console` block is run and its output is compared.
//!
//! * A line that starts with `$ ` is a command. The lines below it are its output.
//! * `…` matches any number of lines, or any text within a line.
//! * Commands run in the project directory, which the documents call `/omniread`.

use libtest_mimic::{Failed, Trial};
use omniread_tests::process::install;
use omniread_tests::project;
use std::path::Path;
use std::process::Command;

pub fn trials() -> Vec<Trial> {
    let bless = std::env::var_os("BLESS").is_some();
    let mut trials = Vec::new();
    for document in documents() {
        let path = project().join(&document);
        let text = std::fs::read_to_string(&path).expect("a document");
        let blocks = blocks(&text);
        // Other pages explain what has no command.
        let shows_commands = ["README.md", "docs/guide/", "docs/dialects/"]
            .iter()
            .any(|start| document.starts_with(start));
        assert!(
            !blocks.is_empty() || !shows_commands,
            "{document} has no `console` block"
        );
        if bless {
            trials.push(Trial::test(format!("readme::{document}"), move || {
                let blessed = bless_document(&text, &self::blocks(&text))?;
                Ok(std::fs::write(path, blessed)?)
            }));
            continue;
        }
        for Block { line, text, .. } in blocks {
            trials.push(Trial::test(
                format!("readme::{document}:{line}"),
                move || run(&text),
            ));
        }
    }
    trials
}

/// The paths of the README and of all Markdown files in `docs/`.
pub fn documents() -> Vec<String> {
    let mut documents = vec!["README.md".to_owned()];
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(project().join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().expect("a type").is_dir() {
                folders.push(name);
            } else if Path::new(&name)
                .extension()
                .is_some_and(|extension| extension == "md")
            {
                documents.push(name);
            }
        }
    }
    documents.sort();
    documents
}

/// Returns the document with the current output of each command, if it differs from the output in
/// the document.
fn bless_document(text: &str, blocks: &[Block]) -> Result<String, Failed> {
    let mut blessed = text.to_owned();
    for Block { fence, text, .. } in blocks {
        let mut new = String::new();
        for (command, expected) in commands(text)? {
            let actual = printed(command)?;
            let lines: Vec<&str> = actual.lines().collect();
            let lines = if matches(&expected, &lines) {
                expected
            } else {
                lines
            };
            new.push_str(&format!("$ {command}\n"));
            for line in lines {
                new.push_str(&format!("{line}\n"));
            }
        }
        blessed = blessed.replace(
            &format!("{fence}console\n{text}{fence}\n"),
            &format!("{fence}console\n{new}{fence}\n"),
        );
    }
    Ok(blessed)
}

/// A fenced code block with the language `console`. It contains commands and their output.
struct Block<'t> {
    /// The number, in the document, of the first line inside the block.
    line: usize,
    /// The backticks before and after the block. A block with code fences in its output has more
    /// than three.
    fence: &'t str,
    text: String,
}

/// The `console` blocks of a document.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (number, line) in text.lines().enumerate() {
        match &mut open {
            None => {
                let fence = line.strip_suffix("console").unwrap_or_default();
                if fence.len() >= 3 && fence.chars().all(|c| c == '`') {
                    open = Some(Block {
                        line: number + 2,
                        fence,
                        text: String::new(),
                    });
                }
            }
            Some(block) if line == block.fence => blocks.extend(open.take()),
            Some(block) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
        }
    }
    blocks
}

/// The commands of a block, each with the lines of its expected output.
fn commands(block: &str) -> Result<Vec<(&str, Vec<&str>)>, Failed> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, output))) => output.push(line),
            (None, None) => return Err("a block starts with a command".into()),
        }
    }
    Ok(commands)
}

/// The output of a command, standard error after standard output.
fn printed(command: &str) -> Result<String, Failed> {
    let bin = tempfile::tempdir()?;
    // Cargo builds the program for tests under another name.
    install(env!("CARGO_BIN_EXE_omniread-under-test"), bin.path())?;
    let path = std::env::var("PATH")?;
    let path = format!("{}:{path}", bin.path().display());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(project())
        .env("PATH", &path)
        .output()?;
    let printed = String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?;
    Ok(without_times(
        &printed.replace(&project().display().to_string(), "/omniread"),
    ))
}

/// The text with `…` in place of the time in each `"modified":TIME`. The time of a file in the
/// project is the time of its clone.
fn without_times(text: &str) -> String {
    let mut pieces = text.split(MODIFIED);
    let mut without = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        without.push_str(MODIFIED);
        without.push_str(if rest.len() < piece.len() { "…" } else { "" });
        without.push_str(rest);
    }
    without
}

const MODIFIED: &str = "\"modified\":";

fn run(block: &str) -> Result<(), Failed> {
    for (command, expected) in commands(block)? {
        let actual = printed(command)?;
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

/// Whether the lines of an output match a pattern. A pattern line that is only `…` matches any
/// number of lines, and `…` in another pattern line matches any text.
fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match (expected, actual) {
        ([], []) => true,
        (["…", rest @ ..], _) => {
            (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..]))
        }
        ([first, rest @ ..], [line, lines @ ..]) => {
            line_matches(first, line) && matches(rest, lines)
        }
        _ => false,
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            (0..=line.len())
                .filter(|at| line.is_char_boundary(*at))
                .any(|at| line_matches(rest, &line[at..]))
        }),
    }
}
