//! A store that is read-only: by the modes of its files, or by its mount. Its data can be read, and writes are dropped.

#![cfg(target_os = "linux")]

use crate::kills::say;
use crate::support::{Place, handle, snapshot};
use omniread_store::{Store, StoreError, StoreLimits};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

/// A user who is not root, for whom the modes of files count.
const NOBODY: u32 = 65_534;

#[test]
#[ignore = "other tests start it as a process of its own"]
fn reader_of_a_store() {
    let Some(directory) = std::env::var_os("OMNIREAD_TEST_READ_ONLY") else {
        return;
    };
    let opened = Store::open(Path::new(&directory), StoreLimits::DISK).unwrap();
    assert_eq!(opened.set_aside, None);
    let (store, client) = (opened.store, handle("client"));
    assert_eq!(store.get(&client, "k"), Some(b"value".to_vec()));
    assert_eq!(store.snapshots(&client, "/a").len(), 1);
    let artifact = store.open_artifact(&client, 0).unwrap();
    assert_eq!(artifact.read(0, 9).unwrap(), b"artifact");
    if !store.put(&client, "new", b"value") {
        assert!(store.dropped().read_only > 0);
        let error = store.start_generation(&client).unwrap_err();
        assert!(matches!(error, StoreError::Generation(_)), "{error}");
    }
    say("all was read");
}

/// Fills a store.
fn filled() -> Place {
    let place = Place::new();
    let store = Store::open(place.path(), StoreLimits::DISK).unwrap().store;
    let client = handle("client");
    assert!(store.put(&client, "k", b"value"));
    assert!(store.remember(&client, snapshot("/a", 1, 1, "abc")));
    let mut writer = store.artifact(&client, "s", "m");
    writer.write(b"artifact").unwrap();
    writer.finish().unwrap();
    place
}

/// Sets the modes of a directory and its files.
fn set_modes(place: &Place, directory: u32, files: u32) {
    for file in fs::read_dir(place.path()).unwrap() {
        fs::set_permissions(file.unwrap().path(), Permissions::from_mode(files)).unwrap();
    }
    fs::set_permissions(place.path(), Permissions::from_mode(directory)).unwrap();
}

fn check(output: &Output, what: &str) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("all was read"), "{what}: {output:?}");
}

const READER: [&str; 4] = [
    "read_only::reader_of_a_store",
    "--exact",
    "--ignored",
    "--nocapture",
];

#[test]
fn store_without_the_right_to_write_is_read() {
    let program = std::env::current_exe().unwrap();
    for (directory, files) in [(0o500, 0o400), (0o500, 0o600), (0o700, 0o400)] {
        let place = filled();
        set_modes(&place, directory, files);
        let mut command = Command::new(&program);
        command.args(READER);
        command.env("OMNIREAD_TEST_READ_ONLY", place.path());
        if fs::metadata(place.path()).unwrap().uid() == 0 {
            for file in fs::read_dir(place.path()).unwrap() {
                chown(file.unwrap().path(), Some(NOBODY), Some(NOBODY)).unwrap();
            }
            chown(place.path(), Some(NOBODY), Some(NOBODY)).unwrap();
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = command.output();
        set_modes(&place, 0o700, 0o600);
        // The program of the tests may be in a directory that only root can use.
        match output {
            Ok(output) => check(&output, &format!("{directory:o} {files:o}")),
            Err(error) => say(&format!("skipped: {error}")),
        }
    }
}

#[test]
fn store_on_a_read_only_mount_is_read() {
    let place = filled();
    let script = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" || exit 77; shift; exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, "sh"]);
    command.arg(place.path());
    command.arg(std::env::current_exe().unwrap()).args(READER);
    command.env("OMNIREAD_TEST_READ_ONLY", place.path());
    match command.output() {
        Ok(output) if output.status.code() == Some(77) || output.status.code() == Some(1) => {
            say(&format!(
                "skipped: this system lets no test make a mount: {output:?}"
            ));
        }
        Ok(output) => check(&output, "a mount"),
        Err(error) => say(&format!("skipped: {error}")),
    }
}
