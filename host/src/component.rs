//! The component of the reader: its code, which the build script compiled, and a fresh instance
//! for each read.

use crate::budget::Budget;
use crate::code;
use crate::config::Memory;
use crate::engines::Engines;
use crate::imports;
use crate::instances::Instances;
use crate::limits;
use crate::link::{self, Function, Signature};
use crate::pool::Purpose;
use crate::runtime::Runtime;
#[cfg(feature = "net")]
use crate::sandbox::net;
use crate::session_state::SessionState;
use crate::spare::Spare;
use crate::state::{ReadGrant, State};
use crate::system::Grant;
use crate::types::{Dialect, Failure, FileState, Options, Reply};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;
use wasmtime::component::{self, ComponentExportIndex, ComponentNamedList, Lift, Lower};
use wasmtime::{Result, Store};

/// The loaded component of the reader, with its engines. All readers of a process share it.
pub(crate) struct Component {
    runtime: Arc<Runtime>,
    engines: Arc<Engines>,
    instances: Instances<State>,
    /// An instance for the next read.
    spare: Arc<Spare<State>>,
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
        let instances = imports::linker(&code)?.instantiate_pre(&code)?;
        let instances = Instances::new(&code, instances);
        let engines = Arc::new(Engines::new(Arc::clone(&runtime)));
        let creation = Self::created(&runtime, &engines, &instances);
        let spare = Spare::new(runtime.upkeep(), creation);
        Ok(Self {
            engines,
            spare,
            exports: Exports::of(&code)?,
            instances,
            runtime,
            reads: Budget::of_reads(limits::DEFAULT_READS_MEMORY, limits::DEFAULT_MEMORY),
        })
    }

    /// Creates instances that belong to no read.
    fn created(
        runtime: &Arc<Runtime>,
        engines: &Arc<Engines>,
        instances: &Instances<State>,
    ) -> impl Fn() -> Result<(Store<State>, component::Instance)> + Send + Sync + 'static {
        let (runtime, engines) = (Arc::clone(runtime), Arc::clone(engines));
        let instances = instances.clone();
        move || {
            let mut store = runtime.store(State::of_no_read(Grant::none(), &engines));
            let instance = instances.create(&mut store)?;
            Ok((store, instance))
        }
    }

    /// Creates instances that belong to no read.
    #[cfg(test)]
    pub(crate) fn creation(
        &self,
    ) -> impl Fn() -> Result<(Store<State>, component::Instance)> + Send + Sync + 'static {
        Self::created(&self.runtime, &self.engines, &self.instances)
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
        let upkeep = self.runtime.upkeep();
        let _running = upkeep.begin();
        let place = self.runtime.place(purpose, &grant.system.stop)?;
        let is_read = purpose == Purpose::Read;
        let ready = is_read.then(|| self.spare.take(upkeep)).flatten();
        let mut state = self.state(grant, session);
        state.began = SystemTime::now();
        // Dropped after the store, which has the connections of the read.
        #[cfg(feature = "net")]
        let _connections = state.has_network().then(net::enter).transpose()?.flatten();
        if is_read {
            // The oldest lease never waits, so only a read with a place gets one.
            state.system.set_read_memory(self.reads.lease());
        }
        let (mut store, instance) = match ready {
            Some(ready) => {
                let mut store = self.runtime.placed(ready.store, place);
                *store.data_mut() = state;
                let instance = ready.instance.counted(store.data_mut())?;
                (store, instance)
            }
            None => {
                let mut store = self.runtime.placed(self.runtime.store(state), place);
                let instance = self.instances.create(&mut store)?;
                (store, instance)
            }
        };
        let instance = Instance {
            instance,
            exports: &self.exports,
        };
        self.runtime.run(&mut store, |store| call(&instance, store))
    }

    /// Creates the state of a read. The functions that the host provides to the component can be
    /// called on it, also without an instance of the component.
    pub(crate) fn state(&self, grant: ReadGrant, session: Arc<SessionState>) -> State {
        State::new(grant, session, Arc::clone(&self.engines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::Stopped;
    use crate::spare::Ready;
    use crate::system::HasSystem as _;
    use crate::upkeep::Upkeep;

    /// Work of its own, and an instance of the reader that it prepares.
    fn spare() -> (Arc<Upkeep>, Arc<Spare<State>>) {
        let upkeep = Upkeep::new(true);
        let component = Component::shared(true).unwrap();
        let spare = Spare::new(&upkeep, component.creation());
        drop(upkeep.begin());
        (upkeep, spare)
    }

    /// Takes an instance as a read does, and does the work after it.
    fn take(upkeep: &Arc<Upkeep>, spare: &Arc<Spare<State>>) -> Option<Ready<State>> {
        let call = upkeep.begin();
        let ready = spare.take(upkeep);
        drop(call);
        upkeep.work();
        ready
    }

    #[test]
    fn prepared_instance_has_no_rights_and_counts_when_a_read_takes_it() {
        let (upkeep, spare) = spare();
        assert!(take(&upkeep, &spare).is_none());
        let mut ready = take(&upkeep, &spare).unwrap();
        let state = ready.store.data_mut();
        assert!(state.system.table.is_empty());
        assert!(state.system.environment.is_empty());
        assert!(state.system.filesystem.policy.roots().is_empty());
        // The limit is that of the read.
        state.system.limits.memory = ready.instance.bytes - 1;
        let refused = ready.instance.counted(state).err().unwrap();
        assert_eq!(refused.downcast_ref(), Some(&Stopped::Memory));
        let budget = Budget::of_reads(1 << 30, 1 << 30);
        state.system.limits.memory = ready.instance.bytes;
        state.system.set_read_memory(budget.lease());
        ready.instance.counted(state).unwrap();
        assert_eq!(budget.used(), ready.instance.bytes);
        state.end();
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn prepared_instance_is_taken_once_and_released() {
        let (upkeep, spare) = spare();
        take(&upkeep, &spare);
        let first = take(&upkeep, &spare).unwrap();
        let second = take(&upkeep, &spare).unwrap();
        assert!(spare.is_ready());
        drop((first, second));
        upkeep.release();
        assert!(!spare.is_ready());
        // Beside another read, none is wanted.
        let _call = upkeep.begin();
        assert!(take(&upkeep, &spare).is_none());
        assert!(!spare.is_ready());
    }

    #[test]
    fn taken_lock_does_not_block_a_read() {
        let (upkeep, spare) = spare();
        take(&upkeep, &spare);
        assert!(spare.is_ready());
        spare.while_locked(|| assert!(take(&upkeep, &spare).is_none()));
        assert!(take(&upkeep, &spare).is_some());
    }
}
