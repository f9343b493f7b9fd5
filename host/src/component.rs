//! The reader's component: its code, compiled when the host was built, and a
//! fresh instance of it for every read.

use crate::code;
use crate::config::Memory;
use crate::engines::Engines;
use crate::imports;
use crate::kept::Kept;
use crate::link;
use crate::pool::Purpose;
use crate::runtime::Runtime;
use crate::state::{ReadGrant, State};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;
use wasmtime::component::{
    self, ComponentExportIndex, ComponentNamedList, InstancePre, Lift, Lower,
};
use wasmtime::{Result, Store};

/// The component of a process.
pub(crate) struct Component {
    runtime: Arc<Runtime>,
    engines: Arc<Engines>,
    instances: InstancePre<State>,
    exports: Exports,
}

/// The functions that the host calls.
pub(crate) struct Exports {
    pub(crate) read_as: ComponentExportIndex,
    pub(crate) current: ComponentExportIndex,
    pub(crate) definitions: ComponentExportIndex,
    pub(crate) call: ComponentExportIndex,
    pub(crate) ended: ComponentExportIndex,
}

impl Exports {
    fn of(component: &wasmtime::component::Component) -> Result<Self> {
        let export = |interface: &str, function: &str| {
            let interface = link::interface(component, interface)?;
            let index = component.get_export_index(Some(&interface), function);
            index.ok_or_else(|| wasmtime::format_err!("it has no `{function}`"))
        };
        Ok(Self {
            read_as: export("read", "read-as")?,
            current: export("read", "current")?,
            definitions: export("tools", "definitions")?,
            call: export("tools", "call")?,
            ended: export("tools", "ended")?,
        })
    }
}

/// A fresh instance, for one call.
pub(crate) struct Instance<'c> {
    instance: component::Instance,
    exports: &'c Exports,
}

impl Instance<'_> {
    /// Calls a function.
    ///
    /// # Errors
    /// What ended the call.
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

impl Component {
    /// The component that all readers of this process share, with a pool of memory
    /// if the first of them wants one.
    ///
    /// # Errors
    /// If the code does not fit this processor, or memory is short.
    pub(crate) fn shared(pooled: bool) -> Result<Arc<Self>> {
        static SHARED: OnceLock<Arc<Component>> = OnceLock::new();
        static STARTING: Mutex<()> = Mutex::new(());
        if let Some(component) = SHARED.get() {
            return Ok(Arc::clone(component));
        }
        // The code lies where it runs, so it is loaded once.
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
            Memory::Reserved => code::component(wasmtime, &code::READER)?,
            Memory::Unreserved => code::reader_unreserved(wasmtime)?,
        };
        let instances = imports::linker(wasmtime)?.instantiate_pre(&code)?;
        Ok(Self {
            engines: Arc::new(Engines::new(Arc::clone(&runtime))),
            exports: Exports::of(&code)?,
            instances,
            runtime,
        })
    }

    /// The engines beside the reader.
    pub(crate) fn engines(&self) -> &Engines {
        &self.engines
    }

    /// Runs one call in a fresh instance.
    ///
    /// # Errors
    /// [`Stopped`](crate::sandbox::Stopped) if it was stopped, else the trap that
    /// ended it.
    pub(crate) fn run<T>(
        &self,
        grant: ReadGrant,
        kept: Arc<Kept>,
        purpose: Purpose,
        call: impl FnOnce(&Instance<'_>, &mut Store<State>) -> Result<T>,
    ) -> Result<T> {
        let mut store = self.runtime.store(self.state(grant, kept), purpose)?;
        store.data_mut().began = SystemTime::now();
        let _ticking = self.runtime.tick();
        let instance = Instance {
            instance: self.instances.instantiate(&mut *store)?,
            exports: &self.exports,
        };
        call(&instance, &mut store)
    }

    /// The state of a read, for what the host does without the component.
    pub(crate) fn state(&self, grant: ReadGrant, kept: Arc<Kept>) -> State {
        State::new(grant, kept, Arc::clone(&self.engines))
    }

    /// Lets time pass for engines, until what is returned is dropped.
    #[cfg(any(feature = "cli", test))]
    pub(crate) fn tick(&self) -> crate::ticker::Ticking {
        self.runtime.tick()
    }
}
