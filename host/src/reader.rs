//! What may be reached, and what ends a read that takes too long.

#[cfg(feature = "cli")]
mod reencode;

use crate::bindings::exports::omniread::read::tools::Asked;
use crate::bindings::exports::omniread::read::types::{
    Definition, Dialect, Exceeded, Failure, Options, Reason,
};
use crate::component::{Component, Instance};
use crate::kept::Kept;
use crate::limits::{DEADLINE, MEMORY};
use crate::pool::Purpose;
use crate::reach::Reach;
use crate::sandbox::{CancelToken, Policy, Stop, Stopped};
use crate::state::{ReadGrant, State};
use crate::system::Grant;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wasmtime::Store;

/// What the clones of a reader share.
pub(crate) struct Shared {
    pub(crate) component: Arc<Component>,
    pub(crate) policy: Arc<Policy>,
    pub(crate) memory: usize,
    pub(crate) deadline: Option<Duration>,
    pub(crate) default_deadline: bool,
    pub(crate) environment: Arc<[(String, String)]>,
    pub(crate) reach: Arc<Reach>,
}

/// What may be reached, ready to read. Clones are cheap and share it.
#[derive(Clone)]
pub struct Reader(Arc<Shared>);

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("policy", &self.0.policy)
            .finish_non_exhaustive()
    }
}

impl Reader {
    pub(crate) fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }

    /// The tool of every dialect, to register with a model.
    ///
    /// # Errors
    /// If the reader fails, which would be a defect.
    pub fn definitions(&self) -> Result<Vec<Definition>, Failure> {
        self.run(self.grant(None, false), Arc::default(), |reader, store| {
            reader.call(store, |exports| &exports.definitions, ())
        })
        .map_err(|error| plainly(self.why(&error, None)))
    }

    /// What a read is given.
    pub(crate) fn grant(&self, token: Option<CancelToken>, stdin: bool) -> ReadGrant {
        // Whoever types at standard input takes their time, unless they were
        // given one.
        let time = self
            .0
            .deadline
            .filter(|_| !(stdin && self.0.default_deadline));
        ReadGrant {
            system: Grant {
                policy: Arc::clone(&self.0.policy),
                stop: Stop {
                    token,
                    deadline: time.and_then(|time| Instant::now().checked_add(time)),
                    processor: None,
                },
                memory: self.0.memory,
                environment: Arc::clone(&self.0.environment),
                stdin,
            },
            reach: Arc::clone(&self.0.reach),
        }
    }

    /// Runs one call of a read.
    ///
    /// # Errors
    /// What ended it.
    pub(crate) fn run<T>(
        &self,
        grant: ReadGrant,
        kept: Arc<Kept>,
        call: impl FnOnce(&Instance<'_>, &mut Store<State>) -> wasmtime::Result<T>,
    ) -> wasmtime::Result<T> {
        self.0.component.run(grant, kept, Purpose::Read, call)
    }

    /// What ended a call, which ran on the processor for so long, if that is known.
    fn why(&self, error: &wasmtime::Error, ran: Option<Duration>) -> Reason {
        let limit = |name: &str, value: u64, ran: Option<u64>| {
            Reason::Limit(Exceeded {
                name: name.to_owned(),
                value,
                ran,
            })
        };
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        match error.downcast_ref::<Stopped>() {
            Some(Stopped::Cancelled) => Reason::Cancelled(String::new()),
            Some(Stopped::Deadline | Stopped::Processor) => {
                limit("time", self.0.deadline.map_or(0, millis), ran.map(millis))
            }
            Some(Stopped::Memory) => limit("memory", self.0.memory as u64, None),
            None => Reason::Internal(format!("{error:#}")),
        }
    }

    /// The failure of a call that was ended: its words come from an instance
    /// that did not see the data.
    pub(crate) fn ended(
        &self,
        error: &wasmtime::Error,
        dialect: Dialect,
        asked: &Asked,
        options: &Options,
        ran: Option<Duration>,
    ) -> Failure {
        self.worded(dialect, asked, options, self.why(error, ran))
    }

    /// A failure that the host found, in the words of a dialect.
    pub(crate) fn worded(
        &self,
        dialect: Dialect,
        asked: &Asked,
        options: &Options,
        reason: Reason,
    ) -> Failure {
        let mut grant = self.grant(None, false);
        grant.system.memory = MEMORY;
        grant.system.stop.deadline = Instant::now().checked_add(DEADLINE);
        let component = &self.0.component;
        let words = component.run(grant, Arc::default(), Purpose::Words, |reader, store| {
            let parameters = (dialect, asked, options, &reason);
            reader.call(store, |exports| &exports.ended, parameters)
        });
        words.unwrap_or_else(|_| plainly(reason))
    }
}

/// A failure where no dialect can word it.
fn plainly(reason: Reason) -> Failure {
    let message = match &reason {
        Reason::Internal(cause) => format!("the reader failed: {cause}"),
        _ => "the read was ended".to_owned(),
    };
    Failure {
        text: message.clone(),
        structured: "{}".to_owned(),
        reason,
        message,
        hint: None,
    }
}
