//! Sessions: the snapshots of files that were read, and whether a file changed since.

use image::ImageFormat;
use omniread::files::Staleness;
use omniread::sessions::{Handle, StoreLimits};
use omniread::{Dialect, Options, Reason, Session};
use omniread_tests::image::{drawing, encoded};
use omniread_tests::{DIALECTS, Workspace};
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

fn read(session: &Session, dialect: Dialect, path: &str) {
    session
        .read_as(path, dialect, &Options::default())
        .unwrap_or_else(|failure| panic!("{path}: {}", failure.message));
}

/// Sets the modification time of a file to `seconds` seconds ago.
fn aged(path: &Path, seconds: u64) {
    let time = SystemTime::now() - Duration::from_secs(seconds);
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(time)
        .unwrap();
}

#[test]
fn file_changed_since_a_read_is_stale() {
    for dialect in DIALECTS {
        let workspace = Workspace::new();
        let session = workspace.session();
        let path = workspace.path().join("f");
        workspace.file("f", "one\ntwo\n");
        aged(&path, 100);
        assert_eq!(session.stale("f").unwrap(), Staleness::Unread);
        read(&session, dialect, "f");
        for name in ["f", "./f", &path.display().to_string()] {
            assert_eq!(session.stale(name).unwrap(), Staleness::Same, "{name}");
        }
        // Other bytes of the same size, at another time.
        fs::write(&path, "one\nTWO\n").unwrap();
        aged(&path, 50);
        assert_eq!(
            session.stale("f").unwrap(),
            Staleness::Changed,
            "{dialect:?}"
        );
        read(&session, dialect, "f");
        assert_eq!(session.stale("f").unwrap(), Staleness::Same);
        // More bytes at the same time.
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "one\ntwo\nthree\n").unwrap();
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(modified)
            .unwrap();
        assert_eq!(
            session.stale("f").unwrap(),
            Staleness::Changed,
            "{dialect:?}"
        );
        fs::remove_file(&path).unwrap();
        for name in [
            "f",
            "f:1-2",
            "a/../f",
            &format!("file://{}", path.display()),
        ] {
            assert_eq!(session.stale(name).unwrap(), Staleness::Gone, "{name}");
        }
        assert!(session.stale("f").unwrap().is_stale());
        assert_eq!(session.stale("never").unwrap(), Staleness::Unread);
    }
}

/// A file with another modification time and the same content is not stale, because its hash or tag
/// (a short hash for edit tools) is the same.
#[test]
fn new_modification_time_alone_is_not_stale() {
    for dialect in [Dialect::Gateway, Dialect::Comma, Dialect::Omp] {
        let workspace = Workspace::new();
        let session = workspace.session();
        workspace.file("f", "one\n");
        aged(&workspace.path().join("f"), 100);
        read(&session, dialect, "f");
        aged(&workspace.path().join("f"), 50);
        let staleness = session.stale("f").unwrap();
        assert_eq!(staleness, Staleness::Touched, "{dialect:?}");
        assert!(!staleness.is_stale());
    }
}

/// A change is detected even if the modification time of the file is the same, as after two writes
/// within the resolution of the file system's clock.
#[test]
fn change_within_clock_resolution_is_stale() {
    for dialect in [Dialect::Gateway, Dialect::Comma, Dialect::Omp] {
        let workspace = Workspace::new();
        let session = workspace.session();
        let path = workspace.path().join("f");
        workspace.file("f", "one\n");
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        read(&session, dialect, "f");
        assert_eq!(session.stale("f").unwrap(), Staleness::Same);
        fs::write(&path, "two\n").unwrap();
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(modified)
            .unwrap();
        assert_eq!(
            session.stale("f").unwrap(),
            Staleness::Changed,
            "{dialect:?}"
        );
    }
}

#[test]
fn snapshot_contains_shown_lines_tag_and_hash() {
    let workspace = Workspace::new();
    workspace
        .file("f", "1\n2\n3\n4\n5\n")
        .file("p.png", encoded(drawing(6, 9), ImageFormat::Png));
    aged(&workspace.path().join("f"), 100);
    let session = workspace.session();
    let path = workspace.path().join("f").display().to_string();
    let before = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap();
    read(&session, Dialect::Omp, "f:1,2");
    read(&session, Dialect::Gateway, "f:4-5");
    let snapshot = session.snapshot(&path).unwrap();
    assert_eq!(snapshot.shown, [(1, 2), (4, 5)]);
    assert_eq!(snapshot.tag.map(|tag| tag.len()), Some(4));
    assert_eq!(snapshot.sha256.map(|hash| hash.len()), Some(64));
    assert_eq!(snapshot.size, Some(10));
    assert!(u128::from(snapshot.read) >= before.as_millis());
    read(&session, Dialect::Gateway, "p.png");
    let image = session
        .snapshot(workspace.path().join("p.png").display().to_string())
        .unwrap();
    assert!(image.sha256.is_some() && image.shown.is_empty());
}

#[test]
fn session_remembers_thirty_files() {
    let workspace = Workspace::new();
    let session = workspace.session();
    for n in 0..31 {
        workspace.file(&format!("{n}"), "x\n");
        read(&session, Dialect::Claude, &format!("{n}"));
    }
    assert_eq!(session.stale("0").unwrap(), Staleness::Unread);
    assert_ne!(session.stale("1").unwrap(), Staleness::Unread);
    assert_ne!(session.stale("30").unwrap(), Staleness::Unread);
}

/// If the read of a file failed, the session has no snapshot of the file, which is the record of
/// its shown lines.
#[test]
fn refused_file_stays_unread() {
    let workspace = Workspace::new();
    workspace.file("binary", "a\0b").file("a:b", "x\n");
    let session = workspace.session();
    for dialect in [
        Dialect::Gateway,
        Dialect::Comma,
        Dialect::Gemini,
        Dialect::Claude,
    ] {
        assert!(
            session
                .read_as("binary", dialect, &Options::default())
                .is_err()
        );
        assert_eq!(session.stale("binary").unwrap(), Staleness::Unread);
    }
    read(&session, Dialect::Omp, "a\\:b");
    fs::remove_file(workspace.path().join("a:b")).unwrap();
    assert_eq!(session.stale("a\\:b").unwrap(), Staleness::Gone);
}

/// The check whether a file has changed needs the same permissions as a read.
#[test]
fn unreadable_file_cannot_be_compared() {
    let workspace = Workspace::new();
    workspace.file("secret", "x\n").directory("folder");
    let session = workspace
        .builder()
        .deny("secret")
        .build()
        .unwrap()
        .session();
    assert!(matches!(
        session.stale("secret").unwrap_err().reason,
        Reason::Denied(_)
    ));
    assert!(matches!(
        session.stale("/etc/passwd").unwrap_err().reason,
        Reason::OutsideRoots(_)
    ));
    assert!(matches!(
        session.stale("folder").unwrap_err().reason,
        Reason::Directory(_)
    ));
    assert!(session.current("secret", true).is_err());
}

/// The function `current` returns the size of a file, its tag (a short hash for edit tools) and its
/// SHA-256.
#[test]
fn current_state_has_size_tag_and_hash() {
    let workspace = Workspace::new();
    workspace.file("f", "hello\nworld\n");
    let session = workspace.session();
    let current = |path: &str, content| session.current(path, content).unwrap();
    let stamp = current("f", true).stamp.unwrap();
    assert_eq!(stamp.size, 12);
    assert_eq!(stamp.tag.as_deref(), Some("3030"));
    assert_eq!(
        stamp.sha256.as_deref(),
        Some("4a1e67f2fe1d1cc7b31d0ca2ec441da4778203a036a77da10344c85e24ff0f92")
    );
    let stamp = current("f", false).stamp.unwrap();
    assert_eq!((stamp.sha256, stamp.tag), (None, None));
    let missing = current("no", false);
    assert_eq!(
        missing.resolved_path,
        workspace.path().join("no").display().to_string()
    );
    assert!(missing.stamp.is_none());
}

/// What a session in a directory keeps is there for the next process.
#[test]
fn session_on_disk_outlives_its_reader() {
    let (workspace, state) = (Workspace::new(), Workspace::new());
    workspace.file("f", "one\ntwo\nthree\n");
    aged(&workspace.path().join("f"), 100);
    let directory = state.path().join("state");
    let open = || {
        let reader = workspace.builder().build().unwrap();
        let opened = Session::open(&reader, &directory, StoreLimits::DISK).unwrap();
        assert_eq!(opened.set_aside, None);
        opened.session
    };
    open().read("f:1-2").unwrap();
    let session = open();
    let path = workspace.path().join("f");
    let snapshot = session.snapshot(&path).unwrap();
    assert_eq!(snapshot.shown, [(1, 3)]);
    assert_eq!(snapshot.text, ["one\ntwo\nthree"]);
    assert!(snapshot.sha256.is_some());
    assert_eq!(session.stale("f").unwrap(), Staleness::Same);
    assert_eq!(session.shown_files().len(), 1);
    let other = session.with_handle(&Handle::new("other").unwrap());
    assert_eq!(other.stale("f").unwrap(), Staleness::Unread);
    session.clear().unwrap();
    assert_eq!(open().stale("f").unwrap(), Staleness::Unread);
}

/// Changes have the numbers of the lines as they were shown, and those of the lines now.
#[test]
fn changes_of_another_program_are_reported_by_line() {
    let workspace = Workspace::new();
    workspace.file("f", "one\ntwo\nthree\n");
    let session = workspace.session();
    session.read("f").unwrap();
    assert_eq!(session.changes("f").unwrap().staleness, Staleness::Same);
    fs::write(workspace.path().join("f"), "one\nTWO\nthree\nfour\n").unwrap();
    let changes = session.changes("f").unwrap();
    assert_eq!(changes.staleness, Staleness::Changed);
    let lines: Vec<_> = changes
        .hunks
        .iter()
        .map(|hunk| {
            (
                hunk.old_first,
                hunk.old.concat(),
                hunk.new_first,
                hunk.new.concat(),
            )
        })
        .collect();
    let text = str::to_owned;
    assert_eq!(
        lines,
        [
            (2, text("two"), 2, text("TWO")),
            (4, String::new(), 4, text("four")),
        ]
    );
    // The comparison is not a read that the model has seen.
    assert_eq!(session.stale("f").unwrap(), Staleness::Changed);
    session.read("f").unwrap();
    assert_eq!(session.changes("f").unwrap().staleness, Staleness::Same);
}

/// An edit tool moves the state with which files are compared.
#[test]
fn own_edit_is_not_a_change() {
    let workspace = Workspace::new();
    workspace.file("f", "one\n");
    let session = workspace.session();
    session.read("f").unwrap();
    fs::write(workspace.path().join("f"), "two\n").unwrap();
    session.record_write("f", b"two\n").unwrap();
    assert_eq!(session.stale("f").unwrap(), Staleness::Same);
    let snapshot = session.snapshot(workspace.path().join("f")).unwrap();
    assert_eq!(snapshot.text, ["two"]);
    assert_eq!(snapshot.tag.map(|tag| tag.len()), Some(4));
    // Another program writes after the edit tool.
    fs::write(workspace.path().join("f"), "six\n").unwrap();
    assert_eq!(session.stale("f").unwrap(), Staleness::Changed);
}

/// A state that cannot be used is set aside, and reads go on.
#[test]
fn damaged_state_is_set_aside() {
    let (workspace, state) = (Workspace::new(), Workspace::new());
    workspace.file("f", "one\n");
    let directory = state.path().join("state");
    let reader = workspace.builder().build().unwrap();
    let open = || Session::open(&reader, &directory, StoreLimits::DISK).unwrap();
    open().session.read("f").unwrap();
    fs::write(
        directory.join("session.db"),
        "not a database, but some text\n".repeat(100),
    )
    .unwrap();
    for file in ["session.db-wal", "session.db-shm"] {
        let _ = fs::remove_file(directory.join(file));
    }
    let opened = open();
    let aside = opened.set_aside.unwrap();
    assert!(aside.path.exists());
    assert_eq!(opened.session.stale("f").unwrap(), Staleness::Unread);
    opened.session.read("f").unwrap();
    assert_eq!(opened.session.stale("f").unwrap(), Staleness::Same);
}

/// Text of a file that may not be read any more is not shown, also if a symlink led to it.
#[cfg(unix)]
#[test]
fn text_of_a_file_that_is_denied_now_is_not_kept() {
    let (workspace, state) = (Workspace::new(), Workspace::new());
    workspace
        .file("private/secret.txt", "secret\n")
        .file("allowed.txt", "allowed\n")
        .link("link.txt", "private/secret.txt");
    let directory = state.path().join("state");
    let open = |deny: &[&str]| {
        let builder = deny
            .iter()
            .fold(workspace.builder(), omniread::Builder::deny);
        let reader = builder.build().unwrap();
        Session::open(&reader, &directory, StoreLimits::DISK)
            .unwrap()
            .session
    };
    open(&[]).read("link.txt").unwrap();
    let link = workspace.path().join("link.txt");
    fs::remove_file(&link).unwrap();
    workspace.link("link.txt", "allowed.txt");
    assert!(open(&[]).snapshot(&link).is_some());
    let denying = open(&["private/"]);
    assert_eq!(denying.snapshot(&link), None);
    assert_eq!(denying.stale("link.txt").unwrap(), Staleness::Unread);
}

/// Exact text and text of other dialects is compared with the same form of the file.
#[test]
fn line_endings_and_hidden_characters_are_no_changes() {
    for path in ["f:raw", "f"] {
        let workspace = Workspace::new();
        workspace.file("f", "a\r\nb\u{200b}c\r\n\r\n");
        let session = workspace.session();
        session.read(path).unwrap();
        let mut text = fs::read(workspace.path().join("f")).unwrap();
        text.extend_from_slice(b"new\r\n");
        fs::write(workspace.path().join("f"), text).unwrap();
        let changes = session.changes("f").unwrap();
        let new: Vec<_> = changes
            .hunks
            .iter()
            .map(|hunk| (hunk.old.len(), hunk.new.join("|")))
            .collect();
        assert_eq!(new, [(0, "new".to_owned())], "{path}");
    }
}

/// Without hash and tag, the lines that were shown decide whether a file has changed.
#[test]
fn touched_file_without_a_hash_is_not_changed() {
    let workspace = Workspace::new();
    let lines: String = (0..200_000).map(|n| format!("line {n}\n")).collect();
    workspace.file("f", &lines);
    let session = workspace.session();
    read(&session, Dialect::Claude, "f");
    aged(&workspace.path().join("f"), 50);
    assert_eq!(session.stale("f").unwrap(), Staleness::Touched);
    fs::write(
        workspace.path().join("f"),
        lines.replace("line 7\n", "line x\n"),
    )
    .unwrap();
    assert_eq!(session.stale("f").unwrap(), Staleness::Changed);
    let files = session.shown_files();
    assert_eq!(session.stale_file(&files[0]), Staleness::Changed);
    fs::remove_file(workspace.path().join("f")).unwrap();
    assert_eq!(session.stale_file(&files[0]), Staleness::Gone);
}
