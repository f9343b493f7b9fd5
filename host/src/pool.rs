//! Memory that instances take over from one another.
//!
//! A fresh instance touches some hundred pages, and the operating system hands
//! out each of them at its own price. Instances of a pool get pages that were
//! cleaned instead, with which a read of a small file takes two fifths of the time.

use crate::config::Memory;
use crate::sandbox::{Stop, Stopped};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Result,
};

/// Reads that run at a time; others wait for their turn. Each takes 4 GiB of
/// addresses, and memory only for what it uses.
const READS: u32 = 64;

/// Failures that are put into words at a time, which takes no reading: whoever
/// was stopped while all places were taken hears of it at once.
const WORDS: u32 = 8;

/// Instances of engines that run at a time; a read has one at most, and most
/// have none. A read that has its place waits for one. An engine waits for a core
/// and for memory, but the oldest one never does (`budget.rs`), so that
/// each of them comes free.
const ENGINES: u32 = 16;

/// Bytes that stay with a place in the pool: what the reader starts with, which is set
/// where the guests are compiled.
const RESIDENT: usize = include!(concat!(env!("OUT_DIR"), "/reader-memory.rs"));

/// The same of its tables, which take some pages.
const TABLE_RESIDENT: usize = 32 << 10;

/// Modules that make up a component: itself, and what adapts its calls.
const MODULES: u32 = 8;

/// Tables of functions that they have.
const TABLES: u32 = 2;

/// Bytes of addresses that an instance takes: 4 GiB, guard pages, and its code.
const INSTANCE_ADDRESSES: u64 = (4 << 30) + (320 << 20);

/// Bytes of addresses that a process needs besides those of instances: the
/// binary, threads, and what reads allocate.
const OTHER_ADDRESSES: u64 = 1 << 30;

/// Reads that can run at a time in this many bytes of addresses, each with an
/// engine.
fn reads_within(addresses: u64) -> u32 {
    let each = 2 * INSTANCE_ADDRESSES;
    u32::try_from(addresses.saturating_sub(OTHER_ADDRESSES) / each).unwrap_or(u32::MAX)
}

/// Bytes of addresses that this process may have, if there is a limit
/// (`ulimit -v`).
#[cfg(unix)]
pub(crate) fn addresses() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(unix))]
pub(crate) fn addresses() -> Option<u64> {
    None
}

/// How instances get their memory in this process.
pub(crate) fn memory() -> Memory {
    match addresses() {
        Some(addresses) if reads_within(addresses) == 0 => Memory::Unreserved,
        _ => Memory::Reserved,
    }
}

/// Bytes of addresses with which images and databases can be read.
pub(crate) const ENGINE_ADDRESSES: u64 = OTHER_ADDRESSES + 2 * INSTANCE_ADDRESSES;

/// An engine, with a pool if one is wanted and there are addresses for it, and
/// the places that there are.
///
/// # Errors
/// If the configuration does not fit this machine.
pub(crate) fn engine(
    config: &Config,
    memory: Memory,
    table_entries: usize,
    pooled: bool,
) -> Result<(Engine, Places)> {
    if pooled && memory == Memory::Reserved && cfg!(target_pointer_width = "64") {
        let places = READS + WORDS + ENGINES;
        let mut pool = PoolingAllocationConfig::new();
        pool.total_component_instances(places)
            .total_core_instances(places * MODULES)
            .max_core_instances_per_component(MODULES)
            .total_memories(places)
            .max_memories_per_component(1)
            .total_tables(places * TABLES)
            .max_tables_per_component(TABLES)
            .table_elements(table_entries)
            .max_memory_size(usize::try_from(1u64 << 32).unwrap_or(usize::MAX))
            // Nothing here is suspended.
            .total_stacks(0)
            .linear_memory_keep_resident(RESIDENT)
            .table_keep_resident(TABLE_RESIDENT)
            // Where the system tells which pages were touched, only those are
            // cleaned.
            .pagemap_scan(Enabled::Auto);
        let mut config = config.clone();
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
        if let Ok(engine) = Engine::new(&config) {
            return Ok((engine, Places::new(READS, WORDS, ENGINES)));
        }
    }
    let engine = Engine::new(config)?;
    // Without a pool, an instance takes addresses when it starts: where they are
    // limited, no more of them start than there are addresses for.
    let places = match addresses() {
        Some(addresses) if memory == Memory::Reserved => {
            let reads = reads_within(addresses).max(1);
            Places::new(reads, reads, reads)
        }
        _ => Places::new(u32::MAX, u32::MAX, u32::MAX),
    };
    Ok((engine, places))
}

/// What a place is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A read.
    Read,
    /// The words of a failure.
    Words,
    /// An engine, for a read.
    Engine,
}

/// The places of a pool.
pub(crate) struct Places {
    reads: Arc<Queue>,
    words: Arc<Queue>,
    engines: Arc<Queue>,
}

/// Places of one purpose, and who waits for them.
struct Queue {
    counts: Mutex<Counts>,
    freed: Condvar,
}

struct Counts {
    /// Places that are free.
    free: u32,
    /// Those who wait for one: without any there is nobody to wake.
    waiting: u32,
}

/// A place of a pool, free again when this is dropped.
pub(crate) struct Place(Arc<Queue>);

impl Places {
    fn new(reads: u32, words: u32, engines: u32) -> Self {
        let queue = |free| {
            Arc::new(Queue {
                counts: Mutex::new(Counts { free, waiting: 0 }),
                freed: Condvar::new(),
            })
        };
        Self {
            reads: queue(reads),
            words: queue(words),
            engines: queue(engines),
        }
    }

    /// Takes a place, once there is one.
    ///
    /// # Errors
    /// If the read is to stop before that.
    pub(crate) fn take(&self, purpose: Purpose, stop: &Stop) -> Result<Place, Stopped> {
        let queue = match purpose {
            Purpose::Read => &self.reads,
            Purpose::Words => &self.words,
            Purpose::Engine => &self.engines,
        };
        let mut counts = queue.lock();
        stop.check_waiting()?;
        while counts.free == 0 {
            counts.waiting += 1;
            let checked;
            (counts, checked) = stop.wait_turn(&queue.freed, counts);
            counts.waiting -= 1;
            if let Err(stopped) = checked {
                // It may have been woken for a place, which is another's now.
                queue.wake(&counts);
                return Err(stopped);
            }
        }
        counts.free -= 1;
        drop(counts);
        Ok(Place(Arc::clone(queue)))
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self, counts: &Counts) {
        if counts.free > 0 && counts.waiting > 0 {
            self.freed.notify_one();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.0.lock();
        counts.free += 1;
        self.0.wake(&counts);
    }
}
