//! The servers of a process: started when a read needs them, and ended with it.

use super::address::{Address, SCHEME, part, without_selectors};
use super::config::Server;
use super::connection::Connection;
use super::failure::{Failure, one_line};
use super::http::Connect;
use super::limits;
use super::lists::{Content, Contents, Lists};
use super::text;
use std::fmt;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

/// What a URL names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The MIME type, if known.
    pub mime: Option<String>,
    /// Whether the bytes are text in UTF-8.
    pub is_text: bool,
}

impl Opened {
    /// A list as a text.
    pub(crate) fn list(text: String) -> Self {
        Self {
            bytes: text.into_bytes(),
            mime: Some("text/plain".to_owned()),
            is_text: true,
        }
    }

    /// The content of a resource.
    pub(crate) fn content(content: Content) -> Self {
        Self {
            bytes: content.bytes,
            mime: content.mime,
            is_text: content.is_text,
        }
    }
}

/// The servers of a process. Dropping the last clone ends them.
#[derive(Clone)]
pub struct Servers(Arc<Inner>);

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.0.slots.iter().map(|slot| &slot.server);
        f.debug_list().entries(slots).finish()
    }
}

struct Inner {
    slots: Vec<Arc<Slot>>,
    /// Started with the first server.
    runtime: OnceLock<Result<Runtime, String>>,
}

/// A server, and its connection if it was started.
pub(crate) struct Slot {
    server: Server,
    connect: Arc<dyn Connect>,
    state: tokio::sync::Mutex<State>,
    /// What the list of servers says about it.
    shown: Mutex<String>,
}

#[derive(Default)]
struct State {
    connection: Option<Arc<Connection>>,
    started: Option<Instant>,
    /// The time before which the server is not started again, and why it ended.
    waiting: Option<(Instant, String)>,
}

impl Slot {
    /// The name of the server.
    pub(crate) fn name(&self) -> &str {
        &self.server.name
    }

    fn show(&self, state: String) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    fn shown(&self) -> String {
        let shown = self.shown.lock();
        shown.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The connection. A start goes on if the read that caused it is cancelled, so that the next one gets it.
    pub(crate) async fn connection(self: &Arc<Self>) -> Result<Arc<Connection>, Failure> {
        let slot = Arc::clone(self);
        let starting = tokio::spawn(async move { slot.connected().await });
        let failed = |error: tokio::task::JoinError| Failure::Client(error.to_string());
        starting.await.map_err(failed)?
    }

    async fn connected(&self) -> Result<Arc<Connection>, Failure> {
        let mut state = self.state.lock().await;
        if let Some(connection) = &state.connection {
            if !connection.is_closed() {
                return Ok(Arc::clone(connection));
            }
            let why = connection.ended(None).await.to_string();
            let connection = state.connection.take();
            if let Some(started) = state.started {
                state.waiting = Some((started + limits::RESTART, why));
            }
            if let Some(connection) = connection {
                tokio::spawn(async move { connection.end().await });
            }
        }
        if let Some((until, why)) = &state.waiting {
            let left = until.saturating_duration_since(Instant::now());
            if !left.is_zero() {
                return Err(Failure::Waiting {
                    server: self.server.name.clone(),
                    left,
                    why: why.clone(),
                });
            }
        }
        state.started = Some(Instant::now());
        match Connection::start(&self.server, &self.connect).await {
            Ok(connection) => {
                let connection = Arc::new(connection);
                state.connection = Some(Arc::clone(&connection));
                state.waiting = None;
                self.show("running".to_owned());
                Ok(connection)
            }
            Err(failure) => {
                let why = failure.to_string();
                self.show(format!("not running: {why}"));
                state.waiting = Some((Instant::now() + limits::RESTART, why));
                Err(failure)
            }
        }
    }

    async fn lists(self: &Arc<Self>) -> Result<Arc<Lists>, Failure> {
        let lists = self.connection().await?.lists().await?;
        let (resources, templates) = (lists.resources.entries.len(), lists.templates.entries.len());
        self.show(format!(
            "running; resources: {resources}, templates: {templates}"
        ));
        Ok(lists)
    }

    async fn end(&self) {
        let connection = self.state.lock().await.connection.take();
        if let Some(connection) = connection {
            connection.end().await;
        }
    }

    /// A resource of this server, which is named.
    async fn named(self: &Arc<Self>, uri: &str) -> Result<Opened, Failure> {
        let starts = without_selectors(uri);
        let numbered = part(uri);
        if !starts.is_empty() || numbered.is_some() {
            let lists = self.lists().await?;
            if !lists.has(uri) {
                if is_selected(uri, &starts, &lists) {
                    return Err(Failure::NotFound(Vec::new()));
                }
                if let Some((resource, number)) = numbered {
                    return self.part(resource, number).await;
                }
            }
        }
        self.read(uri, !starts.is_empty()).await
    }

    /// Reads a resource. `may_be_selected` says whether its URI may end with a selector.
    async fn read(self: &Arc<Self>, uri: &str, may_be_selected: bool) -> Result<Opened, Failure> {
        let contents = self.contents(uri, may_be_selected).await?;
        let is_one = contents.parts.len() <= 1 && contents.notes.is_empty();
        if is_one {
            let mut parts = contents.parts.into_iter();
            return Ok(parts
                .next()
                .map_or_else(|| Opened::list(String::new()), Opened::content));
        }
        let url = self.url(uri);
        Ok(Opened::list(text::parts(&url, &contents)))
    }

    /// One of several contents of a resource.
    async fn part(self: &Arc<Self>, uri: &str, number: usize) -> Result<Opened, Failure> {
        let contents = self.contents(uri, false).await?;
        let count = contents.parts.len();
        let part = contents.parts.into_iter().nth(number.saturating_sub(1));
        part.map(Opened::content).ok_or_else(|| {
            let last = format!("{}#part={count}", self.url(uri));
            Failure::NotFound(vec![last])
        })
    }

    async fn contents(
        self: &Arc<Self>,
        uri: &str,
        may_be_selected: bool,
    ) -> Result<Contents, Failure> {
        let failure = match self.connection().await?.read(uri).await {
            Err(failure @ Failure::Refused { .. }) => failure,
            other => return other,
        };
        // Servers have many codes for a URI that they do not know.
        let Ok(lists) = self.lists().await else {
            return Err(failure);
        };
        if lists.has(uri) || (lists.matches(uri).is_some() && !may_be_selected) {
            return Err(failure);
        }
        let Failure::Refused { code, .. } = failure else {
            return Err(failure);
        };
        // https://www.jsonrpc.org/specification, and "Resource not found" of MCP.
        let is_unknown = matches!(code, -32002 | -32602);
        if is_unknown || may_be_selected {
            let mut similar = self.similar(uri, &lists);
            if similar.is_empty() {
                // Their list.
                similar.push(format!("{SCHEME}://{}", self.server.name));
            }
            return Err(Failure::NotFound(similar));
        }
        Err(failure)
    }

    fn url(&self, uri: &str) -> String {
        format!("{SCHEME}://{}/{uri}", self.server.name)
    }

    /// URLs of listed resources that begin or end as a URI does.
    fn similar(&self, uri: &str, lists: &Lists) -> Vec<String> {
        let entries = &lists.resources.entries;
        let mut scored: Vec<(usize, &str)> = entries
            .iter()
            .map(|entry| (common(uri, &entry.uri), entry.uri.as_str()))
            .filter(|(score, _)| score.saturating_mul(2) >= uri.len())
            .collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let best = scored.into_iter().take(limits::SIMILAR);
        best.map(|(_, uri)| self.url(uri)).collect()
    }
}

/// The bytes with which two texts begin and end alike.
pub(crate) fn common(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let left = one.len().min(other.len()).saturating_sub(start);
    let ends = one.iter().rev().zip(other.iter().rev()).take(left);
    let end = ends.take_while(|(a, b)| a == b).count();
    start.saturating_add(end)
}

/// Whether a URI that is not listed is one that the server has, with a selector.
fn is_selected(uri: &str, starts: &[&str], lists: &Lists) -> bool {
    let is_resource = |start: &&str| start.is_empty() || lists.has(start);
    starts.iter().any(is_resource)
        || lists.matches(uri).is_none() && starts.iter().any(|start| lists.matches(start).is_some())
}

impl Servers {
    /// Servers that are not started yet. `connect` makes the connections to those over HTTP. Of several with
    /// one name, the first is used.
    pub fn new(servers: Vec<Server>, connect: &Arc<dyn Connect>) -> Self {
        let slots = servers.into_iter().take(limits::SERVERS).map(|server| {
            Arc::new(Slot {
                server,
                connect: Arc::clone(connect),
                state: tokio::sync::Mutex::default(),
                shown: Mutex::new("not started".to_owned()),
            })
        });
        Self(Arc::new(Inner {
            slots: slots.collect(),
            runtime: OnceLock::new(),
        }))
    }

    /// The time after which [`open`](Self::open) has returned: each step of it has a deadline.
    pub fn longest(&self) -> Duration {
        let times = self.0.slots.iter().map(|slot| {
            let server = &slot.server;
            // The start of a server waits for another one's start at most once. The lists are two requests,
            // and a read is one, after which they may be requested once more.
            server.start.saturating_mul(2) + server.request.saturating_mul(6)
        });
        times.max().unwrap_or_default() + limits::GRACE
    }

    /// The names of the servers, in the order of the configuration.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.slots.iter().map(|slot| slot.server.name.as_str())
    }

    /// Opens what a URL `mcp://…` names. The call blocks until there is an answer, until a deadline, or until
    /// `is_cancelled` returns `true`, which is asked every few milliseconds.
    ///
    /// # Errors
    /// Fails if there is no such resource, or if a server fails.
    pub fn open(&self, url: &str, is_cancelled: &dyn Fn() -> bool) -> Result<Opened, Failure> {
        match Address::of(url, &|name| self.slot(name).is_some()) {
            Address::Servers => Ok(Opened::list(self.list())),
            Address::Server(name) => {
                let slot = self.slot(name);
                self.run(is_cancelled, async move {
                    let slot = slot.ok_or(Failure::NotFound(Vec::new()))?;
                    let lists = slot.lists().await?;
                    Ok(Opened::list(text::lists(&slot.server.name, &lists)))
                })
            }
            Address::Resource(name, uri) => {
                let (slot, uri) = (self.slot(name), uri.to_owned());
                self.run(is_cancelled, async move {
                    let slot = slot.ok_or(Failure::NotFound(Vec::new()))?;
                    slot.named(&uri).await
                })
            }
            Address::Uri(uri) => {
                let (slots, uri) = (self.0.slots.clone(), uri.to_owned());
                self.run(is_cancelled, search(slots, uri))
            }
            Address::Unknown(name) => Err(Failure::NotFound(self.similar(name))),
        }
    }

    /// Ends all servers, and returns when they have ended.
    pub fn end(&self) {
        let Some(Ok(runtime)) = self.0.runtime.get() else {
            return;
        };
        let slots = self.0.slots.clone();
        let (sender, ended) = sync_channel::<()>(1);
        runtime.spawn(async move {
            let mut ends = JoinSet::new();
            for slot in slots {
                ends.spawn(async move { slot.end().await });
            }
            while ends.join_next().await.is_some() {}
            drop(sender);
        });
        let _ = ended.recv_timeout(limits::GRACE.saturating_mul(5));
    }

    /// The servers, in the order of the configuration.
    pub(crate) fn slots(&self) -> Vec<Arc<Slot>> {
        self.0.slots.clone()
    }

    fn slot(&self, name: &str) -> Option<Arc<Slot>> {
        let slots = &self.0.slots;
        slots.iter().find(|slot| slot.server.name == name).cloned()
    }

    fn list(&self) -> String {
        let slots = self.0.slots.iter();
        let list: String = slots
            .map(|slot| text::server(&slot.server.name, &one_line(&slot.shown(), limits::MESSAGE)))
            .collect();
        if list.is_empty() {
            return "(no servers are configured)\n".to_owned();
        }
        list
    }

    /// URLs of the servers with a similar name.
    fn similar(&self, name: &str) -> Vec<String> {
        let mut scored: Vec<(usize, &str)> = self
            .names()
            .map(|other| (common(name, other), other))
            .filter(|(score, _)| score.saturating_mul(2) >= name.len())
            .collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let best = scored.into_iter().take(limits::SIMILAR);
        best.map(|(_, name)| format!("{SCHEME}://{name}")).collect()
    }

    /// Runs a task, and waits for it. A task that is cancelled is dropped.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        is_cancelled: &dyn Fn() -> bool,
        task: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, Failure> {
        let runtime = self.0.runtime.get_or_init(|| {
            let runtime = Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name("omniread-mcp-client")
                .enable_all()
                .build();
            runtime.map_err(|error: io::Error| error.to_string())
        });
        let runtime = runtime
            .as_ref()
            .map_err(|error| Failure::Client(error.clone()))?;
        let (sender, receiver) = sync_channel(1);
        let running = runtime.spawn(async move {
            let _ = sender.send(task.await);
        });
        loop {
            match receiver.recv_timeout(limits::TURN) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) if is_cancelled() => {
                    running.abort();
                    return Err(Failure::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::Client("its task has ended".to_owned()));
                }
            }
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let Some(Ok(runtime)) = self.runtime.take() else {
            return;
        };
        let slots = std::mem::take(&mut self.slots);
        let ending = async move {
            let mut ends = JoinSet::new();
            for slot in slots {
                ends.spawn(async move { slot.end().await });
            }
            while ends.join_next().await.is_some() {}
        };
        // A runtime must not be waited for on a thread of a runtime.
        let end = move || {
            let _ = runtime.block_on(async {
                tokio::time::timeout(limits::GRACE.saturating_mul(5), ending).await
            });
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("omniread-mcp-end".to_owned());
        if let Ok(thread) = thread.spawn(end) {
            let _ = thread.join();
        }
    }
}

/// Searches all servers for a URI: the first that lists it, or else the first whose template matches best.
async fn search(slots: Vec<Arc<Slot>>, uri: String) -> Result<Opened, Failure> {
    let mut asked = JoinSet::new();
    for (index, slot) in slots.iter().enumerate() {
        let slot = Arc::clone(slot);
        asked.spawn(async move { (index, slot.lists().await) });
    }
    let mut answers: Vec<(usize, Result<Arc<Lists>, Failure>)> = Vec::new();
    while let Some(answer) = asked.join_next().await {
        answers.extend(answer.ok());
    }
    answers.sort_by_key(|(index, _)| *index);
    let listed = answers.iter().filter_map(|(index, lists)| {
        let slot = slots.get(*index)?;
        Some((slot, lists.as_ref().ok()?))
    });
    let listed: Vec<(&Arc<Slot>, &Arc<Lists>)> = listed.collect();
    if let Some((slot, _)) = listed.iter().find(|(_, lists)| lists.has(&uri)) {
        return slot.read(&uri, false).await;
    }
    let starts = without_selectors(&uri);
    if listed
        .iter()
        .any(|(_, lists)| is_selected(&uri, &starts, lists))
    {
        return Err(Failure::NotFound(Vec::new()));
    }
    if let Some((resource, number)) = part(&uri)
        && let Some((slot, _)) = listed.iter().find(|(_, lists)| lists.has(resource))
    {
        return slot.part(resource, number).await;
    }
    let scored = listed.iter().filter_map(|(slot, lists)| {
        let score = lists.matches(&uri)?;
        Some((score, *slot))
    });
    // Of several with the same score, the first.
    let best = scored.rev().max_by_key(|(score, _)| *score);
    if let Some((_, slot)) = best {
        return slot.read(&uri, !starts.is_empty()).await;
    }
    let mut failures = answers.iter().filter_map(|(_, lists)| lists.as_ref().err());
    if let Some(failure) = failures.next() {
        return Err(failure.clone());
    }
    let similar = listed
        .iter()
        .flat_map(|(slot, lists)| slot.similar(&uri, lists));
    Err(Failure::NotFound(similar.take(limits::SIMILAR).collect()))
}
