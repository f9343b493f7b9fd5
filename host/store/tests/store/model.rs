//! A store in memory and a store on disk answer the same.

use crate::support::{Place, Random, handle, note_shown, run, stamp};
use omniread_store::{Handle, Origin, ShownImages, Snapshot, Store, StoreLimits, Window};

const HANDLES: [&str; 3] = ["a", "b", "c"];
const PATHS: [&str; 6] = ["/1", "/2", "/3", "/4", "/5", "/6"];

fn random_snapshot(random: &mut Random, path: &str) -> Snapshot {
    let version = u8::try_from(random.below(4)).unwrap();
    let text: String = "abcdefghij".repeat(1 + random.index(40));
    let windows = (0..random.below(3)).map(|n| Window {
        first: i64::try_from(n).unwrap(),
        last: 9,
        hash: [version; 32],
    });
    let windows = windows.collect();
    let runs = (0..random.below(3)).map(|_| {
        let first = i64::try_from(random.below(60)).unwrap() - 20;
        run(first, &text[..random.index(text.len())])
    });
    let runs = runs.collect();
    Snapshot {
        tag: (random.below(3) > 0).then(|| format!("{version}")),
        hash: (random.below(3) > 0).then_some([version; 32]),
        windows,
        runs,
        total: (random.below(2) > 0).then(|| random.below(100)),
        before: (random.below(2) > 0).then(|| stamp(1)),
        after: (random.below(3) > 0).then(|| stamp(i128::from(version))),
        read: i64::try_from(random.below(5_000_000_000)).unwrap(),
        origin: [Origin::Shown, Origin::Written][random.index(2)],
        ..Snapshot::new(path)
    }
}

fn step(random: &mut Random, stores: [&Store; 2]) {
    let handle = handle(HANDLES[random.index(3)]);
    let path = PATHS[random.index(6)];
    let both = |work: &dyn Fn(&Store) -> String| {
        let [memory, disk] = stores.map(work);
        assert_eq!(memory, disk);
    };
    match random.below(100) {
        0..40 => {
            let snapshot = random_snapshot(random, path);
            both(&|store| format!("{:?}", store.remember(&handle, snapshot.clone())));
        }
        40..60 => {
            let value = vec![7; random.index(6000)];
            both(&|store| format!("{:?}", store.put(&handle, path, &value)));
        }
        60..75 => both(&|store| format!("{:?}", store.get(&handle, path))),
        75..83 => {
            let part = vec![8; random.index(8000)];
            let finishes = random.below(2) > 0;
            both(&|store| {
                let mut writer = store.artifact(&handle, path, "m");
                let written = writer.write(&part);
                let number = finishes.then(|| writer.finish());
                format!("{written:?} {number:?}")
            });
        }
        83..91 => {
            let key = [u8::try_from(random.below(3)).unwrap(); 32];
            both(&|store| format!("{:?}", note_shown(store, &handle, &key, path)));
        }
        91..93 => both(&|store| {
            let images = ShownImages {
                count: 1,
                tokens: 700,
            };
            let added = store.add_images(&handle, store.generation(&handle), images);
            format!("{added}")
        }),
        93..95 => both(&|store| format!("{:?}", store.start_generation(&handle))),
        95..98 => both(&|store| format!("{:?}", store.clear(&handle))),
        98 => both(&|store| format!("{:?}", store.clear_all())),
        _ => both(&|store| format!("{:?}", store.handles())),
    }
}

/// Everything that a store answers without a change of its order of use.
fn answers(store: &Store) -> Vec<String> {
    let mut all = vec![format!("{:?}", store.handles())];
    for handle in HANDLES.map(handle) {
        all.push(format!(
            "{:?} {} {:?}",
            store.paths(&handle),
            store.generation(&handle),
            store.images(&handle)
        ));
        for path in PATHS {
            all.push(format!("{:?}", store.snapshots(&handle, path)));
            for tag in ["0", "1", "2", "3"] {
                all.push(format!("{:?}", store.by_tag(&handle, path, tag)));
            }
        }
        for key in 0..3 {
            let shown = store.shown(&handle, &[key; 32]);
            all.push(format!(
                "{:?}",
                shown.map(|shown| (shown.path, shown.generation))
            ));
        }
        all.extend(artifacts(store, &handle));
    }
    all
}

fn artifacts(store: &Store, handle: &Handle) -> Vec<String> {
    let list = store.artifacts(handle).into_iter();
    let list = list.map(|summary| {
        let artifact = store.open_artifact(handle, summary.number).unwrap();
        let bytes = artifact.read(0, usize::MAX).unwrap();
        format!(
            "{} {} {} {bytes:?}",
            summary.number, summary.source, summary.size
        )
    });
    list.collect()
}

#[test]
fn memory_and_disk_answer_the_same() {
    let rounds = std::env::var("OMNIREAD_TEST_STORE_ROUNDS");
    let rounds = rounds.map_or(12, |rounds| rounds.parse().unwrap());
    for seed in 0..rounds {
        let mut random = Random::new(seed + 1);
        let limits = StoreLimits::new(1 + random.index(5), 2_000 + random.below(60_000));
        let place = Place::new();
        let memory = Store::memory(limits);
        let mut disk = Store::open(place.path(), limits).unwrap().store;
        for number in 0..200 {
            step(&mut random, [&memory, &disk]);
            if number % 10 == 0 {
                assert_eq!(
                    answers(&memory),
                    answers(&disk),
                    "seed {seed}, step {number}"
                );
            }
            if random.below(40) == 0 {
                drop(disk);
                let opened = Store::open(place.path(), limits).unwrap();
                assert_eq!(opened.set_aside, None);
                disk = opened.store;
            }
        }
        assert_eq!(disk.dropped(), memory.dropped());
    }
}
