//! MCP over standard input and output: one JSON-RPC message on each line.
//!
//! Two threads receive lines in turns (`omniread_service::Turns`). Calls that need only a response (`quick.rs`) run
//! on the thread that received them, or on the threads for reads if several wait. All other messages
//! go to the service of rmcp, whose tasks run on a thread of their own.
//!
//! What the client does not read at once, a thread writes. If too many requests wait, or too many
//! bytes are not written, no more lines are read.

use super::client_state::ClientState;
use super::handler::{Handler, wrong_parameters};
use super::logged::Logged;
use super::progress::Progress;
use super::quick::{Call, Request};
use super::reader::Read;
use super::request_log::{self, Request as LoggedRequest, Running};
use super::server::{Server, runtime};
use omniread_service::{
    Input, Job, Line, Output, Place, Received, Turns, finish_before_end, limits, on_termination,
};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, JsonRpcError, JsonRpcMessage,
    JsonRpcNotification, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// The number of messages for the service of rmcp that are read ahead.
const AHEAD: usize = 16;

/// The number of the session in the log: there is one client.
const SESSION: u64 = 1;

/// Serves the client on standard input and output, until the input ends or the process gets a signal
/// to end. All requests have a response then.
///
/// # Errors
/// Fails if the threads cannot be started, or if standard output cannot be written.
pub fn serve(server: &Arc<Server>) -> io::Result<()> {
    // The threads that take turns run calls too.
    server.workers.leave_a_core();
    let (sender, received) = mpsc::channel(AHEAD);
    let runtime = runtime(1)?;
    let connection = Connection(Arc::new(Shared {
        server: Arc::clone(server),
        client: ClientState::default(),
        output: Output::new(io::stdout()),
        tasks: runtime.handle().clone(),
        messages: Mutex::new(Some(sender)),
        received: tokio::sync::Mutex::new(received),
        pending: Mutex::default(),
        answered: Condvar::new(),
        ending: AtomicBool::new(false),
    }));
    server.log(
        "start",
        json!({ "transport": "stdio", "roots": server.reader.roots() }),
    );
    let (ending, late) = (connection.clone(), Arc::clone(server));
    let late = move || late.log_stop(json!({ "reason": "signal", "unanswered": true }));
    on_termination(move || ending.end(), late)?;
    let service = runtime.spawn(connection.clone().serve());
    let turns = Arc::new(Turns::new(Input::new(io::stdin())));
    let (other, other_turns) = (connection.clone(), Arc::clone(&turns));
    thread::Builder::new()
        .name("omniread-input".to_owned())
        .spawn(move || other.take_turns(&other_turns))?;
    connection.take_turns(&turns);
    connection.wait_for_responses();
    // The service ends when there are no more messages.
    drop(connection.messages().take());
    let _ = runtime.block_on(service);
    connection.0.output.finish();
    let reason = if connection.0.output.has_failed() {
        "output_closed"
    } else {
        "end_of_input"
    };
    server.log_stop(json!({ "reason": reason }));
    runtime.shutdown_background();
    connection.0.output.outcome()
}

/// The connection to the client. Clones share it.
#[derive(Clone)]
struct Connection(Arc<Shared>);

struct Shared {
    server: Arc<Server>,
    client: ClientState,
    output: Output,
    /// Runs the tasks of the protocol.
    tasks: Handle,
    /// The messages for the service of rmcp. `None` after the end of the input.
    messages: Mutex<Option<mpsc::Sender<ClientJsonRpcMessage>>>,
    received: tokio::sync::Mutex<mpsc::Receiver<ClientJsonRpcMessage>>,
    /// The requests without a response.
    pending: Mutex<HashMap<RequestId, Pending>>,
    /// Signals that no request is without a response.
    answered: Condvar,
    /// Whether the process got a signal to end. Further lines are ignored.
    ending: AtomicBool,
}

/// A request without a response.
enum Pending {
    /// A call that the service of rmcp does not get.
    Call(Arc<dyn Read>),
    /// A request that the service of rmcp answers.
    Rmcp {
        /// Counts the request.
        _place: Place,
    },
}

impl Connection {
    /// Receives lines until the input ends.
    fn take_turns(&self, turns: &Turns<Input<io::Stdin>>) {
        let workers = &self.0.server.workers;
        turns.serve(|input| self.receive(input), |job| workers.run(job));
    }

    /// Receives a line.
    fn receive(&self, input: &mut Input<io::Stdin>) -> Received {
        let Shared {
            server,
            client,
            output,
            ..
        } = &*self.0;
        server.waiting.wait_for_room();
        output.wait_for_room();
        // If the output has failed, nobody reads the responses.
        let line = match input.line() {
            Ok(Some(line)) if !output.has_failed() => line,
            _ => return Received::End,
        };
        if self.0.ending.load(Ordering::Relaxed) {
            return Received::Nothing;
        }
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong => {
                let most = limits::LINE_BYTES;
                let message = format!("the message is longer than {most} bytes");
                server.log("refused", json!({ "reason": "size" }));
                self.write(&error(ErrorData::invalid_request(message, None), None));
                return Received::Nothing;
            }
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            return Received::Nothing;
        }
        let request = Request::parse(&line);
        let call = request.as_ref().zip(client.quick());
        let call = call.and_then(|(request, quick)| request.call(&server.tool.name, &quick));
        if let Some(call) = call {
            let pending = Pending::Call(Arc::clone(&call.read));
            if !self.add_pending(&call.id, pending) {
                return Received::Nothing;
            }
            let place = server.waiting.enter(line.len());
            let logged = request
                .as_ref()
                .and_then(|request| self.log(request, client));
            let token = call.progress.clone();
            let progress = token.map(|token| {
                let read = Arc::clone(&call.read);
                Progress::start(&self.0.tasks, output.clone(), token, read)
            });
            let connection = self.clone();
            let job: Job = Box::new(move || {
                let _after = call.read.put_off();
                connection.call(&call, progress, logged);
                drop(place);
            });
            if input.has_more() {
                // Other threads run the requests that have arrived together.
                server.workers.run(job);
                return Received::Nothing;
            }
            return Received::Request(job);
        }
        if let Some(request) = request {
            client.describe(request.id.clone(), request.description());
        }
        if let Some(message) = self.message(&line) {
            self.pass(message, line.len());
        }
        Received::Nothing
    }

    /// Begins a call in the log, if there is one.
    fn log(&self, request: &Request, client: &ClientState) -> Option<Running> {
        const METHOD: &str = "tools/call";
        let server = &self.0.server;
        server.begin(|is_logged| LoggedRequest {
            kind: METHOD,
            session: Some(SESSION),
            client: client.name(),
            method: METHOD.to_owned(),
            parameters: if is_logged {
                request_log::arguments(&server.tool.name, &request.arguments())
            } else {
                Value::Null
            },
        })
    }

    /// Runs a call. If the client cancels it, there is no response.
    fn call(&self, call: &Call, progress: Option<Progress>, mut logged: Option<Running>) {
        self.0.output.wait_for_room();
        let result = catch_unwind(AssertUnwindSafe(|| call.read.run()));
        drop(progress);
        let is_same = |pending: &Pending| match pending {
            Pending::Call(read) => Arc::ptr_eq(read, &call.read),
            Pending::Rmcp { .. } => false,
        };
        if !self.pending().get(&call.id).is_some_and(is_same) {
            return;
        }
        if let Ok(Ok(result)) = result {
            if let Some(logged) = &mut logged {
                logged.end_call(&result);
            }
            self.respond(call, &result);
        } else {
            let failed = ErrorData::internal_error("the read failed", None);
            if let Some(logged) = &mut logged {
                logged.fail(&failed);
            }
            self.write(&error(failed, Some(call.id.clone())));
        }
        // The log has the line before the process can end.
        drop(logged);
        self.remove_pending(&call.id);
    }

    /// Passes a message to the service of rmcp.
    fn pass(&self, message: ClientJsonRpcMessage, bytes: usize) {
        match &message {
            JsonRpcMessage::Request(request) => {
                let place = self.0.server.waiting.enter(bytes);
                if !self.add_pending(&request.id, Pending::Rmcp { _place: place }) {
                    return;
                }
            }
            JsonRpcMessage::Notification(JsonRpcNotification {
                notification: ClientNotification::CancelledNotification(cancelled),
                ..
            }) => {
                // A cancelled request has no response.
                if let Some(id) = &cancelled.params.request_id
                    && let Some(Pending::Call(read)) = self.remove_pending(id)
                {
                    read.cancel();
                }
            }
            JsonRpcMessage::Notification(JsonRpcNotification {
                notification: ClientNotification::RootsListChangedNotification(_),
                ..
            }) => self.0.client.change_roots(),
            _ => {}
        }
        if let Some(messages) = &*self.messages() {
            // The service has ended only if the output has failed.
            let _ = messages.blocking_send(message);
        }
    }

    /// Adds a request without a response. Returns false, and replies, if its id is in use.
    fn add_pending(&self, id: &RequestId, request: Pending) -> bool {
        let is_new = match self.pending().entry(id.clone()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(entry) => {
                entry.insert(request);
                true
            }
        };
        if !is_new {
            self.0.server.log("refused", json!({ "reason": "id" }));
            let refused = ErrorData::invalid_request("a request with this id is running", None);
            self.write(&error(refused, Some(id.clone())));
        }
        is_new
    }

    fn remove_pending(&self, id: &RequestId) -> Option<Pending> {
        let mut pending = self.pending();
        let removed = pending.remove(id);
        if pending.is_empty() {
            self.0.answered.notify_all();
        }
        removed
    }

    /// Waits until all requests have a response.
    fn wait_for_responses(&self) {
        let mut pending = self.pending();
        while !pending.is_empty() && !self.0.output.has_failed() {
            let waited = self.0.answered.wait(pending);
            pending = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the process after the running requests have a response. The thread that waits for input
    /// cannot be woken.
    fn end(&self) {
        self.0.ending.store(true, Ordering::Relaxed);
        self.wait_for_responses();
        self.0.output.finish();
        self.0.server.log_stop(json!({ "reason": "signal" }));
        finish_before_end();
        std::process::exit(0);
    }

    /// Runs the service of rmcp until there are no more messages.
    async fn serve(self) {
        loop {
            let Shared {
                server,
                client,
                output,
                ..
            } = &*self.0;
            let handler = Handler::new(Arc::clone(server), Some(output.clone()), client.clone());
            let handler = Logged::new(handler, Arc::clone(server), true);
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

    /// Parses a message. Replies to a line that is not a message.
    fn message(&self, line: &[u8]) -> Option<ClientJsonRpcMessage> {
        let refused = match serde_json::from_slice(line) {
            Ok(message) => return Some(message),
            Err(refused) => refused,
        };
        self.0.server.log("refused", json!({ "reason": "message" }));
        // The line may be JSON, or even a request whose parameters are wrong.
        let reply = match serde_json::from_slice::<Value>(line) {
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
                let method = message.get("method").and_then(Value::as_str);
                let wrong = method.filter(|_| id.is_some()).and_then(wrong_parameters);
                let wrong = wrong.unwrap_or_else(|| {
                    let message = format!("the message is not valid: {refused}");
                    ErrorData::invalid_request(message, None)
                });
                error(wrong, id)
            }
        };
        self.write(&reply);
        None
    }

    /// Writes the response to a call, with this result, which is JSON.
    fn respond(&self, call: &Call, result: &str) {
        let mut line = Vec::with_capacity(result.len() + 96);
        line.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        let written = serde_json::to_writer(&mut line, &call.id);
        debug_assert!(written.is_ok(), "an id can be written");
        line.extend_from_slice(b",\"result\":{");
        if call.result_type {
            line.extend_from_slice(b"\"resultType\":\"complete\",");
        }
        let fields = result.strip_prefix('{').unwrap_or(result);
        line.extend_from_slice(fields.as_bytes());
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

    fn pending(&self) -> MutexGuard<'_, HashMap<RequestId, Pending>> {
        let pending = self.0.pending.lock();
        pending.unwrap_or_else(PoisonError::into_inner)
    }

    fn messages(&self) -> MutexGuard<'_, Option<mpsc::Sender<ClientJsonRpcMessage>>> {
        let messages = self.0.messages.lock();
        messages.unwrap_or_else(PoisonError::into_inner)
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
        self.write(&message);
        match &message {
            JsonRpcMessage::Response(response) => drop(self.remove_pending(&response.id)),
            JsonRpcMessage::Error(JsonRpcError { id: Some(id), .. }) => {
                drop(self.remove_pending(id));
            }
            _ => {}
        }
        std::future::ready(if self.0.output.has_failed() {
            Err(io::ErrorKind::BrokenPipe.into())
        } else {
            Ok(())
        })
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.0.received.lock().await.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
