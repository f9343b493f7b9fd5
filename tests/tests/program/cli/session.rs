//! `omniread session`, and sessions that cannot be written.

use super::cli;
use omniread_tests::{Cli, Run, Workspace};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A workspace with a file, and the directory of a session outside of it.
fn place() -> (Workspace, PathBuf) {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\ntwo\n");
    let state = workspace.path().with_extension("session");
    (workspace, state)
}

fn run(cli: &Cli, state: &Path, arguments: &[&str]) -> Run {
    let mut command = cli.command();
    command
        .arg("--session")
        .arg(state)
        .args(["--set", "repeat=on"]);
    Run::from(command.args(arguments).output().unwrap())
}

#[test]
fn command_without_a_session_says_so_and_creates_nothing() {
    let (workspace, state) = place();
    for action in [
        &["list"][..],
        &["show", "a.txt"],
        &["diff", "a.txt"],
        &["clear"],
    ] {
        let done = run(&cli(&workspace), &state, &[&["session"], action].concat());
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
        assert!(done.stderr.contains("there is no session in `"), "{done:?}");
        assert!(!state.exists());
    }
}

#[test]
fn store_that_another_program_locks_hinders_no_read_and_starts_no_generation() {
    let (workspace, state) = place();
    let cli = cli(&workspace);
    run(&cli, &state, &["a.txt"]);
    let other = Connection::open(state.join("session.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = Instant::now();
    let failed = run(&cli, &state, &["session", "compacted"]);
    assert_eq!((failed.code, &*failed.stdout), (Some(1), ""));
    assert!(
        failed.stderr.contains("try again before the next read"),
        "{failed:?}"
    );
    assert!(start.elapsed().as_secs() < 10);
    let read = run(&cli, &state, &["a.txt:2"]);
    assert!(read.stdout.contains("2:two"), "{read:?}");
    assert_eq!(read.code, Some(0));
    assert_eq!(read.stderr.matches("warning: ").count(), 1, "{read:?}");
    assert!(read.stderr.contains("other processes use it"), "{read:?}");
    other.execute_batch("COMMIT").unwrap();
    let compacted = run(&cli, &state, &["session", "compacted"]);
    assert_eq!((compacted.code, &*compacted.stdout), (Some(0), "1\n"));
    let read = run(&cli, &state, &["a.txt"]);
    assert!(read.stdout.contains("1:one"), "{read:?}");
    // All goes, also what was set aside.
    fs::write(state.join("session.db.set-aside-1"), "text").unwrap();
    assert_eq!(run(&cli, &state, &["session", "clear"]).code, Some(0));
    assert_eq!(fs::read_dir(&state).unwrap().count(), 1);
    assert_eq!(run(&cli, &state, &["session", "list"]).code, Some(1));
    fs::remove_dir_all(state).unwrap();
}

#[test]
fn read_goes_on_without_a_session_that_cannot_be_opened() {
    let (workspace, _) = place();
    let read = run(&cli(&workspace), Path::new("/proc/none/state"), &["a.txt"]);
    assert!(read.stdout.contains("2:two"), "{read:?}");
    assert_eq!(read.stderr.matches("warning: ").count(), 1, "{read:?}");
    assert_eq!(read.code, Some(0));
}
