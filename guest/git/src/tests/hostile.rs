//! Packs and repositories that are made to do harm.

use super::disk::Temporary;
use crate::error::Error;
use crate::id::{Algorithm, Id};
use crate::limits;
use crate::pack::apply;
use crate::repository::Repository;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use sha1::{Digest as _, Sha1};
use std::io::Write as _;

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The header of an object in a pack.
fn header(kind: u8, size: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = size >> 4;
    let mut byte = kind << 4 | (size & 15) as u8;
    while rest > 0 {
        bytes.push(byte | 128);
        byte = (rest & 127) as u8;
        rest >>= 7;
    }
    bytes.push(byte);
    bytes
}

fn number(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
    bytes
}

/// A pack with these objects, and an index that gives them these ids.
struct Pack(Vec<u8>, Vec<(Id, u32)>);

impl Pack {
    fn new() -> Self {
        let mut bytes = b"PACK".to_vec();
        bytes.extend(2_u32.to_be_bytes());
        bytes.extend(0_u32.to_be_bytes());
        Self(bytes, Vec::new())
    }

    fn add(&mut self, id: Id, object: &[u8]) {
        self.1.push((id, u32::try_from(self.0.len()).unwrap()));
        self.0.extend(object);
    }

    fn write(mut self, repository: &Temporary) {
        let hash = Sha1::digest(&self.0);
        self.0.extend(&hash[..]);
        self.1.sort_unstable();
        let mut index = b"\xfftOc".to_vec();
        index.extend(2_u32.to_be_bytes());
        for first in 0..=255 {
            let count = self.1.iter().filter(|(id, _)| id.first() <= first).count();
            index.extend(u32::try_from(count).unwrap().to_be_bytes());
        }
        for (id, _) in &self.1 {
            index.extend(id.as_bytes());
        }
        index.extend(vec![0; 4 * self.1.len()]);
        for (_, offset) in &self.1 {
            index.extend(offset.to_be_bytes());
        }
        index.extend([0; 40]);
        repository.write(".git/objects/pack/pack-x.pack", self.0);
        repository.write(".git/objects/pack/pack-x.idx", index);
    }
}

fn id(number: u8) -> Id {
    Id::from_bytes(Algorithm::Sha1, &[number; 20]).unwrap()
}

fn by_id(base: Id, delta: &[u8]) -> Vec<u8> {
    let mut object = header(7, delta.len() as u64);
    object.extend(base.as_bytes());
    object.extend(deflated(delta));
    object
}

fn read(repository: &Temporary, id: Id) -> Result<Vec<u8>, Error> {
    repository.open(|opened| opened.object(&id).map(|object| object.content))
}

#[test]
fn differences_in_a_circle_are_an_error() {
    let repository = Temporary::new();
    let mut pack = Pack::new();
    let delta = [number(1), number(1), vec![0x91, 0, 1]].concat();
    pack.add(id(1), &by_id(id(2), &delta));
    pack.add(id(2), &by_id(id(3), &delta));
    pack.add(id(3), &by_id(id(1), &delta));
    pack.add(id(4), &by_id(id(4), &delta));
    pack.write(&repository);
    for number in [1, 4] {
        let error = read(&repository, id(number)).unwrap_err();
        assert!(error.to_string().contains("in a circle"), "{error}");
    }
}

#[test]
fn a_long_chain_of_differences_is_a_limit() {
    let repository = Temporary::new();
    let mut pack = Pack::new();
    let blob = [header(3, 1), deflated(b"a")].concat();
    let mut before = pack.0.len();
    pack.add(id(1), &blob);
    let delta = deflated(&[number(1), number(1), vec![0x91, 0, 1]].concat());
    for number in 0..=limits::DELTA_CHAIN {
        let at = pack.0.len();
        let mut object = header(6, 5);
        let distance = at - before;
        assert!(distance < 128);
        object.push(u8::try_from(distance).unwrap());
        object.extend(&delta);
        before = at;
        let id = if number == limits::DELTA_CHAIN {
            id(9)
        } else {
            id(8)
        };
        if number >= limits::DELTA_CHAIN - 1 {
            pack.add(id, &object);
        } else {
            pack.0.extend(object);
        }
    }
    pack.write(&repository);
    let error = read(&repository, id(9)).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Limit {
                name: "git-delta-chain",
                ..
            }
        ),
        "{error:?}"
    );
    // A chain of 4,095 is read, and has another id than the index says.
    let error = read(&repository, id(8)).unwrap_err();
    assert!(
        error.to_string().contains("does not have this id"),
        "{error}"
    );
}

#[test]
fn a_base_that_is_not_in_the_pack_is_an_error() {
    let repository = Temporary::new();
    let mut pack = Pack::new();
    let delta = deflated(&[number(1), number(1), vec![0x91, 0, 1]].concat());
    for (place, distance) in [&[0_u8][..], &[127], &[255, 255, 255, 127], &[255; 12]]
        .iter()
        .enumerate()
    {
        let object = [header(6, 5), distance.to_vec(), delta.clone()].concat();
        pack.add(id(u8::try_from(place).unwrap() + 1), &object);
    }
    pack.add(id(9), &by_id(id(200), &[1, 1, 1, 1]));
    pack.write(&repository);
    for number in 1..=4 {
        let error = read(&repository, id(number)).unwrap_err();
        assert!(
            error.to_string().contains("its base is not in the pack"),
            "{number} {error}"
        );
    }
    let error = read(&repository, id(9)).unwrap_err();
    assert!(matches!(error, Error::Missing { .. }), "{error:?}");
}

#[test]
fn a_stated_size_needs_no_memory() {
    let repository = Temporary::new();
    let mut pack = Pack::new();
    pack.add(id(1), &[header(3, u64::MAX >> 4), deflated(b"a")].concat());
    pack.add(
        id(2),
        &[header(3, limits::OBJECT_BYTES), deflated(b"a")].concat(),
    );
    let delta = [number(1), number(u64::MAX), vec![0x91, 0, 1]].concat();
    pack.add(id(3), &[header(3, 1), deflated(b"a")].concat());
    pack.add(id(4), &by_id(id(3), &delta));
    pack.add(id(5), &[&[0xbf][..], &[0xff; 20], &deflated(b"a")].concat());
    pack.write(&repository);
    let error = |number| read(&repository, id(number)).unwrap_err();
    assert!(matches!(error(1), Error::Limit { .. }), "{:?}", error(1));
    assert!(matches!(error(2), Error::Damaged { .. }), "{:?}", error(2));
    assert!(matches!(error(4), Error::Limit { .. }), "{:?}", error(4));
    assert!(matches!(error(5), Error::Damaged { .. }), "{:?}", error(5));
    // A loose object that states a size.
    let name = ".git/objects/06/06060606060606060606060606060606060606";
    for (header, is_limit) in [
        ("blob 18446744073709551615\0a", true),
        ("blob 99999999999999999999999999999999\0a", false),
        ("blob 100\0a", false),
        ("blob 0\0a", false),
        ("blob +1\0a", false),
        ("file 1\0a", false),
        ("blob", false),
        ("", false),
    ] {
        repository.write(name, deflated(header.as_bytes()));
        let error = error(6);
        assert_eq!(matches!(error, Error::Limit { .. }), is_limit, "{error:?}");
    }
}

#[test]
fn a_small_object_that_becomes_large_is_cut_off() {
    let repository = Temporary::new();
    let mut pack = Pack::new();
    pack.add(
        id(1),
        &[header(3, 10), deflated(&vec![0; 100 << 20])].concat(),
    );
    pack.write(&repository);
    let error = read(&repository, id(1)).unwrap_err();
    assert!(
        error.to_string().contains("another size than it states"),
        "{error}"
    );
}

#[test]
fn an_index_with_wrong_numbers_is_an_error() {
    let repository = Temporary::new();
    let mut pack = Pack::new();
    pack.add(id(1), &[header(3, 1), deflated(b"a")].concat());
    pack.1
        .extend([(id(2), 4), (id(3), 0x7fff_ffff), (id(4), 0x8000_0001)]);
    let length = pack.0.len();
    pack.1.push((id(5), u32::try_from(length).unwrap() + 15));
    pack.write(&repository);
    for number in 2..=5 {
        let error = read(&repository, id(number)).unwrap_err();
        assert!(
            matches!(error, Error::Damaged { .. }),
            "{number}: {error:?}"
        );
    }
    // Many more objects than the file has.
    let name = ".git/objects/pack/pack-x.idx";
    let index = repository.read(name);
    let mut large = index.clone();
    for place in 0..256 {
        large[8 + place * 4..12 + place * 4].copy_from_slice(&1_000_000_u32.to_be_bytes());
    }
    repository.write(name, &large);
    let error = read(&repository, id(1)).unwrap_err();
    assert!(
        error.to_string().contains("before the last of its objects"),
        "{error}"
    );
    let mut unsorted = index.clone();
    unsorted[8 + 4 * 4..12 + 4 * 4].copy_from_slice(&9_u32.to_be_bytes());
    repository.write(name, &unsorted);
    let error = read(&repository, id(1)).unwrap_err();
    assert!(error.to_string().contains("not sorted"), "{error}");
    let mut version = index;
    version[7] = 3;
    repository.write(name, &version);
    assert!(matches!(
        read(&repository, id(1)),
        Err(Error::Unsupported(_))
    ));
}

#[test]
fn differences_never_read_outside_of_their_base() {
    let base = b"0123456789";
    let ok = [number(10), number(5), vec![0x91, 2, 3, 2, b'x', b'y']].concat();
    assert_eq!(apply(base, &ok, "it").unwrap(), b"234xy");
    for delta in [
        vec![],
        vec![10],
        [number(9), number(1), vec![0x91, 0, 1]].concat(),
        [number(10), number(1), vec![0x91, 10, 1]].concat(),
        [number(10), number(11), vec![0x91, 0, 11]].concat(),
        [number(10), number(1), vec![0xff; 8]].concat(),
        [number(10), number(1), vec![0]].concat(),
        [number(10), number(2), vec![0x91, 0, 1]].concat(),
        [number(10), number(1), vec![0x91, 0, 2]].concat(),
        [number(10), number(9), vec![9, b'a']].concat(),
        [number(10), number(1), vec![0x91]].concat(),
        vec![0xff; 30],
    ] {
        assert!(
            matches!(apply(base, &delta, "it"), Err(Error::Damaged { .. })),
            "{delta:?}"
        );
    }
}

#[test]
fn paths_that_lead_outside_are_refused() {
    let outer = Temporary::with(&[("file", "secret\n")]);
    let inner = outer.path().join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    for target in ["..", "../.git", "/etc", "x/../../.git"] {
        std::fs::write(inner.join(".git"), format!("gitdir: {target}\n")).unwrap();
        let mut disk = super::disk::Disk::new(&inner);
        let error = Repository::open(&mut disk, "").map(|_| ()).unwrap_err();
        assert!(
            matches!(error, Error::Outside { .. }),
            "{target}: {error:?}"
        );
    }
    for text in ["", "gitdir:", "gitdir: nothing", "\0\0"] {
        std::fs::write(inner.join(".git"), text).unwrap();
        let mut disk = super::disk::Disk::new(&inner);
        let error = Repository::open(&mut disk, "").map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{text}: {error:?}");
    }
    std::fs::remove_file(inner.join(".git")).unwrap();
    std::fs::create_dir_all(inner.join(".git/objects")).unwrap();
    std::fs::write(inner.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    std::fs::write(inner.join(".git/commondir"), "../../.git\n").unwrap();
    let mut disk = super::disk::Disk::new(&inner);
    let error = Repository::open(&mut disk, "").map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Outside { .. }), "{error:?}");
}

#[test]
fn alternates_of_alternates_are_bounded() {
    let outer = Temporary::new();
    let mut lines = String::new();
    for number in 0..limits::STORES {
        std::fs::create_dir_all(outer.path().join(format!("store{number}"))).unwrap();
        lines += &format!("../../store{number}\n");
    }
    outer.write("store0/info/alternates", "../store1\n../.git/objects\n");
    outer.write(
        ".git/objects/info/alternates",
        "../../store0\n# comment\n\n../../store1\n",
    );
    outer.open(|_| ());
    outer.write(".git/objects/info/alternates", lines);
    let mut disk = outer.disk();
    let error = Repository::open(&mut disk, "").map(|_| ()).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Limit {
                name: "git-alternates",
                ..
            }
        ),
        "{error:?}"
    );
}

#[test]
fn a_long_file_with_one_value_is_a_limit() {
    let repository = Temporary::with(&[("file", "1\n")]);
    repository.write(".git/refs/heads/long", vec![b'a'; 1 << 20]);
    let error = repository
        .open(|opened| opened.revision("long"))
        .unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error:?}");
    let error = repository
        .open(|opened| opened.revision(&"a/".repeat(50_000)))
        .unwrap_err();
    assert!(matches!(error, Error::UnknownRevision(_)), "{error:?}");
}

#[test]
fn random_changes_of_small_files_are_errors_or_other_answers() {
    let repository = Temporary::with(&[("dir/file", "1\n")]);
    repository.git(&["tag", "-a", "v1", "-m", "one"]);
    repository.git(&["branch", "feature/x"]);
    repository.git(&["pack-refs", "--all"]);
    repository.write(".git/commondir", ".\n");
    repository.write(".git/shallow", "");
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut answers = 0;
    for name in ["HEAD", "packed-refs", "config", "commondir", "shallow"] {
        let path = format!(".git/{name}");
        let bytes = repository.read(&path);
        for _ in 0..300 {
            let mut changed = bytes.clone();
            for _ in 0..=random(4) {
                let at = random(changed.len() + 1);
                let byte = b"\0\n /.~^:a0[]=#\xff"[random(15)];
                match random(3) {
                    0 => changed.insert(at, byte),
                    1 => changed.truncate(at),
                    _ => changed
                        .iter_mut()
                        .skip(at)
                        .take(1)
                        .for_each(|it| *it = byte),
                }
            }
            repository.write(&path, &changed);
            let mut disk = repository.disk();
            let Ok(mut opened) = Repository::open(&mut disk, "") else {
                continue;
            };
            let _ = opened.references();
            for revision in ["HEAD", "v1^{}", "feature/x~0"] {
                let _ = opened.locate(&format!("{revision}/dir/file"));
                if let Ok(content) = super::disk::file_at(&mut opened, revision, "dir/file") {
                    assert_eq!(content, b"1\n", "{name}");
                    answers += 1;
                }
            }
        }
        repository.write(&path, &bytes);
    }
    assert!(answers > 1000, "{answers}");
}
