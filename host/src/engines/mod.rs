//! Engines beside the reader: parsers that are heavy or written in C, each in
//! instances of its own, with memory and time of their own.
//!
//! `table` lists them. An engine imports WASI and the bytes that it is given: its
//! store has no session, no other engine and no network, so that nothing of the
//! kind can be linked into it.

mod budget;
pub(crate) mod table;

pub(crate) use budget::{Budget, Lease};
pub(crate) use table::Row;

use crate::code;
use crate::config::Memory;
use crate::limits;
use crate::link;
use crate::pool::{self, Purpose};
use crate::runtime::{Placed, Runtime};
use crate::sandbox::{Stop, processor_time};
use crate::system::{Grant, HasSystem, System};
use std::array;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use table::ENGINES;
use wasmtime::Result;
use wasmtime::component::{
    ComponentExportIndex, ComponentNamedList, Instance, InstancePre, Lift, Lower,
};
use wasmtime_wasi::p2::bindings::random;
use wasmtime_wasi::random::WasiRandom;

/// Bytes of memory that the largest engine may take.
const LARGEST: usize = {
    let (mut largest, mut place) = (0, 0);
    while place < ENGINES.len() {
        assert!(ENGINES[place].place == place, "a row knows its place");
        if ENGINES[place].memory > largest {
            largest = ENGINES[place].memory;
        }
        place += 1;
    }
    largest
};

/// The version of the interfaces in `wit/`.
const VERSION: &str = "0.1.0";

/// The state of an engine's instance.
pub(crate) struct EngineState(System);

impl HasSystem for EngineState {
    fn system(&mut self) -> &mut System {
        &mut self.0
    }
}

/// An engine that was loaded.
#[derive(Clone)]
struct Loaded {
    instances: InstancePre<EngineState>,
    interface: ComponentExportIndex,
}

/// The engines of a process, each loaded once it is needed.
pub(crate) struct Engines {
    runtime: Arc<Runtime>,
    loaded: [Mutex<Option<Loaded>>; ENGINES.len()],
    budget: Arc<Budget>,
}

/// An instance of an engine.
pub(crate) struct Running {
    row: &'static Row,
    lease: Arc<Lease>,
    store: Placed<EngineState>,
    instance: Option<Instance>,
    loaded: Loaded,
}

impl Engines {
    pub(crate) fn new(runtime: Arc<Runtime>) -> Self {
        Self {
            runtime,
            loaded: array::from_fn(|_| Mutex::default()),
            budget: Budget::new(limits::ENGINE_MEMORY, LARGEST),
        }
    }

    /// The names of the engines that can be started in this process.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let count = match self.runtime.memory {
            Memory::Reserved => ENGINES.len(),
            Memory::Unreserved => 0,
        };
        ENGINES.iter().take(count).map(|engine| engine.name)
    }

    /// What the engine calls of this process share.
    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Starts an engine, once there is a place for it. It has at most `memory`
    /// bytes, those of its read.
    ///
    /// # Errors
    /// If the read is to stop before that, or the code does not fit this processor.
    pub(crate) fn start(&self, row: &'static Row, memory: usize, stop: &Stop) -> Result<Running> {
        let loaded = self.load(row)?;
        let mut state = EngineState(System::new(Grant {
            policy: Arc::default(),
            stop: stop.clone(),
            memory: memory.min(row.memory).min(self.budget.largest()),
            environment: Arc::default(),
            stdin: false,
        }));
        let lease = self.budget.lease();
        state.0.limits.lease = Some(Arc::clone(&lease));
        Ok(Running {
            row,
            lease,
            store: self.runtime.store(state, Purpose::Engine)?,
            instance: None,
            loaded,
        })
    }

    fn load(&self, row: &Row) -> Result<Loaded> {
        let runtime = &self.runtime;
        if runtime.memory == Memory::Unreserved {
            return Err(wasmtime::format_err!(
                "images and databases need {} GB of addresses, and this process may have {} MB (`ulimit -v`)",
                pool::ENGINE_ADDRESSES.div_ceil(1 << 30),
                pool::addresses().unwrap_or(0) >> 20,
            ));
        }
        // The code lies where it runs, so it is loaded once.
        let loaded = &self.loaded[row.place];
        let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = &*loaded {
            return Ok(engine.clone());
        }
        let component = code::component(&runtime.wasmtime, &code::ENGINES[row.place])?;
        let mut linker = link::system(&runtime.wasmtime)?;
        // Tables of the standard library are seeded.
        random::insecure_seed::add_to_linker::<EngineState, WasiRandom>(&mut linker, |state| {
            state.0.wasi.random()
        })?;
        let name = format!("omniread:read/{}@{VERSION}", row.name);
        let interface = component.get_export_index(None, &name);
        let interface = interface.ok_or_else(|| wasmtime::format_err!("it has no `{name}`"))?;
        let engine = Loaded {
            instances: linker.instantiate_pre(&component)?,
            interface,
        };
        Ok(loaded.insert(engine).clone())
    }
}

impl Running {
    /// The name of the engine.
    pub(crate) fn name(&self) -> &'static str {
        self.row.name
    }

    /// The handles of the engine, to add what a call passes to it.
    pub(crate) fn system(&mut self) -> &mut System {
        self.store.data_mut().system()
    }

    /// Calls a function of the engine's interface, once there is a core for it. The
    /// engine and the reader import and export the same interface, so the types of
    /// the reader's imports are the types of the call.
    ///
    /// # Errors
    /// If the read is to stop before that, or what ended the call.
    pub(crate) fn call<P, R>(&mut self, function: &str, parameters: P, stop: &Stop) -> Result<R>
    where
        P: ComponentNamedList + Lower + Send + Sync,
        R: Lift + Send + Sync + 'static,
    {
        self.call_within(self.row.time, function, parameters, stop)
    }

    /// The same with a limit of its own for the time on a processor.
    ///
    /// # Errors
    /// As of [`Running::call`].
    pub(crate) fn call_within<P, R>(
        &mut self,
        time: Duration,
        function: &str,
        parameters: P,
        stop: &Stop,
    ) -> Result<R>
    where
        P: ComponentNamedList + Lower + Send + Sync,
        R: Lift + Send + Sync + 'static,
    {
        let _running = self.lease.run(stop)?;
        let store = &mut *self.store;
        store.data_mut().0.filesystem.stop = Stop {
            processor: Some(processor_time() + time),
            ..stop.clone()
        };
        let instance = match self.instance {
            Some(instance) => instance,
            None => *self
                .instance
                .insert(self.loaded.instances.instantiate(&mut *store)?),
        };
        let index = instance.get_export_index(&mut *store, Some(&self.loaded.interface), function);
        let index = index.ok_or_else(|| wasmtime::format_err!("it has no `{function}`"))?;
        let function = instance.get_typed_func::<P, (R,)>(&mut *store, index)?;
        Ok(function.call(&mut *store, parameters)?.0)
    }
}
