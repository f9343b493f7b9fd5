//! Engines beside the reader: parsers that are heavy or written in C, each in
//! instances of its own, with memory and time of their own.
//!
//! `table` lists them. An engine imports WASI and the bytes that it is given: its
//! store has no session, no other engine and no network, so that nothing of the
//! kind can be linked into it.

pub(crate) mod table;

pub(crate) use table::EngineSpec;

use crate::budget::{Budget, Lease};
use crate::code;
use crate::config::Memory;
use crate::limits;
use crate::link;
use crate::pool::{self, Purpose};
use crate::runtime::{Placed, Runtime};
use crate::sandbox::{ProcessorLimit, Stop};
use crate::system::{Grant, HasSystem, System};
use std::array;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use table::ENGINES;
use wasmtime::component::{
    ComponentExportIndex, ComponentNamedList, Instance, InstancePre, Lift, Lower,
};
use wasmtime::{Result, Store};
use wasmtime_wasi::p2::bindings::random;
use wasmtime_wasi::random::WasiRandom;

/// Bytes of memory that the largest engine may take.
const LARGEST: usize = {
    let (mut largest, mut index) = (0, 0);
    while index < ENGINES.len() {
        assert!(ENGINES[index].index == index, "an engine knows its index");
        if ENGINES[index].memory > largest {
            largest = ENGINES[index].memory;
        }
        index += 1;
    }
    largest
};

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
    spec: &'static EngineSpec,
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
        let count = match self.runtime.memory() {
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
    pub(crate) fn start(
        &self,
        spec: &'static EngineSpec,
        memory: usize,
        stop: &Stop,
    ) -> Result<Running> {
        let loaded = self.load(spec)?;
        let state = EngineState(System::new(Grant {
            policy: Arc::default(),
            stop: stop.clone(),
            memory: memory.min(spec.memory).min(self.budget.largest()),
            environment: Arc::default(),
            stdin: false,
        }));
        // The oldest lease never waits, so only an engine that has a place gets one.
        let mut store = self.runtime.store(state, Purpose::Engine)?;
        let lease = self.budget.lease();
        store.data_mut().0.set_lease(Arc::clone(&lease));
        Ok(Running {
            spec,
            lease,
            store,
            instance: None,
            loaded,
        })
    }

    fn load(&self, spec: &EngineSpec) -> Result<Loaded> {
        let runtime = &self.runtime;
        if runtime.memory() == Memory::Unreserved {
            return Err(wasmtime::format_err!(
                "images and databases need {} GB of addresses, and this process may have {} MB (`ulimit -v`)",
                pool::ENGINE_ADDRESSES.div_ceil(1 << 30),
                pool::addresses().unwrap_or(0) >> 20,
            ));
        }
        // The code lies where it runs, so it is loaded once.
        let loaded = &self.loaded[spec.index];
        let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = &*loaded {
            return Ok(engine.clone());
        }
        let component = code::component(runtime.engine(), &code::ENGINES[spec.index])?;
        let mut linker = link::system(runtime.engine())?;
        // Tables of the standard library are seeded.
        random::insecure_seed::add_to_linker::<EngineState, WasiRandom>(&mut linker, |state| {
            state.0.wasi.random()
        })?;
        let interface = link::interface(&component, spec.name)?;
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
        self.spec.name
    }

    /// The handles of the engine, to add what a call passes to it.
    pub(crate) fn system(&mut self) -> &mut System {
        self.store.data_mut().system()
    }

    /// Calls functions of the engine's interface, once there is a core for it. All
    /// calls together may use the processor for this long.
    ///
    /// # Errors
    /// If the read is to stop before that, or what ended a call.
    pub(crate) fn run<T>(
        &mut self,
        time: Duration,
        stop: &Stop,
        calls: impl FnOnce(&mut Calls<'_>) -> Result<T>,
    ) -> Result<T> {
        let _running = self.lease.run(stop)?;
        let store = &mut *self.store;
        store.data_mut().0.set_stop(Stop {
            processor: Some(Arc::new(ProcessorLimit::new(time))),
            ..stop.clone()
        });
        let instance = match self.instance {
            Some(instance) => instance,
            None => *self
                .instance
                .insert(self.loaded.instances.instantiate(&mut *store)?),
        };
        calls(&mut Calls {
            store,
            instance,
            interface: &self.loaded.interface,
        })
    }
}

/// An engine that has a core.
pub(crate) struct Calls<'r> {
    store: &'r mut Store<EngineState>,
    instance: Instance,
    interface: &'r ComponentExportIndex,
}

impl Calls<'_> {
    /// Calls a function. The engine exports the interface that the reader imports, so
    /// the types of the reader's imports are the types of the call.
    ///
    /// # Errors
    /// What ended the call.
    pub(crate) fn call<P, R>(&mut self, function: &str, parameters: P) -> Result<R>
    where
        P: ComponentNamedList + Lower + Send + Sync,
        R: Lift + Send + Sync + 'static,
    {
        let store = &mut *self.store;
        let index = self
            .instance
            .get_export_index(&mut *store, Some(self.interface), function);
        let index = index.ok_or_else(|| wasmtime::format_err!("it has no `{function}`"))?;
        link::call(store, self.instance, &index, parameters)
    }
}
