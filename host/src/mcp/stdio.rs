//! MCP over standard input and output: one JSON-RPC message on each line.
//!
//! A thread reads lines, and another one writes them, so that a client that does not read blocks
//! neither cancellation nor signals. If too many requests have no response, or too many bytes are
//! not written, no more lines are read.

use super::Server;
use super::handler::Handler;
use crate::service::{Input, Line, Output, limits, on_termination};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, JsonRpcError, JsonRpcMessage,
    JsonRpcNotification, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::Transport;
use serde_json::Value;
use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::watch;

/// The maximum number of requests without a response. When there are more, no lines are read.
const PENDING: usize = 1024;

/// The number of lines that are read ahead.
const AHEAD: usize = 16;

/// The interval at which a full output is checked.
const FULL: Duration = Duration::from_millis(10);

/// Serves the client on standard input and output, until the input ends or the process is told to
/// end. All requests have a response then.
///
/// # Errors
/// Fails if the runtime cannot be started.
pub fn serve(server: &Arc<Server>) -> io::Result<()> {
    let (sender, lines) = channel(AHEAD);
    let (end, ending) = watch::channel(false);
    on_termination(move || finish(&end))?;
    thread::Builder::new()
        .name("omniread-input".to_owned())
        .spawn(move || read(&sender))?;
    let output = Output::new(io::stdout());
    let connection = Connection(Arc::new(Shared {
        output: output.clone(),
        lines: tokio::sync::Mutex::new(lines),
        pending: Mutex::default(),
        ending,
    }));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    runtime.block_on(async {
        loop {
            let handler = Handler::new(Arc::clone(server), Some(output.clone()));
            match serve_server(handler, connection.clone()).await {
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
    });
    output.finish();
    Ok(())
}

/// Lets the server end after the running requests. If they take too long, ends the process.
#[expect(clippy::exit, reason = "a read or the client does not end")]
fn finish(end: &watch::Sender<bool>) {
    let _ = end.send(true);
    thread::sleep(limits::ENDING);
    std::process::exit(1);
}

/// Reads lines until the input ends.
fn read(lines: &Sender<Line>) {
    let mut input = Input::new(io::stdin());
    while let Ok(Some(line)) = input.next() {
        if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

/// The connection to the client. Clones share it.
#[derive(Clone)]
struct Connection(Arc<Shared>);

struct Shared {
    output: Output,
    lines: tokio::sync::Mutex<Receiver<Line>>,
    /// The ids of the requests without a response.
    pending: Mutex<HashSet<RequestId>>,
    /// Whether the process was told to end.
    ending: watch::Receiver<bool>,
}

impl Connection {
    fn pending(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        let pending = self.0.pending.lock();
        pending.unwrap_or_else(PoisonError::into_inner)
    }

    /// The next line. `None` if the input has ended, or the process was told to end.
    async fn line(&self) -> Option<Line> {
        let mut ending = self.0.ending.clone();
        let mut lines = self.0.lines.lock().await;
        tokio::select! {
            line = lines.recv() => line,
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
        std::future::ready(match self.0.output.has_failed() {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => Ok(()),
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
            if self.pending().len() >= PENDING {
                // The service calls this function again after each response.
                return std::future::pending().await;
            }
            let Some(line) = self.line().await else {
                if self.pending().is_empty() {
                    return None;
                }
                return std::future::pending().await;
            };
            let Some(message) = self.message(line) else {
                continue;
            };
            match &message {
                JsonRpcMessage::Request(request) => {
                    self.pending().insert(request.id.clone());
                }
                JsonRpcMessage::Notification(JsonRpcNotification {
                    notification: ClientNotification::CancelledNotification(cancelled),
                    ..
                }) => {
                    // A cancelled request has no response.
                    if let Some(id) = &cancelled.params.request_id {
                        self.pending().remove(id);
                    }
                }
                _ => {}
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
