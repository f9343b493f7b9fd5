//! The files that `--images save=DIR` writes.

use super::PROGRAM;
use image::ImageFormat;
use omniread_tests::image::{CORNERS, corners, drawing, encoded};
use omniread_tests::{Cli, Workspace, pack, project};
use std::fs;

/// The names of the files that reads of these paths save, in the order of the replies.
fn saved(workspace: &Workspace, arguments: &[&str]) -> Vec<String> {
    let cli = Cli::new(PROGRAM, workspace.path());
    let run = cli.run(&[&["--images", "save=out"], arguments].concat());
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let names = run.stdout.lines().filter_map(|line| {
        let (_, name) = line.strip_suffix(']')?.split_once("; saved as out/")?;
        Some(name.to_owned())
    });
    names.collect()
}

#[test]
fn images_are_saved_under_unique_names() {
    let workspace = Workspace::new();
    workspace.file("a.png", encoded(drawing(120, 80), ImageFormat::Png));
    workspace.file("b.webp", encoded(drawing(60, 40), ImageFormat::WebP));
    let names = saved(&workspace, &["a.png", "a.png", "b.webp"]);
    assert_eq!(names, ["a.png", "a-2.png", "b.webp"]);
    for name in names {
        let saved = fs::read(workspace.path().join("out").join(name)).unwrap();
        let image = image::load_from_memory(&saved).unwrap();
        assert_eq!(corners(&image), CORNERS);
    }
    let cli = Cli::new(PROGRAM, workspace.path());
    workspace.file("taken", "a file");
    let run = cli.run(&["--images", "save=taken", "a.png"]);
    assert_eq!(run.code, Some(1));
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

/// The name is the path that reads the image: file, members, unit and number.
#[test]
fn names_of_saved_images_are_their_paths() {
    let workspace = Workspace::new();
    let example = |name: &str| fs::read(project().join("examples").join(name)).unwrap();
    for name in [
        "manual.pdf",
        "letter.docx",
        "ages.ipynb",
        "chart.svg",
        "deck.pptx",
    ] {
        workspace.file(name, example(name));
    }
    let png = encoded(drawing(40, 30), ImageFormat::Png);
    let docx = example("letter.docx");
    let members = [("photos/b.png", png.as_slice()), ("in/letter.docx", &docx)];
    workspace.file("a.zip", pack::zip(&members));
    for (arguments, expected) in [
        (&["manual.pdf:page:1:img"][..], &["manual-page-1"][..]),
        (
            &[
                "manual.pdf:page:1:img",
                "manual.pdf:page:2:img",
                "manual.pdf:page:1:img",
            ],
            &["manual-page-1", "manual-page-2", "manual-page-1-2"],
        ),
        (&["letter.docx:image:1"], &["letter-image-1"]),
        (&["letter.docx"], &["letter-image-1"]),
        (&["ages.ipynb:cell:2"], &["ages-cell-2"]),
        (&["chart.svg:img"], &["chart"]),
        (&["a.zip:photos/b.png"], &["a-b"]),
        (&["a.zip:in/letter.docx:image:1"], &["a-letter-image-1"]),
        (&["a.zip:in/letter.docx"], &["a-letter-image-1"]),
    ] {
        let _ = fs::remove_dir_all(workspace.path().join("out"));
        let names = saved(&workspace, arguments);
        let stems: Vec<&str> = names
            .iter()
            .map(|name| name.rsplit_once('.').unwrap().0)
            .collect();
        assert_eq!(stems, expected, "{arguments:?}");
        let count = fs::read_dir(workspace.path().join("out")).unwrap().count();
        assert_eq!(count, expected.len());
    }
}
