//! Hints, and the paths in the definition of a tool: each path in them reads, in every dialect, and
//! none is that of another kind of file.

use super::*;
use omniread_tests::docx::Docx;
use omniread_tests::pack::{gzip, tar, zip};
use omniread_tests::xlsx::{Value as Cell, Xlsx};

const DECK: &[u8] = include_bytes!("../../../../examples/deck.pptx");
const MANUAL: &[u8] = include_bytes!("../../../../examples/manual.pdf");
const MAIL: &[u8] = include_bytes!("../../../../examples/mail.eml");

/// A mailbox of two mails.
const MAILBOX: &str = "From a@example.com Fri May  1 10:00:00 2026\nFrom: a@example.com\nSubject: One\n\nfirst\n\n\
                       From b@example.com Sat May  2 10:00:00 2026\nFrom: b@example.com\nSubject: Two\n\nsecond\n";

const USERS: &str = "{\n  \"users\": [\n    {\n      \"name\": \"ada\"\n    },\n    {\n      \"name\": \"bob\"\n    }\n  ],\n  \"version\": 3\n}\n";

/// A picture of a few pixels.
fn picture() -> Vec<u8> {
    flat_png(4, 4, 8, 2, 12)
}

fn letter() -> Vec<u8> {
    let start = Docx::default().heading("Terms").image("a chart", picture());
    start.paragraph("the text").build()
}

/// A file of each kind, with its name.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let rows = |book: Xlsx| {
        book.row(&[Cell::Text("Region"), Cell::Text("Total")])
            .row(&[Cell::Text("North"), Cell::Number(12.0)])
    };
    let members: &[(&str, &[u8])] = &[
        ("docs/a.html", b"<h1 id=top>Top</h1><p>text</p>"),
        ("many/one.log", b"1\n"),
        ("many/two.log", b"2\n"),
        ("inner.zip", &zip(&[("x.txt", b"x\n")])),
    ];
    vec![
        ("n20.txt", numbered(20).into_bytes()),
        ("users.json", USERS.as_bytes().to_vec()),
        ("line.json", b"{\"users\":[{\"name\":\"ada\"}]}".to_vec()),
        ("conf.yaml", b"server:\n  port: 80\n".to_vec()),
        (
            "main.rs",
            b"fn main() {\n}\n\n/// Parses.\nfn parse() {\n}\n".to_vec(),
        ),
        (
            "README.md",
            b"# Tool\n\n## Usage\n\nrun it\n\n## Usage\n\nagain\n".to_vec(),
        ),
        (
            "app.db",
            include_bytes!("../../../../examples/app.db").to_vec(),
        ),
        (
            "ages.ipynb",
            include_bytes!("../../../../examples/ages.ipynb").to_vec(),
        ),
        (
            "chart.svg",
            include_bytes!("../../../../examples/chart.svg").to_vec(),
        ),
        ("deck.pptx", DECK.to_vec()),
        ("letter.docx", letter()),
        (
            "plain.docx",
            Docx::default().paragraph("no picture").build(),
        ),
        ("mail.eml", MAIL.to_vec()),
        ("all.mbox", MAILBOX.as_bytes().to_vec()),
        (
            "manual.html",
            include_bytes!("../../../../examples/manual.html").to_vec(),
        ),
        ("manual.pdf", MANUAL.to_vec()),
        (
            "news.xml",
            include_bytes!("../../../../examples/news.xml").to_vec(),
        ),
        (
            "novel.epub",
            include_bytes!("../../../../examples/novel.epub").to_vec(),
        ),
        (
            "orders.csv",
            include_bytes!("../../../../examples/orders.csv").to_vec(),
        ),
        ("rows.jsonl", b"{\"a\":1}\n{\"a\":2}\n".to_vec()),
        (
            "sales.xlsx",
            include_bytes!("../../../../examples/sales.xlsx").to_vec(),
        ),
        ("one.xlsx", rows(Xlsx::default().sheet(" lead")).build()),
        ("photo.png", picture()),
        ("data.bin", (0..=255).collect()),
        ("x.zip", zip(members)),
        ("x.tar.gz", gzip(&tar(members))),
        ("one.log.gz", gzip(numbered(9).as_bytes())),
        ("folder/a.txt", b"a\n".to_vec()),
    ]
}

/// Suffixes that are wrong for most kinds of files.
const SUFFIXES: &[&str] = &[
    ":abc",
    ":users",
    ":users[1].name",
    ":users:",
    ":users:abc",
    ":server.port",
    ":parse",
    ":nope.xml",
    ":img",
    ":img:9",
    ":image:99",
    ":image",
    ":page:99",
    ":page:x",
    ":page:2",
    ":slide:99",
    ":slide:2",
    ":slide:x",
    ":chapter:99",
    ":chapter:x",
    ":cell:99",
    ":cell:x",
    ":mail:99",
    ":sheet:99",
    ":full",
    ":#nope",
    "#nope",
    "#L3",
    "#L2-L3",
    ":",
    "::5",
    ":10–20",
    ": 1-2,",
    ":lines 1-2",
    ":5-x",
    ":raw:raw",
    "?limit=5",
    "?q=",
    "?colour=red",
    "?formula=on",
    ":users?colour=red",
    ":users?formula=on",
    ":Sales:Region",
    ":Sales?formula=on",
    ":Sales?formulas=maybe",
    ":Sales?range=B4-",
    ":lead:Q",
    ":lead?formula=on",
    ":many/*",
    ":many/on?.log",
    "/one.log",
    "/many/one.log",
    ":a.txt",
    ":inner.zip/x.txt",
    ":docs/a.html#nope",
];

/// The selectors that only some kinds of files have, with the names of files that have them.
const OF_KINDS: &[(&str, &[&str])] = &[
    (":page:", &["manual.pdf"]),
    (":slide:", &["deck.pptx"]),
    (":chapter:", &["novel.epub"]),
    (":cell:", &["ages.ipynb"]),
    (":mail:", &["all.mbox"]),
    (
        ":image:",
        &["letter.docx", "manual.pdf", "deck.pptx", "novel.epub"],
    ),
    (":img", &["chart.svg", "manual.pdf"]),
    (
        "?",
        &[
            "app.db",
            "orders.csv",
            "rows.jsonl",
            "sales.xlsx",
            "one.xlsx",
        ],
    ),
    ("#", &["manual.html", "README.md", "x.zip", "x.tar.gz"]),
];

/// The texts in backticks of a hint.
fn quoted(hint: &str) -> impl Iterator<Item = &str> {
    hint.split('`').skip(1).step_by(2)
}

#[test]
fn paths_in_hints_read_and_are_those_of_the_kind() {
    let workspace = Workspace::new();
    let files = files();
    for (name, content) in &files {
        workspace.file(name, content);
    }
    let session = workspace.session();
    let options = Options::default();
    let mut wrong = Vec::new();
    let mut hints = 0;
    for dialect in DIALECTS {
        for (name, _) in &files {
            let file = name.strip_suffix("/a.txt").unwrap_or(name);
            for suffix in SUFFIXES {
                let typed = format!("{file}{suffix}");
                let Err(failure) = session.read_as(&typed, dialect, &options) else {
                    continue;
                };
                let hint = failure.hint.unwrap_or_default();
                for text in quoted(&hint) {
                    let path = match text.chars().next() {
                        // The hint names what was typed.
                        _ if text == typed || text == *suffix => continue,
                        Some('#') => {
                            let before = typed.split('#').next().unwrap_or_default();
                            format!("{}{text}", before.trim_end_matches(':'))
                        }
                        Some(':') => format!("{file}{text}"),
                        Some('?') if text.len() > 8 => format!("{file}{text}"),
                        _ if text.starts_with(file) => text.to_owned(),
                        _ => continue,
                    };
                    hints += 1;
                    let rest = path.strip_prefix(file).unwrap_or(&path);
                    for (selector, kinds) in OF_KINDS {
                        if rest.contains(selector) && !kinds.contains(&file) {
                            wrong.push(format!("{dialect:?} {typed}: another kind: {hint}"));
                        }
                    }
                    // Its own failure says more than the hint.
                    let is_bare = rest.is_empty();
                    match session.read_as(&path, dialect, &options) {
                        Ok(_) => {}
                        Err(_) if is_bare => {}
                        // A part of a document that is an image, in a dialect without images.
                        Err(_) if rest.contains("/media/") && dialect == Dialect::Comma => {}
                        Err(failure) => wrong.push(format!(
                            "{dialect:?} {typed}: `{path}` fails: {}\n  {hint}",
                            failure.message
                        )),
                    }
                }
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(
        wrong.is_empty(),
        "{} of {hints}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(hints > 1000, "{hints}");
}

#[test]
fn hint_of_a_file_is_short_and_names_its_selectors() {
    let workspace = Workspace::new();
    for (name, content) in files() {
        workspace.file(name, content);
    }
    let session = workspace.session();
    let hint = |path: &str| {
        let failure = session.read(path).unwrap_err();
        failure
            .hint
            .unwrap_or_else(|| panic!("{path}: {}", failure.message))
    };
    for (path, expected) in [
        ("users.json:users", "read `users` with `users.json:2-9`"),
        (
            "users.json:users[1].name",
            "read `users[1].name` with `users.json:7-7`",
        ),
        (
            "conf.yaml:server.port",
            "read `server.port` with `conf.yaml:2-2`",
        ),
        ("main.rs:parse", "read `parse` with `main.rs:4-6`"),
        ("n20.txt:lines 10-20", "use `n20.txt:10-20`"),
        ("deck.pptx:page:2", "use `deck.pptx:slide:2`"),
        (
            "manual.pdf:page:99",
            "count pages from 1; the last one is `manual.pdf:page:3`",
        ),
        (
            "plain.docx:image:1",
            "it has no images; read its text with `plain.docx:`",
        ),
        (
            "sales.xlsx:Sales?formula=on",
            "write `formulas=…`; a sheet takes range, formulas, limit, offset, order and where",
        ),
        (
            "x.zip:many/*",
            "`many/*` is a pattern; read one of its 2 matches: `x.zip:many/one.log`, `x.zip:many/two.log`",
        ),
    ] {
        assert_eq!(hint(path), expected, "{path}");
    }
    // In `omp`, a dash of another kind is repaired.
    assert!(
        session
            .read("n20.txt:10–20")
            .unwrap()
            .text()
            .contains("\n10:line 10\n")
    );
    let failure = session
        .read_as("n20.txt:10–20", Dialect::Claude, &Options::default())
        .unwrap_err();
    assert_eq!(failure.hint.as_deref(), Some("use `n20.txt:10-20`"));
    // A JSON file has lines and nothing else.
    let json = hint("users.json:nope");
    assert!(json.len() < 150, "{json}");
    for other in ["cell", "page", "slide", "chapter", "mail", "SQL", "img"] {
        assert!(!json.contains(other), "{json}");
    }
    let document = hint("letter.docx:nope.xml");
    for path in ["`letter.docx:`", "`letter.docx:/`"] {
        assert!(document.contains(path), "{document}");
    }
}

#[test]
fn image_of_a_document_has_two_words() {
    let workspace = Workspace::new();
    workspace
        .file("letter.docx", letter())
        .file(
            "x.zip",
            zip(&[("img:1", b"a member\n"), ("in/letter.docx", &letter())]),
        )
        .file("manual.pdf", MANUAL);
    let session = workspace.session();
    for path in ["letter.docx", "x.zip:in/letter.docx"] {
        let of = |selector: &str| session.read(format!("{path}:{selector}")).unwrap();
        let image = of("image:1");
        for selector in ["img:1", "IMG:1"] {
            let (found, image) = (
                format!("{:?}", of(selector).blocks),
                format!("{:?}", image.blocks),
            );
            assert!(found == image, "{path}:{selector}");
        }
    }
    let member = session.read("x.zip:img:1").unwrap().text();
    assert!(member.contains("a member"), "{member}");
    // The first page of this document as an image.
    let page = session.read("manual.pdf:page:1:img").unwrap();
    assert!(
        page.blocks
            .iter()
            .any(|block| matches!(block, Block::Image(_)))
    );
    let failure = session.read("letter.docx:img:2").unwrap_err();
    assert!(failure.hint.unwrap().contains("`letter.docx:image:1`"));
}

#[test]
fn number_after_a_document_with_units_is_explained() {
    let workspace = Workspace::new();
    workspace
        .file("deck.pptx", DECK)
        .file("manual.pdf", MANUAL)
        .file(
            "novel.epub",
            include_bytes!("../../../../examples/novel.epub"),
        )
        .file("letter.docx", letter());
    let session = workspace.session();
    for (path, note) in [
        (
            "manual.pdf:2",
            "`:2` selects lines; `manual.pdf:page:2` is page 2",
        ),
        (
            "manual.pdf:1-2",
            "`:1-2` selects lines; `manual.pdf:page:1-2` is pages 1 to 2",
        ),
        (
            "deck.pptx:2",
            "`:2` selects lines; `deck.pptx:slide:2` is slide 2",
        ),
        (
            "novel.epub:2",
            "`:2` selects lines; `novel.epub:chapter:2` is chapter 2",
        ),
    ] {
        let reply = session.read(path).unwrap();
        assert!(
            reply.details.notes.iter().any(|it| it == note),
            "{path}: {:?}",
            reply.details.notes
        );
        let named = quoted(note).last().unwrap();
        session.read(named).unwrap();
    }
    // There are no such units, or the lines are no number of a unit.
    for path in [
        "manual.pdf:99",
        "manual.pdf:1-99",
        "manual.pdf:-2",
        "manual.pdf:page:1:2",
        "letter.docx:2",
        "manual.pdf",
    ] {
        let reply = session.read(path).unwrap();
        let notes = &reply.details.notes;
        assert!(
            !notes.iter().any(|note| note.contains("selects lines")),
            "{path}: {notes:?}"
        );
    }
}

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
        assert!(!text("b.xlsx:Sales:3-3").contains("| 11"), "{dialect:?}");
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

#[test]
fn text_with_another_form_ends_with_one_notice() {
    let workspace = Workspace::new();
    for (name, content) in files() {
        workspace.file(name, content);
    }
    let long: String = "<p>line</p>\n".repeat(700);
    workspace.file(
        "long.html",
        format!("<!DOCTYPE html>\n<title>t</title>\n{long}"),
    );
    let session = workspace.session();
    for (path, notice) in [
        ("mail.eml", "[Use mail.eml: for the mail as text]"),
        ("all.mbox", "[Use all.mbox: for the list of its mails]"),
        ("manual.html", "[Use manual.html: for the page as Markdown]"),
        ("long.html", "[Use long.html: for the page as Markdown]"),
        ("news.xml", "[Use news.xml: for the feed as Markdown]"),
        ("orders.csv", "[Use orders.csv: for its rows as a table]"),
        ("rows.jsonl", "[Use rows.jsonl: for its rows as a table]"),
        (
            "x.zip:docs/a.html",
            "[Use x.zip:docs/a.html: for the page as Markdown]",
        ),
    ] {
        let text = session.read(path).unwrap().text();
        assert!(text.ends_with(notice), "{path}: {text}");
        assert_eq!(text.matches("[Use ").count(), 1, "{path}: {text}");
        let named = notice
            .trim_start_matches("[Use ")
            .split(" for ")
            .next()
            .unwrap();
        session.read(named).unwrap();
        for path in [
            format!("{path}:raw"),
            format!("{path}:2"),
            format!("{path}:1-2"),
            named.to_owned(),
        ] {
            let text = session.read(&path).unwrap().text();
            assert!(!text.contains("[Use "), "{path}: {text}");
        }
        for dialect in DIALECTS
            .into_iter()
            .filter(|dialect| *dialect != Dialect::Omp)
        {
            let reply = session.read_as(path, dialect, &Options::default());
            assert!(
                reply.is_ok_and(|reply| !reply.text().contains("[Use ")),
                "{dialect:?} {path}"
            );
        }
    }
    for path in ["n20.txt", "users.json", "README.md", "chart.svg", "main.rs"] {
        let text = session.read(path).unwrap().text();
        assert!(!text.contains("[Use "), "{path}: {text}");
    }
}

/// A model writes its first path after the examples of the definition.
#[test]
fn paths_in_the_definition_read() {
    let workspace = Workspace::new();
    let deck: &[&str] = &["text"];
    let deck = ["One", "Two", "Three"]
        .iter()
        .fold(omniread_tests::pptx::Pptx::default(), |pptx, title| {
            pptx.slide(title, deck)
        });
    let mut book = Xlsx::default().sheet("Sales");
    book = book.row(&[Cell::Text("Region"), Cell::Text("Total")]);
    for total in [8.0, 9.0, 10.0] {
        book = book.row(&[Cell::Text("x"), Cell::Number(total)]);
    }
    let mail = String::from_utf8(MAIL.to_vec()).unwrap();
    workspace
        .file("x.zip", zip(&[("src/a.rs", numbered(100).as_bytes())]))
        .file("app.db", include_bytes!("../../../../examples/app.db"))
        .file("x.csv", "a,b\n1,2\n")
        .file("logo.svg", include_bytes!("../../../../examples/chart.svg"))
        .file("a.ipynb", include_bytes!("../../../../examples/ages.ipynb"))
        .file("page.html", "<h1 id=install>Install</h1><p>text</p>")
        .file("feed.xml", include_bytes!("../../../../examples/news.xml"))
        .file("README.md", "# Tool\n\n## Usage\n\ntext\n")
        .file("a.pdf", MANUAL)
        .file("a.pptx", deck.build())
        .file("a.docx", letter())
        .file(
            "m.eml",
            mail.replace("filename=\"letter.docx\"", "filename=\"a.docx\""),
        )
        .file("b.xlsx", book.build());
    let reader = workspace.builder().build().unwrap();
    let session = reader.session();
    let definitions = reader.definitions().unwrap();
    let omp = definitions
        .iter()
        .find(|it| it.dialect == Dialect::Omp)
        .unwrap();
    let mut read = 0;
    for text in quoted(&omp.description) {
        let is_path = text.contains('.') && !text.contains("://") && !text.starts_with(':');
        if is_path {
            let path = text.replace('…', "1").replace(":42", ":2");
            let outcome = session.read(&path);
            assert!(outcome.is_ok(), "{path}: {}", outcome.unwrap_err().message);
            read += 1;
        }
    }
    assert!(read >= 20, "{read}: {}", omp.description);
}
