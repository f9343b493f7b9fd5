//! Hints, and the paths in the definition of a tool: each path in them reads, in every dialect, and
//! none is that of another kind of file.

use super::kinds::{DECK, MAIL, MANUAL, OF_KINDS, SUFFIXES, files, letter};
use super::*;
use omniread_tests::pack::zip;
use omniread_tests::xlsx::{Value as Cell, Xlsx};

/// The texts in backticks of a hint.
fn quoted(hint: &str) -> impl Iterator<Item = &str> {
    hint.split('`').skip(1).step_by(2)
}

/// The texts in backticks that a hint proposes. It only names the others, such as that of a path in
/// "`:x` is not a selector of `a.txt`".
fn proposed(hint: &str) -> Vec<&str> {
    let pieces: Vec<&str> = hint.split('`').collect();
    let texts = pieces.windows(3).step_by(2).filter_map(|window| {
        let [before, text, after] = window else {
            return None;
        };
        let is_named = before.ends_with("selector of ")
            || [" is ", " has "].iter().any(|verb| after.starts_with(verb));
        (!is_named).then_some(*text)
    });
    texts.collect()
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
                // The bare path, of which the selector is to be left out.
                let left_out = hint.contains("leave out `").then_some(file);
                for text in proposed(&hint).into_iter().chain(left_out) {
                    let path = match text.chars().next() {
                        _ if hint.contains(&format!("leave out `{text}`")) => continue,
                        _ if text == typed || text == *suffix => {
                            wrong.push(format!("{dialect:?} {typed}: leads back: {hint}"));
                            continue;
                        }
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
                    match session.read_as(&path, dialect, &options) {
                        Ok(_) => {}
                        // A part of a document that is an image, in a dialect without images.
                        Err(_)
                            if rest.contains("/media/")
                                && matches!(dialect, Dialect::Comma | Dialect::Codex) => {}
                        // What exists, in a dialect that reads no directories.
                        Err(_) if path == "folder" && hint.starts_with("similar names") => {}
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
        .file(
            "x.zip",
            zip(&[
                ("a.rs", numbered(100).as_bytes()),
                ("src/a.rs", numbered(100).as_bytes()),
            ]),
        )
        .file("app.db", include_bytes!("../../../../examples/app.db"))
        .file("x.csv", "a,b\n1,2\n")
        .file("logo.svg", include_bytes!("../../../../examples/chart.svg"))
        .file("a.ipynb", include_bytes!("../../../../examples/ages.ipynb"))
        .file("page.html", "<h1 id=install>Install</h1><p>text</p>")
        .file("feed.xml", include_bytes!("../../../../examples/news.xml"))
        .file("a.rs", numbered(100))
        .file("b.rs", numbered(100))
        .file("README.md", "# Tool\n\n## Usage\n\ntext\n")
        .file("a.png", omniread_tests::image::flat_png(8, 8, 8, 2, 24))
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
