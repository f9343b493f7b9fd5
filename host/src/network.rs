//! The network access of a reader: which hosts its reads may connect to, and how.

use crate::builder::BuildError;
use crate::sandbox::net::{Client, Config, Grant, Grants, Host, Limits, Resolve, Secret, System};
use http::{HeaderName, HeaderValue};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The network access of a reader. Without a grant, no read connects to a host.
///
/// ```
/// let network = omniread::Network::default()
///     .allow("docs.example.com".parse()?)
///     .allow("localhost:8080".parse()?);
/// let reader = omniread::Reader::builder().network(network).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A reader and its clones share their connections, which are kept for their lifetime.
#[derive(Clone)]
pub struct Network {
    grants: Vec<Grant>,
    authorities: Vec<PathBuf>,
    user_agent: Option<String>,
    headers: Vec<Header>,
    limits: Limits,
    resolver: Arc<dyn Resolve>,
}

/// A header that is sent to one host.
#[derive(Clone)]
struct Header {
    host: String,
    name: String,
    value: String,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            grants: Vec::new(),
            authorities: Vec::new(),
            user_agent: None,
            headers: Vec::new(),
            limits: Limits::default(),
            resolver: Arc::new(System),
        }
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("grants", &self.grants)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Allows connections to a host, to the hosts below a name, or to all public hosts.
    #[must_use]
    pub fn allow(mut self, grant: Grant) -> Self {
        self.grants.push(grant);
        self
    }

    /// Accepts certificates that an authority has signed whose certificate is in this file, in PEM
    /// format, besides the authorities of the platform.
    #[must_use]
    pub fn authority(mut self, file: impl Into<PathBuf>) -> Self {
        self.authorities.push(file.into());
        self
    }

    /// Sets the value of the header `User-Agent`. The default is `omniread/VERSION`.
    #[must_use]
    pub fn user_agent(mut self, text: impl Into<String>) -> Self {
        self.user_agent = Some(text.into());
        self
    }

    /// Sends a header, such as a token, with each request to a host. The host must be granted. No
    /// reply or error contains the value, and no other host gets it.
    #[must_use]
    pub fn header(
        mut self,
        host: impl Into<String>,
        name: impl Into<String>,
        value: impl Into<String>,
    ) -> Self {
        self.headers.push(Header {
            host: host.into(),
            name: name.into(),
            value: value.into(),
        });
        self
    }

    /// Sets the time that all requests of a read may take together. It does not count towards the
    /// timeout of the read. The default is
    /// [`DEFAULT_NET_TIMEOUT`](crate::DEFAULT_NET_TIMEOUT).
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Self {
        self.limits.read = time;
        self
    }

    /// Sets the maximum size of a response in bytes, as it is sent. The default is
    /// [`DEFAULT_NET_BYTES`](crate::DEFAULT_NET_BYTES).
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.limits.body = bytes;
        self
    }

    /// Sets the resolver of names. The default is that of the system.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolve + 'static) -> Self {
        self.resolver = Arc::new(resolver);
        self
    }

    /// Creates the client of a reader. `None` if nothing is granted.
    ///
    /// # Errors
    /// Fails if a setting is wrong, or if the file of an authority cannot be read.
    pub(crate) fn client(self) -> Result<Option<Arc<Client>>, BuildError> {
        let grants = Grants::from(self.grants);
        let mut secrets = Vec::new();
        for header in &self.headers {
            secrets.push(header.secret(&grants)?);
        }
        let mut roots = Vec::new();
        for file in &self.authorities {
            roots.extend(certificates(file)?);
        }
        let mut config = Config::new(grants);
        if let Some(text) = self.user_agent {
            config.user_agent =
                HeaderValue::from_str(&text).map_err(|_| BuildError::UserAgent(text))?;
        }
        if config.grants.is_empty() {
            return Ok(None);
        }
        Ok(Some(Arc::new(Client::new(Config {
            roots,
            secrets,
            limits: self.limits,
            resolver: self.resolver,
            ..config
        }))))
    }
}

impl Header {
    /// The header as the client sends it.
    ///
    /// # Errors
    /// Fails if a part of it is not valid, or if its host is not granted.
    fn secret(&self, grants: &Grants) -> Result<Secret, BuildError> {
        let wrong = |why: &str| BuildError::Header {
            host: self.host.clone(),
            name: self.name.clone(),
            why: why.to_owned(),
        };
        let host = Host::parse(&self.host).ok_or_else(|| wrong("the host is not valid"))?;
        if !grants.mention(&host) {
            return Err(wrong("the host is not granted"));
        }
        let name = HeaderName::from_bytes(self.name.as_bytes());
        let value = HeaderValue::from_str(&self.value);
        let mut value = value.map_err(|_| wrong("the value has a control character"))?;
        value.set_sensitive(true);
        Ok(Secret {
            host,
            name: name.map_err(|_| wrong("the name is not valid"))?,
            value,
        })
    }
}

/// The certificates in a file.
fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, BuildError> {
    let wrong = |why: String| BuildError::Authority {
        file: file.to_owned(),
        why,
    };
    let text = std::fs::read(file).map_err(|error| wrong(error.to_string()))?;
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let all = all.map_err(|error| wrong(error.to_string()))?;
    if all.is_empty() {
        return Err(wrong("it has no certificate in PEM format".to_owned()));
    }
    let mut store = rustls::RootCertStore::empty();
    for one in &all {
        store
            .add(one.clone())
            .map_err(|error| wrong(error.to_string()))?;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(grants: &[&str]) -> Network {
        let grants = grants.iter().map(|grant| grant.parse().unwrap());
        grants.fold(Network::default(), Network::allow)
    }

    #[test]
    fn nothing_is_granted_by_default() {
        assert!(network(&[]).client().unwrap().is_none());
        assert!(network(&["public"]).client().unwrap().is_some());
    }

    #[test]
    fn headers_are_for_granted_hosts() {
        let with = |grants: &[&str], host: &str, name: &str, value: &str| {
            let built = network(grants).header(host, name, value).client();
            built.map(|_| ()).map_err(|error| error.to_string())
        };
        let name = "Authorization";
        for grant in ["a.example", "a.example:8443", "*.example", "public"] {
            assert_eq!(with(&[grant], "a.example", name, "Bearer x"), Ok(()));
        }
        for grants in [&["b.example"][..], &[], &["*.a.example"]] {
            let error = with(grants, "a.example", name, "secret").unwrap_err();
            assert!(error.contains("is not granted"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
        for (host, name, value) in [
            ("http://a.example", name, "x"),
            ("a.example", "a b", "x"),
            ("a.example", name, "secret\r\nX: y"),
        ] {
            let error = with(&["a.example"], host, name, value).unwrap_err();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn authorities_are_certificates() {
        let missing = network(&["public"]).authority("/missing/ca.pem").client();
        let error = missing.unwrap_err().to_string();
        assert!(error.contains("`/missing/ca.pem`"), "{error}");
        let file = std::env::temp_dir().join(format!("omniread-{}.pem", std::process::id()));
        for text in [
            "",
            "no certificate",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ] {
            std::fs::write(&file, text).unwrap();
            let built = network(&["public"]).authority(&file).client();
            assert!(
                matches!(built, Err(BuildError::Authority { .. })),
                "{text:?}"
            );
        }
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn user_agent_is_one_line() {
        let built = network(&["public"]).user_agent("a\nb").client();
        assert!(matches!(built, Err(BuildError::UserAgent(_))));
    }
}
