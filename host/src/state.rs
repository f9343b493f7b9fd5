//! The state of a read.

use crate::access::Access;
use crate::artifacts::Draft;
use crate::bindings::omniread::parts::document_types::{Attachment, Facts};
use crate::bindings::omniread::parts::documents::Format;
use crate::engines::table::{DOCUMENTS, PDF};
use crate::engines::{EngineSpec, Engines, Running};
use crate::imports::inputs::Bytes;
#[cfg(feature = "net")]
use crate::sandbox::net::{Hooks, Progress};
use crate::sandbox::{Stop, Stopped, unavailable};
use crate::session_state::SessionState;
use crate::system::{Grant, HasSystem, System};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::SystemTime;
use wasmtime::Trap;
use wasmtime::component::ResourceAny;
#[cfg(feature = "net")]
use wasmtime_wasi_http::WasiHttpCtx;

/// The maximum number of bytes of stack that a read may have used when it calls an engine. A thread
/// has 2 MiB of stack, of which an engine may use 1 MiB.
const STACK: usize = 512 << 10;

/// The access rights and limits of a read.
pub(crate) struct ReadGrant {
    pub(crate) system: Grant,
    pub(crate) access: Arc<Access>,
    /// Where the read reports what it receives.
    #[cfg(feature = "net")]
    pub(crate) progress: Option<Progress>,
}

/// The state of one read.
pub(crate) struct State {
    pub(crate) system: System,
    pub(crate) session: Arc<SessionState>,
    /// The lines of the read, after they were compared with earlier ones.
    pub(crate) compared: Option<omniread_store::Snapshot>,
    /// Whether that comparison shows each change of the file.
    pub(crate) has_compared: bool,
    pub(crate) began: SystemTime,
    pub(crate) engines: Arc<Engines>,
    pub(crate) access: Arc<Access>,
    /// The limits of `wasi:http`.
    #[cfg(feature = "net")]
    pub(crate) http: WasiHttpCtx,
    /// The requests of the read.
    #[cfg(feature = "net")]
    pub(crate) hooks: Hooks,
    /// The engine that stays open between calls, such as SQLite with an open database. A read has
    /// at most one. Otherwise two reads that each have an engine and wait for a second one could
    /// wait for each other.
    pub(crate) open: Option<Open>,
    /// The number of engines that this read has opened so far.
    pub(crate) opened: u64,
    /// Each document to which the reader has a handle, by the number of its engine.
    pub(crate) documents: BTreeMap<u64, OpenDocument>,
    /// The artifact that the reader writes.
    pub(crate) artifact: Option<Draft>,
    /// The stack address at which the read began, to measure how much stack it has used.
    stack: usize,
}

/// An engine that is open between calls.
pub(crate) struct Open {
    /// The number of the engine among those that the read has opened, counted from 1.
    pub(crate) number: u64,
    /// The resource in the engine, such as a database connection, to which a handle of the reader
    /// refers.
    pub(crate) resource: ResourceAny,
    pub(crate) running: Running,
}

/// A document that is open in an engine.
pub(crate) struct OpenDocument {
    pub(crate) facts: Facts,
    pub(crate) attachments: Vec<Attachment>,
    /// The engine that converts it.
    pub(crate) engine: &'static EngineSpec,
    /// Opens the document again after its engine ended. `None` if that is not possible.
    pub(crate) reopening: Option<Reopening>,
}

/// The engine that converts a document, and the format for it.
#[derive(Clone, Copy)]
pub(crate) enum Converter {
    /// The document engine.
    Office(Format),
    /// The PDF engine.
    Pdf,
}

impl Converter {
    /// The engine.
    pub(crate) fn engine(self) -> &'static EngineSpec {
        match self {
            Self::Office(_) => &DOCUMENTS,
            Self::Pdf => &PDF,
        }
    }
}

/// The input of a document that may be opened again.
pub(crate) struct Reopening {
    pub(crate) bytes: Bytes,
    pub(crate) converter: Converter,
    pub(crate) password: Option<String>,
    /// The number of times that are left.
    pub(crate) left: u32,
}

/// The reason why an engine ended.
pub(crate) enum Ended {
    /// The engine exceeded a limit. Contains its name: `time` or `memory`.
    Exhausted(&'static str),
    /// The engine failed. Contains the message.
    Failed(String),
}

impl HasSystem for State {
    fn system(&mut self) -> &mut System {
        &mut self.system
    }

    fn end(&mut self) {
        let grant = self.system.ended();
        *self = Self::of_no_read(grant, &self.engines);
    }
}

/// The values of a state of no read.
struct Nothing {
    access: Arc<Access>,
    session: Arc<SessionState>,
}

static NOTHING: LazyLock<Nothing> = LazyLock::new(|| Nothing {
    access: Arc::default(),
    session: Arc::default(),
});

impl State {
    pub(crate) fn new(grant: ReadGrant, session: Arc<SessionState>, engines: Arc<Engines>) -> Self {
        #[cfg(feature = "net")]
        let hooks = Hooks::new(
            grant.access.client.clone(),
            grant.system.stop.clone(),
            grant.progress,
        );
        Self {
            #[cfg(feature = "net")]
            http: WasiHttpCtx::new(),
            #[cfg(feature = "net")]
            hooks,
            system: System::new(grant.system),
            session,
            compared: None,
            has_compared: false,
            began: SystemTime::now(),
            engines,
            access: grant.access,
            open: None,
            artifact: None,
            opened: 0,
            documents: BTreeMap::new(),
            stack: stack(),
        }
    }

    /// The state of an instance that has no read yet, or no longer.
    pub(crate) fn of_no_read(system: Grant, engines: &Arc<Engines>) -> Self {
        let grant = ReadGrant {
            system,
            access: Arc::clone(&NOTHING.access),
            #[cfg(feature = "net")]
            progress: None,
        };
        Self::new(grant, Arc::clone(&NOTHING.session), Arc::clone(engines))
    }

    /// The stop conditions of the read.
    pub(crate) fn stop(&self) -> &Stop {
        self.system.stop()
    }

    /// Whether the read may use the network, or a part of it.
    #[cfg(feature = "net")]
    pub(crate) fn has_network(&self) -> bool {
        !self.hooks.is_offline()
    }

    /// Whether the read may use the network, or a part of it.
    #[cfg(not(feature = "net"))]
    #[expect(clippy::unused_self, reason = "the other variant needs it")]
    pub(crate) fn has_network(&self) -> bool {
        false
    }

    /// Starts an engine.
    ///
    /// # Errors
    /// Fails if another engine is open, the stack is too deep, the read was stopped, or the engine
    /// cannot be loaded.
    pub(crate) fn start(&self, spec: &'static EngineSpec) -> wasmtime::Result<Running> {
        if let Some(open) = &self.open {
            let name = open.running.name();
            return Err(wasmtime::format_err!("the engine `{name}` is open"));
        }
        self.check_stack()?;
        let guard = self.system.begin_engine();
        let running = self
            .engines
            .start(spec, self.system.limits.memory, self.stop())?;
        Ok(running.of_read(guard))
    }

    /// Checks that there is enough stack for an engine.
    ///
    /// # Errors
    /// Fails if there is not enough stack.
    pub(crate) fn check_stack(&self) -> wasmtime::Result<()> {
        if self.stack.abs_diff(stack()) > STACK {
            return Err(wasmtime::format_err!("the stack is too deep"));
        }
        Ok(())
    }

    /// Converts the error of an engine to one that is returned to the reader, so that the read
    /// continues.
    ///
    /// # Errors
    /// Fails if the read itself was stopped.
    pub(crate) fn ended(&self, why: &wasmtime::Error) -> Result<Ended, Stopped> {
        self.stop().check()?;
        Ok(match why.downcast_ref::<Stopped>() {
            Some(Stopped::Processor | Stopped::Time) => Ended::Exhausted("time"),
            Some(Stopped::Memory) => Ended::Exhausted("memory"),
            Some(Stopped::Cancelled) | None if why.is::<Trap>() => {
                Ended::Failed("it crashed".to_owned())
            }
            Some(Stopped::Cancelled) | None => {
                let cause = why.root_cause();
                let missing = cause.downcast_ref::<std::io::Error>().and_then(unavailable);
                Ended::Failed(match missing {
                    Some(what) => format!("{what}; try again when other programs have ended"),
                    None => cause.to_string(),
                })
            }
        })
    }
}

/// The address of the current stack frame.
fn stack() -> usize {
    let here = 0u8;
    (&raw const here).addr()
}
