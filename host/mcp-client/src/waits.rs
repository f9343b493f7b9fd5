//! Waits that end early: because another task has ended, or because nobody waits any more.

use super::limits;
use rmcp::RoleClient;
use rmcp::model::{CancelledNotificationParam, RequestId};
use rmcp::service::Peer;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// The output of a task, or `None` if another one ends before it.
pub async fn unless<T>(
    task: impl Future<Output = T>,
    other: impl Future<Output = ()>,
) -> Option<T> {
    let (mut task, mut other) = (pin!(task), pin!(other));
    poll_fn(|context| match task.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => other.as_mut().poll(context).map(|()| None),
    })
    .await
}

/// Tells the server that nobody waits for an answer, when it is dropped before there is one.
pub struct Cancelling {
    peer: Peer<RoleClient>,
    id: Option<RequestId>,
}

impl Cancelling {
    /// A request that waits for its answer.
    pub fn new(peer: &Peer<RoleClient>, id: &RequestId) -> Self {
        Self {
            peer: peer.clone(),
            id: Some(id.clone()),
        }
    }

    /// Ends the wait of a request that has its answer.
    pub fn answered(mut self) {
        self.id = None;
    }
}

impl Drop for Cancelling {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let reason = "nobody waits for the answer any more".to_owned();
            let params = CancelledNotificationParam::new(Some(id), Some(reason));
            let told = peer.notify_cancelled(params);
            let _ = tokio::time::timeout(limits::GRACE, told).await;
        });
    }
}
