//! One server of a process: its start, its resources, and its end.

use super::address::{SCHEME, common, part, without_selectors};
use super::config::Server;
use super::connection::Connection;
use super::failure::Failure;
use super::http::Connect;
use super::limits;
use super::lists::{Content, Contents, Lists};
use super::text;
use super::waits::unless;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

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

/// A server, and its connection if it was started.
pub struct Slot {
    /// The server.
    pub server: Server,
    connect: Arc<dyn Connect>,
    state: tokio::sync::Mutex<State>,
    /// The calls that end the server now. A start gives way to them.
    ends: watch::Sender<usize>,
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
    /// A server that is not started.
    pub fn new(server: Server, connect: &Arc<dyn Connect>) -> Self {
        Self {
            server,
            connect: Arc::clone(connect),
            state: tokio::sync::Mutex::default(),
            ends: watch::Sender::new(0),
            shown: Mutex::new("not started".to_owned()),
        }
    }

    fn show(&self, state: String) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// What the list of servers says about it.
    pub fn shown(&self) -> String {
        let shown = self.shown.lock();
        shown.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The connection. A start goes on if the read that caused it is cancelled, so that the next one gets it.
    pub async fn connection(self: &Arc<Self>) -> Result<Arc<Connection>, Failure> {
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
        let mut ends = self.ends.subscribe();
        let is_ended = async {
            let _ = ends.wait_for(|count| *count > 0).await;
        };
        // A start that is dropped ends its program.
        let start = Box::pin(Connection::start(&self.server, &self.connect));
        let Some(started) = unless(start, is_ended).await else {
            self.show("not running".to_owned());
            return Err(Failure::Ended {
                server: self.server.name.clone(),
                why: "omniread ends it".to_owned(),
                stderr: String::new(),
            });
        };
        match started {
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

    /// The resources and templates of the server, which is started if it does not run.
    ///
    /// # Errors
    /// Fails if the server does not start, or does not answer with lists.
    pub async fn lists(self: &Arc<Self>) -> Result<Arc<Lists>, Failure> {
        let lists = self.connection().await?.lists().await?;
        let (resources, templates) = (lists.resources.entries.len(), lists.templates.entries.len());
        self.show(format!(
            "running; resources: {resources}, templates: {templates}"
        ));
        Ok(lists)
    }

    /// Ends the server, also if it starts just now.
    pub async fn end(&self) {
        let ending = Ending::new(&self.ends);
        let connection = self.state.lock().await.connection.take();
        drop(ending);
        if let Some(connection) = connection {
            connection.end().await;
        }
    }

    /// A resource of this server, which is named.
    pub async fn named(self: &Arc<Self>, uri: &str) -> Result<Opened, Failure> {
        let starts = without_selectors(uri);
        let numbered = part(uri);
        if !starts.is_empty() || numbered.is_some() {
            let lists = match self.lists().await {
                Ok(lists) => lists,
                Err(failure) => return self.unlisted(uri, failure).await,
            };
            if !lists.has(uri) {
                if lists.have_selected(uri, &starts) {
                    return Err(Failure::NotFound(Vec::new()));
                }
                if let Some((resource, number)) = numbered {
                    return self.part(resource, number).await;
                }
            }
        }
        self.read(uri, !starts.is_empty()).await
    }

    /// A resource whose URI may end with a selector or the number of a part, of a server that fails to list its
    /// resources. The server is asked for the whole URI. If it refuses that, the end is not a part of the URI.
    async fn unlisted(self: &Arc<Self>, uri: &str, failure: Failure) -> Result<Opened, Failure> {
        let contents = match self.connection().await?.read(uri).await {
            Ok(contents) => contents,
            Err(Failure::Refused { .. }) => {
                return match part(uri) {
                    Some((resource, number)) => self.part(resource, number).await,
                    None => Err(Failure::NotFound(Vec::new())),
                };
            }
            Err(_) => return Err(failure),
        };
        Ok(self.opened(uri, contents))
    }

    /// Reads a resource. `may_be_selected` says whether its URI may end with a selector.
    pub async fn read(
        self: &Arc<Self>,
        uri: &str,
        may_be_selected: bool,
    ) -> Result<Opened, Failure> {
        let contents = self.contents(uri, may_be_selected).await?;
        Ok(self.opened(uri, contents))
    }

    /// The contents of a resource: the one, or a text that has all.
    fn opened(&self, uri: &str, contents: Contents) -> Opened {
        let is_one = contents.parts.len() <= 1 && contents.notes.is_empty();
        if is_one {
            let mut parts = contents.parts.into_iter();
            return parts
                .next()
                .map_or_else(|| Opened::list(String::new()), Opened::content);
        }
        let url = self.url(uri);
        Opened::list(text::parts(&url, &contents))
    }

    /// One of several contents of a resource.
    pub async fn part(self: &Arc<Self>, uri: &str, number: usize) -> Result<Opened, Failure> {
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
    pub fn similar(&self, uri: &str, lists: &Lists) -> Vec<String> {
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

/// A call that ends the server. Dropping it lets the server start again.
struct Ending<'e>(&'e watch::Sender<usize>);

impl<'e> Ending<'e> {
    fn new(ends: &'e watch::Sender<usize>) -> Self {
        ends.send_modify(|count| *count = count.saturating_add(1));
        Self(ends)
    }
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}
