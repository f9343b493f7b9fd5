//! The state of a read.

use crate::engines::{EngineSpec, Engines, Running};
use crate::kept::Kept;
use crate::reach::Reach;
use crate::sandbox::{Stop, Stopped};
use crate::system::{Grant, HasSystem, System};
use std::sync::Arc;
use std::time::SystemTime;
use wasmtime::Trap;
use wasmtime::component::ResourceAny;

/// Bytes of stack below which the reader may call an engine: a thread has 2 MiB,
/// of which an engine may take one.
const STACK: usize = 512 << 10;

/// What a read is given.
pub(crate) struct ReadGrant {
    pub(crate) system: Grant,
    pub(crate) reach: Arc<Reach>,
}

/// The state of one read.
pub(crate) struct State {
    pub(crate) system: System,
    pub(crate) kept: Arc<Kept>,
    pub(crate) began: SystemTime,
    pub(crate) engines: Arc<Engines>,
    pub(crate) reach: Arc<Reach>,
    /// The engine that stays open between calls. A read has one at a time: reads
    /// that have one and want more would wait for one another.
    pub(crate) open: Option<Open>,
    /// How many engines were opened.
    pub(crate) opened: u64,
    /// Where the stack was when the instance was made.
    stack: usize,
}

/// An engine that stays open.
pub(crate) struct Open {
    /// Its number among those of the read.
    pub(crate) number: u64,
    /// The resource of the engine that the reader has a handle to.
    pub(crate) resource: ResourceAny,
    pub(crate) running: Running,
}

/// How an engine ended.
pub(crate) enum Ended {
    /// It took more than it may: `time` or `memory`.
    Exhausted(&'static str),
    /// It failed. Holds what is known.
    Failed(String),
}

impl HasSystem for State {
    fn system(&mut self) -> &mut System {
        &mut self.system
    }
}

impl State {
    pub(crate) fn new(grant: ReadGrant, kept: Arc<Kept>, engines: Arc<Engines>) -> Self {
        Self {
            system: System::new(grant.system),
            kept,
            began: SystemTime::now(),
            engines,
            reach: grant.reach,
            open: None,
            opened: 0,
            stack: stack(),
        }
    }

    /// What stops the read.
    pub(crate) fn stop(&self) -> &Stop {
        self.system.stop()
    }

    /// Starts an engine.
    ///
    /// # Errors
    /// If one is open, if the stack is too deep, if the read is to stop, or if the
    /// engine cannot be loaded.
    pub(crate) fn start(&self, spec: &'static EngineSpec) -> wasmtime::Result<Running> {
        if let Some(open) = &self.open {
            let name = open.running.name();
            return Err(wasmtime::format_err!("the engine `{name}` is open"));
        }
        self.check_stack()?;
        self.engines
            .start(spec, self.system.limits.memory, self.stop())
    }

    /// Checks that there is stack enough for an engine.
    ///
    /// # Errors
    /// If there is not.
    pub(crate) fn check_stack(&self) -> wasmtime::Result<()> {
        if self.stack.abs_diff(stack()) > STACK {
            return Err(wasmtime::format_err!("the stack is too deep"));
        }
        Ok(())
    }

    /// What the end of an engine means to the reader, which goes on.
    ///
    /// # Errors
    /// If the read itself is to stop, which ends both.
    pub(crate) fn ended(&self, why: &wasmtime::Error) -> Result<Ended, Stopped> {
        self.stop().check()?;
        Ok(match why.downcast_ref::<Stopped>() {
            Some(Stopped::Processor | Stopped::Deadline) => Ended::Exhausted("time"),
            Some(Stopped::Memory) => Ended::Exhausted("memory"),
            Some(Stopped::Cancelled) | None if why.is::<Trap>() => {
                Ended::Failed("it crashed".to_owned())
            }
            Some(Stopped::Cancelled) | None => Ended::Failed(why.root_cause().to_string()),
        })
    }
}

/// Where the stack is.
fn stack() -> usize {
    let here = 0u8;
    (&raw const here).addr()
}
