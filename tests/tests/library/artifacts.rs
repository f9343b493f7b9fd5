//! Artifacts of a session: what a program stores, and what replies leave out.

use omniread::sessions::{StoreError, StoreFromError, StoreLimits};
use omniread::{Dialect, Options, Reply, Session};
use omniread_tests::Workspace;
use std::io::{self, Read};
use std::path::PathBuf;

fn read(session: &Session, path: &str) -> Reply {
    session
        .read(path)
        .unwrap_or_else(|failure| panic!("{path}: {}", failure.message))
}

/// A directory for a session, outside of the root.
fn directory(workspace: &Workspace) -> PathBuf {
    workspace.path().with_extension("session")
}

/// A stream that cannot be read.
struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("no more"))
    }
}

#[test]
fn stored_content_is_read_like_a_file() {
    let workspace = Workspace::new();
    let session = workspace.session();
    let lines: String = (1..=1000).map(|n| format!("line {n}\n")).collect();
    let url = session.store("make all", "text/plain", lines.as_bytes());
    let url = url.unwrap();
    assert_eq!(url, "artifact://0");
    // The same content of the same source is kept once.
    let again = session.store("make all", "text/plain", lines.as_bytes());
    assert_eq!(again.unwrap(), url);
    let streamed = session.store_from("make all", "text/plain", lines.as_bytes());
    assert_eq!(streamed.unwrap(), url);
    let other = session.store("make test", "text/plain", lines.as_bytes());
    assert_eq!(other.unwrap(), "artifact://1");

    let first = read(&session, &url);
    assert!(first.text().contains("line 300"), "{}", first.text());
    let next = first.details.next.unwrap();
    assert!(next.starts_with("artifact://0:"), "{next}");
    let window = read(&session, "artifact://0:998-999");
    assert!(window.text().contains("line 999"));
    assert!(!window.text().contains('#'), "{}", window.text());
    let list = read(&session, "artifact://");
    assert!(
        list.text().contains("artifact://1  8893 bytes  make test"),
        "{}",
        list.text()
    );
    let sources: Vec<String> = session
        .artifacts()
        .into_iter()
        .map(|it| it.source)
        .collect();
    assert_eq!(sources, ["make all", "make test"]);

    let missing = session.read("artifact://7").unwrap_err();
    assert!(
        missing.message.contains("artifact://7"),
        "{}",
        missing.message
    );
}

#[test]
fn removed_artifact_is_named_as_removed() {
    let workspace = Workspace::new();
    let directory = directory(&workspace);
    let reader = workspace.builder().build().unwrap();
    let limits = StoreLimits::new(10, 2_000_000);
    let session = Session::open(&reader, &directory, limits).unwrap().session;
    for n in 0..3u8 {
        let bytes = vec![b'a' + n; 600_000];
        session.store("s", "text/plain", &bytes).unwrap();
    }
    let removed = session.read("artifact://0").unwrap_err();
    assert!(
        removed
            .message
            .contains("removed to make room for newer ones"),
        "{}",
        removed.message
    );
    let large = session.store("s", "text/plain", &vec![b'x'; 1_000_001]);
    assert_eq!(
        large,
        Err(StoreError::ArtifactTooLarge { limit: 1_000_000 })
    );
    assert_eq!(session.artifacts().len(), 1);

    let failed = session.store_from("s", "text/plain", (&b"start"[..]).chain(Failing));
    assert!(matches!(failed, Err(StoreFromError::Read(_))));
    assert_eq!(session.artifacts().len(), 1);
    drop(session);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn window_of_a_large_artifact_is_streamed() {
    let workspace = Workspace::new();
    let directory = directory(&workspace);
    let reader = workspace.builder().build().unwrap();
    let session = Session::open(&reader, &directory, StoreLimits::DISK)
        .unwrap()
        .session;
    // It is larger than the memory of a read.
    let size = 530_000_000;
    let url = session
        .store_from("log", "text/plain", io::repeat(b'\n').take(size))
        .unwrap();
    let end = read(&session, &format!("{url}:-3"));
    assert!(end.details.next.is_none());
    assert_eq!(session.artifacts()[0].size, size);
    drop(session);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn whole_text_of_a_cut_document_is_an_artifact() {
    let workspace = Workspace::new();
    let items: String = (1..=400).map(|n| format!("<p>Paragraph {n}</p>")).collect();
    workspace.file("long.html", format!("<!DOCTYPE html><body>{items}</body>"));
    let session = workspace.session();
    let options = Options::default();
    let cut = session
        .read_as("long.html:", Dialect::Omp, &options)
        .unwrap();
    let next = cut.details.next.clone().unwrap();
    assert!(cut.text().contains("`artifact://0`"), "{}", cut.text());
    // The next page names the same artifact.
    let later = session.read_as(&next, Dialect::Omp, &options).unwrap();
    assert!(!later.text().contains("artifact://1"));
    assert!(
        read(&session, "artifact://0:-3")
            .text()
            .contains("Paragraph 400")
    );
    assert_eq!(session.artifacts().len(), 1);
}

#[test]
fn text_of_a_file_that_may_not_be_read_any_more_is_not_shown() {
    let workspace = Workspace::new();
    let items: String = (1..=400).map(|n| format!("<p>Paragraph {n}</p>")).collect();
    workspace.file(
        "sub/long.html",
        format!("<!DOCTYPE html><body>{items}</body>"),
    );
    workspace.file("sub/other.txt", "text\n");
    let session = workspace.session();
    let cut = session.read("sub/long.html:").unwrap();
    assert!(cut.text().contains("`artifact://0`"), "{}", cut.text());
    read(&session, "sub/other.txt");
    session.store("make all", "text/plain", b"output").unwrap();
    let others = Workspace::new();
    let denied = workspace.builder().deny("*.html").build().unwrap();
    let outside = others.builder().build().unwrap();
    for (reader, files) in [(&denied, 1), (&outside, 0)] {
        let session = session.with_reader(reader);
        let failure = session.read("artifact://0:5-7").unwrap_err();
        assert!(!failure.text.contains("Paragraph"), "{}", failure.text);
        let list = read(&session, "artifact://");
        assert!(!list.text().contains("long.html"), "{}", list.text());
        assert!(list.text().contains("(1 not listed"), "{}", list.text());
        assert!(read(&session, "artifact://1").text().contains("output"));
        assert_eq!(session.artifacts().len(), 1);
        assert_eq!(session.shown_files().len(), files);
        assert_eq!(session.hidden_files(), 2 - files);
    }
    assert!(
        read(&session, "artifact://0:5-7")
            .text()
            .contains("Paragraph")
    );
}

#[test]
fn conflict_of_a_session_is_read_by_its_number() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "<<<<<<< a\nours\n=======\ntheirs\n>>>>>>> b\n");
    let session = workspace.session();
    let unknown = session.read("conflict://1").unwrap_err();
    assert!(unknown.hint.unwrap().contains("`PATH:conflict:1`"));
    read(&session, "a.txt");
    let side = read(&session, "conflict://1/theirs");
    assert!(side.text().starts_with("theirs"), "{}", side.text());
    let other = session.with_handle(&omniread::sessions::Handle::new("other").unwrap());
    assert!(other.read("conflict://1").is_err());
}
