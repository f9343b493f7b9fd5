//! The service over standard input and output, `omniread serve`: one JSON object on each line.
//!
//! Replies are written as soon as they are ready, so their order may differ from that of the
//! requests. A request that comes alone runs on the thread that received it, if the last read was short. Nothing ends the service except the end of the input and a signal.

mod request;

use crate::question::Unanswered;
use crate::seen::seen;
use crate::session::Losses;
use omniread::sessions::Handle;
use omniread::{AfterReply, CancelToken, Dialect, Failure, Options, Reason, Reply, Session};
use omniread_service::{
    Input, Job, Line, Load, Metrics, Output, Received, Turns, Waiting, Workers, finish_before_end,
    limits, on_termination,
};
use request::{Id, Invalid, Read, Request, What};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The message about an id that is used.
const RUNNING: &str = "a request with this `id` is running";

/// The outcomes of requests for the metrics, besides `ok`.
const ERROR: &str = "error";
const CANCELLED: &str = "cancelled";

/// The maximum number of sessions whose generations are remembered. After that, each starts a new one.
const SESSIONS: usize = 10_000;

/// The time up to which a read is short: it takes less than to wake two threads for reads at the same time.
const SHORT: Duration = Duration::from_millis(1);

/// The service.
struct Service {
    session: Session,
    losses: Losses,
    dialect: Dialect,
    options: Options,
    workers: Workers,
    output: Output,
    /// The requests that have no reply yet.
    accepted: Mutex<HashMap<Id, CancelToken>>,
    /// The requests that wait for a thread.
    waiting: Waiting,
    /// The generation that each session is in, as the client names it.
    generations: Mutex<HashMap<Option<Handle>, String>>,
    /// Whether a request without a session was received, so that its conversation has begun.
    has_begun: AtomicBool,
    /// Whether the process got a signal to end. Requests that wait are not run any more.
    ending: AtomicBool,
    /// The metrics, which a request asks for.
    metrics: Metrics,
    /// Whether the last read was a short one.
    last_was_short: AtomicBool,
    /// The number of requests without a reply that run on the threads that received them.
    in_place: Mutex<usize>,
    /// Signals that there are none.
    answered: Condvar,
    /// Why standard input could not be read.
    failed: Mutex<Option<io::Error>>,
}

/// Counts a request that runs on the thread that received it, until it has a reply.
struct InPlace(Arc<Service>);

impl InPlace {
    fn enter(service: &Arc<Service>) -> Self {
        *service.in_place() += 1;
        Self(Arc::clone(service))
    }
}

impl Drop for InPlace {
    fn drop(&mut self) {
        let mut count = self.0.in_place();
        *count -= 1;
        if *count == 0 {
            self.0.answered.notify_all();
        }
    }
}

/// Serves the requests on standard input until it ends, and all accepted requests have a reply.
/// Returns the error if standard input cannot be read.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn serve(
    (session, losses): (Session, Losses),
    dialect: Dialect,
    options: Options,
) -> io::Result<Option<io::Error>> {
    let service = Arc::new(Service {
        session,
        losses,
        dialect,
        options,
        workers: Workers::default(),
        output: Output::new(io::stdout()),
        accepted: Mutex::default(),
        waiting: Waiting::new(limits::WAITING),
        generations: Mutex::default(),
        has_begun: AtomicBool::new(false),
        ending: AtomicBool::new(false),
        metrics: Metrics::default(),
        last_was_short: AtomicBool::new(false),
        in_place: Mutex::default(),
        answered: Condvar::new(),
        failed: Mutex::default(),
    });
    let ending = Arc::clone(&service);
    on_termination(move || ending.end(), || {})?;
    let turns = Arc::new(Turns::new(Input::new(io::stdin())));
    let (other, other_turns) = (Arc::clone(&service), Arc::clone(&turns));
    // Without this thread, the threads for reads run all requests.
    let _ = thread::Builder::new()
        .name("omniread-input".to_owned())
        .spawn(move || other.take_turns(&other_turns));
    service.take_turns(&turns);
    service.finish();
    service.output.outcome()?;
    let mut failed = service
        .failed
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    Ok(failed.take())
}

impl Service {
    /// Receives lines until the input ends.
    fn take_turns(self: &Arc<Self>, turns: &Turns<Input<io::Stdin>>) {
        turns.serve(|input| self.receive(input), |job| self.workers.run(job));
    }

    /// Receives a line.
    fn receive(self: &Arc<Self>, input: &mut Input<io::Stdin>) -> Received {
        let line = match input.line() {
            Ok(Some(line)) => line,
            Ok(None) => return Received::End,
            Err(error) => {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                *failed = Some(error);
                return Received::End;
            }
        };
        let job = match line {
            Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => None,
            Line::Whole(line) => self.request(&line, input.has_more()),
            Line::TooLong => {
                let most = limits::LINE_BYTES;
                let message = format!("the line is longer than {most} bytes");
                self.refuse(&Invalid::new(None, message));
                None
            }
        };
        // If the output has failed, nobody reads the replies.
        if self.output.has_failed() || self.ending.load(Ordering::Relaxed) {
            // A request that was accepted has a reply.
            if let Some(job) = job {
                self.workers.run(job);
            }
            return Received::End;
        }
        job.map_or(Received::Nothing, Received::Request)
    }

    /// Accepts, cancels or refuses one request. Returns what this thread should run. `more` says that other requests
    /// have arrived.
    fn request(self: &Arc<Self>, line: &[u8], more: bool) -> Option<Job> {
        match Request::parse(line, self.dialect, &self.options) {
            Ok(Request::Read(read)) => return self.accept(*read, line.len(), more),
            Ok(Request::Cancel(id)) => {
                let token = self.accepted().get(&id).cloned();
                match token {
                    Some(token) => token.cancel(),
                    None => self.refuse(&Invalid::new(
                        Some(id),
                        "no request with this `id` is running",
                    )),
                }
            }
            Ok(Request::Metrics(id)) => self.answer_metrics(id),
            Err(invalid) => self.refuse(&invalid),
        }
        None
    }

    /// Replies with the metrics. They do not wait for the reads: a program that watches the service needs them most when it
    /// is busy.
    fn answer_metrics(&self, id: Id) {
        let began = Instant::now();
        let running = {
            let accepted = self.accepted();
            if accepted.contains_key(&id) {
                drop(accepted);
                return self.refuse(&Invalid::new(Some(id), RUNNING));
            }
            accepted.len()
        };
        let load = Load {
            running,
            clients: None,
        };
        let answer = json!({ "metrics": self.metrics.text(load) });
        let line = line(Some(&id), &answer);
        self.metrics
            .request(request::ASK, "ok", began.elapsed(), line.len());
        self.send(&line);
    }

    /// Accepts a read. Waits while too many requests wait. Returns what this thread should run.
    fn accept(self: &Arc<Self>, read: Read, bytes: usize, more: bool) -> Option<Job> {
        if self.accepted().contains_key(&read.id) {
            self.refuse(&Invalid::new(Some(read.id), RUNNING));
            return None;
        }
        self.waiting.wait_for_room();
        let place = self.waiting.enter(bytes);
        let token = CancelToken::new();
        let is_alone = {
            let mut accepted = self.accepted();
            accepted.insert(read.id.clone(), token.clone());
            accepted.len() == 1
        };
        let is_here = is_alone && !more && self.last_was_short.load(Ordering::Relaxed);
        let in_place = is_here.then(|| InPlace::enter(self));
        let service = Arc::clone(self);
        let session = self.session_of(&read);
        let job = Box::new(move || {
            let _after = AfterReply::new();
            let _in_place = in_place;
            drop(place);
            let began = Instant::now();
            if service.ending.load(Ordering::Relaxed) {
                token.cancel();
            }
            let session = session.with_cancel(&token);
            let outcome = catch_unwind(AssertUnwindSafe(|| service.outcome(&read, &session)));
            // A client may use the id again as soon as it has the reply.
            service.accepted().remove(&read.id);
            service.losses.report(&session);
            let took = began.elapsed();
            let is_short = took <= SHORT;
            service.last_was_short.store(is_short, Ordering::Relaxed);
            let id = Some(&read.id);
            let (outcome, line) = match outcome {
                Ok(Outcome::Reply(reply)) => ("ok", line(id, &*reply)),
                Ok(Outcome::Failure(failure)) => {
                    let is_cancelled = matches!(failure.reason, Reason::Cancelled(_));
                    let outcome = if is_cancelled { CANCELLED } else { ERROR };
                    (outcome, line(id, &*failure))
                }
                Ok(Outcome::Answer(answer)) => ("ok", line(id, &answer)),
                Ok(Outcome::Error(answer)) => (ERROR, line(id, &answer)),
                Err(_) => (ERROR, line(id, &internal("the read failed"))),
            };
            // A client that has the reply finds it in the metrics.
            let (metrics, method) = (&service.metrics, read.what.method());
            metrics.request(method, outcome, took, line.len());
            service.send(&line);
        });
        if is_here {
            return Some(job);
        }
        self.workers.run(job);
        None
    }

    /// Runs a read, or answers a question.
    fn outcome(&self, read: &Read, session: &Session) -> Outcome {
        let outcome = match &read.what {
            What::Path(path) => session.read_as(path, read.dialect, &read.options),
            What::Arguments(arguments) => session.call(read.dialect, arguments, &read.options),
            What::Question(question) => {
                return match question.answer(session) {
                    Ok(answer) => Outcome::Answer(answer),
                    Err(Unanswered::Failure(failure)) => Outcome::Failure(failure),
                    Err(Unanswered::State(message)) => Outcome::Error(internal(&message)),
                };
            }
        };
        self.metrics.read(seen(&outcome));
        match outcome {
            Ok(reply) => {
                // It goes on after the reply was sent.
                session.refresh(&reply, &read.options);
                Outcome::Reply(Box::new(reply))
            }
            Err(failure) => Outcome::Failure(Box::new(failure)),
        }
    }

    /// The session of a read, in its generation. Requests are in the order in which they were received here.
    fn session_of(&self, read: &Read) -> Session {
        let session = match &read.session {
            Some(handle) => self.session.with_handle(handle),
            None => {
                // The model of this process has seen nothing of what earlier ones have shown.
                if !self.has_begun.swap(true, Ordering::Relaxed) && self.session.is_kept() {
                    // No earlier reply counts in this process, also after an error.
                    let _ = self.session.start_generation();
                }
                self.session.clone()
            }
        };
        if let Some(generation) = &read.generation {
            let generations = self.generations.lock();
            let mut generations = generations.unwrap_or_else(PoisonError::into_inner);
            if generations.len() >= SESSIONS {
                generations.clear();
            }
            let former = generations.insert(read.session.clone(), generation.clone());
            // The first one may differ from that of an earlier process.
            if former.as_ref() != Some(generation) {
                // No earlier reply counts in this process, also after an error. The next request tries it again.
                if session.start_generation().is_err() {
                    generations.remove(&read.session);
                }
            }
            // The next request may start another one before this one is read.
            return session.in_present_generation();
        }
        session
    }

    /// Replies to a line that is not a request.
    fn refuse(&self, invalid: &Invalid) {
        let reply = json!({
            "error": {
                "kind": "invalid_request",
                "message": invalid.message,
                "hint": invalid.hint,
            },
        });
        let line = line(invalid.id.as_ref(), &reply);
        self.metrics
            .request("other", ERROR, Duration::ZERO, line.len());
        self.send(&line);
    }

    fn send(&self, line: &[u8]) {
        self.output.send(line, !self.waiting.is_empty());
    }

    /// Ends the process after the running requests have a reply. The main thread waits for input, and
    /// nothing can wake it.
    fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
        self.finish();
        finish_before_end();
        std::process::exit(0);
    }

    /// Waits until all accepted requests have a reply, and all replies are written.
    fn finish(&self) {
        self.workers.finish();
        let mut count = self.in_place();
        while *count > 0 {
            let waited = self.answered.wait(count);
            count = waited.unwrap_or_else(PoisonError::into_inner);
        }
        drop(count);
        // A request whose other thread was busy has become one of the threads for reads.
        self.workers.finish();
        self.output.finish();
    }

    fn in_place(&self) -> MutexGuard<'_, usize> {
        self.in_place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accepted(&self) -> MutexGuard<'_, HashMap<Id, CancelToken>> {
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a request has led to.
enum Outcome {
    Reply(Box<Reply>),
    Failure(Box<Failure>),
    /// The answer to a question.
    Answer(Value),
    /// The state of the session cannot be written.
    Error(Value),
}

/// The line of a reply, a JSON object, with the id as its first field.
fn line(id: Option<&Id>, reply: &impl Serialize) -> Vec<u8> {
    let mut line = Vec::with_capacity(2048);
    line.extend_from_slice(b"{\"id\":");
    line.extend_from_slice(id.map_or("null", Id::as_json).as_bytes());
    let object = line.len();
    let written = serde_json::to_writer(&mut line, reply);
    debug_assert!(written.is_ok(), "a value in memory can be written");
    if let Some(brace) = line.get_mut(object) {
        *brace = b',';
    }
    line.push(b'\n');
    line
}

/// The reply to a request that failed because of this process or of its machine.
fn internal(message: &str) -> Value {
    json!({ "error": { "kind": "internal", "message": message, "hint": null } })
}
