//! MCP over standard input and output: one JSON-RPC message on each line.
//!
//! A client that does not read its responses delays neither cancellation nor signals: what it does
//! not take at once, a thread writes. If too many requests have no response, or too many bytes are
//! not written, no more lines are read.

use super::access::Known;
use super::handler::Handler;
use super::quick::Call;
use super::stdin::Lines;
use super::{Read, Server};
use omniread_service::{Line, Output, limits, on_termination};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, JsonRpcError, JsonRpcMessage,
    JsonRpcNotification, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::Transport;
use serde_json::Value;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// The maximum number of requests without a response. When there are more, no lines are read.
const PENDING: usize = 1024;

/// The interval at which a full output is checked.
const FULL: Duration = Duration::from_millis(10);

/// Serves the client on standard input and output, until the input ends or the process is told to
/// end. All requests have a response then.
///
/// # Errors
/// Fails if the runtime cannot be started.
pub fn serve(server: &Arc<Server>) -> io::Result<()> {
    let (end, ending) = watch::channel(false);
    on_termination(move || finish(&end))?;
    let output = Output::new(io::stdout());
    let runtime = server.runtime()?;
    let lines = {
        let _entered = runtime.enter();
        Lines::new()?
    };
    let connection = Connection(Arc::new(Shared {
        server: Arc::clone(server),
        known: Known::default(),
        output: output.clone(),
        lines: tokio::sync::Mutex::new(lines),
        pending: Mutex::default(),
        answered: Notify::new(),
        ending,
    }));
    // The task runs on a thread of the runtime, where another one can take over.
    let _ = runtime.block_on(runtime.spawn(connection.serve()));
    output.finish();
    // Without this, the runtime waits for the thread that reads standard input.
    runtime.shutdown_background();
    Ok(())
}

/// Lets the server end after the running requests. If they take too long, ends the process.
#[expect(clippy::exit, reason = "a read or the client does not end")]
fn finish(end: &watch::Sender<bool>) {
    let _ = end.send(true);
    thread::sleep(limits::ENDING);
    std::process::exit(1);
}

/// The connection to the client. Clones share it.
#[derive(Clone)]
struct Connection(Arc<Shared>);

struct Shared {
    server: Arc<Server>,
    known: Known,
    output: Output,
    lines: tokio::sync::Mutex<Lines>,
    /// The ids of the requests without a response, with the reads of those that the service of rmcp
    /// does not get.
    pending: Mutex<HashMap<RequestId, Option<Arc<dyn Read>>>>,
    /// Signals a response to such a request.
    answered: Notify,
    /// Whether the process was told to end.
    ending: watch::Receiver<bool>,
}

impl Connection {
    /// Serves the client until it disconnects.
    async fn serve(self) {
        loop {
            let shared = &self.0;
            let (output, known) = (shared.output.clone(), shared.known.clone());
            let handler = Handler::new(Arc::clone(&shared.server), Some(output), known);
            match serve_server(handler, self.clone()).await {
                Ok(service) => {
                    let _ = service.waiting().await;
                    return;
                }
                Err(ServerInitializeError::ConnectionClosed(_)) => return,
                // The first message was a notification, or `initialize` was refused. The client
                // may try again.
                Err(_) => {}
            }
        }
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<RequestId, Option<Arc<dyn Read>>>> {
        let pending = self.0.pending.lock();
        pending.unwrap_or_else(PoisonError::into_inner)
    }

    /// The next line. `None` if the input has ended, or the process was told to end.
    async fn line(&self) -> Option<Line> {
        let mut ending = self.0.ending.clone();
        let mut lines = self.0.lines.lock().await;
        tokio::select! {
            line = lines.next() => line,
            Ok(_) = ending.wait_for(|ending| *ending) => None,
        }
    }

    /// Converts a line to a message. Replies to a line that is not a message.
    fn message(&self, line: Line) -> Option<ClientJsonRpcMessage> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong => {
                let most = limits::LINE_BYTES;
                let message = format!("the message is longer than {most} bytes");
                self.write(&error(ErrorData::invalid_request(message, None), None));
                return None;
            }
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let refused = match serde_json::from_slice(&line) {
            Ok(message) => return Some(message),
            Err(refused) => refused,
        };
        // The line may be JSON, or even a request whose parameters are wrong.
        let reply = match serde_json::from_slice::<Value>(&line) {
            Err(wrong) => {
                let message = format!("the message is not JSON: {wrong}");
                error(ErrorData::parse_error(message, None), None)
            }
            Ok(message) => {
                let id = message.get("id").cloned();
                // Notifications have no response.
                if id.is_none() && message.get("method").is_some() {
                    return None;
                }
                let id = id.and_then(|id| serde_json::from_value(id).ok());
                let message = format!("the message is not valid: {refused}");
                error(ErrorData::invalid_request(message, None), id)
            }
        };
        self.write(&reply);
        None
    }

    /// Runs a call. If the client cancels it, there is no response.
    async fn call(self, call: Call, alone: bool) {
        let id = call.id.clone();
        let result = call.run(&self.0.server, &self.0.output, alone).await;
        if self.pending().remove(&id).is_some() {
            match result {
                Some(result) => self.respond(&id, &result),
                None => self.write(&error(
                    ErrorData::internal_error("the read failed", None),
                    Some(id),
                )),
            }
        }
        self.0.answered.notify_one();
    }

    /// Writes a response with this result, which is JSON.
    fn respond(&self, id: &RequestId, result: &str) {
        let mut line = Vec::with_capacity(result.len() + 64);
        line.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        let written = serde_json::to_writer(&mut line, id);
        debug_assert!(written.is_ok(), "an id can be written");
        line.extend_from_slice(b",\"result\":");
        line.extend_from_slice(result.as_bytes());
        line.extend_from_slice(b"}\n");
        self.0.output.post(&line);
    }

    fn write(&self, message: &ServerJsonRpcMessage) {
        let mut line = Vec::with_capacity(4096);
        let written = serde_json::to_writer(&mut line, message);
        debug_assert!(written.is_ok(), "a message in memory can be written");
        line.push(b'\n');
        self.0.output.post(&line);
    }
}

fn error(error: ErrorData, id: Option<RequestId>) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(error, id)
}

impl Transport<RoleServer> for Connection {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(response) => {
                self.pending().remove(&response.id);
            }
            JsonRpcMessage::Error(JsonRpcError { id: Some(id), .. }) => {
                self.pending().remove(id);
            }
            _ => {}
        }
        self.write(&message);
        std::future::ready(if self.0.output.has_failed() {
            Err(io::ErrorKind::BrokenPipe.into())
        } else {
            Ok(())
        })
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.0.output.has_failed() {
                return None;
            }
            if self.0.output.is_full() {
                tokio::time::sleep(FULL).await;
                continue;
            }
            // The service calls this function again after each response of its own.
            if self.pending().len() >= PENDING {
                self.0.answered.notified().await;
                continue;
            }
            let Some(line) = self.line().await else {
                if self.pending().is_empty() {
                    return None;
                }
                self.0.answered.notified().await;
                continue;
            };
            if let Line::Whole(line) = &line
                && let Some(call) = Call::parse(line, &self.0.server, &self.0.known)
            {
                let alone = !self.0.lines.lock().await.has_more();
                let read = Arc::clone(&call.read);
                self.pending().insert(call.id.clone(), Some(read));
                tokio::spawn(self.clone().call(call, alone));
                continue;
            }
            let Some(message) = self.message(line) else {
                continue;
            };
            match &message {
                JsonRpcMessage::Request(request) => {
                    self.pending().insert(request.id.clone(), None);
                }
                JsonRpcMessage::Notification(JsonRpcNotification {
                    notification: ClientNotification::CancelledNotification(cancelled),
                    ..
                }) => {
                    // A cancelled request has no response.
                    let id = cancelled.params.request_id.as_ref();
                    if let Some(Some(read)) = id.and_then(|id| self.pending().remove(id)) {
                        read.cancel();
                    }
                }
                JsonRpcMessage::Notification(JsonRpcNotification {
                    notification: ClientNotification::RootsListChangedNotification(_),
                    ..
                }) => self.0.known.change(),
                _ => {}
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
