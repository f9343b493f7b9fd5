//! Engines beside the reader: parsers that are heavy or written in C, each in
//! instances of its own, with memory and time of their own.
//!
//! What ends an engine is an answer to the reader, which goes on; only what ends
//! the read itself ends both.

mod pictures;
mod sqlite;

pub use sqlite::Connection;

use crate::engine::{Grant, Placed, State, stack};
use crate::pool::Purpose;
use crate::sandbox::{Stop, Stopped};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wasmtime::Trap;

/// Bytes of stack below which the reader may call an engine: a thread has 2 MiB,
/// of which an engine may take one.
const STACK: usize = 512 << 10;

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
    fn ready(&self) -> Result<(), &'static str> {
        if self.runs_engine {
            return Err("a database is open");
        }
        self.shallow()
    }

    /// Whether there is stack enough for an engine, and if not, why.
    fn shallow(&self) -> Result<(), &'static str> {
        if self.stack.abs_diff(stack()) > STACK {
            return Err("the stack is too deep");
        }
        Ok(())
    }

    /// A store for an engine that may take this much memory, if the read has as
    /// much, and time.
    ///
    /// # Errors
    /// If the read is to stop before there is a place for it.
    fn engine_store(&self, memory: usize, time: Duration) -> Result<Placed, Stopped> {
        let mut store = self.engine.store(Grant {
            policy: Arc::default(),
            stop: self.filesystem.stop.clone(),
            memory: self.memory().min(memory),
            environment: Arc::default(),
            stdin: false,
            snapshots: Arc::default(),
            purpose: Purpose::Engine,
        })?;
        // Its time begins when there is a place for it.
        store.data_mut().filesystem.stop = within(time, &self.filesystem.stop);
        Ok(store)
    }

    /// What the end of an engine means to the reader.
    ///
    /// # Errors
    /// If the read itself is to stop.
    fn ended(&self, why: &wasmtime::Error) -> Result<Ended, Stopped> {
        self.filesystem.stop.check()?;
        Ok(match why.downcast_ref::<Stopped>() {
            Some(Stopped::Deadline) => Ended::Exhausted("time"),
            Some(Stopped::Memory) => Ended::Exhausted("memory"),
            Some(Stopped::Cancelled) | None if why.is::<Trap>() => {
                Ended::Failed("it crashed".to_owned())
            }
            Some(Stopped::Cancelled) | None => Ended::Failed(why.root_cause().to_string()),
        })
    }
}

/// What stops a call of an engine: what stops the read, or its own time.
fn within(time: Duration, stop: &Stop) -> Stop {
    let own = Instant::now().checked_add(time);
    Stop {
        token: stop.token.clone(),
        deadline: [stop.deadline, own].into_iter().flatten().min(),
    }
}
