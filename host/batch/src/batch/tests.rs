//! Batches whose list or rows fail, or that are stopped.

use super::*;
use crate::queue::Entry;
use omniread::Reader;
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
