//! Races: files and directories that are replaced during a read.

use super::{CANARY, HANG};
use omniread_tests::Workspace;
use rustix::fs::{CWD, Mode, RenameFlags};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Swaps two files again and again while `work` runs.
fn while_swapping(a: &Path, b: &Path, work: impl FnOnce()) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let _ = rustix::fs::renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE);
            }
        });
        work();
        stop.store(true, Ordering::Relaxed);
    });
}

/// Hostile input FS-5: during a read, the file or its directory is replaced by a symlink that leads
/// out of the roots.
#[test]
fn file_swapped_for_a_symlink_does_not_leave_the_roots() {
    let outside = Workspace::new();
    outside.file("f", CANARY);
    let workspace = Workspace::new();
    workspace
        .file("f", "inside\n")
        .link("link", outside.path().join("f"))
        .file("dir/f", "inside\n")
        .link("out", outside.path());
    let session = workspace.session();
    let root = workspace.path();
    let mut read = 0;
    for (a, b, path) in [("f", "link", "f"), ("dir", "out", "dir/f")] {
        while_swapping(&root.join(a), &root.join(b), || {
            for _ in 0..5000 {
                match session.read(path) {
                    Ok(reply) => {
                        read += 1;
                        assert!(!reply.text().contains(CANARY));
                    }
                    Err(failure) => assert!(!failure.text.contains(CANARY)),
                }
            }
        });
    }
    assert!(read > 0, "nothing was read at all");
}

/// Hostile input FS-6: during a read, the file is replaced by a named pipe.
#[test]
fn file_swapped_for_a_pipe_does_not_hang() {
    let workspace = Workspace::new();
    workspace.file("f", "inside\n");
    let root = workspace.path();
    rustix::fs::mkfifoat(CWD, root.join("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
    let session = workspace.session();
    while_swapping(&root.join("f"), &root.join("pipe"), || {
        for _ in 0..5000 {
            let started = Instant::now();
            let _ = session.read("f");
            assert!(started.elapsed() < HANG);
        }
    });
    assert!(session.read("f").is_ok() || session.read("pipe").is_ok());
}
