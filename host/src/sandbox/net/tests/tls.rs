//! Servers with certificates.

use super::*;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::TlsAcceptor;

/// An authority that signs certificates.
pub fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut parameters = CertificateParams::new(Vec::new()).unwrap();
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap()
}

/// TLS of a server with a certificate for a name, that ends in a year.
pub fn acceptor(
    authority: &CertifiedIssuer<'static, KeyPair>,
    name: &str,
    ends: i32,
    http2: bool,
) -> TlsAcceptor {
    let mut parameters = CertificateParams::new(vec![name.to_owned()]).unwrap();
    parameters.not_after = rcgen::date_time_ymd(ends, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = parameters.signed_by(&key, authority).unwrap();
    with_certificate(certificate.der().clone(), &key, http2)
}

fn with_certificate(
    certificate: CertificateDer<'static>,
    key: &KeyPair,
    http2: bool,
) -> TlsAcceptor {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate],
            PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
        )
        .unwrap();
    config.alpn_protocols = if http2 {
        vec![b"h2".to_vec()]
    } else {
        vec![b"http/1.1".to_vec()]
    };
    TlsAcceptor::from(Arc::new(config))
}

/// A server with a certificate for a name, that ends in a year.
pub fn server(
    authority: &CertifiedIssuer<'static, KeyPair>,
    name: &str,
    ends: i32,
    http2: bool,
) -> Server {
    serve(acceptor(authority, name, ends, http2), http2)
}

/// A server that answers each request with `hello`.
fn serve(acceptor: TlsAcceptor, http2: bool) -> Server {
    Server::new(move |stream, _| {
        let acceptor = acceptor.clone();
        run(async move {
            stream.set_nonblocking(true).unwrap();
            let stream = tokio::net::TcpStream::from_std(stream).unwrap();
            let Ok(mut stream) = acceptor.accept(stream).await else {
                return;
            };
            if http2 {
                let service = hyper::service::service_fn(|request: http::Request<_>| async move {
                    let _: http::Request<hyper::body::Incoming> = request;
                    let body = http_body_util::Full::new(bytes::Bytes::from_static(b"hello"));
                    Ok::<_, std::convert::Infallible>(http::Response::new(body))
                });
                let builder =
                    hyper::server::conn::http2::Builder::new(hyper_util::rt::TokioExecutor::new());
                let _ = builder
                    .serve_connection(hyper_util::rt::TokioIo::new(stream), service)
                    .await;
                return;
            }
            let mut buffer = [0; 4096];
            while stream.read(&mut buffer).await.is_ok_and(|count| count > 0) {
                let _ = stream.write_all(HELLO).await;
            }
        });
    })
}

/// The certificate of an authority.
pub fn root(authority: &CertifiedIssuer<'static, KeyPair>) -> Vec<CertificateDer<'static>> {
    vec![authority.der().clone()]
}

/// A client that accepts certificates of these authorities.
pub fn secure(server: &Server, roots: Vec<CertificateDer<'static>>) -> Client {
    Client::new(Config {
        roots,
        ..config(&[&format!("localhost:{}", server.port)])
    })
}

/// The address of a server.
pub fn address(server: &Server) -> String {
    format!("https://localhost:{}/", server.port)
}

#[test]
fn certificates_of_a_known_authority_are_accepted() {
    let authority = authority();
    for http2 in [false, true] {
        let server = server(&authority, "localhost", 2100, http2);
        let client = secure(&server, root(&authority));
        run(async {
            for _ in 0..3 {
                let page = get(&client, &address(&server)).await;
                assert_eq!(page, Ok((200, b"hello".to_vec())), "{http2}");
            }
        });
        assert_eq!(server.connections(), 1, "{http2}");
    }
}

#[test]
fn other_certificates_are_refused() {
    let (known, unknown) = (authority(), authority());
    for (server, why) in [
        (server(&unknown, "localhost", 2100, false), "unknown"),
        (server(&known, "other.example", 2100, false), "another name"),
        (server(&known, "localhost", 2001, false), "expired"),
    ] {
        let failure = failure(&secure(&server, root(&known)), &address(&server));
        assert!(
            matches!(failure, Failure::Certificate(_)),
            "{why}: {failure:?}"
        );
    }
    let key = KeyPair::generate().unwrap();
    let parameters = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = parameters.self_signed(&key).unwrap().der().clone();
    let own = serve(with_certificate(certificate, &key, false), false);
    let refused = failure(&secure(&own, root(&known)), &address(&own));
    assert!(matches!(refused, Failure::Certificate(_)), "{refused:?}");
    let plain = Server::new(|mut stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    let failure = failure(&secure(&plain, root(&known)), &address(&plain));
    assert!(matches!(failure, Failure::Tls(_)), "{failure:?}");
}
