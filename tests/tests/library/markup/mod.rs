//! Web pages, feeds and XML: the converted form, in every dialect.
//!
//! What the converted text contains is tested in the crate `omniread-markup`. These tests are about
//! paths, pages and replies.

mod charsets;
mod forms;
mod hostile;

use omniread::{Dialect, Options, Reason, Reply, Session};
use omniread_tests::pack::{gzip, tar, zip};
use omniread_tests::{Cli, DIALECTS, Workspace, chain, raw_chain, text};
use serde_json::json;
use std::fmt::Write as _;

/// The number of paragraphs in each section of [`page`].
const PARAGRAPHS: usize = 250;

/// A web page with navigation and two sections. Each paragraph contains a mark of its own, such as
/// `use-7-mark`.
fn page() -> String {
    let mut html = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>The manual of the machine</title>\n\
         <meta name=\"author\" content=\"Ada Example\">\n\
         <meta name=\"description\" content=\"How to install and use the machine.\">\n\
         </head>\n<body>\n\
         <nav><ul><li><a href=\"/home\">navigation-mark</a></li><li><a href=\"/shop\">Shop</a></li></ul></nav>\n\
         <main><article>\n<h1>The manual of the machine</h1>\n",
    );
    for (id, heading) in [("install", "How to install it"), ("use", "How to use it")] {
        let _ = writeln!(html, "<h2 id=\"{id}\">{heading}</h2>");
        for n in 1..=PARAGRAPHS {
            let _ = writeln!(
                html,
                "<p>The paragraph {id}-{n}-mark of this manual explains, in plain words, one more \
                 step that a careful reader of the manual should follow.</p>"
            );
        }
    }
    html.push_str("</article></main>\n</body>\n</html>\n");
    html
}

const FEED: &str = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>The news</title>\
    <link>https://example.com/</link><description>What is new</description>\
    <item><title>The first item</title><link>https://example.com/1</link>\
    <description>Some words on it.</description></item></channel></rss>\n";

const XML: &str = "<?xml version=\"1.0\"?>\n<shop><item id=\"1\"><name>Lamp</name></item></shop>\n";

const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">\n  <path d=\"M0 0h9\"/>\n</svg>\n";

/// A workspace with a file of each format.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .file("page.html", page())
        .file("feed.xml", FEED)
        .file("x.xml", XML)
        .file("x.svg", SVG)
        .file("notes.txt", "a\nb\nc\n");
    workspace
}

fn read(session: &Session, dialect: Dialect, path: &str) -> Reply {
    match session.read_as(path, dialect, &Options::default()) {
        Ok(reply) => reply,
        Err(failure) => panic!("{path}: {}", failure.message),
    }
}

/// The message and the hint of a failed read, whose reason must be an invalid selector.
fn invalid(session: &Session, path: &str) -> (String, String) {
    let failure = session.read(path).unwrap_err();
    assert!(
        matches!(failure.reason, Reason::InvalidSelector(_)),
        "{path}: {:?}",
        failure.reason
    );
    (failure.message.clone(), failure.hint.unwrap_or_default())
}

/// The number of times that `mark` occurs in a text.
fn times(text: &str, mark: &str) -> usize {
    text.matches(mark).count()
}

#[test]
fn bare_path_of_markup_stays_text() {
    let workspace = workspace();
    let session = workspace.session();
    for dialect in DIALECTS {
        for name in ["page.html", "feed.xml", "x.xml"] {
            let reply = read(&session, dialect, &format!("{name}:1-2"));
            assert_eq!(reply.details.kind.name(), "text", "{dialect:?}: {name}");
            assert!(reply.text().contains('<'), "{dialect:?}: {name}");
        }
    }
    assert!(text(&session, "page.html:1-2").starts_with("[page.html#"));
}

#[test]
fn converted_form_exists_in_every_dialect() {
    let workspace = workspace();
    let session = workspace.session();
    for dialect in DIALECTS {
        for (name, format, word) in [
            ("page.html", "HTML page", "install-1-mark"),
            ("feed.xml", "RSS 2.0", "The first item"),
            ("x.xml", "XML document", "Lamp"),
            ("x.svg", "SVG image", "M0 0h9"),
        ] {
            let path = format!("{name}:");
            let reply = read(&session, dialect, &path);
            assert!(reply.text().contains(word), "{dialect:?}: {path}");
            assert_eq!(reply.details.kind.name(), "document", "{dialect:?}: {path}");
            let document = reply.details.document().unwrap();
            assert_eq!(document.format, format, "{dialect:?}: {path}");
            assert_eq!(reply.details.path, name);
        }
        let main = read(&session, dialect, "page.html:");
        assert!(!main.text().contains("navigation-mark"), "{dialect:?}");
        let full = read(&session, dialect, "page.html:FULL");
        assert!(full.text().contains("navigation-mark"), "{dialect:?}");
        let section = read(&session, dialect, "page.html:#use");
        assert!(section.text().contains("use-1-mark"), "{dialect:?}");
        assert!(!section.text().contains("install-1-mark"), "{dialect:?}");
    }
}

#[test]
fn pages_of_converted_text_show_every_line_once() {
    let workspace = workspace();
    let session = workspace.session();
    for (path, second, sections) in [
        ("page.html:", "page.html::301", &["install", "use"][..]),
        ("page.html:full", "page.html:full:301", &["install", "use"]),
        ("page.html:#use", "page.html:#use:301", &["use"]),
    ] {
        let pages = chain(&session, path);
        assert!(pages.len() > 1, "{path}");
        assert_eq!(pages[0].details.next.as_deref(), Some(second));
        let notice = second.split_once(':').unwrap().1;
        assert!(
            pages[0]
                .text()
                .contains(&format!("Use :{notice} to continue")),
            "{}",
            pages[0].text()
        );
        let all: String = pages.iter().map(Reply::text).collect();
        for section in sections {
            for n in 1..=PARAGRAPHS {
                assert_eq!(
                    times(&all, &format!("{section}-{n}-mark ")),
                    1,
                    "{path}: {n}"
                );
            }
        }
        // The exact text consists of the same lines.
        let exact = raw_chain(&session, &format!("{path}:raw"));
        let total = match pages[0].details.window.as_ref().unwrap().total {
            omniread::details::Total::Exact(total) => total,
            omniread::details::Total::AtLeast(least) => panic!("{path}: at least {least}"),
        };
        assert_eq!(exact.lines().count() as u64, total, "{path}");
        assert!(!exact.contains("---\n"), "{path}: exact text has no head");
    }
}

#[test]
fn lines_of_converted_text_have_no_context() {
    let workspace = workspace();
    let session = workspace.session();
    let exact = raw_chain(&session, "page.html::raw");
    let lines: Vec<&str> = exact.lines().collect();
    assert_eq!(text(&session, "page.html::10-12"), lines[9..12].join("\n"));
    let last = format!("{}\n\n[end of converted text (", lines[lines.len() - 1]);
    assert!(text(&session, "page.html::-1").starts_with(&last));
    let list = text(&session, "page.html::5,9");
    assert!(
        list.starts_with(&format!("{}\n…\n{}", lines[4], lines[8])),
        "{list}"
    );
    // A compiler prints a line and a column.
    assert!(text(&session, "page.html::10:7").starts_with(lines[9]));
    let total = lines.len();
    let past = text(&session, "page.html::99999");
    assert_eq!(
        past,
        format!(
            "[Line 99999 is beyond end of converted text ({total} lines total). Use ::1 to read from the start, or ::{total} to read the last line.]"
        )
    );
    let past = text(&session, "page.html:#use:99999");
    assert!(past.contains("end of section `#use`"), "{past}");
    assert!(past.contains("Use :#use:1 to read"), "{past}");
}

#[test]
fn arguments_of_a_call_page_the_converted_form() {
    let workspace = workspace();
    let session = workspace.session();
    let exact = raw_chain(&session, "page.html::raw");
    let lines: Vec<&str> = exact.lines().collect();
    let path = workspace.path().join("page.html:");
    let options = Options::default();
    for (dialect, arguments, first) in [
        (
            Dialect::Gateway,
            json!({"filePath": path, "offset": 10, "limit": 3}),
            11,
        ),
        (
            Dialect::Comma,
            json!({"path": "page.html:", "startLine": 11, "endLine": 13}),
            11,
        ),
        (
            Dialect::Gemini,
            json!({"absolute_path": path, "offset": 10, "limit": 3}),
            11,
        ),
        (
            Dialect::Claude,
            json!({"file_path": path, "offset": 11, "limit": 3}),
            11,
        ),
    ] {
        let reply = session.call(dialect, &arguments.to_string(), &options);
        let reply = reply.unwrap();
        let shown = &reply.details.window.as_ref().unwrap().shown;
        assert_eq!((shown[0].first, shown[0].last), (first, first + 2));
        let line = lines[10..13].iter().find(|line| !line.is_empty()).unwrap();
        let words = &line[..20];
        assert!(
            reply.text().contains(words),
            "{dialect:?}: {}",
            reply.text()
        );
    }
}

#[test]
fn literal_names_take_precedence_over_the_converted_form() {
    let workspace = workspace();
    workspace
        .file("page.html:", "the file with a colon\n")
        .file("page.html:full", "the file called full\n")
        .file("page.html:#use", "the file called use\n")
        .file("a:b.html", page())
        .file(
            "x.zip",
            zip(&[
                ("full", b"a member called full\n"),
                ("#use", b"a member called use\n"),
                ("page.html", page().as_bytes()),
                ("page.html:full", b"a member with a colon\n"),
            ]),
        );
    let session = workspace.session();
    assert!(text(&session, "page.html:").contains("the file with a colon"));
    assert!(text(&session, "page.html:full").contains("the file called full"));
    assert!(text(&session, "page.html:#use").contains("the file called use"));
    assert_eq!(text(&session, "x.zip:full"), "a member called full");
    assert_eq!(text(&session, "x.zip:#use"), "a member called use");
    assert_eq!(
        text(&session, "x.zip:page.html:full"),
        "a member with a colon"
    );
    assert!(text(&session, "x.zip:").contains("page.html"));
    // The escape form means the converted form, whichever files exist.
    let reply = session.read("a\\:b.html:").unwrap();
    assert_eq!(reply.details.next.as_deref(), Some("a\\:b.html::301"));
    let reply = session.read("a\\:b.html:#use:5-9").unwrap();
    assert_eq!(reply.details.document().unwrap().format, "HTML page");
    let reply = session.read("a:b.html:#use").unwrap();
    assert_eq!(reply.details.next.as_deref(), Some("a\\:b.html:#use:301"));
}

#[test]
fn page_in_archives_is_converted() {
    let html = page();
    let workspace = Workspace::new();
    let inner = gzip(&tar(&[("docs/page.html", html.as_bytes())]));
    workspace
        .file("page.html.gz", gzip(html.as_bytes()))
        .file("notes.txt.gz", gzip(b"only notes\n"))
        .file(
            "x.zip",
            zip(&[("page.html", html.as_bytes()), ("in.tar.gz", &inner)]),
        );
    let session = workspace.session();
    for dialect in DIALECTS {
        for path in [
            "page.html.gz:",
            "x.zip:page.html:",
            "x.zip:in.tar.gz:docs/page.html:",
        ] {
            let reply = read(&session, dialect, path);
            assert_eq!(reply.details.kind.name(), "document", "{dialect:?}: {path}");
            assert!(
                reply.text().contains("install-1-mark"),
                "{dialect:?}: {path}"
            );
        }
        // Compressed text without a converted form is decompressed, as before.
        let reply = read(&session, dialect, "notes.txt.gz:");
        assert!(reply.text().contains("only notes"), "{dialect:?}");
    }
    let nested = "x.zip:in.tar.gz:docs/page.html";
    let pages = chain(&session, &format!("{nested}:"));
    assert_eq!(pages[0].details.next, Some(format!("{nested}::301")));
    let whole: String = pages.iter().map(Reply::text).collect();
    assert_eq!(times(&whole, "use-250-mark "), 1);
    let exact = raw_chain(&session, &format!("{nested}::raw"));
    let lines: Vec<&str> = exact.lines().collect();
    assert_eq!(
        text(&session, &format!("{nested}::5-9")),
        lines[4..9].join("\n")
    );
    assert!(text(&session, &format!("{nested}:#use:1")).contains("How to use it"));
    let (message, _) = invalid(&session, "notes.txt.gz::5");
    assert!(message.contains("has no converted form"), "{message}");
}

#[test]
fn standard_input_is_converted() {
    let workspace = Workspace::new();
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let html = page();
    for (path, mark) in [
        ("-:", "install-1-mark"),
        ("-::-1", "use-250-mark"),
        ("-:full", "navigation-mark"),
        ("-:#use", "use-1-mark"),
    ] {
        let run = cli.run_with(&[path], html.as_bytes());
        assert_eq!(run.code, Some(0), "{path}: {}", run.stderr);
        assert!(run.stdout.contains(mark), "{path}: {}", run.stdout);
    }
    let run = cli.run_with(&["-:"], b"only notes\n");
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("`-` has no converted form"),
        "{}",
        run.stderr
    );
}

#[test]
fn file_without_the_converted_form_fails_with_a_hint() {
    let workspace = workspace();
    workspace
        .file("main.rs", "fn main() {}\n")
        .file("data.json", "{\"a\": 1}\n")
        .file("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice());
    let session = workspace.session();
    for name in ["notes.txt", "main.rs", "data.json", "image.png"] {
        let (message, hint) = invalid(&session, &format!("{name}:"));
        assert_eq!(
            message,
            format!(
                "`{name}` has no converted form: it is not an HTML page, a feed, XML, a mail or a notebook"
            )
        );
        assert_eq!(hint, "leave out `:` to read the file itself");
        let (_, hint) = invalid(&session, &format!("{name}::2-3"));
        let expected = match name {
            // An image has no lines.
            "image.png" => "use `image.png`".to_owned(),
            name => format!("use `{name}:2-3` for lines of the file itself"),
        };
        assert_eq!(hint, expected);
        let (message, hint) = invalid(&session, &format!("{name}:#use"));
        assert_eq!(message, format!("`{name}` has no sections for `:#use`"));
        assert!(hint.contains(&format!("`{name}")), "{hint}");
    }
    let (message, hint) = invalid(&session, "feed.xml:full");
    assert_eq!(
        message,
        "`feed.xml` is a feed; `:full` selects a part of an HTML page"
    );
    assert_eq!(hint, "use `feed.xml:`");
    let (message, hint) = invalid(&session, "x.xml:#use:5-9");
    assert_eq!(
        message,
        "`x.xml` is an XML document; `:#use` selects a part of an HTML page"
    );
    assert_eq!(hint, "use `x.xml::5-9`");
    let (message, hint) = invalid(&session, "page.html:#uses:5");
    assert_eq!(message, "`page.html` has no section `#uses`");
    assert!(hint.contains("`#install`, `#use`"), "{hint}");
    assert!(
        hint.ends_with("`page.html:full` is the whole page"),
        "{hint}"
    );
    let (message, _) = invalid(&session, "page.html::9-3");
    assert_eq!(message, "Invalid range 9-3: end must be >= start.");
    assert!(matches!(
        session.read("page.html::x").unwrap_err().reason,
        Reason::NotFound(_)
    ));
    workspace.directory("folder");
    let (message, _) = invalid(&session, "folder:");
    assert_eq!(message, "`folder` is a directory; `:` does not apply to it");
}
