//! What an instance has, whether of the reader or of an engine: WASI, handles, a
//! filesystem behind rules, and limits.

use crate::budget::Lease;
use crate::sandbox::{Filesystem, Policy, Stop, Stopped};
use std::sync::Arc;
use wasmtime::component::ResourceTable;
use wasmtime::{ResourceLimiter, Result};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// Handles that a read may hold at a time: roots, and the folders and files on
/// the way to what it reads.
const HANDLES: usize = 1000;

/// Tables and their entries, of which the reader needs one for its calls.
pub(crate) const TABLE_ENTRIES: usize = 20_000;

/// What an instance has.
pub(crate) struct System {
    pub(crate) wasi: WasiCtx,
    pub(crate) table: ResourceTable,
    pub(crate) filesystem: Filesystem,
    pub(crate) limits: Limits,
    /// Whether it was given standard input.
    pub(crate) stdin: bool,
}

/// The state of a store, which contains a [`System`].
pub(crate) trait HasSystem: Send + 'static {
    /// What its instance has.
    fn system(&mut self) -> &mut System;
}

/// What an instance is given.
pub(crate) struct Grant {
    pub(crate) policy: Arc<Policy>,
    pub(crate) stop: Stop,
    /// Bytes of memory.
    pub(crate) memory: usize,
    pub(crate) environment: Arc<[(String, String)]>,
    pub(crate) stdin: bool,
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
            filesystem: Filesystem::new(grant.policy, grant.stop),
            stdin: grant.stdin,
        }
    }

    /// What stops its instance.
    pub(crate) fn stop(&self) -> &Stop {
        &self.filesystem.stop
    }

    /// Sets what stops its instance.
    pub(crate) fn set_stop(&mut self, stop: Stop) {
        self.filesystem.stop = stop;
    }

    /// Makes its memory a part of the budget of engines.
    pub(crate) fn set_lease(&mut self, lease: Arc<Lease>) {
        self.limits.lease = Some(lease);
    }

    /// The part of the budget of engines, if it is one's.
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

/// How much memory an instance may have.
pub(crate) struct Limits {
    /// Bytes.
    pub(crate) memory: usize,
    /// The part of the budget of engines, if it is one's.
    lease: Option<Arc<Lease>>,
    /// What stops the read, while its engine waits for memory.
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
