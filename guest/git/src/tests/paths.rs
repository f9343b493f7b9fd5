//! Paths in trees.

use super::disk::Temporary;
use crate::error::Error;
use crate::object::{Mode, entries};
use crate::path::Item;
use std::os::unix::fs::symlink;

fn found(repository: &Temporary, path: &str) -> Result<crate::Found, Error> {
    repository.open(|opened| {
        let id = opened.revision("HEAD")?;
        let (_, tree) = opened.tree(&id)?;
        opened.find(&tree, path)
    })
}

#[test]
fn symlinks_are_followed_within_the_tree() {
    let repository = Temporary::with(&[("dir/deep/file", "text\n"), ("top", "top\n")]);
    for (target, name) in [
        ("deep/file", "dir/link"),
        ("../top", "dir/up"),
        ("dir", "d"),
        ("../../etc/passwd", "dir/out"),
        ("/etc/passwd", "absolute"),
        ("b", "a"),
        ("a", "b"),
        ("nothing", "dangling"),
    ] {
        symlink(target, repository.path().join(name)).unwrap();
    }
    repository.commit(&[], "links");
    for (path, expected, links) in [
        ("dir/link", "dir/deep/file", 1),
        ("dir/up", "top", 1),
        ("d/link", "dir/deep/file", 2),
        ("d/deep/../up", "top", 2),
        ("./dir//deep/file", "dir/deep/file", 0),
    ] {
        let found = found(&repository, path).unwrap();
        assert!(matches!(found.item, Item::File(_)));
        assert_eq!(
            (found.path.as_str(), found.links.len()),
            (expected, links),
            "{path}"
        );
    }
    assert!(matches!(
        found(&repository, "d").unwrap().item,
        Item::Directory(_)
    ));
    assert_eq!(found(&repository, "d/deep/").unwrap().path, "dir/deep");
    for path in ["dir/out", "absolute"] {
        let error = found(&repository, path).unwrap_err();
        assert!(matches!(error, Error::LinkOutside { .. }), "{error:?}");
    }
    assert!(matches!(found(&repository, "a"), Err(Error::Links(_))));
    let dangling = found(&repository, "dangling").unwrap_err();
    assert!(matches!(dangling, Error::NoPath { path, .. } if path == "nothing"));
}

#[test]
fn paths_that_do_not_exist_name_their_neighbours() {
    let repository =
        Temporary::with(&[("dir/one", "1\n"), ("dir/two", "2\n"), ("dir/on3/x", "3\n")]);
    for (wanted, neighbours) in [
        ("dir/on", &["dir/on3", "dir/one", "dir/two"][..]),
        ("dir/on/", &["dir/on3", "dir/one", "dir/two"]),
        // Only a directory has a file `x`.
        ("dir/on/x", &["dir/on3"]),
    ] {
        let error = found(&repository, wanted).unwrap_err();
        let Error::NoPath { path, siblings } = error else {
            panic!("{error:?}");
        };
        assert_eq!(path, wanted);
        assert_eq!(siblings, neighbours, "{wanted}");
    }
    assert_eq!(
        found(&repository, "dir/one/x"),
        Err(Error::NotDirectory("dir/one".to_owned()))
    );
    for path in ["..", "../x", "dir/../../x"] {
        assert!(
            matches!(found(&repository, path), Err(Error::NoPath { .. })),
            "{path}"
        );
    }
}

#[test]
fn a_submodule_is_said_with_its_commit() {
    let repository = Temporary::with(&[("file", "1\n")]);
    let commit = repository.line(&["rev-parse", "HEAD"]);
    repository.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("160000,{commit},mod"),
    ]);
    repository.git(&["commit", "-q", "-m", "a submodule"]);
    let item = found(&repository, "mod").unwrap().item;
    assert!(matches!(item, Item::Submodule(id) if id.to_string() == commit));
    let error = found(&repository, "mod/a/b").unwrap_err();
    assert!(
        matches!(&error, Error::Submodule { rest, .. } if rest == "a/b"),
        "{error:?}"
    );
}

#[test]
fn the_entries_of_a_tree_are_those_that_git_lists() {
    let repository = Temporary::with(&[("a b", "1\n"), ("ä/x", "2\n"), ("run.sh", "3\n")]);
    repository.git(&["update-index", "--chmod=+x", "run.sh"]);
    symlink("a b", repository.path().join("link")).unwrap();
    repository.git(&["add", "link"]);
    repository.git(&["commit", "-q", "-m", "modes"]);
    let expected = repository.git(&["ls-tree", "-z", "HEAD"]);
    let listed = repository.open(|opened| {
        let id = opened.revision("HEAD").unwrap();
        let (commit, tree) = opened.tree(&id).unwrap();
        assert_eq!(commit.unwrap().subject, "modes");
        let mut listed = Vec::new();
        for entry in entries(&tree) {
            let entry = entry.unwrap();
            let mode = match entry.mode {
                Mode::File => "100644 blob",
                Mode::Program => "100755 blob",
                Mode::Symlink => "120000 blob",
                Mode::Directory => "040000 tree",
                Mode::Submodule => "160000 commit",
            };
            listed.extend(format!("{mode} {}\t", entry.id).into_bytes());
            listed.extend(entry.name);
            listed.push(0);
        }
        listed
    });
    assert_eq!(String::from_utf8(listed), String::from_utf8(expected));
}

#[test]
fn names_that_no_checkout_has_are_never_found() {
    let repository = Temporary::with(&[("file", "1\n")]);
    let blob = repository.line(&["rev-parse", "HEAD:file"]);
    let mut tree = Vec::new();
    for name in ["..", "/", ".git", "a/b", ".", "", "ok"] {
        tree.extend(format!("100644 {name}\0").into_bytes());
        let id = crate::Id::from_hex(crate::Algorithm::Sha1, &blob).unwrap();
        tree.extend(id.as_bytes());
    }
    let hash = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
    let tree = String::from_utf8(repository.git_with(&hash, &tree)).unwrap();
    let tree = tree.trim();
    for path in ["..", ".git", "a/b"] {
        let result = repository.at(tree, path);
        assert!(matches!(result, Err(Error::NoPath { .. })), "{path}");
    }
    assert_eq!(repository.at(tree, "ok").unwrap(), b"1\n");
    let count = repository.open(|opened| {
        let id = opened.revision(tree).unwrap();
        let tree = opened.object(&id).unwrap();
        entries(&tree)
            .filter(|entry| entry.as_ref().unwrap().is_safe())
            .count()
    });
    assert_eq!(count, 1);
}
