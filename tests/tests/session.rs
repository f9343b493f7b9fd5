//! What a session knows of the files that were read in it.

#![allow(missing_docs, reason = "a test")]

use image::ImageFormat;
use omniread::{Dialect, Options, Reason, Session, Staleness};
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

/// Gives a file a time of change that lies so many seconds back.
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
fn changes_since_a_read_are_told() {
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
        // Other bytes of the same number, at another time.
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

/// A file that was only written again is not stale: its hash or tag tells.
#[test]
fn a_new_time_alone_is_no_change() {
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

/// A write within the grain of the clock bears the time of the one before it.
#[test]
fn a_change_at_the_same_time_is_seen() {
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
fn what_was_read_is_kept() {
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
        .snapshot(&workspace.path().join("p.png").display().to_string())
        .unwrap();
    assert!(image.sha256.is_some() && image.shown.is_empty());
}

#[test]
fn thirty_files_are_remembered() {
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

/// A file that was refused was not read.
#[test]
fn what_was_refused_was_not_read() {
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

/// The question reaches no further than a read does.
#[test]
fn what_cannot_be_read_cannot_be_compared() {
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

/// What an edit tool compares with.
#[test]
fn the_state_of_a_file_is_told() {
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
