//! Engines beside the reader: parsers that are heavy or written in C, each in
//! instances of its own, with memory and time of their own.
//!
//! What ends an engine is an answer to the reader, which goes on; only what ends
//! the read itself ends both.

pub(crate) mod budget;
mod images;
mod sqlite;

pub use sqlite::Connection;

pub(crate) use budget::Budget;

use crate::engine::{Grant, Placed, State, stack};
use crate::pool::Purpose;
use crate::sandbox::{Stop, Stopped, processor_time};
use std::sync::Arc;
use std::time::Duration;
use wasmtime::{Result, Trap};

/// Bytes of stack below which the reader may call an engine: a thread has 2 MiB,
/// of which an engine may take one.
const STACK: usize = 512 << 10;

/// Bytes of memory that the largest engine may take.
pub(crate) const LARGEST: usize = if images::MEMORY > sqlite::MEMORY {
    images::MEMORY
} else {
    sqlite::MEMORY
};

/// How an engine ended.
enum Ended {
    /// It took more than it may: `time` or `memory`.
    Exhausted(&'static str),
    /// It failed. Holds what is known.
    Failed(String),
}

impl State {
    /// Whether an engine can be started, and if not, why. A read has one at a
    /// time: reads that hold some and want more would wait for one another.
    fn ready(&self) -> std::result::Result<(), &'static str> {
        if self.runs_engine {
            return Err("a database is open");
        }
        self.shallow()
    }

    /// Whether there is stack enough for an engine, and if not, why.
    fn shallow(&self) -> std::result::Result<(), &'static str> {
        if self.stack.abs_diff(stack()) > STACK {
            return Err("the stack is too deep");
        }
        Ok(())
    }

    /// A store for an engine that may take this much memory, if the read and
    /// the process have as much.
    ///
    /// # Errors
    /// If the read is to stop before there is a place for it.
    fn engine_store(&self, memory: usize) -> std::result::Result<Placed, Stopped> {
        let budget = self.engine.budget();
        let mut store = self.engine.store(Grant {
            policy: Arc::default(),
            stop: self.filesystem.stop.clone(),
            memory: self.memory().min(memory).min(budget.largest()),
            environment: Arc::default(),
            stdin: false,
            kept: Arc::default(),
            purpose: Purpose::Engine,
        })?;
        store.data_mut().set_lease(budget.lease());
        Ok(store)
    }

    /// What the end of an engine means to the reader.
    ///
    /// # Errors
    /// If the read itself is to stop.
    fn ended(&self, why: &wasmtime::Error) -> std::result::Result<Ended, Stopped> {
        self.filesystem.stop.check()?;
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

/// Runs a call of an engine, once there is a core for it. It may use the
/// processor for this long.
///
/// # Errors
/// If the read is to stop before that, or what ended the call.
fn call<T>(
    store: &mut Placed,
    time: Duration,
    stop: &Stop,
    call: impl FnOnce(&mut Placed) -> Result<T>,
) -> Result<T> {
    let lease = store.data_mut().lease();
    let _running = lease.as_ref().map(|lease| lease.run(stop)).transpose()?;
    store.data_mut().filesystem.stop = Stop {
        processor: Some(processor_time() + time),
        ..stop.clone()
    };
    call(store)
}
