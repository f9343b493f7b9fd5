//! Environment variables: options, the timeout, the working directory and colours.

use super::{cli, endless, run_in};
use omniread_tests::Workspace;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

#[test]
fn command_line_overrides_environment() {
    let workspace = Workspace::new();
    workspace.file("f", "1\n2\n3\n4\n5\n");
    let cli = cli(&workspace);
    let variables = [("OMNIREAD_LIMIT", "2"), ("OMNIREAD_HASHLINES", "off")];
    let run = |arguments: &[&str]| run_in(&cli, &variables, arguments).stdout;
    assert_eq!(
        run(&["f"]),
        "1\n2\n\n[Showing lines 1-2 of 5. Use :3 to continue]\n"
    );
    assert_eq!(run(&["--set", "limit=9", "f"]), "1\n2\n3\n4\n5\n");
    let wrong = run_in(&cli, &[("OMNIREAD_LIMIT", "many")], &["f"]);
    assert_eq!(wrong.code, Some(2));
    let dialect = run_in(&cli, &[("OMNIREAD_DIALECT", "claude")], &["f:2-2"]);
    assert!(dialect.stdout.contains("     2\t2\n"), "{}", dialect.stdout);
}

/// An absolute path may start with the value of `PWD`, even if that is a symlink to the working
/// directory.
#[test]
#[cfg(unix)]
fn working_directory_via_symlink_is_readable() {
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
fn unknown_environment_variable_is_a_warning() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "alpha\n");
    let cli = cli(&workspace);
    let variables = [
        ("OMNIREAD_LIMT", "5"),
        ("OMNIREAD_DIALECT", "claude"),
        ("OMNIREAD_TEST_CORPUS", "corpus"),
    ];
    let run = run_in(&cli, &variables, &["a.txt:raw"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(
        run.stderr,
        "omniread: warning: the environment variable `OMNIREAD_LIMT` is not an option; `omniread --help` lists them\n"
    );
    let not_utf8 = OsStr::from_bytes(b"\xff");
    let run = run_in(&cli, &[("OMNIREAD_LIMIT", not_utf8)], &["a.txt:raw"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(
        run.stderr,
        "omniread: the environment variable `OMNIREAD_LIMIT` is not UTF-8\n"
    );
    let run = run_in(&cli, &[("OMNIREAD_OTHER", not_utf8)], &["a.txt:raw"]);
    assert_eq!(run.code, Some(0));
    assert!(
        run.stderr.contains("`OMNIREAD_OTHER` is not an option"),
        "{}",
        run.stderr
    );
}

#[test]
fn timeout_accepts_fractions_of_seconds() {
    let workspace = Workspace::new();
    endless(&workspace);
    let cli = cli(&workspace);
    let run = cli.run(&["--timeout", "0.25", "endless:99999999"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.contains("exceeded the timeout of 250 ms"),
        "{}",
        run.stdout
    );
    for wrong in ["-1", "x", "inf", "1e300"] {
        let run = cli.run(&[&format!("--timeout={wrong}"), "endless"]);
        assert_eq!(run.code, Some(2), "{wrong}");
        let environment = run_in(&cli, &[("OMNIREAD_TIMEOUT", wrong)], &["endless"]);
        assert_eq!(environment.code, Some(2), "{wrong}");
    }
    let environment = run_in(&cli, &[("OMNIREAD_TIMEOUT", "0.25")], &["endless:99999999"]);
    assert!(
        environment
            .stdout
            .contains("exceeded the timeout of 250 ms"),
        "{}",
        environment.stdout
    );
}

#[test]
fn colours_require_a_terminal_or_a_flag() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "alpha\n\u{1b}[31mred\n");
    let cli = cli(&workspace);
    let plain = cli.run(&["a.txt"]);
    assert!(!plain.stdout.contains("\u{1b}[32m"), "{}", plain.stdout);
    let forced = run_in(&cli, &[("CLICOLOR_FORCE", "1")], &["a.txt"]);
    assert!(
        forced.stdout.contains("\u{1b}[32m1:\u{1b}[0malpha\n"),
        "{}",
        forced.stdout
    );
    let painted = cli.run(&["--color", "always", "a.txt", "a.txt"]).stdout;
    assert!(
        painted.contains("\u{1b}[32m1:\u{1b}[0malpha\n"),
        "{painted:?}"
    );
    // Colours in the file are escaped.
    assert!(!painted.contains("\u{1b}[31m"), "{painted:?}");
    let raw = cli.run(&["--color", "always", "a.txt:raw"]).stdout;
    assert_eq!(raw, "alpha\n\u{1b}[31mred\n");
    assert_eq!(cli.run(&["--color", "never", "a.txt"]).stdout, plain.stdout);
}
