//! Artifacts, in memory and on disk.

use crate::support::{Random, each, handle};
use omniread_store::{Handle, StoreError, StoreLimits};

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
        assert!(store.open_artifact(&handle, 0).is_none());
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

#[test]
fn artifact_without_room_is_refused_and_not_cut() {
    let limits = StoreLimits::new(3, 2_000_000);
    each(limits, |store| {
        let handle = Handle::default();
        let full = StoreError::NoRoom { limit: 1_000_000 };
        let mut writer = store.artifact(&handle, "s", "m");
        assert_eq!(writer.write(&vec![1; 1_200_000]), Err(full.clone()));
        assert_eq!(writer.write(&[1]), Err(full.clone()));
        assert_eq!(writer.finish(), Err(full.clone()));
        let mut writer = store.artifact(&handle, "s", "m");
        writer.write(&vec![1; 1_000_001]).unwrap();
        assert_eq!(writer.finish(), Err(full));
        let mut writer = store.artifact(&handle, "s", "m");
        writer.write(&vec![1; 1_000_000]).unwrap();
        assert_eq!(writer.finish(), Ok(0));
        assert_eq!(store.artifacts(&handle).len(), 1);
    });
}

#[test]
fn artifact_of_more_than_256_mib_is_refused() {
    // Only on disk an artifact of this size has room.
    each(StoreLimits::DISK, |store| {
        let handle = Handle::default();
        let limit = 256 << 20;
        let part = vec![1; 64 << 20];
        let mut writer = store.artifact(&handle, "s", "m");
        for _ in 0..4 {
            writer.write(&part).unwrap();
        }
        assert_eq!(
            writer.write(&[1]),
            Err(StoreError::ArtifactTooLarge { limit })
        );
        assert!(writer.finish().is_err());
        assert!(store.artifacts(&handle).is_empty());
    });
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
