//! A store that is cut or overwritten: it opens, and what it answers is right or missing.

use crate::support::{Place, Random, handle, snapshot};
use omniread_store::{Handle, Opened, Store, StoreLimits};
use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

const ENTRIES: u8 = 5;

fn value(n: u8) -> Vec<u8> {
    (0..5000_u32).map(|k| k.to_le_bytes()[0] ^ n).collect()
}

fn text(n: u8) -> String {
    format!("line {n} ").repeat(120)
}

/// Writes to a store. Every entry is one write.
fn fill(store: &Store, client: &Handle) {
    for n in 0..ENTRIES {
        assert!(store.put(client, &n.to_string(), &value(n)));
        assert!(store.remember(client, snapshot(&format!("/{n}"), n, 1, &text(n))));
    }
    let mut writer = store.artifact(client, "s", "m");
    writer.write(&value(99)).unwrap();
    writer.finish().unwrap();
}

/// Checks that all answers are right or missing. Returns the number of answers.
fn check(store: &Store, client: &Handle) -> usize {
    let mut found = 0;
    for n in 0..ENTRIES {
        if let Some(bytes) = store.get(client, &n.to_string()) {
            assert!(bytes == value(n));
            found += 1;
        }
        for version in store.snapshots(client, &format!("/{n}")) {
            let mut expected = snapshot(&format!("/{n}"), n, 1, &text(n));
            if version.text_left_out {
                assert!(version.runs.is_empty() || version.runs == expected.runs);
                expected.runs.clone_from(&version.runs);
                expected.text_left_out = true;
            } else {
                found += 1;
            }
            assert!(version == expected, "{version:?} {expected:?}");
        }
    }
    if let Ok(artifact) = store.open_artifact(client, 0) {
        match artifact.read(0, usize::MAX) {
            Ok(bytes) => {
                assert!(bytes == value(99));
                found += 1;
            }
            Err(error) => assert!(error.to_string().contains("damaged"), "{error}"),
        }
    }
    found
}

const ALL: usize = 2 * ENTRIES as usize + 1;

/// Moves the log to the database, and removes it.
fn settle(place: &Place) {
    let connection = rusqlite::Connection::open(place.file("session.db")).unwrap();
    let moved = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    moved.unwrap();
}

fn copy(from: &Place, to: &Place) {
    let _ = fs::remove_dir_all(to.path());
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(to.path()).unwrap();
    for name in ["session.db", "session.db-wal"] {
        if from.file(name).exists() {
            fs::copy(from.file(name), to.file(name)).unwrap();
        }
    }
}

fn cut(path: &Path, bytes: u64) {
    OpenOptions::new()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(bytes)
        .unwrap();
}

/// Opens a store twice, and checks its answers: all of them if nothing was set aside.
fn check_whole_or_set_aside(place: &Place, client: &Handle, what: &str) {
    let Opened { store, set_aside } = Store::open(place.path(), StoreLimits::DISK).unwrap();
    let found = check(&store, client);
    assert_eq!(found, if set_aside.is_some() { 0 } else { ALL }, "{what}");
    assert!(store.put(client, "new", b"value"), "{what}");
    drop(store);
    let again = Store::open(place.path(), StoreLimits::DISK).unwrap();
    assert_eq!(again.set_aside, None, "{what}");
    assert!(again.store.get(client, "new").is_some(), "{what}");
}

#[test]
fn database_that_is_cut_anywhere_is_set_aside() {
    let (place, copied) = (Place::new(), Place::new());
    let client = handle("client");
    let store = Store::open(place.path(), StoreLimits::DISK).unwrap().store;
    fill(&store, &client);
    drop(store);
    settle(&place);
    let size = fs::metadata(place.file("session.db")).unwrap().len();
    for bytes in (0..=size).step_by(100).chain([size - 1, size]) {
        copy(&place, &copied);
        cut(&copied.file("session.db"), bytes);
        check_whole_or_set_aside(&copied, &client, &format!("{bytes} of {size}"));
    }
}

#[test]
fn log_that_is_cut_anywhere_loses_only_the_last_writes() {
    let (place, copied) = (Place::new(), Place::new());
    let client = handle("client");
    let store = Store::open(place.path(), StoreLimits::DISK).unwrap().store;
    fill(&store, &client);
    drop(store);
    let log = "session.db-wal";
    let size = fs::metadata(place.file(log)).unwrap().len();
    let mut before = 0;
    for bytes in (0..=size).step_by(100).chain([size]) {
        copy(&place, &copied);
        cut(&copied.file(log), bytes);
        let Opened { store, set_aside } = Store::open(copied.path(), StoreLimits::DISK).unwrap();
        assert_eq!(set_aside, None);
        let found = check(&store, &client);
        assert!(found >= before, "a longer log has more");
        assert_eq!(store.dropped().reads, 0);
        before = found;
    }
    assert_eq!(before, ALL);
}

#[test]
fn store_with_overwritten_bytes_answers_right_or_not_at_all() {
    let (place, copied) = (Place::new(), Place::new());
    let client = handle("client");
    let store = Store::open(place.path(), StoreLimits::DISK).unwrap().store;
    fill(&store, &client);
    drop(store);
    settle(&place);
    let size = fs::metadata(place.file("session.db")).unwrap().len();
    let mut random = Random::new(5);
    for round in 0..400 {
        copy(&place, &copied);
        let mut file = OpenOptions::new()
            .write(true)
            .open(copied.file("session.db"))
            .unwrap();
        file.seek(SeekFrom::Start(random.below(size))).unwrap();
        let count = [1, 16, 600, 9000][random.index(4)];
        let zero = random.below(2) == 0;
        let bytes = (0..count).map(|_| {
            if zero {
                0
            } else {
                random.below(256).to_le_bytes()[0]
            }
        });
        let bytes: Vec<u8> = bytes.collect();
        file.write_all(&bytes).unwrap();
        drop(file);
        // The second and third process know what the one before found.
        for _ in 0..3 {
            let opened = Store::open(copied.path(), StoreLimits::DISK).unwrap();
            check(&opened.store, &client);
            opened.store.put(&client, "new", b"value");
        }
        let opened = Store::open(copied.path(), StoreLimits::DISK).unwrap();
        assert!(opened.store.put(&client, "new", b"value"), "round {round}");
    }
}
