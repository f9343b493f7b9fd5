//! The responses to programs that watch the server: whether it answers, and its metrics.

use super::responses::{Body, plain};
use hyper::header::{ALLOW, CONTENT_TYPE, HOST, HeaderValue};
use hyper::http::uri::Authority;
use hyper::{Method, Request, Response, StatusCode};
use omniread_service::METRICS_TYPE;

/// The response to a request whether the server answers. It needs no token, has no fact about the server, and accepts any
/// `Host`: programs that watch containers use the address of the container.
pub fn health<B>(request: &Request<B>) -> Response<Body> {
    wrong_method(request).unwrap_or_else(|| text("ok\n".to_owned(), "text/plain; charset=utf-8"))
}

/// The response with the metrics.
pub fn metrics<B>(request: &Request<B>, all: impl FnOnce() -> String) -> Response<Body> {
    wrong_method(request).unwrap_or_else(|| text(all(), METRICS_TYPE))
}

/// Whether the `Host` of a request is one of these names. A name without a port has any.
pub fn has_host<B>(request: &Request<B>, names: &[String]) -> bool {
    let host = request.headers().get(HOST);
    let host = host.and_then(|host| Authority::try_from(host.as_bytes()).ok());
    host.is_some_and(|host| names.iter().any(|name| is_named(&host, name)))
}

fn is_named(host: &Authority, name: &str) -> bool {
    let bare = |name: &str| name.trim_matches(['[', ']']).to_ascii_lowercase();
    // The address `::1` without brackets is no authority.
    match name.parse::<Authority>() {
        Ok(name) => {
            let has_port = name.port().is_none() || name.port_u16() == host.port_u16();
            has_port && bare(name.host()) == bare(host.host())
        }
        Err(_) => bare(name) == bare(host.host()),
    }
}

/// The response to a request with another method than GET and HEAD.
fn wrong_method<B>(request: &Request<B>) -> Option<Response<Body>> {
    if [Method::GET, Method::HEAD].contains(request.method()) {
        return None;
    }
    let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "use GET");
    let methods = HeaderValue::from_static("GET, HEAD");
    response.headers_mut().insert(ALLOW, methods);
    Some(response)
}

fn text(text: String, kind: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::new(http_body_util::Full::from(text)));
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
