//! Reads on other threads, and every reason for which they end early.
//!
//! A read has a thread of its own, not one of the four threads of libuv: four reads that wait for a server would stop all
//! access to files of the process, and a process or worker that ends would wait for them.

use crate::failure::{Code, Result, error, json, panic_json, session_json, text_of};
use crate::options::{PathLike, path, request};
use crate::outcome::Outcome;
use crate::reader::Reader;
use crate::reply::Reply;
use crate::session::Session;
use crate::threads;
use napi::bindgen_prelude::{Buffer, FnArgs};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Either, Env, Status};
use napi_derive::napi;
use omniread::{AfterReply, CancelToken};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time for which the end of the process or of a worker waits for cancelled reads. They end within milliseconds,
/// unless a file system does not answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the function in JavaScript gets: the number of a read, whether it has failed, and its reply or JSON.
type Settled = FnArgs<(u32, bool, Either<Reply, String>)>;

/// The function in JavaScript that settles the promise of a read. It does not keep the process alive by itself.
type Settle = ThreadsafeFunction<Settled, (), Settled, Status, false, true>;

/// The running reads of one thread of JavaScript.
struct Running {
    reads: BTreeMap<u32, CancelToken>,
    next: u32,
    /// `None` after the end of the thread or of the process has begun, so that no read may start.
    settle: Option<Settle>,
}

struct Shared {
    running: Mutex<Running>,
    ended: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Settles the promise of a read. The lock is kept meanwhile, because the end of the thread frees the function.
    fn settle(&self, number: u32, outcome: Outcome) {
        let mut running = self.lock();
        running.reads.remove(&number);
        match &running.settle {
            Some(settle) => {
                let settled = (number, outcome.failed, outcome.value).into();
                settle.call(settled, ThreadsafeFunctionCallMode::NonBlocking);
            }
            None => self.ended.notify_all(),
        }
    }

    /// Cancels all reads, waits for their end, and refuses others.
    fn shut_down(&self) {
        let deadline = Instant::now() + PATIENCE;
        let mut running = self.lock();
        drop(running.settle.take());
        for token in running.reads.values() {
            token.cancel();
        }
        while !running.reads.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.ended.wait_timeout(running, left);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Runs reads on other threads. Each thread of JavaScript has one.
#[napi]
pub struct Reads(Arc<Shared>);

#[napi]
impl Reads {
    /// Reads whose promises a function settles.
    #[napi(constructor)]
    pub fn new(env: Env, settle: Settle) -> napi::Result<Self> {
        let running = Running {
            reads: BTreeMap::new(),
            next: 0,
            settle: Some(settle),
        };
        let shared = Arc::new(Shared {
            running: Mutex::new(running),
            ended: Condvar::new(),
        });
        env.add_env_cleanup_hook(Arc::clone(&shared), |shared| shared.shut_down())?;
        Ok(Self(shared))
    }

    /// Starts a read of a path, and returns its number.
    #[napi]
    pub fn read(
        &self,
        env: Env,
        session: &Session,
        at: PathLike,
        words: Option<Vec<String>>,
    ) -> Result<u32> {
        let (session, at) = (session.open()?, path(at));
        let (dialect, options) = request(words.as_deref())?;
        self.start(env, move |token| {
            let session = session.with_cancel(token);
            Outcome::of_read(session.read_as(at, dialect, &options))
        })
    }

    /// Starts a call of the tool of a dialect.
    #[napi]
    pub fn call(
        &self,
        env: Env,
        session: &Session,
        arguments: String,
        words: Option<Vec<String>>,
    ) -> Result<u32> {
        let session = session.open()?;
        let (dialect, options) = request(words.as_deref())?;
        self.start(env, move |token| {
            let session = session.with_cancel(token);
            Outcome::of_read(session.call(dialect, &arguments, &options))
        })
    }

    /// Starts a check of whether a file has changed.
    #[napi]
    pub fn stale(&self, env: Env, session: &Session, at: PathLike) -> Result<u32> {
        let (session, at) = (session.open()?, path(at));
        self.start(env, move |token| {
            match session.with_cancel(token).stale(at) {
                Ok(staleness) => Outcome::text(staleness.name().to_owned()),
                Err(failure) => Outcome::failure(json(&failure)),
            }
        })
    }

    /// Starts a comparison of a file with what was shown of it.
    #[napi]
    pub fn changes(&self, env: Env, session: &Session, at: PathLike) -> Result<u32> {
        let (session, at) = (session.open()?, path(at));
        self.start(env, move |token| {
            match session.with_cancel(token).changes(at) {
                Ok(changes) => Outcome::text(text_of(&changes)),
                Err(failure) => Outcome::failure(json(&failure)),
            }
        })
    }

    /// Starts to record what the program has written.
    #[napi]
    pub fn record_write(
        &self,
        env: Env,
        session: &Session,
        at: PathLike,
        content: Buffer,
    ) -> Result<u32> {
        let (session, at, content) = (session.open()?, path(at), content.to_vec());
        self.start(env, move |token| {
            let recorded = session.with_cancel(token).record_write(at, &content);
            match recorded {
                Ok(recorded) => Outcome::text(text_of(&recorded)),
                Err(failure) => Outcome::failure(json(&failure)),
            }
        })
    }

    /// Starts to remove everything that a session keeps.
    #[napi]
    pub fn clear(&self, env: Env, session: &Session) -> Result<u32> {
        let session = session.open()?;
        self.start(env, move |_| match session.clear() {
            Ok(()) => Outcome::text(String::new()),
            Err(wrong) => Outcome::failure(session_json(&wrong.to_string())),
        })
    }

    /// Starts a search for paths that start with a text.
    #[napi]
    pub fn complete(&self, env: Env, reader: &Reader, start: String, most: u32) -> Result<u32> {
        let reader = reader.shared.open()?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        self.start(env, move |_| {
            Outcome::text(text_of(&reader.complete(&start, most)))
        })
    }

    /// Cancels a read, if it still runs.
    #[napi]
    pub fn cancel(&self, number: u32) {
        if let Some(token) = self.0.lock().reads.get(&number) {
            token.cancel();
        }
    }

    /// Lets the process end, because no promise waits.
    #[allow(
        deprecated,
        reason = "clones do not change whether the process stays alive"
    )]
    #[napi]
    pub fn rest(&self, env: Env) -> napi::Result<()> {
        match &mut self.0.lock().settle {
            Some(settle) => settle.unref(&env),
            None => Ok(()),
        }
    }

    /// Cancels all reads, waits for their end, and refuses others.
    #[napi]
    pub fn shut_down(&self) {
        self.0.shut_down();
    }
}

impl Reads {
    #[expect(
        deprecated,
        reason = "clones do not change whether the process stays alive"
    )]
    /// Runs something on another thread. The process stays alive until its promise is settled.
    fn start(
        &self,
        env: Env,
        work: impl FnOnce(&CancelToken) -> Outcome + Send + 'static,
    ) -> Result<u32> {
        let token = CancelToken::new();
        let number = {
            let mut running = self.0.lock();
            let Some(settle) = &mut running.settle else {
                return Err(error(Code::Closed, "cannot read: the process is ending"));
            };
            let referred = settle.refer(&env);
            referred.map_err(|wrong| error(Code::Api(wrong.status), wrong.reason.clone()))?;
            let number = running.next;
            running.next = number.wrapping_add(1);
            running.reads.insert(number, token.clone());
            number
        };
        let shared = Arc::clone(&self.0);
        let job = move || {
            // The promise is settled before the memory of the read is cleaned up and the next read prepared. A thread of the
            // library would do this at once, and take a core from that of JavaScript.
            let after = AfterReply::new();
            // A promise that is never settled would keep the process alive.
            let outcome = catch_unwind(AssertUnwindSafe(|| work(&token)));
            let outcome = outcome.unwrap_or_else(|_| Outcome::failure(panic_json()));
            shared.settle(number, outcome);
            // The thread must not end by a panic.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(after)));
        };
        threads::run(job).map_err(|wrong| {
            let mut running = self.0.lock();
            running.reads.remove(&number);
            // No other read lets the process end when it settles.
            if let (true, Some(settle)) = (running.reads.is_empty(), &mut running.settle) {
                // The error of the thread says more than that of this call.
                let _ = settle.unref(&env);
            }
            error(
                Code::Thread,
                format!("cannot start a thread for a read: {wrong}"),
            )
        })?;
        Ok(number)
    }
}
