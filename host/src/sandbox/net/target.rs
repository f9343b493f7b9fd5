//! The server to which a request goes.

use super::failure::Failure;
use super::grant::Host;
use http::Uri;

/// The address of a request, and the server in it.
pub struct Target<'a> {
    /// The address.
    pub uri: &'a Uri,
    /// Whether the scheme is `https`.
    pub is_tls: bool,
    /// The host.
    pub host: Host,
    /// The port.
    pub port: u16,
}

impl<'a> Target<'a> {
    /// The target of an address.
    ///
    /// # Errors
    /// Fails if the address is not one of a web server, if its host is not a name or an IP address, or
    /// if it has a user name, which would be sent to the host.
    pub fn of(uri: &'a Uri) -> Result<Self, Failure> {
        let invalid = || Failure::Address(uri.host().unwrap_or_default().to_owned());
        let is_tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(invalid()),
        };
        if uri.authority().is_none_or(|it| it.as_str().contains('@')) {
            return Err(invalid());
        }
        let host = uri.host().and_then(Host::parse).ok_or_else(invalid)?;
        let port = uri.port_u16().unwrap_or(default_port(is_tls));
        Ok(Self {
            uri,
            is_tls,
            host,
            port,
        })
    }

    /// The host, with the port unless it is that of the scheme.
    pub fn authority(&self) -> String {
        if self.port == default_port(self.is_tls) {
            self.host.to_string()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

fn default_port(is_tls: bool) -> u16 {
    if is_tls { 443 } else { 80 }
}
