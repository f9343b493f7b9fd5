//! Images and colours on terminals. The tests use pseudoterminals.

#![cfg(unix)]
#![allow(missing_docs, reason = "a test")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::ImageFormat;
use omniread_tests::image::{CORNERS, corners, drawing, encoded};
use omniread_tests::web::{Page, Site};
use omniread_tests::{Cli, Workspace, numbered};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_omniread-under-test");

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("a.png", encoded(drawing(120, 80), ImageFormat::Png));
    workspace.file("b.webp", encoded(drawing(60, 40), ImageFormat::WebP));
    workspace
}

/// Runs a command on a pseudoterminal, and returns what it writes. The terminal replies `answer` to
/// a query of its attributes.
fn written(mut command: Command, answer: &[u8]) -> Vec<u8> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("ours");
    unlockpt(&master).expect("open");
    let name = ptsname(&master, Vec::new()).expect("its name");
    let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let open = || {
        File::options()
            .read(true)
            .write(true)
            .open(path)
            .expect("its other end")
    };
    command.stdin(open()).stdout(open()).stderr(open());
    let mut child = command.spawn().expect("the command line");
    // Closes our copies of the other end, so that only the child has it open.
    drop(command);
    let mut terminal = File::from(master);
    let mut all = Vec::new();
    let mut part = [0; 4096];
    // Reading fails as soon as no process has the other end open.
    while let Ok(count @ 1..) = terminal.read(&mut part) {
        let part = &part[..count];
        if part.windows(3).any(|bytes| bytes == b"\x1b[c") {
            terminal.write_all(answer).expect("an answer");
        }
        all.extend_from_slice(part);
    }
    assert!(child.wait().expect("its end").success());
    all
}

fn shown(arguments: &[&str], environment: &[(&str, &str)]) -> Vec<u8> {
    let workspace = workspace();
    let mut command = Cli::new(PROGRAM, workspace.path()).command();
    command.args(arguments).envs(environment.iter().copied());
    written(command, b"")
}

fn is_drawing(base64: &[u8]) {
    let image = image::load_from_memory(&STANDARD.decode(base64).expect("base64"));
    assert_eq!(corners(&image.expect("an image")), CORNERS);
}

/// The progress of a request is shown after a second, and removed before the reply.
#[test]
fn progress_of_a_request_is_shown_and_removed() {
    let text = numbered(100);
    let page = Page::text(&text).slow_body(text.len().div_ceil(10), Duration::from_millis(250));
    let server = Site::new().page("/a.txt", page).serve();
    let workspace = Workspace::new();
    let mut command = Cli::new(PROGRAM, workspace.path()).command();
    command.args(["--allow-net", &server.authority(), &server.url("/a.txt")]);
    let all = String::from_utf8(written(command, b"")).unwrap();
    let (progress, reply) = all.split_once("URL: ").expect("a reply");
    assert!(progress.contains("0.0 of 0.0 MB from 127.0.0.1"), "{all}");
    assert!(progress.ends_with("\r\x1b[K"), "{all}");
    assert!(
        reply.contains("line 100") && !reply.contains(" MB from "),
        "{all}"
    );
}

#[test]
fn kitty_receives_png_in_chunks() {
    for path in ["a.png", "b.webp"] {
        let out = shown(&["--images", "auto", path], &[("TERM", "xterm-kitty")]);
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("[Image '"), "{text}");
        let base64: String = text
            .split("\x1b_G")
            .skip(1)
            .map(|chunk| {
                let (command, _) = chunk.split_once("\x1b\\").expect("its end");
                command.split_once(';').expect("its payload").1
            })
            .collect();
        assert!(STANDARD.decode(&base64).unwrap().starts_with(b"\x89PNG"));
        is_drawing(base64.as_bytes());
    }
}

#[test]
fn iterm_receives_an_inline_file() {
    let environment = [("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")];
    let text = String::from_utf8(shown(&["--images=auto", "b.webp"], &environment)).unwrap();
    let (_, file) = text
        .split_once("\x1b]1337;File=inline=1;size=")
        .expect("a file");
    let (_, base64) = file.split_once(':').expect("its payload");
    is_drawing(base64.split('\x07').next().expect("its end").as_bytes());
}

/// If `TERM` does not name a terminal that is known to show images, the terminal is queried for its
/// attributes. They state whether it supports Sixel.
#[test]
fn sixels_are_written_if_the_terminal_supports_them() {
    let found = Command::new("setsid").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        // Only `setsid` can set the controlling terminal of a process here.
        return;
    }
    for (answer, drawn) in [
        (b"\x1b[?62;4;22c".as_slice(), true),
        (b"\x1b[?62;22c", false),
    ] {
        let workspace = workspace();
        let mut command = Command::new("setsid");
        command
            .current_dir(workspace.path())
            .env("TERM", "foot")
            .args(["--ctty", "--wait", PROGRAM, "--images", "auto", "a.png"]);
        let text = String::from_utf8(written(command, answer)).unwrap();
        assert_eq!(text.contains("\x1bP"), drawn, "{text:?}");
        assert_eq!(text.contains("[PNG image, "), !drawn, "{text:?}");
    }
}

/// A background job sends no query, because reading from the terminal would stop it.
#[test]
fn background_job_does_not_query_the_terminal() {
    let found = Command::new("setsid").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        return;
    }
    let workspace = workspace();
    let mut command = Command::new("setsid");
    let script = format!("set -m; '{PROGRAM}' --images auto a.png & wait $!");
    command
        .current_dir(workspace.path())
        .env("TERM", "foot")
        .args(["--ctty", "--wait", "bash", "-c", &script]);
    let text = String::from_utf8(written(command, b"")).unwrap();
    assert!(text.contains("[Image 'a.png'"), "{text:?}");
    assert!(!text.contains("\x1b[c"), "{text:?}");
}

#[test]
fn images_are_written_only_on_request_and_to_a_terminal() {
    let kitty = [("TERM", "xterm-kitty")];
    for arguments in [&["a.png"][..], &["--images=never", "a.png"]] {
        let text = String::from_utf8(shown(arguments, &kitty)).unwrap();
        assert!(!text.contains('\x1b'), "{text}");
    }
    // A pipe gets no image, even if images are requested.
    let workspace = workspace();
    let mut command = Cli::new(PROGRAM, workspace.path()).command();
    command.args(["--images=auto", "a.png"]).envs(kitty);
    let output = command.output().unwrap();
    assert!(!output.stdout.contains(&0x1b));
}

#[test]
fn images_are_saved_under_unique_names() {
    let workspace = workspace();
    let cli = Cli::new(PROGRAM, workspace.path());
    let run = cli.run(&["--images", "save=out", "a.png", "a.png", "b.webp"]);
    assert_eq!(run.code, Some(0));
    for name in ["a.png", "a-2.png", "b.webp"] {
        assert!(
            run.stdout.contains(&format!("; saved as out/{name}]")),
            "{}",
            run.stdout
        );
        let saved = fs::read(workspace.path().join("out").join(name)).unwrap();
        let image = image::load_from_memory(&saved).unwrap();
        assert_eq!(corners(&image), CORNERS);
    }
    workspace.file("taken", "a file");
    let run = cli.run(&["--images", "save=taken", "a.png"]);
    assert_eq!(run.code, Some(0));
    assert!(
        run.stderr.contains("cannot save in `taken`"),
        "{}",
        run.stderr
    );
    assert!(
        run.stdout.contains("not saved; use --json]"),
        "{}",
        run.stdout
    );
    assert_eq!(cli.run(&["--images", "sometimes", "a.png"]).code, Some(2));
}

#[test]
fn line_numbers_are_coloured_unless_disabled() {
    let text = |environment: &[(&str, &str)]| {
        let workspace = Workspace::new();
        workspace.file("a.txt", "alpha\n");
        let mut command = Cli::new(PROGRAM, workspace.path()).command();
        command.arg("a.txt").envs(environment.iter().copied());
        String::from_utf8(written(command, b"")).unwrap()
    };
    let term = ("TERM", "xterm-256color");
    assert!(text(&[term]).contains("\u{1b}[32m1:\u{1b}[0malpha"));
    for environment in [&[term, ("NO_COLOR", "1")][..], &[("TERM", "dumb")]] {
        let text = text(environment);
        assert!(
            text.contains("1:alpha") && !text.contains('\u{1b}'),
            "{text:?}"
        );
    }
}
