//! The engines: parsers that are large or written in C. Each call or connection runs in an
//! instance of its own, with its own memory and time.
//!
//! `table` lists the engines. An engine imports only WASI and the bytes that are passed to it.
//! Its store has no session, no other engine and no network, so that they cannot be linked into
//! it.

pub(crate) mod table;

pub(crate) use table::EngineSpec;

use crate::budget::{Budget, Lease};
use crate::code;
use crate::config::Memory;
use crate::instances::Instances;
use crate::limits;
use crate::link::{self, Methods};
use crate::pool::{self, Purpose};
use crate::runtime::{Placed, Runtime};
use crate::sandbox::{ProcessorLimit, ReadTime, Stop, processor_time};
use crate::spare::{Spare, Started};
use crate::system::{EngineGuard, Grant, HasSystem, StandardInput, System};
use crate::upkeep::SPARES;
use std::array;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use table::ENGINES;
use wasmtime::component::{ComponentExportIndex, ComponentNamedList, Instance, Lift, Lower};
use wasmtime::{Result, Store};
use wasmtime_wasi::p2::bindings::random;
use wasmtime_wasi::random::{WasiRandom, WasiRandomCtx};

/// The name of the function that an engine exports if it can do some of its work before the read that needs it. It gets
/// nothing, and its instance has no rights yet.
const PREPARE: &str = "prepare";

/// The highest memory limit of all engines, in bytes.
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

const _: () = assert!(
    SPARES as usize == 1 + ENGINES.len(),
    "the reader and each engine have an instance that is prepared"
);

/// The state of an instance of an engine.
pub(crate) struct EngineState(System, WasiRandomCtx);

impl HasSystem for EngineState {
    fn system(&mut self) -> &mut System {
        &mut self.0
    }

    fn end(&mut self) {
        let grant = self.0.ended();
        self.0 = System::new(grant);
    }
}

/// An engine whose code is loaded, so that instances can be created.
#[derive(Clone)]
struct Loaded {
    instances: Instances<EngineState>,
    interface: ComponentExportIndex,
    methods: Arc<Methods>,
    /// An instance for the next read that needs the engine.
    spare: Arc<Spare<EngineState>>,
}

/// The engines of a process. Each is loaded on first use.
pub(crate) struct Engines {
    runtime: Arc<Runtime>,
    loaded: [Mutex<Option<Loaded>>; ENGINES.len()],
    budget: Arc<Budget>,
}

/// An engine that was started for a read. It has an instance of its own, which its first call
/// creates.
pub(crate) struct Running {
    runtime: Arc<Runtime>,
    spec: &'static EngineSpec,
    lease: Arc<Lease>,
    store: Placed<EngineState>,
    instance: Option<Instance>,
    /// The instance, if it was prepared.
    started: Option<Started>,
    loaded: Loaded,
    /// Says to the memory of reads that the read has an engine.
    _read: Option<EngineGuard>,
}

impl Engines {
    pub(crate) fn new(runtime: Arc<Runtime>) -> Self {
        Self {
            runtime,
            loaded: array::from_fn(|_| Mutex::default()),
            budget: Budget::new(limits::DEFAULT_ENGINE_MEMORY, LARGEST),
        }
    }

    /// The names of the engines that this process can start.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let count = match self.runtime.memory() {
            Memory::Reserved => ENGINES.len(),
            Memory::Unreserved => 0,
        };
        let names = ENGINES.iter().take(count).map(|engine| engine.name);
        // In a build without converters, the components of these engines open no document.
        let converters = [table::DOCUMENTS.name, table::PDF.name];
        names.filter(move |name| cfg!(feature = "documents") || !converters.contains(name))
    }

    /// The processor cores and the memory that the engines of this process share.
    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Waits until the process may have another engine instance, and starts an engine. The engine
    /// may use at most `memory` bytes, the memory limit of its read.
    ///
    /// # Errors
    /// Fails if the read was stopped before that, or the code does not fit this processor.
    pub(crate) fn start(
        &self,
        spec: &'static EngineSpec,
        memory: usize,
        stop: &Stop,
    ) -> Result<Running> {
        let loaded = self.load(spec)?;
        let system = System::new(Grant {
            policy: Arc::default(),
            stop: stop.clone(),
            memory: memory.min(spec.memory).min(self.budget.largest()),
            environment: Arc::default(),
            stdin: StandardInput::Empty,
        });
        let place = self.runtime.place(Purpose::Engine, stop)?;
        // The oldest lease never waits, so only an engine with a place gets one.
        let lease = self.budget.lease();
        let ready = loaded.spare.take(self.runtime.upkeep());
        let started = ready.as_ref().map(|ready| ready.instance);
        let mut store = match ready {
            Some(ready) => {
                let mut store = ready.store;
                // Its random numbers are its own.
                store.data_mut().0 = system;
                store
            }
            None => {
                let state = EngineState(system, WasiRandomCtx::default());
                self.runtime.store(state)
            }
        };
        store.data_mut().0.set_lease(Arc::clone(&lease));
        Ok(Running {
            runtime: Arc::clone(&self.runtime),
            spec,
            lease,
            store: self.runtime.placed(store, place),
            instance: None,
            started,
            loaded,
            _read: None,
        })
    }

    fn load(&self, spec: &EngineSpec) -> Result<Loaded> {
        let runtime = &self.runtime;
        if runtime.memory() == Memory::Unreserved {
            return Err(wasmtime::format_err!("{}", pool::no_engines()));
        }
        // The code runs in place in the binary, so it can be loaded only once.
        let loaded = &self.loaded[spec.index];
        let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = &*loaded {
            return Ok(engine.clone());
        }
        let code = code::of_engine(spec.name)?;
        let component = code::component(runtime.engine(), code, runtime.content())?;
        let mut linker = link::system(runtime.engine())?;
        // Hash tables of the standard library need a seed.
        random::insecure_seed::add_to_linker::<EngineState, WasiRandom>(&mut linker, |state| {
            &mut state.1
        })?;
        let interface = link::interface(&component, &format!("omniread:parts/{}", spec.name))?;
        let instances = Instances::new(&component, linker.instantiate_pre(&component)?);
        let prepare = component.get_export_index(None, PREPARE);
        let spare = {
            let (runtime, instances) = (Arc::clone(runtime), instances.clone());
            Spare::new(Arc::clone(&runtime).upkeep(), move || {
                let system = System::new(Grant::none());
                let mut store = runtime.store(EngineState(system, WasiRandomCtx::default()));
                let instance = instances.create(&mut store)?;
                if let Some(prepare) = &prepare {
                    let prepare = instance.get_typed_func::<(), ()>(&mut store, prepare)?;
                    prepare.call(&mut store, ())?;
                }
                Ok((store, instance))
            })
        };
        let engine = Loaded {
            instances,
            interface,
            methods: Arc::default(),
            spare,
        };
        Ok(loaded.insert(engine).clone())
    }
}

/// The processor time limit of a call, for which an engine has `time` in a read with the timeout of
/// the command line. A longer timeout raises it, so that a user can allow any work. `now` is the processor time of the
/// thread.
fn limited(time: Duration, read: &ReadTime, now: Duration) -> Duration {
    let (Some(limit), Some(left)) = (read.limit(), read.left(now)) else {
        return time;
    };
    let raised = limit.as_secs_f64() / limits::COMMAND_TIMEOUT.as_secs_f64();
    let time = Duration::try_from_secs_f64(time.as_secs_f64() * raised.max(1.0));
    let spared = left.saturating_sub(left / limits::TIME_SPARED);
    time.map_or(spared, |time| time.min(spared))
}

impl Running {
    /// The engine of a read, whose memory is counted while the guard exists.
    pub(crate) fn of_read(self, guard: Option<EngineGuard>) -> Self {
        Self {
            _read: guard,
            ..self
        }
    }

    /// The name of the engine.
    pub(crate) fn name(&self) -> &'static str {
        self.spec.name
    }

    /// The state of the engine for WASI. A caller adds the handles to it that are parameters of a
    /// call.
    pub(crate) fn system(&mut self) -> &mut System {
        self.store.data_mut().system()
    }

    /// Waits for a processor core, and runs `calls`, which calls functions of the engine. `time`
    /// limits the processor time of all these calls together. They also leave some of the time of the
    /// read for the rest of it.
    ///
    /// # Errors
    /// Fails if the read was stopped before that, or if a call was stopped or trapped.
    pub(crate) fn run<T>(
        &mut self,
        time: Duration,
        stop: &Stop,
        calls: impl FnOnce(&mut Calls<'_>) -> Result<T>,
    ) -> Result<T> {
        let _running = self.lease.run(stop)?;
        let store = &mut *self.store;
        let now = processor_time();
        let time = limited(time, &stop.time, now);
        store.data_mut().0.set_stop(Stop {
            processor: Some(Arc::new(ProcessorLimit::new(time, now))),
            ..stop.clone()
        });
        let instance = match (self.instance, self.started) {
            (Some(instance), _) => instance,
            // Memory is counted while the engine has a core, as if the instance were created now.
            (None, Some(started)) => started.counted(store.data_mut())?,
            (None, None) => self.loaded.instances.create(store)?,
        };
        self.instance = Some(instance);
        let loaded = &self.loaded;
        self.runtime.run(store, |store| {
            calls(&mut Calls {
                store,
                instance,
                interface: &loaded.interface,
                methods: &loaded.methods,
            })
        })
    }
}

/// Access to the functions of an engine while it has a processor core.
pub(crate) struct Calls<'r> {
    store: &'r mut Store<EngineState>,
    instance: Instance,
    interface: &'r ComponentExportIndex,
    methods: &'r Methods,
}

impl Calls<'_> {
    /// Calls a function of the engine. The engine exports the same interface that the reader
    /// imports, so parameters and results have the types of the bindings of the reader's imports.
    ///
    /// # Errors
    /// Fails if the call was stopped or trapped.
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

    /// Calls a method of a resource of the engine, as [`Self::call`] does. All resources in the parameters and in the
    /// result are of the type `ResourceAny`.
    ///
    /// # Errors
    /// Fails if the call was stopped or trapped.
    pub(crate) fn method<P, R>(&mut self, name: &'static str, parameters: P) -> Result<R>
    where
        P: ComponentNamedList + Lower + Send + Sync + 'static,
        R: Lift + Send + Sync + 'static,
    {
        let place = (self.instance, self.interface);
        self.methods.call(self.store, place, name, parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn call_of_an_engine_leaves_time_for_the_rest_of_the_read() {
        let seconds = Duration::from_secs;
        let of = |limit: Option<u64>| {
            limited(
                seconds(20),
                &ReadTime::new(limit.map(seconds)),
                processor_time(),
            )
        };
        assert_eq!(of(None), seconds(20));
        assert_eq!(of(Some(60)), seconds(20));
        assert_eq!(of(Some(600)), seconds(200));
        // Some time of the read is used up.
        assert!(of(Some(10)) <= seconds(8) && of(Some(10)) > seconds(7));
        assert!(of(Some(0)).is_zero());
    }
}
