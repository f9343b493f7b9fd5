//! Tests that need the connection of a store: a full, read-only, busy or damaged disk, and upkeep.

use super::directory::Access;
use super::open::Log;
use super::*;
use crate::error::Problem;
use crate::limits::CHUNK_BYTES;
use crate::snapshot::Run;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

fn note_shown(disk: &Disk, handle: &Handle, key: &[u8; 32], path: &str) -> bool {
    let reply = NewReply {
        content: [7; 32],
        path,
        generation: disk.generation(handle),
    };
    disk.note_shown(handle, key, &reply)
}

/// A directory that is removed at the end of a test.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("omniread-store-disk-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn open(&self) -> (Disk, Option<SetAside>) {
        Disk::open(&self.0, StoreLimits::DISK).unwrap()
    }

    fn other(&self) -> Connection {
        Connection::open(self.0.join("session.db")).unwrap()
    }

    /// Moves the log to the database, which then has everything.
    fn settle(&self) {
        let connection = self.other();
        let moved = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        moved.unwrap();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn snapshot(path: &str, text: &str) -> Snapshot {
    Snapshot {
        runs: vec![Run {
            first: 1,
            lines: vec![text.to_owned()],
        }],
        ..Snapshot::new(path)
    }
}

fn draft() -> Draft {
    Draft {
        handle: Handle::default(),
        source: "s".to_owned(),
        real: None,
        mime: "m".to_owned(),
        id: None,
        parts: 0,
        size: 0,
    }
}

/// Checks that reads go on with a store to which nothing can be written.
fn check_without_writes(disk: &Disk, problem: Problem) {
    let handle = Handle::default();
    let long = "x".repeat(1 << 20);
    assert!(!disk.remember(&handle, snapshot("/new", &long)));
    assert!(!disk.put(&handle, "old", long.as_bytes()));
    assert_eq!(disk.get(&handle, "old"), None, "it is out of date");
    assert_eq!(disk.get(&handle, "kept"), Some(b"value".to_vec()));
    assert_eq!(disk.versions(&handle, "/old", None).len(), 1);
    let refused = disk.append(&mut draft(), long.as_bytes());
    assert_eq!(refused, Err(StoreError::Write(problem)));
    assert!(disk.dropped().writes() >= 3);
}

fn fill(disk: &Disk) {
    let handle = Handle::default();
    assert!(disk.remember(&handle, snapshot("/old", "text")));
    assert!(disk.put(&handle, "old", b"value"));
    assert!(disk.put(&handle, "kept", b"value"));
    assert!(note_shown(disk, &handle, &[1; 32], "/old"));
}

#[test]
fn full_disk_drops_writes_and_reads_go_on() {
    let place = Place::new();
    let (disk, _) = place.open();
    fill(&disk);
    let state = disk.state();
    let pages = schema::pragma(&state.connection, "page_count").unwrap();
    let full = format!("PRAGMA max_page_count = {}", pages + 1);
    state.connection.query_row(&full, [], |_| Ok(())).unwrap();
    drop(state);
    check_without_writes(&disk, Problem::Full);
    assert_eq!(disk.dropped().full, disk.dropped().writes());
}

#[test]
fn read_only_store_drops_writes_and_reads_go_on() {
    let place = Place::new();
    let (disk, _) = place.open();
    fill(&disk);
    drop(disk);
    let directory = Directory::new(&place.0).unwrap();
    let opened = open::open_as(&directory, StoreLimits::DISK, Access::ReadOnly);
    let disk = Disk::new(directory, StoreLimits::DISK, opened.unwrap().0);
    check_without_writes(&disk, Problem::ReadOnly);
    assert_eq!(disk.dropped().read_only, disk.dropped().writes());
    // No reply of an earlier generation counts as shown, although the new one cannot be written.
    let handle = Handle::default();
    assert!(disk.shown(&handle, &[1; 32]).is_some());
    let refused = Err(StoreError::Generation(Problem::ReadOnly));
    assert_eq!(disk.start_generation(&handle), refused);
    assert_eq!(disk.start_generation(&handle), refused);
    assert_eq!(disk.generation(&handle), 1);
    assert!(disk.shown(&handle, &[1; 32]).is_none());
}

#[test]
fn read_only_directory_without_a_store_is_an_error() {
    let place = Place::new();
    let directory = Directory::new(&place.0).unwrap();
    fs::write(place.0.join("session.db"), "no database").unwrap();
    let opened = open::open_as(&directory, StoreLimits::DISK, Access::ReadOnly);
    assert!(opened.is_err());
    assert!(place.0.join("session.db").exists());
}

#[test]
fn busy_store_drops_writes_after_a_short_wait() {
    let place = Place::new();
    let (disk, _) = place.open();
    fill(&disk);
    let other = place.other();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = Instant::now();
    let handle = Handle::default();
    assert!(!note_shown(&disk, &handle, &[2; 32], "/new"));
    assert!(start.elapsed().as_millis() >= 40);
    assert_eq!(disk.dropped().busy, 1);
    assert_eq!(disk.get(&handle, "kept"), Some(b"value".to_vec()));
    // Those after it do not wait, in any thread.
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert!(!note_shown(&disk, &handle, &[2; 32], "/new"));
                }
            });
        }
    });
    assert!(start.elapsed().as_millis() < 1000, "{:?}", start.elapsed());
    assert_eq!(disk.dropped().busy, 81);
    // Earlier replies may not be the last ones any more.
    assert_eq!(disk.shown(&handle, &[1; 32]), None);
    let refused = Err(StoreError::Generation(Problem::Busy));
    assert_eq!(disk.start_generation(&handle), refused);
    assert_eq!(disk.shown(&handle, &[1; 32]), None);
    other.execute_batch("COMMIT").unwrap();
    // The next write starts the generation.
    assert!(note_shown(&disk, &handle, &[2; 32], "/new"));
    assert_eq!(disk.shown(&handle, &[2; 32]).unwrap().generation, 1);
    drop(disk);
    assert_eq!(place.open().0.generation(&handle), 1);
}

#[test]
fn generation_starts_after_the_write_of_another_process() {
    let place = Place::new();
    let (disk, _) = place.open();
    let other = place.other();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    thread::scope(|scope| {
        let started = scope.spawn(|| disk.start_generation(&Handle::default()));
        thread::sleep(std::time::Duration::from_millis(300));
        // Reads of other threads do not wait for it.
        let start = Instant::now();
        assert_eq!(disk.get(&Handle::default(), "none"), None);
        assert!(start.elapsed().as_millis() < 200, "{:?}", start.elapsed());
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(started.join().unwrap(), Ok(1));
    });
    assert_eq!(disk.dropped().writes(), 0);
}

/// Overwrites the page of the database that contains a text.
fn overwrite(place: &Place, text: &str, with: &[u8]) {
    place.settle();
    let path = place.0.join("session.db");
    let mut bytes = fs::read(&path).unwrap();
    let found = bytes
        .windows(text.len())
        .position(|part| part == text.as_bytes());
    let page = found.unwrap() / 4096 * 4096;
    bytes[page..page + with.len()].copy_from_slice(with);
    fs::write(&path, bytes).unwrap();
}

#[test]
fn damaged_value_is_not_returned_and_others_are() {
    let place = Place::new();
    let (disk, _) = place.open();
    fill(&disk);
    let handle = Handle::default();
    // The last page of the value has no structure that SQLite could check.
    let value = format!("{}MARK", "x".repeat(20_000));
    disk.put(&handle, "long", value.as_bytes());
    disk.remember(&handle, snapshot("/long", &value.replace("MARK", "LINE")));
    drop(disk);
    overwrite(&place, "MARK", &[0; 4096]);
    overwrite(&place, "LINE", &[0; 4096]);
    let (disk, aside) = place.open();
    assert_eq!(aside, None);
    assert_eq!(disk.get(&handle, "long"), None);
    assert_eq!(disk.get(&handle, "kept"), Some(b"value".to_vec()));
    let long = disk.versions(&handle, "/long", None);
    assert!(long[0].text_left_out && long[0].runs.is_empty());
    assert_eq!(disk.versions(&handle, "/old", None).len(), 1);
    assert_eq!(disk.dropped().reads, 2);
    // Later writes replace them.
    assert!(disk.put(&handle, "long", b"new"));
    assert_eq!(disk.get(&handle, "long"), Some(b"new".to_vec()));
}

#[test]
fn damaged_table_is_noticed_at_a_read_and_set_aside() {
    let place = Place::new();
    let (disk, _) = place.open();
    fill(&disk);
    drop(disk);
    overwrite(&place, "kept", &[0xff; 64]);
    let (disk, aside) = place.open();
    assert_eq!(aside, None);
    let (other, _) = place.open();
    let handle = Handle::default();
    assert_eq!(disk.get(&handle, "kept"), None);
    assert_eq!(disk.dropped().reads, 1);
    assert_eq!(disk.set_aside(), None);
    // The next access opens it again.
    assert!(disk.put(&handle, "new", b"value"));
    assert_eq!(disk.set_aside().unwrap().reason, "it is damaged");
    assert_eq!(disk.get(&handle, "new"), Some(b"value".to_vec()));
    // A process that had not noticed follows.
    assert_eq!(other.get(&handle, "new"), Some(b"value".to_vec()));
    assert_eq!(other.set_aside(), None);
    drop((disk, other));
    let (disk, aside) = place.open();
    assert_eq!(aside, None);
    assert_eq!(disk.get(&handle, "new"), Some(b"value".to_vec()));
}

#[test]
fn damaged_table_is_noticed_by_a_process_and_set_aside_by_the_next_one() {
    let place = Place::new();
    let (disk, _) = place.open();
    fill(&disk);
    drop(disk);
    overwrite(&place, "kept", &[0xff; 64]);
    let (disk, _) = place.open();
    assert_eq!(disk.get(&Handle::default(), "kept"), None);
    drop(disk);
    let (disk, aside) = place.open();
    assert_eq!(aside.unwrap().reason, "it is damaged");
    assert!(disk.put(&Handle::default(), "new", b"value"));
}

#[test]
fn artifact_of_a_store_that_was_replaced_is_not_mixed_with_another() {
    let place = Place::new();
    let (disk, _) = place.open();
    let handle = Handle::default();
    let mut whole = draft();
    assert_eq!(disk.finish(&mut whole, &[1]), Ok(0));
    let (opened, _) = disk.open_artifact(&handle, 0).unwrap();
    let mut left = draft();
    disk.append(&mut left, &[1; 9]).unwrap();
    fs::remove_dir_all(&place.0).unwrap();
    let (other, _) = place.open();
    assert_eq!(other.finish(&mut draft(), &[2]), Ok(0));
    let mut present = draft();
    other.append(&mut present, &[2; 9]).unwrap();
    // What is open stays as it was.
    assert_eq!(opened.part(0), Ok(vec![1]));
    assert_eq!(disk.append(&mut left, &[1; 9]), Err(StoreError::Cleared));
    disk.abandon(left.id.unwrap());
    assert_eq!(other.finish(&mut present, &[]), Ok(1));
    let (opened, summary) = disk.open_artifact(&handle, 1).unwrap();
    assert_eq!(summary.size, 9);
    assert_eq!(opened.part(0), Ok(vec![2; 9]));
}

#[test]
fn process_whose_directory_was_removed_follows_to_the_new_one() {
    let place = Place::new();
    let (disk, _) = place.open();
    fill(&disk);
    fs::remove_dir_all(&place.0).unwrap();
    // The open files go on. Another process makes a new store.
    assert!(disk.get(&Handle::default(), "kept").is_some());
    let (other, _) = place.open();
    assert!(other.put(&Handle::default(), "new", b"value"));
    assert!(disk.get(&Handle::default(), "new").is_some());
}

#[test]
fn mark_of_damage_is_removed_if_all_pages_are_sound() {
    let place = Place::new();
    let (disk, _) = place.open();
    fill(&disk);
    drop(disk);
    fs::write(place.0.join("session.db.damaged"), "").unwrap();
    let (disk, aside) = place.open();
    assert_eq!(aside, None);
    assert!(disk.get(&Handle::default(), "kept").is_some());
    assert!(!place.0.join("session.db.damaged").exists());
}

#[test]
fn parts_of_a_killed_process_are_removed_later() {
    let place = Place::new();
    let (disk, _) = place.open();
    let mut left = draft();
    disk.append(&mut left, &vec![1; CHUNK_BYTES]).unwrap();
    let mut present = draft();
    disk.append(&mut present, &vec![1; CHUNK_BYTES]).unwrap();
    let parts = || -> i64 {
        let count = "SELECT count(*) FROM part";
        place
            .other()
            .query_row(count, [], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(parts(), 2);
    let earlier = "UPDATE artifact SET touched = touched - 4000000000000 WHERE id = ?1";
    place.other().execute(earlier, [left.id]).unwrap();
    disk.append(&mut draft(), &[2]).unwrap();
    assert_eq!(parts(), 2);
    assert_eq!(disk.finish(&mut left, &[]), Err(StoreError::Cleared));
    assert_eq!(disk.finish(&mut present, &[]), Ok(0));
}

/// Nearly all of the time that a store adds to a read is that of writing these pages.
#[test]
fn read_writes_few_pages_and_does_not_wait_for_the_disk() {
    let place = Place::new();
    let (disk, _) = place.open();
    let handle = Handle::default();
    let pages = |path: &str, text: &str| {
        let before = Log::of(&disk.state().connection).unwrap().pages;
        assert!(disk.remember(&handle, snapshot(path, text)));
        Log::of(&disk.state().connection).unwrap().pages - before
    };
    pages("/first", "text");
    for read in 0..20 {
        assert!(pages(&format!("/{read}"), "text") <= 6, "read {read}");
        assert!(pages("/again", "text") <= 6, "read {read}");
        assert!(pages("/changed", &format!("text {read}")) <= 6);
    }
    let synchronous = schema::pragma(&disk.state().connection, "synchronous");
    let normal = 1;
    assert_eq!(synchronous.unwrap(), normal, "commits do not wait");
}

#[test]
fn log_does_not_grow_with_the_number_of_writes() {
    let place = Place::new();
    let (disk, _) = place.open();
    let handle = Handle::default();
    let value = vec![7; 200_000];
    let mut largest = 0;
    for n in 0..600 {
        assert!(disk.put(&handle, &(n % 20).to_string(), &value));
        let log = fs::metadata(place.0.join("session.db-wal")).unwrap();
        largest = largest.max(log.len());
    }
    assert_eq!(disk.dropped().writes(), 0);
    // 120 MB were written, without a pause.
    assert!(largest < 80 << 20, "{largest}");
    drop(disk);
    let database = fs::metadata(place.0.join("session.db")).unwrap();
    assert!(database.len() < 20 << 20, "{}", database.len());
}

#[test]
fn cleared_store_gives_its_pages_back() {
    let place = Place::new();
    let (disk, _) = place.open();
    let handle = Handle::default();
    for n in 0..20 {
        disk.put(&handle, &n.to_string(), &vec![7; 2 << 20]);
    }
    disk.clear_all().unwrap();
    disk.put(&handle, "kept", b"value");
    drop(disk);
    let bytes = || fs::metadata(place.0.join("session.db")).unwrap().len();
    // A slow disk may need more time than the end of a process has.
    for _ in 0..200 {
        if bytes() < 1 << 20 {
            break;
        }
        drop(place.open().0.clear(&Handle::new("other").unwrap()));
    }
    assert!(bytes() < 1 << 20, "{}", bytes());
    assert!(place.open().0.get(&handle, "kept").is_some());
}

#[test]
fn sizes_are_those_of_the_rows() {
    let place = Place::new();
    let (disk, _) = place.open();
    fill(&disk);
    disk.append(&mut draft(), &[1; 100]).unwrap();
    let total = handles::total(&disk.state().connection).unwrap();
    assert_eq!((total.cache, total.artifacts), (2 * 256 + 14 + 10, 100));
    assert_eq!(total.text, disk.paths(&Handle::default())[0].bytes);
    disk.clear_all().unwrap();
    let total = handles::total(&disk.state().connection).unwrap();
    assert_eq!((total.text, total.cache, total.artifacts), (0, 0, 0));
}

#[test]
fn large_handle_is_cleared_while_others_write() {
    let place = Place::new();
    let (disk, _) = place.open();
    let (large, small) = (Handle::new("large").unwrap(), Handle::new("small").unwrap());
    for n in 0..30 {
        assert!(disk.put(&large, &n.to_string(), &vec![7; 2 << 20]));
        assert!(disk.remember(&large, snapshot(&n.to_string(), "text")));
    }
    let mut artifact = Draft {
        handle: large.clone(),
        ..draft()
    };
    for _ in 0..200 {
        disk.append(&mut artifact, &vec![1; CHUNK_BYTES]).unwrap();
    }
    disk.finish(&mut artifact, &[]).unwrap();
    let (other, _) = place.open();
    thread::scope(|scope| {
        let cleared = scope.spawn(|| disk.clear(&large));
        let mut kept = 0;
        while !cleared.is_finished() {
            kept += u32::from(other.put(&small, "k", b"value"));
        }
        cleared.join().unwrap().unwrap();
        assert!(kept > 5, "{kept}");
    });
    assert_eq!(disk.handles(), [small]);
    let total = handles::total(&disk.state().connection).unwrap();
    assert_eq!((total.text, total.artifacts), (0, 0));
    assert!(total.cache < 1000);
}
