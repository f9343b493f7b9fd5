//! Paths as users type them: fragments, wrong separators, names in another Unicode form, and cells of a
//! sheet.

use super::kinds::files;
use super::*;
use omniread_tests::pack::zip;
use omniread_tests::xlsx::{Value as Cell, Xlsx};

#[test]
fn fragment_selects_a_section_or_lines() {
    let workspace = Workspace::new();
    for (name, content) in files() {
        workspace.file(name, content);
    }
    workspace
        .file("c#1.html", "the file itself\n")
        .file("c", "another\n")
        .file("n20.txt#L3", "its own\n");
    let session = workspace.session();
    for dialect in DIALECTS {
        let text = |path: &str| match session.read_as(path, dialect, &Options::default()) {
            Ok(reply) => reply.text(),
            Err(failure) => panic!("{dialect:?} {path}: {}", failure.message),
        };
        assert_eq!(
            text("manual.html#use"),
            text("manual.html:#use"),
            "{dialect:?}"
        );
        assert!(
            text("x.zip:docs/a.html#top").contains("text"),
            "{dialect:?}"
        );
        assert_eq!(text("n20.txt#L2-L3"), text("n20.txt:2-3"), "{dialect:?}");
        assert_eq!(
            text("n20.txt#L5C1-L6C9"),
            text("n20.txt:5-6"),
            "{dialect:?}"
        );
        assert_eq!(text("main.rs#L1"), text("main.rs:1-1"), "{dialect:?}");
        let section = text("README.md#usage-1");
        assert!(
            section.contains("again") && !section.contains("run it"),
            "{dialect:?}: {section}"
        );
        assert!(text("README.md#usage").contains("run it"), "{dialect:?}");
        // A file with the name takes precedence.
        assert!(text("c#1.html").contains("the file itself"), "{dialect:?}");
        assert!(text("n20.txt#L3").contains("its own"), "{dialect:?}");
    }
    let section = session.read("README.md#usage").unwrap().text();
    assert!(
        section.contains("\n3:## Usage\n4:\n5:run it\n"),
        "{section}"
    );
    // The name before the fragment is repaired like any other.
    let repaired = session.read("readme.md#usage").unwrap().text();
    assert!(repaired.contains("run it"), "{repaired}");
    let failure = session.read("README.md#nope").unwrap_err();
    assert_eq!(failure.message, "`README.md` has no section `#nope`");
    assert_eq!(
        failure.hint.as_deref(),
        Some("it has the sections `#tool`, `#usage`, `#usage-1`")
    );
    let failure = session.read("missing.txt#L3").unwrap_err();
    assert_eq!(failure.message, "Path 'missing.txt#L3' not found");
}

#[test]
fn wrong_separator_is_repaired_or_named() {
    let workspace = Workspace::new();
    for (name, content) in files() {
        workspace.file(name, content);
    }
    let session = workspace.session();
    for (path, spelled) in [
        ("x.zip/many/one.log", "x.zip:many/one.log"),
        ("x.zip/many/one.log:1", "x.zip:many/one.log:1"),
        ("x.tar.gz/many/one.log", "x.tar.gz:many/one.log"),
        ("x.zip/many", "x.zip:many"),
        ("x.zip/inner.zip/x.txt", "x.zip:inner.zip:x.txt"),
        ("x.zip:inner.zip/x.txt", "x.zip:inner.zip:x.txt"),
        ("app.db/users", "app.db:users"),
        ("sales.xlsx/Sales", "sales.xlsx:Sales"),
        ("folder:a.txt", "folder/a.txt"),
    ] {
        let reply = session
            .read(path)
            .unwrap_or_else(|failure| panic!("{path}: {}", failure.message));
        let repaired = reply.details.suffix_resolution.expect("a repair");
        assert_eq!(
            (repaired.from.as_str(), repaired.to.as_str()),
            (path, spelled)
        );
        for dialect in DIALECTS
            .into_iter()
            .filter(|dialect| *dialect != Dialect::Omp)
        {
            let outcome = session.read_as(path, dialect, &Options::default());
            let Err(failure) = outcome else {
                panic!("{dialect:?} {path} is read");
            };
            // These dialects read no directories.
            if matches!(failure.reason, Reason::Directory(_)) {
                continue;
            }
            if session
                .read_as(spelled, dialect, &Options::default())
                .is_ok()
            {
                let Reason::NotFound(near) = failure.reason else {
                    panic!("{dialect:?} {path}: {}", failure.message);
                };
                assert_eq!(near, [spelled], "{dialect:?} {path}");
            }
        }
    }
    for path in [
        "n20.txt/x",
        "x.zip/nope",
        "nope.zip/x",
        "folder:nope",
        "x.zip:many/nope",
    ] {
        let failure = session.read(path).unwrap_err();
        assert!(
            matches!(failure.reason, Reason::NotFound(_)),
            "{path}: {:?}",
            failure.reason
        );
    }
}

#[test]
fn name_in_another_unicode_form_is_found() {
    let decomposed = "e\u{301}te\u{301}.txt";
    let composed = "\u{e9}t\u{e9}.txt";
    let archive = |name: &str| zip(&[(name, b"summer\n"), ("other.txt", b"x\n")]);
    let workspace = Workspace::new();
    workspace
        .file("nfd.zip", archive(decomposed))
        .file("nfc.zip", archive(composed))
        .file(&format!("nfd/{decomposed}"), "summer\n")
        .file(&format!("nfc/{composed}"), "summer\n");
    let session = workspace.session();
    for (place, stored, typed) in [
        ("nfd.zip:", decomposed, composed),
        ("nfc.zip:", composed, decomposed),
        ("nfd/", decomposed, composed),
        ("nfc/", composed, decomposed),
    ] {
        for selector in ["", ":1-1"] {
            let path = format!("{place}{typed}{selector}");
            let reply = session
                .read(&path)
                .unwrap_or_else(|failure| panic!("{path}: {}", failure.message));
            assert!(reply.text().contains("summer"), "{path}");
            let failure = session
                .read_as(&path, Dialect::Claude, &Options::default())
                .unwrap_err();
            let Reason::NotFound(near) = failure.reason else {
                panic!("{path}: {}", failure.message);
            };
            assert!(
                near[0].starts_with(&format!("{place}{stored}")),
                "{path}: {near:?}"
            );
        }
    }
}

#[test]
fn cells_follow_the_name_of_a_sheet() {
    let workspace = Workspace::new();
    let book = Xlsx::default()
        .sheet("Sales")
        .row(&[Cell::Text("a"), Cell::Text("b"), Cell::Text("c")])
        .row(&[Cell::Number(11.0), Cell::Number(12.0), Cell::Number(13.0)])
        .row(&[Cell::Number(21.0), Cell::Number(22.0), Cell::Number(23.0)])
        .sheet("Sales:B1:B2")
        .row(&[Cell::Text("the sheet itself")])
        .sheet("My data")
        .row(&[Cell::Text("x")])
        .row(&[Cell::Number(5.0)])
        .build();
    let only = Xlsx::default().sheet(" lead ");
    let only = only
        .row(&[Cell::Text("n")])
        .row(&[Cell::Number(7.0)])
        .build();
    workspace.file("b.xlsx", book).file("only.xlsx", only);
    let session = workspace.session();
    for dialect in DIALECTS {
        let text = |path: &str| match session.read_as(path, dialect, &Options::default()) {
            Ok(reply) => reply.text(),
            Err(failure) => panic!("{dialect:?} {path}: {}", failure.message),
        };
        let range = text("b.xlsx:Sales?range=B2:C3");
        for cells in ["B2:C3", "b2:c3", "$B$2:$C$3", "B2-C3", "B2..C3"] {
            assert_eq!(
                text(&format!("b.xlsx:Sales:{cells}")),
                range,
                "{dialect:?} {cells}"
            );
        }
        assert_eq!(text("b.xlsx:Sales!B2:C3"), range, "{dialect:?}");
        assert_eq!(text("b.xlsx:'Sales'!$B$2:$C$3"), range, "{dialect:?}");
        assert_eq!(text("b.xlsx:Sales:B2"), text("b.xlsx:Sales?range=B2"));
        assert_eq!(text("b.xlsx:Sales:B:B"), text("b.xlsx:Sales?range=B:B"));
        assert_eq!(text("b.xlsx:'My data'!A2"), text("b.xlsx:My data?range=A2"));
        assert_eq!(
            text("b.xlsx:Sales:A1:B3?formulas=on"),
            text("b.xlsx:Sales?range=A1:B3&formulas=on")
        );
        // A sheet with the name takes precedence, and rows are selected as before.
        assert!(
            text("b.xlsx:Sales:B1:B2").contains("the sheet itself"),
            "{dialect:?}"
        );
        assert!(!text("b.xlsx:Sales:3-3").contains("|11"), "{dialect:?}");
        // The only sheet needs no name, and spaces around a name are not needed.
        for path in [
            "only.xlsx:A2",
            "only.xlsx:lead",
            "only.xlsx: lead ",
            "only.xlsx:LEAD:A1:A2",
        ] {
            assert!(text(path).contains('7'), "{dialect:?} {path}");
        }
    }
}
