//! Slides, chapters and mails: each is read alone, and its text is the same on every path.

use super::read;
use omniread::{Dialect, Reason, Session};
use omniread_tests::pack::zip;
use omniread_tests::pptx::Pptx;
use omniread_tests::{DIALECTS, Workspace, chain, raw_chain, text};

const DECK: &[u8] = include_bytes!("../../../../examples/deck.pptx");
const NOVEL: &[u8] = include_bytes!("../../../../examples/novel.epub");
const MAIL: &[u8] = include_bytes!("../../../../examples/mail.eml");
const SALES: &[u8] = include_bytes!("../../../../examples/sales.xlsx");

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
        ("sales.xlsx:sheet:2", "|North|19.00%|", "Lamps"),
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

/// A book of chapters, each with this many paragraphs.
fn book(chapters: usize, paragraphs: usize) -> Vec<u8> {
    let container = "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\" version=\"1.0\">\
        <rootfiles><rootfile full-path=\"a.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>";
    let mut manifest = String::new();
    let mut spine = String::new();
    let mut parts = Vec::new();
    for chapter in 1..=chapters {
        manifest.push_str(&format!(
            "<item id=\"c{chapter}\" href=\"c{chapter}.xhtml\" media-type=\"application/xhtml+xml\"/>"
        ));
        spine.push_str(&format!("<itemref idref=\"c{chapter}\"/>"));
        let paragraphs: String = (1..=paragraphs)
            .map(|n| format!("<p>mark-{chapter}-{n}-end</p>"))
            .collect();
        let page = format!(
            "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><h1>No {chapter}</h1>{paragraphs}</body></html>"
        );
        parts.push((format!("c{chapter}.xhtml"), page));
    }
    let package = format!(
        "<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\"><manifest>{manifest}</manifest>\
         <spine>{spine}</spine></package>"
    );
    let mut members: Vec<(&str, &[u8])> = vec![
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("a.opf", package.as_bytes()),
    ];
    members.extend(
        parts
            .iter()
            .map(|(name, page)| (name.as_str(), page.as_bytes())),
    );
    zip(&members)
}

#[test]
fn pages_of_a_long_document_show_everything_once() {
    let workspace = Workspace::new();
    let deck = (1..=200).fold(Pptx::default(), |deck, slide| {
        let lines: Vec<String> = (1..=slide % 7)
            .map(|line| format!("mark-{slide}-{line}-end"))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        deck.slide(&format!("No {slide}"), &lines)
    });
    let mails: String = (1..=500)
        .map(|mail| {
            let lines: String = (1..=mail % 9)
                .map(|line| format!("mark-{mail}-{line}-end\n"))
                .collect();
            format!(
                "From a@b.c Fri May  1 10:00:00 2026\nFrom: a@b.c\nSubject: No {mail}\n\n{lines}\n"
            )
        })
        .collect();
    workspace
        .file("deck.pptx", deck.build())
        .file("box.mbox", mails)
        .file("book.epub", book(30, 45));
    let session = workspace.session();
    for (path, kind, count, marks) in [
        (
            "deck.pptx",
            "slide",
            200,
            (|unit| unit % 7) as fn(usize) -> usize,
        ),
        ("box.mbox:", "mail", 500, |unit| unit % 9),
        ("book.epub", "chapter", 30, |_| 45),
    ] {
        let pages = chain(&session, path);
        assert!(pages.len() > 3, "{path}");
        let text: Vec<String> = pages.iter().map(omniread::Reply::text).collect();
        let first = &text[0];
        assert!(first.contains(&format!("\n:{kind}:1 No 1")), "{first}");
        let listed = count.min(100);
        assert!(
            first.contains(&format!("\n:{kind}:{listed} No {listed}")),
            "{first}"
        );
        let more = format!("{} more", count - listed);
        assert_eq!(first.contains(&more), count > listed, "{first}");
        assert!(!text[1].contains("Contents ("), "{}", text[1]);
        let all = text.join("\n");
        for unit in 1..=count {
            for mark in 1..=marks(unit) {
                let mark = format!("mark-{unit}-{mark}-end");
                assert_eq!(all.matches(&mark).count(), 1, "{path}: {mark}");
            }
            let head = format!("# No {unit}\n");
            assert_eq!(all.matches(&head).count(), 1, "{path}: {head}");
        }
        // Nothing follows the last page, and the last unit is on it.
        let last = pages.last().unwrap();
        assert_eq!(last.details.next, None);
        let entry = read(
            &session,
            Dialect::Omp,
            &format!("{path}:{kind}:{count}").replace("::", ":"),
        );
        assert!(entry.text().contains(&format!("No {count}")), "{path}");
        let exact = raw_chain(&session, &format!("{}::raw", path.trim_end_matches(':')));
        let joined: String = (1..=count)
            .map(|unit| {
                raw(
                    &session,
                    &format!("{}:{kind}:{unit}:raw", path.trim_end_matches(':')),
                )
            })
            .collect();
        assert_eq!(exact.trim_end(), joined.trim_end(), "{path}");
    }
}
