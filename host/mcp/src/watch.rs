//! Watches reads while they run: progress notifications, and cancellation.

use super::progress;
use super::reader::Read;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::sync::Arc;
use std::time::Instant;
use tokio::task::JoinHandle;

/// Sends progress notifications for a read, if the client has asked for them, until the client
/// cancels it. Then cancels the read.
async fn watch(context: RequestContext<RoleServer>, read: Arc<dyn Read>) {
    let began = Instant::now();
    let mut ticks = progress::ticks(began);
    let token = context.meta.get_progress_token();
    loop {
        tokio::select! {
            () = context.ct.cancelled() => return read.cancel(),
            _ = ticks.tick(), if token.is_some() => {}
        }
        if let Some(token) = token.clone() {
            let seconds = began.elapsed().as_secs_f64();
            let progress = ProgressNotificationParam::new(token, seconds);
            let progress = progress.with_message(progress::message(&*read));
            let _ = context.peer.notify_progress(progress).await;
        }
    }
}

/// The task that watches a read. It ends with the read.
pub struct Watch(JoinHandle<()>);

impl Watch {
    /// Starts to watch a read.
    pub fn start(context: RequestContext<RoleServer>, read: Arc<dyn Read>) -> Self {
        Self(tokio::spawn(watch(context, read)))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Cancels a read when the future that waits for it is dropped.
pub struct CancelOnDrop(pub Arc<dyn Read>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
