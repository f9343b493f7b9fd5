//! The layout of a PDF document, which a session keeps for its later reads.

use omniread::sessions::StoreLimits;
use omniread::{Reader, Session};
use omniread_tests::pack::zip;
use omniread_tests::pdf::encryption::{Algorithm, encrypted};
use omniread_tests::pdf::report::report;
use omniread_tests::{Workspace, text};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time after which the state of a file is certain, and a little more.
const SETTLED: Duration = Duration::from_millis(3500);

/// The size up to which the reader has a file in memory, and passes its bytes to the engine. The engine reads a larger
/// file itself.
const IN_MEMORY: usize = 64 << 10;

/// A session on disk, whose database shows what it keeps.
struct OnDisk {
    session: Session,
    directory: PathBuf,
}

impl OnDisk {
    fn new(reader: &Reader, directory: &Path) -> Self {
        let opened = Session::open(reader, directory, StoreLimits::DISK).unwrap();
        Self {
            session: opened.session,
            directory: directory.to_owned(),
        }
    }

    /// The number of layouts that are kept.
    fn layouts(&self) -> usize {
        let database = Connection::open(self.directory.join("session.db")).unwrap();
        let query = "SELECT length(v.bytes) FROM cache c JOIN value v ON v.id = c.value WHERE c.key LIKE 'pdf-layout:%'";
        let mut statement = database.prepare(query).unwrap();
        let sizes = statement.query_map([], |row| row.get::<_, i64>(0)).unwrap();
        sizes.filter(|size| *size.as_ref().unwrap() > 100).count()
    }
}

/// Reads a path in a session, and in one of its own.
fn same(session: &Session, reader: &Reader, path: &str) {
    assert_eq!(text(session, path), text(&reader.session(), path), "{path}");
}

#[test]
fn pages_are_the_same_with_the_layout_of_an_earlier_read() {
    let workspace = Workspace::new();
    let files = [("short.pdf", 16), ("long.pdf", 200)];
    for (name, pages) in files {
        let bytes = report(pages);
        assert_eq!(bytes.len() < IN_MEMORY, pages == 16, "{}", bytes.len());
        workspace.file(name, bytes);
    }
    std::thread::sleep(SETTLED);
    let reader = workspace.builder().build().unwrap();
    let disk = OnDisk::new(&reader, &workspace.path().join("session"));
    for (count, (file, _)) in files.into_iter().enumerate() {
        for page in ["9", "10", "1", "12:all", "16"] {
            same(&disk.session, &reader, &format!("{file}:page:{page}"));
            assert_eq!(disk.layouts(), count + 1, "{file}: {page}");
        }
    }

    // The layout of a file that changed is not that of the file.
    workspace.file("long.pdf", report(150));
    std::thread::sleep(SETTLED);
    same(&disk.session, &reader, "long.pdf:page:150");
    assert_eq!(disk.layouts(), 3);
}

#[test]
fn layouts_of_other_content_are_not_kept() {
    let workspace = Workspace::new();
    workspace
        .file("a.zip", zip(&[("a.pdf", &report(20))]))
        .file(
            "locked.pdf",
            encrypted("a mark on a page", "open it", Algorithm::Rc4),
        );
    std::thread::sleep(SETTLED);
    // The state of this file is not certain yet.
    workspace.file("new.pdf", report(20));
    let reader = workspace.builder().password("open it").build().unwrap();
    let disk = OnDisk::new(&reader, &workspace.path().join("session"));
    for path in ["new.pdf:page:3", "a.zip:a.pdf:page:3", "locked.pdf:page:1"] {
        same(&disk.session, &reader, path);
        assert_eq!(disk.layouts(), 0, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_another_file_has_the_layout_of_that_file() {
    let workspace = Workspace::new();
    workspace
        .file("a.pdf", report(60))
        .file("b.pdf", report(90))
        .link("link.pdf", "a.pdf");
    std::thread::sleep(SETTLED);
    let reader = workspace.builder().build().unwrap();
    let disk = OnDisk::new(&reader, &workspace.path().join("session"));
    same(&disk.session, &reader, "link.pdf:page:5");
    std::fs::remove_file(workspace.path().join("link.pdf")).unwrap();
    workspace.link("link.pdf", "b.pdf");
    same(&disk.session, &reader, "link.pdf:page:5");
    assert_eq!(disk.layouts(), 2);
    same(&disk.session, &reader, "a.pdf:page:6");
    assert_eq!(disk.layouts(), 2);
}
