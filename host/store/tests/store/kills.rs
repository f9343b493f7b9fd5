//! Processes that are killed during their writes: what was written before stays, except the last write.

#![cfg(unix)]

use crate::support::{Place, Random, handle, note_shown, snapshot};
use omniread_store::{Opened, Store, StoreLimits};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Limits that remove nothing during the test.
const LIMITS: StoreLimits = StoreLimits::new(1_000_000, 1 << 40);

/// Limits with which each artifact removes earlier ones.
pub(crate) const TIGHT: StoreLimits = StoreLimits::new(10, 4_000_000);

/// The number of the newest writes among those that are checked again, of which the store has all.
const NEWEST: usize = 2000;

pub(crate) fn value(n: u64) -> Vec<u8> {
    let size = 1 + usize::try_from(n % 23).unwrap() * 700;
    let seed = n.to_le_bytes();
    (0..size)
        .map(|k| seed[k % 8] ^ k.to_le_bytes()[0])
        .collect()
}

/// Starts this program with only the test `child_of_a_test`.
pub(crate) fn start(directory: &Path, role: &str, client: &str, first: u64) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command
        .args([
            "kills::child_of_a_test",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .env("OMNIREAD_TEST_STORE_CHILD", role)
        .env("OMNIREAD_TEST_STORE_DIRECTORY", directory)
        .env("OMNIREAD_TEST_STORE_CLIENT", client)
        .env("OMNIREAD_TEST_STORE_FIRST", first.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
#[ignore = "other tests start it as a process of its own"]
fn child_of_a_test() {
    let Ok(role) = std::env::var("OMNIREAD_TEST_STORE_CHILD") else {
        return;
    };
    let directory = std::env::var("OMNIREAD_TEST_STORE_DIRECTORY").unwrap();
    let client = handle(&std::env::var("OMNIREAD_TEST_STORE_CLIENT").unwrap());
    let first = std::env::var("OMNIREAD_TEST_STORE_FIRST").unwrap();
    let first: u64 = first.parse().unwrap();
    let limits = if role == "evicting" { TIGHT } else { LIMITS };
    let Opened { store, set_aside } = Store::open(directory.as_ref(), limits).unwrap();
    say(&format!("opened {}", set_aside.is_some()));
    let last = if role != "some" {
        u64::MAX
    } else {
        first + 200
    };
    for n in first..last {
        match n % 8 {
            _ if role == "evicting" => {
                let mut writer = store.artifact(&client, &n.to_string(), "m");
                for _ in 0..40 {
                    writer.write(&value(n)).unwrap();
                }
                // Another process may read the number before this one says so.
                let number = writer.finish().unwrap();
                say(&format!("artifact {n} {number}"));
            }
            7 => kept(|| {
                let mut writer = store.artifact(&client, &n.to_string(), "m");
                (0..40).all(|_| writer.write(&value(n)).is_ok()) && writer.finish().is_ok()
            }),
            0 | 3 => kept(|| store.put(&client, &n.to_string(), &value(n))),
            1 => kept(|| note_shown(&store, &client, &key(n), &n.to_string())),
            _ => kept(|| {
                let snapshot = snapshot(&format!("/{n}"), 1, 1, &n.to_string());
                store.remember(&client, snapshot)
            }),
        }
        say(&format!("wrote {n}"));
    }
    let dropped = store.dropped();
    assert_eq!(dropped.writes(), dropped.busy);
    say("ended");
}

/// Writes until the write is kept. On a slow machine, others may write for longer than a write waits.
fn kept(write: impl Fn() -> bool) {
    let mut tries = (0..500).map(|_| {
        let is_kept = write();
        if !is_kept {
            thread::sleep(Duration::from_millis(10));
        }
        is_kept
    });
    assert!(tries.any(|is_kept| is_kept));
}

pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // The end of the parent is the end of the child.
    if writeln!(out, "\n{line}")
        .and_then(|()| out.flush())
        .is_err()
    {
        std::process::abort();
    }
}

fn key(n: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&n.to_le_bytes());
    key
}

/// Checks that a write is complete.
pub(crate) fn check(store: &Store, client: &str, n: u64) {
    let client = handle(client);
    match n % 8 {
        7 => {
            let all = store.artifacts(&client);
            let found = all.iter().find(|artifact| artifact.source == n.to_string());
            let artifact = store.open_artifact(&client, found.unwrap().number).unwrap();
            assert!(artifact.read(0, usize::MAX).unwrap() == value(n).repeat(40));
        }
        0 | 3 => assert!(store.get(&client, &n.to_string()) == Some(value(n)), "{n}"),
        1 => assert_eq!(store.shown(&client, &key(n)).unwrap().path, n.to_string()),
        _ => {
            let found = store.snapshots(&client, &format!("/{n}"));
            assert_eq!(found, [snapshot(&format!("/{n}"), 1, 1, &n.to_string())]);
        }
    }
}

/// Reads what a child said until its end. Returns the number of its last write.
pub(crate) fn heard(child: &mut Child) -> (Vec<String>, Option<u64>) {
    let out = BufReader::new(child.stdout.take().unwrap());
    let lines: Vec<String> = out.lines().map_while(Result::ok).collect();
    let last = lines
        .iter()
        .rev()
        .find_map(|line| line.strip_prefix("wrote "));
    let last = last.and_then(|n| n.parse().ok());
    (lines, last)
}

#[test]
fn store_of_killed_processes_opens_and_has_all_earlier_writes() {
    let kills = std::env::var("OMNIREAD_TEST_STORE_KILLS");
    let kills: u64 = kills.map_or(200, |kills| kills.parse().unwrap());
    let place = Place::new();
    let mut random = Random::new(kills);
    let mut written: Vec<(&str, u64)> = Vec::new();
    for round in 0..kills.div_ceil(2) {
        let first = round * 1_000_000;
        let clients = ["one", "two"];
        let mut children = clients.map(|client| start(place.path(), "endless", client, first));
        for child in &mut children {
            // A killed child may have been in the opening, or in any write.
            thread::sleep(Duration::from_micros(random.below(40_000)));
            child.kill().unwrap();
        }
        let opened = Store::open(place.path(), LIMITS).unwrap();
        assert_eq!(opened.set_aside, None, "round {round}");
        for (client, mut child) in clients.into_iter().zip(children) {
            let (_, last) = heard(&mut child);
            child.wait().unwrap();
            let all = last.map_or(first..first, |last| first..last + 1);
            for n in all {
                check(&opened.store, client, n);
                if random.below(20) == 0 {
                    written.push((client, n));
                }
            }
        }
        for _ in 0..20 {
            let index = random.index(written.len());
            // Of replies and artifacts, the store keeps a limited number: the newest. One of 20 writes is here.
            let is_new = index + NEWEST > written.len();
            if let Some((client, n)) = written.get(index)
                && (is_new || !matches!(n % 8, 1 | 7))
            {
                check(&opened.store, client, *n);
            }
        }
        assert_eq!(opened.store.dropped().reads, 0);
    }
    let path = place.file("session.db");
    let connection = rusqlite::Connection::open(path).unwrap();
    let sound = connection.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
    assert_eq!(sound.unwrap(), "ok");
    assert!(!written.is_empty() || kills < 20);
}
