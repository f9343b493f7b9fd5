//! Objects in all the ways in which git stores them.

use super::disk::Temporary;
use crate::id::{Algorithm, Id};
use crate::limits;
use std::fmt::Write as _;

/// A text with lines that differ by their numbers.
fn text(lines: u32, seed: u32) -> String {
    (0..lines).fold(String::new(), |mut text, line| {
        let number = line.wrapping_mul(2_654_435_761).wrapping_add(seed);
        let _ = writeln!(text, "line {line} has the number {number}");
        text
    })
}

/// A repository with 30 versions of files, trees and a tag.
fn versions(repository: &Temporary) {
    for version in 0..30 {
        let mut content = text(400, 7);
        let _ = writeln!(content, "version {version}");
        content.insert_str(0, &text(version, version));
        let small = format!("{version}\n");
        repository.commit(
            &[
                ("src/deep/er/large.txt", &content),
                ("src/small.txt", &small),
                ("empty", ""),
            ],
            &format!("version {version}"),
        );
    }
    repository.git(&["tag", "-a", "v1", "-m", "the tag"]);
}

/// Compares all objects of a repository with those that git reads.
fn assert_equal_objects(repository: &Temporary) -> usize {
    let batch = repository.git(&["cat-file", "--batch", "--batch-all-objects"]);
    let mut rest = batch.as_slice();
    let mut count = 0;
    repository.open(|opened| {
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
            let header = std::str::from_utf8(&rest[..end]).unwrap();
            let [id, kind, size] = header.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{header}");
            };
            let size: usize = size.parse().unwrap();
            let content = &rest[end + 1..end + 1 + size];
            let id = Id::from_hex(opened.algorithm(), id).unwrap();
            assert_eq!(opened.header(&id).unwrap().1, size as u64, "{id}");
            assert_eq!(opened.header(&id).unwrap().0.name(), kind);
            let object = opened.object(&id).unwrap();
            assert_eq!(object.kind.name(), kind);
            assert!(object.content == content, "{id} differs");
            rest = &rest[end + 1 + size + 1..];
            count += 1;
        }
    });
    count
}

#[test]
fn loose_objects_are_those_that_git_reads() {
    let repository = Temporary::new();
    versions(&repository);
    assert!(assert_equal_objects(&repository) > 150);
}

#[test]
fn packed_objects_are_those_that_git_reads() {
    let repository = Temporary::new();
    versions(&repository);
    repository.git(&["gc", "-q", "--aggressive", "--prune=now"]);
    let indexes = repository.git(&["count-objects", "-v"]);
    let indexes = String::from_utf8(indexes).unwrap();
    assert!(
        indexes.contains("count: 0") && indexes.contains("packs: 1"),
        "{indexes}"
    );
    assert!(assert_equal_objects(&repository) > 150);
}

#[test]
fn differences_by_id_and_old_indexes_are_read() {
    for settings in [
        ["-c", "repack.useDeltaBaseOffset=false"],
        ["-c", "pack.indexVersion=1"],
    ] {
        let repository = Temporary::new();
        versions(&repository);
        let repack = ["repack", "-q", "-a", "-d", "-f"];
        repository.git(&[&settings[..], &repack[..]].concat());
        repository.git(&["prune-packed"]);
        assert!(assert_equal_objects(&repository) > 150, "{settings:?}");
    }
}

#[test]
fn offsets_with_8_bytes_are_read() {
    let repository = Temporary::new();
    versions(&repository);
    repository.git(&["repack", "-q", "-a", "-d"]);
    let pack = super::damage::pack(&repository);
    // Every offset from 300 on is in the second table, as in packs of more than 2 GB.
    repository.git(&[
        "index-pack",
        "--index-version=2,300",
        &format!("{pack}.pack"),
    ]);
    assert!(assert_equal_objects(&repository) > 150);
}

#[test]
fn several_packs_and_loose_objects_are_read_together() {
    let repository = Temporary::new();
    for number in 0..5 {
        repository.commit(&[("file", &text(50, number))], "another");
        if number < 4 {
            repository.git(&["repack", "-q", "-d"]);
        }
    }
    assert!(assert_equal_objects(&repository) >= 15);
}

#[test]
fn repositories_with_sha256_are_read() {
    let repository = Temporary::empty();
    repository.git(&["init", "-q", "-b", "main", "--object-format=sha256", "."]);
    versions(&repository);
    assert_eq!(
        repository.open(|opened| opened.algorithm()),
        Algorithm::Sha256
    );
    assert!(assert_equal_objects(&repository) > 150);
    repository.git(&["gc", "-q", "--prune=now"]);
    assert!(assert_equal_objects(&repository) > 150);
    assert_eq!(repository.at("HEAD~3", "src/small.txt").unwrap(), b"26\n");
}

#[test]
fn objects_in_alternates_are_read() {
    let outer = Temporary::empty();
    let inner = |arguments: &[&str]| super::disk::run(outer.path(), arguments, b"");
    inner(&["init", "-q", "-b", "main", "one"]);
    outer.write("one/file", "of one\n");
    inner(&["-C", "one", "add", "-A"]);
    inner(&["-C", "one", "commit", "-q", "-m", "one"]);
    inner(&["clone", "-q", "--shared", "one", "two"]);
    outer.write("two/file", "of two\n");
    inner(&["-C", "two", "commit", "-q", "-a", "-m", "two"]);
    let mut disk = outer.disk();
    let mut repository = crate::Repository::open(&mut disk, "two").unwrap();
    let mut read = |revision| super::disk::file_at(&mut repository, revision, "file").unwrap();
    assert_eq!(read("HEAD"), b"of two\n");
    assert_eq!(read("HEAD~1"), b"of one\n");
    // From the clone alone, the other repository is outside.
    let mut disk = super::disk::Disk::new(&outer.path().join("two"));
    let mut repository = crate::Repository::open(&mut disk, "").unwrap();
    let file = super::disk::file_at(&mut repository, "HEAD", "file");
    assert_eq!(file.unwrap(), b"of two\n");
    let error = super::disk::file_at(&mut repository, "HEAD~1", "file").unwrap_err();
    assert!(
        matches!(&error, crate::Error::Missing { refused: Some(refused), .. } if matches!(**refused, crate::Error::Outside { .. })),
        "{error:?}"
    );
    let error = error.to_string();
    assert!(
        error.contains("alternates")
            && error.ends_with("which is outside the roots, so that its objects were refused"),
        "{error}"
    );
}

#[test]
fn only_a_small_part_of_a_pack_is_read() {
    let repository = Temporary::new();
    let mut state = 1_u64;
    for number in 0..40 {
        // Bytes that cannot be compressed, so that the pack has 8 MB.
        let random: Vec<u8> = (0..200_000)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                state.to_be_bytes()[1]
            })
            .collect();
        repository.write(&format!("random/{number}"), random);
    }
    repository.write("src/small.txt", "small\n");
    repository.commit(&[], "all");
    repository.git(&["gc", "-q", "--prune=now"]);
    let mut disk = repository.disk();
    let bytes = std::rc::Rc::clone(&disk.bytes);
    let mut opened = crate::Repository::open(&mut disk, "").unwrap();
    let small = super::disk::file_at(&mut opened, "main", "src/small.txt").unwrap();
    assert_eq!(small, b"small\n");
    let read = *bytes.borrow();
    assert!(read < 12 * limits::PACK_WINDOW as u64, "{read} bytes");
    // No file is opened twice.
    let mut names = disk.opened.clone();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), disk.opened.len(), "{:?}", disk.opened);
}

#[test]
fn long_objects_and_unusual_bytes_are_read() {
    let repository = Temporary::new();
    repository.write("zeros", vec![0; 3 << 20]);
    repository.write("all", (0..=255).collect::<Vec<u8>>());
    repository.commit(&[("text", &text(100_000, 3))], "long");
    assert_eq!(assert_equal_objects(&repository), 5);
    repository.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(assert_equal_objects(&repository), 5);
}

#[test]
fn an_object_above_the_limit_is_a_limit_and_no_damage() {
    let repository = Temporary::new();
    let long = usize::try_from(limits::OBJECT_BYTES).unwrap() + 1;
    repository.write("long", vec![b'a'; long]);
    repository.commit(&[], "long");
    let is_limit = |error: crate::Error| match error {
        crate::Error::Limit { name, .. } => assert_eq!(name, "git-object-bytes"),
        other => panic!("{other}"),
    };
    is_limit(repository.at("HEAD", "long").unwrap_err());
    repository.git(&["gc", "-q", "--prune=now"]);
    is_limit(repository.at("HEAD", "long").unwrap_err());
}
