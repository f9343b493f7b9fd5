//! Several processes with one store at the same time.

#![cfg(unix)]

use crate::kills::{check, heard, start};
use crate::support::Place;
use omniread_store::{ShownImages, Store, StoreLimits};
use std::fs;
use std::thread;

#[test]
fn processes_that_write_at_once_lose_nothing() {
    let place = Place::new();
    let firsts = [0, 1000, 2000];
    let children = firsts.map(|first| start(place.path(), "some", "client", first));
    for mut child in children {
        let (lines, _) = heard(&mut child);
        assert!(child.wait().unwrap().success());
        assert!(lines.iter().any(|line| line == "ended"), "{lines:?}");
    }
    let opened = Store::open(place.path(), StoreLimits::DISK).unwrap();
    assert_eq!(opened.set_aside, None);
    for first in firsts {
        for n in first..first + 200 {
            check(&opened.store, "client", n);
        }
    }
}

#[test]
fn processes_that_find_a_damaged_store_at_once_set_it_aside_once() {
    let place = Place::new();
    drop(Store::open(place.path(), StoreLimits::DISK).unwrap());
    for round in 1..=4 {
        fs::write(place.file("session.db"), "damaged").unwrap();
        let firsts = [0, 1000, 2000].map(|first| first + round * 10_000);
        let children = firsts.map(|first| start(place.path(), "some", "client", first));
        let mut aside = 0;
        for mut child in children {
            let (lines, _) = heard(&mut child);
            assert!(child.wait().unwrap().success());
            aside += lines.iter().filter(|line| *line == "opened true").count();
        }
        assert_eq!(aside, 1);
        let opened = Store::open(place.path(), StoreLimits::DISK).unwrap();
        assert_eq!(opened.set_aside, None);
        for first in firsts {
            check(&opened.store, "client", first);
            check(&opened.store, "client", first + 199);
        }
    }
}

#[test]
fn threads_that_open_a_new_store_at_once_share_it() {
    let place = Place::new();
    let threads = (0..6).map(|n| {
        let path = place.path().to_owned();
        thread::spawn(move || {
            let opened = Store::open(&path, StoreLimits::DISK).unwrap();
            assert_eq!(opened.set_aside, None);
            let handle = crate::support::handle("client");
            assert!(opened.store.put(&handle, &format!("{n}"), b"value"));
        })
    });
    let threads: Vec<_> = threads.collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let opened = Store::open(place.path(), StoreLimits::DISK).unwrap();
    for n in 0..6 {
        let handle = crate::support::handle("client");
        assert!(opened.store.get(&handle, &format!("{n}")).is_some());
    }
}

#[test]
fn images_of_several_connections_are_counted_together() {
    let place = Place::new();
    let handle = crate::support::handle("client");
    let threads = (0..4).map(|_| {
        let (path, handle) = (place.path().to_owned(), handle.clone());
        thread::spawn(move || {
            let opened = Store::open(&path, StoreLimits::DISK).unwrap();
            for _ in 0..25 {
                let images = ShownImages {
                    count: 1,
                    tokens: 300,
                };
                assert!(opened.store.add_images(&handle, 0, images));
            }
        })
    });
    let threads: Vec<_> = threads.collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let opened = Store::open(place.path(), StoreLimits::DISK).unwrap();
    let images = ShownImages {
        count: 100,
        tokens: 30_000,
    };
    assert_eq!(opened.store.images(&handle), images);
}
