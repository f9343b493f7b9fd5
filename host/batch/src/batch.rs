//! The threads of a batch.

use crate::done::Done;
use crate::limits;
use crate::order::{Order, Position};
use crate::progress::{Progress, Summary};
use crate::queue::{Item, Paths, Queue, What};
use crate::reads::{Made, Reads};
use crate::row::{Finished, Outcome, OwnError, Rows};
use crate::seen::{About, Seen};
use crate::settings::Settings;
use omniread::AfterReply;
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
pub struct Batch<R>(Arc<Inner<R>>);

/// Stops a batch from another thread.
pub struct Stopper<R>(Arc<Inner<R>>);

struct Inner<R> {
    reads: Reads,
    progress: Arc<Progress>,
    seen: Mutex<Seen>,
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
    order: Order<Ready>,
    /// The size of the rows that wait.
    waiting: usize,
    /// Why rows could not be written.
    failed: Option<io::Error>,
    /// Whether the last row is written.
    is_closed: bool,
}

/// The row of an item. It is missing if the path of the item has one already.
struct Ready {
    row: Option<Finished>,
    /// The number of the path of the list that has led to the item.
    entry: u32,
    /// The size of its position, which has a number for each page before it.
    position: usize,
}

impl Ready {
    fn new(position: &Position, row: Option<Finished>) -> Self {
        Self {
            row,
            entry: position.entry(),
            position: position.size(),
        }
    }

    /// The size of a row that waits.
    fn size(&self) -> usize {
        let line = self.row.as_ref().map_or(0, |row| row.line.len());
        limits::WAITING_ROW_BYTES + self.position + line
    }
}

/// The queue, and the signal that it has more.
struct Work<P> {
    queue: Mutex<Queue<P>>,
    more: Condvar,
}

/// Counts an item that a thread works on while it exists.
struct Running<'b>(&'b AtomicUsize);

impl<'b> Running<'b> {
    fn new(number: &'b AtomicUsize) -> Self {
        number.fetch_add(1, Ordering::SeqCst);
        Self(number)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Has the other threads end if this one panics, because the list or the rows have a defect. They would wait for it.
struct Guard<'b, R: Rows, P: Paths>(&'b Inner<R>, &'b Work<P>);

impl<R: Rows, P: Paths> Drop for Guard<'_, R, P> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
            drop(lock(&self.1.queue));
            self.1.more.notify_all();
        }
    }
}

impl<R: Rows> Batch<R> {
    /// Creates a batch whose rows are written there.
    pub fn new(settings: Settings, rows: R) -> Self {
        Self(Arc::new(Inner {
            reads: Reads::new(settings),
            progress: Arc::default(),
            seen: Mutex::default(),
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
        }))
    }

    /// The numbers of the batch while it runs.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.0.progress)
    }

    /// Stops the batch from another thread.
    pub fn stopper(&self) -> Stopper<R> {
        Stopper(Arc::clone(&self.0))
    }

    /// Reads all paths of a list, and writes their rows. Paths in `done` have one already.
    ///
    /// # Errors
    /// Fails if the list cannot be read, or the rows cannot be written. The rows of all reads that have ended are
    /// written before, as far as this is possible.
    ///
    /// # Panics
    /// Panics if the list or the rows do.
    pub fn run<P: Paths>(self, list: P, done: Done) -> io::Result<Summary> {
        *lock(&self.0.seen) = Seen::of(done, &self.0.reads.settings);
        let work = Work {
            queue: Mutex::new(Queue::new(list)),
            more: Condvar::new(),
        };
        let batch = &*self.0;
        let jobs = batch.reads.settings.jobs.clamp(1, limits::JOBS);
        thread::scope(|scope| {
            for _ in 1..jobs {
                let named = thread::Builder::new().name("omniread-batch".to_owned());
                // If the system cannot start a thread, there is at least this one.
                if named.spawn_scoped(scope, || batch.work(&work)).is_err() {
                    break;
                }
            }
            batch.work(&work);
        });
        batch.close();
        if let Some(error) = batch.state().failed.take() {
            return Err(error);
        }
        match lock(&work.queue).failed.take() {
            Some(error) => Err(error),
            None => Ok(batch.progress.now()),
        }
    }
}

impl<R: Rows> Stopper<R> {
    /// Stops the batch: cancels the reads that run, and writes the rows of those that have ended. [`Batch::run`]
    /// may still wait for the list then.
    ///
    /// # Errors
    /// Fails if the rows cannot be written.
    pub fn stop(&self) -> io::Result<Summary> {
        let batch = &*self.0;
        batch.end();
        while batch.running.load(Ordering::SeqCst) > 0 {
            thread::sleep(CHECK);
        }
        batch.close();
        let failed = batch.state().failed.take();
        match failed {
            Some(error) => Err(error),
            None => Ok(batch.progress.now()),
        }
    }

    /// Stops the batch as [`stop`](Self::stop) does, without waiting for its reads. [`Batch::run`] returns within
    /// milliseconds, after rows and the list no longer make it wait.
    pub fn cancel(&self) {
        self.0.end();
    }

    /// Whether the batch was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }
}

impl<R: Rows> Inner<R> {
    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    /// Has the reads that run cancelled, no further item taken, and no row wait.
    fn end(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        // Another thread may have the lock for as long as nobody takes the rows that it writes.
        self.reads.token.cancel();
        drop(self.state());
        self.written.notify_all();
    }

    /// Writes the rows that are left. Some are missing before them if the batch was stopped.
    fn close(&self) {
        let mut state = self.state();
        while let Some(ready) = state.order.take_any() {
            state.write(&ready, (&self.seen, true), &self.progress);
        }
        state.flush();
        state.is_closed = true;
    }

    /// Works on items until there are no more.
    fn work<P: Paths>(&self, work: &Work<P>) {
        let _guard = Guard(self, work);
        let mut has_ended_one = false;
        while let Some((item, _running)) = self.take(work, has_ended_one) {
            has_ended_one = true;
            let _after = AfterReply::new();
            let Item {
                path,
                what,
                position,
                mut inside,
            } = item;
            let has_path = what.has_path();
            let entry = position.entry();
            let about = About {
                path: &path,
                is_path: has_path,
            };
            if self.seen().has_lost(about, entry) {
                self.deliver(position, None);
                continue;
            }
            let made = catch_unwind(AssertUnwindSafe(|| {
                self.reads.made(&path, what, position.depth(), &inside)
            }));
            let made = made.unwrap_or_else(|_| {
                Made::Row(Outcome::Error(OwnError {
                    kind: "internal",
                    message: "the read failed".to_owned(),
                    hint: None,
                }))
            });
            let row = match made {
                Made::Cancelled => {
                    Progress::count(&self.progress.left_out);
                    continue;
                }
                Made::Row(Outcome::Found) if self.seen().is_done(&path, &self.progress) => None,
                Made::Row(outcome) => Some(Finished::new(path, &outcome, has_path)),
                Made::Renamed(path, outcome) => {
                    let about = About {
                        path: &path,
                        is_path: true,
                    };
                    let is_new = self.seen().take(about, entry, &self.progress);
                    is_new.then(|| Finished::new(path, &outcome, true))
                }
                Made::Children {
                    mut children,
                    is_archive,
                } => {
                    let mut seen = self.seen();
                    children.retain(|child| {
                        let about = About {
                            path: Path::new(&child.path),
                            is_path: child.what.has_path(),
                        };
                        // The first page has the path of the item.
                        if matches!(child.what, What::Read(_)) && about.path == &*path {
                            return true;
                        }
                        let has_row = about.is_path || matches!(child.what, What::Failed(_));
                        !has_row || seen.take(about, entry, &self.progress)
                    });
                    drop(seen);
                    inside.archives += usize::from(is_archive);
                    let place = (position.clone(), inside);
                    let is_expanded = lock(&work.queue).expand(place, children);
                    if is_expanded {
                        work.more.notify_all();
                        continue;
                    }
                    None
                }
            };
            self.deliver(position, row);
        }
    }

    /// The next item. Waits while another thread works on one that may be expanded. `has_ended_one` says that this
    /// thread is done with its former item.
    fn take<P: Paths>(&self, work: &Work<P>, has_ended_one: bool) -> Option<(Item, Running<'_>)> {
        let mut queue = lock(&work.queue);
        queue.busy -= usize::from(has_ended_one);
        loop {
            if self.is_stopped() {
                work.more.notify_all();
                return None;
            }
            let item = queue.child();
            if let Some(item) = item.or_else(|| self.of_list(&mut queue)) {
                let running = self.begin(&mut queue);
                if running.is_none() {
                    work.more.notify_all();
                }
                return Some((item, running?));
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
                    let mut state = self.state();
                    state.flush();
                    let has_failed = state.failed.is_some();
                    drop(state);
                    if has_failed {
                        // Nobody takes the row of an entry that is waited for.
                        self.end();
                        work.more.notify_all();
                        return None;
                    }
                    let entry = list.next_entry();
                    self.is_waiting.store(false, Ordering::SeqCst);
                    queue = lock(&work.queue);
                    queue.list = Some(list);
                    let item = self.accept(&mut queue, entry);
                    work.more.notify_all();
                    let Some(item) = item else {
                        continue;
                    };
                    let running = self.begin(&mut queue)?;
                    return Some((item, running));
                }
                None => {
                    let waited = work.more.wait(queue);
                    queue = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Counts an item that this thread is going to work on. `None` if the batch was stopped.
    fn begin<P>(&self, queue: &mut Queue<P>) -> Option<Running<'_>> {
        queue.busy += 1;
        let running = Running::new(&self.running);
        (!self.is_stopped()).then_some(running)
    }

    /// The item of the next entry of the list that needs a row, as far as entries are there.
    fn of_list<P: Paths>(&self, queue: &mut Queue<P>) -> Option<Item> {
        while !queue.has_ended {
            let list = queue.list.as_mut().filter(|list| list.is_ready())?;
            let entry = list.next_entry();
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
            Ok(Some(entry)) => return queue.accept(entry, &mut self.seen(), &self.progress),
            Ok(None) => {}
            Err(error) => queue.failed = Some(error),
        }
        queue.has_ended = true;
        None
    }

    /// Writes the row of an item, or has it wait for an earlier one.
    fn deliver(&self, position: Position, row: Option<Finished>) {
        let ready = Ready::new(&position, row);
        let size = ready.size();
        let mut state = self.state();
        if self.reads.settings.is_ordered {
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
                state.order.add(position, ready);
                return;
            }
            state.write(&ready, (&self.seen, false), &self.progress);
            state.order.pass(position);
            if !state.order.is_empty() {
                while let Some(ready) = state.order.take() {
                    state.waiting -= ready.size();
                    state.write(&ready, (&self.seen, false), &self.progress);
                }
                self.written.notify_all();
            }
        } else {
            state.write(&ready, (&self.seen, false), &self.progress);
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

    /// The paths that were seen. A thread that has this lock takes no other one.
    fn seen(&self) -> MutexGuard<'_, Seen> {
        lock(&self.seen)
    }
}

impl<R: Rows> State<R> {
    /// Writes a row and counts it, unless it is one of an earlier entry of the list too. `is_last` says that no rows of
    /// earlier entries follow.
    fn write(&mut self, ready: &Ready, (seen, is_last): (&Mutex<Seen>, bool), progress: &Progress) {
        let can_write = self.failed.is_none() && !self.is_closed;
        let Some(row) = ready.row.as_ref().filter(|_| can_write) else {
            return;
        };
        let about = About {
            path: &row.path,
            is_path: row.has_path,
        };
        if !lock(seen).writes(about, ready.entry, is_last) {
            return;
        }
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
