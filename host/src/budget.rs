//! The budgets that the engines of a process share, processor cores and memory, and that all reads
//! share, memory.
//!
//! Engines run on the threads of their reads, and there may be many more threads than cores. At
//! most one call per core runs at a time. The others wait in order. Otherwise all calls would
//! share the cores, and all would take long. Memory is granted as it is used, so an
//! image of a few pixels does not reserve the memory of a large one.
//!
//! Two engines never wait for each other, because the oldest engine never waits. A part of the
//! memory is reserved for it, which is enough for any engine.
//!
//! The memory of reads, without their engines, has a budget of its own with the same rules. A read waits
//! only while it has no engine, so that no engine waits for the memory of a read. In this budget, an
//! engine below is a read.

use crate::sandbox::{Stop, Stopped};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// The processor cores and the memory that the engines of a process share.
pub(crate) struct Budget {
    ledger: Mutex<Ledger>,
    freed: Condvar,
    /// The number of cores. Set by the first engine: it takes a dozen system calls.
    cores: OnceLock<usize>,
    /// The memory in bytes that is reserved for the oldest engine.
    reserve: usize,
    /// Whether engines that grow have a core.
    has_cores: bool,
}

#[derive(Default)]
struct Ledger {
    /// The maximum memory of all engines together, in bytes.
    limit: usize,
    /// The memory that all engines together use, in bytes.
    used: usize,
    /// The number of engine calls that run on a core.
    running: usize,
    /// The number of threads that wait for memory or for a core.
    parked: usize,
    /// The numbers of the engines whose calls wait for a core.
    waiting: BTreeSet<u64>,
    /// The memory of each engine in bytes, by the number of the engine. The oldest engine has the
    /// lowest number.
    engines: BTreeMap<u64, usize>,
    next: u64,
}

/// The share of one engine in the budget. Dropping it releases the memory of the engine.
pub(crate) struct Lease {
    budget: Arc<Budget>,
    engine: u64,
}

/// A guard of a call that has a core. Dropping it releases the core.
pub(crate) struct Running<'l>(&'l Lease);

/// A guard of a call that waits for something other than a core. Other calls may use the core until
/// the guard is dropped.
pub(crate) struct Paused<'l>(&'l Lease);

impl Budget {
    /// Creates a budget of `limit` bytes and of all cores. `reserve` is the maximum memory of one
    /// engine in bytes.
    pub(crate) fn new(limit: usize, reserve: usize) -> Arc<Self> {
        Self::with_cores(limit, reserve, OnceLock::new(), true)
    }

    /// Creates a budget of `limit` bytes of memory for reads. `reserve` is the maximum memory of most
    /// reads in bytes.
    pub(crate) fn of_reads(limit: usize, reserve: usize) -> Arc<Self> {
        Self::with_cores(limit, reserve, OnceLock::new(), false)
    }

    fn with_cores(
        limit: usize,
        reserve: usize,
        cores: OnceLock<usize>,
        has_cores: bool,
    ) -> Arc<Self> {
        Arc::new(Self {
            ledger: Mutex::new(Ledger {
                limit,
                ..Ledger::default()
            }),
            freed: Condvar::new(),
            cores,
            reserve,
            has_cores,
        })
    }

    fn cores(&self) -> usize {
        let count = || thread::available_parallelism().map_or(1, NonZero::get);
        *self.cores.get_or_init(count)
    }

    /// Sets the maximum memory of all engines together, in bytes.
    pub(crate) fn set_limit(&self, limit: usize) {
        let mut ledger = self.ledger();
        ledger.limit = limit;
        self.wake(&ledger);
    }

    /// The maximum memory of one engine, in bytes.
    pub(crate) fn largest(&self) -> usize {
        self.ledger().limit.min(self.reserve)
    }

    /// Creates the lease of a new engine. It has no memory yet.
    pub(crate) fn lease(self: &Arc<Self>) -> Arc<Lease> {
        let mut ledger = self.ledger();
        let engine = ledger.next;
        ledger.next += 1;
        ledger.engines.insert(engine, 0);
        drop(ledger);
        Arc::new(Lease {
            budget: Arc::clone(self),
            engine,
        })
    }

    /// The memory that all engines together use, in bytes.
    #[cfg(test)]
    pub(crate) fn used(&self) -> usize {
        self.ledger().used
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the threads that wait for memory or for a core. Makes no system call if no thread
    /// waits.
    fn wake(&self, ledger: &Ledger) {
        if ledger.parked > 0 {
            self.freed.notify_all();
        }
    }

    /// Waits until memory or a core is released, or for a short time. The caller has to check again
    /// what it waits for.
    ///
    /// # Errors
    /// Fails if the read was stopped.
    fn wait<'b>(
        &self,
        ledger: MutexGuard<'b, Ledger>,
        stop: &Stop,
    ) -> Result<MutexGuard<'b, Ledger>, Stopped> {
        let mut ledger = ledger;
        ledger.parked += 1;
        let (mut ledger, checked) = stop.wait_turn(&self.freed, ledger);
        ledger.parked -= 1;
        checked.map(|()| ledger)
    }
}

impl Ledger {
    /// Counts additional bytes of an engine.
    fn add(&mut self, engine: u64, more: usize) {
        self.used += more;
        *self.engines.entry(engine).or_default() += more;
    }

    fn is_oldest(&self, engine: u64) -> bool {
        self.engines
            .first_key_value()
            .is_some_and(|(oldest, _)| *oldest == engine)
    }

    /// Whether an engine may use `more` additional bytes. `reserve` is the number of bytes that are
    /// reserved for the oldest engine.
    fn has_room(&self, engine: u64, more: usize, reserve: usize) -> bool {
        let oldest = self
            .engines
            .first_key_value()
            .map_or(0, |(_, bytes)| *bytes);
        let reserved = reserve.min(self.limit).max(oldest);
        let others = self.used.saturating_sub(oldest);
        self.is_oldest(engine) || others.saturating_add(more).saturating_add(reserved) <= self.limit
    }
}

impl Lease {
    /// Waits for a core, and takes it for one call.
    ///
    /// # Errors
    /// Fails if the read was stopped before a core was free.
    pub(crate) fn run(&self, stop: &Stop) -> Result<Running<'_>, Stopped> {
        let mut ledger = self.budget.ledger();
        let is_next = |ledger: &Ledger| {
            let first = ledger.waiting.first();
            let turn = first.is_none_or(|first| *first >= self.engine);
            (ledger.running < self.budget.cores() && turn) || ledger.is_oldest(self.engine)
        };
        while !is_next(&ledger) {
            ledger.waiting.insert(self.engine);
            match self.budget.wait(ledger, stop) {
                Ok(again) => ledger = again,
                Err(stopped) => {
                    let mut ledger = self.budget.ledger();
                    ledger.waiting.remove(&self.engine);
                    self.budget.wake(&ledger);
                    return Err(stopped);
                }
            }
        }
        if ledger.waiting.remove(&self.engine) {
            // A second core may be free for the next call.
            self.budget.wake(&ledger);
        }
        ledger.running += 1;
        Ok(Running(self))
    }

    /// Releases the core of a call that waits for something else, until the guard is dropped. The
    /// call then continues without waiting for a core.
    pub(crate) fn pause(&self) -> Paused<'_> {
        let mut ledger = self.budget.ledger();
        ledger.running = ledger.running.saturating_sub(1);
        self.budget.wake(&ledger);
        Paused(self)
    }

    /// Waits until the engine may use `desired` bytes in total, and counts them as used.
    ///
    /// # Errors
    /// Fails if the read was stopped before that.
    pub(crate) fn grow(&self, desired: usize, stop: &Stop) -> Result<(), Stopped> {
        let mut ledger = self.budget.ledger();
        let bytes = ledger.engines.get(&self.engine).copied().unwrap_or(0);
        let more = desired.saturating_sub(bytes);
        // A waiting engine needs no core.
        let core = usize::from(self.budget.has_cores);
        let mut paused = false;
        while !ledger.has_room(self.engine, more, self.budget.reserve) {
            if !paused {
                paused = true;
                ledger.running = ledger.running.saturating_sub(core);
                self.budget.wake(&ledger);
            }
            match self.budget.wait(ledger, stop) {
                Ok(again) => ledger = again,
                Err(stopped) => {
                    self.budget.ledger().running += core;
                    return Err(stopped);
                }
            }
        }
        if paused {
            ledger.running += core;
        }
        ledger.add(self.engine, more);
        Ok(())
    }

    /// Counts `desired` bytes in total as used, without waiting. To be called by a read that has an
    /// engine, for which others may wait.
    pub(crate) fn grow_at_once(&self, desired: usize) {
        let mut ledger = self.budget.ledger();
        let bytes = ledger.engines.get(&self.engine).copied().unwrap_or(0);
        ledger.add(self.engine, desired.saturating_sub(bytes));
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let budget = &self.0.budget;
        let mut ledger = budget.ledger();
        ledger.running = ledger.running.saturating_sub(1);
        budget.wake(&ledger);
    }
}

impl Drop for Paused<'_> {
    fn drop(&mut self) {
        self.0.budget.ledger().running += 1;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut ledger = self.budget.ledger();
        let bytes = ledger.engines.remove(&self.engine).unwrap_or(0);
        ledger.used = ledger.used.saturating_sub(bytes);
        self.budget.wake(&ledger);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CancelToken;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A stop condition that is already met. A call that would have to wait fails because of it.
    fn at_once() -> Stop {
        let token = CancelToken::new();
        token.cancel();
        Stop {
            token: Some(token),
            ..Stop::default()
        }
    }

    #[test]
    fn calls_beyond_the_cores_wait() {
        let budget = Budget::with_cores(1000, 400, 1.into(), true);
        let (oldest, second, third) = (budget.lease(), budget.lease(), budget.lease());
        let running = second.run(&Stop::default()).unwrap();
        assert_eq!(third.run(&at_once()).err(), Some(Stopped::Cancelled));
        // The oldest engine never waits.
        drop(oldest.run(&at_once()).unwrap());
        // A call that waits for something else needs no core.
        let paused = second.pause();
        drop(third.run(&at_once()).unwrap());
        drop(paused);
        assert_eq!(third.run(&at_once()).err(), Some(Stopped::Cancelled));
        drop(running);
        drop(third.run(&at_once()).unwrap());
    }

    #[test]
    fn memory_beyond_the_budget_waits_except_for_the_oldest_engine() {
        let budget = Budget::with_cores(1000, 400, 8.into(), true);
        let (oldest, second, third) = (budget.lease(), budget.lease(), budget.lease());
        oldest.grow(100, &at_once()).unwrap();
        second.grow(400, &at_once()).unwrap();
        third.grow(200, &at_once()).unwrap();
        // Memory grows while a call runs.
        let running = third.run(&at_once()).unwrap();
        assert_eq!(third.grow(201, &at_once()), Err(Stopped::Cancelled));
        oldest.grow(400, &at_once()).unwrap();
        drop(oldest);
        // The next engine is the oldest now, and has the reserve.
        assert_eq!(third.grow(601, &at_once()), Err(Stopped::Cancelled));
        third.grow(600, &at_once()).unwrap();
        drop(running);
        drop((second, third));
        assert_eq!(budget.ledger().used, 0);
        assert_eq!(budget.ledger().running, 0);
    }

    #[test]
    fn reads_wait_for_memory_without_cores() {
        let budget = Budget::of_reads(1000, 400);
        let (oldest, second, third) = (budget.lease(), budget.lease(), budget.lease());
        // A read that is alone, or the oldest, has what its own limit allows.
        oldest.grow(1200, &at_once()).unwrap();
        assert_eq!(second.grow(1, &at_once()), Err(Stopped::Cancelled));
        // A read with an engine does not wait, but counts.
        second.grow_at_once(300);
        drop(oldest);
        second.grow(500, &at_once()).unwrap();
        assert_eq!(third.grow(501, &at_once()), Err(Stopped::Cancelled));
        third.grow(500, &at_once()).unwrap();
        drop((second, third));
        let ledger = budget.ledger();
        assert_eq!((ledger.used, ledger.running), (0, 0));
    }

    #[test]
    fn growing_engines_never_exceed_the_budget_or_deadlock() {
        let budget = Budget::with_cores(1000, 400, 2.into(), true);
        let most = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let lease = budget.lease();
                    for step in 1..=8 {
                        let running = lease.run(&Stop::default()).unwrap();
                        lease.grow(step * 50, &Stop::default()).unwrap();
                        most.fetch_max(budget.ledger().used, Ordering::Relaxed);
                        drop(running);
                        thread::yield_now();
                    }
                });
            }
        });
        assert!(most.load(Ordering::Relaxed) <= 1000);
        assert_eq!(budget.ledger().running, 0);
    }
}
