//! The network access of a reader: which hosts its reads may connect to, and how.

use crate::sandbox::net::{Client, Config, Grants, Host, Limits, Secret, System};
use http::header::PROXY_AUTHORIZATION;
use http::{HeaderName, HeaderValue};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use crate::sandbox::net::{
    DEFAULT_NET_BYTES, DEFAULT_NET_TIMEOUT, Grant, GrantError, Progress, Proxy, ProxyError,
    Received, Resolve,
};

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
    proxy: Option<Proxy>,
    limits: Limits,
    resolver: Arc<dyn Resolve>,
}

/// The reason why a setting of the network is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingError {
    /// The file of a certificate authority cannot be used.
    Authority {
        /// The file.
        file: PathBuf,
        /// The reason.
        why: String,
    },
    /// A header for a host cannot be sent.
    Header {
        /// The host.
        host: String,
        /// The name of the header.
        name: String,
        /// The reason.
        why: String,
    },
    /// The value of `User-Agent` is not valid. Contains the value.
    UserAgent(String),
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Authority { file, why } => write!(
                f,
                "cannot use the certificate authority in `{}`: {why}",
                file.display()
            ),
            Self::Header { host, name, why } => write!(
                f,
                "cannot send the header `{}` to `{}`: {why}",
                name.escape_debug(),
                host.escape_debug()
            ),
            Self::UserAgent(text) => write!(
                f,
                "`{}` cannot be the value of `User-Agent`: it has a control character",
                text.escape_debug()
            ),
        }
    }
}

impl std::error::Error for SettingError {}

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
            proxy: None,
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
    pub fn authority(mut self, file: impl AsRef<Path>) -> Self {
        self.authorities.push(file.as_ref().to_owned());
        self
    }

    /// Sets the value of the header `User-Agent`. The default is `omniread/VERSION`.
    #[must_use]
    pub fn user_agent(mut self, text: impl Into<String>) -> Self {
        self.user_agent = Some(text.into());
        self
    }

    /// Sends a header, such as a token, with each request to a host. The host must be granted. The
    /// header is sent over https. It is also sent over http if the host is this machine, or if `host`
    /// begins with `http://`. No reply or error contains the value, and no other host gets it.
    /// `Proxy-Authorization` may also be for the host of the proxy, which gets it over http.
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

    /// Sends the requests to other machines through a proxy. The proxy resolves the names of hosts, so
    /// that the addresses that they lead to are not checked. Names of hosts are still checked.
    #[must_use]
    pub fn proxy(mut self, proxy: Proxy) -> Self {
        self.proxy = Some(proxy);
        self
    }

    /// Sets the time that all requests of a read may take together. It does not count towards the
    /// timeout of the read. The default is
    /// [`DEFAULT_NET_TIMEOUT`].
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Self {
        self.limits.read = time;
        self
    }

    /// Sets the maximum size of a response in bytes, as it is sent. The default is
    /// [`DEFAULT_NET_BYTES`].
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

    /// The same network for other hosts than those of reads. No header is sent to them.
    #[cfg(feature = "mcp-client")]
    pub(crate) fn only(mut self, grants: Vec<Grant>) -> Self {
        self.grants = grants;
        self.headers = Vec::new();
        self
    }

    /// Creates the client of a reader. `None` if nothing is granted.
    ///
    /// # Errors
    /// Fails if a setting is wrong, or if the file of an authority cannot be read.
    pub(crate) fn client(self) -> Result<Option<Arc<Client>>, SettingError> {
        let grants = Grants::from(self.grants);
        let mut secrets = Vec::new();
        let mut proxy_authorization = None;
        for header in &self.headers {
            let secret = header.secret()?;
            let proxy = self.proxy.as_ref().map(|proxy| &proxy.host);
            if secret.name == PROXY_AUTHORIZATION && proxy == Some(&secret.host) {
                proxy_authorization = Some(secret.value);
            } else if grants.mention(&secret.host) {
                secrets.push(secret);
            } else {
                return Err(header.wrong("the host is not granted"));
            }
        }
        let mut roots = Vec::new();
        for file in &self.authorities {
            roots.extend(certificates(file)?);
        }
        let mut config = Config::new(grants);
        if let Some(text) = self.user_agent {
            config.user_agent =
                HeaderValue::from_str(&text).map_err(|_| SettingError::UserAgent(text))?;
        }
        if config.grants.is_empty() {
            return Ok(None);
        }
        Ok(Some(Arc::new(Client::new(Config {
            roots,
            secrets,
            proxy: self.proxy,
            proxy_authorization,
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
    /// Fails if a part of it is not valid.
    fn secret(&self) -> Result<Secret, SettingError> {
        let wrong = |why| self.wrong(why);
        let plain = self.host.strip_prefix("http://");
        let host = Host::parse(plain.unwrap_or(&self.host));
        let host = host.ok_or_else(|| wrong("the host is not valid"))?;
        let name = HeaderName::from_bytes(self.name.as_bytes());
        let value = HeaderValue::from_str(&self.value);
        let mut value = value.map_err(|_| wrong("the value has a control character"))?;
        value.set_sensitive(true);
        Ok(Secret {
            is_plain: plain.is_some() || host.is_this_machine(),
            host,
            name: name.map_err(|_| wrong("the name is not valid"))?,
            value,
        })
    }

    fn wrong(&self, why: &str) -> SettingError {
        SettingError::Header {
            host: self.host.clone(),
            name: self.name.clone(),
            why: why.to_owned(),
        }
    }
}

/// The certificates in a file.
fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, SettingError> {
    let wrong = |why: String| SettingError::Authority {
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
        assert_eq!(with(&["public"], "http://a.example", name, "x"), Ok(()));
        for grants in [&["b.example"][..], &[], &["*.a.example"]] {
            let error = with(grants, "a.example", name, "secret").unwrap_err();
            assert!(error.contains("is not granted"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
        for (host, name, value) in [
            ("https://a.example", name, "x"),
            ("http://a.example/", name, "x"),
            ("a.example", "a b", "x"),
            ("a.example", name, "secret\r\nX: y"),
        ] {
            let error = with(&["a.example"], host, name, value).unwrap_err();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn only_the_proxy_gets_its_password() {
        let with = |name: &str, host: &str| {
            let proxy = "http://proxy.example:3128".parse().unwrap();
            let network = network(&["a.example"]).proxy(proxy);
            let built = network.header(host, name, "Basic secret").client();
            built.map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(with("Proxy-Authorization", "proxy.example"), Ok(()));
        for (name, host) in [
            ("Authorization", "proxy.example"),
            ("Proxy-Authorization", "other.example"),
        ] {
            let error = with(name, host).unwrap_err();
            assert!(error.contains("is not granted"), "{error}");
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
                matches!(built, Err(SettingError::Authority { .. })),
                "{text:?}"
            );
        }
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn user_agent_is_one_line() {
        let built = network(&["public"]).user_agent("a\nb").client();
        assert!(matches!(built, Err(SettingError::UserAgent(_))));
    }
}
