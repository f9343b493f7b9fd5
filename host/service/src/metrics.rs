//! Metrics of a server, in the format of `OpenMetrics`.
//!
//! A label has few values: what a client has chosen, such as a path or the name of an unknown method, is no label.

use crate::process_time;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The type of the metrics.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The start of the names of all metrics but those of the process.
const OWN: &str = "omniread";

/// The bounds of the histogram of times, in seconds, each four times the one before. A read of a small file takes a tenth of
/// a millisecond. Without `--timeout`, no read takes longer than 200 seconds.
const BOUNDS: [f64; 11] = [
    0.000_25, 0.001, 0.004, 0.015, 0.06, 0.25, 1.0, 4.0, 15.0, 60.0, 240.0,
];

/// The values of the labels of a metric, in the order of their names.
type Labels = Vec<(&'static str, &'static str)>;

/// A read that has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The kind of the content, such as `text`. Empty if the read failed.
    pub kind: &'static str,
    /// `ok`, or the kind of the error, such as `not_found`.
    pub outcome: &'static str,
}

/// The metrics of a server.
pub struct Metrics {
    registry: Registry,
    requests: Family<Labels, Counter>,
    seconds: Family<Labels, Histogram, fn() -> Histogram>,
    bytes: Counter,
    reads: Family<Labels, Counter>,
    now: Now,
    http: Option<Http>,
}

/// The metrics that are looked up when they are requested.
#[derive(Default)]
struct Now {
    running: Gauge,
    processor: Counter<f64, AtomicU64>,
    memory: Gauge,
    files: Gauge,
}

/// The metrics of a server over HTTP.
#[derive(Default)]
struct Http {
    errors: Family<Vec<(&'static str, u16)>, Counter>,
    connections: Gauge,
    sessions: Gauge,
}

/// The state of a server.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The number of requests without a response. Over HTTP, those with a message.
    pub running: usize,
    /// The clients of a server over HTTP.
    pub clients: Option<Clients>,
}

/// The clients of a server over HTTP.
#[derive(Clone, Copy, Debug)]
pub struct Clients {
    /// The number of open connections.
    pub connections: usize,
    /// The number of sessions.
    pub sessions: usize,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Default for Metrics {
    /// Metrics of a server that starts now. Those of the process have the names that Prometheus gives them.
    fn default() -> Self {
        let mut registry = Registry::default();
        let requests = Family::default();
        let histogram: fn() -> Histogram = || Histogram::new(BOUNDS);
        let seconds = Family::new_with_constructor(histogram);
        let (bytes, reads) = (Counter::default(), Family::default());
        let (now, began) = (Now::default(), Gauge::<f64, AtomicU64>::default());
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        began.set(since.map_or(0.0, |since| since.as_secs_f64()));
        let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        let own = registry.sub_registry_with_prefix(OWN);
        own.register("build", "The version of omniread", version);
        own.register(
            "requests",
            "Requests by method and outcome",
            requests.clone(),
        );
        let help = "The time from a request to its result";
        own.register_with_unit("request_duration", help, Unit::Seconds, seconds.clone());
        let help = "The size of the results of requests";
        own.register_with_unit("results", help, Unit::Bytes, bytes.clone());
        let help =
            "Reads by the kind of what was read, and by outcome: ok, or the kind of the error";
        own.register("reads", help, reads.clone());
        own.register(
            "running_requests",
            "Requests without a response",
            now.running.clone(),
        );
        let process = registry.sub_registry_with_prefix("process");
        let help = "The time at which the server started, since 1970";
        process.register_with_unit("start_time", help, Unit::Seconds, began);
        if cfg!(unix) {
            let help = "The processor time of the server";
            process.register_with_unit("cpu", help, Unit::Seconds, now.processor.clone());
        }
        if cfg!(target_os = "linux") {
            let help = "The memory of the server";
            process.register_with_unit("resident_memory", help, Unit::Bytes, now.memory.clone());
            process.register("open_fds", "Open files and connections", now.files.clone());
        }
        Self {
            registry,
            requests,
            seconds,
            bytes,
            reads,
            now,
            http: None,
        }
    }
}

impl Metrics {
    /// Metrics of a server over HTTP that starts now.
    pub fn of_http() -> Self {
        let mut metrics = Self::default();
        let http = Http::default();
        let own = metrics.registry.sub_registry_with_prefix(OWN);
        let help =
            "HTTP responses with an error status, such as those to requests without the token";
        own.register("http_errors", help, http.errors.clone());
        own.register("connections", "Open connections", http.connections.clone());
        own.register("sessions", "Sessions of clients", http.sessions.clone());
        metrics.http = Some(http);
        metrics
    }

    /// Counts a request with a message. `bytes` is the size of its result.
    pub fn request(
        &self,
        method: &'static str,
        outcome: &'static str,
        took: Duration,
        bytes: usize,
    ) {
        let labels = vec![("method", method), ("outcome", outcome)];
        self.requests.get_or_create(&labels).inc();
        let seconds = self.seconds.get_or_create_owned(&vec![("method", method)]);
        seconds.observe(took.as_secs_f64());
        self.bytes.inc_by(bytes as u64);
    }

    /// Counts a read.
    pub fn read(&self, seen: Seen) {
        let labels = vec![("kind", seen.kind), ("outcome", seen.outcome)];
        self.reads.get_or_create(&labels).inc();
    }

    /// Counts a response over HTTP with an error status.
    pub fn error(&self, status: u16) {
        if let Some(http) = &self.http {
            http.errors.get_or_create(&vec![("status", status)]).inc();
        }
    }

    /// The metrics as text.
    pub fn text(&self, load: Load) -> String {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.now.running.set(number(load.running));
        if let (Some(http), Some(clients)) = (&self.http, load.clients) {
            http.connections.set(number(clients.connections));
            http.sessions.set(number(clients.sessions));
        }
        // Two requests for the metrics may run at the same time. The bits of numbers that are not negative have the same
        // order as the numbers.
        let used = process_time().as_secs_f64().to_bits();
        self.now
            .processor
            .inner()
            .fetch_max(used, Ordering::Relaxed);
        if let Some(memory) = memory() {
            self.now.memory.set(number(memory));
        }
        if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
            self.now.files.set(number(files.count()));
        }
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = text::encode(&mut text, &self.registry);
        text
    }
}

/// The resident memory of this process in bytes, from `/proc/self/status` of Linux.
fn memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}
