//! The state that instances of the reader and of engines have in common: WASI, handles, a file
//! system with access rules, and limits.

use crate::budget::Lease;
use crate::sandbox::{Filesystem, Policy, Stop, Stopped};
use crate::sparse::KnownBytes;
use std::fs::File;
use std::sync::Arc;
use wasmtime::component::ResourceTable;
use wasmtime::{ResourceLimiter, Result};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// The maximum number of handles of a read: roots, and the directories and files on the way to
/// the file that it reads.
const HANDLES: usize = 1000;

/// The maximum number of entries of a function table. The reader needs such a table for its
/// indirect calls.
pub(crate) const TABLE_ENTRIES: usize = 20_000;

/// The state that every instance has, whether it is a reader or an engine.
pub(crate) struct System {
    pub(crate) wasi: WasiCtx,
    pub(crate) table: ResourceTable,
    pub(crate) filesystem: Filesystem,
    pub(crate) limits: Limits,
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
    #[cfg_attr(
        not(feature = "cli"),
        expect(dead_code, reason = "only the command line passes one")
    )]
    Pipe(Arc<File>),
}

/// The state of a store, which contains a [`System`].
pub(crate) trait HasSystem: Send + 'static {
    /// The system of the instance.
    fn system(&mut self) -> &mut System;
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

impl System {
    pub(crate) fn new(grant: Grant) -> Self {
        let mut wasi = WasiCtxBuilder::new();
        wasi.allow_blocking_current_thread(true)
            .envs(&grant.environment);
        let mut table = ResourceTable::new();
        table.set_max_capacity(HANDLES);
        Self {
            wasi: wasi.build(),
            table,
            limits: Limits {
                memory: grant.memory,
                lease: None,
                stop: grant.stop.clone(),
            },
            known: KnownBytes::default(),
            filesystem: Filesystem::new(grant.policy, grant.stop),
            stdin: grant.stdin,
        }
    }

    /// The stop conditions of the instance.
    pub(crate) fn stop(&self) -> &Stop {
        &self.filesystem.stop
    }

    /// Sets the stop conditions of the instance.
    pub(crate) fn set_stop(&mut self, stop: Stop) {
        self.filesystem.stop = stop;
    }

    /// Makes the memory of the instance count in the budget that all engines share.
    pub(crate) fn set_lease(&mut self, lease: Arc<Lease>) {
        self.limits.lease = Some(lease);
    }

    /// The share of the instance in the budget of all engines. `None` if the instance is not an
    /// engine.
    pub(crate) fn lease(&self) -> Option<&Lease> {
        self.limits.lease.as_deref()
    }
}

impl WasiView for System {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

/// The memory limits of an instance.
pub(crate) struct Limits {
    /// The memory limit in bytes.
    pub(crate) memory: usize,
    /// The share of the instance in the budget of all engines. `None` if the instance is not an
    /// engine.
    lease: Option<Arc<Lease>>,
    /// The stop conditions that are checked while an engine waits for memory.
    stop: Stop,
}

impl ResourceLimiter for Limits {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        if desired > self.memory {
            return Err(Stopped::Memory.into());
        }
        if let Some(lease) = &self.lease {
            lease.grow(desired, &self.stop)?;
        }
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        Ok(desired <= TABLE_ENTRIES)
    }
}
