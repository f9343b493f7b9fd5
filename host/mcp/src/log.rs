//! Log messages for a client.

// MCP 2026-07-28 deprecates logging. Clients of earlier versions have it.
#![expect(deprecated, reason = "clients of earlier versions have logging")]

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::Peer;
use serde_json::Value;
use std::sync::atomic::{AtomicU8, Ordering};

/// The lowest level of the messages that a client gets.
pub struct Level(AtomicU8);

impl Default for Level {
    fn default() -> Self {
        Self(AtomicU8::new(rank(LoggingLevel::Warning)))
    }
}

impl Level {
    /// Sets the level.
    pub fn set(&self, level: LoggingLevel) {
        self.0.store(rank(level), Ordering::Relaxed);
    }

    /// Whether the client gets messages of a level.
    pub fn includes(&self, level: LoggingLevel) -> bool {
        rank(level) >= self.0.load(Ordering::Relaxed)
    }

    /// Sends a message, if its level is included. Errors are ignored, because there is no other
    /// place to report them.
    pub async fn send(&self, peer: &Peer<RoleServer>, level: LoggingLevel, data: Value) {
        if self.includes(level) {
            let message = LoggingMessageNotificationParam::new(level, data).with_logger("omniread");
            let _ = peer.notify_logging_message(message).await;
        }
    }
}

fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}
