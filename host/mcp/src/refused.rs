//! HTTP requests that are refused, for the log.

use super::request_log::short;
use hyper::header::{HOST, HeaderName, ORIGIN, USER_AGENT};
use hyper::{Request, StatusCode};
use serde_json::{Value, json};
use std::net::SocketAddr;

/// What the log has about a request that was refused. The token is not in it.
pub struct Refused {
    peer: SocketAddr,
    method: String,
    path: String,
    host: Option<String>,
    origin: Option<String>,
    agent: Option<String>,
}

impl Refused {
    pub fn new<B>(request: &Request<B>, peer: SocketAddr) -> Self {
        let header = |name: HeaderName| {
            let value = request.headers().get(name)?;
            Some(short(&String::from_utf8_lossy(value.as_bytes())))
        };
        Self {
            peer,
            method: short(request.method().as_str()),
            path: short(request.uri().path()),
            host: header(HOST),
            origin: header(ORIGIN),
            agent: header(USER_AGENT),
        }
    }

    /// The facts for the log. `server_path` is the path of the server, and `origin_allowed` says
    /// whether the `Origin` of the request may use it.
    pub fn facts(self, status: StatusCode, server_path: &str, origin_allowed: bool) -> Value {
        let reason = match status {
            StatusCode::UNAUTHORIZED => "token",
            StatusCode::FORBIDDEN if self.origin.is_some() && !origin_allowed => "origin",
            StatusCode::FORBIDDEN => "host",
            StatusCode::NOT_FOUND if self.path == server_path => "session_or_method",
            StatusCode::NOT_FOUND => "path",
            StatusCode::METHOD_NOT_ALLOWED => "http_method",
            StatusCode::NOT_ACCEPTABLE => "accept",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "content_type",
            StatusCode::PAYLOAD_TOO_LARGE => "size",
            _ if status.is_server_error() => "server",
            _ => "message",
        };
        json!({
            "reason": reason,
            "status": status.as_u16(),
            "remote": self.peer.to_string(),
            "http_method": self.method,
            "path": self.path,
            "host": self.host,
            "origin": self.origin,
            "user_agent": self.agent,
        })
    }
}
