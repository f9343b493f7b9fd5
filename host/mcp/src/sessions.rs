//! The sessions of HTTP clients. If there are too many, the idle one that was used longest ago ends.

use super::request_log::RequestLog;
use futures_core::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionConfig,
};
use rmcp::transport::streamable_http_server::{SessionId, SessionManager};
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The maximum number of sessions at a time. Each remembers what it has shown.
pub(crate) const SESSIONS: usize = 256;

/// The time without a request after which a session ends. Few clients begin a new one by themselves,
/// and a person may pause for long between two questions.
const IDLE_SESSION: Duration = Duration::from_hours(1);

/// The time for which a response is kept for a client that reconnects.
const KEPT: Duration = Duration::from_secs(1);

/// The sessions of HTTP clients.
pub struct Sessions {
    local: LocalSessionManager,
    uses: Mutex<Uses>,
    /// Locked while a session is created.
    creating: tokio::sync::Mutex<()>,
    log: Option<RequestLog>,
}

#[derive(Default)]
struct Uses {
    of_session: HashMap<SessionId, Use>,
    /// The number of uses of all sessions so far.
    count: u64,
}

impl Uses {
    /// The number of a use that begins or ends now.
    fn advance(&mut self) -> u64 {
        self.count += 1;
        self.count
    }
}

/// The uses of a session.
struct Use {
    /// The number of its last use, counted over all sessions.
    last: u64,
    /// The number of its requests without a response.
    running: usize,
}

/// A request of a session that has no response yet. Dropping the value ends it.
pub struct InUse {
    sessions: Arc<Sessions>,
    id: SessionId,
}

impl Sessions {
    pub fn new(log: Option<RequestLog>) -> Arc<Self> {
        let mut config = SessionConfig::default();
        config.keep_alive = Some(IDLE_SESSION);
        config.completed_cache_ttl = KEPT;
        let mut local = LocalSessionManager::default();
        local.session_config = config;
        Arc::new(Self {
            local,
            uses: Mutex::default(),
            creating: tokio::sync::Mutex::default(),
            log,
        })
    }

    /// Begins a request of a session. `None` if there is no session with this id.
    pub fn begin(self: &Arc<Self>, id: &str) -> Option<InUse> {
        let id: SessionId = id.into();
        let mut uses = self.uses();
        let last = uses.advance();
        let used = uses.of_session.get_mut(&id)?;
        used.last = last;
        used.running += 1;
        drop(uses);
        Some(InUse {
            sessions: Arc::clone(self),
            id,
        })
    }

    /// Whether there is a session with this id.
    pub fn contains(&self, id: &str) -> bool {
        self.uses().of_session.contains_key(id)
    }

    /// The number of sessions.
    pub fn count(&self) -> usize {
        self.uses().of_session.len()
    }

    /// The session without a running request that was used longest ago.
    fn idle(&self) -> Option<SessionId> {
        let uses = self.uses();
        let idle = uses.of_session.iter().filter(|(_, used)| used.running == 0);
        let longest = idle.min_by_key(|(_, used)| used.last);
        longest.map(|(id, _)| id.clone())
    }

    fn uses(&self) -> MutexGuard<'_, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut uses = self.sessions.uses();
        let last = uses.advance();
        if let Some(used) = uses.of_session.get_mut(&self.id) {
            used.last = last;
            used.running = used.running.saturating_sub(1);
        }
    }
}

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let _creating = self.creating.lock().await;
        // There are not more running requests than sessions. The request for the new session is one of
        // them, so that at least one session is idle.
        while self.local.sessions.read().await.len() >= SESSIONS
            && let Some(id) = self.idle()
        {
            // A session that cannot be told that it ends is removed as well.
            let _ = self.close_session(&id).await;
            if let Some(log) = &self.log {
                log.write("session_ended", json!({ "reason": "too_many_sessions" }));
            }
        }
        let (id, transport) = self.local.create_session().await?;
        let mut uses = self.uses();
        let last = uses.advance();
        uses.of_session.insert(id.clone(), Use { last, running: 0 });
        drop(uses);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.local.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.uses().of_session.remove(id);
        self.local.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.local.create_stream(id, message).await
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.local.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.local.resume(id, last_event_id).await
    }
}
