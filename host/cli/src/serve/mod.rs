//! The service over standard input and output, `omniread serve`: one JSON object on each line.
//!
//! Replies are written as soon as they are ready, so their order may differ from that of the
//! requests. Nothing ends the service except the end of the input and a signal.

mod request;

use omniread::{CancelToken, Dialect, Failure, Options, Reply, Session};
use omniread_service::{Input, Line, Output, Waiting, Workers, limits, on_termination};
use request::{Id, Invalid, Read, Request, What};
use serde::Serialize;
use serde_json::json;
use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The service.
struct Service {
    session: Session,
    dialect: Dialect,
    options: Options,
    workers: Workers,
    output: Output,
    /// The requests that have no reply yet.
    accepted: Mutex<HashMap<Id, CancelToken>>,
    /// The requests that wait for a thread.
    waiting: Waiting,
    /// Whether the process got a signal to end. Requests that wait are not run any more.
    ending: AtomicBool,
}

/// Serves the requests on standard input until it ends, and all accepted requests have a reply.
/// Returns the error if standard input cannot be read.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn serve(
    session: Session,
    dialect: Dialect,
    options: Options,
) -> io::Result<Option<io::Error>> {
    let service = Arc::new(Service {
        session,
        dialect,
        options,
        workers: Workers::default(),
        output: Output::new(io::stdout()),
        accepted: Mutex::default(),
        waiting: Waiting::new(limits::WAITING),
        ending: AtomicBool::new(false),
    });
    let ending = Arc::clone(&service);
    on_termination(move || ending.end(), || {})?;
    let mut input = Input::new(io::stdin());
    let mut failed = None;
    loop {
        let line = match input.line() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                failed = Some(error);
                break;
            }
        };
        match line {
            Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => {}
            Line::Whole(line) => service.receive(&line),
            Line::TooLong => {
                let most = limits::LINE_BYTES;
                let message = format!("the line is longer than {most} bytes");
                service.refuse(&Invalid::new(None, message));
            }
        }
        // If the output has failed, nobody reads the replies.
        if service.output.has_failed() || service.ending.load(Ordering::Relaxed) {
            break;
        }
    }
    service.workers.finish();
    service.output.finish();
    service.output.outcome()?;
    Ok(failed)
}

impl Service {
    /// Accepts, cancels or refuses one request.
    fn receive(self: &Arc<Self>, line: &[u8]) {
        match Request::parse(line, self.dialect, &self.options) {
            Ok(Request::Read(read)) => self.accept(read, line.len()),
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
            Err(invalid) => self.refuse(&invalid),
        }
    }

    /// Accepts a read. Waits while too many requests wait.
    fn accept(self: &Arc<Self>, read: Read, bytes: usize) {
        if self.accepted().contains_key(&read.id) {
            let message = "a request with this `id` is running";
            self.refuse(&Invalid::new(Some(read.id), message));
            return;
        }
        self.waiting.wait_for_room();
        let place = self.waiting.enter(bytes);
        let token = CancelToken::new();
        self.accepted().insert(read.id.clone(), token.clone());
        let service = Arc::clone(self);
        self.workers.run(move || {
            drop(place);
            if service.ending.load(Ordering::Relaxed) {
                token.cancel();
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| service.read(&read, &token)));
            service.accepted().remove(&read.id);
            match outcome {
                Ok(Ok(reply)) => service.reply(Some(&read.id), &reply),
                Ok(Err(failure)) => service.reply(Some(&read.id), &failure),
                Err(_) => service.reply(Some(&read.id), &panicked()),
            }
        });
    }

    /// Runs a read.
    fn read(&self, read: &Read, token: &CancelToken) -> Result<Reply, Failure> {
        let session = self.session.with_cancel(token);
        match &read.what {
            What::Path(path) => session.read_as(path, read.dialect, &read.options),
            What::Arguments(arguments) => session.call(read.dialect, arguments, &read.options),
        }
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
        self.reply(invalid.id.as_ref(), &reply);
    }

    /// Writes a reply, a JSON object, with the id as its first field.
    fn reply(&self, id: Option<&Id>, reply: &impl Serialize) {
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
        self.output.send(&line, !self.waiting.is_empty());
    }

    /// Ends the process after the running requests have a reply. The main thread waits for input, and
    /// nothing can wake it.
    fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
        self.workers.finish();
        self.output.finish();
        std::process::exit(0);
    }

    fn accepted(&self) -> MutexGuard<'_, HashMap<Id, CancelToken>> {
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reply to a read that ended because the host has a defect.
fn panicked() -> serde_json::Value {
    json!({ "error": { "kind": "internal", "message": "the read failed", "hint": null } })
}
