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
        String::from_utf8_lossy(&output.stderr)
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
        run.stderr.contains("exceeded the timeout of 250 ms"),
        "{}",
        run.stderr
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
            .stderr
            .contains("exceeded the timeout of 250 ms"),
        "{}",
        environment.stderr
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

#[test]
fn roots_of_the_environment_are_separated_as_in_path() {
    let workspace = Workspace::new();
    workspace
        .file("one/a.txt", "alpha\n")
        .file("two/b.txt", "beta\n")
        .file("here.txt", "here\n");
    let cli = cli(&workspace);
    let path = |name: &str| workspace.path().join(name);
    let roots = std::env::join_paths([path("one"), path("two")]).unwrap();
    let variables = [("OMNIREAD_ROOT", roots)];
    // Relative paths start in the first root.
    assert_eq!(run_in(&cli, &variables, &["a.txt:raw"]).stdout, "alpha\n");
    let other = path("two/b.txt:raw").display().to_string();
    assert_eq!(run_in(&cli, &variables, &[&other]).stdout, "beta\n");
    let outside = path("here.txt").display().to_string();
    assert_eq!(run_in(&cli, &variables, &[&outside]).code, Some(1));
    // An option replaces the variable.
    let run = run_in(&cli, &variables, &["--root", ".", "here.txt:raw"]);
    assert_eq!(run.stdout, "here\n", "{run:?}");
    // Empty parts are left out, and an empty variable is not set.
    let one = path("one").display().to_string();
    for (value, file) in [
        (format!(":{one}:"), "a.txt:raw"),
        (String::new(), "here.txt:raw"),
    ] {
        let run = run_in(&cli, &[("OMNIREAD_ROOT", value)], &[file]);
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    let run = run_in(&cli, &[("OMNIREAD_ROOT", "nowhere")], &["a.txt"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("cannot use `nowhere` as a root"),
        "{run:?}"
    );
}

/// A rule in the environment holds for every command, whatever rules the command adds.
#[test]
fn deny_rules_of_the_environment_and_of_options_apply() {
    let workspace = Workspace::new();
    workspace
        .file(".env", "secret\n")
        .file("a.pem", "key\n")
        .file("a.key", "key\n")
        .file("b.txt", "text\n");
    let cli = cli(&workspace);
    let variables = [("OMNIREAD_DENY", ".env:*.{pem,crt}")];
    for denied in [".env", "a.pem"] {
        let run = run_in(&cli, &variables, &["--deny", "*.key", denied]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stderr.contains("is denied by the rule"), "{run:?}");
    }
    assert_eq!(
        run_in(&cli, &variables, &["--deny", "*.key", "a.key"]).code,
        Some(1)
    );
    assert_eq!(run_in(&cli, &variables, &["a.key", "b.txt"]).code, Some(0));
    assert_eq!(
        run_in(&cli, &[("OMNIREAD_DENY", "")], &[".env"]).code,
        Some(0)
    );
    // Commas would make one rule of several, which denies nothing.
    let run = run_in(&cli, &[("OMNIREAD_DENY", ".env,*.pem")], &["b.txt"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("separate rules by `:`"), "{run:?}");
    let run = run_in(&cli, &[("OMNIREAD_DENY", "a{")], &["b.txt"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn grants_of_the_environment_are_separated_by_commas() {
    use omniread_tests::web::{Page, Site};
    let workspace = Workspace::new();
    let server = Site::new()
        .page("/a", Page::text("from a server\n"))
        .serve();
    let cli = cli(&workspace);
    let url = server.url("/a");
    let grants = format!("docs.example.com, {}", server.authority());
    let run = run_in(&cli, &[("OMNIREAD_ALLOW_NET", &grants)], &[&url]);
    assert!(run.stdout.contains("from a server"), "{run:?}");
    // An option replaces the variable.
    let arguments = ["--allow-net", "docs.example.com", &url];
    let run = run_in(&cli, &[("OMNIREAD_ALLOW_NET", &grants)], &arguments);
    assert_eq!(run.code, Some(1), "{run:?}");
    let run = run_in(&cli, &[("OMNIREAD_ALLOW_NET", "http://a.example")], &[&url]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("OMNIREAD_ALLOW_NET is"), "{run:?}");
}

#[test]
fn options_of_the_output_are_set_by_the_environment() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "alpha\n").file(
        "logo.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
    );
    let cli = cli(&workspace);
    let run = run_in(&cli, &[("OMNIREAD_COLOR", "always")], &["a.txt"]);
    assert!(run.stdout.contains("\u{1b}[32m1:"), "{run:?}");
    let run = run_in(
        &cli,
        &[("OMNIREAD_COLOR", "always")],
        &["--color", "never", "a.txt"],
    );
    assert!(!run.stdout.contains('\u{1b}'), "{run:?}");
    let saved = [("OMNIREAD_IMAGES", "save=out")];
    let run = run_in(&cli, &saved, &["logo.svg:img"]);
    assert!(run.stdout.contains("saved as out"), "{run:?}");
    let run = run_in(&cli, &saved, &["--images", "never", "logo.svg:img"]);
    assert!(!run.stdout.contains("saved as"), "{run:?}");
    for (name, value) in [
        ("OMNIREAD_COLOR", "sometimes"),
        ("OMNIREAD_IMAGES", "all"),
        ("OMNIREAD_QUIET", "maybe"),
    ] {
        let run = run_in(&cli, &[(name, value)], &["a.txt"]);
        assert_eq!(run.code, Some(2), "{run:?}");
        let message = format!("{name} is `{value}`; ");
        assert!(run.stderr.contains(&message), "{run:?}");
    }
    // An empty variable is not set.
    for name in [
        "OMNIREAD_COLOR",
        "OMNIREAD_IMAGES",
        "OMNIREAD_QUIET",
        "OMNIREAD_PASSWORD",
        "OMNIREAD_LIMIT",
    ] {
        let run = run_in(&cli, &[(name, "")], &["a.txt"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    }
    let run = run_in(&cli, &[("OMNIREAD_IMAGE_SIDE", "wide")], &["a.txt"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("`OMNIREAD_IMAGE_SIDE`"), "{run:?}");
}

#[test]
fn times_and_sizes_accept_units() {
    let workspace = Workspace::new();
    endless(&workspace);
    workspace.file("f", "x".repeat(3000));
    let cli = cli(&workspace);
    for time in ["250ms", "0.25s", ".25"] {
        let run = cli.run(&["--timeout", time, "endless:99999999"]);
        assert_eq!(run.code, Some(1), "{time}");
        assert!(
            run.stderr.contains("exceeded the timeout of 250 ms"),
            "{run:?}"
        );
    }
    let run = run_in(
        &cli,
        &[("OMNIREAD_TIMEOUT", "250ms")],
        &["endless:99999999"],
    );
    assert!(
        run.stderr.contains("exceeded the timeout of 250 ms"),
        "{run:?}"
    );
    for (size, code) in [
        ("2K", 1),
        ("2999", 1),
        ("3K", 0),
        ("3KiB", 0),
        ("1.5mb", 0),
        ("1G", 0),
    ] {
        let run = cli.run(&["--max-file-size", size, "f"]);
        assert_eq!(run.code, Some(code), "{size}: {run:?}");
    }
    for (option, value) in [
        ("--net-timeout", "20s"),
        ("--net-timeout", "1m30s"),
        ("--net-bytes", "10M"),
        ("--set", "reply-bytes=64K"),
        ("--set", "image-bytes=256KB"),
    ] {
        let run = cli.run(&[option, value, "f"]);
        assert_eq!(run.code, Some(0), "{option} {value}: {run:?}");
    }
    let variables = [("OMNIREAD_IMAGE_BYTES", "1M")];
    assert_eq!(run_in(&cli, &variables, &["f"]).code, Some(0));
    for (option, value) in [
        ("--timeout", "5 parsecs"),
        ("--net-timeout", "soon"),
        ("--max-file-size", "1X"),
        ("--max-file-size", "-1K"),
        ("--net-bytes", "lots"),
        ("--set", "reply-bytes=1K"),
        ("--set", "image-bytes=1G"),
    ] {
        let run = cli.run(&[&format!("{option}={value}"), "f"]);
        assert_eq!(run.code, Some(2), "{option} {value}: {run:?}");
        assert!(run.stderr.contains("such as"), "{option} {value}: {run:?}");
    }
    for (size, code) in [("64K", 0), ("1K", 2), ("9M", 2), ("4096", 0)] {
        let run = cli.run(&["mcp", "--max-reply", size]);
        assert_eq!(run.code, Some(code), "{size}: {run:?}");
    }
}

#[test]
fn search_for_skills_without_success_names_the_directories() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "alpha\n").directory("home");
    let home = workspace.path().join("home");
    let run = |arguments: &[&str]| run_in(&cli(&workspace), &[("HOME", &home)], arguments);
    let found = run(&["--mount", "skill=auto", "a.txt:raw"]);
    assert_eq!(found.stdout, "alpha\n");
    for directory in [".agents/skills", ".claude/skills", "home/.agents/skills"] {
        assert!(found.stderr.contains(directory), "{}", found.stderr);
    }
    workspace.file(
        "home/.agents/skills/a/SKILL.md",
        "---\ndescription: d\n---\n",
    );
    let found = run(&["--mount", "skill=auto", "skill://"]);
    assert_eq!(
        (found.stdout.as_str(), found.stderr.as_str()),
        ("a: d\n", "")
    );
}
