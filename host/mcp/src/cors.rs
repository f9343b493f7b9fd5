//! The headers that let web pages of allowed origins use the server (CORS).

use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderMap, HeaderValue, ORIGIN, VARY,
};
use hyper::{Method, Request};

/// The headers of requests of MCP.
const REQUEST_HEADERS: &str = "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id";

/// The time in seconds for which a browser keeps the answer about allowed requests.
const MAX_AGE: &str = "600";

/// The origins of web pages that programs of this machine serve, at any port.
const LOCAL: [&str; 3] = ["http://localhost", "http://127.0.0.1", "http://[::1]"];

/// The origins of web pages that may use the server.
pub struct Origins {
    names: Vec<String>,
    /// Whether pages that programs of this machine serve may use it.
    local: bool,
}

impl Origins {
    pub fn new(origins: &[String], local: bool) -> Self {
        Self {
            names: origins.iter().map(|origin| normal(origin)).collect(),
            local,
        }
    }

    /// The patterns of the origins for rmcp, which takes a pattern without a port for all ports.
    pub fn patterns(&self) -> Vec<String> {
        let local = self.local.then_some(LOCAL).into_iter().flatten();
        let local = local.map(|origin| format!("{origin}:*"));
        let names = self.names.iter().map(|name| match name.split_once("://") {
            Some(("https", rest)) if !has_port(rest) => format!("{name}:443"),
            Some(("http", rest)) if !has_port(rest) => format!("{name}:80"),
            _ => name.clone(),
        });
        names.chain(local).collect()
    }

    /// The origin of a request, if it is allowed.
    pub fn allowed<B>(&self, request: &Request<B>) -> Option<HeaderValue> {
        let origin = request.headers().get(ORIGIN)?;
        let name = normal(origin.to_str().ok()?);
        let is_allowed = self.names.contains(&name) || (self.local && is_local(&name));
        is_allowed.then(|| origin.clone())
    }
}

/// Whether the host of an origin is followed by a port.
fn has_port(host: &str) -> bool {
    host.rsplit_once(':')
        .is_some_and(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether an origin in lower case is that of a page that a program of this machine serves.
fn is_local(origin: &str) -> bool {
    LOCAL.iter().any(|local| match origin.strip_prefix(local) {
        Some("") => true,
        Some(port) => port
            .strip_prefix(':')
            .is_some_and(|port| port.parse::<u16>().is_ok()),
        None => false,
    })
}

/// An origin in lower case, without the default port of its scheme.
fn normal(origin: &str) -> String {
    let origin = origin.to_ascii_lowercase();
    let port = match origin.split_once("://") {
        Some(("https", _)) => ":443",
        Some(("http", _)) => ":80",
        _ => return origin,
    };
    origin.strip_suffix(port).unwrap_or(&origin).to_owned()
}

/// Whether a browser asks which requests a web page may send. Such a request has no token.
pub fn is_preflight<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Lets a web page of this origin read a response.
pub fn allow(headers: &mut HeaderMap, origin: HeaderValue) {
    let exposed = HeaderValue::from_static("mcp-session-id");
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    headers.insert(VARY, HeaderValue::from_static("origin"));
}

/// Lets a web page send requests of MCP.
pub fn allow_requests(headers: &mut HeaderMap) {
    let methods = HeaderValue::from_static("GET, POST, DELETE");
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    let allowed = HeaderValue::from_static(REQUEST_HEADERS);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_ports_do_not_matter() {
        let origins = Origins::new(&["https://App.example:443".to_owned()], true);
        assert!(allowed(&origins, "https://app.example"));
        for other in ["http://app.example", "https://app.example:8443", "null", ""] {
            assert!(!allowed(&origins, other), "{other}");
        }
    }

    #[test]
    fn pages_of_this_machine_are_allowed_at_a_loopback_address() {
        let (local, remote) = (Origins::new(&[], true), Origins::new(&[], false));
        for origin in [
            "http://localhost",
            "http://localhost:6274",
            "http://127.0.0.1:80",
            "http://[::1]:3000",
        ] {
            assert!(allowed(&local, origin), "{origin}");
            assert!(!allowed(&remote, origin), "{origin}");
        }
        for origin in [
            "http://localhost.evil.example",
            "http://localhost:3000.evil.example",
            "http://localhost:",
            "http://localhost@evil.example",
            "http://127.0.0.2",
            "file://localhost",
        ] {
            assert!(!allowed(&local, origin), "{origin}");
        }
    }

    fn allowed(origins: &Origins, origin: &str) -> bool {
        let request = Request::builder().header(ORIGIN, origin);
        let request = request.body(()).expect("a request");
        origins.allowed(&request).is_some()
    }
}
