//! What the user granted, and the decision about a host and its addresses.

use super::address::Scope;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// The hosts that a reader may connect to, as in `--allow-net`. It is parsed from a text:
///
/// * `public`: all hosts with public addresses, on the ports 80 and 443;
/// * `example.com` or `10.0.0.5`: one host, on the ports 80 and 443;
/// * `example.com:8080` or `[::1]:8080`: one host, on this port;
/// * `*.example.com`: all names below a name, with public addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant(Hosts);

/// The hosts of a grant.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Hosts {
    /// `public`: all hosts with public addresses.
    Public,
    /// `example.com`, `example.com:8080`, `10.0.0.5` or `[::1]:8080`: one host.
    Host(Host, Option<u16>),
    /// `*.example.com`: all names below a name, with public addresses. Contains `example.com`.
    Below(String, Option<u16>),
}

/// The host of an address: a name or an IP address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// A name in lower case, without a dot at its end.
    Name(String),
    /// An IP address.
    Address(IpAddr),
}

/// The ends of names in local networks and in those of cloud providers (RFC 6762 and its appendix G,
/// RFC 8375, and `.internal`, which ICANN reserved for private use in 2024).
const LOCAL: [&str; 9] = [
    ".local",
    ".internal",
    ".home.arpa",
    ".localdomain",
    ".intranet",
    ".private",
    ".corp",
    ".home",
    ".lan",
];

impl Host {
    /// Parses a host as a URL has it: `example.com`, `10.0.0.5` or `[::1]`. The host must be in the
    /// form that the parser of URLs returns: names in ASCII, IPv4 addresses with four decimal
    /// numbers.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(inner) = text.strip_prefix('[') {
            let address = inner.strip_suffix(']')?.parse().ok()?;
            return Some(Self::Address(IpAddr::V6(address)));
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Some(Self::Address(address));
        }
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        let is_label = |label: &str| {
            !label.is_empty()
                && label.len() <= 63
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        };
        // A name whose last label is a number would be an IPv4 address in another notation.
        let last = name.rsplit('.').next()?;
        let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x");
        (name.len() <= 253 && name.split('.').all(is_label) && !is_number)
            .then_some(Self::Name(name))
    }

    /// Whether this is always the machine that omniread runs on.
    pub fn is_this_machine(&self) -> bool {
        match self {
            Self::Name(_) => self.is_localhost(),
            Self::Address(address) => Scope::of(*address) == Scope::Loopback,
        }
    }

    /// Whether this is a host of the internet, as far as its name or address shows. A name of one
    /// label is one of the local network.
    fn is_ordinary(&self) -> bool {
        match self {
            Self::Name(name) => {
                let below = |ending: &&str| name.strip_suffix(*ending).is_some();
                name.contains('.') && !self.is_localhost() && !LOCAL.iter().any(below)
            }
            Self::Address(address) => Scope::of(*address) == Scope::Public,
        }
    }

    /// Whether names such as this one are always this machine (RFC 6761).
    fn is_localhost(&self) -> bool {
        match self {
            Self::Name(name) => name == "localhost" || name.ends_with(".localhost"),
            Self::Address(_) => false,
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
            Self::Address(address) => address.fmt(f),
        }
    }
}

/// A grant that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantError(String);

impl fmt::Display for GrantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a host: use `public`, `example.com`, `example.com:8080`, `*.example.com`, `10.0.0.5` or `[::1]:8080`",
            self.0
        )
    }
}

impl std::error::Error for GrantError {}

impl FromStr for Grant {
    type Err = GrantError;

    fn from_str(text: &str) -> Result<Self, GrantError> {
        let wrong = || GrantError(text.to_owned());
        // A host with such a name would be granted in place of all hosts.
        if matches!(text, "all" | "any") {
            return Err(wrong());
        }
        if text == "public" {
            return Ok(Self(Hosts::Public));
        }
        let (host, port) = match text.rsplit_once(':') {
            // An IPv6 address without brackets has several colons.
            Some((host, port)) if !host.contains(':') || host.ends_with(']') => {
                let port = port.parse().ok().filter(|port| *port != 0);
                (host, Some(port.ok_or_else(wrong)?))
            }
            _ => (text, None),
        };
        if let Some(name) = host.strip_prefix("*.") {
            return match Host::parse(name) {
                Some(Host::Name(name)) => Ok(Self(Hosts::Below(name, port))),
                _ => Err(wrong()),
            };
        }
        Ok(Self(Hosts::Host(
            Host::parse(host).ok_or_else(wrong)?,
            port,
        )))
    }
}

impl Grant {
    /// Whether a host is among those of this grant.
    fn has(&self, host: &Host) -> bool {
        match &self.0 {
            Hosts::Public => true,
            Hosts::Host(own, _) => same(own, host),
            Hosts::Below(name, _) => is_below(host, name),
        }
    }

    /// The port, if it is not one of the web.
    fn port(&self) -> Option<u16> {
        match self.0 {
            Hosts::Public => None,
            Hosts::Host(_, port) | Hosts::Below(_, port) => port,
        }
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let port = match &self.0 {
            Hosts::Public => return f.write_str("public"),
            Hosts::Host(host, port) => {
                host.fmt(f)?;
                port
            }
            Hosts::Below(name, port) => {
                write!(f, "*.{name}")?;
                port
            }
        };
        port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// The ports of web servers. Others are granted by their number.
const WEB: [u16; 2] = [80, 443];

/// All grants of a reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants(Vec<Grant>);

/// Why a connection is not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denied {
    /// No grant has the host. Contains the port too.
    Host(Host, u16),
    /// A grant has the host, but not with this port.
    Port(Host, u16),
    /// The address of the host has a scope that the grant does not allow.
    Address(Host, SocketAddr, Scope),
}

impl Denied {
    /// The grant that would allow the connection, as a sentence without a full stop. `None` if none
    /// would, and for hosts and addresses that are not public: a page or a redirect can name them to
    /// get at services of this machine or of its network, so that no message suggests to grant them.
    pub fn hint(&self) -> Option<String> {
        let (Self::Host(host, port) | Self::Port(host, port)) = self else {
            return None;
        };
        if !host.is_ordinary() {
            return None;
        }
        let port = Some(*port).filter(|port| !WEB.contains(port));
        let grant = Grant(Hosts::Host(host.clone(), port));
        Some(format!("use `--allow-net {grant}` to allow it"))
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(host, _) => write!(f, "network access to {host} is not granted"),
            Self::Port(host, port) => {
                write!(f, "network access to port {port} of {host} is not granted")
            }
            Self::Address(Host::Address(_), address, scope) => {
                write!(f, "the address {} is {scope}", address.ip())
            }
            Self::Address(host, address, scope) => {
                write!(
                    f,
                    "{host} has the address {}, which is {scope}",
                    address.ip()
                )
            }
        }
    }
}

impl From<Vec<Grant>> for Grants {
    fn from(grants: Vec<Grant>) -> Self {
        Self(grants)
    }
}

impl Grants {
    /// Whether nothing is granted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a grant has a host, with any port.
    pub fn mention(&self, host: &Host) -> bool {
        self.0.iter().any(|grant| grant.has(host))
    }

    /// Whether a name may be resolved, before anything is sent.
    ///
    /// # Errors
    /// Fails with the reason if no grant has the host and the port.
    pub fn check_host(&self, host: &Host, port: u16) -> Result<(), Denied> {
        let mut known = false;
        for grant in &self.0 {
            if !grant.has(host) {
                continue;
            }
            let granted = grant.port();
            // A literal address that is not public is decided by its own grant.
            if matches!(grant.0, Hosts::Public)
                && matches!(host, Host::Address(address) if Scope::of(*address) != Scope::Public)
            {
                continue;
            }
            known = true;
            if granted.map_or(WEB.contains(&port), |granted| granted == port) {
                return Ok(());
            }
        }
        Err(match host {
            _ if known => Denied::Port(host.clone(), port),
            Host::Address(address) if self.0.contains(&Grant(Hosts::Public)) => {
                let scope = Scope::of(*address);
                Denied::Address(host.clone(), SocketAddr::new(*address, port), scope)
            }
            _ => Denied::Host(host.clone(), port),
        })
    }

    /// Whether a connection to an address of a host may be made.
    ///
    /// Public addresses are allowed. A private address is allowed for a host that is granted by its whole
    /// name, a loopback address for `localhost`, and all others only if they are granted themselves.
    ///
    /// # Errors
    /// Fails with the reason.
    pub fn check_address(&self, host: &Host, port: u16, address: IpAddr) -> Result<(), Denied> {
        self.check_host(host, port)?;
        let scope = Scope::of(address);
        let by = |own: &Host| {
            self.0.iter().any(|grant| {
                matches!(&grant.0, Hosts::Host(granted, only)
                    if same(granted, own) && only.map_or(WEB.contains(&port), |only| only == port))
            })
        };
        let allowed = match scope {
            // These names are always this machine (RFC 6761), whatever the resolver answers.
            _ if host.is_localhost() && scope != Scope::Loopback => false,
            Scope::Public => true,
            Scope::Invalid => false,
            Scope::Private => by(host) || by(&Host::Address(address)),
            Scope::Loopback => host.is_localhost() && by(host) || by(&Host::Address(address)),
            Scope::LinkLocal | Scope::Reserved => by(&Host::Address(address)),
        };
        if allowed {
            Ok(())
        } else {
            let address = SocketAddr::new(address, port);
            Err(Denied::Address(host.clone(), address, scope))
        }
    }
}

/// Whether two hosts are the same. An IPv4-mapped IPv6 address is the IPv4 address, because packets to
/// it go there. Packets to other IPv6 addresses that contain an IPv4 address go elsewhere.
fn same(a: &Host, b: &Host) -> bool {
    match (a, b) {
        (Host::Address(a), Host::Address(b)) => a.to_canonical() == b.to_canonical(),
        _ => a == b,
    }
}

fn is_below(host: &Host, name: &str) -> bool {
    match host {
        Host::Name(host) => host
            .strip_suffix(name)
            .and_then(|rest| rest.strip_suffix('.'))
            .is_some_and(|rest| !rest.is_empty()),
        Host::Address(_) => false,
    }
}

#[cfg(test)]
mod tests;
