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

/// The origins of web pages that may use the server.
pub struct Origins(Vec<String>);

impl Origins {
    pub fn new(origins: &[String]) -> Self {
        Self(origins.iter().map(|origin| normal(origin)).collect())
    }

    /// The origin of a request, if it is allowed.
    pub fn allowed<B>(&self, request: &Request<B>) -> Option<HeaderValue> {
        let origin = request.headers().get(ORIGIN)?;
        let name = normal(origin.to_str().ok()?);
        self.0.contains(&name).then(|| origin.clone())
    }
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
        let origins = Origins::new(&["https://App.example:443".to_owned()]);
        let allowed = |origin: &str| {
            let request = Request::builder().header(ORIGIN, origin);
            let request = request.body(()).expect("a request");
            origins.allowed(&request).is_some()
        };
        assert!(allowed("https://app.example"));
        for other in ["http://app.example", "https://app.example:8443", "null", ""] {
            assert!(!allowed(other), "{other}");
        }
    }
}
