//! What the engine calls of a process share: processor cores and memory.
//!
//! Engines run on the threads of their reads, and there may be many more of
//! these than cores. As many calls run at a time as there are cores; the others
//! wait in order, so that each call gets a core for itself instead of all of
//! them sharing one until the time of all is up. Memory is granted while it is
//! used: an image of a few pixels does not reserve what a poster needs.
//!
//! No two engines can wait for each other: the oldest one never waits. A part
//! of the memory is reserved for it, which is enough for any engine.

use crate::sandbox::{Stop, Stopped};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The shared budget of a process.
pub(crate) struct Budget {
    ledger: Mutex<Ledger>,
    freed: Condvar,
    cores: usize,
    /// Bytes that the oldest engine may need.
    reserve: usize,
}

#[derive(Default)]
struct Ledger {
    /// Bytes for all engines together.
    limit: usize,
    /// Bytes of all engines.
    used: usize,
    /// Calls that run.
    running: usize,
    /// Threads that wait for something to be freed.
    parked: usize,
    /// Calls that wait for a core.
    waiting: BTreeSet<u64>,
    /// Bytes of each engine, the oldest engine first.
    engines: BTreeMap<u64, usize>,
    next: u64,
}

/// The part of the budget that one engine has, from its start to its end.
pub(crate) struct Lease {
    budget: Arc<Budget>,
    engine: u64,
}

/// A call that has a core, until this is dropped.
pub(crate) struct Running<'l>(&'l Lease);

/// A call that waits for something else, until this is dropped: others may have its
/// core.
pub(crate) struct Paused<'l>(&'l Lease);

impl Budget {
    /// A budget of `limit` bytes, for engines that need at most `reserve` bytes
    /// each.
    pub(crate) fn new(limit: usize, reserve: usize) -> Arc<Self> {
        Self::with_cores(
            limit,
            reserve,
            thread::available_parallelism().map_or(1, NonZero::get),
        )
    }

    fn with_cores(limit: usize, reserve: usize, cores: usize) -> Arc<Self> {
        Arc::new(Self {
            ledger: Mutex::new(Ledger {
                limit,
                ..Ledger::default()
            }),
            freed: Condvar::new(),
            cores,
            reserve,
        })
    }

    /// Sets the memory of all engines together, in bytes.
    pub(crate) fn set_limit(&self, limit: usize) {
        let mut ledger = self.ledger();
        ledger.limit = limit;
        self.wake(&ledger);
    }

    /// Bytes that one engine may have at most.
    pub(crate) fn largest(&self) -> usize {
        self.ledger().limit.min(self.reserve)
    }

    /// The part of an engine that starts now. It has no memory yet.
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

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the threads that wait, if there are any: a call costs a system call.
    fn wake(&self, ledger: &Ledger) {
        if ledger.parked > 0 {
            self.freed.notify_all();
        }
    }

    /// Waits for something to be freed.
    ///
    /// # Errors
    /// If the read is to stop.
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
    fn is_oldest(&self, engine: u64) -> bool {
        self.engines
            .first_key_value()
            .is_some_and(|(oldest, _)| *oldest == engine)
    }

    /// Whether an engine may have this many more bytes.
    fn has_room(&self, engine: u64, more: usize, reserve: usize) -> bool {
        let oldest = self.engines.first_key_value().map_or(0, |(_, held)| *held);
        let reserved = reserve.min(self.limit).max(oldest);
        let others = self.used.saturating_sub(oldest);
        self.is_oldest(engine) || others.saturating_add(more).saturating_add(reserved) <= self.limit
    }
}

impl Lease {
    /// Waits for a core, and takes it for one call.
    ///
    /// # Errors
    /// If the read is to stop before there is one.
    pub(crate) fn run(&self, stop: &Stop) -> Result<Running<'_>, Stopped> {
        let mut ledger = self.budget.ledger();
        let is_next = |ledger: &Ledger| {
            let first = ledger.waiting.first();
            let turn = first.is_none_or(|first| *first >= self.engine);
            (ledger.running < self.budget.cores && turn) || ledger.is_oldest(self.engine)
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
            // The one after it may have a core as well.
            self.budget.wake(&ledger);
        }
        ledger.running += 1;
        Ok(Running(self))
    }

    /// Gives the core of a call up while it waits for something. It goes on at once
    /// after that.
    pub(crate) fn pause(&self) -> Paused<'_> {
        let mut ledger = self.budget.ledger();
        ledger.running = ledger.running.saturating_sub(1);
        self.budget.wake(&ledger);
        Paused(self)
    }

    /// Waits until the engine may have `desired` bytes in total.
    ///
    /// # Errors
    /// If the read is to stop before that.
    pub(crate) fn grow(&self, desired: usize, stop: &Stop) -> Result<(), Stopped> {
        let mut ledger = self.budget.ledger();
        let held = ledger.engines.get(&self.engine).copied().unwrap_or(0);
        let more = desired.saturating_sub(held);
        // What waits needs no core.
        let mut paused = false;
        while !ledger.has_room(self.engine, more, self.budget.reserve) {
            if !paused {
                paused = true;
                ledger.running = ledger.running.saturating_sub(1);
                self.budget.wake(&ledger);
            }
            match self.budget.wait(ledger, stop) {
                Ok(again) => ledger = again,
                Err(stopped) => {
                    self.budget.ledger().running += 1;
                    return Err(stopped);
                }
            }
        }
        ledger.running += usize::from(paused);
        ledger.used += more;
        ledger.engines.insert(self.engine, held + more);
        Ok(())
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
        let held = ledger.engines.remove(&self.engine).unwrap_or(0);
        ledger.used = ledger.used.saturating_sub(held);
        self.budget.wake(&ledger);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CancelToken;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A stop that ends a wait which should not happen.
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
        let budget = Budget::with_cores(1000, 400, 1);
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
        let budget = Budget::with_cores(1000, 400, 8);
        let (oldest, second, third) = (budget.lease(), budget.lease(), budget.lease());
        oldest.grow(100, &at_once()).unwrap();
        second.grow(400, &at_once()).unwrap();
        third.grow(200, &at_once()).unwrap();
        // Memory grows while a call runs.
        let running = third.run(&at_once()).unwrap();
        assert_eq!(third.grow(201, &at_once()), Err(Stopped::Cancelled));
        oldest.grow(400, &at_once()).unwrap();
        drop(oldest);
        // The next oldest one has the reserve now.
        assert_eq!(third.grow(601, &at_once()), Err(Stopped::Cancelled));
        third.grow(600, &at_once()).unwrap();
        drop(running);
        drop((second, third));
        assert_eq!(budget.ledger().used, 0);
        assert_eq!(budget.ledger().running, 0);
    }

    #[test]
    fn engines_that_all_grow_never_exceed_the_budget_nor_wait_for_each_other() {
        let budget = Budget::with_cores(1000, 400, 2);
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
