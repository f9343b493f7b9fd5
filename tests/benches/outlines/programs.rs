//! Other programs that are asked something.

use std::io::{ErrorKind, Write as _};
use std::process::{Command, Stdio};

/// Runs a program with something to read; what it printed, or why it failed.
pub fn told(command: &mut Command, input: &str) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("{name} is not installed"),
        _ => format!("{name}: {error}"),
    })?;
    let mut pipe = child.stdin.take().expect("its input");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // What it did not want to read it says itself.
        let _ = pipe.write_all(input.as_bytes());
    });
    let output = child
        .wait_with_output()
        .map_err(|error| format!("{name}: {error}"))?;
    writer.join().expect("the writer");
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name}: {}", reason(&said)))
}

/// The line that tells best why a program failed.
fn reason(said: &str) -> String {
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.clone().next_back();
    let line = lines
        .find(|line| {
            let line = line.to_ascii_lowercase();
            line.contains("error") || line.contains("failed")
        })
        .or(last)
        .unwrap_or("it failed, and said nothing");
    line.chars().take(200).collect()
}

/// The rows that a program printed, of so many columns that are told apart by
/// tabs.
pub fn rows<const COLUMNS: usize>(printed: &str) -> impl Iterator<Item = [&str; COLUMNS]> {
    printed.lines().filter_map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        columns.try_into().ok()
    })
}
