//! The progress of reads that take longer than a second.

use super::pty::Terminal;
use super::{PLAIN, PROGRAM};
use omniread_tests::web::{Page, Site};
use omniread_tests::{Cli, Workspace, numbered};
use std::io::Write as _;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Removes a line of the terminal.
const REMOVE: &str = "\r\u{1b}[K";

/// The progress of a request is shown after a second, and removed before the reply.
#[test]
fn progress_of_a_request_is_shown_and_removed() {
    let text = numbered(100);
    let page = Page::text(&text).slow_body(text.len().div_ceil(10), Duration::from_millis(250));
    let server = Site::new().page("/a.txt", page).serve();
    let workspace = Workspace::new();
    let arguments = [
        "--paging=never",
        "--allow-net",
        &server.authority(),
        &server.url("/a.txt"),
    ];
    let all = Terminal::of(&workspace, &arguments, &[PLAIN]).run().text;
    let (progress, reply) = all.split_once("URL: ").expect("a reply");
    let (_, seconds) = progress
        .split_once("0.0 of 0.0 MB from 127.0.0.1, ")
        .expect("progress");
    assert!(is_seconds(seconds), "{all}");
    assert!(progress.ends_with(REMOVE), "{all}");
    assert!(
        reply.contains("line 100") && !reply.contains(" MB from "),
        "{all}"
    );
}

/// Whether a text starts with a time in seconds. A busy machine shows a later one first.
fn is_seconds(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && text[digits..].starts_with(" s")
}

/// The output of a read of standard input, which ends when the terminal has shown `progress`. Without
/// it, the input ends after more than a second.
fn slow_input(arguments: &[&str], environment: &[(&str, &str)], progress: Option<&str>) -> String {
    let workspace = Workspace::new();
    workspace.file("a.txt", "the start\n");
    let mut command = Cli::new(PROGRAM, workspace.path()).command();
    let (input, mut writer) = std::io::pipe().expect("a pipe");
    command.args(arguments).envs(environment.iter().copied());
    command.stdin(input);
    let (shown, is_shown) = mpsc::channel();
    let waits = progress.is_some();
    let ending = thread::spawn(move || {
        if waits {
            let _ = is_shown.recv();
        } else {
            thread::sleep(Duration::from_millis(1500));
        }
        writer.write_all(b"the end\n").expect("a line");
    });
    let terminal = Terminal::new(command).own_input().size(40, 24);
    let terminal = terminal.answering(move |all, _| {
        let text = String::from_utf8_lossy(all);
        if progress.is_some_and(|progress| text.contains(progress)) {
            let _ = shown.send(());
        }
    });
    let text = terminal.run().text;
    ending.join().expect("the writer");
    text
}

#[test]
fn progress_of_any_read_is_shown_and_removed() {
    let progress = "reading standard input: ";
    let text = slow_input(&["-"], &[PLAIN], Some(progress));
    let first = text.strip_prefix(&format!("{REMOVE}reading standard input: "));
    assert!(first.is_some_and(is_seconds), "{text:?}");
    let (_, reply) = text.rsplit_once(REMOVE).expect("its removal");
    assert!(
        !reply.contains("reading") && reply.contains("the end"),
        "{text:?}"
    );
}

/// Output that is kept until it is known whether it needs a pager does not wait for a slow read.
#[test]
fn earlier_replies_are_shown_while_a_read_is_slow() {
    let progress = "reading standard input: ";
    let environment = [PLAIN, ("PAGER", "sh -c cat"), ("PATH", "/usr/bin:/bin")];
    let text = slow_input(&["a.txt", "-"], &environment, Some(progress));
    let place = |part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("{part}: {text:?}"))
    };
    assert!(place("the start") < place(progress), "{text:?}");
    assert!(place(progress) < place("the end"), "{text:?}");
}

#[test]
fn progress_is_not_shown_where_it_cannot_be_removed() {
    let text = slow_input(&["-"], &[("TERM", "dumb")], None);
    assert!(
        !text.contains("reading") && text.contains("the end"),
        "{text:?}"
    );
}

/// The progress would destroy what the pager shows.
#[test]
fn progress_is_not_shown_in_a_pager() {
    let environment = [PLAIN, ("PAGER", "sh -c cat"), ("PATH", "/usr/bin:/bin")];
    let arguments = ["--paging=always", "a.txt", "-"];
    let text = slow_input(&arguments, &environment, None);
    assert!(
        !text.contains("reading") && text.contains("the end"),
        "{text:?}"
    );
}

/// Standard error that is not a terminal gets nothing.
#[test]
fn progress_is_shown_on_terminals_only() {
    let workspace = Workspace::new();
    let mut command = Cli::new(PROGRAM, workspace.path()).command();
    let mut child = command
        .arg("-")
        .envs([PLAIN, ("CLICOLOR_FORCE", "1")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command line");
    thread::sleep(Duration::from_millis(1500));
    let mut input = child.stdin.take().expect("its input");
    input.write_all(b"the end\n").expect("a line");
    drop(input);
    let output = child.wait_with_output().expect("its output");
    assert!(String::from_utf8_lossy(&output.stdout).contains("the end"));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// The rows of a batch go to a file, so that the terminal shows their number.
#[test]
fn progress_of_a_batch_counts_rows_and_failures() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "the start\n");
    let mut command = Cli::new(PROGRAM, workspace.path()).command();
    let (input, mut writer) = std::io::pipe().expect("a pipe");
    command
        .args(["batch", "--output", "rows.jsonl"])
        .envs([PLAIN]);
    command.stdin(input);
    let (shown, is_shown) = mpsc::channel();
    let ending = thread::spawn(move || {
        writer
            .write_all(b"a.txt\nmissing\na.txt:1\n")
            .expect("lines");
        let _ = is_shown.recv();
    });
    let terminal = Terminal::new(command).own_input().size(60, 24);
    let terminal = terminal.answering(move |all, _| {
        if String::from_utf8_lossy(all).contains("/s") {
            let _ = shown.send(());
        }
    });
    let text = terminal.run().text;
    ending.join().expect("the writer");
    let (progress, end) = text.rsplit_once(REMOVE).expect("it is removed");
    assert!(progress.contains("3 rows, 1 failed, "), "{text:?}");
    assert!(end.contains(" 3 rows; not read: 1"), "{text:?}");
}
