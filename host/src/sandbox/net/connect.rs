//! Connections to addresses that were checked, with TLS if the scheme is `https`.

use super::failure::{Failure, Step};
use super::grant::{Grants, Host};
use super::limits::TRIED_ADDRESSES;
use super::proxy::Proxy;
use super::resolve::Resolve;
use super::target::Target;
use super::time::Clock;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// A connection.
pub enum Connection {
    /// Without TLS.
    Plain(TcpStream),
    /// With TLS.
    Tls(Box<TlsStream<TcpStream>>),
}

impl Connection {
    /// Whether the server chose HTTP/2.
    pub fn is_http2(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Tls(stream) => stream.get_ref().1.alpn_protocol() == Some(b"h2"),
        }
    }
}

/// The configuration of TLS: the roots of the platform, and `more`.
///
/// # Errors
/// Fails with a message if there is no root, or if one of `more` is not a certificate.
pub fn tls(more: &[CertificateDer<'static>]) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    let native = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(native.certs);
    for one in more {
        roots.add(one.clone()).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() {
        return Err("the system has no root certificates".to_owned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// Makes a connection to the host of an address.
///
/// # Errors
/// Fails if the grants forbid the host or all of its addresses, before anything is sent to them, or if
/// no address answers.
pub async fn connect(
    grants: &Grants,
    resolver: &Arc<dyn Resolve>,
    target: &Target<'_>,
    limit: Duration,
    clock: &Clock,
) -> Result<TcpStream, Failure> {
    let (host, port) = (&target.host, target.port);
    grants.check_host(host, port)?;
    let addresses = addresses(resolver, host, limit, clock).await?;
    let mut failure = no_address();
    let mut allowed = Vec::new();
    for address in addresses {
        match grants.check_address(host, port, address) {
            Ok(()) => allowed.push(SocketAddr::new(address, port)),
            Err(denied) => failure = Failure::Denied(denied),
        }
    }
    if allowed.is_empty() {
        return Err(failure);
    }
    reach(allowed, limit, clock).await
}

/// Makes a connection to a proxy. The user has named it, so that any address of it is allowed.
///
/// # Errors
/// Fails if no address answers.
pub async fn connect_proxy(
    resolver: &Arc<dyn Resolve>,
    proxy: &Proxy,
    limit: Duration,
    clock: &Clock,
) -> Result<TcpStream, Failure> {
    let addresses = addresses(resolver, &proxy.host, limit, clock).await;
    let connected = match addresses {
        Ok(addresses) => {
            let addresses = addresses.into_iter();
            let sockets = addresses.map(|address| SocketAddr::new(address, proxy.port));
            reach(sockets.collect(), limit, clock).await
        }
        Err(failure) => Err(failure),
    };
    connected.map_err(|failure| match failure {
        Failure::Name(why) => Failure::Proxy(format!("has no address: {why}")),
        Failure::Connect(why) => Failure::Proxy(format!("cannot be reached: {why}")),
        Failure::Timeout(Step::Resolve | Step::Connect, limit) => {
            let seconds = limit.as_secs_f64();
            Failure::Proxy(format!("cannot be reached within {seconds} s"))
        }
        failure => failure,
    })
}

/// Makes a connection to the first address that answers. `limit` is for all of them, so that a host
/// with an address that does not answer is still reached.
async fn reach(
    addresses: Vec<SocketAddr>,
    limit: Duration,
    clock: &Clock,
) -> Result<TcpStream, Failure> {
    let mut failure = no_address();
    let count = addresses.len().clamp(1, TRIED_ADDRESSES);
    let limit = limit / u32::try_from(count).unwrap_or(1);
    for address in addresses.into_iter().take(count) {
        match clock
            .wait(Step::Connect, limit, TcpStream::connect(address))
            .await
        {
            Ok(Ok(stream)) => {
                // Requests are small, and must not wait for each other.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Ok(Err(error)) => failure = Failure::Connect(error.to_string()),
            Err(stop @ (Failure::Stopped | Failure::Timeout(Step::Read, _))) => return Err(stop),
            Err(other) => failure = other,
        }
    }
    Err(failure)
}

fn no_address() -> Failure {
    Failure::Name("it has no address".to_owned())
}

async fn addresses(
    resolver: &Arc<dyn Resolve>,
    host: &Host,
    limit: Duration,
    clock: &Clock,
) -> Result<Vec<IpAddr>, Failure> {
    let name = match host {
        Host::Address(address) => return Ok(vec![*address]),
        Host::Name(name) => name.clone(),
    };
    let resolver = Arc::clone(resolver);
    // The system's resolver blocks, and may not return for a minute.
    let resolving = tokio::task::spawn_blocking(move || resolver.resolve(&name));
    match clock.wait(Step::Resolve, limit, resolving).await? {
        Ok(Ok(addresses)) => Ok(addresses),
        Ok(Err(error)) => Err(Failure::Name(error.to_string())),
        Err(_) => Err(Failure::Name("the resolver failed".to_owned())),
    }
}

/// Starts TLS on a connection.
///
/// # Errors
/// Fails if the handshake fails, or if the certificate is not valid for the host.
pub async fn start_tls(
    stream: TcpStream,
    config: Arc<ClientConfig>,
    host: &Host,
    limit: Duration,
    clock: &Clock,
) -> Result<Connection, Failure> {
    let name = match host {
        Host::Name(name) => ServerName::try_from(name.clone())
            .map_err(|error| Failure::Certificate(error.to_string()))?,
        Host::Address(address) => ServerName::IpAddress((*address).into()),
    };
    let handshake = TlsConnector::from(config).connect(name, stream);
    match clock.wait(Step::Tls, limit, handshake).await? {
        Ok(stream) => Ok(Connection::Tls(Box::new(stream))),
        Err(error) => Err(tls_failure(&error)),
    }
}

fn tls_failure(error: &io::Error) -> Failure {
    let inner = error
        .get_ref()
        .and_then(|it| it.downcast_ref::<rustls::Error>());
    match inner {
        Some(rustls::Error::InvalidCertificate(reason)) => Failure::Certificate(reason.to_string()),
        Some(other) => Failure::Tls(other.to_string()),
        None => Failure::Tls(error.to_string()),
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(context, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_write(context, buffer),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
