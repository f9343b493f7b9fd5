//! Configuration files: their values apply below options and variables, and a workspace file only restricts.

use super::{cli, run_in};
use omniread_tests::Workspace;

#[test]
fn options_and_variables_precede_the_user_file() {
    let workspace = Workspace::new();
    let numbers: String = (1..=300).map(|n| format!("{n}\n")).collect();
    workspace
        .file("n.txt", numbers)
        .file("user.toml", "[options]\nlimit = 20\n");
    let cli = cli(&workspace);
    let page = |variables: &[(&str, &str)], arguments: &[&str]| {
        let run = run_in(
            &cli,
            variables,
            &[&["--config", "user.toml", "n.txt"], arguments].concat(),
        );
        let notice = run.stdout.lines().last().unwrap_or_default().to_owned();
        assert_eq!(run.stderr, "");
        notice
    };
    assert!(page(&[], &[]).contains("lines 1-20 "));
    assert!(page(&[("OMNIREAD_LIMIT", "30")], &[]).contains("lines 1-30 "));
    assert!(page(&[("OMNIREAD_LIMIT", "30")], &["--set", "limit=40"]).contains("lines 1-40 "));
    let shown = run_in(
        &cli,
        &[("OMNIREAD_LIMIT", "30")],
        &["--config", "user.toml", "config"],
    );
    assert!(
        shown.stdout.contains("limit = 30 # OMNIREAD_LIMIT"),
        "{}",
        shown.stdout
    );
}

#[test]
fn user_file_is_found_in_the_directory_for_configuration() {
    let workspace = Workspace::new();
    workspace
        .file("xdg/omniread/config.toml", "deny = [\"secret\"]\n")
        .file("secret", "text\n");
    let directory = workspace.path().join("xdg");
    let run = run_in(
        &cli(&workspace),
        &[("XDG_CONFIG_HOME", directory)],
        &["secret"],
    );
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("denied by the rule `secret`"),
        "{}",
        run.stderr
    );
}

/// A file in a root may be that of somebody else, so that it adds deny rules and lowers limits, and its
/// other entries are named.
#[test]
fn workspace_file_only_restricts() {
    let workspace = Workspace::new();
    let outside = Workspace::new();
    outside.file("a.txt", "outside\n");
    let numbers: String = (1..=300).map(|n| format!("{n}\n")).collect();
    let text = format!(
        "roots = [\"{}\"]\ndeny = [\"secret\"]\n[options]\nlimit = 50\nhashlines = false\n[mounts]\ndocs = \"{0}\"\n",
        outside.path().display()
    );
    workspace
        .file("n.txt", numbers)
        .file("secret", "text\n")
        .file("omniread.toml", text);
    let cli = cli(&workspace);
    let run = cli.run(&["n.txt"]);
    assert!(run.stdout.starts_with("[n.txt#"), "{}", run.stdout);
    assert!(run.stdout.contains("lines 1-50 "), "{}", run.stdout);
    for key in ["roots", "options.hashlines", "mounts.docs"] {
        assert!(
            run.stderr.contains(&format!("`{key}` is ignored")),
            "{}",
            run.stderr
        );
    }
    assert!(cli.run(&["secret"]).stderr.contains("denied by the rule"));
    let path = outside.path().join("a.txt").display().to_string();
    assert!(cli.run(&[&path]).stderr.contains("is outside the roots"));
    assert!(cli.run(&["docs://a.txt"]).stdout.is_empty());
    assert_eq!(cli.run(&["--quiet", "n.txt"]).stderr, "");
}

#[test]
fn mistakes_have_a_line_and_a_column() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "text\n")
        .file("bad.toml", "limts = 3\n[options]\nlimit = 99999\n");
    let run = cli(&workspace).run(&["--config", "bad.toml", "a.txt"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("bad.toml:1:1"), "{}", run.stderr);
    assert!(
        run.stderr.contains("bad.toml:3:9: `options.limit`"),
        "{}",
        run.stderr
    );
    let missing = cli(&workspace).run(&["--config", "none.toml", "a.txt"]);
    assert_eq!(missing.code, Some(2));
}

/// A rule for another workspace does not break the commands of this one.
#[test]
fn deny_rule_without_effect_is_left_out_with_a_warning() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "text\n")
        .file("b.txt", "text\n")
        .file(
            "user.toml",
            "deny = [\"/nowhere/at/all/../x\", \"~/elsewhere\", \"b.txt\"]\n",
        );
    let run = cli(&workspace).run(&["--config", "user.toml", "a.txt"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("text"));
    let denied = cli(&workspace).run(&["--config", "user.toml", "b.txt"]);
    assert_eq!(denied.code, Some(1));
}

#[test]
fn limit_that_a_workspace_file_lowers_is_named() {
    let workspace = Workspace::new();
    let numbers: String = (1..=300).map(|n| format!("{n}\n")).collect();
    workspace
        .file("n.txt", numbers)
        .file("user.toml", "[options]\nlimit = 100\n")
        .file("omniread.toml", "[options]\nlimit = 50\n");
    let cli = cli(&workspace);
    let lowered = |variables: &[(&str, &str)], arguments: &[&str], user: &str| {
        let run = run_in(&cli, variables, &[arguments, &["n.txt"]].concat());
        assert!(run.stdout.contains("lines 1-50 "), "{}", run.stdout);
        let warning = format!("{user}: `options.limit` is ignored: ");
        assert!(run.stderr.contains(&warning), "{}", run.stderr);
        let by = "omniread.toml:2 lowers 100 to 50";
        assert!(run.stderr.contains(by), "{}", run.stderr);
    };
    lowered(&[], &["--set", "limit=100"], "--set");
    lowered(&[("OMNIREAD_LIMIT", "100")], &[], "OMNIREAD_LIMIT");
    lowered(&[], &["--config", "user.toml"], "user.toml:2");
    assert_eq!(cli.run(&["n.txt"]).stderr, "");
}

/// The hint of a read that took too long names what helps.
#[test]
fn hint_for_a_timeout_of_a_workspace_file_names_the_file() {
    let workspace = Workspace::new();
    let numbers: String = (1..=200_000).map(|n| format!("{n},x\n")).collect();
    workspace
        .file("n.csv", numbers)
        .file("omniread.toml", "[limits]\ntimeout = \"1ms\"\n");
    let run = cli(&workspace).run(&["--timeout", "30", "n.csv?q=SELECT count(*) FROM n"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(
        run.stderr
            .contains("--timeout: `limits.timeout` is ignored"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("change the limit in `"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("with `--timeout`"), "{}", run.stderr);
}

#[test]
fn workspace_file_that_the_user_names_is_trusted() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "text\n").file(
        "omniread.toml",
        "dialect = \"claude\"\n[options]\nhashlines = false\n",
    );
    let cli = cli(&workspace);
    assert!(cli.run(&["a.txt"]).stderr.contains("`dialect` is ignored"));
    for path in [
        "omniread.toml".to_owned(),
        workspace.path().join("omniread.toml").display().to_string(),
    ] {
        let run = cli.run(&["--config", &path, "a.txt"]);
        assert_eq!(run.stderr, "");
        assert_eq!(
            run.stdout,
            cli.run(&["--dialect", "claude", "a.txt"]).stdout
        );
    }
}

#[test]
fn schema_is_that_of_the_reference() {
    let workspace = Workspace::new();
    let run = cli(&workspace).run(&["config", "--schema"]);
    let file = omniread_tests::project().join("docs/reference/omniread.schema.json");
    assert_eq!(
        run.stdout.trim_end(),
        std::fs::read_to_string(file).unwrap().trim_end()
    );
}
