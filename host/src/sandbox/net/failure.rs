//! Why a request has no response.

use super::grant::Denied;
use super::limits::{BODY_PARTS, Limits, RESPONSE_HEADERS};
use std::fmt;
use std::time::Duration;

/// Why a request has no response, or why its body ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The grants do not allow the connection.
    Denied(Denied),
    /// The method is not GET or HEAD.
    Method(String),
    /// The address has no valid host. Contains the host.
    Address(String),
    /// The name could not be resolved. Contains the reason.
    Name(String),
    /// No connection could be made. Contains the reason.
    Connect(String),
    /// The proxy made no connection to the host. Contains what it did.
    Proxy(String),
    /// The proxy requires a user name and a password. Contains whether some were sent.
    ProxyAuthorization(bool),
    /// The certificate is not valid for the host. Contains the reason.
    Certificate(String),
    /// The TLS handshake failed for another reason.
    Tls(String),
    /// The server did not answer as HTTP requires. Contains the reason.
    Protocol(String),
    /// The headers of the response are too many, or larger than the limit, in bytes.
    Headers(usize),
    /// The bodies of the responses have too many parts.
    Parts,
    /// The body is larger than the limit, in bytes.
    Body(u64),
    /// A step took longer than its limit.
    Timeout(Step, Duration),
    /// The read was stopped.
    Stopped,
}

/// A step of a request with a time limit of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The name was not resolved.
    Resolve,
    /// No connection was made.
    Connect,
    /// The TLS handshake did not end.
    Tls,
    /// The headers of the response did not arrive.
    Response,
    /// The next part of the body did not arrive.
    Body,
    /// All requests of the read together took too long.
    Read,
}

impl Failure {
    /// The setting that allows the request, as a sentence without a full stop. `None` if no setting
    /// does.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Denied(denied) => return denied.hint(),
            Self::ProxyAuthorization(false) => {
                "use `--net-header PROXY=Proxy-Authorization=env:VARIABLE`, where PROXY is the host of the proxy"
            }
            Self::Certificate(_) => "use `--ca FILE` to add a certificate authority",
            Self::Body(_) => "use `--net-bytes SIZE` to raise the limit",
            Self::Timeout(Step::Read, _) => "use `--net-timeout SECONDS` to raise the limit",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(denied) => denied.fmt(f),
            Self::Method(method) => write!(f, "requests with the method {method} are not allowed"),
            Self::Address(host) => write!(f, "`{host}` is not a valid host"),
            Self::Name(why) => write!(f, "the name could not be resolved: {why}"),
            Self::Connect(why) => write!(f, "no connection could be made: {why}"),
            Self::Proxy(what) => write!(f, "the proxy {what}"),
            Self::ProxyAuthorization(false) => {
                f.write_str("the proxy requires a user name and a password (status 407)")
            }
            Self::ProxyAuthorization(true) => {
                f.write_str("the proxy refuses the user name or the password (status 407)")
            }
            Self::Certificate(why) => write!(f, "the certificate is not valid: {why}"),
            Self::Tls(why) => write!(f, "the TLS handshake failed: {why}"),
            Self::Protocol(why) => write!(f, "the response is not valid HTTP: {why}"),
            Self::Headers(limit) => write!(
                f,
                "it has more than {limit} bytes of headers, or more than {RESPONSE_HEADERS} headers"
            ),
            Self::Parts => write!(f, "the server sends more than {BODY_PARTS} parts"),
            Self::Body(limit) => write!(f, "the body has more than {limit} bytes"),
            Self::Timeout(step, limit) => write!(f, "{step} within {} s", limit.as_secs_f64()),
            Self::Stopped => f.write_str("the read was stopped"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resolve => "the name was not resolved",
            Self::Connect => "no connection was made",
            Self::Tls => "the TLS handshake did not end",
            Self::Response => "the headers of the response did not arrive",
            Self::Body => "the next part of the body did not arrive",
            Self::Read => "the requests did not end",
        })
    }
}

impl std::error::Error for Failure {}

impl From<Denied> for Failure {
    fn from(denied: Denied) -> Self {
        Self::Denied(denied)
    }
}

/// The innermost reason of an error.
pub fn reason(error: &hyper::Error) -> String {
    let mut at: &dyn std::error::Error = error;
    while let Some(inner) = at.source() {
        at = inner;
    }
    at.to_string()
}

/// Why a request has no response.
pub fn failed_exchange(error: &hyper::Error, limits: &Limits) -> Failure {
    if error.is_parse_too_large() {
        Failure::Headers(limits.headers)
    } else {
        Failure::Protocol(reason(error))
    }
}
