//! Repositories that the environment names.
//!
//! `OMNIREAD_TEST_GIT=DIR cargo test -p omniread-git environment` compares every file of a repository at up to 20
//! revisions with the bytes that git reads.

use super::disk::{Disk, run};
use crate::object::{Mode, entries};
use crate::repository::Repository;
use std::path::Path;

#[test]
fn every_file_at_20_revisions_has_the_bytes_that_git_reads() {
    let Some(directories) = std::env::var_os("OMNIREAD_TEST_GIT") else {
        return;
    };
    for directory in std::env::split_paths(&directories) {
        compare(&directory);
    }
}

fn compare(directory: &Path) {
    let list = run(directory, &["rev-list", "--all"], b"");
    let list = String::from_utf8(list).unwrap();
    let commits: Vec<&str> = list.lines().collect();
    let step = commits.len().div_ceil(20).max(1);
    let mut disk = Disk::new(directory);
    let (mut files, mut bytes) = (0, 0);
    for commit in commits.iter().step_by(step) {
        let mut repository = Repository::open(&mut disk, "").unwrap();
        let id = repository.revision(commit).unwrap();
        let (_, tree) = repository.tree(&id).unwrap();
        let mut paths = Vec::new();
        let mut directories = vec![(Vec::new(), tree)];
        while let Some((path, tree)) = directories.pop() {
            for entry in entries(&tree) {
                let entry = entry.unwrap();
                let own = [&path[..], entry.name].concat();
                match entry.mode {
                    Mode::Directory => {
                        let tree = repository.object(&entry.id).unwrap();
                        directories.push(([&own[..], b"/"].concat(), tree));
                    }
                    Mode::Submodule => {}
                    _ => paths.push((own, entry.id)),
                }
            }
        }
        let expected = run(
            directory,
            &["ls-tree", "-r", "-z", "--name-only", commit],
            b"",
        );
        assert_eq!(
            expected.split(|byte| *byte == 0).count() - 1,
            paths.len(),
            "{commit}"
        );
        // By its path, so that git finds the object on its own.
        let request: Vec<u8> = paths
            .iter()
            .flat_map(|(path, _)| [commit.as_bytes(), b":", path, b"\0"].concat())
            .collect();
        let batch = run(directory, &["cat-file", "--batch", "-z"], &request);
        let mut rest = batch.as_slice();
        for (path, id) in &paths {
            let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
            let header = String::from_utf8_lossy(&rest[..end]).into_owned();
            let size: usize = header.rsplit(' ').next().unwrap().parse().unwrap();
            let object = repository.object(id).unwrap();
            let name = String::from_utf8_lossy(path);
            assert!(
                rest[end + 1..end + 1 + size] == object.content,
                "{commit} {name}"
            );
            rest = &rest[end + size + 2..];
            files += 1;
            bytes += size;
        }
    }
    let directory = directory.display();
    assert!(files > 0, "`{directory}` has no files");
    let mut out = std::io::stdout();
    let _ = std::io::Write::write_fmt(
        &mut out,
        format_args!("{directory}: {files} files with {bytes} bytes are equal\n"),
    );
}
