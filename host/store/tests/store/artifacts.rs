//! Artifacts, in memory and on disk.

use crate::support::{Random, each, handle};
use omniread_store::{Handle, Store, StoreError, StoreLimits};

#[test]
fn artifact_has_the_bytes_that_were_written_at_each_offset() {
    each(StoreLimits::MEMORY, |store| {
        let handle = Handle::default();
        let mut random = Random::new(1);
        let bytes: Vec<u8> = (0..1_300_000)
            .map(|n: u32| n.to_le_bytes()[1] ^ 3)
            .collect();
        let mut writer = store.artifact(&handle, "/log", "text/plain");
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(random.index(300_000).min(rest.len()));
            writer.write(now).unwrap();
            rest = later;
        }
        assert!(store.artifacts(&handle).is_empty());
        let none = StoreError::NoArtifact { number: 0 };
        assert_eq!(store.open_artifact(&handle, 0).unwrap_err(), none);
        assert_eq!(writer.finish().unwrap(), 0);
        let artifact = store.open_artifact(&handle, 0).unwrap();
        assert_eq!((&*artifact.source, &*artifact.mime), ("/log", "text/plain"));
        assert_eq!(artifact.size, 1_300_000);
        assert!(artifact.created > 0);
        for _ in 0..200 {
            let offset = random.index(1_400_000);
            let length = random.index(600_000);
            let expected = bytes.get(offset..).unwrap_or_default();
            let expected = &expected[..length.min(expected.len())];
            assert!(artifact.read(offset as u64, length).unwrap() == expected);
        }
        assert_eq!(artifact.read(0, usize::MAX).unwrap().len(), 1_300_000);
        assert!(artifact.read(u64::MAX, usize::MAX).unwrap().is_empty());
    });
}

#[test]
fn artifacts_count_from_0_for_each_handle() {
    each(StoreLimits::MEMORY, |store| {
        for name in ["a", "b"] {
            let handle = handle(name);
            for number in 0..3 {
                let mut writer = store.artifact(&handle, name, "m");
                writer.write(name.as_bytes()).unwrap();
                assert_eq!(writer.finish().unwrap(), number);
            }
            let numbers = store.artifacts(&handle).into_iter();
            assert_eq!(numbers.map(|a| a.number).collect::<Vec<_>>(), [0, 1, 2]);
        }
    });
}

#[test]
fn artifact_without_finish_leaves_nothing() {
    let limits = StoreLimits::new(3, 2_000_000);
    each(limits, |store| {
        let handle = Handle::default();
        for _ in 0..5 {
            let mut writer = store.artifact(&handle, "s", "m");
            writer.write(&vec![1; 700_000]).unwrap();
        }
        let mut writer = store.artifact(&handle, "s", "m");
        writer.write(&vec![1; 900_000]).unwrap();
        assert_eq!(writer.finish().unwrap(), 0);
        assert_eq!(store.artifacts(&handle).len(), 1);
    });
}

/// Adds an artifact of this number of bytes, and returns its number.
fn add(store: &Store, handle: &Handle, size: usize) -> Result<u64, StoreError> {
    let mut writer = store.artifact(handle, "s", "m");
    writer.write(&vec![1; size])?;
    writer.finish()
}

fn numbers(store: &Store, handle: &Handle) -> Vec<u64> {
    let all = store.artifacts(handle).into_iter();
    all.map(|artifact| artifact.number).collect()
}

#[test]
fn artifact_larger_than_the_share_is_refused_and_removes_no_other() {
    let limits = StoreLimits::new(3, 2_000_000);
    each(limits, |store| {
        let handle = Handle::default();
        assert_eq!(add(&store, &handle, 900_000), Ok(0));
        let large = StoreError::ArtifactTooLarge { limit: 1_000_000 };
        let mut writer = store.artifact(&handle, "s", "m");
        assert_eq!(writer.write(&vec![1; 1_000_001]), Err(large.clone()));
        assert_eq!(writer.write(&[1]), Err(large.clone()));
        assert_eq!(writer.finish(), Err(large.clone()));
        assert_eq!(numbers(&store, &handle), [0]);
        // In pieces, the size is known only at the end.
        let mut writer = store.artifact(&handle, "s", "m");
        writer.write(&vec![1; 1_000_000]).unwrap();
        assert_eq!(writer.write(&[1]), Err(large.clone()));
        assert_eq!(writer.finish(), Err(large));
        assert_eq!(add(&store, &handle, 1_000_000), Ok(1));
        assert_eq!(numbers(&store, &handle), [1]);
    });
}

#[test]
fn oldest_artifacts_are_removed_for_a_new_one_and_their_numbers_are_not_used_again() {
    let limits = StoreLimits::new(3, 2_000_000);
    each(limits, |store| {
        let (one, two) = (handle("one"), handle("two"));
        for number in 0..3 {
            assert_eq!(add(&store, &one, 300_000), Ok(number));
        }
        assert_eq!(add(&store, &two, 300_000), Ok(0));
        assert_eq!(numbers(&store, &one), [1, 2]);
        assert_eq!(add(&store, &two, 900_000), Ok(1));
        assert!(numbers(&store, &one).is_empty());
        for number in 0..3 {
            let error = store.open_artifact(&one, number).unwrap_err();
            assert_eq!(error, StoreError::Evicted { number });
        }
        let none = StoreError::NoArtifact { number: 3 };
        assert_eq!(store.open_artifact(&one, 3).unwrap_err(), none);
        assert_eq!(add(&store, &one, 1), Ok(3));
        store.clear(&one).unwrap();
        let none = StoreError::NoArtifact { number: 0 };
        assert_eq!(store.open_artifact(&one, 0).unwrap_err(), none);
    });
}

#[test]
fn artifacts_that_are_not_finished_are_not_removed() {
    let limits = StoreLimits::new(3, 2_000_000);
    each(limits, |store| {
        let handle = Handle::default();
        let mut writer = store.artifact(&handle, "s", "m");
        writer.write(&vec![1; 800_000]).unwrap();
        let full = StoreError::NoRoom { limit: 1_000_000 };
        assert_eq!(add(&store, &handle, 600_000), Err(full));
        assert_eq!(add(&store, &handle, 100_000), Ok(0));
        writer.write(&vec![1; 200_000]).unwrap();
        assert_eq!(writer.finish(), Ok(1));
        assert_eq!(numbers(&store, &handle), [1]);
    });
}

#[test]
fn open_artifact_stays_readable_after_its_removal() {
    let limits = StoreLimits::new(3, 2_000_000);
    each(limits, |store| {
        let handle = Handle::default();
        let mut writer = store.artifact(&handle, "s", "m");
        let bytes: Vec<u8> = (0..900_000u32).map(|n| n.to_le_bytes()[1]).collect();
        writer.write(&bytes).unwrap();
        writer.finish().unwrap();
        let open = store.open_artifact(&handle, 0).unwrap();
        for _ in 0..20 {
            // A slow disk may be busy with the log for longer than a write waits.
            let mut tries = (0..5000).map(|_| add(&store, &handle, 900_000));
            let is_kept = tries.any(|added| {
                let is_kept = added.is_ok();
                if !is_kept {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                is_kept
            });
            assert!(is_kept);
        }
        let evicted = StoreError::Evicted { number: 0 };
        assert_eq!(store.open_artifact(&handle, 0).unwrap_err(), evicted);
        assert!(open.read(0, usize::MAX).unwrap() == bytes);
        assert!(open.read(700_000, 9).unwrap() == bytes[700_000..700_009]);
        drop(open);
        assert_eq!(numbers(&store, &handle), [20]);
    });
}

#[test]
fn ten_thousand_artifacts_are_kept() {
    each(StoreLimits::MEMORY, |store| {
        let handle = Handle::default();
        for number in 0..10_200 {
            assert_eq!(store.artifact(&handle, "s", "m").finish(), Ok(number));
        }
        let numbers = numbers(&store, &handle);
        assert!((10_000..10_064).contains(&numbers.len()));
        assert_eq!(numbers.last(), Some(&10_199));
        let long = store.artifact(&handle, &"s".repeat(32_769), "m").finish();
        assert_eq!(long, Err(StoreError::SourceTooLong { limit: 32_768 }));
    });
}

#[cfg(feature = "disk")]
#[test]
fn artifact_of_500_mb_has_room_on_disk() {
    let place = crate::support::Place::new();
    let store = Store::open(place.path(), StoreLimits::DISK).unwrap().store;
    let handle = Handle::default();
    let part = vec![1; 50_000_000];
    for number in 0..2 {
        let mut writer = store.artifact(&handle, "s", "m");
        for _ in 0..10 {
            writer.write(&part).unwrap();
        }
        assert_eq!(writer.finish(), Ok(number));
    }
    assert_eq!(numbers(&store, &handle), [1]);
    let open = store.open_artifact(&handle, 1).unwrap();
    assert_eq!(open.read(499_999_990, 100).unwrap(), [1; 10]);
    assert_eq!(store.dropped().writes(), 0);
}

#[test]
fn cleared_artifact_cannot_be_read_or_finished() {
    each(StoreLimits::MEMORY, |store| {
        let handle = Handle::default();
        let mut writer = store.artifact(&handle, "s", "m");
        writer.write(&[1]).unwrap();
        writer.finish().unwrap();
        let artifact = store.open_artifact(&handle, 0).unwrap();
        let mut writer = store.artifact(&handle, "s", "m");
        writer.write(&vec![1; 300_000]).unwrap();
        store.clear(&handle).unwrap();
        assert_eq!(artifact.read(0, 1), Err(StoreError::Cleared));
        assert_eq!(writer.finish(), Err(StoreError::Cleared));
        assert_eq!(store.artifact(&handle, "s", "m").finish(), Ok(0));
    });
}
