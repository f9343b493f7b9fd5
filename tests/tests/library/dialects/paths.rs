//! Paths in every dialect: selectors, member names, missing names and patterns.

use super::*;
use omniread_tests::pack::{gzip, tar, zip};

/// Reads a path in a dialect, and returns the text of the reply.
fn outcome(
    session: &Session,
    workspace: &Workspace,
    dialect: Dialect,
    path: &str,
) -> Result<String, Failure> {
    let (argument, path) = path_of(dialect, workspace, path);
    call(session, dialect, &json!({ argument: path })).map(|reply| reply.text())
}

#[test]
fn member_named_like_a_selector_is_read_in_every_dialect() {
    let members: &[(&str, &[u8])] = &[
        ("raw", b"member raw\n"),
        ("12", b"member 12\n"),
        ("5-9", b"member 5-9\n"),
        ("-3", b"member -3\n"),
        ("img", b"member img\n"),
        ("cell:3", b"member cell:3\n"),
        ("20-30/a", b"below\n"),
    ];
    let workspace = Workspace::new();
    workspace
        .file("x.zip", zip(members))
        .file("x.tar", tar(members))
        .file("x.tar.gz", gzip(&tar(members)))
        .file("outer.zip", zip(&[("x.zip", &zip(members))]))
        .file(
            "short-first.tar",
            tar(&[("a", b"short\n"), ("b", b"other\n"), ("a:5", b"long\n")]),
        );
    let session = workspace.session();
    for dialect in DIALECTS {
        for archive in ["x.zip", "x.tar", "x.tar.gz", "outer.zip:x.zip"] {
            for name in ["raw", "12", "5-9", "-3", "img", "cell:3"] {
                let path = format!("{archive}:{name}");
                let text = outcome(&session, &workspace, dialect, &path);
                let text = text
                    .unwrap_or_else(|failure| panic!("{dialect:?} {path}: {}", failure.message));
                assert!(
                    text.contains(&format!("member {name}")),
                    "{dialect:?} {path}: {text}"
                );
            }
            let path = format!("{archive}:20-30");
            let listing = outcome(&session, &workspace, dialect, &path).expect("a listing");
            assert!(listing.contains("a (6B)"), "{dialect:?} {path}: {listing}");
        }
        // The longest member name takes precedence, in any order of the members.
        let path = "short-first.tar:a:5";
        let text = outcome(&session, &workspace, dialect, path).unwrap();
        assert!(text.contains("long"), "{dialect:?} {path}: {text}");
        let text = outcome(&session, &workspace, dialect, "short-first.tar:b:1").unwrap();
        assert!(text.contains("other"), "{dialect:?}: {text}");
        // A selector after the name of such a member.
        let text = outcome(&session, &workspace, dialect, "x.zip:12:1").unwrap();
        assert!(text.contains("member 12"), "{dialect:?}: {text}");
    }
}

/// If the text after the path of an archive is a selector, such as `:5-9`, and not the name of a
/// member, it selects a part of the archive file itself.
#[test]
fn selector_that_is_no_member_applies_to_the_archive() {
    let workspace = Workspace::new();
    workspace.file("x.zip", zip(&[("a.txt", b"text\n")]));
    let session = workspace.session();
    for path in ["x.zip:5-9", "x.zip:12"] {
        let (argument, path) = path_of(Dialect::Gateway, &workspace, path);
        let failure = call(&session, Dialect::Gateway, &json!({ argument: path })).unwrap_err();
        assert!(
            matches!(failure.reason, Reason::Binary(_)),
            "{path}: {}",
            failure.message
        );
    }
    let (argument, path) = path_of(Dialect::Comma, &workspace, "x.zip:5-9");
    let failure = call(&session, Dialect::Comma, &json!({ argument: path })).unwrap_err();
    assert!(matches!(failure.reason, Reason::Binary(_)));
}

#[test]
fn selector_without_a_path_is_an_error_in_every_dialect() {
    let workspace = Workspace::new();
    workspace.file("a", "x\n");
    let session = workspace.session();
    let options = Options::default();
    for dialect in DIALECTS {
        for path in [
            ":5",
            ":5-9",
            ":-5",
            ":raw",
            ":5-9:raw",
            ":1,3",
            ":img",
            ":cell:3",
            ":",
            ":0",
            "?q=SELECT 1",
            ":?q=SELECT 1",
            ":5\\:x",
        ] {
            let failure = session.read_as(path, dialect, &options).unwrap_err();
            assert!(
                matches!(failure.reason, Reason::InvalidPath(_)),
                "{dialect:?} {path}: {:?}",
                failure.reason
            );
            assert!(
                failure
                    .message
                    .starts_with(&format!("the path before `{path}` is empty")),
                "{dialect:?} {path}: {}",
                failure.message
            );
            assert!(
                failure
                    .hint
                    .is_some_and(|hint| hint.contains(&format!("`FILE{path}`"))),
                "{dialect:?} {path}"
            );
        }
        // Any other text is the name of a file.
        let failure = session.read_as(":name", dialect, &options).unwrap_err();
        assert!(matches!(failure.reason, Reason::NotFound(_)));
        assert_eq!(failure.message, "Path ':name' not found");
    }
}

#[test]
fn file_named_like_a_selector_is_read() {
    let workspace = Workspace::new();
    workspace.file(":5", "literal\n").file("?q", "query\n");
    let session = workspace.session();
    for dialect in DIALECTS {
        for (path, content) in [(":5", "literal"), (":5:1", "literal"), ("?q", "query")] {
            let reply = session.read_as(path, dialect, &Options::default());
            let text = reply
                .unwrap_or_else(|failure| panic!("{path}: {}", failure.message))
                .text();
            assert!(text.contains(content), "{dialect:?} {path}: {text}");
        }
    }
}

#[test]
fn missing_name_with_colons_is_shown_whole() {
    let workspace = Workspace::new();
    workspace.file("notes.txt", numbered(20));
    let session = workspace.session();
    for dialect in DIALECTS {
        for path in [
            "run-2024-01-01T10:20:31.log",
            "run-10:20:31",
            "C:\\x",
            "file:two.txt",
            "zzz.zip:member.txt:5",
            "backup 10:00:00",
        ] {
            let failure = session
                .read_as(path, dialect, &Options::default())
                .unwrap_err();
            assert_eq!(
                failure.message,
                format!("Path '{path}' not found"),
                "{dialect:?}"
            );
            assert!(matches!(failure.reason, Reason::NotFound(_)));
        }
        // The selector is not part of the missing name, and a similar name is suggested.
        let failure = session
            .read_as("note.txt:5", dialect, &Options::default())
            .unwrap_err();
        assert_eq!(failure.message, "Path 'note.txt' not found", "{dialect:?}");
        assert_eq!(failure.hint.as_deref(), Some("similar names: `notes.txt`"));
    }
}

#[test]
fn similar_name_with_colons_is_suggested() {
    let workspace = Workspace::new();
    workspace.file("run-2024-01-01T10:20:30.log", "x\n");
    let session = workspace.session();
    for dialect in DIALECTS {
        let failure = session
            .read_as("run-2024-01-01T10:20:31.log", dialect, &Options::default())
            .unwrap_err();
        let Reason::NotFound(near) = failure.reason else {
            panic!("{dialect:?}: {}", failure.message)
        };
        assert_eq!(near, ["run-2024-01-01T10\\:20\\:30.log"], "{dialect:?}");
    }
}

#[test]
fn compiler_line_and_column_select_the_line() {
    let workspace = Workspace::new();
    workspace.file("n20.txt", numbered(20));
    workspace.file("x.zip", zip(&[("a.txt", b"1\n2\n3\n4\n5\n")]));
    let session = workspace.session();
    let text = |dialect, path: &str| {
        let reply = session.read_as(path, dialect, &Options::default());
        reply.unwrap().text()
    };
    for dialect in DIALECTS {
        let line = text(dialect, "n20.txt:10");
        // A trailing colon, as before the message of a compiler, is ignored.
        for place in ["n20.txt:10:5", "n20.txt:10:5:", "n20.txt:10:4000"] {
            assert_eq!(text(dialect, place), line, "{dialect:?} {place}");
        }
        let failure = session
            .read_as("n2.txt:10:5", dialect, &Options::default())
            .unwrap_err();
        assert_eq!(
            failure.message, "Path 'n2.txt:10:5' not found",
            "{dialect:?}"
        );
        assert_eq!(failure.hint.as_deref(), Some("similar names: `n20.txt`"));
    }
    // The form also works for members and for repaired names.
    assert_eq!(
        text(Dialect::Omp, "x.zip:a.txt:5:3"),
        text(Dialect::Omp, "x.zip:a.txt:5")
    );
    assert!(text(Dialect::Omp, "N20.txt:10:5").contains("\n10:line 10"));
    // A file with that name takes precedence.
    workspace.file("n20.txt:10:5", "its own\n");
    assert!(text(Dialect::Omp, "n20.txt:10:5").contains("its own"));
}

#[test]
fn glob_pattern_suggests_matching_files() {
    let workspace = Workspace::new();
    for file in [
        "src/a.rs",
        "src/b.rs",
        "src/b2.rs",
        "tests/cli/x",
        "tests/cli2",
        "xy.md",
    ] {
        workspace.file(file, "x\n");
    }
    let root = workspace.path();
    std::os::unix::fs::symlink("src", root.join("lib")).unwrap();
    std::os::unix::fs::symlink(root.join("src"), root.join("absolute")).unwrap();
    let session = workspace.session();
    for dialect in DIALECTS {
        for (pattern, expected) in [
            ("src/*.rs", &["src/a.rs", "src/b.rs", "src/b2.rs"][..]),
            ("src/*.rs:5", &["src/a.rs", "src/b.rs", "src/b2.rs"]),
            // The path before the `?` exists.
            ("src/?.rs", &["src/a.rs", "src/b.rs"]),
            ("src/b?.rs", &["src/b2.rs"]),
            ("tests/cli?", &["tests/cli2"]),
            ("src/?.rs:5", &["src/a.rs", "src/b.rs"]),
            ("src/?.rs:5-9:raw", &["src/a.rs", "src/b.rs"]),
            // The text before the `?` is the end of a path, `tests/cli/x`.
            ("x?.md", &["xy.md"]),
            ("?rc", &["src"]),
            ("?rc:5", &["src"]),
            ("absolute/b*.rs", &["absolute/b.rs", "absolute/b2.rs"]),
            ("absol*/a.rs", &["absolute/a.rs"]),
            ("li?/a.rs", &["lib/a.rs"]),
            (
                "{src/a,tests/cli2,src/b}*",
                &["src/a.rs", "src/b.rs", "src/b2.rs", "tests/cli2"],
            ),
        ] {
            let outcome = session.read_as(pattern, dialect, &Options::default());
            let failure = outcome.unwrap_err();
            let Reason::NotFound(matches) = failure.reason else {
                panic!("{dialect:?} {pattern}: {}", failure.message)
            };
            assert_eq!(matches, expected, "{dialect:?} {pattern}");
            let hint = failure.hint.unwrap();
            assert!(
                hint.contains("is a pattern"),
                "{dialect:?} {pattern}: {hint}"
            );
        }
        for nothing in ["**/test?.rs", "src/*.py", "src/a.rs?x"] {
            let outcome = session.read_as(nothing, dialect, &Options::default());
            let hint = outcome.unwrap_err().hint.unwrap_or_default();
            assert!(
                !hint.contains("is a pattern"),
                "{dialect:?} {nothing}: {hint}"
            );
        }
        let outcome = session.read_as("src/?.py:5", dialect, &Options::default());
        let reason = outcome.unwrap_err().reason;
        assert!(
            matches!(reason, Reason::NotFound(_)),
            "{dialect:?} {reason:?}"
        );
    }
}

#[test]
fn second_colon_after_an_archive_is_explained() {
    let workspace = Workspace::new();
    workspace.file("x.zip", zip(&[("a.txt", b"text\n")]));
    let session = workspace.session();
    for path in ["x.zip::", "x.zip::a.txt"] {
        let failure = session.read(path).unwrap_err();
        assert_eq!(failure.message, format!("Path '{path}' not found"));
        assert_eq!(
            failure.hint.as_deref(),
            Some("list the archive with `x.zip:`; write the name of a member after one colon")
        );
    }
    for path in ["x.zip?q=select 1", "x.zip:?q=select 1"] {
        let failure = session.read(path).unwrap_err();
        assert!(
            failure
                .message
                .contains("is neither a database nor a table"),
            "{}",
            failure.message
        );
    }
}

/// A name that is not UTF-8 is shown with escape sequences, and is not suggested as a path that
/// can be read.
#[cfg(target_os = "linux")]
#[test]
fn name_that_is_not_utf8_is_explained_in_the_hint() {
    use std::os::unix::ffi::OsStrExt as _;
    let workspace = Workspace::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    std::fs::write(workspace.path().join(name), "x").unwrap();
    let session = workspace.session();
    for dialect in DIALECTS {
        for path in ["caf\\xE9.txt", "cafe.txt"] {
            let failure = session
                .read_as(path, dialect, &Options::default())
                .unwrap_err();
            let hint = failure.hint.expect("a hint");
            assert!(
                hint.starts_with("`caf\\xE9.txt` is a name that is not UTF-8"),
                "{dialect:?} {path}: {hint}"
            );
            let Reason::NotFound(near) = failure.reason else {
                panic!("{dialect:?} {path}: {}", failure.message)
            };
            assert!(near.is_empty(), "{dialect:?} {path}: {near:?}");
        }
    }
    // A backslash in a name is not an escape sequence.
    workspace.file("caf\\xFF.txt", "literal\n");
    let failure = session.read("caf\\xFe.txt").unwrap_err();
    assert!(
        matches!(&failure.reason, Reason::NotFound(near) if near == &["caf\\xFF.txt"]),
        "{:?}",
        failure.reason
    );
}

/// Errors of the operating system are reported as sentences, not as error codes.
#[cfg(target_os = "linux")]
#[test]
fn operating_system_errors_are_sentences() {
    for (root, file, message) in [
        (
            "/proc/self/attr",
            "current",
            "cannot read `current`: the operating system does not let it be read like a file",
        ),
        (
            "/proc/self",
            "mem",
            "`mem` is denied by the rule `secrets of processes`",
        ),
    ] {
        let reader = omniread_tests::builder().root(root).build().unwrap();
        let outcome = reader.session().read(file);
        // A security module may allow the first.
        if let Err(failure) = outcome {
            assert_eq!(failure.message, message);
        } else {
            assert_eq!(file, "current");
        }
    }
}
