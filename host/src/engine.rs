//! The engine: the reader's code, compiled when the host was built, and a
//! fresh instance of it for every read.

use crate::bindings::exports::omniread::read::{read, tools};
use crate::bindings::images_engine::ImagesEnginePre;
use crate::bindings::omniread::read::{images, sandbox, session, sqlite};
use crate::bindings::sqlite_engine::SqliteEnginePre;
use crate::bindings::wasi::filesystem::{preopens, types as filesystem};
use crate::code::{self, Code};
use crate::config::Memory;
use crate::engines::budget::Lease;
use crate::engines::{Budget, LARGEST};
use crate::kept::Kept;
use crate::pool::{self, Place, Places, Purpose};
use crate::sandbox::{Filesystem, Policy, Refusal, Stop, Stopped, View};
use crate::ticker::{Ticker, Ticking};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;
use wasmtime::component::{self, HasData, HasSelf, InstancePre, Linker, ResourceTable};
use wasmtime::{ResourceLimiter, Result, Store, UpdateDeadline};
use wasmtime_wasi::cli::{WasiCli, WasiCliView as _};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView as _};
use wasmtime_wasi::p2::bindings::random;
use wasmtime_wasi::p2::bindings::sync::{cli, clocks, io};
use wasmtime_wasi::random::WasiRandom;
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// Handles that a read may hold at a time: roots, and the folders and files on
/// the way to what it reads.
const HANDLES: usize = 1000;

/// Tables and their entries, of which the reader needs one for its calls.
const TABLE_ENTRIES: usize = 20_000;

/// Bytes that one call may hand from the reader to the host, its reply being
/// the largest: room for the text of a page, and for media in base64.
const HOST_CALL_BYTES: usize = 64 << 20;

/// What a read is given.
pub(crate) struct Grant {
    pub(crate) policy: Arc<Policy>,
    pub(crate) stop: Stop,
    /// Bytes of memory.
    pub(crate) memory: usize,
    pub(crate) environment: Arc<[(String, String)]>,
    pub(crate) stdin: bool,
    pub(crate) kept: Arc<Kept>,
    pub(crate) purpose: Purpose,
}

/// The state of one read, or of an engine that works for one.
pub(crate) struct State {
    wasi: WasiCtx,
    pub(crate) table: ResourceTable,
    pub(crate) filesystem: Filesystem,
    limits: Limits,
    /// Whether the read was given standard input.
    pub(crate) has_stdin: bool,
    kept: Arc<Kept>,
    began: SystemTime,
    /// Where engines come from.
    pub(crate) engine: Arc<Engine>,
    /// Whether one of them is at work.
    pub(crate) runs_engine: bool,
    /// Where the stack was when the instance was made.
    pub(crate) stack: usize,
}

impl State {
    /// Bytes of memory that the instance may have.
    pub(crate) fn memory(&self) -> usize {
        self.limits.memory
    }

    /// Makes this the state of an engine, whose memory is part of a budget.
    pub(crate) fn set_lease(&mut self, lease: Arc<Lease>) {
        self.limits.lease = Some(lease);
    }

    /// The part of the budget of engines, if this is the state of one.
    pub(crate) fn lease(&self) -> Option<Arc<Lease>> {
        self.limits.lease.clone()
    }
}

struct Limits {
    memory: usize,
    /// The part of the budget of engines, if this is one.
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

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl session::Host for State {
    fn remember(&mut self, snapshot: session::Snapshot) -> Result<()> {
        self.kept.snapshots.remember(snapshot, self.began);
        Ok(())
    }

    fn get(&mut self, key: String) -> Result<Option<Vec<u8>>> {
        Ok(self.kept.cache.get(&key))
    }

    fn put(&mut self, key: String, value: Vec<u8>) -> Result<bool> {
        Ok(self.kept.cache.put(key, value))
    }
}

impl sandbox::Host for State {
    fn refused(&mut self) -> Result<Option<sandbox::Refusal>> {
        Ok(self
            .filesystem
            .refusal
            .clone()
            .map(|refusal| match refusal {
                Refusal::Denied(rule) => sandbox::Refusal::Denied(rule),
                Refusal::Size(limit) => sandbox::Refusal::Size(limit),
                Refusal::Unverified(why) => sandbox::Refusal::Unverified(why.to_owned()),
                Refusal::Unavailable(what) => sandbox::Refusal::Unavailable(what.to_owned()),
            }))
    }

    fn time_left(&mut self) -> Result<Option<u64>> {
        let left = self.filesystem.stop.time_left();
        Ok(left.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX)))
    }

    fn withheld(&mut self) -> Result<u64> {
        Ok(self.filesystem.withheld)
    }

    fn opened(&mut self) -> Result<std::result::Result<Option<String>, String>> {
        Ok(self.filesystem.opened(&self.table))
    }

    fn denies_members(&mut self) -> Result<bool> {
        Ok(self.filesystem.policy.denies_members())
    }

    fn denies(&mut self, member: String) -> Result<Option<String>> {
        Ok(self.filesystem.policy.denied_member(&member))
    }
}

/// An engine of the reader, once it was needed.
type Loaded<T> = Mutex<Option<T>>;

/// A fresh instance of the reader. Only the interface that is called is looked
/// up, because wasmtime checks the types of all functions of an interface then.
pub(crate) struct Instance<'e> {
    instance: component::Instance,
    engine: &'e Engine,
}

impl Instance<'_> {
    pub(crate) fn read(&self, store: &mut Store<State>) -> Result<read::Guest> {
        self.engine.read.load(store, &self.instance)
    }

    pub(crate) fn tools(&self, store: &mut Store<State>) -> Result<tools::Guest> {
        self.engine.tools.load(store, &self.instance)
    }
}

/// The engine of a process.
pub(crate) struct Engine {
    wasmtime: wasmtime::Engine,
    memory: Memory,
    places: Places,
    reader: InstancePre<State>,
    read: read::GuestIndices,
    tools: tools::GuestIndices,
    sqlite: Loaded<SqliteEnginePre<State>>,
    images: Loaded<ImagesEnginePre<State>>,
    budget: Arc<Budget>,
    ticker: Arc<Ticker>,
}

impl Engine {
    /// The engine that all readers of this process share, with a pool of memory
    /// if the first of them wants one.
    ///
    /// # Errors
    /// If the code does not fit this processor, or memory is short.
    pub(crate) fn shared(pooled: bool) -> Result<Arc<Self>> {
        static SHARED: OnceLock<Arc<Engine>> = OnceLock::new();
        static STARTING: Mutex<()> = Mutex::new(());
        if let Some(engine) = SHARED.get() {
            return Ok(Arc::clone(engine));
        }
        // The code lies where it runs, so it is loaded once.
        let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = SHARED.get() {
            return Ok(Arc::clone(engine));
        }
        let engine = Arc::new(Self::new(pooled)?);
        Ok(Arc::clone(SHARED.get_or_init(|| engine)))
    }

    fn new(pooled: bool) -> Result<Self> {
        let memory = pool::memory();
        let mut config = crate::config::config(memory);
        match memory {
            Memory::Reserved => code::configure(&mut config),
            Memory::Unreserved => code::without_compiler(&mut config),
        }
        let (engine, places) = pool::engine(&config, memory, TABLE_ENTRIES, pooled)?;
        let component = match memory {
            Memory::Reserved => code::component(&engine, &code::READER)?,
            Memory::Unreserved => code::reader_unreserved(&engine)?,
        };
        let reader = linker(&engine)?.instantiate_pre(&component)?;
        Ok(Self {
            ticker: Ticker::start(&engine),
            wasmtime: engine,
            memory,
            places,
            read: read::GuestIndices::new(&reader)?,
            tools: tools::GuestIndices::new(&reader)?,
            reader,
            sqlite: Loaded::default(),
            images: Loaded::default(),
            budget: Budget::new(crate::ENGINE_MEMORY, LARGEST),
        })
    }

    /// What the engine calls of this process share.
    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// SQLite, loaded once it is needed.
    ///
    /// # Errors
    /// If the code does not fit this processor, or memory is short.
    pub(crate) fn sqlite(&self) -> Result<SqliteEnginePre<State>> {
        self.load(&self.sqlite, &code::SQLITE, SqliteEnginePre::new)
    }

    /// Decoders of images, loaded once they are needed.
    ///
    /// # Errors
    /// As of [`Engine::sqlite`].
    pub(crate) fn images(&self) -> Result<ImagesEnginePre<State>> {
        self.load(&self.images, &code::IMAGES, ImagesEnginePre::new)
    }

    fn load<T: Clone>(
        &self,
        loaded: &Loaded<T>,
        code: &Code,
        typed: impl FnOnce(InstancePre<State>) -> Result<T>,
    ) -> Result<T> {
        if self.memory == Memory::Unreserved {
            return Err(wasmtime::format_err!(
                "images and databases need {} GB of addresses, and this process may have {} MB (`ulimit -v`)",
                pool::ENGINE_ADDRESSES.div_ceil(1 << 30),
                pool::addresses().unwrap_or(0) >> 20,
            ));
        }
        // The code lies where it runs, so it is loaded once.
        let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = &*loaded {
            return Ok(engine.clone());
        }
        let component = code::component(&self.wasmtime, code)?;
        let mut linker = system(&self.wasmtime)?;
        // Tables of the standard library are seeded.
        random::insecure_seed::add_to_linker::<State, WasiRandom>(&mut linker, |state| {
            state.wasi.random()
        })?;
        let engine = typed(linker.instantiate_pre(&component)?)?;
        Ok(loaded.insert(engine).clone())
    }

    /// Runs one call in a fresh instance.
    ///
    /// # Errors
    /// [`Stopped`] if it was stopped, else the trap that ended it.
    pub(crate) fn run<T>(
        self: &Arc<Self>,
        grant: Grant,
        call: impl FnOnce(&Instance<'_>, &mut Store<State>) -> Result<T>,
    ) -> Result<T> {
        let mut store = self.store(grant)?;
        let _ticking = self.tick();
        let instance = Instance {
            instance: self.reader.instantiate(&mut *store)?,
            engine: self,
        };
        call(&instance, &mut store)
    }

    /// Lets time pass for instances, until what is given is dropped.
    pub(crate) fn tick(&self) -> Ticking {
        self.ticker.tick()
    }

    /// A store for one instance, once there is a place for it.
    ///
    /// # Errors
    /// If the read is to stop before that.
    pub(crate) fn store(self: &Arc<Self>, grant: Grant) -> Result<Placed, Stopped> {
        let place = self.places.take(grant.purpose, &grant.stop)?;
        let mut wasi = WasiCtxBuilder::new();
        wasi.allow_blocking_current_thread(true)
            .envs(&grant.environment);
        let mut table = ResourceTable::new();
        table.set_max_capacity(HANDLES);
        let stop = grant.stop.clone();
        let state = State {
            wasi: wasi.build(),
            table,
            filesystem: Filesystem::new(grant.policy, grant.stop),
            limits: Limits {
                memory: grant.memory,
                lease: None,
                stop,
            },
            has_stdin: grant.stdin,
            kept: grant.kept,
            began: SystemTime::now(),
            engine: Arc::clone(self),
            runs_engine: false,
            stack: stack(),
        };
        let mut store = Store::new(&self.wasmtime, state);
        store.limiter(|state| &mut state.limits);
        store.set_hostcall_fuel(HOST_CALL_BYTES);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|context| {
            context.data().filesystem.stop.check()?;
            Ok(UpdateDeadline::Continue(1))
        });
        Ok(Placed {
            store,
            _place: place,
        })
    }
}

/// Where the stack is.
pub(crate) fn stack() -> usize {
    let here = 0u8;
    (&raw const here).addr()
}

/// A store, and its place in the pool, which is free again when the store is
/// gone.
pub(crate) struct Placed {
    store: Store<State>,
    _place: Place,
}

impl Deref for Placed {
    type Target = Store<State>;

    fn deref(&self) -> &Store<State> {
        &self.store
    }
}

impl DerefMut for Placed {
    fn deref_mut(&mut self) -> &mut Store<State> {
        &mut self.store
    }
}

/// Streams live in the table of handles.
struct Io;

impl HasData for Io {
    type Data<'a> = &'a mut ResourceTable;
}

/// Everything the reader imports, and nothing else.
fn linker(engine: &wasmtime::Engine) -> Result<Linker<State>> {
    let mut linker = system(engine)?;
    let l = &mut linker;
    session::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    sandbox::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    sqlite::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    images::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    Ok(linker)
}

/// What WASI has for the reader and for engines, and nothing else: no sockets,
/// no writing.
fn system(engine: &wasmtime::Engine) -> Result<Linker<State>> {
    fn view(state: &mut State) -> View<'_> {
        View {
            table: &mut state.table,
            filesystem: &mut state.filesystem,
        }
    }
    fn table(state: &mut State) -> &mut ResourceTable {
        &mut state.table
    }
    let mut linker = Linker::new(engine);
    let l = &mut linker;
    filesystem::add_to_linker::<State, Filesystem>(l, view)?;
    preopens::add_to_linker::<State, Filesystem>(l, view)?;
    io::error::add_to_linker::<State, Io>(l, table)?;
    io::poll::add_to_linker::<State, Io>(l, table)?;
    io::streams::add_to_linker::<State, Io>(l, table)?;
    clocks::wall_clock::add_to_linker::<State, WasiClocks>(l, State::clocks)?;
    clocks::monotonic_clock::add_to_linker::<State, WasiClocks>(l, State::clocks)?;
    cli::environment::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::exit::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::stdin::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    cli::stdout::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::stderr::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_input::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_output::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_stdin::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_stdout::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_stderr::add_to_linker::<State, WasiCli>(l, State::cli)?;
    Ok(linker)
}
