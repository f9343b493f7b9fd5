//! The runtime of all instances of a process: compiled code, memory of a pool, and a clock that
//! stops instances when their time is up.

use crate::code::{self, Content};
use crate::config::{self, Memory};
use crate::pool::{self, Purpose, Slot, Slots};
use crate::sandbox::{Stop, Stopped};
use crate::system::{HasSystem, TABLE_ENTRIES};
use crate::ticker::Ticker;
use crate::upkeep::Upkeep;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use wasmtime::{Engine, Result, Store, Trap};

/// The maximum number of bytes that one call passes from an instance to the host. The largest value
/// is the reply, so the limit has room for the text of a page and for media in base64.
const HOST_CALL_BYTES: usize = 64 << 20;

/// The runtime that all instances of a process share.
pub(crate) struct Runtime {
    wasmtime: Engine,
    memory: Memory,
    content: Content,
    places: Slots,
    ticker: Arc<Ticker>,
    upkeep: Arc<Upkeep>,
}

/// The maximum memory in bytes of an instance that ended and is cleaned up later. It does not count in the budgets: a
/// read never waits for the memory of one that has ended. The memory of other instances is released at once.
const CLEANED_LATER: usize = 8 << 20;

impl Runtime {
    /// Creates the runtime, with a memory pool if `pooled` is true.
    ///
    /// # Errors
    /// Fails if this machine does not support the configuration.
    pub(crate) fn new(pooled: bool) -> Result<Self> {
        Self::with(pool::memory(), pooled)
    }

    /// Creates the runtime with memory that is allocated in this way.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn with(memory: Memory, pooled: bool) -> Result<Self> {
        let mut config = config::config(memory);
        #[cfg_attr(
            not(target_os = "linux"),
            expect(unused_mut, reason = "only Linux has large pages")
        )]
        let mut content = Content::Mapped;
        if memory == Memory::Reserved {
            code::configure(&mut config);
            #[cfg(target_os = "linux")]
            if !pooled {
                content = Content::Copied;
                config.with_host_memory(Arc::new(crate::large_pages::LargePages));
            }
        }
        let (wasmtime, places) = pool::engine(&config, memory, TABLE_ENTRIES, pooled)?;
        let upkeep = Upkeep::new(places.has_spares());
        Ok(Self {
            ticker: Ticker::new(&upkeep),
            upkeep,
            wasmtime,
            memory,
            content,
            places,
        })
    }

    /// The engine of wasmtime. It does not compile code, but loads code that was compiled before.
    pub(crate) fn engine(&self) -> &Engine {
        &self.wasmtime
    }

    /// The way in which the memory of instances is allocated.
    pub(crate) fn memory(&self) -> Memory {
        self.memory
    }

    /// The way in which instances get the initial content of their memory.
    pub(crate) fn content(&self) -> Content {
        self.content
    }

    /// The work between reads.
    pub(crate) fn upkeep(&self) -> &Arc<Upkeep> {
        &self.upkeep
    }

    /// Waits for a free place for an instance.
    ///
    /// # Errors
    /// Fails if the read is stopped before a place is free.
    pub(crate) fn place(&self, purpose: Purpose, stop: &Stop) -> Result<Slot, Stopped> {
        self.places.take(purpose, stop)
    }

    /// Creates the store of an instance.
    pub(crate) fn store<T: HasSystem>(&self, state: T) -> Store<T> {
        let mut store = Store::new(&self.wasmtime, state);
        store.limiter(|state| state.system());
        store.set_hostcall_fuel(HOST_CALL_BYTES);
        store
    }

    /// Calls functions of an instance. The clock makes it check its stop conditions meanwhile.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the instance was stopped, or else the error of the call.
    pub(crate) fn run<T: HasSystem, R>(
        &self,
        store: &mut Store<T>,
        call: impl FnOnce(&mut Store<T>) -> Result<R>,
    ) -> Result<R> {
        let system = store.data_mut().system();
        let Some(safepoints) = system.safepoints else {
            return Err(wasmtime::format_err!("the instance has no safepoints"));
        };
        let watch = self.ticker.watch(safepoints, system.stop().clone())?;
        let result = call(store);
        match (&result, watch.ended()) {
            // It is the reason of the trap.
            (Err(error), Some(why)) if error.is::<Trap>() => Err(why.into()),
            _ => result,
        }
    }

    /// The store of an instance that has a place.
    pub(crate) fn placed<T: HasSystem>(&self, store: Store<T>, place: Slot) -> Placed<T> {
        Placed {
            store: Some(store),
            upkeep: Arc::clone(&self.upkeep),
            _place: place,
        }
    }
}

/// A store, and the place that its instance occupies. Dropping the value frees the place.
pub(crate) struct Placed<T: HasSystem> {
    /// `None` only while the value is dropped.
    store: Option<Store<T>>,
    upkeep: Arc<Upkeep>,
    _place: Slot,
}

impl<T: HasSystem> Deref for Placed<T> {
    type Target = Store<T>;

    fn deref(&self) -> &Store<T> {
        self.store
            .as_ref()
            .expect("a value that exists has a store")
    }
}

impl<T: HasSystem> DerefMut for Placed<T> {
    fn deref_mut(&mut self) -> &mut Store<T> {
        self.store
            .as_mut()
            .expect("a value that exists has a store")
    }
}

impl<T: HasSystem> Drop for Placed<T> {
    fn drop(&mut self) {
        let Some(mut store) = self.store.take() else {
            return;
        };
        if self.upkeep.is_apart() && store.data_mut().system().limits.bytes <= CLEANED_LATER {
            // Files are closed now.
            store.data_mut().end();
            drop(self.upkeep.clean(store));
        } else {
            drop(store);
        }
        self.upkeep.start();
    }
}
