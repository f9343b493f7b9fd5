//! The servers of a process: started when a read needs them, and ended with it.

use super::address::{Address, SCHEME, common, part, without_selectors};
use super::config::Server;
use super::failure::{Failure, one_line};
use super::http::Connect;
use super::limits;
use super::lists::Lists;
use super::slot::{Opened, Slot};
use super::text;
use std::fmt;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

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

impl Servers {
    /// Servers that are not started yet. `connect` makes the connections to those over HTTP. Of several with
    /// one name, the first is used.
    pub fn new(servers: Vec<Server>, connect: &Arc<dyn Connect>) -> Self {
        let servers = servers.into_iter().take(limits::SERVERS);
        let slots = servers.map(|server| Arc::new(Slot::new(server, connect)));
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
            Address::NoSlash(name, selector) => {
                let similar = format!("{SCHEME}://{name}/:{selector}");
                Err(Failure::NotFound(vec![similar]))
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
    let found = |lists: &Result<Arc<Lists>, Failure>| {
        let Ok(lists) = lists else {
            return Found::Not;
        };
        if lists.has(&uri) {
            return Found::Here;
        }
        let is_likely = lists.matches(&uri).is_some()
            || lists.have_selected(&uri, &without_selectors(&uri))
            || part(&uri).is_some_and(|(resource, _)| lists.has(resource));
        if is_likely { Found::Likely } else { Found::Not }
    };
    let answers = first_answers(&mut asked, &found).await;
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
        .any(|(_, lists)| lists.have_selected(&uri, &starts))
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

/// Whether an answer of a server decides where something is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// The server has it. Only one that comes before it in the configuration has precedence.
    Here,
    /// The server has it unless another one does.
    Likely,
    /// The server does not have it.
    Not,
}

/// The answers of servers, in the order of the configuration. When a server has what is searched for, the others are waited
/// for at most [`limits::OTHERS`], so that one that is late or never starts does not use up the time of another one. The
/// index of a server is the first part of its answer.
pub(crate) async fn first_answers<T: Send + 'static>(
    asked: &mut JoinSet<(usize, T)>,
    found: &(dyn Fn(&T) -> Found + Sync),
) -> Vec<(usize, T)> {
    let mut answers: Vec<(usize, T)> = Vec::new();
    let mut deadline = None;
    loop {
        let next = match deadline {
            None => asked.join_next().await,
            Some(deadline) => {
                let next = timeout_at(deadline, asked.join_next()).await;
                next.unwrap_or_default()
            }
        };
        let Some(answer) = next else {
            break;
        };
        let Ok((index, answer)) = answer else {
            continue;
        };
        if found(&answer) != Found::Not && deadline.is_none() {
            deadline = Some(Instant::now() + limits::OTHERS);
        }
        answers.push((index, answer));
        answers.sort_by_key(|(index, _)| *index);
        // All servers before it have answered.
        let mut in_order = answers.iter().enumerate();
        let is_decided = in_order
            .any(|(place, (index, answer))| place == *index && found(answer) == Found::Here);
        if is_decided {
            break;
        }
    }
    answers
}
