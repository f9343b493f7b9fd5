//! The log of requests, `--log`: one JSON object on each line.

use super::log_writer::LogWriter;
use omniread_service::Metrics;
use rmcp::model::ErrorData;
use serde_json::{Map, Value, json};
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The maximum size in bytes of the arguments of a call that are logged, as JSON, and of a URI. The
/// arguments of a read are a path; those of a wrong call may have a megabyte.
const ARGUMENTS: usize = 4096;

/// The maximum length of other texts of a client that are logged, in characters.
const LONGEST: usize = 256;

/// The time in which the last lines must be written at the end of the process. The reader of a pipe
/// may take none.
const LAST_LINES: Duration = Duration::from_secs(1);

/// The log of requests. Clones share it.
#[derive(Clone)]
pub struct RequestLog(LogWriter);

impl fmt::Debug for RequestLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestLog")
    }
}

impl RequestLog {
    /// Creates a log that is written to this file or stream by a thread. A line that cannot be written
    /// soon enough is left out and counted, so that no request waits for the log. Each line is written
    /// with one call, so that several processes can append to one file. `failed` is called once if a
    /// line cannot be written. The server goes on then.
    ///
    /// # Errors
    /// Fails if the thread cannot be started.
    pub fn new(
        to: impl Write + Send + 'static,
        failed: impl Fn(&io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        LogWriter::start(to, failed).map(Self)
    }

    /// Writes a line about an event, with these fields.
    pub(crate) fn write(&self, event: &str, fields: Value) {
        self.0.line(event, fields);
    }

    /// Writes the last line, that the server ends.
    pub(crate) fn stop(&self, fields: Value) {
        self.write("stop", fields);
        self.0.finish(LAST_LINES);
    }
}

/// The start of a text of a client.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// The outcome of a request that has no response.
const CANCELLED: &str = "cancelled";

/// A request, as it is known when it arrives.
#[derive(Debug, Default)]
pub struct Request {
    /// The method for the metrics: `other` for a method without a name in MCP, and for wrong parameters.
    pub kind: &'static str,
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
        return json!({ "tool": short(tool), "argument_bytes": bytes });
    }
    json!({ "tool": short(tool), "arguments": arguments })
}

/// The URI of a resource. A long one is replaced by its size.
pub fn resource(uri: &str) -> Value {
    if uri.len() > ARGUMENTS {
        return json!({ "uri_bytes": uri.len() });
    }
    json!({ "uri": uri })
}

/// The size of the result of a request in bytes, as far as it is known. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Measured(Arc<AtomicUsize>);

impl Measured {
    pub fn set(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }
}

/// A request without a response. It is logged and counted when the value is dropped, as cancelled unless it has ended.
pub struct Running {
    log: Option<RequestLog>,
    metrics: Option<Arc<Metrics>>,
    began: Instant,
    request: Request,
    bytes: Measured,
    outcome: &'static str,
    /// The code and the message of an error.
    error: Value,
    is_cancelled: Box<dyn Fn() -> bool + Send>,
}

impl Running {
    /// A request that begins now.
    pub(crate) fn begin(
        log: Option<&RequestLog>,
        metrics: Option<&Arc<Metrics>>,
        request: Request,
    ) -> Self {
        Self {
            log: log.cloned(),
            metrics: metrics.cloned(),
            began: Instant::now(),
            request,
            bytes: Measured::default(),
            outcome: CANCELLED,
            error: Value::Null,
            is_cancelled: Box::new(|| false),
        }
    }

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
    pub fn end(&mut self, outcome: &'static str) {
        self.outcome = outcome;
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
        self.outcome = "error";
        self.error = json!({ "code": error.code.0, "message": short(&error.message) });
    }

    /// Writes the line of the request.
    fn write(&mut self, log: &RequestLog, took: Duration, bytes: usize) {
        let request = std::mem::take(&mut self.request);
        let mut fields = Map::new();
        fields.insert("session".to_owned(), json!(request.session));
        fields.insert("client".to_owned(), json!(request.client));
        fields.insert("method".to_owned(), request.method.into());
        let milliseconds = took.as_secs_f64() * 1e3;
        let rounded = (milliseconds * 1e3).round() / 1e3;
        let bytes = (bytes > 0).then_some(bytes);
        for more in [
            request.parameters,
            json!({ "outcome": self.outcome }),
            self.error.take(),
            json!({ "bytes": bytes, "milliseconds": rounded }),
        ] {
            if let Value::Object(more) = more {
                fields.extend(more);
            }
        }
        log.write("request", Value::Object(fields));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if (self.is_cancelled)() {
            (self.outcome, self.error) = (CANCELLED, Value::Null);
        }
        let took = self.began.elapsed();
        let is_sent = self.outcome != CANCELLED;
        let bytes = if is_sent {
            self.bytes.0.load(Ordering::Relaxed)
        } else {
            0
        };
        if let Some(metrics) = &self.metrics {
            metrics.request(self.request.kind, self.outcome, took, bytes);
        }
        if let Some(log) = self.log.take() {
            self.write(&log, took, bytes);
        }
    }
}
