//! Archives: listings, members, and archives in archives.

mod damage;
mod formats;
mod hostile;
mod names;

use omniread::{Dialect, Options, Reason, Session};
use omniread_tests::pack::{ar, bzip2, gzip, tar, zip};
use omniread_tests::{Workspace, chain, numbered, raw_chain, sha256, text};
use serde_json::{Value, json};

fn reason(session: &Session, path: &str) -> Reason {
    match session.read(path) {
        Ok(reply) => panic!("{path}: {}", reply.text()),
        Err(failure) => failure.reason,
    }
}

fn notes(session: &Session, path: &str) -> String {
    match session.read(path) {
        Ok(reply) => reply.details.notes.join("\n"),
        Err(failure) => panic!("{path}: {}", failure.message),
    }
}

#[test]
fn member_is_read_like_a_file() {
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
        assert_eq!(listing.details.kind.name(), "archive");
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
        // The first page is a view of the log: its first 30 lines, and its end.
        assert_eq!(pages.len(), 18, "{name}");
        assert_eq!(
            pages[0].details.next.as_deref(),
            Some(format!("{log}:31").as_str())
        );
        // A member takes precedence over a selector, and its path is in the escape form.
        let odd = session.read(format!("{name}:a:5-9")).unwrap();
        assert_eq!(odd.text(), "colon");
        assert_eq!(odd.details.path, format!("{name}:a\\:5-9"));
        assert_eq!(text(&session, &odd.details.path), "colon");
        assert_eq!(text(&session, &format!("{}:1", odd.details.path)), "colon");
    }
}

#[test]
fn archive_in_an_archive_is_read() {
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
    // Every dialect reads the member, with its own path argument.
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
        let listing = listing.unwrap().text();
        assert!(
            listing.contains("middle.tar.gz ("),
            "{dialect:?}: {listing}"
        );
    }
}

/// The dialects `comma` and `gemini` refuse a path that names only an archive. The message lists
/// entries of the archive, and the hint contains paths that can be read.
#[test]
fn bare_archive_is_refused_with_entries_and_paths_in_comma_and_gemini() {
    let members: &[(&str, &[u8])] = &[("a.txt", b"one\n"), ("src/b.rs", b"two\n")];
    let many: Vec<String> = (10..30).map(|n| n.to_string()).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|n| (n.as_str(), &b"x\n"[..])).collect();
    let inner = tar(members);
    let workspace = Workspace::new();
    workspace
        .file("x.zip", zip(members))
        .file("x.tar.gz", gzip(&inner))
        .file("x.tar.bz2", bzip2(&inner))
        // This archive contains no NUL, so that its first bytes look like text.
        .file("x.a", ar(&members[..1]))
        .file("many.zip", zip(&many))
        .file("empty.zip", zip(&[]))
        .file("outer.zip", zip(&[("in.tar", &inner)]));
    let session = workspace.session();
    let root = workspace.path();
    let both = "`src/`, `a.txt (4B)`";
    for (name, format, entries, member) in [
        ("x.zip", "a zip archive", both, Some("a.txt")),
        ("x.zip:5-9", "a zip archive", both, Some("a.txt")),
        ("x.tar.gz", "a tar archive", both, Some("a.txt")),
        ("x.tar.bz2", "a tar archive", both, Some("a.txt")),
        ("x.a", "an ar archive", "`a.txt (4B)`", Some("a.txt")),
        ("outer.zip:in.tar", "a tar archive", both, Some("a.txt")),
        (
            "many.zip",
            "a zip archive",
            "`10 (2B)`, `11 (2B)`, `12 (2B)`, `13 (2B)`, `14 (2B)`, `15 (2B)`, `16 (2B)`, `17 (2B)`, `18 (2B)`, `19 (2B)` and 10 more",
            Some("10"),
        ),
        ("empty.zip", "a zip archive", "it is empty", None),
    ] {
        let file = name.trim_end_matches(":5-9");
        let contents = match member {
            Some(_) => format!("it contains {entries}"),
            None => entries.to_owned(),
        };
        for dialect in [Dialect::Comma, Dialect::Gemini] {
            let (path, argument, file) = match dialect {
                Dialect::Comma => (name.to_owned(), "path", file.to_owned()),
                _ => (
                    root.join(name).display().to_string(),
                    "absolute_path",
                    root.join(file).display().to_string(),
                ),
            };
            let call = |path: &str| {
                let arguments = json!({ argument: path }).to_string();
                session.call(dialect, &arguments, &Options::default())
            };
            let failure = call(&path).expect_err(&path);
            assert!(
                matches!(&failure.reason, Reason::Binary(file) if file.format == format[format.find(' ').unwrap() + 1..]),
                "{path}: {:?}",
                failure.reason
            );
            let message = format!("`{file}` is {format}, not a text file; {contents}");
            let next = match member {
                Some(member) => format!(
                    "read a member with its path, such as `{file}:{member}`, or list the archive with `{file}:`"
                ),
                None => format!("list the archive with `{file}:`"),
            };
            let rendered: Value = serde_json::from_str(&failure.text).unwrap();
            if dialect == Dialect::Comma {
                assert_eq!(rendered["error"]["kind"], "binary_file");
                assert_eq!(rendered["error"]["message"], message);
                let action =
                    format!("{next}; or call again with allowBinary: true to receive base64");
                assert_eq!(rendered["error"]["suggestedNextAction"], action);
                if !name.contains(':') {
                    let bytes = std::fs::read(root.join(name)).unwrap();
                    assert_eq!(rendered["error"]["sizeBytes"], bytes.len());
                    assert_eq!(rendered["error"]["sha256"], sha256(&bytes));
                }
            } else {
                assert_eq!(rendered["llmContent"], format!("{message}\nhint: {next}"));
                assert_eq!(rendered["returnDisplay"], message);
            }
            assert!(!failure.text.contains("directory"), "{}", failure.text);
            // The paths in the hint can be read.
            assert!(call(&format!("{file}:")).is_ok(), "{file}:");
            if let Some(member) = member {
                assert!(call(&format!("{file}:{member}")).is_ok(), "{file}:{member}");
            }
        }
    }
    // `allowBinary` returns the bytes of the archive.
    let bytes = json!({"path": "x.zip", "allowBinary": true}).to_string();
    let reply = session.call(Dialect::Comma, &bytes, &Options::default());
    assert!(reply.unwrap().text().contains("\"encoding\":\"base64\""));
}

/// In every dialect, the path of an archive followed by a colon (`PATH:`) lists the archive, in the
/// usual reply format of the dialect.
#[test]
fn archive_root_is_listed_in_every_dialect() {
    let members: &[(&str, &[u8])] = &[("a.txt", b"one\n"), ("src/b.rs", b"two\n")];
    let workspace = Workspace::new();
    workspace
        .file("x.zip", zip(members))
        .file("x.tgz", gzip(&tar(members)));
    let session = workspace.session();
    for name in ["x.zip", "x.tgz"] {
        let listed = |path: &str, dialect| {
            let reply = session.read_as(path, dialect, &Options::default());
            let reply = reply.unwrap_or_else(|failure| panic!("{path}: {}", failure.text));
            assert_eq!(reply.details.kind.name(), "archive", "{path} {dialect:?}");
            reply.text()
        };
        let root = format!("{name}:");
        for dialect in [Dialect::Omp, Dialect::Claude, Dialect::Gateway] {
            let listing = listed(&root, dialect);
            assert!(
                listing.contains("src/\na.txt (4B)\n"),
                "{dialect:?}: {listing}"
            );
        }
        let bytes = std::fs::read(workspace.path().join(name)).unwrap();
        let comma: Value = serde_json::from_str(&listed(&root, Dialect::Comma)).unwrap();
        let data = &comma["data"];
        let content = data["content"].as_str().unwrap();
        assert!(content.starts_with("src/\na.txt (4B)\n\n["), "{content}");
        assert_eq!(data["encoding"], "utf-8");
        assert_eq!(data["sha256"], sha256(&bytes));
        assert_eq!(data["sizeBytes"], bytes.len());
        assert_eq!(
            (&data["lineCount"], &data["startLine"], &data["endLine"]),
            (&json!(2), &json!(1), &json!(2))
        );
        assert_eq!(data["truncated"], false);
        let gemini: Value = serde_json::from_str(&listed(&root, Dialect::Gemini)).unwrap();
        let content = gemini["llmContent"].as_str().unwrap();
        assert!(content.ends_with("\nsrc/\na.txt (4B)\n"), "{content}");
        assert_eq!(gemini["returnDisplay"], format!("Read {name} (2 lines)"));
        assert!(!content.contains("directory"), "{content}");
        for dialect in [Dialect::Comma, Dialect::Gemini] {
            let listing = listed(&format!("{name}:src/"), dialect);
            assert!(listing.contains("b.rs (4B)"), "{dialect:?}: {listing}");
        }
    }
}

/// In the dialect `comma`, one reply contains a long listing completely. In `gemini`, the arguments
/// `offset` and `limit` continue it.
#[test]
fn long_archive_listing_continues_in_comma_and_gemini() {
    let names: Vec<String> = (1000..1700).map(|n| n.to_string()).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|n| (n.as_str(), &b"x\n"[..])).collect();
    let workspace = Workspace::new();
    workspace.file("num.zip", zip(&members));
    let session = workspace.session();
    let call = |dialect, arguments: Value| -> Value {
        let reply = session.call(dialect, &arguments.to_string(), &Options::default());
        serde_json::from_str(&reply.unwrap().text()).unwrap()
    };
    let all = call(Dialect::Comma, json!({"path": "num.zip:"}));
    assert_eq!(
        (&all["data"]["endLine"], &all["data"]["truncated"]),
        (&json!(700), &json!(false))
    );
    let last = call(
        Dialect::Comma,
        json!({"path": "num.zip:", "startLine": 700}),
    );
    let content = last["data"]["content"].as_str().unwrap();
    assert!(content.starts_with("1699 (2B)"), "{content}");
    let path = workspace.path().join("num.zip:");
    let first = call(Dialect::Gemini, json!({"absolute_path": path}));
    let content = first["llmContent"].as_str().unwrap();
    assert!(
        content.contains("showing lines 1-500 of 700 total"),
        "{content}"
    );
    let rest = call(
        Dialect::Gemini,
        json!({"absolute_path": path, "offset": 500, "limit": 500}),
    );
    let content = rest["llmContent"].as_str().unwrap();
    assert!(content.contains("1500 (2B)\n"), "{content}");
    assert!(content.ends_with("1699 (2B)\n"), "{content}");
}

/// If an archive does not exist at the requested path, an archive whose path ends with the
/// requested one is read, as for other files.
#[test]
fn missing_archive_path_is_repaired() {
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

/// The path that continues a listing works even if a member has the name `501`, which looks like
/// the line selector in that path.
#[test]
fn archive_listing_continues_despite_numeric_member_names() {
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
    assert_eq!(second.details.kind.name(), "archive");
    assert_eq!(second.details.next, None);
    assert_eq!(text(&session, "num.zip:501"), "x");
    for root in ["num.zip:/:1", "num.zip:.:1", "num.zip:./:1", "num.zip::1"] {
        assert!(text(&session, root).starts_with("1 (2B)\n"), "{root}");
    }
}

/// The path of a member may lead through a symlink to a directory in the archive. Selectors and
/// members of nested archives work in such a path.
#[test]
fn members_after_a_directory_symlink_are_paged() {
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

/// A read of the path in the details of a reply returns the same content.
#[test]
fn path_in_details_can_be_read_again() {
    let inner = tar(&[("c\\d.txt", b"x\n"), ("plain.txt", b"y\n")]);
    let workspace = Workspace::new();
    workspace.file("colon.zip", zip(&[("in:ner.tar", &inner)]));
    let session = workspace.session();
    for member in ["c\\d.txt", "plain.txt"] {
        let reply = session
            .read(format!("colon.zip:in:ner.tar:{member}"))
            .unwrap();
        let path = &reply.details.path;
        assert!(path.starts_with("colon.zip:in\\:ner.tar:"), "{path}");
        assert_eq!(text(&session, path), reply.text(), "{path}");
        assert!(session.read(format!("{path}:1")).is_ok(), "{path}");
    }
}

/// If a file is not an archive, the text after its path and a colon is reported as an invalid
/// selector, not as a missing member.
#[test]
fn file_that_is_not_an_archive_has_no_members() {
    let workspace = Workspace::new();
    workspace
        .file("plain.txt", "x\n")
        .file("log.gz", gzip(b"a\nb\n"))
        .file("torn.gz", &gzip(b"a\nb\n")[..11]);
    let session = workspace.session();
    for path in ["plain.txt:foo", "plain.txt:../x", "log.gz:foo"] {
        let failure = session.read(path).unwrap_err();
        let hint = failure.hint.unwrap_or_default();
        assert!(hint.contains("is not a selector"), "{path}: {hint}");
    }
    let torn = session.read("torn.gz").unwrap();
    assert_eq!(torn.details.kind.name(), "binary");
    assert!(
        torn.text().contains("the gzip data is damaged"),
        "{}",
        torn.text()
    );
    // In dialects that refuse the bare path, `PATH:` reads the decompressed content.
    for dialect in [Dialect::Gateway, Dialect::Comma] {
        let bare = session.read_as("log.gz", dialect, &Options::default());
        let hint = bare.unwrap_err().hint.unwrap_or_default();
        assert!(hint.contains("list its contents with `log.gz:`"), "{hint}");
        let inside = session.read_as("log.gz:", dialect, &Options::default());
        assert!(inside.unwrap().text().contains('b'), "{dialect:?}");
    }
}
