//! Connections through an HTTP proxy.
//!
//! The proxy resolves the names of hosts. So the host and the port of a request are checked, but not the
//! addresses to which the proxy connects.

use super::failure::{Failure, Step, reason};
use super::grant::Host;
use super::limits::Limits;
use super::target::Target;
use super::time::Clock;
use bytes::Bytes;
use http::header::{HOST, PROXY_AUTHORIZATION};
use http::{HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::Empty;
use hyper_util::rt::TokioIo;
use std::fmt;
use std::str::FromStr;
use tokio::net::TcpStream;

/// An HTTP proxy, as in `--proxy`. It is parsed from `http://HOST:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    /// Its host.
    pub(crate) host: Host,
    /// Its port.
    pub(crate) port: u16,
}

/// A proxy that cannot be parsed. The message does not repeat the text, which may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyError {
    /// The text is not `http://HOST:PORT`.
    Invalid,
    /// The text has a user name or a password.
    Credentials,
}

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid => "the proxy is not an address such as `http://proxy.example.com:3128`",
            Self::Credentials => {
                "the address of a proxy must not contain a user name or a password"
            }
        })
    }
}

impl std::error::Error for ProxyError {}

impl FromStr for Proxy {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, ProxyError> {
        let uri: Uri = text.parse().map_err(|_| ProxyError::Invalid)?;
        if uri.authority().is_some_and(|it| it.as_str().contains('@')) {
            return Err(ProxyError::Credentials);
        }
        let is_server = uri.scheme_str() == Some("http") && matches!(uri.path(), "" | "/");
        let host = uri.host().and_then(Host::parse);
        match (host, uri.port_u16()) {
            (Some(host), Some(port)) if is_server && port != 0 && uri.query().is_none() => {
                Ok(Self { host, port })
            }
            _ => Err(ProxyError::Invalid),
        }
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}:{}", self.host, self.port)
    }
}

/// Requests a tunnel to a host over a connection to a proxy. The connection then leads to the host.
///
/// # Errors
/// Fails if the proxy refuses the tunnel, or if it does not answer as HTTP requires.
pub async fn tunnel(
    stream: TcpStream,
    target: &Target<'_>,
    authorization: Option<&HeaderValue>,
    limits: &Limits,
    clock: &Clock,
) -> Result<TcpStream, Failure> {
    let failed = |error: hyper::Error| {
        Failure::Proxy(format!(
            "does not answer as HTTP requires: {}",
            reason(&error)
        ))
    };
    let handshake = limits.http1().handshake(TokioIo::new(stream));
    let handshake = clock
        .wait(Step::Response, limits.exchange, handshake)
        .await?;
    let (mut sender, connection) = handshake.map_err(failed)?;
    tokio::spawn(connection.with_upgrades());
    let Target { host, port, .. } = target;
    let target = format!("{host}:{port}");
    let mut request = Request::builder()
        .method(Method::CONNECT)
        .uri(&target)
        .header(HOST, &target);
    if let Some(value) = authorization {
        request = request.header(PROXY_AUTHORIZATION, value.clone());
    }
    let request = request.body(Empty::<Bytes>::new());
    let request = request.map_err(|error| Failure::Protocol(error.to_string()))?;
    let sent = sender.send_request(request);
    let response = clock.wait(Step::Response, limits.exchange, sent).await?;
    let response = response.map_err(failed)?;
    match response.status() {
        StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
            return Err(Failure::ProxyAuthorization(authorization.is_some()));
        }
        status if !status.is_success() => {
            return Err(Failure::Proxy(format!("answers with status {status}")));
        }
        _ => {}
    }
    let upgraded = hyper::upgrade::on(response);
    let upgraded = clock
        .wait(Step::Response, limits.exchange, upgraded)
        .await?;
    let upgraded = upgraded.map_err(failed)?;
    match upgraded.downcast::<TokioIo<TcpStream>>() {
        // A host with TLS waits for the client, so these bytes would be those of the proxy.
        Ok(parts) if parts.read_buf.is_empty() => Ok(parts.io.into_inner()),
        Ok(_) | Err(_) => Err(Failure::Proxy(
            "sends bytes before the host does".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_have_a_host_and_a_port() {
        for text in [
            "http://proxy.example.com:3128",
            "http://10.0.0.5:8080",
            "http://[::1]:1",
        ] {
            assert_eq!(text.parse::<Proxy>().unwrap().to_string(), text);
            let with_slash = format!("{text}/");
            assert_eq!(with_slash.parse::<Proxy>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "proxy.example.com",
            "proxy.example.com:3128",
            "http://proxy.example.com",
            "http://proxy.example.com:0",
            "http://proxy.example.com:3128/path",
            "http://proxy.example.com:3128/?a",
            "https://proxy.example.com:3128",
            "socks5://proxy.example.com:1080",
            "http://0x7f.1:3128",
        ] {
            assert_eq!(text.parse::<Proxy>(), Err(ProxyError::Invalid), "{text}");
        }
        let secret = "http://user:secret@proxy.example.com:3128".parse::<Proxy>();
        let error = secret.unwrap_err();
        assert_eq!(error, ProxyError::Credentials);
        assert!(!error.to_string().contains("secret"));
    }
}
