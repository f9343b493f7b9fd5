//! Certificates, for a server with TLS.

use base64::Engine as _;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::sync::Arc;

/// An authority that signs certificates. No machine knows it.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Authority")
    }
}

/// The time in which a certificate is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// It is valid now.
    Now,
    /// It was valid years ago.
    Expired,
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

impl Authority {
    /// Creates an authority.
    ///
    /// # Panics
    /// Panics if the machine has no random numbers.
    pub fn new() -> Self {
        let mut parameters = CertificateParams::new(Vec::new()).expect("no names");
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        Self(CertifiedIssuer::self_signed(parameters, key).expect("a certificate"))
    }

    /// The certificate of the authority as PEM, for a file of trusted certificates.
    pub fn pem(&self) -> String {
        let code = base64::engine::general_purpose::STANDARD.encode(self.0.der());
        let lines: Vec<String> = code
            .as_bytes()
            .chunks(64)
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
        let lines = lines.join("\n");
        format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n")
    }

    /// The configuration of a server whose certificate this authority signs. `name` is a name or
    /// an address of the server.
    ///
    /// # Panics
    /// Panics if it is neither.
    pub fn server(&self, name: &str, validity: Validity) -> Arc<ServerConfig> {
        let (parameters, key) = parameters(name, validity);
        let signed = parameters.signed_by(&key, &self.0).expect("a certificate");
        config(signed.der().clone(), &key)
    }

    /// The configuration of a server that signs its certificate itself.
    ///
    /// # Panics
    /// Panics if `name` is neither a name nor an address.
    pub fn self_signed(name: &str) -> Arc<ServerConfig> {
        let (parameters, key) = parameters(name, Validity::Now);
        let signed = parameters.self_signed(&key).expect("a certificate");
        config(signed.der().clone(), &key)
    }
}

fn parameters(name: &str, validity: Validity) -> (CertificateParams, KeyPair) {
    let mut parameters = CertificateParams::new(vec![name.to_owned()]).expect("a name");
    let end = match validity {
        Validity::Now => 2100,
        Validity::Expired => 2001,
    };
    parameters.not_after = rcgen::date_time_ymd(end, 1, 1);
    (parameters, KeyPair::generate().expect("a key"))
}

fn config(certificate: CertificateDer<'static>, key: &KeyPair) -> Arc<ServerConfig> {
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("the key of the certificate");
    Arc::new(config)
}
