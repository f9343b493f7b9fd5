//! Directories, patterns and archives that cannot be expanded as a whole, or whose names are unusual.

use super::{RECORDED, batch, paths, rows};
use omniread_tests::{Cli, Workspace};
use serde_json::Value;
use std::fs;

/// A tar with these members: a name, and either content or the target of a link.
fn tar(members: &[(&str, Result<&[u8], &str>)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_ustar();
        match content {
            Ok(bytes) => {
                header.set_size(bytes.len() as u64);
                tar.append_data(&mut header, name, *bytes).unwrap();
            }
            Err(target) => {
                header.set_entry_type(tar::EntryType::Symlink);
                header.set_size(0);
                tar.append_link(&mut header, name, target).unwrap();
            }
        }
    }
    tar.into_inner().unwrap()
}

/// The paths of rows, with the kinds of their errors.
fn outcomes(rows: &[Value]) -> Vec<(&str, &str)> {
    let kind = |row: &Value| {
        row["error"]["kind"].as_str().map_or("", |kind| match kind {
            "limit" => "limit",
            "not_found" => "not_found",
            "invalid_path" => "invalid_path",
            _ => "other",
        })
    };
    let outcome = |(row, path)| (path, kind(row));
    rows.iter().zip(paths(rows)).map(outcome).collect()
}

#[test]
fn links_and_names_like_those_of_a_listing_have_a_row_each() {
    let workspace = Workspace::new();
    workspace.file(
        "a.tar",
        tar(&[
            ("d/in.txt", Ok(b"in\n")),
            ("up", Err("./")),
            ("lnk", Err("d/")),
            ("n (link)", Ok(b"")),
            ("a -> b", Ok(b"")),
            ("x (6B)", Ok(b"")),
            ("two", Ok(b"12345\n")),
            ("two (6B)", Ok(b"")),
            ("z -> dir/z.txt", Ok(b"z\n")),
        ]),
    );
    let arguments = [&RECORDED[..], &["--members", "a.tar"]].concat();
    let run = batch(&workspace, &arguments, "");
    assert_eq!(run.code, Some(0), "{run:?}");
    let read = || fs::read_to_string(workspace.path().join("rows.jsonl")).unwrap();
    let before = read();
    let all = rows(&before);
    let mut found = paths(&all);
    found.sort_unstable();
    let mut expected = [
        "a -> b",
        "d/in.txt",
        "lnk",
        "n (link)",
        "two",
        "two (6B)",
        "up",
        "x (6B)",
        "z -> dir/z.txt",
    ]
    .map(|name| format!("a.tar:{name}"));
    expected.sort_unstable();
    assert_eq!(found, expected);
    // They are not read again under the other meaning of their line.
    let run = batch(&workspace, &arguments, "");
    assert_eq!((run.code, read()), (Some(0), before), "{run:?}");
}

#[test]
fn archives_in_too_many_archives_have_an_error() {
    let workspace = Workspace::new();
    let mut archive = tar(&[("end.txt", Ok(b"end\n"))]);
    for _ in 0..6 {
        archive = tar(&[("a.txt", Ok(b"a\n")), ("in.tar", Ok(&archive))]);
    }
    workspace.file("a.tar", archive).file("z.txt", "z\n");
    let run = batch(&workspace, &["--members", "a.tar", "z.txt"], "");
    assert_eq!(run.code, Some(1), "{run:?}");
    let rows = rows(&run.stdout);
    let failed: Vec<_> = rows.iter().filter(|row| row["ok"] == false).collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(rows.last().unwrap()["path"], "z.txt");
}

#[test]
fn directory_that_is_too_deep_has_an_error() {
    let workspace = Workspace::new();
    let deep = "d/".repeat(140);
    workspace
        .file("d/a.txt", "a\n")
        .file(&format!("{deep}deep.txt"), "deep\n");
    for arguments in [&["-r", "d"][..], &["d/**/*.txt"]] {
        let run = batch(&workspace, arguments, "");
        assert_eq!(run.code, Some(1), "{run:?}");
        let rows = rows(&run.stdout);
        let [(first, ""), (last, "limit")] = outcomes(&rows)[..] else {
            panic!("{run:?}");
        };
        assert_eq!(first, "d/a.txt");
        assert!(last.starts_with("d/d/d/"), "{last}");
    }
}

#[test]
fn directory_around_the_current_one_is_expanded() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "a\n")
        .file("sub/b.txt", "b\n")
        .file(".hidden/c.txt", "c\n");
    let below = workspace.path().join("sub");
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), &below);
    for (arguments, expected) in [
        (&["-r", ".."][..], &["../a.txt", "../sub/b.txt"][..]),
        (&["-r", "../sub/"], &["../sub/b.txt"]),
        (&["../*"], &["../a.txt"]),
        (&["../**/*.txt"], &["../a.txt", "../sub/b.txt"]),
        (&["../.*/*.txt"], &["../.hidden/c.txt"]),
    ] {
        let run = cli.run(&[&["batch", "--root", ".."], arguments].concat());
        assert_eq!(paths(&rows(&run.stdout)), expected, "{run:?}");
        assert_eq!(run.code, Some(0), "{run:?}");
    }
}

#[test]
#[cfg(unix)]
fn files_of_the_batch_are_left_out_under_every_name() {
    let workspace = Workspace::new();
    workspace
        .file("d/a.txt", "a\n")
        .link("d/alias.txt", "rows.txt");
    // Paths are relative to the root, and the names of the files to the current directory.
    let files = ["-o", "d/rows.txt", "--resume", "d/done.txt", "--root", "d"];
    for paths_of in [&["-r", "."][..], &["*.txt"]] {
        for file in ["d/rows.txt", "d/done.txt"] {
            let _ = fs::remove_file(workspace.path().join(file));
        }
        let run = batch(&workspace, &[&files[..], paths_of].concat(), "");
        assert_eq!(run.code, Some(0), "{run:?}");
        let written = fs::read_to_string(workspace.path().join("d/rows.txt")).unwrap();
        let rows = rows(&written);
        assert!(
            paths(&rows)[0].ends_with("a.txt") && rows.len() == 1,
            "{written}"
        );
    }
}

#[test]
fn pattern_without_a_meaning_has_an_error() {
    let workspace = Workspace::new();
    workspace.file("a.rs", "a\n").file("b:1.rs", "b\n");
    let run = batch(&workspace, &["*.[rs", "a.rs"], "");
    let all = rows(&run.stdout);
    assert_eq!(outcomes(&all), [("*.[rs", "invalid_path"), ("a.rs", "")]);
    assert!(run.stdout.contains("as a pattern: "), "{run:?}");
    // A name with a colon is not a selector.
    let run = batch(&workspace, &["*:1.rs", "*.rs:1"], "");
    assert_eq!(
        paths(&rows(&run.stdout)),
        ["b:1.rs", "a.rs:1", "b\\:1.rs:1"]
    );
}
