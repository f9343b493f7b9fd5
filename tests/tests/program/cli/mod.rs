//! Tests of the command line that cannot be written as a case in `tests/cases`.

mod config;
mod environment;
mod pages;
mod session;
mod streams;

use omniread::options::SETTINGS;
use omniread_tests::{Cli, Run, Workspace};
use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::process::Stdio;

fn cli(workspace: &Workspace) -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path())
}

/// Runs the program with these environment variables and arguments.
fn run_in(cli: &Cli, variables: &[(&str, impl AsRef<OsStr>)], arguments: &[&str]) -> Run {
    let mut command = cli.command();
    for (name, value) in variables {
        command.env(name, value);
    }
    Run::from(command.args(arguments).output().unwrap())
}

/// Creates the sparse file `endless` of 1 TiB: no read reaches its end before the timeout.
fn endless(workspace: &Workspace) {
    workspace.file("endless", "line\n".repeat(4000));
    let file = std::fs::File::options()
        .write(true)
        .open(workspace.path().join("endless"));
    file.unwrap().set_len(1 << 40).unwrap();
}

#[test]
fn closed_pipe_ends_output_without_an_error() {
    let workspace = Workspace::new();
    workspace.file("large", "some line of text\n".repeat(100_000));
    let mut child = cli(&workspace)
        .command()
        .args(["large:1-3000:raw"; 50])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Output that cannot be written is an error, also of the services.
#[test]
#[cfg(target_os = "linux")]
fn full_disk_is_an_error() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\ntwo\n");
    let request = b"{\"id\":1,\"path\":\"a.txt\"}\n";
    let hello = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\nnonsense\n";
    for (arguments, input) in [
        (&["a.txt"][..], &b""[..]),
        (&["--json", "a.txt"], b""),
        (&["--all", "a.txt"], b""),
        (&["--help"], b""),
        (&["--version"], b""),
        (&["tools"], b""),
        (&["--completions", "bash"], b""),
        (&["batch"], b"a.txt\n"),
        (&["serve"], request),
        (&["mcp"], hello),
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut child = cli(&workspace)
            .command()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(full.unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        let shown = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {shown}");
        assert!(
            shown.contains("cannot write: No space"),
            "{arguments:?}: {shown}"
        );
    }
}

/// A process that may write no file reads texts, and states why it reads no images.
#[test]
#[cfg(target_os = "linux")]
fn process_that_may_write_no_file_reads() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "one\ntwo\n")
        .file("app.db", include_bytes!("../../../../examples/app.db"));
    for (path, part) in [("a.txt", "1:one"), ("app.db", "`ulimit -f`")] {
        let program = env!("CARGO_BIN_EXE_omniread-under-test");
        let output = std::process::Command::new("sh")
            .current_dir(workspace.path())
            .args(["-c", "ulimit -f 0; exec \"$0\" \"$1\"", program, path])
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{path}: {output:?}");
        assert!(shown.contains(part), "{path}: {shown}");
    }
    let file = std::fs::File::create(workspace.path().join("out")).unwrap();
    let output = std::process::Command::new("sh")
        .current_dir(workspace.path())
        .args(["-c", "ulimit -f 0; exec \"$0\" a.txt"])
        .arg(env!("CARGO_BIN_EXE_omniread-under-test"))
        .stdout(file)
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("cannot write: File too large"), "{shown}");
}

/// A closed file descriptor as standard output is an error, unlike a pipe whose reader has ended.
#[test]
#[cfg(unix)]
fn closed_stdout_is_an_error() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "a\n");
    let output = std::process::Command::new("sh")
        .args(["-c", "exec \"$0\" a.txt >&-"])
        .arg(env!("CARGO_BIN_EXE_omniread-under-test"))
        .current_dir(workspace.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "omniread: cannot write: standard output is closed\n"
    );
    // `/dev/null` is a valid output.
    let run = cli(&workspace)
        .command()
        .arg("a.txt")
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(run.code(), Some(0));
}

#[test]
fn escape_sequences_in_usage_errors_are_inert() {
    let workspace = Workspace::new();
    let cli = cli(&workspace);
    for arguments in [
        &["--dialect", "\u{1b}[31m", "a"][..],
        &["--no-such-\u{1b}[31m"],
        &["--timeout", "\u{1b}]0;x\u{7}", "a"],
        &["--set", "\u{1b}[31m", "a"],
        &["--deny", "\u{1b}[31m{", "a"],
        &["--root", "\u{1b}[31m", "a"],
    ] {
        let run = cli.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(!run.stderr.contains('\u{1b}'), "{:?}", run.stderr);
    }
    // A message that repeats the argument shows the control character as an escape sequence.
    let run = cli.run(&["--deny", "\u{1b}[31m{", "a"]);
    assert!(run.stderr.contains("⟨U+001B⟩[31m"), "{:?}", run.stderr);
    let run = run_in(&cli, &[("OMNIREAD_DIALECT", "\u{1b}[31m")], &["a"]);
    assert_eq!(run.code, Some(2));
    assert!(!run.stderr.contains('\u{1b}'), "{:?}", run.stderr);
}

/// Standard input stays open, but contains no bytes.
#[test]
fn timeout_ends_a_read_of_silent_stdin() {
    let workspace = Workspace::new();
    let mut child = cli(&workspace)
        .command()
        .args(["--timeout", "1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let silent = child.stdin.take().unwrap();
    // A guard against a hang, not a measurement.
    let started = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > std::time::Duration::from_mins(10) {
            child.kill().unwrap();
            panic!("the timeout does not end the read");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    drop(silent);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("standard input did not end"), "{text}");
}

/// Several processes read standard input from the same pipe. One process may take the bytes that
/// the poll of another process has reported, and each process still ends at its timeout.
#[test]
#[cfg(target_os = "linux")]
fn timeout_ends_reads_that_share_stdin() {
    let workspace = Workspace::new();
    let (shared, mut input) = std::io::pipe().unwrap();
    let mut children: Vec<_> = (0..8)
        .map(|_| {
            cli(&workspace)
                .command()
                .args(["--timeout", "2", "-"])
                .stdin(shared.try_clone().unwrap())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for _ in 0..20 {
        input.write_all(b"x\n").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let started = std::time::Instant::now();
    for child in &mut children {
        while child.try_wait().unwrap().is_none() {
            if started.elapsed() > std::time::Duration::from_mins(10) {
                child.kill().unwrap();
                panic!("the timeout does not end the read");
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    drop(input);
}

/// A named pipe is refused as a root without being opened, because opening it would block until
/// another program opens it for writing.
#[test]
#[cfg(target_os = "linux")]
fn root_that_is_a_pipe_is_a_usage_error() {
    use rustix::fs::{CWD, Mode, mkfifoat};
    let workspace = Workspace::new();
    mkfifoat(CWD, workspace.path().join("pipe"), Mode::RUSR).unwrap();
    let run = cli(&workspace).run(&["--root", "pipe", "a.txt"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("cannot use `pipe` as a root"),
        "{}",
        run.stderr
    );
}

#[test]
fn help_man_page_and_completions_list_every_option() {
    let workspace = Workspace::new();
    let cli = cli(&workspace);
    let help = cli.run(&["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    for setting in SETTINGS {
        assert!(help.stdout.contains(setting.key), "{}", setting.key);
    }
    let man = cli.run(&["--man"]);
    assert!(
        man.stdout.starts_with(".ie") || man.stdout.contains(".TH omniread"),
        "{}",
        man.stdout
    );
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let completions = cli.run(&["--completions", shell]);
        assert_eq!(completions.code, Some(0), "{shell}");
        assert!(completions.stdout.contains("max-file-size"), "{shell}");
    }
}

#[test]
fn help_is_a_subcommand_and_not_a_file() {
    let workspace = Workspace::new();
    workspace.file("help", "its own\n");
    let cli = cli(&workspace);
    let help = cli.run(&["help"]);
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    assert!(help.stdout.contains("Exit status:"), "{}", help.stdout);
    let call = cli.run(&["help", "call"]);
    assert!(call.stdout.contains("standard input"), "{}", call.stdout);
    assert!(cli.run(&["./help"]).stdout.contains("its own"));
}

#[test]
fn timeout_applies_to_calls() {
    let workspace = Workspace::new();
    endless(&workspace);
    let run = cli(&workspace).run(&[
        "--timeout",
        "1",
        "call",
        "omp",
        r#"{"path": "endless:99999999"}"#,
    ]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("exceeded the timeout of 1000 ms"),
        "{}",
        run.stderr
    );
}

#[test]
fn call_arguments_are_read_from_stdin() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "alpha\n");
    let cli = cli(&workspace);
    let run = cli.run_with(&["call", "omp", "-"], br#"{"path": "a.txt:raw"}"#);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "alpha\n"));
    let run = cli.run_with(&["call", "omp", "-"], b"\xff");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("standard input are not UTF-8"),
        "{}",
        run.stderr
    );
    let long = vec![b' '; 3 << 20];
    let run = cli.run_with(&["call", "omp", "-"], &long);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("longer than 2 MiB"), "{}", run.stderr);
}

#[test]
fn root_around_the_current_directory_does_not_move_relative_paths() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "of the whole\n")
        .file("part/a.txt", "of the part\n")
        .file("an other/b.txt", "of the other\n");
    let part = Cli::new(
        env!("CARGO_BIN_EXE_omniread-under-test"),
        workspace.path().join("part"),
    );
    let around = workspace.path().display().to_string();
    for arguments in [
        vec!["a.txt"],
        vec!["--root", "..", "a.txt"],
        vec!["--root", &around, "a.txt"],
        vec!["--root", "/", "a.txt"],
        vec!["--root", "../an other", "--root", "..", "a.txt"],
        vec!["--root", "..", "--root", ".", "a.txt"],
        vec!["--root", "../an other", "--root", ".", "a.txt"],
    ] {
        let run = part.run(&arguments);
        assert!(run.stdout.contains("of the part"), "{arguments:?}: {run:?}");
    }
    // The current directory is not in a root.
    let run = part.run(&["--root", "../an other", "b.txt"]);
    assert!(run.stdout.contains("of the other"), "{run:?}");
    // The hint is a part of a command that works, and keeps the base of relative paths.
    for outside in ["../an other/b.txt", &format!("{around}/an other/b.txt")] {
        let run = part.run(&[outside]);
        let message = format!("{}{}", run.stdout, run.stderr);
        let options = message.split('`').find(|text| text.starts_with("--root "));
        let options = options.unwrap_or_else(|| panic!("{message}"));
        let command = format!(
            "{} {options} '{outside}' a.txt",
            env!("CARGO_BIN_EXE_omniread-under-test")
        );
        let shell = std::process::Command::new("sh")
            .args(["-c", &command])
            .current_dir(workspace.path().join("part"))
            .output()
            .unwrap();
        let text = String::from_utf8(shell.stdout).unwrap();
        assert!(
            text.contains("of the other") && text.contains("of the part"),
            "{command}: {text}"
        );
    }
}
