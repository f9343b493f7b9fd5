//! Long output is shown by a pager, on terminals only.

use super::pty::{Shown, Terminal, has_setsid};
use super::{PLAIN, PROGRAM};
use omniread_tests::image::{drawing, encoded};
use omniread_tests::{Cli, Workspace, numbered};
use std::io::Write as _;
use std::process::Command;

/// A pager that marks its output.
const PAGER: (&str, &str) = (
    "PAGER",
    "sh -c 'echo \"<pager $LESS>\"; cat; echo \"</pager>\"'",
);

/// What the pager writes first, if the user has set no options of `less`.
const BEGIN: &str = "<pager FRX>\n";

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("long.txt", numbered(100));
    workspace.file("short.txt", numbered(3));
    workspace
}

fn run(arguments: &[&str], environment: &[(&str, &str)]) -> Shown {
    let workspace = workspace();
    let terminal = Terminal::of(&workspace, arguments, environment);
    let terminal = terminal.size(80, 24);
    // The workspace must exist until the command ends.
    terminal.run()
}

#[test]
fn long_output_is_paged_and_short_output_is_not() {
    let path = ("PATH", "/usr/bin:/bin");
    for (arguments, paged) in [
        (&["long.txt"][..], true),
        (&["short.txt"], false),
        (&["long.txt:raw"], true),
        (&["short.txt", "short.txt"], false),
        (&["short.txt", "long.txt"], true),
        (&["--dialect=claude", "long.txt"], true),
        (&["call", "claude", r#"{"file_path": "long.txt"}"#], true),
        (&["--paging=auto", "long.txt"], true),
        (&["--paging=never", "long.txt"], false),
        (&["--paging=always", "short.txt"], true),
        (&["--json", "long.txt"], false),
        (&["--paging=always", "--json", "short.txt"], false),
        (&["tools"], false),
        (&["--man"], false),
    ] {
        let shown = run(arguments, &[PLAIN, PAGER, path]);
        assert_eq!(
            shown.text.contains(BEGIN),
            paged,
            "{arguments:?}: {}",
            shown.text
        );
        assert_eq!(shown.text.ends_with("</pager>\n"), paged, "{arguments:?}");
        assert_eq!(shown.code, Some(0), "{arguments:?}");
        if arguments == ["long.txt"] {
            assert!(
                shown.text.contains("\u{1b}[32m100:\u{1b}[0mline 100"),
                "{}",
                shown.text
            );
        }
    }
}

#[test]
fn output_is_as_long_as_the_terminal_shows_it() {
    let workspace = Workspace::new();
    workspace.file("lines.txt", "x\n".repeat(20));
    workspace.file("wraps.txt", format!("{}\n", "x ".repeat(400)));
    let environment = [PLAIN, PAGER, ("PATH", "/usr/bin:/bin")];
    for (name, columns, lines, paged) in [
        ("lines.txt", 80, 24, false),
        ("lines.txt", 80, 22, false),
        ("lines.txt", 80, 21, true),
        ("wraps.txt", 80, 24, false),
        ("wraps.txt", 30, 24, true),
        // The terminal reports no size.
        ("lines.txt", 0, 0, false),
    ] {
        let terminal = Terminal::of(&workspace, &[name], &environment);
        let text = terminal.size(columns, lines).run().text;
        assert_eq!(
            text.contains(BEGIN),
            paged,
            "{name} {columns}x{lines}: {text}"
        );
    }
}

#[test]
fn pager_does_not_inherit_secrets() {
    let path = ("PATH", "/usr/bin:/bin");
    let own = ("OMNIREAD_PAGER", "sh -c 'cat >/dev/null; env'");
    let secrets = [
        ("OMNIREAD_PASSWORD", "secret-4711"),
        ("OMNIREAD_MCP_TOKEN", "secret-4712"),
    ];
    let environment = [PLAIN, own, path, secrets[0], secrets[1]];
    let shown = run(&["long.txt"], &environment).text;
    assert!(shown.contains("OMNIREAD_PAGER="), "{shown}");
    assert!(!shown.contains("secret-47"), "{shown}");
}

#[test]
fn variables_name_the_pager_or_switch_it_off() {
    let path = ("PATH", "/usr/bin:/bin");
    let own = ("OMNIREAD_PAGER", "sed 's/^/own> /'");
    for (environment, expected) in [
        (&[PLAIN, PAGER, own, path][..], "own> \u{1b}[36m[long.txt#"),
        (&[PLAIN, PAGER, ("LESS", "-i"), path], "<pager -R -i>\n"),
        (
            &[PLAIN, PAGER, ("OMNIREAD_PAGER", ""), path],
            "\u{1b}[36m[long.txt#",
        ),
        (&[PLAIN, ("PAGER", "cat"), path], "\u{1b}[36m[long.txt#"),
        (
            &[PLAIN, ("PAGER", "/nonexistent/pager -x"), path],
            "\u{1b}[36m[long.txt#",
        ),
        (&[("TERM", "dumb"), PAGER, path], "[long.txt#"),
    ] {
        let shown = run(&["long.txt"], environment);
        assert!(
            shown.text.starts_with(expected),
            "{environment:?}: {:?}",
            shown.text
        );
        assert!(shown.text.contains("line 100"), "{environment:?}");
        assert_eq!(shown.code, Some(0));
        assert!(!shown.text.contains("warning"), "{:?}", shown.text);
    }
}

#[test]
fn pipe_is_never_paged() {
    let workspace = workspace();
    for arguments in [&["long.txt"][..], &["--paging=always", "long.txt"]] {
        let mut command = Cli::new(PROGRAM, workspace.path()).command();
        command.args(arguments).envs([PLAIN, PAGER, ("LINES", "5")]);
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert!(output.starts_with("[long.txt#"), "{output}");
    }
}

#[test]
fn pager_that_ends_early_ends_the_command() {
    let environment = [PLAIN, ("PAGER", "head -n 2"), ("PATH", "/usr/bin:/bin")];
    let workspace = Workspace::new();
    workspace.file("large.txt", numbered(200_000));
    let terminal = Terminal::of(&workspace, &["--all", "large.txt"], &environment);
    let shown = terminal.size(80, 24).run();
    assert_eq!(shown.text.lines().count(), 2, "{}", shown.text);
    assert_eq!(shown.code, Some(0));
}

/// A pager has the terminal, so messages are written to it too, in their place.
#[test]
fn pager_shows_messages_after_the_text_before_them() {
    let environment = [PLAIN, PAGER, ("PATH", "/usr/bin:/bin")];
    let shown = run(&["long.txt", "nosuch.txt", "short.txt"], &environment);
    let place = |part: &str| {
        let place = shown.text.find(part);
        place.unwrap_or_else(|| panic!("{part}: {}", shown.text))
    };
    assert!(place("line 100") < place("'nosuch.txt' not found"));
    assert!(place("'nosuch.txt' not found") < place("==> short.txt <=="));
    assert!(place("==> short.txt <==") < place("</pager>"));
    assert_eq!(shown.code, Some(1));
    // Without a pager, the order is the same.
    let shown = run(
        &["short.txt:raw", "nosuch.txt", "short.txt:raw"],
        &environment,
    );
    let parts: Vec<&str> = shown.text.split("not found").collect();
    assert_eq!(parts.len(), 2, "{}", shown.text);
    assert!(
        parts.iter().all(|part| part.contains("line 3")),
        "{}",
        shown.text
    );
}

/// A pager cannot show the images of a protocol, but characters.
#[test]
fn pager_shows_images_as_characters() {
    let workspace = workspace();
    workspace.file("a.png", encoded(drawing(16, 8), image::ImageFormat::Png));
    let environment = [("TERM", "xterm-kitty"), PAGER, ("PATH", "/usr/bin:/bin")];
    let terminal = Terminal::of(&workspace, &["long.txt", "a.png"], &environment);
    let text = terminal.size(80, 24).run().text;
    assert!(text.starts_with(BEGIN) && text.contains('▀'), "{text:?}");
    assert!(!text.contains("\u{1b}_G"), "{text:?}");
    // Without long text, the terminal shows the image itself.
    let terminal = Terminal::of(&workspace, &["short.txt", "a.png"], &environment);
    let text = terminal.size(80, 24).run().text;
    assert!(
        !text.contains(BEGIN) && text.contains("\u{1b}_G"),
        "{text:?}"
    );
    assert!(text.find("line 3").unwrap() < text.find("\u{1b}_G").unwrap());
}

/// Ctrl-C reaches the pager, which continues.
#[test]
fn interrupt_leaves_the_terminal_to_the_pager() {
    if !has_setsid() {
        return;
    }
    let workspace = workspace();
    // The pager asks for an interrupt until one arrives, and then for a line.
    let script = "trap 'echo interrupted; got=1' INT; cat >/dev/null; \
                  while [ -z \"$got\" ]; do echo ready; sleep 1; done; \
                  read answer </dev/tty; echo \"read $answer\"";
    let mut command = Command::new("setsid");
    command
        .current_dir(workspace.path())
        .envs([
            PLAIN,
            (
                "OMNIREAD_PAGER",
                &format!("bash -c '{}'", script.replace('\'', "'\\''")),
            ),
        ])
        // A job in the background of a shell ignores interrupts, and so do its children.
        .args([
            "--ctty",
            "--wait",
            "env",
            "--default-signal=INT",
            PROGRAM,
            "long.txt",
        ]);
    let (mut interrupts, mut is_answered) = (0, false);
    let terminal = Terminal::new(command)
        .size(80, 24)
        .answering(|all, terminal| {
            let text = String::from_utf8_lossy(all);
            let input = if text.contains("interrupted") {
                if is_answered {
                    return;
                }
                is_answered = true;
                "one\n"
            } else if text.matches("ready").count() > interrupts {
                interrupts += 1;
                "\u{3}"
            } else {
                return;
            };
            terminal.write_all(input.as_bytes()).expect("input");
        });
    let shown = terminal.run();
    assert!(shown.text.contains("interrupted"), "{}", shown.text);
    assert!(shown.text.contains("read one"), "{}", shown.text);
    assert_eq!(shown.code, Some(0));
}

/// The default pager, if it is installed: `q` ends it.
#[test]
fn less_shows_long_output() {
    let found = Command::new("less").arg("--version").output();
    if !has_setsid() || !found.is_ok_and(|output| output.status.success()) {
        return;
    }
    let workspace = workspace();
    let mut command = Command::new("setsid");
    command
        .current_dir(workspace.path())
        .envs([PLAIN])
        .env_remove("PAGER")
        .env_remove("OMNIREAD_PAGER")
        .env_remove("LESS")
        .args(["--ctty", "--wait", PROGRAM, "long.txt"]);
    let mut quit = false;
    let terminal = Terminal::new(command)
        .size(80, 24)
        .answering(|all, terminal| {
            let text = String::from_utf8_lossy(all);
            if !quit && text.contains("line 20") {
                quit = true;
                terminal.write_all(b"q").expect("a key");
            }
        });
    let shown = terminal.run();
    assert!(shown.text.contains("line 20"), "{:?}", shown.text);
    assert!(!shown.text.contains("line 99"), "{:?}", shown.text);
    assert_eq!(shown.code, Some(0));
}
