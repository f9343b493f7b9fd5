//! Progress notifications.

use crate::reader::Read;
use omniread_service::Output;
use serde_json::json;
use serde_json::value::RawValue;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::time::{Interval, interval_at};

/// The interval of the progress notifications of a read.
const INTERVAL: Duration = Duration::from_secs(1);

/// What a notification says. No read knows in advance how long it takes, and a read may send
/// several requests, so the progress is in seconds.
pub fn message(read: &dyn Read) -> String {
    match read.received() {
        Some(received) => format!("received {received}; progress is in seconds"),
        None => "reading; progress is in seconds".to_owned(),
    }
}

/// The times of progress notifications. The first one is an interval from now.
pub fn ticks(began: Instant) -> Interval {
    interval_at((began + INTERVAL).into(), INTERVAL)
}

/// The progress notifications of a call that the service of rmcp does not get. They end when the
/// value is dropped.
pub struct Progress(Arc<Mutex<bool>>);

impl Progress {
    /// Starts the notifications with a token, which is JSON.
    pub fn start(
        tasks: &Handle,
        output: Output,
        token: Box<RawValue>,
        read: Arc<dyn Read>,
    ) -> Self {
        let ended = Arc::new(Mutex::new(false));
        tasks.spawn(notify(output, token, read, Arc::clone(&ended)));
        Self(ended)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }
}

async fn notify(
    output: Output,
    token: Box<RawValue>,
    read: Arc<dyn Read>,
    ended: Arc<Mutex<bool>>,
) {
    let began = Instant::now();
    let mut ticks = ticks(began);
    loop {
        ticks.tick().await;
        let ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
        // No notification may follow the response.
        if *ended || output.has_failed() {
            return;
        }
        let notification = json!({
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {
                "progressToken": token,
                "progress": began.elapsed().as_secs_f64(),
                "message": message(&*read),
            },
        });
        output.post(format!("{notification}\n").as_bytes());
    }
}
