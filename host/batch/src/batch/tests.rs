//! Batches whose list or rows fail, or that are stopped.

use super::*;
use crate::queue::Entry;
use omniread::Reader;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

/// The maximum time that a test waits for another thread. It only guards against hangs.
const LONGEST: Duration = Duration::from_mins(1);

fn settings(root: &Path) -> Settings {
    let reader = Reader::builder().root(root).build().expect("a reader");
    let mut settings = Settings::new(reader);
    settings.jobs = 3;
    settings
}

/// Rows that do as the function says.
struct To<F>(F);

impl<F: FnMut() -> io::Result<()> + Send> Rows for To<F> {
    fn row(&mut self, _: &Finished) -> io::Result<()> {
        (self.0)()
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One path, and then what the function returns. It has to be waited for.
struct Slow<F>(Option<PathBuf>, F);

impl<F: FnMut() -> io::Result<Option<Entry>> + Send> Paths for Slow<F> {
    fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        match self.0.take() {
            Some(path) => Ok(Some(Entry::Path(path))),
            None => (self.1)(),
        }
    }

    fn is_ready(&self) -> bool {
        self.0.is_some()
    }
}

/// Runs a batch on another thread. Fails if it does not end.
fn ends<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> thread::Result<T> {
    let thread = thread::spawn(run);
    let began = Instant::now();
    while !thread.is_finished() {
        assert!(began.elapsed() < LONGEST, "it waits");
        thread::sleep(CHECK);
    }
    thread.join()
}

#[test]
fn list_is_not_waited_for_after_rows_cannot_be_written() {
    let mut settings = settings(&std::env::temp_dir());
    settings.jobs = 1;
    let ended = ends(move || {
        let rows = To(|| Err(io::ErrorKind::StorageFull.into()));
        let list = Slow(Some("missing".into()), || panic!("nothing more is needed"));
        Batch::new(settings, rows).run(list, Done::default())
    });
    let error = ended.expect("no panic").expect_err("it failed");
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn panic_of_the_list_or_of_the_rows_ends_all_threads() {
    let of_list = settings(&std::env::temp_dir());
    let of_rows = of_list.clone();
    let ended = ends(move || {
        let list = Slow(Some("missing".into()), || panic!("a defect of the list"));
        Batch::new(of_list, To(|| Ok(()))).run(list, Done::default())
    });
    assert!(ended.is_err());
    let ended = ends(move || {
        let list = (0..100).map(|number| PathBuf::from(format!("missing{number}")));
        let rows = To(|| panic!("a defect of the rows"));
        Batch::new(of_rows, rows).run(list, Done::default())
    });
    assert!(ended.is_err());
}

/// Nobody takes the row that a thread writes.
#[test]
fn reads_are_cancelled_while_a_row_is_written() {
    let (written, is_taken): (_, Receiver<()>) = channel();
    let (begins, has_begun) = channel();
    let rows = To(move || {
        let _ = begins.send(());
        let _ = is_taken.recv();
        Ok(())
    });
    let batch = Batch::new(settings(&std::env::temp_dir()), rows);
    let (stopper, inner) = (batch.stopper(), Arc::clone(&batch.0));
    let list = [PathBuf::from("missing")];
    let run = thread::spawn(move || batch.run(list.into_iter(), Done::default()));
    has_begun.recv().expect("a row");
    let stop = thread::spawn(move || stopper.stop());
    let began = Instant::now();
    while !inner.reads.token.is_cancelled() {
        assert!(began.elapsed() < LONGEST, "it waits for the row");
        thread::sleep(CHECK);
    }
    drop(written);
    assert!(stop.join().expect("no panic").is_ok());
    assert!(run.join().expect("no panic").is_ok());
}

/// Rows that are kept.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Finished>>>);

impl Rows for Kept {
    fn row(&mut self, row: &Finished) -> io::Result<()> {
        lock(&self.0).push(row.clone());
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A directory with files of some lines.
struct Files(PathBuf);

impl Files {
    fn new(name: &str, files: &[(&str, usize)]) -> Self {
        let name = format!("omniread-batch-{}-{name}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        for (file, lines) in files {
            let file = directory.join(file);
            let parent = file.parent().expect("a directory");
            std::fs::create_dir_all(parent).expect("a directory");
            std::fs::write(file, "a line\n".repeat(*lines)).expect("a file");
        }
        Self(directory)
    }

    /// The rows of a batch.
    fn rows(&self, set: impl Fn(&mut Settings), paths: &[&str]) -> Vec<Finished> {
        self.rows_after(&[], set, paths)
    }

    /// The rows of a batch after a run that has done some paths.
    fn rows_after(
        &self,
        before: &[&str],
        set: impl Fn(&mut Settings),
        paths: &[&str],
    ) -> Vec<Finished> {
        let mut done = Done::default();
        for path in before {
            done.insert(Path::new(path));
        }
        let mut settings = settings(&self.0);
        set(&mut settings);
        let kept = Kept::default();
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let batch = Batch::new(settings, kept.clone());
        batch.run(paths.into_iter(), done).expect("rows");
        mem::take(&mut *lock(&kept.0))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn paths(rows: &[Finished]) -> Vec<&str> {
    rows.iter().filter_map(|row| row.path.to_str()).collect()
}

#[test]
fn further_pages_have_rows_in_order() {
    let files = Files::new("pages", &[("long.txt", 700), ("short.txt", 2)]);
    let list = ["long.txt", "missing", "short.txt", "long.txt:301"];
    let rows = files.rows(|settings| settings.pages = true, &list);
    let expected = [
        "long.txt",
        "long.txt:301",
        "long.txt:601",
        "missing",
        "short.txt",
    ];
    assert_eq!(paths(&rows), expected);
    for row in &rows {
        let page = row.path.to_str().expect("text");
        // A row is that of a read of its path.
        let alone = files.rows(|_| (), &[page]);
        assert_eq!(alone.len(), 1);
        assert_eq!(alone[0].line, row.line, "{page}");
    }
    let rows = files.rows(|_| (), &["long.txt"]);
    assert_eq!(paths(&rows), ["long.txt"]);
}

#[test]
fn paths_are_found_without_reads() {
    let files = Files::new("found", &[("d/a.txt", 1), ("d/in/b.txt", 1), ("c.txt", 1)]);
    let list = ["c.txt", "d", "missing", "d/a.txt", "c.txt"];
    let find = |settings: &mut Settings| {
        settings.only_paths = true;
        settings.recursive = true;
    };
    let rows = files.rows(find, &list);
    assert_eq!(paths(&rows), ["c.txt", "d/a.txt", "d/in/b.txt", "missing"]);
    assert!(
        rows.iter()
            .all(|row| row.is_read && row.details().is_none() && row.error().is_none())
    );
    let rows = files.rows(|settings| settings.only_paths = true, &list);
    assert_eq!(paths(&rows), ["c.txt", "d", "missing", "d/a.txt"]);
    // A directory that has a row, as one that was missing then, has files now.
    let before = ["d", "c.txt", "d/a.txt", "missing"];
    let rows = files.rows_after(&before, find, &list);
    assert_eq!(paths(&rows), ["d/in/b.txt"]);
    let only_paths = |settings: &mut Settings| settings.only_paths = true;
    assert!(files.rows_after(&before, only_paths, &list).is_empty());
}

#[test]
fn size_of_a_row_that_waits_grows_with_its_position() {
    let first = Position::of_list(0);
    let mut page = first.clone();
    for _ in 0..1000 {
        page = page.child(1, true);
    }
    let size = |position| Ready::new(position, None).size();
    // Each level has two numbers of 64 bits at least.
    assert!(size(&page) - size(&first) >= 16_000);
}

#[test]
#[cfg(unix)]
fn path_that_is_not_text_is_found_with_its_error() {
    use std::os::unix::ffi::OsStrExt as _;

    let mut settings = settings(&std::env::temp_dir());
    settings.only_paths = true;
    let kept = Kept::default();
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(b"a\xff"));
    let batch = Batch::new(settings, kept.clone());
    batch
        .run([path].into_iter(), Done::default())
        .expect("rows");
    let rows = lock(&kept.0);
    assert_eq!(rows.len(), 1);
    let error = rows[0].error().expect("an error");
    assert!(error.contains("invalid_path"), "{error}");
}
