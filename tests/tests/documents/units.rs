//! Slides, chapters and mails: each is read alone, and its text is the same on every path.

use super::read;
use omniread::{Dialect, Reason, Session};
use omniread_tests::{DIALECTS, Workspace, chain, text};

const DECK: &[u8] = include_bytes!("../../../examples/deck.pptx");
const NOVEL: &[u8] = include_bytes!("../../../examples/novel.epub");
const MAIL: &[u8] = include_bytes!("../../../examples/mail.eml");
const SALES: &[u8] = include_bytes!("../../../examples/sales.xlsx");

/// A mailbox with two mails. The first one has an attachment.
fn mailbox() -> Vec<u8> {
    let envelope = b"From ada@example.com Fri May  1 10:00:00 2026\n";
    let second = b"From: Carl <carl@example.com>\nSubject: Second\n\nmark-of-the-second\n";
    [envelope.as_slice(), MAIL, b"\n", envelope, second].concat()
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .file("deck.pptx", DECK)
        .file("novel.epub", NOVEL)
        .file("sales.xlsx", SALES)
        .file("box.mbox", mailbox());
    workspace
}

/// The exact text of a path, over all of its pages.
fn raw(session: &Session, path: &str) -> String {
    chain(session, path)
        .iter()
        .map(omniread::Reply::text)
        .collect()
}

#[test]
fn unit_is_read_alone() {
    let workspace = workspace();
    let session = workspace.session();
    for (path, shows, hides) in [
        ("deck.pptx:slide:2", "## Results", "The lamp"),
        ("deck.pptx:slide:3", "*Hidden slide*", "Results"),
        ("novel.epub:chapter:3", "# Chapter Three", "spring"),
        ("box.mbox:mail:2", "mark-of-the-second", "letter.docx"),
        ("sales.xlsx:sheet:2", "| North | 19.00% |", "Lamps"),
    ] {
        for dialect in DIALECTS {
            let rendered = read(&session, dialect, path).text();
            assert!(rendered.contains(shows), "{dialect:?}: {path}: {rendered}");
            assert!(!rendered.contains(hides), "{dialect:?}: {path}: {rendered}");
        }
    }
    let missing = session.read("deck.pptx:slide:4").unwrap_err();
    assert!(matches!(missing.reason, Reason::InvalidSelector(_)));
    assert!(
        missing
            .message
            .ends_with("has no slide:4: the last one is slide:3"),
        "{}",
        missing.message
    );
}

#[test]
fn text_of_a_unit_is_the_same_on_every_path() {
    let workspace = workspace();
    let session = workspace.session();
    for (file, unit, count) in [
        ("deck.pptx", "slide", 3),
        ("novel.epub", "chapter", 3),
        ("box.mbox", "mail", 2),
        ("sales.xlsx", "sheet", 2),
    ] {
        let whole = raw(&session, &format!("{file}::raw"));
        let units: Vec<String> = (1..=count)
            .map(|number| raw(&session, &format!("{file}:{unit}:{number}:raw")))
            .collect();
        assert_eq!(whole.trim_end(), units.join("").trim_end(), "{file}");
        let range = raw(&session, &format!("{file}:{unit}:1-{count}:raw"));
        assert_eq!(whole, range, "{file}");
        // A line has the same number on each path that counts from the start.
        let line = whole
            .lines()
            .position(|line| line == units[1].lines().next().unwrap());
        let line = line.unwrap() + 1;
        let by_line = raw(&session, &format!("{file}::{line}-{line}:raw"));
        assert_eq!(
            by_line.trim_end(),
            units[1].lines().next().unwrap(),
            "{file}"
        );
    }
}

#[test]
fn long_document_has_a_table_of_contents_in_omp() {
    let workspace = Workspace::new();
    let mail = |number: usize| {
        let body = "line\n".repeat(200);
        format!(
            "From a@b.c Fri May  1 10:00:00 2026\nFrom: a@b.c\nSubject: No {number}\n\n{body}\n"
        )
    };
    let mails: String = (1..=4).map(mail).collect();
    workspace.file("box.mbox", mails).file("deck.pptx", DECK);
    let session = workspace.session();
    let rendered = read(&session, Dialect::Omp, "box.mbox:").text();
    assert!(
        rendered.starts_with("Contents (mails; append one to `box.mbox`):\n:mail:1 No 1"),
        "{rendered}"
    );
    assert!(rendered.contains("\n:mail:4 No 4"), "{rendered}");
    let other = read(&session, Dialect::Claude, "box.mbox:").text();
    assert!(!other.contains("Contents ("), "{other}");
    // A short one fits on a page.
    assert!(!text(&session, "deck.pptx").contains("Contents ("));
}

#[test]
fn headings_of_a_long_document_have_their_lines() {
    let workspace = Workspace::new();
    let mut docx = omniread_tests::docx::Docx::default();
    for part in 1..=4 {
        docx = docx.heading(&format!("Part {part}"));
        for n in 1..=80 {
            docx = docx.paragraph(&format!("p{part}-{n}"));
        }
    }
    workspace.file("long.docx", docx.build());
    let session = workspace.session();
    let rendered = text(&session, "long.docx");
    let (_, entry) = rendered.split_once("\n:").unwrap();
    let (first, _) = entry.split_once(" Part 1\n").unwrap();
    assert_eq!(first, "1", "{rendered}");
    let (before, _) = rendered.split_once(" Part 3\n").unwrap();
    let (_, line) = before.rsplit_once("\n:").unwrap();
    let shown = text(&session, &format!("long.docx:{line}-{line}"));
    assert!(shown.starts_with("# Part 3"), "{line}: {shown}");
}
