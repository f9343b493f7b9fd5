//! Runs other programs and reads their output.

use std::io::{ErrorKind, Write as _};
use std::process::{Command, Stdio};

/// Runs a program with `input` on its standard input. Returns its output, or the reason why it
/// failed.
pub fn output_of(command: &mut Command, input: &str) -> Result<String, String> {
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
        // The program itself reports why it did not read its input.
        let _ = pipe.write_all(input.as_bytes());
    });
    let output = child
        .wait_with_output()
        .map_err(|error| format!("{name}: {error}"))?;
    writer.join().expect("the writer");
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name}: {}", reason(&text)))
}

/// The line of the error output that explains best why a program failed.
fn reason(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.clone().next_back();
    let line = lines
        .find(|line| {
            let line = line.to_ascii_lowercase();
            line.contains("error") || line.contains("failed")
        })
        .or(last)
        .unwrap_or("it failed without a message");
    line.chars().take(200).collect()
}

/// The rows of a program's output that have `COLUMNS` columns, separated by tabs.
pub fn rows<const COLUMNS: usize>(printed: &str) -> impl Iterator<Item = [&str; COLUMNS]> {
    printed.lines().filter_map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        columns.try_into().ok()
    })
}
