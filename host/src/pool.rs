//! The pooling allocator: instances reuse memory and address space of earlier ones.
//!
//! A fresh instance touches some hundred pages, and each costs a page fault. Instances of a
//! pool get pages that were cleared instead. With them a read of a small file takes two fifths
//! of the time.

use crate::config::Memory;
use crate::sandbox::{Stop, Stopped};
use crate::upkeep;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Result,
};

/// The maximum number of reads that run at a time. Further reads wait. Each running read takes
/// 4 GiB of address space, but only as much memory as it uses.
const READS: u32 = 64;

/// The maximum number of instances that render failures at a time. Their places in the pool are
/// separate, so that a read that was stopped reports its failure at once, even if all other places
/// are taken.
const FAILURES: u32 = 8;

/// The maximum number of instances of engines (SQLite, images, documents and PDF) at a time. A read has
/// at most one, and most reads have none. A running read that needs one waits for a free place. An
/// engine waits for a processor core and for memory. Only the oldest engine never waits
/// (`budget.rs`), so that places become free again.
const ENGINES: u32 = 16;

/// The number of bytes of each memory in the pool that stay resident after its instance ends. It is
/// the initial memory of the reader, which `guest/components` defines.
const RESIDENT: usize = crate::code::READER_MEMORY;

/// The number of bytes of each function table in the pool that stay resident after its instance
/// ends.
const TABLE_RESIDENT: usize = 32 << 10;

/// The maximum number of core modules that a component consists of: its own code, and adapters for
/// its calls.
const MODULES: u32 = 8;

/// The maximum number of function tables of a component: that of the indirect calls of its main module, and that of the
/// functions of the host (`code/build/direct.rs`).
const TABLES: u32 = 2;

/// The number of memories of a component: its own, and that of the flags of its safepoints
/// (`code/build/safepoints.rs`).
const MEMORIES: u32 = 2;

/// The address space of an instance in bytes: 4 GiB for each memory, and the rest for guard pages
/// and code.
const INSTANCE_ADDRESSES: u64 = ((4 << 30) + (160 << 20)) * MEMORIES as u64;

/// The address space in bytes that a process needs besides its instances: for the binary,
/// threads, and the allocations of reads.
const OTHER_ADDRESSES: u64 = 1 << 30;

/// The number of reads, with one engine each, that fit into `addresses` bytes of address space.
fn reads_within(addresses: u64) -> u32 {
    let each = 2 * INSTANCE_ADDRESSES;
    u32::try_from(addresses.saturating_sub(OTHER_ADDRESSES) / each).unwrap_or(u32::MAX)
}

/// The limit on the address space of this process in bytes, if there is one (`ulimit -v`).
#[cfg(unix)]
fn addresses() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(unix))]
fn addresses() -> Option<u64> {
    None
}

/// The bytes that a file must be able to have, so that the initial memory of instances is in files in
/// memory. The largest has some megabytes. The kernel ends a process that writes more than it may.
#[cfg(unix)]
const FILE_BYTES: u64 = 64 << 20;

/// The limit in bytes on the files that this process may write, if it is too small (`ulimit -f`).
#[cfg(unix)]
fn file_limit() -> Option<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
    limit.filter(|bytes| *bytes < FILE_BYTES)
}

#[cfg(not(unix))]
fn file_limit() -> Option<u64> {
    None
}

/// Why this process cannot start engines, if its memory is [`Memory::Unreserved`].
pub(crate) fn no_engines() -> String {
    match (file_limit(), addresses()) {
        (Some(bytes), _) => format!(
            "images, databases and documents need files in memory, and this process may write {bytes} bytes (`ulimit -f`)"
        ),
        (None, addresses) => format!(
            "images, databases and documents need {} GB of addresses, and this process may have {} MB (`ulimit -v`)",
            ENGINE_ADDRESSES.div_ceil(1 << 30),
            addresses.unwrap_or(0) >> 20,
        ),
    }
}

/// The way in which this process allocates the memory of instances. Address space is not reserved
/// if it is limited to less than one read with an engine needs.
pub(crate) fn memory() -> Memory {
    if file_limit().is_some() {
        return Memory::Unreserved;
    }
    match addresses() {
        Some(addresses) if reads_within(addresses) == 0 => Memory::Unreserved,
        _ => Memory::Reserved,
    }
}

/// The minimum address space in bytes of a process that reads images, databases and documents.
const ENGINE_ADDRESSES: u64 = OTHER_ADDRESSES + 2 * INSTANCE_ADDRESSES;

/// Creates the engine of wasmtime, and the places that limit the number of instances at a time.
/// Instances come from a pool if `pooled` is true and the address space is large enough.
///
/// # Errors
/// Fails if this machine does not support the configuration.
pub(crate) fn engine(
    config: &Config,
    memory: Memory,
    table_entries: usize,
    pooled: bool,
) -> Result<(Engine, Slots)> {
    if pooled && memory == Memory::Reserved && cfg!(target_pointer_width = "64") {
        let places = READS + FAILURES + ENGINES + upkeep::SPARES + upkeep::ENDED;
        let mut pool = PoolingAllocationConfig::new();
        pool.total_component_instances(places)
            .total_core_instances(places * MODULES)
            .max_core_instances_per_component(MODULES)
            .total_memories(places * MEMORIES)
            .max_memories_per_component(MEMORIES)
            .max_memories_per_module(MEMORIES)
            .total_tables(places * TABLES)
            .max_tables_per_component(TABLES)
            .max_tables_per_module(TABLES)
            .table_elements(table_entries)
            .max_memory_size(usize::try_from(1u64 << 32).unwrap_or(usize::MAX))
            // No instance is suspended, so no stacks are needed.
            .total_stacks(0)
            .linear_memory_keep_resident(RESIDENT)
            .table_keep_resident(TABLE_RESIDENT)
            // If the kernel reports which pages were touched, only those are cleared.
            .pagemap_scan(Enabled::Auto);
        let mut config = config.clone();
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
        if let Ok(engine) = Engine::new(&config) {
            let mut slots = Slots::new(READS, FAILURES, ENGINES);
            slots.has_spares = true;
            return Ok((engine, slots));
        }
    }
    let engine = Engine::new(config)?;
    // Without a pool, an instance takes address space when it starts. If that is limited, only
    // as many start as fit.
    let places = match addresses() {
        Some(addresses) if memory == Memory::Reserved => {
            let reads = reads_within(addresses).max(1);
            Slots::new(reads, reads, reads)
        }
        _ => Slots::new(u32::MAX, u32::MAX, u32::MAX),
    };
    Ok((engine, places))
}

/// The purpose of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The instance runs a call of the reader, usually a read.
    Read,
    /// The instance renders the message of a failure.
    FailureMessage,
    /// The instance is an engine, such as SQLite, that a read uses.
    Engine,
}

/// The places for instances. Each instance occupies one while it exists. There is a queue for each
/// purpose.
pub(crate) struct Slots {
    reads: Arc<Queue>,
    failures: Arc<Queue>,
    engines: Arc<Queue>,
    /// Whether there are further places, for instances that no read has.
    has_spares: bool,
}

/// The numbers of free places for one purpose, and of threads that wait for such a place.
struct Queue {
    counts: Mutex<Counts>,
    freed: Condvar,
}

struct Counts {
    /// The number of free places.
    free: u32,
    /// The number of waiting threads. If it is 0, no wake-up is needed.
    waiting: u32,
}

/// A place that an instance occupies. Dropping the value frees the place.
pub(crate) struct Slot(Arc<Queue>);

impl Slots {
    fn new(reads: u32, failures: u32, engines: u32) -> Self {
        let queue = |free| {
            Arc::new(Queue {
                counts: Mutex::new(Counts { free, waiting: 0 }),
                freed: Condvar::new(),
            })
        };
        Self {
            reads: queue(reads),
            failures: queue(failures),
            engines: queue(engines),
            has_spares: false,
        }
    }

    /// Whether instances have a place before and after their read: those that are prepared, and those that ended and are
    /// not cleaned up yet. These places are separate, so that no read waits for them.
    pub(crate) fn has_spares(&self) -> bool {
        self.has_spares
    }

    /// Waits for a free place for an instance of this purpose, and takes it.
    ///
    /// # Errors
    /// Fails if the read is stopped before a place is free.
    pub(crate) fn take(&self, purpose: Purpose, stop: &Stop) -> Result<Slot, Stopped> {
        let queue = match purpose {
            Purpose::Read => &self.reads,
            Purpose::FailureMessage => &self.failures,
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
                // This thread may have been woken for a place that another one can use.
                queue.wake(&counts);
                return Err(stopped);
            }
        }
        counts.free -= 1;
        drop(counts);
        Ok(Slot(Arc::clone(queue)))
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

impl Drop for Slot {
    fn drop(&mut self) {
        let mut counts = self.0.lock();
        counts.free += 1;
        self.0.wake(&counts);
    }
}
