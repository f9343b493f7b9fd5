//! The state that instances of the reader and of engines have in common: WASI, handles, a file
//! system with access rules, and limits.

use crate::budget::Lease;
use crate::safepoints::Safepoints;
use crate::sandbox::{Filesystem, Policy, ReadTime, Stop, Stopped};
use crate::sparse::KnownBytes;
use std::fs::File;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use wasmtime::component::ResourceTable;
use wasmtime::{ResourceLimiter, Result};
use wasmtime_wasi::cli::{WasiCliCtx, WasiCliCtxView};
use wasmtime_wasi::clocks::{WasiClocksCtx, WasiClocksCtxView};

/// The maximum number of handles of a read: roots, and the directories and files on the way to
/// the file that it reads.
const HANDLES: usize = 1000;

/// The maximum number of entries of a function table. The reader needs such a table for its
/// indirect calls.
pub(crate) const TABLE_ENTRIES: usize = 20_000;

/// The state that every instance has, whether it is a reader or an engine.
pub(crate) struct System {
    // A whole context of WASI would also have generators of random numbers, whose seeds take long.
    cli: WasiCliCtx,
    clocks: WasiClocksCtx,
    /// The environment variables of the instance.
    pub(crate) environment: Arc<[(String, String)]>,
    pub(crate) table: ResourceTable,
    pub(crate) filesystem: Filesystem,
    pub(crate) limits: Limits,
    /// The safepoints of the instance. `None` before it is created, and if its code has none.
    pub(crate) safepoints: Option<Safepoints>,
    /// The number of bytes in the sparse bytes of the instance.
    pub(crate) known: KnownBytes,
    /// The standard input of the instance.
    pub(crate) stdin: StandardInput,
}

/// The standard input of an instance.
#[derive(Clone, Default)]
pub(crate) enum StandardInput {
    /// None: it ends at once.
    #[default]
    Empty,
    /// That of this process.
    Process,
    /// Another pipe, which is read without blocking.
    Pipe(Arc<File>),
}

/// The state of a store, which contains a [`System`].
pub(crate) trait HasSystem: Send + 'static {
    /// The system of the instance.
    fn system(&mut self) -> &mut System;

    /// Drops what belongs to the read, which has ended.
    fn end(&mut self);
}

/// The access rights and limits of an instance.
pub(crate) struct Grant {
    pub(crate) policy: Arc<Policy>,
    pub(crate) stop: Stop,
    /// The memory limit in bytes.
    pub(crate) memory: usize,
    pub(crate) environment: Arc<[(String, String)]>,
    pub(crate) stdin: StandardInput,
}

/// The values of a [`Grant`] of no read.
struct Nothing {
    policy: Arc<Policy>,
    environment: Arc<[(String, String)]>,
}

static NOTHING: LazyLock<Nothing> = LazyLock::new(|| Nothing {
    policy: Arc::default(),
    environment: Arc::default(),
});

impl Grant {
    /// The rights of no read: an instance gets those of its read later.
    pub(crate) fn none() -> Self {
        Self::after(Arc::default())
    }

    /// No rights, after a read with this time.
    fn after(time: Arc<ReadTime>) -> Self {
        Self {
            policy: Arc::clone(&NOTHING.policy),
            stop: Stop {
                token: None,
                time,
                processor: None,
            },
            memory: usize::MAX,
            environment: Arc::clone(&NOTHING.environment),
            stdin: StandardInput::Empty,
        }
    }
}

impl System {
    pub(crate) fn new(grant: Grant) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(HANDLES);
        Self {
            cli: WasiCliCtx::default(),
            clocks: WasiClocksCtx::default(),
            environment: grant.environment,
            table,
            limits: Limits {
                memory: grant.memory,
                lease: None,
                read: None,
                bytes: 0,
            },
            safepoints: None,
            known: KnownBytes::default(),
            filesystem: Filesystem::new(grant.policy, grant.stop),
            stdin: grant.stdin,
        }
    }

    /// The stop conditions of the instance.
    pub(crate) fn stop(&self) -> &Stop {
        &self.filesystem.stop
    }

    /// The standard streams for the functions of WASI.
    pub(crate) fn cli(&mut self) -> WasiCliCtxView<'_> {
        WasiCliCtxView {
            ctx: &mut self.cli,
            table: &mut self.table,
        }
    }

    /// The clocks for the functions of WASI.
    pub(crate) fn clocks(&mut self) -> WasiClocksCtxView<'_> {
        WasiClocksCtxView {
            ctx: &mut self.clocks,
            table: &mut self.table,
        }
    }

    /// Sets the stop conditions of the instance.
    pub(crate) fn set_stop(&mut self, stop: Stop) {
        self.filesystem.stop = stop;
    }

    /// No rights, for an instance whose read has ended.
    pub(crate) fn ended(&self) -> Grant {
        Grant::after(Arc::clone(&self.stop().time))
    }

    /// Makes the memory of the instance count in the budget that all engines share.
    pub(crate) fn set_lease(&mut self, lease: Arc<Lease>) {
        self.limits.lease = Some(lease);
    }

    /// Makes the memory of the instance count in the budget that all reads share. Returns the share.
    pub(crate) fn set_read_memory(&mut self, lease: Arc<Lease>) {
        self.limits.read = Some(ReadMemory {
            lease,
            engines: Arc::default(),
        });
    }

    /// Notes that the read has an engine until the guard is dropped. Meanwhile, it does not wait for
    /// memory.
    pub(crate) fn begin_engine(&self) -> Option<EngineGuard> {
        let engines = Arc::clone(&self.limits.read.as_ref()?.engines);
        engines.fetch_add(1, Ordering::Relaxed);
        Some(EngineGuard(engines))
    }

    /// The share of the instance in the budget of all engines. `None` if the instance is not an
    /// engine.
    pub(crate) fn lease(&self) -> Option<&Lease> {
        self.limits.lease.as_deref()
    }
}

/// The share of a read in the memory of all reads.
struct ReadMemory {
    lease: Arc<Lease>,
    /// The number of engines that the read has.
    engines: Arc<AtomicUsize>,
}

/// A guard of a read that has an engine.
pub(crate) struct EngineGuard(Arc<AtomicUsize>);

impl Drop for EngineGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The memory limits of an instance.
pub(crate) struct Limits {
    /// The memory limit in bytes.
    pub(crate) memory: usize,
    /// The share of the instance in the budget of all engines. `None` if the instance is not an
    /// engine.
    lease: Option<Arc<Lease>>,
    /// The share of the read in the budget of all reads. `None` if the instance is not that of a read.
    read: Option<ReadMemory>,
    /// The size in bytes of the largest memory of the instance.
    pub(crate) bytes: usize,
}

/// The memory in bytes that a safepoint asks for, which is more than an instance can have.
const SAFEPOINT: usize = (u32::MAX as usize).saturating_mul(1 << 16);

impl ResourceLimiter for System {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        let (limits, stop) = (&mut self.limits, &self.filesystem.stop);
        if desired >= SAFEPOINT {
            if let Some(safepoints) = self.safepoints {
                safepoints.answer();
            }
            stop.check()?;
            return Ok(false);
        }
        if desired > limits.memory {
            return Err(Stopped::Memory.into());
        }
        if let Some(lease) = &limits.lease {
            lease.grow(desired, stop)?;
        }
        match &limits.read {
            Some(read) if read.engines.load(Ordering::Relaxed) > 0 => {
                read.lease.grow_at_once(desired);
            }
            Some(read) => read.lease.grow(desired, stop)?,
            None => {}
        }
        limits.bytes = limits.bytes.max(desired);
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        Ok(desired <= TABLE_ENTRIES)
    }
}
