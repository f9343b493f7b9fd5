//! The log of requests, `--log`: one JSON object on each line.

use chrono::{DateTime, SecondsFormat};
use rmcp::model::ErrorData;
use serde_json::{Map, Value, json};
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The maximum size in bytes of the arguments of a call that are logged, as JSON. The arguments of
/// a read are a path; those of a wrong call may have a megabyte.
const ARGUMENTS: usize = 4096;

/// The log of requests. Clones share it.
#[derive(Clone)]
pub struct RequestLog(Arc<Shared>);

struct Shared {
    to: Mutex<Box<dyn Write + Send>>,
    /// Called with the first error.
    failed: Box<dyn Fn(&io::Error) + Send + Sync>,
    has_failed: AtomicBool,
}

impl fmt::Debug for RequestLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestLog")
    }
}

impl RequestLog {
    /// Creates a log that is written to this file or stream. Each line is written with one call, so
    /// that several processes can append to one file. `failed` is called once if a line cannot be
    /// written. The server goes on then.
    pub fn new(
        to: impl Write + Send + 'static,
        failed: impl Fn(&io::Error) + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Shared {
            to: Mutex::new(Box::new(to)),
            failed: Box::new(failed),
            has_failed: AtomicBool::new(false),
        }))
    }

    /// Writes a line about an event, with these fields.
    pub(crate) fn write(&self, event: &str, fields: Value) {
        let mut entry = Map::new();
        entry.insert("time".to_owned(), now().into());
        entry.insert("process".to_owned(), std::process::id().into());
        entry.insert("event".to_owned(), event.into());
        if let Value::Object(fields) = fields {
            entry.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
        }
        let line = format!("{}\n", Value::Object(entry));
        let mut to = self.0.to.lock().unwrap_or_else(PoisonError::into_inner);
        let written = to.write_all(line.as_bytes()).and_then(|()| to.flush());
        drop(to);
        if let Err(error) = written
            && !self.0.has_failed.swap(true, Ordering::Relaxed)
        {
            (self.0.failed)(&error);
        }
    }

    /// The start of a request, which is logged when the value is dropped.
    pub(crate) fn begin(&self, request: Request) -> Running {
        Running {
            log: self.clone(),
            began: Instant::now(),
            request,
            bytes: Measured::default(),
            outcome: cancelled(),
            is_cancelled: Box::new(|| false),
        }
    }
}

/// The outcome of a request that has no response.
fn cancelled() -> Value {
    json!({ "outcome": "cancelled" })
}

/// The time in UTC, with milliseconds.
fn now() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let millis = now.map_or(0, |now| i64::try_from(now.as_millis()).unwrap_or(i64::MAX));
    let time = DateTime::from_timestamp_millis(millis).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// What is logged about a request when it arrives.
#[derive(Debug, Default)]
pub struct Request {
    /// The number of the session in this process, if there is one.
    pub session: Option<u64>,
    /// The name and the version of the client.
    pub client: Option<String>,
    /// The method, such as `tools/call`.
    pub method: String,
    /// The arguments of a call, a URI, or another parameter.
    pub parameters: Value,
}

/// The name and the arguments of a call. Long arguments are replaced by their size.
pub fn arguments(tool: &str, arguments: &Value) -> Value {
    let bytes = arguments.to_string().len();
    if bytes > ARGUMENTS {
        return json!({ "tool": tool, "argument_bytes": bytes });
    }
    json!({ "tool": tool, "arguments": arguments })
}

/// The size of the result of a request in bytes, as far as it is known. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Measured(Arc<AtomicUsize>);

impl Measured {
    pub fn set(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }
}

/// A request without a response. It is logged when the value is dropped, as cancelled unless it has
/// ended.
pub struct Running {
    log: RequestLog,
    began: Instant,
    request: Request,
    bytes: Measured,
    outcome: Value,
    is_cancelled: Box<dyn Fn() -> bool + Send>,
}

impl Running {
    /// Where the size of the result is set.
    pub fn measured(&self) -> Measured {
        self.bytes.clone()
    }

    /// Sets how to find out whether the client has cancelled the request. It has no response then,
    /// whatever its result is.
    pub fn cancelled_if(&mut self, is_cancelled: impl Fn() -> bool + Send + 'static) {
        self.is_cancelled = Box::new(is_cancelled);
    }

    /// Ends a request with a result, such as `ok`. A read that failed has a result too.
    pub fn end(&mut self, outcome: &str) {
        self.outcome = json!({ "outcome": outcome });
    }

    /// Ends a call with its result, which is JSON.
    pub fn end_call(&mut self, result: &str) {
        self.bytes.set(result.len());
        // `isError` is the last field. The result of a large image is not parsed for it.
        let failed = result.ends_with("\"isError\":true}");
        self.end(if failed { "failed" } else { "ok" });
    }

    /// Ends a request with an error of the protocol.
    pub fn fail(&mut self, error: &ErrorData) {
        self.outcome = json!({
            "outcome": "error", "code": error.code.0, "message": error.message,
        });
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if (self.is_cancelled)() {
            self.outcome = cancelled();
        }
        let request = std::mem::take(&mut self.request);
        let mut fields = Map::new();
        fields.insert("session".to_owned(), json!(request.session));
        fields.insert("client".to_owned(), json!(request.client));
        fields.insert("method".to_owned(), request.method.into());
        let milliseconds = self.began.elapsed().as_secs_f64() * 1e3;
        let rounded = (milliseconds * 1e3).round() / 1e3;
        let bytes = self.bytes.0.load(Ordering::Relaxed);
        let bytes = (bytes > 0).then_some(bytes);
        for more in [
            request.parameters,
            self.outcome.take(),
            json!({ "bytes": bytes, "milliseconds": rounded }),
        ] {
            if let Value::Object(more) = more {
                fields.extend(more);
            }
        }
        self.log.write("request", Value::Object(fields));
    }
}
