//! PDF files: pages as units, the outline, dialects, damage.

mod damage;
mod deceptive;
mod encryption;
mod hostile;
mod images;
mod kept;
mod large;
mod paths;
mod streams;

use super::read;
use omniread::{Block, Dialect, Reason};
use omniread_tests::pack::zip;
use omniread_tests::pdf::Pdf;
use omniread_tests::{DIALECTS, Workspace, chain, raw_chain, text};

const MANUAL: &[u8] = include_bytes!("../../../../examples/manual.pdf");

/// A file of many pages. Each has a heading, and lines with the number of the page.
fn book(pages: usize) -> Vec<u8> {
    let mut pdf = Pdf::default();
    for page in 1..=pages {
        let lines: Vec<String> = (1..=20)
            .map(|line| format!("On page {page} this is the line with the number {line} of all."))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        pdf = pdf.page(&format!("Part {page}"), &lines);
    }
    pdf.build()
}

#[test]
fn pages_are_markdown() {
    let workspace = Workspace::new();
    workspace.file("manual.pdf", MANUAL);
    let session = workspace.session();
    let rendered = text(&session, "manual.pdf");
    for part in [
        "Title: The Lamp",
        "<!-- page 1 -->\n\n# The Lamp",
        "|Bulb|B-12|4.50 EUR|",
        "2. Wait until the bulb is cold.",
    ] {
        assert!(rendered.contains(part), "{part}: {rendered}");
    }
    // The foot of the pages is shown once.
    assert_eq!(rendered.matches("Lamp manual").count(), 1, "{rendered}");
    assert!(
        rendered.contains("unning heads, feet and page numbers are left out"),
        "{rendered}"
    );
    let second = text(&session, "manual.pdf:page:2");
    assert!(second.contains("|Shade|S-3|19.00 EUR|"), "{second}");
    assert!(!second.contains("# Care"), "{second}");
    let missing = session.read("manual.pdf:page:4").unwrap_err();
    assert!(matches!(missing.reason, Reason::InvalidSelector(_)));
}

#[test]
fn outline_leads_to_the_pages_of_a_long_file() {
    let workspace = Workspace::new();
    workspace.file("book.pdf", book(90));
    let session = workspace.session();
    let reply = session.read("book.pdf").expect("a reply");
    let rendered = reply.text();
    for part in [":page:1 Part 1\n", ":page:90 Part 90\n", "# Part 1\n"] {
        assert!(rendered.contains(part), "{part}: {rendered}");
    }
    let part = text(&session, "book.pdf:page:89-90");
    assert!(part.contains("# Part 89") && part.contains("# Part 90"));
    assert!(!part.contains("# Part 88"));
    // All pages of the reply together are the whole file, without repetition.
    let all: String = chain(&session, "book.pdf")
        .iter()
        .map(omniread::Reply::text)
        .collect();
    for page in 1..=90 {
        let last = format!("On page {page} this is the line with the number 20 of all.");
        assert_eq!(all.matches(&last).count(), 1, "{last}");
    }
}

#[test]
fn text_of_a_page_is_the_same_on_every_path() {
    let workspace = Workspace::new();
    workspace
        .file("book.pdf", book(12))
        .file("a.zip", zip(&[("book.pdf", &book(12))]));
    let session = workspace.session();
    let raw = |path: &str| raw_chain(&session, path);
    let whole = raw("book.pdf:raw");
    assert_eq!(raw("a.zip:book.pdf:raw"), whole);
    let mut joined = String::new();
    for page in 1..=12 {
        let alone = raw(&format!("book.pdf:page:{page}:raw"));
        assert_eq!(raw(&format!("a.zip:book.pdf:page:{page}:raw")), alone);
        joined.push_str(alone.trim_end());
        joined.push_str("\n\n");
    }
    assert_eq!(joined.trim_end(), whole.trim_end());
}

#[test]
fn dialects() {
    let workspace = Workspace::new();
    workspace.file("manual.pdf", MANUAL);
    let session = workspace.session();
    // Two steps: the bare path is the file, and these paths are text.
    let bare = read(&session, Dialect::Gateway, "manual.pdf");
    assert!(matches!(
        bare.blocks.as_slice(),
        [Block::Text(_), Block::Attachment(_)]
    ));
    for dialect in DIALECTS {
        for path in ["manual.pdf:", "manual.pdf:page:1"] {
            let rendered = read(&session, dialect, path).text();
            assert!(
                rendered.contains("It has a shade, a bulb and a cable"),
                "{dialect:?}: {path}: {rendered}"
            );
        }
    }
    for dialect in [Dialect::Gemini, Dialect::Claude, Dialect::Omp] {
        let rendered = read(&session, dialect, "manual.pdf").text();
        assert!(rendered.contains("# Care"), "{dialect:?}: {rendered}");
    }
}

#[test]
fn file_without_pages_is_an_answer() {
    let workspace = Workspace::new();
    workspace
        .file("empty.pdf", "%PDF-1.4\n%%EOF\n")
        .file("scan.pdf", Pdf::default().empty_page().build());
    let session = workspace.session();
    let rendered = text(&session, "empty.pdf");
    assert!(
        rendered.starts_with("[Cannot read .pdf file: "),
        "{rendered}"
    );
    assert!(rendered.contains("PDF document, 15B"), "{rendered}");
    let rendered = text(&session, "scan.pdf");
    assert!(
        rendered.contains("[On page 1, there is no text.]"),
        "{rendered}"
    );
}

#[test]
fn damaged_file_is_read_as_far_as_possible() {
    let whole = book(3);
    let workspace = Workspace::new();
    let session = workspace.session();
    for end in (0..whole.len()).step_by(397) {
        workspace.file("cut.pdf", &whole[..end]);
        let reply = session.read("cut.pdf").expect("an answer");
        assert!(!reply.text().is_empty(), "{end}");
    }
    // The table of positions is missing, but all pages are there.
    let end = whole.windows(4).rposition(|it| it == b"xref").expect("it");
    let end = whole[..end]
        .windows(5)
        .rposition(|it| it == b"xref\n")
        .unwrap_or(end);
    workspace.file("cut.pdf", &whole[..end]);
    let rendered = text(&session, "cut.pdf");
    for page in 1..=3 {
        assert!(rendered.contains(&format!("# Part {page}")), "{rendered}");
    }
}
