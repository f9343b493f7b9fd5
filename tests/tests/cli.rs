//! What the cases cannot say of the command line.

#![allow(missing_docs, reason = "a test")]

use omniread::SETTINGS;
use omniread_tests::{Cli, Workspace};
use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::process::Stdio;

fn cli(workspace: &Workspace) -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path())
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
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

/// A file descriptor that is closed, not a pipe that nobody reads.
#[test]
#[cfg(unix)]
fn closed_standard_output_is_an_error() {
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
    // `/dev/null` is an output like any other.
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
    // Where the text is shown, the escape sequence is visible.
    let run = cli.run(&["--deny", "\u{1b}[31m{", "a"]);
    assert!(run.stderr.contains("⟨U+001B⟩[31m"), "{:?}", run.stderr);
    let output = cli
        .command()
        .env("OMNIREAD_DIALECT", "\u{1b}[31m")
        .arg("a")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!output.stderr.contains(&0x1b));
}

/// Standard input that stays open and empty.
#[test]
fn timeout_ends_a_read_of_silent_standard_input() {
    let workspace = Workspace::new();
    let mut child = cli(&workspace)
        .command()
        .args(["--timeout", "1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let silent = child.stdin.take().unwrap();
    // A guard against a hang, not a measurement.
    let started = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > std::time::Duration::from_mins(1) {
            child.kill().unwrap();
            panic!("the timeout does not end the read");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    drop(silent);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("standard input did not end"), "{text}");
}

/// Several reads of one pipe: what one of them takes, another one may have seen,
/// and each ends at its timeout.
#[test]
#[cfg(target_os = "linux")]
fn timeout_ends_reads_that_share_standard_input() {
    let workspace = Workspace::new();
    let (shared, mut input) = std::io::pipe().unwrap();
    let mut children: Vec<_> = (0..8)
        .map(|_| {
            cli(&workspace)
                .command()
                .args(["--timeout", "2", "-"])
                .stdin(shared.try_clone().unwrap())
                .stdout(Stdio::null())
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
            if started.elapsed() > std::time::Duration::from_mins(1) {
                child.kill().unwrap();
                panic!("the timeout does not end the read");
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    drop(input);
}

/// Opening a pipe waits for a program that writes to it.
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
fn help_man_page_and_completions_come_from_the_same_definitions() {
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
    let nothing = cli.run(&[]);
    assert_eq!(nothing.code, Some(2));
}

#[test]
fn help_is_a_subcommand() {
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
fn options_come_from_the_environment_and_the_command_line_wins() {
    let workspace = Workspace::new();
    workspace.file("f", "1\n2\n3\n4\n5\n");
    let cli = cli(&workspace);
    let run = |arguments: &[&str]| {
        let output = cli
            .command()
            .env("OMNIREAD_LIMIT", "2")
            .env("OMNIREAD_HASHLINES", "off")
            .args(arguments)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        run(&["f"]),
        "1\n2\n\n[Showing lines 1-2 of 5. Use :3 to continue]\n"
    );
    assert_eq!(run(&["--set", "limit=9", "f"]), "1\n2\n3\n4\n5\n");
    let wrong = cli
        .command()
        .env("OMNIREAD_LIMIT", "many")
        .arg("f")
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    let dialect = cli
        .command()
        .env("OMNIREAD_DIALECT", "claude")
        .arg("f:2-2")
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&dialect.stdout).contains("     2\t2\n"));
}

/// A directory that is reached through a link is known by both names.
#[test]
#[cfg(unix)]
fn the_shell_may_know_the_directory_by_another_name() {
    let workspace = Workspace::new();
    workspace.file("real/f", "x\n").link("alias", "real");
    let alias = workspace.path().join("alias");
    let output = cli(&workspace)
        .command()
        .current_dir(&alias)
        .env("PWD", &alias)
        .arg(alias.join("f"))
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn time_is_limited_for_tools_as_well() {
    let workspace = Workspace::new();
    workspace.file("endless", "line\n".repeat(4000));
    let path = workspace.path().join("endless");
    std::fs::File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let run = cli(&workspace).run(&[
        "--timeout",
        "1",
        "call",
        "omp",
        r#"{"path": "endless:99999999"}"#,
    ]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.contains("took longer than the 1000 ms"),
        "{}",
        run.stdout
    );
}

/// The file is larger than a page, which has at most 8 MiB.
#[test]
fn all_of_a_file_is_read_page_after_page() {
    let workspace = Workspace::new();
    let text: String = (1..=500_000)
        .map(|n| format!("line {n:08} of it\n"))
        .collect();
    assert!(text.len() > 8 << 20);
    workspace.file("large", &text).file("small", "1\n2\n");
    let cli = cli(&workspace);
    let run = cli.run(&["--all", "large:raw"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout == text);
    // The notice of the first page is not mixed with the text.
    assert!(run.stderr.contains("Use "), "{}", run.stderr);
    let run = cli.run(&["--all", "large:499990-:raw"]);
    assert_eq!(run.stdout.lines().count(), 11);
    // With numbers, each line is there once.
    let run = cli.run(&["--all", "large"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let numbered = lines.iter().filter(|line| line.contains(":line 0"));
    assert_eq!(numbered.count(), 500_000);
    assert!(lines.contains(&"500000:line 00500000 of it"));
    // Each dialect goes on where its page ends.
    for dialect in ["gateway", "claude", "gemini", "comma"] {
        let run = cli.run(&["--all", "--json", "--dialect", dialect, "large"]);
        assert!(run.stdout.lines().count() > 1, "{dialect}");
        for n in (1..=500_000).step_by(99) {
            let line = format!("line {n:08} of it");
            assert_eq!(run.stdout.matches(&line).count(), 1, "{dialect}: {line}");
        }
    }
    let run = cli.run_with(&["--all", "-:raw"], &text.as_bytes()[..1 << 20]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout == text[..1 << 20]);
    let run = cli.run_with(&["--all", "-:raw"], text.as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.len() > 7 << 20 && text.starts_with(&run.stdout));
    assert!(
        run.stderr.contains("can be read only once"),
        "{}",
        run.stderr
    );
    // A long line is not cut, and is where it belongs.
    let long = format!("first\n{}\nlast\n", "x".repeat(100_000));
    workspace.file("long", &long);
    let run = cli.run(&["--all", "long"]);
    let numbered = format!("1:first\n2:{}\n3:last\n", "x".repeat(100_000));
    assert!(run.stdout.ends_with(&numbered), "{}", run.stdout.len());
    let line = format!("{{\"a\":\"{}\"}}", "y".repeat(20 << 20));
    workspace.file("line.json", &line);
    assert!(cli.run(&["--all", "line.json:raw"]).stdout == line);
    // Arguments of a tool have pages of their own.
    for wrong in ["--all", "-n5"] {
        let run = cli.run(&[wrong, "call", "omp", "{}"]);
        assert_eq!(run.code, Some(2), "{wrong}");
        assert!(run.stderr.contains("are for a PATH"), "{}", run.stderr);
    }
    // What fails is said once.
    let run = cli.run(&["--all", "small", "nope"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout.matches("not found").count(), 1);
}

#[test]
fn all_of_a_directory_is_listed() {
    let workspace = Workspace::new();
    for n in 0..1000 {
        workspace.file(&format!("d/f{n}"), "");
    }
    let cli = cli(&workspace);
    assert!(cli.run(&["d"]).stdout.contains("[700 more entries"));
    let run = cli.run(&["--all", "d"]);
    assert_eq!(
        run.stdout
            .lines()
            .filter(|line| line.contains("- f"))
            .count(),
        1000
    );
}

#[test]
fn lines_are_selected_by_a_flag() {
    let workspace = Workspace::new();
    workspace.file("n", omniread_tests::numbered(50));
    let cli = cli(&workspace);
    for (lines, path) in [
        ("5-9", "n:5-9"),
        ("40", "n:40"),
        ("-3", "n:-3"),
        ("1,4-5", "n:1,4-5"),
    ] {
        let expected = cli.run(&[path]).stdout;
        assert_eq!(cli.run(&["-n", lines, "n"]).stdout, expected, "{lines}");
        assert_eq!(
            cli.run(&["n", &format!("--lines={lines}")]).stdout,
            expected,
            "{lines}"
        );
    }
    let raw = cli.run(&["-n", "2-3", "n:raw"]);
    assert_eq!(raw.stdout, "line 2\nline 3\n");
    let stdin = cli.run_with(&["-n", "2-3", "-:raw"], b"a\nb\nc\n");
    assert_eq!(stdin.stdout, "b\nc\n");
    for wrong in ["raw", "", "a-b", "5 9", "1.5", "--5", "cell:2", "0", "9-5"] {
        let run = cli.run(&["-n", wrong, "n"]);
        assert_eq!(run.code, Some(2), "{wrong}");
        assert!(
            run.stdout.contains("write 50-80"),
            "{wrong}: {}",
            run.stdout
        );
    }
    // Lines are not mistaken for a column, a row or the name of a file.
    workspace.file("n:40", "its own\n");
    let run = cli.run(&["-n", "40", "n"]);
    assert!(run.stdout.contains("\n40:line 40\n"), "{}", run.stdout);
    let run = cli.run(&["-n", "40", "n:10"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stdout
            .contains("`n:10` has a selector and option `lines` asks for lines too"),
        "{}",
        run.stdout
    );
}

#[test]
fn arguments_of_a_call_come_from_standard_input() {
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
fn unknown_variables_are_named() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "alpha\n");
    let output = cli(&workspace)
        .command()
        .envs([("OMNIREAD_LIMT", "5"), ("OMNIREAD_DIALECT", "claude")])
        .arg("a.txt:raw")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "omniread: warning: the environment variable `OMNIREAD_LIMT` is not an option; `omniread --help` lists them\n"
    );
    let not_utf8 = OsStr::from_bytes(b"\xff");
    let output = cli(&workspace)
        .command()
        .env("OMNIREAD_LIMIT", not_utf8)
        .arg("a.txt:raw")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "omniread: the environment variable `OMNIREAD_LIMIT` is not UTF-8\n"
    );
}

#[test]
fn timeout_may_have_a_fraction() {
    let workspace = Workspace::new();
    workspace.file("endless", "line\n".repeat(4000));
    let file = std::fs::File::options()
        .write(true)
        .open(workspace.path().join("endless"));
    file.unwrap().set_len(1 << 40).unwrap();
    let cli = cli(&workspace);
    let run = cli.run(&["--timeout", "0.25", "endless:99999999"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.contains("took longer than the 250 ms"),
        "{}",
        run.stdout
    );
    for wrong in ["-1", "x", "inf", "1e300"] {
        let run = cli.run(&[&format!("--timeout={wrong}"), "endless"]);
        assert_eq!(run.code, Some(2), "{wrong}");
        let environment = cli
            .command()
            .env("OMNIREAD_TIMEOUT", wrong)
            .arg("endless")
            .output()
            .unwrap();
        assert_eq!(environment.status.code(), Some(2), "{wrong}");
    }
    let environment = cli
        .command()
        .env("OMNIREAD_TIMEOUT", "0.25")
        .arg("endless:99999999")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&environment.stdout);
    assert!(text.contains("took longer than the 250 ms"), "{text}");
}

#[test]
fn colours_are_for_terminals() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "alpha\n\u{1b}[31mred\n");
    let cli = cli(&workspace);
    let plain = cli.run(&["a.txt"]);
    assert!(!plain.stdout.contains("\u{1b}[32m"), "{}", plain.stdout);
    let forced = cli
        .command()
        .env("CLICOLOR_FORCE", "1")
        .arg("a.txt")
        .output();
    assert_eq!(
        String::from_utf8_lossy(&forced.unwrap().stdout),
        plain.stdout
    );
    let painted = cli.run(&["--color", "always", "a.txt", "a.txt"]).stdout;
    assert!(
        painted.contains("\u{1b}[32m1:\u{1b}[0malpha\n"),
        "{painted:?}"
    );
    // Those of the file are not obeyed.
    assert!(!painted.contains("\u{1b}[31m"), "{painted:?}");
    let raw = cli.run(&["--color", "always", "a.txt:raw"]).stdout;
    assert_eq!(raw, "alpha\n\u{1b}[31mred\n");
    assert_eq!(cli.run(&["--color", "never", "a.txt"]).stdout, plain.stdout);
}
