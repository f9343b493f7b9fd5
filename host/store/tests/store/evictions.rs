//! Artifacts that several processes write and remove, and processes that are killed meanwhile.

#![cfg(unix)]

use crate::kills::{TIGHT, heard, start, value};
use crate::support::{Place, Random, handle};
use omniread_store::{Store, StoreError, StoreLimits};
use std::collections::HashMap;
use std::thread;
use std::time::Duration;

const CLIENTS: [&str; 2] = ["one", "two"];

/// The source of each artifact that was seen, by its client and number.
type Seen = HashMap<(&'static str, u64), String>;

/// Checks that each artifact is whole while others are written, that all have room, and that a number always means
/// the same artifact.
fn check(store: &Store, limits: StoreLimits, seen: &mut Seen) {
    let mut size = 0;
    for client in CLIENTS {
        for summary in store.artifacts(&handle(client)) {
            let number = summary.number;
            size += summary.size;
            let source = seen.entry((client, number)).or_default();
            assert!(source.is_empty() || *source == summary.source);
            source.clone_from(&summary.source);
            match store.open_artifact(&handle(client), number) {
                Ok(open) => {
                    let bytes = value(summary.source.parse().unwrap()).repeat(40);
                    assert!(open.read(0, 9).unwrap() == bytes[..9]);
                    // Others remove it meanwhile.
                    thread::sleep(Duration::from_millis(2));
                    assert!(open.read(0, usize::MAX).unwrap() == bytes);
                }
                Err(error) => assert_eq!(error, StoreError::Evicted { number }),
            }
        }
    }
    // The lists of both clients are of different times.
    assert!(size <= limits.bytes, "{size}");
}

#[test]
fn open_artifacts_are_whole_while_processes_write_and_are_killed() {
    let place = Place::new();
    let mut random = Random::new(5);
    let mut seen = Seen::new();
    let mut numbers = HashMap::new();
    for round in 0..12u64 {
        let mut children =
            CLIENTS.map(|client| start(place.path(), "evicting", client, round * 1_000_000));
        thread::sleep(Duration::from_millis(20));
        let opened = Store::open(place.path(), TIGHT).unwrap();
        assert_eq!(opened.set_aside, None, "round {round}");
        for _ in 0..4 {
            check(&opened.store, TIGHT, &mut seen);
        }
        for child in &mut children {
            thread::sleep(Duration::from_micros(random.below(40_000)));
            child.kill().unwrap();
        }
        for (client, mut child) in CLIENTS.into_iter().zip(children) {
            for line in heard(&mut child).0 {
                let Some(line) = line.strip_prefix("artifact ") else {
                    continue;
                };
                let (source, number) = line.split_once(' ').unwrap();
                let number: u64 = number.parse().unwrap();
                let known = numbers.insert((client, number), source.to_owned());
                assert_eq!(known, None, "a number was used again");
            }
            child.wait().unwrap();
        }
        check(&opened.store, TIGHT, &mut seen);
        let left: u64 = CLIENTS
            .into_iter()
            .flat_map(|client| opened.store.artifacts(&handle(client)))
            .map(|summary| summary.size)
            .sum();
        assert!(left <= TIGHT.bytes / 2, "{left}");
        assert_eq!(opened.store.dropped().reads, 0);
    }
    for (place, source) in &seen {
        assert!(numbers.get(place).is_none_or(|said| said == source));
    }
    assert!(numbers.len() > 50, "{}", numbers.len());
}
