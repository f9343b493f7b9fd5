//! References, and the directories of repositories.

use super::disk::{Temporary, file_at, run};
use crate::error::Error;
use crate::lookup::Located;
use crate::references::{Target, is_valid};
use crate::repository::Repository;

#[test]
fn all_references_are_listed_once() {
    let repository = Temporary::with(&[("file", "0\n")]);
    for name in ["a", "b/c", "b/d"] {
        repository.git(&["branch", name]);
    }
    repository.git(&["tag", "-a", "v1", "-m", "one"]);
    repository.git(&["pack-refs", "--all"]);
    repository.commit(&[("file", "1\n")], "second");
    repository.git(&["branch", "new"]);
    let mut disk = repository.disk();
    let mut opened = Repository::open(&mut disk, "").unwrap();
    let found = opened.references().unwrap();
    let expected = repository.git(&["for-each-ref", "--format=%(objectname) %(refname)"]);
    let expected = String::from_utf8(expected).unwrap();
    let lines: Vec<String> = found
        .list
        .iter()
        .map(|reference| match &reference.target {
            Target::Id(id) => format!("{id} {}", reference.name),
            Target::Reference(name) => format!("{name} {}", reference.name),
        })
        .collect();
    assert_eq!(lines, expected.lines().collect::<Vec<_>>());
    assert_eq!(
        found.head,
        Some(Target::Reference("refs/heads/main".to_owned()))
    );
    assert!(!found.more);
}

#[test]
fn each_of_many_packed_references_is_found() {
    let repository = Temporary::with(&[("file", "0\n")]);
    let head = repository.line(&["rev-parse", "HEAD"]);
    let mut commands = String::new();
    for number in 0..500 {
        commands += &format!("create refs/tags/t{number}-x {head}\n");
        commands += &format!("create refs/heads/b/{number} {head}\n");
    }
    repository.git_with(&["update-ref", "--stdin"], commands.as_bytes());
    for number in 0..20 {
        repository.git(&["tag", "-a", &format!("a{number}"), "-m", "annotated"]);
    }
    repository.git(&["pack-refs", "--all"]);
    let names = repository.git(&["for-each-ref", "--format=%(refname) %(objectname)"]);
    let names = String::from_utf8(names).unwrap();
    let text = repository.read(".git/packed-refs");
    // Old versions of git did not say that the lines are sorted.
    let unsorted = String::from_utf8(text).unwrap().replacen(" sorted", "", 1);
    for sorted in [true, false] {
        if !sorted {
            repository.write(".git/packed-refs", &unsorted);
        }
        repository.open(|opened| {
            for line in names.lines() {
                let (name, id) = line.split_once(' ').unwrap();
                let (found, target) = opened.reference(name).unwrap().unwrap();
                assert_eq!((found.as_str(), target.to_string().as_str()), (name, id));
            }
            for name in [
                "refs/heads/b",
                "refs/tags/t",
                "refs/tags/t500-x",
                "refs/a",
                "refs/z",
            ] {
                assert_eq!(opened.reference(name).unwrap(), None, "{name}");
            }
        });
    }
}

#[test]
fn the_longest_reference_is_the_revision() {
    let repository = Temporary::with(&[("src/lib.rs", "0\n")]);
    repository.git(&["branch", "feature/x"]);
    repository.git(&["branch", "feature/y/z"]);
    repository.git(&["tag", "feature"]);
    for packed in [false, true] {
        if packed {
            repository.git(&["pack-refs", "--all"]);
        }
        for (text, revision, path) in [
            ("HEAD", "HEAD", None),
            ("HEAD/", "HEAD", Some("")),
            ("HEAD/src/lib.rs", "HEAD", Some("src/lib.rs")),
            ("HEAD~3/src/a~b.rs", "HEAD~3", Some("src/a~b.rs")),
            ("feature/x/src/lib.rs", "feature/x", Some("src/lib.rs")),
            (
                "feature/x~2^{tree}/src/lib.rs",
                "feature/x~2^{tree}",
                Some("src/lib.rs"),
            ),
            ("feature/y/z/src", "feature/y/z", Some("src")),
            ("feature/y/src", "feature", Some("y/src")),
            (
                "refs/heads/feature/x/src",
                "refs/heads/feature/x",
                Some("src"),
            ),
            ("main/feature/x", "main", Some("feature/x")),
            ("nothing/at/all", "nothing", Some("at/all")),
        ] {
            let located = repository.open(|opened| opened.locate(text)).unwrap();
            assert_eq!(located, Located { revision, path }, "{text} {packed}");
        }
    }
}

#[test]
fn names_that_lead_out_of_the_references_are_not_valid() {
    for name in ["HEAD", "refs/heads/a-b.c", "refs/heads/ä/@"] {
        assert!(is_valid(name), "{name}");
    }
    for name in [
        "", "/", "a//b", "../a", "a/../b", "a/.b", "a.lock", "a b", "a\nb", "a..b", "a.", "a@{b",
        "a\\b",
    ] {
        assert!(!is_valid(name), "{name}");
    }
}

#[test]
fn references_in_a_circle_are_an_error() {
    let repository = Temporary::with(&[("file", "0\n")]);
    repository.write(".git/refs/heads/a", "ref: refs/heads/b\n");
    repository.write(".git/refs/heads/b", "ref: refs/heads/a\n");
    repository.write(".git/refs/heads/out", "ref: ../../../../etc/passwd\n");
    for name in ["a", "out"] {
        let error = repository.open(|opened| opened.revision(name)).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{error:?}");
    }
}

#[test]
fn work_trees_submodules_and_bare_repositories_are_opened() {
    let outer = Temporary::empty();
    let git = |arguments: &[&str]| run(outer.path(), arguments, b"");
    git(&["init", "-q", "-b", "main", "one"]);
    outer.write("one/file", "main\n");
    git(&["-C", "one", "add", "-A"]);
    git(&["-C", "one", "commit", "-q", "-m", "one"]);
    git(&[
        "-C", "one", "worktree", "add", "-q", "-b", "other", "../tree",
    ]);
    outer.write("tree/file", "other\n");
    git(&["-C", "tree", "commit", "-q", "-a", "-m", "other"]);
    git(&["clone", "-q", "--bare", "one", "bare"]);
    git(&["init", "-q", "-b", "main", "super"]);
    git(&[
        "-C",
        "super",
        "submodule",
        "--quiet",
        "add",
        "../one",
        "sub",
    ]);
    git(&["-C", "super", "commit", "-q", "-m", "with a submodule"]);
    let mut disk = outer.disk();
    for (directory, revision, expected) in [
        ("one", "HEAD", "main\n"),
        ("tree", "HEAD", "other\n"),
        ("tree", "main", "main\n"),
        ("one", "other", "other\n"),
        ("bare", "HEAD", "main\n"),
        ("super/sub", "HEAD", "main\n"),
    ] {
        let mut repository = Repository::open(&mut disk, directory).unwrap();
        let found = file_at(&mut repository, revision, "file").unwrap();
        assert_eq!(found, expected.as_bytes(), "{directory} {revision}");
    }
    // The file `.git` of the work tree names a directory that is outside of the work tree.
    let mut disk = super::disk::Disk::new(&outer.path().join("tree"));
    let error = Repository::open(&mut disk, "").map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Outside { .. }), "{error:?}");
}

#[test]
fn a_directory_without_a_repository_is_said() {
    let outer = Temporary::empty();
    let mut disk = outer.disk();
    let error = Repository::open(&mut disk, "").map(|_| ()).unwrap_err();
    assert_eq!(error, Error::NoRepository(String::new()));
}

#[test]
fn other_formats_of_repositories_are_not_supported() {
    for (settings, part) in [
        ("[extensions]\n\tobjectFormat = sha3\n", "the hash"),
        ("[extensions]\n\trefStorage = reftable\n", "`reftable`"),
    ] {
        let repository = Temporary::with(&[("file", "0\n")]);
        repository.write(".git/config", settings);
        let mut disk = repository.disk();
        let error = Repository::open(&mut disk, "").map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)), "{error:?}");
        assert!(error.to_string().contains(part), "{error}");
    }
}
