//! Images on a terminal: by a protocol for images, or as characters.

use super::pty::{Terminal, attributes, has_setsid, shown};
use super::{PLAIN, PROGRAM};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::ImageFormat;
use omniread_tests::image::{CORNERS, clear_drawing, corners, drawing, encoded};
use omniread_tests::{Cli, Workspace};
use std::process::Command;

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("a.png", encoded(drawing(120, 80), ImageFormat::Png));
    workspace.file("b.webp", encoded(drawing(60, 40), ImageFormat::WebP));
    workspace
}

fn is_drawing(base64: &[u8]) {
    let image = image::load_from_memory(&STANDARD.decode(base64).expect("base64"));
    assert_eq!(corners(&image.expect("an image")), CORNERS);
}

#[test]
fn kitty_receives_png_in_chunks() {
    for arguments in [&["a.png"][..], &["--images", "auto", "b.webp"]] {
        let text = shown(&workspace(), arguments, &[("TERM", "xterm-kitty")]);
        assert!(text.contains("[Image '"), "{text}");
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
    let environment = [PLAIN, ("TERM_PROGRAM", "iTerm.app")];
    let text = shown(&workspace(), &["b.webp"], &environment);
    let (_, file) = text
        .split_once("\x1b]1337;File=inline=1;size=")
        .expect("a file");
    let (_, base64) = file.split_once(':').expect("its payload");
    is_drawing(base64.split('\x07').next().expect("its end").as_bytes());
}

/// If `TERM` does not name a terminal that is known to show images, the terminal is queried for its
/// attributes. They state whether it supports Sixel. If not, the image is drawn as characters.
#[test]
fn sixels_are_written_if_the_terminal_supports_them() {
    if !has_setsid() {
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
            .args(["--ctty", "--wait", PROGRAM, "a.png"]);
        let terminal = Terminal::new(command).answering(attributes(answer));
        let text = terminal.run().text;
        assert_eq!(text.contains("\x1bP"), drawn, "{text:?}");
        assert_eq!(text.contains('▀'), !drawn, "{text:?}");
    }
}

/// A background job sends no query, because reading from the terminal would stop it.
#[test]
fn background_job_does_not_query_the_terminal() {
    if !has_setsid() {
        return;
    }
    let workspace = workspace();
    let mut command = Command::new("setsid");
    let script = format!("set -m; '{PROGRAM}' a.png & wait $!");
    command
        .current_dir(workspace.path())
        .env("TERM", "foot")
        .args(["--ctty", "--wait", "bash", "-c", &script]);
    let text = Terminal::new(command).run().text;
    assert!(text.contains("[Image 'a.png'"), "{text:?}");
    assert!(!text.contains("\x1b[c"), "{text:?}");
}

/// The colours of the first and the last character in the rows of an image: of the pixel above, and
/// of that below.
fn colours_of_rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.contains('▀'));
    let colours = rows.map(|row| {
        let changes = row.split("\x1b[0;").skip(1);
        changes
            .map(|change| change.split('m').next().unwrap().to_owned())
            .collect()
    });
    colours.collect()
}

#[test]
fn terminal_without_images_gets_characters() {
    let workspace = Workspace::new();
    workspace.file("a.png", encoded(drawing(16, 8), ImageFormat::Png));
    let text = shown(&workspace, &["a.png"], &[PLAIN]);
    let rows = colours_of_rows(&text);
    assert_eq!(rows.len(), 4, "{text:?}");
    assert!(rows[0][0].starts_with("38;5;"), "{text:?}");
    let width = |row: &str| row.matches(['▀', '▄', ' ']).count();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains('▀')).collect();
    assert!(lines.iter().all(|line| width(line) == 16), "{text:?}");
    // A terminal with all colours gets them.
    let text = shown(&workspace, &["a.png"], &[PLAIN, ("COLORTERM", "truecolor")]);
    let rows = colours_of_rows(&text);
    let red = "38;2;230;20;20;48;2;230;20;20";
    let (blue, green) = (
        "38;2;20;20;230;48;2;20;20;230",
        "38;2;20;230;20;48;2;20;230;20",
    );
    assert_eq!(rows[0].first().map(String::as_str), Some(red), "{text:?}");
    assert_eq!(rows[0].last().map(String::as_str), Some(blue), "{text:?}");
    assert_eq!(rows[3].first().map(String::as_str), Some(green), "{text:?}");
}

#[test]
fn characters_of_an_image_fit_on_the_terminal() {
    let workspace = Workspace::new();
    for (name, width, height) in [("wide.png", 600, 100), ("high.png", 100, 600)] {
        workspace.file(name, encoded(drawing(width, height), ImageFormat::Png));
    }
    for (name, columns, lines, expected) in [
        ("wide.png", 60, 24, (60, 5)),
        ("high.png", 60, 24, (7, 22)),
        ("wide.png", 600, 24, (264, 22)),
    ] {
        let terminal = Terminal::of(&workspace, &["--paging=never", name], &[PLAIN]);
        let text = terminal.size(columns, lines).run().text;
        let rows: Vec<&str> = text.lines().filter(|line| line.contains('▀')).collect();
        let width = rows[0].matches('▀').count();
        assert_eq!((width, rows.len()), expected, "{name} {columns}");
    }
}

#[test]
fn transparent_pixels_have_the_colour_of_the_terminal() {
    let workspace = Workspace::new();
    workspace.file("a.png", encoded(clear_drawing(16, 8), ImageFormat::Png));
    let text = shown(&workspace, &["a.png"], &[PLAIN]);
    assert!(text.contains('▀'), "{text:?}");
    assert!(text.lines().any(|line| line.contains("  ")), "{text:?}");
}

#[test]
fn images_in_documents_are_shown_where_they_are() {
    let workspace = Workspace::new();
    let png = encoded(drawing(120, 80), ImageFormat::Png);
    let docx = omniread_tests::docx::Docx::default()
        .paragraph("Before the picture.")
        .image("a drawing", png)
        .paragraph("After the picture.")
        .build();
    workspace.file("a.docx", docx);
    let text = shown(&workspace, &["--paging=never", "a.docx"], &[PLAIN]);
    let place = |part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("{part}: {text:?}"))
    };
    assert!(place("Before") < place("▀") && place("▀") < place("After"));
}

#[test]
fn images_are_not_shown_without_colours_or_if_disabled() {
    for (arguments, environment, message) in [
        (
            &["a.png"][..],
            &[PLAIN, ("NO_COLOR", "1")][..],
            "not shown because colours are off: use --images save=DIR or --json]",
        ),
        (
            &["--color=never", "a.png"],
            &[PLAIN],
            "not shown because colours are off",
        ),
        (&["a.png"], &[("TERM", "dumb")], "not shown because"),
        (
            &["--images=never", "a.png"],
            &[("TERM", "xterm-kitty"), ("NO_COLOR", "1")],
            "not shown: use --images auto, --images save=DIR or --json]",
        ),
    ] {
        let text = shown(&workspace(), arguments, environment);
        assert!(text.contains(message), "{text}");
        assert!(!text.contains(['▀', '\x1b']), "{text}");
    }
}

/// A pipe gets the reply as a model does, even if images are requested.
#[test]
fn pipe_gets_no_image() {
    let workspace = workspace();
    for arguments in [&["a.png"][..], &["--images=auto", "a.png"]] {
        let mut command = Cli::new(PROGRAM, workspace.path()).command();
        command.args(arguments).env("TERM", "xterm-kitty");
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert!(!output.contains('\x1b'), "{output}");
        assert!(
            output.ends_with(", not printed: use --json or --images save=DIR]\n"),
            "{output}"
        );
    }
}
