//! Addresses to listen at, as in `--http`.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs as _};

/// An address to listen at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The host name or the IP address.
    pub host: String,
    port: u16,
}

impl Address {
    /// Parses `8080`, `localhost:8080` or `127.0.0.1:8080`. A port alone is one of this machine.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Self {
                host: address.ip().to_string(),
                port: address.port(),
            });
        }
        if text.parse::<IpAddr>().is_ok() {
            let host = if text.contains(':') {
                format!("[{text}]")
            } else {
                text.to_owned()
            };
            return Err(format!("it has no port; write {host}:8080"));
        }
        if let Some((_, rest)) = text.split_once("://") {
            let host = rest.split('/').next().unwrap_or_default();
            return Err(format!("it is a URL; write {host}"));
        }
        let (host, port) = text.rsplit_once(':').unwrap_or(("localhost", text));
        let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        match port.parse() {
            _ if host.is_empty() && is_port => Err(format!(
                "write {port} for programs of this machine, or 0.0.0.0:{port} for all"
            )),
            Ok(port) if is_port && is_name(host) => Ok(Self {
                host: host.to_owned(),
                port,
            }),
            Err(_) if is_port => Err("a port is a number from 0 to 65535".to_owned()),
            _ if is_name(text) => Err(format!("it has no port; write {text}:8080")),
            _ => Err("write a port, such as 8080, or an address with a port".to_owned()),
        }
    }

    /// The address to listen at. The name of a host is looked up, except `localhost`, which is
    /// always this machine.
    pub fn resolve(&self) -> io::Result<SocketAddr> {
        if self.host.eq_ignore_ascii_case("localhost") {
            return Ok((Ipv4Addr::LOCALHOST, self.port).into());
        }
        let mut addresses = (self.host.as_str(), self.port).to_socket_addrs()?;
        addresses
            .next()
            .ok_or_else(|| io::Error::from(io::ErrorKind::AddrNotAvailable))
    }
}

/// Whether a text can be the name of a host.
fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    !text.is_empty() && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_names_and_addresses_are_parsed() {
        for (text, host, resolved) in [
            ("8080", "localhost", "127.0.0.1:8080"),
            ("0", "localhost", "127.0.0.1:0"),
            ("localhost:8080", "localhost", "127.0.0.1:8080"),
            ("LOCALHOST:1", "LOCALHOST", "127.0.0.1:1"),
            ("127.0.0.1:8080", "127.0.0.1", "127.0.0.1:8080"),
            ("0.0.0.0:80", "0.0.0.0", "0.0.0.0:80"),
            ("[::1]:8080", "::1", "[::1]:8080"),
        ] {
            let address = Address::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(address.host, host);
            let found = address.resolve().expect("no name is looked up");
            assert_eq!(found.to_string(), resolved);
        }
        let named = Address::parse("my-host.example:8080").expect("an address");
        assert_eq!((named.host.as_str(), named.port), ("my-host.example", 8080));
    }

    #[test]
    fn wrong_address_says_what_to_write() {
        for (text, hint) in [
            ("127.0.0.1", "write 127.0.0.1:8080"),
            ("::1", "write [::1]:8080"),
            ("localhost", "write localhost:8080"),
            ("http://localhost:8080/mcp", "write localhost:8080"),
            (":8080", "write 8080 for programs of this machine"),
            ("localhost:", "write a port"),
            ("localhost:http", "write a port"),
            ("70000", "a port is a number from 0 to 65535"),
            ("localhost:99999", "a port is a number from 0 to 65535"),
            ("a b:80", "write a port"),
            ("", "write a port"),
        ] {
            let error = Address::parse(text).expect_err(text);
            assert!(error.contains(hint), "{text}: {error}");
        }
    }
}
