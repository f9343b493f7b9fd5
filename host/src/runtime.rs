//! What all instances of a process share: compiled code runs in a runtime, in
//! memory of a pool, and stops when its time is up.

use crate::code;
use crate::config::{self, Memory};
use crate::pool::{self, Place, Places, Purpose};
use crate::sandbox::Stopped;
use crate::system::{HasSystem, TABLE_ENTRIES};
use crate::ticker::{Ticker, Ticking};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use wasmtime::{Engine, Result, Store, UpdateDeadline};

/// Bytes that one call may hand from an instance to the host, the reply of the
/// reader being the largest: room for the text of a page, and for media in base64.
const HOST_CALL_BYTES: usize = 64 << 20;

/// The runtime of a process.
pub(crate) struct Runtime {
    wasmtime: Engine,
    memory: Memory,
    places: Places,
    ticker: Arc<Ticker>,
}

impl Runtime {
    /// A runtime, with a pool of memory if one is wanted.
    ///
    /// # Errors
    /// If the configuration does not fit this machine.
    pub(crate) fn new(pooled: bool) -> Result<Self> {
        let memory = pool::memory();
        let mut config = config::config(memory);
        match memory {
            Memory::Reserved => code::configure(&mut config),
            Memory::Unreserved => code::without_compiler(&mut config),
        }
        let (wasmtime, places) = pool::engine(&config, memory, TABLE_ENTRIES, pooled)?;
        Ok(Self {
            ticker: Ticker::start(&wasmtime),
            wasmtime,
            memory,
            places,
        })
    }

    /// What compiles nothing, and loads what was compiled.
    pub(crate) fn engine(&self) -> &Engine {
        &self.wasmtime
    }

    /// How instances get their memory.
    pub(crate) fn memory(&self) -> Memory {
        self.memory
    }

    /// Lets time pass for instances, until what is returned is dropped.
    pub(crate) fn tick(&self) -> Ticking {
        self.ticker.tick()
    }

    /// A store for one instance, once there is a place for it.
    ///
    /// # Errors
    /// If the read is to stop before that.
    pub(crate) fn store<T: HasSystem>(
        &self,
        mut state: T,
        purpose: Purpose,
    ) -> Result<Placed<T>, Stopped> {
        let place = self.places.take(purpose, state.system().stop())?;
        let mut store = Store::new(&self.wasmtime, state);
        store.limiter(|state| &mut state.system().limits);
        store.set_hostcall_fuel(HOST_CALL_BYTES);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|mut context| {
            context.data_mut().system().stop().check()?;
            Ok(UpdateDeadline::Continue(1))
        });
        Ok(Placed {
            store,
            _place: place,
        })
    }
}

/// A store, and its place in the pool, which is free again when the store is
/// dropped.
pub(crate) struct Placed<T: 'static> {
    store: Store<T>,
    _place: Place,
}

impl<T> Deref for Placed<T> {
    type Target = Store<T>;

    fn deref(&self) -> &Store<T> {
        &self.store
    }
}

impl<T> DerefMut for Placed<T> {
    fn deref_mut(&mut self) -> &mut Store<T> {
        &mut self.store
    }
}
