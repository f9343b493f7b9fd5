//! The threads of a batch.

use crate::done::Done;
use crate::order::{Order, Position};
use crate::patterns;
use crate::progress::{Progress, Summary};
use crate::queue::{Child, Item, Paths, Queue, What};
use crate::row::{Finished, Outcome, OwnError, Rows};
use crate::settings::Settings;
use crate::{expand, limits, names};
use omniread::{AfterReply, CancelToken, Failure, Reason, Reply, Session};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The interval at which a batch that was stopped checks whether its reads have ended.
const CHECK: Duration = Duration::from_millis(2);

/// A batch: reads of many files, each with a row.
pub struct Batch<R> {
    settings: Settings,
    token: CancelToken,
    progress: Arc<Progress>,
    is_stopped: AtomicBool,
    /// Whether a thread waits for the next entry of the list, so that rows are written at once.
    is_waiting: AtomicBool,
    /// The number of items that threads work on.
    running: AtomicUsize,
    state: Mutex<State<R>>,
    /// Wakes threads whose rows wait for an earlier one.
    written: Condvar,
}

struct State<R> {
    rows: R,
    order: Order<Option<Finished>>,
    /// The size of the rows that wait.
    waiting: usize,
    /// Why rows could not be written.
    failed: Option<io::Error>,
    /// Whether the last row is written.
    is_closed: bool,
}

/// The queue, and the signal that it has more.
struct Work<P> {
    queue: Mutex<Queue<P>>,
    more: Condvar,
}

/// What becomes of an item.
enum Made {
    Row(Outcome),
    Children(Vec<Child>),
}

impl<R: Rows> Batch<R> {
    /// Creates a batch whose rows are written there.
    pub fn new(settings: Settings, rows: R) -> Self {
        Self {
            settings,
            token: CancelToken::new(),
            progress: Arc::default(),
            is_stopped: AtomicBool::new(false),
            is_waiting: AtomicBool::new(false),
            running: AtomicUsize::new(0),
            state: Mutex::new(State {
                rows,
                order: Order::default(),
                waiting: 0,
                failed: None,
                is_closed: false,
            }),
            written: Condvar::new(),
        }
    }

    /// The numbers of the batch while it runs.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// Reads all paths of a list, and writes their rows. Paths in `done` have one already. To be called once.
    ///
    /// # Errors
    /// Fails if the list cannot be read, or the rows cannot be written. The rows of all reads that have ended are
    /// written before, as far as this is possible.
    pub fn run<P: Paths>(&self, list: P, done: Done) -> io::Result<Summary> {
        let work = Work {
            queue: Mutex::new(Queue::new(list, done)),
            more: Condvar::new(),
        };
        let jobs = self.settings.jobs.clamp(1, limits::JOBS);
        thread::scope(|scope| {
            for _ in 1..jobs {
                let named = thread::Builder::new().name("omniread-batch".to_owned());
                // If the system cannot start a thread, there is at least this one.
                if named.spawn_scoped(scope, || self.work(&work)).is_err() {
                    break;
                }
            }
            self.work(&work);
        });
        self.close();
        if let Some(error) = self.state().failed.take() {
            return Err(error);
        }
        match lock(&work.queue).failed.take() {
            Some(error) => Err(error),
            None => Ok(self.progress.now()),
        }
    }

    /// Stops the batch: cancels the reads that run, and writes the rows of those that have ended. To be called by another
    /// thread. [`run`](Self::run) may still wait for the list then.
    ///
    /// # Errors
    /// Fails if the rows cannot be written.
    pub fn stop(&self) -> io::Result<Summary> {
        self.end();
        self.token.cancel();
        while self.running.load(Ordering::SeqCst) > 0 {
            thread::sleep(CHECK);
        }
        self.close();
        match self.state().failed.take() {
            Some(error) => Err(error),
            None => Ok(self.progress.now()),
        }
    }

    /// Whether the batch was stopped.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    /// Has no further item taken, and no row wait.
    fn end(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        drop(self.state());
        self.written.notify_all();
    }

    /// Writes the rows that are left. Some are missing before them if the batch was stopped.
    fn close(&self) {
        let mut state = self.state();
        while let Some(row) = state.order.take_any() {
            state.write(row.as_ref(), &self.progress);
        }
        state.flush();
        state.is_closed = true;
    }

    /// Works on items until there are no more.
    fn work<P: Paths>(&self, work: &Work<P>) {
        let mut has_ended_one = false;
        while let Some(item) = self.take(work, has_ended_one) {
            has_ended_one = true;
            let _after = AfterReply::new();
            let Item {
                path,
                what,
                position,
            } = item;
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                self.outcome(&path, &what, position.depth())
            }));
            let outcome = outcome.unwrap_or_else(|_| {
                Made::Row(Outcome::Error(OwnError {
                    kind: "internal",
                    message: "the read failed".to_owned(),
                    hint: None,
                }))
            });
            let row = match outcome {
                Made::Row(Outcome::Failure(failure))
                    if self.is_stopped() && matches!(failure.reason, Reason::Cancelled(_)) =>
                {
                    Progress::count(&self.progress.left_out);
                    self.running.fetch_sub(1, Ordering::SeqCst);
                    continue;
                }
                Made::Row(outcome) => Some(Finished::new(path, &outcome)),
                Made::Children(children) => {
                    let mut queue = lock(&work.queue);
                    let is_expanded = queue.expand(position.clone(), children, &self.progress);
                    drop(queue);
                    if is_expanded {
                        work.more.notify_all();
                        self.running.fetch_sub(1, Ordering::SeqCst);
                        continue;
                    }
                    None
                }
            };
            self.deliver(position, row);
            self.running.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// The next item. Waits while another thread works on one that may be expanded. `has_ended_one` says that this
    /// thread is done with its former item.
    fn take<P: Paths>(&self, work: &Work<P>, has_ended_one: bool) -> Option<Item> {
        let mut queue = lock(&work.queue);
        queue.busy -= usize::from(has_ended_one);
        loop {
            if self.is_stopped() {
                work.more.notify_all();
                return None;
            }
            let item = queue.child();
            if let Some(item) = item.or_else(|| self.of_list(&mut queue)) {
                queue.busy += 1;
                self.running.fetch_add(1, Ordering::SeqCst);
                if self.is_stopped() {
                    self.running.fetch_sub(1, Ordering::SeqCst);
                    work.more.notify_all();
                    return None;
                }
                return Some(item);
            }
            if queue.has_ended && queue.busy == 0 {
                work.more.notify_all();
                return None;
            }
            let list = if queue.has_ended {
                None
            } else {
                queue.list.take()
            };
            match list {
                // The list may be that of a program that waits for rows.
                Some(mut list) => {
                    drop(queue);
                    self.is_waiting.store(true, Ordering::SeqCst);
                    self.state().flush();
                    let entry = list.next();
                    self.is_waiting.store(false, Ordering::SeqCst);
                    queue = lock(&work.queue);
                    queue.list = Some(list);
                    let item = self.accept(&mut queue, entry);
                    work.more.notify_all();
                    let Some(item) = item else {
                        continue;
                    };
                    queue.busy += 1;
                    self.running.fetch_add(1, Ordering::SeqCst);
                    if self.is_stopped() {
                        self.running.fetch_sub(1, Ordering::SeqCst);
                        return None;
                    }
                    return Some(item);
                }
                None => {
                    let waited = work.more.wait(queue);
                    queue = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// The item of the next entry of the list that needs a row, as far as entries are there.
    fn of_list<P: Paths>(&self, queue: &mut Queue<P>) -> Option<Item> {
        while !queue.has_ended {
            let list = queue.list.as_mut().filter(|list| list.is_ready())?;
            let entry = list.next();
            if let Some(item) = self.accept(queue, entry) {
                return Some(item);
            }
        }
        None
    }

    /// The item of an entry of the list, or the end of the list.
    fn accept<P: Paths>(
        &self,
        queue: &mut Queue<P>,
        entry: io::Result<Option<crate::Entry>>,
    ) -> Option<Item> {
        match entry {
            Ok(Some(entry)) => return queue.accept(entry, &self.progress),
            Ok(None) => {}
            Err(error) => queue.failed = Some(error),
        }
        queue.has_ended = true;
        None
    }

    /// Reads an item, or lists what it contains.
    fn outcome(&self, path: &Path, what: &What, depth: usize) -> Made {
        // A reply does not depend on what was read before.
        let session = self.settings.reader.session().with_cancel(&self.token);
        let excluded = &self.settings.excluded;
        match what {
            What::Path { .. } => {}
            What::Directory => {
                let children = expand::directory(&self.settings.reader, path, excluded);
                if let Some(children) = children.filter(|_| depth < limits::DEPTH) {
                    return Made::Children(children);
                }
            }
            What::Pattern => {
                let pattern = path.to_str().unwrap_or_default();
                match patterns::files(&self.settings.reader, pattern) {
                    Ok(mut files) => {
                        if files.is_empty() {
                            // The message about a missing file is about the pattern then.
                            files.push(pattern.to_owned());
                        }
                        let files = files.into_iter();
                        let files = files.filter(|file| !names::is_excluded(file, excluded));
                        let children = files.map(|path| Child {
                            path,
                            what: What::Path { is_listed: true },
                        });
                        return Made::Children(children.collect());
                    }
                    Err(patterns::TooMany) => {
                        return refused(
                            "limit",
                            format!("`{pattern}` leads to too many files"),
                            "pass their names on standard input, as `find` prints them",
                        );
                    }
                }
            }
            What::TooLong => {
                return refused(
                    "invalid_path",
                    "a line of the list is too long for a path".to_owned(),
                    "write one path on each line, or with `-0` a NUL after each path",
                );
            }
            What::Incomplete => {
                let path = path.parent().unwrap_or(path).to_string_lossy();
                return refused(
                    "limit",
                    format!("not all entries of `{path}` could be listed"),
                    "pass the names of its files on standard input, as `find` prints them",
                );
            }
        }
        let read = session.read_as(path, self.settings.dialect, &self.settings.options);
        if let Some(children) = self.children((path, what, depth), &read, &session) {
            return Made::Children(children);
        }
        Made::Row(match read {
            Ok(reply) => Outcome::Reply(Box::new(reply)),
            Err(failure) => Outcome::Failure(Box::new(failure)),
        })
    }

    /// What a path that was read contains, if it is to be expanded. An archive without members has a row itself.
    fn children(
        &self,
        (path, what, depth): (&Path, &What, usize),
        read: &Result<Reply, Failure>,
        session: &Session,
    ) -> Option<Vec<Child>> {
        if depth >= limits::DEPTH {
            return None;
        }
        if self.settings.members
            && let Some(archive) = expand::archive(path, read)
        {
            // If the list is damaged, the row of the archive says so.
            let members = expand::members(session, &archive).ok()?;
            return Some(members).filter(|members| !members.is_empty());
        }
        // A link in a directory may lead to a directory that it is in.
        let is_listed = matches!(what, What::Path { is_listed: true });
        if self.settings.recursive && is_listed && expand::is_directory(read) {
            return expand::directory(&self.settings.reader, path, &self.settings.excluded);
        }
        None
    }

    /// Writes the row of an item, or has it wait for an earlier one.
    fn deliver(&self, position: Position, row: Option<Finished>) {
        let size = row.as_ref().map_or(0, |row| row.line.len());
        let mut state = self.state();
        if self.settings.is_ordered {
            while !state.order.is_next(&position)
                && state.waiting > 0
                && state.waiting + size > limits::WAITING_BYTES
                && !self.is_stopped()
            {
                let waited = self.written.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
            }
            if !state.order.is_next(&position) {
                state.waiting += size;
                state.order.add(position, row);
                return;
            }
            state.write(row.as_ref(), &self.progress);
            state.order.pass(position);
            if !state.order.is_empty() {
                while let Some(row) = state.order.take() {
                    state.waiting -= row.as_ref().map_or(0, |row| row.line.len());
                    state.write(row.as_ref(), &self.progress);
                }
                self.written.notify_all();
            }
        } else {
            state.write(row.as_ref(), &self.progress);
        }
        if self.is_waiting.load(Ordering::SeqCst) {
            state.flush();
        }
        if state.failed.is_some() {
            drop(state);
            self.end();
        }
    }

    fn state(&self) -> MutexGuard<'_, State<R>> {
        lock(&self.state)
    }
}

impl<R: Rows> State<R> {
    /// Writes a row and counts it.
    fn write(&mut self, row: Option<&Finished>, progress: &Progress) {
        let Some(row) = row.filter(|_| self.failed.is_none() && !self.is_closed) else {
            return;
        };
        match self.rows.row(row) {
            Ok(()) if row.is_read => Progress::count(&progress.read),
            Ok(()) => Progress::count(&progress.failed),
            Err(error) => self.failed = Some(error),
        }
    }

    fn flush(&mut self) {
        if self.failed.is_none() && !self.is_closed {
            self.failed = self.rows.flush().err();
        }
    }
}

/// The outcome of an item that is not read.
fn refused(kind: &'static str, message: String, hint: &'static str) -> Made {
    Made::Row(Outcome::Error(OwnError {
        kind,
        message,
        hint: Some(hint),
    }))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
