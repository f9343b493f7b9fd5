//! Archives: listed, read by member, one in another.

#![allow(missing_docs, reason = "a test")]

mod formats;
mod hostile;
mod names;

use omniread::{Dialect, Kind, Options, Reason, Session};
use omniread_tests::pack::{gzip, tar, zip};
use omniread_tests::{Workspace, chain, numbered, raw_chain, text};

fn reason(session: &Session, path: &str) -> Reason {
    match session.read(path) {
        Ok(reply) => panic!("{path}: {}", reply.text()),
        Err(failure) => failure.reason,
    }
}

#[test]
fn a_member_is_a_file() {
    let whole = numbered(5000);
    let members: &[(&str, &[u8])] = &[
        ("src/main.rs", b"fn main() {}\n"),
        ("logs/app.log", whole.as_bytes()),
        ("empty.txt", b""),
        ("wide.txt", b"\xff\xfea\0\n\0"),
        ("a:5-9", b"colon\n"),
    ];
    for (name, archive) in [
        ("x.zip", zip(members)),
        ("x.tar", tar(members)),
        ("x.tar.gz", gzip(&tar(members))),
    ] {
        let workspace = Workspace::new();
        workspace.file(name, archive);
        let session = workspace.session();
        let listing = session.read(name).unwrap();
        assert_eq!(listing.details.kind, Kind::Archive);
        let lines: Vec<String> = listing.text().lines().take(5).map(str::to_owned).collect();
        assert_eq!(
            lines,
            ["logs/", "src/", "a:5-9 (6B)", "empty.txt", "wide.txt (6B)"],
            "{name}"
        );
        assert_eq!(
            text(&session, &format!("{name}:src/main.rs")),
            "fn main() {}"
        );
        assert_eq!(
            text(&session, &format!("{name}:./src//main.rs")),
            "fn main() {}"
        );
        assert_eq!(text(&session, &format!("{name}:empty.txt")), "[empty file]");
        assert!(text(&session, &format!("{name}:wide.txt")).contains("encoding utf-16le"));
        assert!(text(&session, &format!("{name}:src")).starts_with("main.rs (13B)\n"));
        assert!(text(&session, &format!("{name}:src/:1")).starts_with("main.rs (13B)\n"));
        let log = format!("{name}:logs/app.log");
        assert!(
            text(&session, &format!("{log}:-1")).starts_with("line 5000"),
            "{name}"
        );
        assert_eq!(raw_chain(&session, &format!("{log}:raw")), whole, "{name}");
        let pages = chain(&session, &log);
        assert_eq!(pages.len(), 17, "{name}");
        assert_eq!(
            pages[0].details.next.as_deref(),
            Some(format!("{log}:301").as_str())
        );
        // A member wins over a selector, and what it is called by is escaped.
        let odd = session.read(&format!("{name}:a:5-9")).unwrap();
        assert_eq!(odd.text(), "colon");
        assert_eq!(odd.details.path, format!("{name}:a\\:5-9"));
        assert_eq!(text(&session, &odd.details.path), "colon");
        assert_eq!(text(&session, &format!("{}:1", odd.details.path)), "colon");
    }
}

#[test]
fn archives_lie_in_archives() {
    let inner = zip(&[("letter.txt", b"one\ntwo\nthree\n")]);
    let middle = gzip(&tar(&[("deep/inner.zip", &inner)]));
    let outer = zip(&[
        ("data/middle.tar.gz", &middle),
        ("log.gz", &gzip(b"a\nb\n")),
    ]);
    let workspace = Workspace::new();
    workspace.file("report.zip", &outer);
    let session = workspace.session();
    let path = "report.zip:data/middle.tar.gz:deep/inner.zip:letter.txt";
    assert!(text(&session, &format!("{path}:2,3")).starts_with("two\nthree"));
    let listing = text(&session, "report.zip:data/middle.tar.gz:deep/inner.zip");
    assert!(listing.starts_with("letter.txt (14B)\n"), "{listing}");
    assert_eq!(raw_chain(&session, "report.zip:log.gz:raw"), "a\nb\n");
    // Every dialect reaches it, by the rules of its own path.
    for dialect in [
        Dialect::Gateway,
        Dialect::Comma,
        Dialect::Gemini,
        Dialect::Claude,
    ] {
        let reply = session.read_as(path, dialect, &Options::default()).unwrap();
        assert!(reply.text().contains("three"), "{dialect:?}");
    }
    let bare = session.read_as("report.zip", Dialect::Gateway, &Options::default());
    assert!(matches!(bare.unwrap_err().reason, Reason::Binary(_)));
    let inside = session.read_as("report.zip:", Dialect::Gateway, &Options::default());
    assert!(inside.unwrap().text().contains("log.gz"));
    for dialect in [Dialect::Comma, Dialect::Gemini] {
        let listing = session.read_as("report.zip:data", dialect, &Options::default());
        assert!(matches!(listing.unwrap_err().reason, Reason::Directory(_)));
    }
}

/// A missing archive is looked for as a file is.
#[test]
fn a_missing_archive_is_repaired() {
    let workspace = Workspace::new();
    workspace.file("deep/down/x.zip", zip(&[("a.txt", b"x\n")]));
    let reply = text(&workspace.session(), "down/x.zip:a.txt:1");
    assert!(
        reply.starts_with(
            "[Path 'down/x.zip' not found; resolved to 'deep/down/x.zip' via suffix match]\nx"
        ),
        "{reply}"
    );
}

/// A member may be called like a selector, and a listing goes on nevertheless.
#[test]
fn listings_go_on() {
    let names: Vec<String> = (1..=700).map(|n| n.to_string()).collect();
    let members: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), b"x\n".as_slice()))
        .collect();
    let workspace = Workspace::new();
    workspace.file("num.zip", zip(&members));
    let session = workspace.session();
    let first = session.read("num.zip").unwrap();
    assert_eq!(first.details.next.as_deref(), Some("num.zip:/:501"));
    let second = session.read("num.zip:/:501").unwrap();
    assert_eq!(second.details.kind, Kind::Archive);
    assert_eq!(second.details.next, None);
    assert_eq!(text(&session, "num.zip:501"), "x");
    for root in ["num.zip:/:1", "num.zip:.:1", "num.zip:./:1", "num.zip::1"] {
        assert!(text(&session, root).starts_with("1 (2B)\n"), "{root}");
    }
}

/// Selectors and members behind a link to a directory.
#[test]
fn pages_behind_links_go_on() {
    use omniread_tests::pack::{TAR_END, tar_entry};
    let whole = numbered(700);
    let inner = zip(&[("a.txt", b"deep\n")]);
    let file = |name: &[u8], content: &[u8]| tar_entry(name, tar::EntryType::Regular, "", content);
    let archive = [
        tar_entry(b"cur", tar::EntryType::Symlink, "v1", b""),
        file(b"v1/log.txt", whole.as_bytes()),
        file(b"v1/in.zip", &inner),
        TAR_END.to_vec(),
    ]
    .concat();
    let workspace = Workspace::new();
    workspace.file("x.tar", archive);
    let session = workspace.session();
    assert_eq!(raw_chain(&session, "x.tar:cur/log.txt:raw"), whole);
    assert_eq!(chain(&session, "x.tar:cur/log.txt").len(), 3);
    assert!(text(&session, "x.tar:cur/in.zip:a.txt:1").starts_with("deep"));
}

/// What we print as a path is read again.
#[test]
fn printed_paths_are_read_again() {
    let inner = tar(&[("c\\d.txt", b"x\n"), ("plain.txt", b"y\n")]);
    let workspace = Workspace::new();
    workspace.file("colon.zip", zip(&[("in:ner.tar", &inner)]));
    let session = workspace.session();
    for member in ["c\\d.txt", "plain.txt"] {
        let reply = session
            .read(&format!("colon.zip:in:ner.tar:{member}"))
            .unwrap();
        let path = &reply.details.path;
        assert!(path.starts_with("colon.zip:in\\:ner.tar:"), "{path}");
        assert_eq!(text(&session, path), reply.text(), "{path}");
        assert!(session.read(&format!("{path}:1")).is_ok(), "{path}");
    }
}

/// What is no archive is not spoken of as one.
#[test]
fn files_that_are_no_archives_have_no_members() {
    let workspace = Workspace::new();
    workspace
        .file("plain.txt", "x\n")
        .file("log.gz", gzip(b"a\nb\n"))
        .file("torn.gz", &gzip(b"a\nb\n")[..11]);
    let session = workspace.session();
    for path in ["plain.txt:foo", "plain.txt:../x", "log.gz:foo"] {
        let failure = session.read(path).unwrap_err();
        let hint = failure.hint.unwrap_or_default();
        assert!(hint.contains("is no selector"), "{path}: {hint}");
    }
    let torn = session.read("torn.gz").unwrap();
    assert_eq!(torn.details.kind, Kind::Binary);
    assert!(
        torn.text().contains("the gzip data is damaged"),
        "{}",
        torn.text()
    );
    // Where bare paths are not looked into, this asks for it.
    for dialect in [Dialect::Gateway, Dialect::Comma] {
        let bare = session.read_as("log.gz", dialect, &Options::default());
        let hint = bare.unwrap_err().hint.unwrap_or_default();
        assert!(hint.contains("`log.gz:` looks inside"), "{hint}");
        let inside = session.read_as("log.gz:", dialect, &Options::default());
        assert!(inside.unwrap().text().contains('b'), "{dialect:?}");
    }
}
