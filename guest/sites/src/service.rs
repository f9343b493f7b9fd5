//! Requests to a service, and how they fail.

use serde_json::Value;
use std::fmt;

/// A value of `Accept` that requests JSON.
pub const JSON: &str = "application/json";

/// What a handler needs of its service.
pub trait Service {
    /// Requests a URL with GET. Redirects are followed by the implementation, as far as it allows them.
    ///
    /// # Errors
    /// Fails if no reply arrives, or if its status is not 2xx.
    fn get(&mut self, request: &Request<'_>) -> Result<Reply, Fault>;

    /// Requests a URL as `get` does. A reply with status 400 is a reply too, because some services describe their
    /// errors in it. The default has no such replies.
    ///
    /// # Errors
    /// Fails as `get` does for other statuses.
    fn get_with_errors(&mut self, request: &Request<'_>) -> Result<Reply, Fault> {
        self.get(request)
    }

    /// Requests a URL whose first kilobyte is needed at once, and whose rest the reader may read later. A service
    /// may end the body there. The default requests all.
    ///
    /// # Errors
    /// Fails as `get` does.
    fn peek(&mut self, request: &Request<'_>) -> Result<Reply, Fault> {
        self.get(request)
    }

    /// Converts HTML of the service to Markdown. Relative URLs are resolved with `base`.
    fn markdown(&mut self, html: &str, base: &str) -> String;

    /// The time in seconds since 1970.
    fn now(&mut self) -> u64;
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// The URL, of https or http.
    pub url: &'a str,
    /// The value of `Accept`.
    pub accept: &'static str,
}

/// A reply with a status of 2xx.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The URL of the reply, after redirects.
    pub url: String,
    /// The value of `Content-Type` in lower case without parameters.
    pub mime: Option<String>,
    /// Whether a header `Link` says that there is a next page (RFC 8288).
    pub has_next: bool,
    /// The decoded body.
    pub body: Vec<u8>,
}

/// The reason why a service has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No reply arrived, or the host may not be reached. Contains the reason and what to do, in a few words.
    Unanswered(String),
    /// The service has no such thing, or hides it without a token (404, 410).
    Missing(String),
    /// The service wants a token, or another one (401, 403). Contains the host that refuses.
    Refused(String),
    /// Too many requests were sent. Contains the time at which the service accepts more, in seconds since 1970.
    Limited(Option<u64>),
    /// The service fails. Contains the status.
    Failed(u16),
    /// The reply is larger than a limit of the reader. Contains the limit in bytes.
    TooLarge(u64),
    /// The reply is not what the service documents. Contains what it is.
    Wrong(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unanswered(why) => f.write_str(why),
            Self::Missing(url) => write!(f, "there is nothing at {url} without another token"),
            Self::Refused(host) => write!(f, "{host} refuses the request without another token"),
            Self::Limited(Some(until)) => {
                write!(
                    f,
                    "the limit of requests is reached until {}",
                    crate::text::time(*until)
                )
            }
            Self::Limited(None) => f.write_str("the limit of requests is reached"),
            Self::Failed(status) => write!(f, "the service fails with status {status}"),
            Self::TooLarge(limit) => {
                let limit = crate::text::size(*limit);
                write!(f, "the reply is larger than the limit of {limit}")
            }
            Self::Wrong(what) => write!(f, "the service answers with {what}"),
        }
    }
}

impl Reply {
    /// The body as JSON.
    ///
    /// # Errors
    /// Fails if it is not JSON, such as the page of a proxy.
    pub fn json(&self) -> Result<Value, Fault> {
        serde_json::from_slice(&self.body).map_err(|_| {
            let mime = self.mime.as_deref().unwrap_or("an unknown type");
            if mime.ends_with("json") {
                return Fault::Wrong("JSON that is not valid, or nested too deep".to_owned());
            }
            Fault::Wrong(format!("{} instead of JSON", crate::text::line(mime, 60)))
        })
    }

    /// The body as text. Bytes that are not UTF-8 are replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Requests a URL whose reply is JSON.
///
/// # Errors
/// Fails if no reply arrives, or if it is not JSON.
pub fn json(service: &mut dyn Service, url: &str) -> Result<Value, Fault> {
    service.get(&Request { url, accept: JSON })?.json()
}
