//! The files that the benches read.

use omniread_tests::Workspace;
use std::fmt::Write as _;

/// The line that large files are made of.
pub const LINE: &str =
    "2026-11-21T03:14:15.926Z INFO  request handled in 42 ms by worker-7, 200 OK\n";

/// A workspace with a file of 12 bytes, one of 50 KB, a log of 2 MB, and a
/// directory.
pub fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("12B.txt", "hello world\n");
    let mut source = String::new();
    for n in 0..1000 {
        let _ = writeln!(
            source,
            "    let value_{n:04} = compute({n}, \"some text\");"
        );
    }
    workspace.file("50KB.rs", source);
    workspace.file("2MB.log", LINE.repeat((2 << 20) / LINE.len()));
    for folder in 0..10 {
        for file in 0..15 {
            workspace.file(&format!("tree/folder{folder}/file{file}.txt"), "x\n");
        }
    }
    workspace
}
