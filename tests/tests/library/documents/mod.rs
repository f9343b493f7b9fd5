//! Documents of office programs: paths, pages, images and replies, in every dialect.
//!
//! What the converted text contains is tested in the crate `omniread-documents`.

mod figures;
mod hostile;
mod mails;
mod pdf;
mod units;
mod workbooks;

use image::ImageFormat;
use omniread::{Dialect, Options, Reason, Reply, Session};
use omniread_tests::docx::Docx;
use omniread_tests::image::{drawing, encoded, shown};
use omniread_tests::pack::{gzip, tar, zip};
use omniread_tests::{Cli, DIALECTS, Workspace, chain, text};
use serde_json::{Value, json};

/// The number of numbered paragraphs of [`letter`]. A page has 300 lines.
const PARAGRAPHS: usize = 400;

/// A document with a heading, an image of 30 pixels, and numbered paragraphs.
fn letter() -> Vec<u8> {
    let png = encoded(drawing(30, 20), ImageFormat::Png);
    let start = Docx::default().heading("Dear reader").image("a chart", png);
    let numbered =
        (1..=PARAGRAPHS).fold(start, |docx, n| docx.paragraph(&format!("line-{n}-mark")));
    numbered.build()
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("letter.docx", letter());
    workspace
}

fn read(session: &Session, dialect: Dialect, path: &str) -> Reply {
    match session.read_as(path, dialect, &Options::default()) {
        Ok(reply) => reply,
        Err(failure) => panic!("{dialect:?}: {path}: {}", failure.message),
    }
}

#[test]
fn bare_path_has_facts_and_markdown() {
    let workspace = workspace();
    let session = workspace.session();
    let reply = read(&session, Dialect::Omp, "letter.docx");
    let rendered = reply.text();
    let start = "Title: The letter\nAuthor: Ada Example\n---\n# Dear reader\n\n\
                 ![a chart](letter.docx:image:1)\n\nline-1-mark\n";
    assert!(rendered.starts_with(start), "{rendered}");
    let document = reply.details.document().unwrap();
    assert_eq!(document.format, "Word document");
    let title = ("title".to_owned(), "The letter".to_owned());
    assert!(document.metadata.contains(&title));
    assert_eq!(reply.details.next.as_deref(), Some("letter.docx:301"));
    assert!(!rendered.contains('#') || !rendered.starts_with("[letter.docx#"));
}

/// All engines follow the symlinks that are followed for texts: absolute ones, and those into another root.
#[test]
#[cfg(unix)]
fn documents_are_read_through_symlinks_inside_the_roots() {
    let workspace = workspace();
    let other = Workspace::new();
    other.file("away.docx", letter());
    let root = workspace.path();
    workspace
        .file(
            "manual.pdf",
            include_bytes!("../../../../examples/manual.pdf"),
        )
        .file(
            "plan.xlsx",
            include_bytes!("../../../../examples/sales.xlsx"),
        )
        .link("letter", root.join("letter.docx"))
        .link("manual", root.join("manual.pdf"))
        .link("plan", root.join("plan.xlsx"))
        .link("away", other.path().join("away.docx"))
        .link("chain", "letter");
    let session = omniread_tests::builder()
        .root(&root)
        .root(other.path())
        .build()
        .unwrap()
        .session();
    for (path, part) in [
        ("letter", "Dear reader"),
        ("chain", "Dear reader"),
        ("away", "Dear reader"),
        ("manual", "The Lamp"),
        ("manual:page:2", "Shade"),
    ] {
        let shown = text(&session, path);
        assert!(shown.contains(part), "{path}: {shown}");
    }
    let shown = text(&session, "plan");
    assert!(!shown.contains("outside the roots"), "{shown}");
}

#[test]
fn pages_show_every_paragraph_once() {
    let workspace = workspace();
    let session = workspace.session();
    for path in ["letter.docx", "letter.docx:"] {
        let pages = chain(&session, path);
        assert!(pages.len() > 2, "{path}");
        let all: String = pages.iter().map(|page| page.text() + "\n").collect();
        for n in 1..=PARAGRAPHS {
            assert_eq!(
                all.matches(&format!("line-{n}-mark\n")).count(),
                1,
                "{path}: {n}"
            );
        }
        // Only the first page starts with the facts.
        assert_eq!(all.matches("Title: ").count(), 1, "{path}");
    }
}

#[test]
fn selectors_apply_to_the_markdown() {
    let workspace = workspace();
    let session = workspace.session();
    for (path, shows) in [
        ("letter.docx:5,7", "line-1-mark\n…\nline-2-mark"),
        ("letter.docx:-1", "line-400-mark"),
        ("letter.docx::5,7", "line-1-mark\n…\nline-2-mark"),
        ("letter.docx:5-7:raw", "line-1-mark\n\nline-2-mark"),
        ("letter.docx:5:9", "line-1-mark\n\nline-2-mark"),
    ] {
        let shown = text(&session, path);
        assert!(shown.starts_with(shows), "{path}: {shown}");
    }
    for path in [
        "letter.docx:page:2",
        "letter.docx:cell:1",
        "letter.docx:full",
    ] {
        let failure = session.read(path).unwrap_err();
        assert!(
            matches!(failure.reason, Reason::InvalidSelector(_)),
            "{path}"
        );
    }
}

#[test]
fn document_is_detected_by_content_not_by_name() {
    let workspace = workspace();
    workspace
        .file("letter", letter())
        .file("letter.zip", letter())
        .file("plain.docx", "only text\n")
        .file("other.docx", zip(&[("a.txt", b"a")]));
    let session = workspace.session();
    for name in ["letter", "letter.zip"] {
        assert!(text(&session, name).contains("line-1-mark"), "{name}");
    }
    let plain = text(&session, "plain.docx");
    assert!(plain.contains("1:only text"), "{plain}");
    let note = "the file is named like a Word document, but is not one";
    assert!(plain.contains(note), "{plain}");
    assert!(text(&session, "other.docx").starts_with("a.txt (1B)"));
}

#[test]
fn document_in_a_container_is_read_like_a_file() {
    let workspace = Workspace::new();
    let letter = letter();
    let members: &[(&str, &[u8])] = &[("in/letter.docx", &letter), ("a.txt", b"a\n")];
    workspace
        .file("x.zip", zip(members))
        .file("x.tar", tar(members))
        .file("x.tar.gz", gzip(&tar(members)))
        .file("letter.docx.gz", gzip(&letter));
    let session = workspace.session();
    for path in [
        "x.zip:in/letter.docx",
        "x.tar:in/letter.docx",
        "x.tar.gz:in/letter.docx",
        "letter.docx.gz",
    ] {
        let rendered = text(&session, path);
        let image = format!("![a chart]({path}:image:1)");
        assert!(rendered.contains(&image), "{path}: {rendered}");
        let lines = text(&session, &format!("{path}:5-7:raw"));
        assert!(lines.starts_with("line-1-mark\n\nline-2-mark"), "{path}");
        let image = read(&session, Dialect::Omp, &format!("{path}:image:1"));
        assert_eq!(
            shown(&image, &Options::default())[0].image.width(),
            30,
            "{path}"
        );
    }
    let listing = text(&session, "x.zip:in/");
    assert!(listing.starts_with("letter.docx ("), "{listing}");
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let run = cli.run_with(&["-:5-7"], &letter);
    assert!(run.stdout.contains("line-1-mark"), "{}", run.stdout);
}

#[test]
fn member_of_a_document_wins_over_a_selector() {
    let workspace = workspace();
    let session = workspace.session();
    for (path, shows) in [
        ("letter.docx:word/document.xml", "<w:document"),
        ("letter.docx:word", "document.xml ("),
        ("letter.docx:/", "[Content_Types].xml ("),
    ] {
        let rendered = text(&session, path);
        assert!(rendered.contains(shows), "{path}: {rendered}");
    }
    let missing = session.read("letter.docx:word/x.xml").unwrap_err();
    assert!(matches!(missing.reason, Reason::NotFound(_)));
}

#[test]
fn image_of_a_document_is_read_like_a_file() {
    let workspace = workspace();
    let session = workspace.session();
    for dialect in [Dialect::Omp, Dialect::Gateway, Dialect::Claude] {
        let reply = read(&session, dialect, "letter.docx:image:1");
        let shown = shown(&reply, &Options::default());
        assert_eq!(shown[0].image.width(), 30, "{dialect:?}");
        assert_eq!(reply.details.path, "letter.docx:image:1");
        assert_eq!(reply.details.kind.name(), "image");
    }
    let missing = session.read("letter.docx:image:2").unwrap_err();
    assert!(matches!(missing.reason, Reason::InvalidSelector(_)));
    assert_eq!(
        missing.message,
        "`letter.docx` is a Word document without `image:2`"
    );
    workspace
        .file("a.txt", "a\n")
        .file("x.zip", zip(&[("a", b"a")]));
    for path in ["a.txt:image:1", "x.zip:image:1", "letter.docx:image:0"] {
        let failure = session.read(path).unwrap_err();
        assert!(
            matches!(failure.reason, Reason::InvalidSelector(_)),
            "{path}"
        );
    }
    workspace.file("my letter: (1).docx", letter());
    let rendered = text(&session, "my letter: (1).docx");
    let path = rendered.split_once("![a chart](<").unwrap().1;
    let path = path.split_once(">)").unwrap().0;
    let image = read(&session, Dialect::Omp, path);
    assert_eq!(image.details.path, path);
    assert_eq!(image.details.kind.name(), "image");
}

#[test]
fn every_dialect_reads_the_converted_form() {
    let workspace = workspace();
    let session = workspace.session();
    for dialect in DIALECTS {
        let reply = read(&session, dialect, "letter.docx:");
        assert!(reply.text().contains("line-1-mark"), "{dialect:?}");
        assert_eq!(reply.details.kind.name(), "document", "{dialect:?}");
        assert_eq!(reply.details.path, "letter.docx");
        let lines = read(&session, dialect, "letter.docx:5-5");
        assert!(lines.text().contains("line-1-mark"), "{dialect:?}");
        assert!(!lines.text().contains("line-9-mark"), "{dialect:?}");
    }
}

#[test]
fn bare_path_is_text_or_binary_as_the_dialect_specifies() {
    let workspace = workspace();
    let session = workspace.session();
    let path = workspace.path().join("letter.docx");
    let path = path.to_str().unwrap();
    let call = |dialect, arguments: Value| {
        session.call(dialect, &arguments.to_string(), &Options::default())
    };
    for (dialect, arguments) in [
        (Dialect::Omp, json!({"path": "letter.docx"})),
        (Dialect::Gemini, json!({"absolute_path": path})),
        (Dialect::Claude, json!({"file_path": "letter.docx"})),
    ] {
        let reply = call(dialect, arguments).unwrap();
        assert!(reply.text().contains("line-1-mark"), "{dialect:?}");
    }
    let binary = call(Dialect::Gateway, json!({"filePath": path})).unwrap_err();
    assert!(
        binary.text.starts_with("Cannot read binary file: "),
        "{}",
        binary.text
    );
    let arguments = json!({"filePath": format!("{path}:"), "offset": 4, "limit": 1});
    let lines = call(Dialect::Gateway, arguments).unwrap();
    assert!(
        lines.text().contains(" | line-1-mark\n"),
        "{}",
        lines.text()
    );

    let binary = call(Dialect::Comma, json!({"path": "letter.docx"})).unwrap_err();
    let error: Value = serde_json::from_str(&binary.text).unwrap();
    assert_eq!(error["error"]["kind"], "binary_file", "{error}");
    let reply = call(
        Dialect::Comma,
        json!({"path": "letter.docx", "allowBinary": true}),
    )
    .unwrap();
    let bytes: Value = serde_json::from_str(&reply.text()).unwrap();
    assert_eq!(bytes["data"]["encoding"], "base64");
    let reply = call(
        Dialect::Comma,
        json!({"path": "letter.docx:", "startLine": 5, "endLine": 5}),
    );
    let lines: Value = serde_json::from_str(&reply.unwrap().text()).unwrap();
    assert_eq!(lines["data"]["content"], "line-1-mark\n");
    // The hash is that of the file, whatever is shown.
    assert_eq!(lines["data"]["sha256"], bytes["data"]["sha256"]);
}

#[test]
fn documents_are_not_editable() {
    let workspace = workspace();
    let session = workspace.session();
    let reply = read(&session, Dialect::Omp, "letter.docx:5-7");
    assert_eq!(reply.details.text().and_then(|text| text.tag.clone()), None);
    assert!(!reply.text().contains("5:line"), "{}", reply.text());
}
