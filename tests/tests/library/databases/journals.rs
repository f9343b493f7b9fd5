//! Logs and journals: reads see committed rows only, and do not change any file.

use super::{USERS, database};
use omniread::Failure;
use omniread_tests::{Cli, Run, Workspace, sha256, text};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// The hash and modification time of each file in a directory, by name. The directory itself has
/// the name `.`.
fn state(directory: &Path) -> BTreeMap<String, (String, SystemTime)> {
    let entries = fs::read_dir(directory).unwrap();
    let entry = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.unwrap();
        let modified = entry.metadata().unwrap().modified().unwrap();
        let hash = match fs::read(entry.path()) {
            Ok(bytes) => sha256(&bytes),
            Err(_) => "a directory".to_owned(),
        };
        (
            entry.file_name().to_string_lossy().into_owned(),
            (hash, modified),
        )
    };
    let mut state: BTreeMap<_, _> = entries.map(entry).collect();
    let modified = fs::metadata(directory).unwrap().modified().unwrap();
    state.insert(".".to_owned(), (String::new(), modified));
    state
}

/// Creates a database with a write-ahead log. The effect of the statements `in_file` is in the
/// database file, and that of `in_log` only in the log, as long as the connection is open.
fn logged(workspace: &Workspace, name: &str, in_file: &str, in_log: &str) -> Connection {
    let statements = format!(
        "pragma journal_mode = wal; pragma wal_autocheckpoint = 0;
         {in_file} pragma wal_checkpoint(truncate); {in_log}"
    );
    database(workspace, name, &statements)
}

/// Reads a table of a database in several views, and checks that the files in the workspace do not
/// change.
///
/// Returns the number of rows in the table.
fn read_all(workspace: &Workspace, database: &str, table: &str) -> String {
    let before = state(&workspace.path());
    let session = workspace.session();
    for path in [
        "",
        ":TABLE",
        ":TABLE:1",
        ":TABLE?limit=3",
        ":TABLE?order=rowid",
    ] {
        let path = format!("{database}{}", path.replace("TABLE", table));
        let _ = session.read(&path);
    }
    let count = text(
        &session,
        &format!("{database}?q=select count(*) as n from {table}"),
    );
    assert_eq!(state(&workspace.path()), before);
    count
        .lines()
        .nth(2)
        .unwrap()
        .trim_matches(['|', ' '])
        .to_owned()
}

/// Makes the directory of a workspace writable if `writing` is true, otherwise read-only.
///
/// The superuser can write in both cases.
fn forbid(workspace: &Workspace, writing: bool) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = if writing { 0o755 } else { 0o555 };
        fs::set_permissions(workspace.path(), fs::Permissions::from_mode(mode)).unwrap();
    }
}

#[test]
fn committed_wal_rows_are_visible() {
    let workspace = Workspace::new();
    let live = logged(
        &workspace,
        "live.db",
        "create table t(a integer primary key); insert into t values(1);",
        "insert into t values(2);",
    );
    assert_eq!(read_all(&workspace, "live.db", "t"), "2");
    // A copy has the log, but not the shared-memory file of the writer.
    let copy = Workspace::new();
    for name in ["live.db", "live.db-wal"] {
        copy.file(name, fs::read(workspace.path().join(name)).unwrap());
    }
    copy.file("live.db-tshm", "of somebody else");
    assert_eq!(read_all(&copy, "live.db", "t"), "2");
    forbid(&copy, false);
    assert_eq!(read_all(&copy, "live.db", "t"), "2");
    forbid(&copy, true);
    // The header requires a log, but the log is missing.
    fs::remove_file(copy.path().join("live.db-wal")).unwrap();
    assert_eq!(read_all(&copy, "live.db", "t"), "1");
    // Uncommitted rows are not shown.
    live.execute_batch("begin; insert into t values(3);")
        .unwrap();
    assert_eq!(read_all(&workspace, "live.db", "t"), "2");
    live.execute_batch("commit").unwrap();
    assert_eq!(read_all(&workspace, "live.db", "t"), "3");
    // The writer starts the log again from its beginning.
    live.execute_batch("pragma wal_checkpoint(restart); insert into t values(4);")
        .unwrap();
    assert_eq!(read_all(&workspace, "live.db", "t"), "4");
}

/// A write-ahead log whose end is damaged is applied up to its last intact commit.
#[test]
fn damaged_wal_applies_up_to_the_damage() {
    let workspace = Workspace::new();
    let _live = database(
        &workspace,
        "live.db",
        "pragma journal_mode = wal; pragma wal_autocheckpoint = 0;
         create table t(a integer primary key); insert into t values(1);
         insert into t values(2);",
    );
    let copy = Workspace::new();
    let path = workspace.path();
    let mut wal = fs::read(path.join("live.db-wal")).unwrap();
    copy.file("live.db", fs::read(path.join("live.db")).unwrap());
    let middle = wal.len() - 100;
    wal[middle] ^= 0xff;
    copy.file("live.db-wal", &wal);
    assert_eq!(read_all(&copy, "live.db", "t"), "1");
}

/// SQL that creates a table of sixty rows on many pages. The program `omniread-writer` increments
/// the number in every row in one transaction.
const COUNTERS: &str = "
    create table counters(id integer primary key, n int, filling blob);
    with recursive i(i) as (select 1 union all select i + 1 from i where i < 60)
    insert into counters select i, 0, zeroblob(3000) from i;";

fn writer(database: &Path, mode: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_omniread-writer"));
    command.arg(database).arg(mode);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

#[test]
fn hot_journal_is_rolled_back() {
    let workspace = Workspace::new();
    drop(database(&workspace, "hot.db", COUNTERS));
    let path = workspace.path().join("hot.db");
    let status = writer(&path, "crash").status().unwrap();
    assert!(!status.success());
    assert!(workspace.path().join("hot.db-journal").exists());
    assert_eq!(read_all(&workspace, "hot.db", "counters"), "60");
    forbid(&workspace, false);
    assert_eq!(read_all(&workspace, "hot.db", "counters"), "60");
    forbid(&workspace, true);
    let session = workspace.session();
    let sums = "select count(*) as c, sum(n) as s, sum(length(filling)) as f from counters";
    let shown = text(&session, &format!("hot.db?q={sums}"));
    assert!(shown.contains("|60|0|180000|"), "{shown}");
    assert!(shown.contains("[a transaction has not ended: what it changed is left out]"));
    // Without the journal the rows differ, so the check above depends on the rollback.
    let torn = Workspace::new();
    torn.file("hot.db", fs::read(&path).unwrap());
    let shown = torn
        .session()
        .read(format!("hot.db?q={sums}"))
        .map(|reply| reply.text());
    assert!(!shown.is_ok_and(|shown| shown.contains("|60|0|180000|")));
}

/// A rollback journal of SQLite that restores the whole database file `before`. `page` is the size
/// of a page in bytes.
fn journal(before: &[u8], page: usize) -> Vec<u8> {
    let number = |value: usize| u32::try_from(value).unwrap().to_be_bytes();
    let pages = before.len() / page;
    let mut journal = vec![0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    for field in [pages, 0, pages, 512, page] {
        journal.extend_from_slice(&number(field));
    }
    journal.resize(512, 0);
    for (place, data) in before.chunks(page).enumerate() {
        journal.extend_from_slice(&number(place + 1));
        journal.extend_from_slice(data);
        let places = (200..page).step_by(200).map(|back| page - back);
        let sum: usize = places.map(|place| usize::from(data[place])).sum();
        journal.extend_from_slice(&number(sum));
    }
    journal
}

/// A transaction over several databases is committed if its super-journal no longer exists, even if
/// the journal of one database still exists.
#[test]
fn super_journal_decides_on_rollback() {
    let workspace = Workspace::new();
    drop(database(&workspace, "app.db", COUNTERS));
    let path = workspace.path().join("app.db");
    let before = fs::read(&path).unwrap();
    drop(database(&workspace, "app.db", "update counters set n = 5"));
    let whole = journal(&before, 4096);
    let shown = || {
        text(
            &workspace.session(),
            "app.db?q=select sum(n) as n from counters",
        )
    };
    assert!(shown().contains("|300|"));
    // A transaction of one database is rolled back.
    workspace.file("app.db-journal", &whole);
    assert!(shown().contains("|0|"), "{}", shown());
    // A transaction of several databases is rolled back while the super-journal exists.
    let named = |name: &str| {
        let mut journal = whole.clone();
        let sum: u32 = name.bytes().map(u32::from).sum();
        journal.extend_from_slice(&0x4000_0001u32.to_be_bytes());
        journal.extend_from_slice(name.as_bytes());
        journal.extend_from_slice(&u32::try_from(name.len()).unwrap().to_be_bytes());
        journal.extend_from_slice(&sum.to_be_bytes());
        journal.extend_from_slice(&whole[..8]);
        workspace.file("app.db-journal", journal);
    };
    let all = workspace
        .path()
        .join("app.db-mj0123ABCD")
        .display()
        .to_string();
    named(&all);
    workspace.file("app.db-mj0123ABCD", "app.db-journal");
    assert!(shown().contains("|0|"));
    assert!(shown().contains("it spans several databases"));
    fs::remove_file(&all).unwrap();
    assert!(shown().contains("|300|"), "{}", shown());
    assert!(!shown().contains("has not ended"));
    // A super-journal outside the roots cannot be checked, which a note reports.
    named("/elsewhere/app.db-mj0123ABCD");
    assert!(shown().contains("|0|"));
    assert!(shown().contains("if `/elsewhere/app.db-mj0123ABCD` is gone, it has ended"));
}

#[test]
fn symlinked_database_is_read_with_its_log() {
    let workspace = Workspace::new();
    workspace.directory("data");
    let _live = logged(
        &workspace,
        "data/live.db",
        "create table t(a);",
        "insert into t values(1);",
    );
    #[cfg(unix)]
    {
        workspace.link("app.db", "data/live.db");
        workspace.link("folder", "data");
        for path in ["app.db", "folder/live.db", "data/live.db"] {
            let shown = text(&workspace.session(), path);
            assert!(shown.contains("t (1 row)"), "{path}: {shown}");
        }
    }
}

/// If a deny rule forbids reading the write-ahead log, a note reports that the log cannot be read.
#[test]
fn denied_log_is_noted() {
    let workspace = Workspace::new();
    let _live = logged(
        &workspace,
        "live.db",
        "create table t(a);",
        "insert into t values(1);",
    );
    let reader = workspace.builder().deny("*-wal").build().unwrap();
    let shown = text(&reader.session(), "live.db");
    assert!(shown.contains("t (0 rows)"), "{shown}");
    assert!(
        shown.contains("its write-ahead log cannot be read"),
        "{shown}"
    );
}

/// Runs the command line as a user without superuser rights, so that file permissions apply.
#[cfg(unix)]
fn read_as_user(workspace: &Workspace, path: &str) -> Run {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    let program = Workspace::new();
    let readable = fs::Permissions::from_mode(0o755);
    for directory in [workspace.path(), program.path()] {
        fs::set_permissions(directory, readable.clone()).unwrap();
    }
    // The build directory may not be readable for other users.
    let copy = program.path().join("omniread");
    // Another process copies it: a program that this one has open to write cannot run, and processes that
    // other tests start meanwhile have it open too until they run their own program.
    let copied = Command::new("cp")
        .arg(env!("CARGO_BIN_EXE_omniread-under-test"))
        .arg(&copy)
        .status();
    assert!(copied.unwrap().success());
    let mut command = Cli::new(copy.to_str().unwrap(), workspace.path()).command();
    if fs::metadata(workspace.path()).unwrap().uid() == 0 {
        command.uid(65534);
    }
    Run::from(command.arg(path).output().unwrap())
}

/// Removes all permissions of a file if `closed` is true, otherwise restores them.
#[cfg(unix)]
fn close(workspace: &Workspace, name: &str, closed: bool) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::Permissions::from_mode(if closed { 0o000 } else { 0o644 });
    fs::set_permissions(workspace.path().join(name), mode).unwrap();
}

#[cfg(unix)]
#[test]
fn unreadable_log_is_noted() {
    let workspace = Workspace::new();
    let _live = logged(
        &workspace,
        "live.db",
        "create table t(a integer primary key); insert into t values(1);",
        "insert into t values(2);",
    );
    let whole = read_as_user(&workspace, "live.db");
    assert!(whole.stdout.contains("t (2 rows)"), "{whole:?}");
    assert!(!whole.stdout.contains("write-ahead log"), "{whole:?}");
    close(&workspace, "live.db-wal", true);
    for (path, expected) in [
        ("live.db", "t (1 row)"),
        ("live.db:t", "|1|"),
        ("live.db:t:1", "a: 1"),
        ("live.db?q=select count(*) as n from t", "|1|"),
    ] {
        let run = read_as_user(&workspace, path);
        assert_eq!(run.code, Some(0), "{path}: {run:?}");
        assert!(run.stdout.contains(expected), "{path}: {run:?}");
        let note = "[its write-ahead log cannot be read, so what it has committed is not shown: permission denied]";
        assert!(run.stdout.contains(note), "{path}: {run:?}");
    }
    // If the database itself is unreadable, the message does not mention the log.
    close(&workspace, "live.db", true);
    close(&workspace, "live.db-wal", false);
    let run = read_as_user(&workspace, "live.db");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(!run.stderr.contains("log"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn unreadable_journal_is_noted() {
    let workspace = Workspace::new();
    drop(database(&workspace, "hot.db", COUNTERS));
    let status = writer(&workspace.path().join("hot.db"), "crash").status();
    assert!(!status.unwrap().success());
    let undone = read_as_user(&workspace, "hot.db");
    assert!(
        undone.stdout.contains("[a transaction has not ended"),
        "{undone:?}"
    );
    close(&workspace, "hot.db-journal", true);
    for path in ["hot.db", "hot.db:counters?limit=3"] {
        let run = read_as_user(&workspace, path);
        assert_eq!(run.code, Some(0), "{path}: {run:?}");
        let note = "[its rollback journal cannot be read, so changes of a transaction that did not end may be shown, and rows may contradict each other: permission denied]";
        assert!(run.stdout.contains(note), "{path}: {run:?}");
        assert!(
            !run.stdout.contains("has not ended: what"),
            "{path}: {run:?}"
        );
    }
}

/// Whether a read failed because a program wrote to the database during every attempt.
fn is_busy(failure: &Failure) -> bool {
    let message = &failure.message;
    message.contains("was changed by another program during every attempt")
}

/// A database is read while another process commits to it about a thousand times a second, in every
/// journal mode.
///
/// Each read returns the rows of a single commit, which is never older than that of the previous
/// read.
#[test]
fn concurrent_commits_are_seen_whole() {
    for mode in ["wal", "delete", "truncate", "persist"] {
        let workspace = Workspace::new();
        drop(database(
            &workspace,
            "busy.db",
            &format!("{COUNTERS}{USERS}"),
        ));
        let path = workspace.path().join("busy.db");
        let mut writer = writer(&path, mode).spawn().unwrap();
        let mut writer_output = BufReader::new(writer.stdout.take().unwrap());
        let mut ready = String::new();
        writer_output.read_line(&mut ready).unwrap();
        assert_eq!(ready, "ready\n");
        let session = workspace.session();
        let (mut latest, mut seen, mut busy) = (0u64, 0, 0);
        // Fast reads leave the writer little time, so they go on until it has committed often enough.
        for reads in 0..15_000 {
            if reads >= 150 && latest > 20 {
                break;
            }
            let query =
                "select count(*), count(distinct n), min(n), min(length(filling)) from counters";
            match session.read(format!("busy.db?q={query}")) {
                Ok(reply) => {
                    let text = reply.text();
                    let row = text.lines().nth(2).unwrap();
                    let row: Vec<u64> = row
                        .split('|')
                        .filter_map(|cell| cell.trim().parse().ok())
                        .collect();
                    assert_eq!([row[0], row[1], row[3]], [60, 1, 3000], "{mode}: {text}");
                    assert!(row[2] >= latest, "{mode}: {} after {latest}", row[2]);
                    latest = row[2];
                    seen += 1;
                }
                Err(failure) => {
                    assert!(is_busy(&failure), "{mode}: {failure:?}");
                    busy += 1;
                }
            }
            match session.read("busy.db:users:7") {
                Ok(reply) => assert!(reply.text().contains("name: user 7"), "{mode}"),
                Err(failure) => assert!(is_busy(&failure), "{mode}: {failure:?}"),
            }
        }
        drop(writer.stdin.take());
        let mut commits = String::new();
        writer_output.read_to_string(&mut commits).unwrap();
        assert!(writer.wait().unwrap().success());
        let commits: u64 = commits.trim().parse().unwrap();
        assert!(commits > 20, "{mode}: {commits} commits");
        assert!(latest > 0 && seen > 0, "{mode}: {seen} seen, {busy} busy");
    }
}
