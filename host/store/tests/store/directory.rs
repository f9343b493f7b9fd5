//! The directory of a store, and what is found in place of its database.

#![cfg(unix)]

use crate::support::{Place, handle, note_shown, snapshot};
use omniread_store::{Handle, SetAside, Store, StoreError, StoreLimits};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

fn open(path: &Path) -> Result<(Store, Option<SetAside>), StoreError> {
    let opened = Store::open(path, StoreLimits::DISK)?;
    Ok((opened.store, opened.set_aside))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

#[test]
fn directory_and_files_are_of_the_user_alone() {
    let place = Place::new();
    let directory = place.file("a/b");
    let (store, _) = open(&directory).unwrap();
    store.put(&Handle::default(), "k", b"v");
    assert_eq!(mode(&directory), 0o700);
    for file in fs::read_dir(&directory).unwrap() {
        let file = file.unwrap().path();
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[test]
fn directory_that_others_can_write_to_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path()).unwrap();
    for (bits, refused) in [(0o777, true), (0o770, true), (0o702, true), (0o755, false)] {
        fs::set_permissions(place.path(), Permissions::from_mode(bits)).unwrap();
        let error = open(place.path()).err();
        let expected = StoreError::DirectoryWritableByOthers(place.path().to_owned());
        assert_eq!(error, refused.then_some(expected), "{bits:o}");
    }
}

#[test]
fn directory_with_other_files_is_refused_unless_it_has_a_store() {
    let place = Place::new();
    fs::create_dir(place.path()).unwrap();
    fs::write(place.file("main.rs"), "").unwrap();
    let expected = StoreError::DirectoryHasOtherFiles(place.path().to_owned());
    assert_eq!(open(place.path()).err(), Some(expected));
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    fs::remove_file(place.file("main.rs")).unwrap();
    open(place.path()).unwrap();
    fs::write(place.file("notes"), "").unwrap();
    open(place.path()).unwrap();
}

#[test]
fn symlink_and_file_in_place_of_the_directory_are_refused() {
    let place = Place::new();
    fs::create_dir(place.path()).unwrap();
    let (real, link, file) = (place.file("real"), place.file("link"), place.file("file"));
    fs::create_dir(&real).unwrap();
    symlink(&real, &link).unwrap();
    fs::write(&file, "").unwrap();
    assert_eq!(
        open(&link).err(),
        Some(StoreError::DirectoryIsSymlink(link))
    );
    assert_eq!(
        open(&file).err(),
        Some(StoreError::NotADirectory(file.clone()))
    );
    assert!(open(&file.join("below")).is_err());
    assert_eq!(fs::read_dir(&real).unwrap().count(), 0);
    // A symlink further up is fine, such as `/tmp` of macOS.
    let up = place.file("up");
    symlink(place.path(), &up).unwrap();
    assert!(open(&up.join("real")).is_ok());
}

#[test]
fn directory_of_another_user_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path()).unwrap();
    // Only root can give a directory away.
    if chown(place.path(), Some(12345), None).is_ok() {
        let expected = StoreError::DirectoryOfOtherUser(place.path().to_owned());
        assert_eq!(open(place.path()).err(), Some(expected));
    }
}

/// Opens a store of which the database is not usable.
fn opened_aside(place: &Place) -> (Store, SetAside) {
    let (store, aside) = open(place.path()).unwrap();
    assert!(store.put(&Handle::default(), "k", b"v"));
    (store, aside.unwrap())
}

#[test]
fn what_is_not_a_store_is_set_aside_unchanged() {
    let place = Place::new();
    let database = place.file("session.db");
    fs::create_dir(place.path()).unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o700)).unwrap();
    let foreign = place.file("foreign");
    let connection = rusqlite::Connection::open(&foreign).unwrap();
    connection
        .execute_batch("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        .unwrap();
    drop(connection);
    let foreign = fs::read(&foreign).unwrap();
    for (number, bytes) in [b"text".to_vec(), Vec::new(), foreign, vec![0; 9000]]
        .into_iter()
        .enumerate()
    {
        fs::write(&database, &bytes).unwrap();
        for part in ["-wal", "-shm"] {
            let _ = fs::remove_file(place.file(&format!("session.db{part}")));
        }
        let (store, aside) = opened_aside(&place);
        let expected = place.file(&format!("session.db.set-aside-{}", number + 1));
        assert_eq!(aside.path, expected.canonicalize().unwrap());
        assert_eq!(fs::read(&aside.path).unwrap(), bytes);
        assert!(!aside.reason.is_empty());
        drop(store);
        assert_eq!(open(place.path()).unwrap().1, None);
    }
}

#[test]
fn newer_version_and_changed_tables_are_set_aside() {
    for (change, reason) in [
        (
            "PRAGMA user_version = 7",
            "a newer version of omniread wrote it: its format is 7, and this one reads 2",
        ),
        (
            "CREATE TABLE extra(a)",
            "its tables are not those of omniread",
        ),
        (
            "DROP TRIGGER cache_added",
            "its tables are not those of omniread",
        ),
        (
            "PRAGMA user_version = 0",
            "its tables are not those of omniread",
        ),
        (
            "PRAGMA application_id = 1",
            "it is a database of another application",
        ),
    ] {
        let place = Place::new();
        drop(open(place.path()).unwrap());
        let connection = rusqlite::Connection::open(place.file("session.db")).unwrap();
        connection.execute_batch(change).unwrap();
        drop(connection);
        assert_eq!(opened_aside(&place).1.reason, reason, "{change}");
    }
}

#[test]
fn symlink_and_directory_in_place_of_the_database_are_set_aside() {
    let place = Place::new();
    let other = Place::new();
    drop(open(other.path()).unwrap());
    drop(open(place.path()).unwrap());
    let database = place.file("session.db");
    fs::remove_file(&database).unwrap();
    symlink(other.file("session.db"), &database).unwrap();
    assert_eq!(opened_aside(&place).1.reason, "it is not a regular file");
    assert_eq!(
        open(other.path()).unwrap().0.get(&Handle::default(), "k"),
        None
    );
    fs::remove_file(&database).unwrap();
    fs::create_dir(&database).unwrap();
    assert_eq!(opened_aside(&place).1.reason, "it is not a regular file");
}

#[test]
fn log_without_its_database_is_set_aside() {
    let place = Place::new();
    let (store, _) = open(place.path()).unwrap();
    store.put(&Handle::default(), "lost", b"v");
    drop(store);
    fs::remove_file(place.file("session.db")).unwrap();
    let (store, aside) = opened_aside(&place);
    assert_eq!(aside.reason, "the database of its log is missing");
    assert_eq!(store.get(&Handle::default(), "lost"), None);
    assert!(Path::new(&format!("{}-wal", aside.path.display())).exists());
}

#[test]
fn at_most_eight_files_are_kept_aside() {
    let place = Place::new();
    for number in 1..=12 {
        drop(open(place.path()).unwrap());
        fs::write(place.file("session.db"), format!("{number}")).unwrap();
        let aside = opened_aside(&place).1;
        assert_eq!(fs::read_to_string(aside.path).unwrap(), format!("{number}"));
    }
    let aside = fs::read_dir(place.path()).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        let name = name.to_str().unwrap();
        name.contains("set-aside") && !name.ends_with("-wal") && !name.ends_with("-shm")
    });
    assert_eq!(aside.count(), 8);
    assert!(place.file("session.db.set-aside-12").exists());
    assert!(!place.file("session.db.set-aside-4").exists());
}

#[test]
fn lock_that_is_a_symlink_is_not_followed() {
    let place = Place::new();
    drop(open(place.path()).unwrap());
    fs::remove_file(place.file("session.db.lock")).unwrap();
    symlink(place.file("target"), place.file("session.db.lock")).unwrap();
    assert!(open(place.path()).is_err());
    assert!(!place.file("target").exists());
}

#[test]
fn data_is_the_same_in_the_next_process() {
    let place = Place::new();
    let (store, _) = open(place.path()).unwrap();
    let client = handle("client");
    store.remember(&client, snapshot("/a", 1, 1, "abc"));
    store.put(&client, "k", b"v");
    store.start_generation(&client).unwrap();
    note_shown(&store, &client, &[1; 32], "/a");
    let mut writer = store.artifact(&client, "s", "m");
    writer.write(b"artifact").unwrap();
    writer.finish().unwrap();
    let before = store.snapshots(&client, "/a");
    drop(store);
    let (store, aside) = open(place.path()).unwrap();
    assert_eq!(aside, None);
    assert_eq!(store.snapshots(&client, "/a"), before);
    assert_eq!(store.get(&client, "k"), Some(b"v".to_vec()));
    assert_eq!(store.shown(&client, &[1; 32]).unwrap().generation, 1);
    let artifact = store.open_artifact(&client, 0).unwrap();
    assert_eq!(artifact.read(3, 3).unwrap(), b"ifa");
}

fn names(place: &Place) -> Vec<String> {
    let files = fs::read_dir(place.path()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn erased_directory_has_nothing_and_processes_go_on_with_an_empty_store() {
    let place = Place::new();
    assert_eq!(Store::erase(place.path()), Ok(false));
    assert!(!Store::exists(place.path()) && !place.path().exists());
    drop(open(place.path()).unwrap());
    fs::write(place.file("session.db"), "damaged").unwrap();
    let (store, aside) = open(place.path()).unwrap();
    assert!(aside.is_some() && Store::exists(place.path()));
    fs::write(place.file("other"), "").unwrap();
    let (one, two) = (handle("one"), handle("two"));
    for client in [&one, &two] {
        store.put(client, "k", b"MARKER-4711");
        note_shown(&store, client, &[1; 32], "/a");
    }
    let mut writer = store.artifact(&one, "s", "m");
    writer.write(b"MARKER-4711").unwrap();
    writer.finish().unwrap();
    let artifact = store.open_artifact(&one, 0).unwrap();
    for _ in 0..12 {
        assert_eq!(Store::erase(place.path()), Ok(true));
        assert_eq!(names(&place), ["other", "session.db.lock"]);
        assert_eq!(Store::erase(place.path()), Ok(false));
        assert!(artifact.read(0, 9).is_err());
        // A process that has it open sees nothing of it, and shares what comes after it with others.
        for client in [&one, &two] {
            assert_eq!(store.get(client, "k"), None);
            assert_eq!(store.shown(client, &[1; 32]), None);
        }
        assert!(store.put(&one, "k", b"new") && store.put(&two, "k", b"new"));
        let (other, aside) = open(place.path()).unwrap();
        assert_eq!(aside, None);
        assert_eq!(other.get(&one, "k"), Some(b"new".to_vec()));
    }
    assert_eq!(store.set_aside(), None);
}

#[test]
fn removal_of_a_process_that_was_killed_is_ended_by_the_next_one() {
    let place = Place::new();
    let (store, _) = open(place.path()).unwrap();
    store.put(&Handle::default(), "k", b"MARKER-4711");
    drop(store);
    fs::write(place.file("session.db.erasing"), "").unwrap();
    fs::remove_file(place.file("session.db")).unwrap();
    let (store, aside) = open(place.path()).unwrap();
    assert_eq!(aside, None);
    assert_eq!(store.get(&Handle::default(), "k"), None);
    drop(store);
    assert_eq!(
        names(&place),
        [
            "session.db",
            "session.db-shm",
            "session.db-wal",
            "session.db.lock"
        ]
    );
}
