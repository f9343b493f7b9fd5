//! Snapshots, the cache, and shown replies, in memory and on disk.

use crate::place::Place;
use crate::support::{each, handle, note_shown, run, snapshot, stamp};
use omniread_store::{
    Handle, NewReply, Origin, Run, ShownImages, Snapshot, Store, StoreLimits, Tagged, Window,
};
use std::sync::Arc;
use std::thread;

#[test]
fn snapshots_of_one_version_are_merged() {
    each(StoreLimits::MEMORY, |store| {
        let handle = Handle::default();
        assert!(store.remember(&handle, snapshot("/a", 1, 1, "abc")));
        assert!(store.remember(&handle, snapshot("/a", 1, 4, "de")));
        let window = |hash| Window {
            first: 1,
            last: 2,
            hash: [hash; 32],
        };
        let windows = Snapshot {
            windows: vec![
                window(1),
                Window {
                    last: 3,
                    ..window(3)
                },
                window(2),
            ],
            origin: Origin::Written,
            before: Some(stamp(9)),
            ..snapshot("/a", 1, -1, "z")
        };
        assert!(store.remember(&handle, windows));
        let [found] = &store.snapshots(&handle, "/a")[..] else {
            panic!("several versions");
        };
        assert_eq!(found.runs, [run(-1, "z"), run(1, "abcde")]);
        assert_eq!(
            found.windows,
            [
                Window {
                    last: 3,
                    ..window(3)
                },
                window(2)
            ]
        );
        assert_eq!(found.origin, Origin::Written);
        assert_eq!(found.before, Some(stamp(9)));
        assert_eq!(found.line(5), Some("e"));
        assert_eq!(found.line(-1), Some("z"));
        assert_eq!(found.line(6), None);
    });
}

#[test]
fn at_most_eight_versions_are_kept_newest_first() {
    each(StoreLimits::MEMORY, |store| {
        let handle = Handle::default();
        for version in 0..12 {
            store.remember(&handle, snapshot("/a", version, 1, "x"));
        }
        let versions = store.snapshots(&handle, "/a");
        let versions: Vec<_> = versions
            .iter()
            .map(|found| found.hash.unwrap()[0])
            .collect();
        assert_eq!(versions, [11, 10, 9, 8, 7, 6, 5, 4]);
        assert_eq!(store.paths(&handle)[0].versions, 8);
        assert_eq!(store.paths(&handle)[0].tag.as_deref(), Some("000b"));
    });
}

#[test]
fn a_tag_of_different_hashes_is_ambiguous() {
    each(StoreLimits::MEMORY, |store| {
        let handle = Handle::default();
        let tagged = |hash| Snapshot {
            tag: Some("abcd".to_owned()),
            ..snapshot("/a", hash, 1, "x")
        };
        store.remember(&handle, tagged(1));
        store.remember(&handle, snapshot("/a", 9, 1, "x"));
        let found = store.by_tag(&handle, "/a", "abcd");
        assert!(matches!(found, Tagged::One(found) if found.hash == Some([1; 32])));
        store.remember(&handle, tagged(2));
        let Tagged::Ambiguous(found) = store.by_tag(&handle, "/a", "abcd") else {
            panic!("not ambiguous");
        };
        let hashes: Vec<_> = found.iter().map(|found| found.hash.unwrap()[0]).collect();
        assert_eq!(hashes, [2, 1]);
        assert_eq!(store.by_tag(&handle, "/a", "0000"), Tagged::None);
        assert_eq!(store.by_tag(&handle, "/b", "abcd"), Tagged::None);
    });
}

#[test]
fn the_oldest_path_is_removed_first() {
    let limits = StoreLimits::new(2, StoreLimits::MEMORY.bytes);
    each(limits, |store| {
        let (one, two) = (handle("one"), handle("two"));
        store.remember(&two, snapshot("/a", 1, 1, "x"));
        store.remember(&one, snapshot("/a", 1, 1, "x"));
        store.remember(&one, snapshot("/b", 1, 1, "x"));
        store.remember(&one, snapshot("/a", 1, 2, "x"));
        store.remember(&one, snapshot("/c", 1, 1, "x"));
        let paths = |handle| {
            let paths = store.paths(handle).into_iter();
            paths.map(|summary| summary.path).collect::<Vec<_>>()
        };
        assert_eq!(paths(&one), ["/c", "/a"]);
        assert_eq!(paths(&two), ["/a"]);
    });
}

#[test]
fn text_over_the_limit_is_left_out_and_facts_are_kept() {
    let limits = StoreLimits::new(30, 40_000);
    each(limits, |store| {
        let handle = Handle::default();
        store.remember(&handle, snapshot("/small", 1, 1, "abc"));
        let text = "x".repeat(6000);
        assert!(store.remember(&handle, snapshot("/a", 1, 1, &text)));
        let [found] = &store.snapshots(&handle, "/a")[..] else {
            panic!("no version");
        };
        assert!(found.text_left_out);
        assert!(found.runs.is_empty());
        assert_eq!(found.hash, Some([1; 32]));
        // It did not take the place of others.
        assert_eq!(store.paths(&handle).len(), 2);
        // Later lines of it are kept.
        store.remember(&handle, snapshot("/a", 1, 1, "abc"));
        let found = store.snapshots(&handle, "/a");
        assert_eq!(found[0].runs, [run(1, "abc")]);
        assert!(found[0].text_left_out);
    });
}

#[test]
fn the_oldest_paths_make_room_for_text() {
    let limits = StoreLimits::new(30, 40_000);
    each(limits, |store| {
        let (one, two) = (handle("one"), handle("two"));
        let text = "x".repeat(1000);
        for n in 0..10 {
            let handle = if n % 2 == 0 { &one } else { &two };
            store.remember(handle, snapshot(&format!("/{n}"), 1, 1, &text));
        }
        // Each one counts 2000 bytes for its lines, and some for its facts.
        let left = store.paths(&one).len() + store.paths(&two).len();
        assert_eq!(left, 4);
        assert_eq!(store.paths(&two)[0].path, "/9");
        // Versions of one path make room too.
        for version in 0..8 {
            store.remember(&one, snapshot("/v", version, 1, &text));
        }
        assert_eq!(store.paths(&one)[0].versions, 4);
        assert!(store.paths(&two).is_empty());
    });
}

#[test]
fn cache_removes_the_least_recently_used_entry_first() {
    let limits = StoreLimits::new(30, 40_000);
    each(limits, |store| {
        let handle = Handle::default();
        let value = vec![7; 9000];
        for key in ["a", "b", "c", "d"] {
            assert!(store.put(&handle, key, &value));
        }
        assert_eq!(store.get(&handle, "a").as_ref(), Some(&value));
        assert!(store.put(&handle, "e", &value));
        assert_eq!(store.get(&handle, "b"), None);
        assert_eq!(store.get(&handle, "a").as_ref(), Some(&value));
        // The previous value is out of date, also if the new one is too large.
        assert!(!store.put(&handle, "a", &vec![0; 40_000]));
        assert_eq!(store.get(&handle, "a"), None);
        assert!(store.put(&handle, "c", b""));
        assert_eq!(store.get(&handle, "c"), Some(Vec::new()));
    });
    each(StoreLimits::DISK, |store| {
        assert!(store.put(&Handle::default(), "k", &vec![0; (8 << 20) - 258]));
        assert!(!store.put(&Handle::default(), "k", &vec![0; (8 << 20) - 257]));
    });
}

#[test]
fn a_reply_counts_as_shown_only_in_its_generation() {
    each(StoreLimits::MEMORY, |store| {
        let handle = Handle::default();
        assert_eq!(store.generation(&handle), 0);
        assert!(note_shown(&store, &handle, &[1; 32], "/a"));
        let shown = store.shown(&handle, &[1; 32]).unwrap();
        assert_eq!((&*shown.path, shown.generation), ("/a", 0));
        assert!(shown.read > 0);
        assert!(note_shown(&store, &handle, &[1; 32], "/b"));
        assert_eq!(store.shown(&handle, &[1; 32]).unwrap().path, "/b");
        assert_eq!(store.shown(&handle, &[2; 32]), None);
        assert_eq!(store.start_generation(&handle), Ok(1));
        assert_eq!(store.generation(&handle), 1);
        assert_eq!(store.shown(&handle, &[1; 32]), None);
        assert!(note_shown(&store, &handle, &[1; 32], "/c"));
        assert_eq!(store.shown(&handle, &[1; 32]).unwrap().generation, 1);
        // A reply that was requested before the conversation was compacted.
        let late = NewReply {
            content: [1; 32],
            path: "/d",
            generation: 0,
        };
        assert!(!store.note_shown(&handle, &[1; 32], &late));
        assert_eq!(store.shown(&handle, &[1; 32]).unwrap().path, "/c");
    });
}

#[test]
fn images_are_counted_in_their_generation() {
    let images = |count, tokens| ShownImages { count, tokens };
    each(StoreLimits::MEMORY, |store| {
        let handle = Handle::default();
        assert_eq!(store.images(&handle), images(0, 0));
        assert!(store.add_images(&handle, 0, images(1, 1200)));
        assert!(store.add_images(&handle, 0, images(2, 50)));
        assert_eq!(store.images(&handle), images(3, 1250));
        assert_eq!(store.start_generation(&handle), Ok(1));
        assert_eq!(store.images(&handle), images(0, 0));
        // A reply that was requested before the conversation was compacted.
        assert!(!store.add_images(&handle, 0, images(1, 1)));
        assert!(store.add_images(&handle, 1, images(1, 7)));
        assert_eq!(store.images(&handle), images(1, 7));
        store.clear(&handle).unwrap();
        assert_eq!(store.images(&handle), images(0, 0));
    });
}

#[test]
fn handles_never_see_each_other() {
    each(StoreLimits::MEMORY, |store| {
        let (one, two) = (handle("one"), handle("two"));
        let images = ShownImages {
            count: 1,
            tokens: 9,
        };
        store.add_images(&one, 0, images);
        assert_eq!(store.images(&two), ShownImages::default());
        store.remember(&one, snapshot("/a", 1, 1, "x"));
        store.put(&one, "k", b"v");
        note_shown(&store, &one, &[1; 32], "/a");
        store.start_generation(&one).unwrap();
        store.artifact(&one, "s", "m").finish().unwrap();
        assert!(store.snapshots(&two, "/a").is_empty());
        assert_eq!(store.by_tag(&two, "/a", "0001"), Tagged::None);
        assert!(store.paths(&two).is_empty());
        assert_eq!(store.get(&two, "k"), None);
        assert_eq!(store.shown(&two, &[1; 32]), None);
        assert_eq!(store.generation(&two), 0);
        let none = omniread_store::StoreError::NoArtifact { number: 0 };
        assert_eq!(store.open_artifact(&two, 0).unwrap_err(), none);
        assert!(store.artifacts(&two).is_empty());
        store.put(&two, "k", b"w");
        assert_eq!(store.handles(), [one.clone(), two.clone()]);
        store.clear(&one).unwrap();
        assert_eq!(store.handles(), std::slice::from_ref(&two));
        assert!(store.paths(&one).is_empty());
        assert!(store.artifacts(&one).is_empty());
        assert_eq!(store.get(&one, "k"), None);
        assert_eq!(store.generation(&one), 0);
        assert_eq!(store.get(&two, "k"), Some(b"w".to_vec()));
        store.clear_all().unwrap();
        assert!(store.handles().is_empty());
        assert_eq!(store.get(&two, "k"), None);
    });
}

#[test]
fn threads_share_a_store() {
    each(StoreLimits::MEMORY, |store| {
        let store = Arc::new(store);
        let threads = (0..4).map(|n| {
            let store = Store::clone(&store);
            thread::spawn(move || {
                let handle = handle(&format!("h{n}"));
                for version in 0..50 {
                    store.remember(&handle, snapshot("/a", version, 1, "abc"));
                    store.put(&handle, "k", &[version]);
                    assert_eq!(store.get(&handle, "k"), Some(vec![version]));
                }
            })
        });
        let threads: Vec<_> = threads.collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(store.handles().len(), 4);
        assert_eq!(store.dropped().writes(), 0);
    });
}

#[test]
fn very_long_path_is_not_remembered() {
    each(StoreLimits::MEMORY, |store| {
        let handle = Handle::default();
        let path = "p".repeat(1 << 16);
        assert!(!store.remember(&handle, Snapshot::new(path.clone())));
        assert!(!note_shown(&store, &handle, &[1; 32], &path));
        assert!(store.handles().is_empty());
    });
}

#[test]
fn handles_and_paths_of_replies_are_bounded() {
    let limits = StoreLimits::new(3, 1 << 20);
    each(limits, |store| {
        let first = handle("first");
        let path = "p".repeat(1000);
        for n in 0..100_u8 {
            assert!(note_shown(&store, &first, &[n; 32], &path));
        }
        assert_eq!(store.shown(&first, &[34; 32]), None);
        assert!(store.shown(&first, &[35; 32]).is_some());
        for n in 0..999 {
            store.put(&handle(&n.to_string()), "k", b"v");
        }
        assert_eq!(store.handles().len(), 1000);
        store.put(&first, "k", b"v");
        store.put(&handle("new"), "k", b"v");
        // The one that was used longest ago is removed.
        assert_eq!(store.handles().len(), 1000);
        assert!(store.shown(&first, &[99; 32]).is_some());
        assert!(!store.handles().contains(&handle("0")));
    });
}

#[test]
fn nothing_of_a_cleared_handle_stays_in_the_files() {
    let place = Place::new();
    let store = Store::open(place.path(), StoreLimits::DISK).unwrap().store;
    let mut secret = Snapshot::new("/a");
    secret.runs.push(Run {
        first: 1,
        lines: vec!["MARKER-4711".to_owned()],
    });
    store.remember(&Handle::default(), secret);
    let kept = || {
        let files = std::fs::read_dir(place.path()).unwrap();
        let bytes = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
        bytes.flatten().collect::<Vec<u8>>()
    };
    let has = |bytes: &[u8]| bytes.windows(11).any(|part| part == b"MARKER-4711");
    assert!(has(&kept()));
    store.clear(&Handle::default()).unwrap();
    assert!(!has(&kept()));
}
