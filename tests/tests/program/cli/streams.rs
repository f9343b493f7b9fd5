//! What goes to standard output and to standard error, and what is read from standard input.

use super::{cli, run_in};
use omniread::Dialect;
use omniread_tests::{Cli, Run, Workspace, numbered};
use serde_json::Value;
use std::fs::File;
use std::process::Stdio;

const PROGRAM: &str = env!("CARGO_BIN_EXE_omniread-under-test");

/// Runs a line of a shell, in which `$omniread` is the program.
#[cfg(unix)]
fn shell(shell: &str, cli: &Cli, line: &str) -> Run {
    let mut command = cli.command();
    let directory = command.get_current_dir().unwrap().to_owned();
    command = std::process::Command::new(shell);
    command
        .args(["-c", line])
        .current_dir(directory)
        .env("omniread", PROGRAM)
        .stdin(Stdio::null());
    Run::from(command.output().unwrap())
}

#[test]
fn failure_of_every_dialect_goes_to_standard_error() {
    let workspace = Workspace::new();
    let cli = cli(&workspace);
    for dialect in Dialect::ALL {
        let run = cli.run(&["--dialect", dialect.name(), "nope.txt"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
        assert!(!run.stderr.is_empty(), "{run:?}");
        // A call fails as a model would see it.
        let run = cli.run(&["call", dialect.name(), r#"{"colour": 1}"#]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
        assert!(run.stderr.contains("colour"), "{run:?}");
        assert!(!run.stderr.contains("omniread:"), "{run:?}");
        // In JSON, a failure is an object of the output.
        let run = cli.run(&["--json", "--dialect", dialect.name(), "nope.txt"]);
        let failure: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(failure["error"]["kind"], "not_found", "{run:?}");
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{run:?}");
    }
    // The failure of a dialect that replies in JSON can be parsed.
    for dialect in ["comma", "gemini"] {
        let run = cli.run(&["--dialect", dialect, "nope.txt"]);
        assert!(
            serde_json::from_str::<Value>(&run.stderr).is_ok(),
            "{run:?}"
        );
    }
    let run = cli.run(&["nope.txt"]);
    assert_eq!(run.stderr, "omniread: Path 'nope.txt' not found\n");
}

/// A heading without text would look like an empty file.
#[test]
fn failed_path_among_others_has_no_heading() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "alpha\n").file("b.txt", "beta\n");
    let run = cli(&workspace).run(&["a.txt:raw", "nope", "b.txt:0", "b.txt:raw"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.stdout,
        "==> a.txt:raw <==\nalpha\n\n==> b.txt:raw <==\nbeta\n"
    );
    // A message that does not name its path follows the path.
    assert_eq!(
        run.stderr,
        "omniread: Path 'nope' not found\n\
         omniread: `b.txt:0`: Line selector 0 is invalid; lines are 1-indexed. Use :1.\n"
    );
}

#[test]
fn standard_input_is_read_without_a_path() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(20));
    let cli = cli(&workspace);
    let text = b"one\ntwo\nthree\n";
    assert_eq!(cli.run_with(&[], text), cli.run_with(&["-"], text));
    for arguments in [
        &["--json"][..],
        &["--dialect", "claude"],
        &["-n", "2"],
        &["--all"],
        &["--set", "numbers=on"],
    ] {
        let with_path = [arguments, &["-"]].concat();
        let run = cli.run_with(arguments, text);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(run, cli.run_with(&with_path, text));
    }
    // A file is read as well.
    let file = File::open(workspace.path().join("f")).unwrap();
    let output = cli.command().stdin(file).output().unwrap();
    assert!(Run::from(output).stdout.contains("line 20\n"));
    // A path is read in its place.
    let run = cli.run_with(&["f:2:raw"], text);
    assert!(run.stdout.starts_with("line 2\n"), "{run:?}");
    // A command does not read it as a path.
    assert_eq!(cli.run_with(&["version"], text).code, Some(0));
    let empty = cli.run_with(&[], b"");
    assert_eq!(empty, cli.run_with(&["-"], b""));
    assert_eq!(empty.code, Some(0));
}

/// A socket is the standard input that Node.js passes to a child.
#[cfg(unix)]
#[test]
fn standard_input_that_is_a_socket_is_read_without_a_path() {
    use std::io::Write as _;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    let workspace = Workspace::new();
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    ours.write_all(b"from a socket\n").unwrap();
    drop(ours);
    let mut command = cli(&workspace).command();
    let output = command.stdin(OwnedFd::from(theirs)).output().unwrap();
    assert_eq!(Run::from(output).stdout, "from a socket\n");
}

#[cfg(unix)]
#[test]
fn terminal_or_no_input_prints_the_short_help() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let workspace = Workspace::new();
    let cli = cli(&workspace);
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let terminal = || File::open(name.to_str().unwrap()).unwrap().into();
    for stdin in [terminal(), Stdio::null()] {
        let run = Run::from(cli.command().stdin(stdin).output().unwrap());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        assert!(run.stderr.contains("Usage: omniread"), "{}", run.stderr);
        assert!(!run.stderr.contains("Selectors:"), "{}", run.stderr);
    }
    for stdin in [terminal(), Stdio::null()] {
        let output = cli.command().arg("--json").stdin(stdin).output().unwrap();
        let run = Run::from(output);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        assert!(run.stderr.contains("write a PATH"), "{}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_standard_input_are_read() {
    let workspace = Workspace::new();
    let cli = cli(&workspace);
    let text = b"one\ntwo\nthree\n";
    for name in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        for suffix in ["", ":2:raw", ":9", "?q=SELECT 1"] {
            let run = cli.run_with(&[&format!("{name}{suffix}")], text);
            assert_eq!(
                run,
                cli.run_with(&[&format!("-{suffix}")], text),
                "{name}{suffix}"
            );
        }
    }
    // A model cannot name it.
    let run = cli.run_with(&["call", "omp", r#"{"path": "/dev/stdin"}"#], text);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
}

/// A shell passes `<(command)` as `/dev/fd/63`.
#[cfg(target_os = "linux")]
#[test]
fn pipes_of_the_shell_are_read_once_each() {
    let workspace = Workspace::new();
    let cli = cli(&workspace);
    let line = "printf 'one\\ntwo\\n' | \"$omniread\" /dev/fd/9:2:raw 9<&0 0</dev/null";
    let run = shell("sh", &cli, line);
    assert_eq!(
        (run.stdout.as_str(), run.code),
        ("two\n", Some(0)),
        "{run:?}"
    );
    // Standard input stays what it is.
    let line =
        "(echo pipe; exec 8<&0; printf 'other\\n' | \"$omniread\" - /dev/fd/8:raw) < /dev/null";
    let run = shell("sh", &cli, line);
    assert!(run.stdout.contains("other\n"), "{run:?}");
    if std::process::Command::new("bash")
        .arg("--version")
        .output()
        .is_err()
    {
        return;
    }
    let line = "printf 'in\\n' | \"$omniread\" <(printf 'a\\n') - <(printf 'b\\nc\\n')";
    let run = shell("bash", &cli, line);
    assert_eq!(run.code, Some(0), "{run:?}");
    let texts: Vec<&str> = run.stdout.split("==>").skip(1).collect();
    let last = texts
        .iter()
        .map(|text| text.split_once(" <==\n").unwrap().1.trim_end());
    assert_eq!(last.collect::<Vec<_>>(), ["a", "in", "b\nc"], "{run:?}");
    let line = "\"$omniread\" --json <(seq 1000)";
    let reply: Value = serde_json::from_str(&shell("bash", &cli, line).stdout).unwrap();
    assert_eq!(reply["details"]["total_lines"]["exact"], 1000, "{reply}");
}

/// A file that another program left open is not in the roots.
#[cfg(target_os = "linux")]
#[test]
fn descriptors_that_are_not_pipes_are_refused() {
    let workspace = Workspace::new();
    workspace.file("secret", "a secret\n").directory("root");
    let cli = cli(&workspace);
    for line in [
        "\"$omniread\" --root root /dev/fd/9 9<secret",
        "\"$omniread\" --root root /proc/self/fd/9:1 9<secret",
        "\"$omniread\" --root root /dev/fd/9 9<root",
        "\"$omniread\" --root root /dev/fd/77",
    ] {
        let run = shell("sh", &cli, line);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (Some(1), ""),
            "{line}: {run:?}"
        );
        assert!(
            run.stderr.contains("is not a pipe\nhint: redirect"),
            "{line}: {run:?}"
        );
    }
}

/// The pipe stays open, but delivers nothing.
#[cfg(target_os = "linux")]
#[test]
fn timeout_ends_a_read_of_a_silent_pipe() {
    use rustix::io::{FdFlags, fcntl_setfd};
    use std::os::fd::AsRawFd as _;
    let workspace = Workspace::new();
    let (pipe, silent) = std::io::pipe().unwrap();
    // The program inherits the pipe.
    fcntl_setfd(&pipe, FdFlags::empty()).unwrap();
    let path = format!("/dev/fd/{}", pipe.as_raw_fd());
    let run = cli(&workspace).run(&["--timeout", "500ms", &path]);
    drop(silent);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("standard input did not end"), "{run:?}");
}

#[test]
fn quiet_leaves_only_the_reply_and_usage_errors() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(1000));
    let cli = cli(&workspace);
    let notice = cli.run(&["f:raw"]);
    assert!(notice.stderr.contains("Use "), "{notice:?}");
    for quiet in ["-q", "--quiet"] {
        let run = cli.run(&[quiet, "f:raw"]);
        assert_eq!(
            (run.stdout.as_str(), run.stderr.as_str()),
            (notice.stdout.as_str(), "")
        );
        let run = cli.run(&["f:raw", "nope", quiet]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
        let run = cli.run(&["call", "claude", "{}", quiet]);
        assert_eq!(
            (run.code, run.stdout.as_str(), run.stderr.as_str()),
            (Some(1), "", "")
        );
    }
    // Notices in the text belong to the reply.
    assert_eq!(cli.run(&["-q", "f:1"]), cli.run(&["f:1"]));
    // A warning is left out, a wrong command line is not.
    let variables = [("OMNIREAD_QUIET", "on"), ("OMNIREAD_LIMT", "5")];
    assert_eq!(run_in(&cli, &variables, &["f:1-2"]).stderr, "");
    for arguments in [
        &["-q", "--colour", "x", "f"][..],
        &["-q", "--set", "limit=0", "f"],
        &["-q", "--root", "nowhere", "f"],
        &["-q", "-n", "0", "f"],
        &["-q", "--frobnicate", "f"],
    ] {
        let run = cli.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
}

/// Standard input has no name that states its format.
#[test]
fn query_of_standard_input_reads_rows() {
    let workspace = Workspace::new();
    let cli = cli(&workspace);
    let csv = "name,age\nAda,40\nBob,20\n";
    let jsonl = "\u{feff}{\"name\":\"Ada\",\"age\":40}\n{\"name\":\"Bob\",\"age\":20}\n";
    let gzip = omniread_tests::pack::gzip(csv.as_bytes());
    for (input, what) in [
        (csv.as_bytes(), "csv"),
        (jsonl.as_bytes(), "jsonl"),
        (&gzip, "gzip"),
    ] {
        for path in [
            "-?where=age>30",
            "-?limit=1",
            "-?q=SELECT * FROM data WHERE age=40",
        ] {
            let run = cli.run_with(&[path], input);
            assert_eq!(run.code, Some(0), "{what}: {path}: {run:?}");
            assert!(run.stdout.contains("Ada"), "{what}: {path}: {run:?}");
            assert!(!run.stdout.contains("Bob"), "{what}: {path}: {run:?}");
        }
    }
    // As the reply to `-?limit=1` continues.
    let run = cli.run_with(&["-::2?limit=1"], csv.as_bytes());
    assert!(run.stdout.contains("Bob"), "{run:?}");
}
