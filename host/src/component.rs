//! The component of the reader: its code, which the build script compiled, and a fresh instance
//! for each read.

use crate::budget::Budget;
use crate::code;
use crate::config::Memory;
use crate::engines::Engines;
use crate::imports;
use crate::limits;
use crate::link::{self, Function, Signature};
use crate::pool::Purpose;
use crate::runtime::Runtime;
use crate::session_state::SessionState;
use crate::state::{ReadGrant, State};
use crate::types::{Dialect, Failure, FileState, Options, Reply};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;
use wasmtime::component::{
    self, ComponentExportIndex, ComponentNamedList, InstancePre, Lift, Lower,
};
use wasmtime::{Result, Store};

/// The loaded component of the reader, with its engines. All readers of a process share it.
pub(crate) struct Component {
    runtime: Arc<Runtime>,
    engines: Arc<Engines>,
    instances: InstancePre<State>,
    exports: Exports,
    /// The memory that all reads share, without their engines.
    reads: Arc<Budget>,
}

/// The indices of the exported functions of the component that the host calls.
pub(crate) struct Exports {
    pub(crate) read_as: Function<ReadAs>,
    pub(crate) current: Function<Current>,
    pub(crate) definitions: ComponentExportIndex,
    pub(crate) current_definitions: ComponentExportIndex,
    pub(crate) call: Function<Call>,
    pub(crate) describe_failure: ComponentExportIndex,
    pub(crate) skills: SkillExports,
}

/// `read-as`: reads a path in a dialect.
pub(crate) struct ReadAs;

impl Signature for ReadAs {
    type Parameters<'p> = (&'p str, Dialect, Options);
    type Result = std::result::Result<Reply, Failure>;
}

/// `current`: the state of a file.
pub(crate) struct Current;

impl Signature for Current {
    type Parameters<'p> = (&'p str, bool);
    type Result = std::result::Result<FileState, Failure>;
}

/// `call`: runs the tool of a dialect with the arguments of a model.
pub(crate) struct Call;

impl Signature for Call {
    type Parameters<'p> = (Dialect, &'p str, Options);
    type Result = std::result::Result<Reply, Failure>;
}

/// The indices of the functions that serve skills.
pub(crate) struct SkillExports {
    pub(crate) catalog: ComponentExportIndex,
    pub(crate) get: ComponentExportIndex,
    pub(crate) directory: ComponentExportIndex,
    pub(crate) read: ComponentExportIndex,
}

impl Exports {
    fn of(component: &wasmtime::component::Component) -> Result<Self> {
        let export = |interface: &str, function: &str| {
            let interface = link::interface(component, interface)?;
            let index = component.get_export_index(Some(&interface), function);
            index.ok_or_else(|| wasmtime::format_err!("it has no `{function}`"))
        };
        Ok(Self {
            read_as: Function::new(export("omniread:read/read", "read-as")?),
            current: Function::new(export("omniread:read/read", "current")?),
            definitions: export("omniread:read/tools", "definitions")?,
            current_definitions: export("omniread:read/tools", "current-definitions")?,
            call: Function::new(export("omniread:read/tools", "call")?),
            describe_failure: export("omniread:read/tools", "describe-failure")?,
            skills: SkillExports {
                catalog: export("omniread:parts/skills", "catalog")?,
                get: export("omniread:parts/skills", "get")?,
                directory: export("omniread:parts/skills", "directory")?,
                read: export("omniread:parts/skills", "read")?,
            },
        })
    }
}

/// A fresh instance of the component for one call.
pub(crate) struct Instance<'c> {
    instance: component::Instance,
    exports: &'c Exports,
}

impl Instance<'_> {
    /// Calls an exported function of the component.
    ///
    /// # Errors
    /// Fails if the call was stopped or trapped.
    pub(crate) fn call<P, R>(
        &self,
        store: &mut Store<State>,
        function: impl FnOnce(&Exports) -> &ComponentExportIndex,
        parameters: P,
    ) -> Result<R>
    where
        P: ComponentNamedList + Lower + Send + Sync,
        R: Lift + Send + Sync + 'static,
    {
        link::call(store, self.instance, function(self.exports), parameters)
    }
}

impl Instance<'_> {
    /// Calls an exported function of the component that reads often call.
    ///
    /// # Errors
    /// Fails if the call was stopped or trapped.
    pub(crate) fn call_often<S: Signature>(
        &self,
        store: &mut Store<State>,
        function: impl FnOnce(&Exports) -> &Function<S>,
        parameters: S::Parameters<'_>,
    ) -> Result<S::Result> {
        function(self.exports).call(store, self.instance, parameters)
    }
}

impl Component {
    /// Returns the component that all readers of this process share. `pooled` decides whether
    /// instances reuse memory from a pool. Only its value in the first call has an effect.
    ///
    /// # Errors
    /// Fails if the code does not fit this processor, or there is not enough memory.
    pub(crate) fn shared(pooled: bool) -> Result<Arc<Self>> {
        static SHARED: OnceLock<Arc<Component>> = OnceLock::new();
        static STARTING: Mutex<()> = Mutex::new(());
        if let Some(component) = SHARED.get() {
            return Ok(Arc::clone(component));
        }
        // The code runs in place in the binary, so it can be loaded only once.
        let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(component) = SHARED.get() {
            return Ok(Arc::clone(component));
        }
        let component = Arc::new(Self::new(pooled)?);
        Ok(Arc::clone(SHARED.get_or_init(|| component)))
    }

    fn new(pooled: bool) -> Result<Self> {
        let runtime = Arc::new(Runtime::new(pooled)?);
        let wasmtime = runtime.engine();
        let code = match runtime.memory() {
            Memory::Reserved => code::component(wasmtime, &code::READER, runtime.content())?,
            Memory::Unreserved => code::reader_unreserved(wasmtime)?,
        };
        let instances = imports::linker(wasmtime)?.instantiate_pre(&code)?;
        Ok(Self {
            engines: Arc::new(Engines::new(Arc::clone(&runtime))),
            exports: Exports::of(&code)?,
            instances,
            runtime,
            reads: Budget::of_reads(limits::DEFAULT_READS_MEMORY, limits::DEFAULT_MEMORY),
        })
    }

    /// The engines of the process.
    pub(crate) fn engines(&self) -> &Engines {
        &self.engines
    }

    /// The memory that all reads of the process share, without their engines.
    pub(crate) fn reads(&self) -> &Arc<Budget> {
        &self.reads
    }

    /// Runs one call in a fresh instance.
    ///
    /// # Errors
    /// Returns [`Stopped`](crate::sandbox::Stopped) if the call was stopped, or else the trap.
    pub(crate) fn run<T>(
        &self,
        grant: ReadGrant,
        session: Arc<SessionState>,
        purpose: Purpose,
        call: impl FnOnce(&Instance<'_>, &mut Store<State>) -> Result<T>,
    ) -> Result<T> {
        let mut store = self.runtime.store(self.state(grant, session), purpose)?;
        store.data_mut().began = SystemTime::now();
        if purpose == Purpose::Read {
            // The oldest lease never waits, so only a read with a place gets one.
            let lease = self.reads.lease();
            store.data_mut().system.set_read_memory(lease);
        }
        let instance = Instance {
            instance: self.instances.instantiate(&mut *store)?,
            exports: &self.exports,
        };
        let _ticking = self.runtime.tick()?;
        call(&instance, &mut store)
    }

    /// Creates the state of a read. The functions that the host provides to the component can be
    /// called on it, also without an instance of the component.
    pub(crate) fn state(&self, grant: ReadGrant, session: Arc<SessionState>) -> State {
        State::new(grant, session, Arc::clone(&self.engines))
    }

    /// Starts the clock by which running calls check their stop conditions. It runs until the
    /// returned guard is dropped.
    ///
    /// # Errors
    /// Fails if the thread of the clock cannot be started.
    pub(crate) fn tick(&self) -> Result<crate::ticker::Ticking> {
        self.runtime.tick()
    }
}
