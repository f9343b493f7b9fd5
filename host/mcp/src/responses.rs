//! HTTP responses.

use hyper::body::Bytes;
use hyper::{Response, StatusCode};
use std::convert::Infallible;

/// The body of a response.
pub type Body = http_body_util::combinators::BoxBody<Bytes, Infallible>;

/// A response with a text.
pub fn plain(status: StatusCode, message: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::new(http_body_util::Full::from(message)));
    *response.status_mut() = status;
    response
}
