//! Colours of replies and messages, and the conventions that switch them on and off.

use super::pty::{Terminal, shown};
use super::{PLAIN, PROGRAM};
use omniread_tests::{Cli, Workspace, numbered};

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("a.txt", "alpha\n");
    workspace.file("t.csv", "name,n\nann,5\n");
    workspace.directory("src");
    let cell =
        r#"{"cell_type":"code","source":"1","metadata":{},"outputs":[],"execution_count":1}"#;
    let rest = r#""metadata":{},"nbformat":4,"nbformat_minor":5"#;
    workspace.file("a.ipynb", format!("{{\"cells\":[{cell}],{rest}}}"));
    workspace
}

/// The output of a run in a workspace, into a pipe.
fn piped(workspace: &Workspace, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = Cli::new(PROGRAM, workspace.path()).command();
    command.args(arguments).envs(environment.iter().copied());
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

#[test]
fn line_numbers_are_coloured_unless_disabled() {
    let number = "\u{1b}[32m1:\u{1b}[0malpha";
    assert!(shown(&workspace(), &["a.txt"], &[PLAIN]).contains(number));
    for environment in [
        &[PLAIN, ("NO_COLOR", "1")][..],
        &[("TERM", "dumb")],
        &[PLAIN, ("CLICOLOR", "0")],
    ] {
        let text = shown(&workspace(), &["a.txt"], environment);
        assert!(text.contains("1:alpha"), "{text:?}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
        // The option takes precedence over variables.
        let text = shown(&workspace(), &["--color=always", "a.txt"], environment);
        assert!(text.contains(number), "{text:?}");
    }
    let text = shown(&workspace(), &["--color=never", "a.txt"], &[PLAIN]);
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn pipe_is_coloured_only_if_that_is_forced() {
    for (arguments, environment, coloured) in [
        (&["a.txt"][..], &[PLAIN][..], false),
        (&["a.txt"], &[("CLICOLOR", "1")], false),
        (&["a.txt"], &[("CLICOLOR_FORCE", "1")], true),
        (&["a.txt"], &[("CLICOLOR_FORCE", "0")], false),
        (
            &["a.txt"],
            &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
            false,
        ),
        (
            &["a.txt"],
            &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")],
            true,
        ),
        (&["--color=always", "a.txt"], &[("NO_COLOR", "1")], true),
        (
            &["--color=never", "a.txt"],
            &[("CLICOLOR_FORCE", "1")],
            false,
        ),
    ] {
        let output = piped(&workspace(), arguments, environment);
        assert_eq!(output.contains('\u{1b}'), coloured, "{environment:?}");
    }
    // Only colours are added: nothing is aligned or cut.
    let forced = piped(&workspace(), &["t.csv:"], &[("CLICOLOR_FORCE", "1")]);
    let plain = piped(&workspace(), &["t.csv:"], &[]);
    assert_ne!(forced, plain);
    assert_eq!(without_colours(&forced), plain);
}

#[test]
fn exact_text_and_json_are_never_coloured() {
    let workspace = workspace();
    for arguments in [&["a.txt:raw"][..], &["--json", "a.txt"]] {
        let forced = piped(&workspace, arguments, &[("CLICOLOR_FORCE", "1")]);
        assert_eq!(forced, piped(&workspace, arguments, &[]));
        let text = shown(&workspace, arguments, &[PLAIN]);
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}

/// A text without the control sequences of colours.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('m').unwrap().1)
}

#[test]
fn errors_are_red() {
    for arguments in [
        &["--root", "nosuch", "a.txt"][..],
        &["--unknown-option", "a.txt"],
        &["a.txt", "nosuch.txt"],
        &["--set", "x=1", "a.txt"],
    ] {
        let text = shown(&workspace(), arguments, &[PLAIN]);
        assert!(text.contains("\u{1b}[31m"), "{arguments:?}: {text:?}");
        let text = shown(&workspace(), arguments, &[PLAIN, ("NO_COLOR", "1")]);
        assert!(!text.contains('\u{1b}'), "{arguments:?}: {text:?}");
    }
    // An escape sequence in an argument is not one of the program.
    let text = shown(&workspace(), &["--root", "a\u{1b}[2Jb", "a.txt"], &[PLAIN]);
    assert!(!text.contains("\u{1b}[2J"), "{text:?}");
}

#[test]
fn hints_and_notices_are_coloured() {
    let workspace = workspace();
    workspace.file("long.txt", numbered(400));
    let text = shown(&workspace, &["--paging=never", "long.txt"], &[PLAIN]);
    assert!(text.contains("\u{1b}[36m[Showing lines 1-"), "{text:?}");
    let text = shown(&workspace, &["/etc/hostname"], &[PLAIN]);
    assert!(text.contains("\u{1b}[36mhint:"), "{text:?}");
}

#[test]
fn tables_listings_and_other_dialects_are_coloured() {
    for (arguments, expected) in [
        (&["t.csv:"][..], "\u{1b}[1mname\u{1b}[0m"),
        (&["."], "\u{1b}[34msrc/\u{1b}[0m"),
        (
            &["--dialect=claude", "a.txt"],
            "\u{1b}[32m     1\u{1b}[0m\talpha",
        ),
        (
            &["--dialect=gateway", "a.ipynb:"],
            "\u{1b}[32m   1 |\u{1b}[0m # %% [code] cell:0",
        ),
        (
            &["--dialect=gateway", "a.txt"],
            "\u{1b}[32m   1 |\u{1b}[0m alpha",
        ),
    ] {
        let text = shown(&workspace(), arguments, &[PLAIN]);
        assert!(text.contains(expected), "{arguments:?}: {text:?}");
    }
    let arguments = ["--dialect=comma", "a.txt"];
    let text = shown(&workspace(), &arguments, &[PLAIN]);
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn line_numbers_are_aligned_on_a_terminal_only() {
    let workspace = Workspace::new();
    workspace.file("a.txt", numbered(101));
    let text = shown(
        &workspace,
        &["--paging=never", "a.txt"],
        &[("TERM", "dumb")],
    );
    for line in ["\n  1:line 1\n", "\n 10:line 10\n", "\n100:line 100\n"] {
        assert!(text.contains(line), "{text}");
    }
    let run = Cli::new(PROGRAM, workspace.path()).run(&["a.txt"]);
    assert!(run.stdout.contains("\n1:line 1\n"), "{}", run.stdout);
}

#[test]
fn control_characters_of_files_stay_inert() {
    let workspace = Workspace::new();
    let hostile = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m";
    workspace.file("a.txt", format!("{hostile}\n"));
    workspace.file("t.csv", format!("name,n\n{hostile},1\n"));
    workspace.file(
        "p.html",
        format!("<h1>{hostile}</h1><table><tr><th>a</th></tr><tr><td>{hostile}</td></tr></table>"),
    );
    for arguments in [
        &["a.txt"][..],
        &["a.txt:raw"],
        &["t.csv:"],
        &["p.html:"],
        &["--dialect=claude", "a.txt"],
        &["--paging=always", "a.txt:raw"],
        &["--json", "a.txt"],
    ] {
        let environment = [PLAIN, ("OMNIREAD_PAGER", "head -c 100000")];
        let terminal = Terminal::of(&workspace, arguments, &environment);
        let text = terminal.size(80, 24).run().text;
        assert!(!text.contains('\u{7}'), "{arguments:?}: {text:?}");
        assert!(!text.contains("\u{1b}[2J"), "{arguments:?}: {text:?}");
        assert!(!text.contains('\u{9b}'), "{arguments:?}: {text:?}");
    }
}
