//! The scope of an IP address.
//!
//! The ranges are those of the special-purpose address registries of IANA (RFC 6890). An IPv6 address that
//! contains an IPv4 address has the scope of that address, because a router or the system may send the
//! packets there.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where packets to an address go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The internet.
    Public,
    /// A private network (RFC 1918, RFC 4193, RFC 6598).
    Private,
    /// This machine.
    Loopback,
    /// The network of an interface. The metadata services of clouds are here, at 169.254.169.254.
    LinkLocal,
    /// A range for documentation, benchmarks or protocols, which no host should have.
    Reserved,
    /// Many hosts, or none: multicast, broadcast and unspecified addresses.
    Invalid,
}

impl Scope {
    /// The scope of an address.
    pub fn of(address: IpAddr) -> Self {
        let six = match address.to_canonical() {
            IpAddr::V4(address) => return of_v4(address),
            IpAddr::V6(address) => address,
        };
        // Packets go to the IPv6 address, or to the IPv4 address in it. Both must be allowed.
        match embedded(six) {
            Some((four, true)) => of_v4(four),
            Some((four, false)) if of_v6(six) == Self::Public => of_v4(four),
            Some(_) | None => of_v6(six),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Public => "public",
            Self::Private => "private",
            Self::Loopback => "loopback",
            Self::LinkLocal => "link-local",
            Self::Reserved => "reserved",
            Self::Invalid => "not an address of a host",
        })
    }
}

/// The IPv4 address in an IPv6 address, for the notations from which the destination of packets follows.
/// The second value is whether the prefix is only that of the notation, so that it has no scope itself.
#[allow(clippy::match_same_arms, reason = "one arm for each notation")]
fn embedded(address: Ipv6Addr) -> Option<(Ipv4Addr, bool)> {
    let octets = address.octets();
    let v4 = |at: usize| {
        let bytes: [u8; 4] = octets.get(at..at + 4)?.try_into().ok()?;
        Some(Ipv4Addr::from(bytes))
    };
    match address.segments() {
        // The loopback and the unspecified address have scopes of their own.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        // IPv4-compatible (::/96), IPv4-mapped (::ffff:0:0/96) and IPv4-translated (::ffff:0:0:0/96).
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Some((v4(12)?, true)),
        // NAT64 (64:ff9b::/96).
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => Some((v4(12)?, true)),
        // 6to4 (2002::/16).
        [0x2002, ..] => Some((v4(2)?, true)),
        // ISATAP, in the interface identifier of any prefix.
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => Some((v4(12)?, false)),
        _ => None,
    }
}

fn of_v4(address: Ipv4Addr) -> Scope {
    match address.octets() {
        [127, ..] => Scope::Loopback,
        // The second is the service of a cloud that gives machines their settings.
        [169, 254, ..] | [168, 63, 129, 16] => Scope::LinkLocal,
        [10, ..] | [192, 168, ..] => Scope::Private,
        [172, second, ..] if second & 0xf0 == 16 => Scope::Private,
        // Carrier-grade NAT.
        [100, second, ..] if second & 0xc0 == 64 => Scope::Private,
        // This network, multicast and broadcast.
        [0 | 224..=239, ..] | [255, 255, 255, 255] => Scope::Invalid,
        // Protocol assignments, documentation, 6to4 relays, benchmarks, and the future.
        [192, 0, 0 | 2, _]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [192, 88, 99, _]
        | [198, 18 | 19, ..]
        | [240..=255, ..] => Scope::Reserved,
        _ => Scope::Public,
    }
}

fn of_v6(address: Ipv6Addr) -> Scope {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Scope::Invalid,
        [0, 0, 0, 0, 0, 0, 0, 1] => Scope::Loopback,
        [first, ..] if first & 0xff00 == 0xff00 => Scope::Invalid,
        [first, ..] if first & 0xffc0 == 0xfe80 => Scope::LinkLocal,
        // Unique local, and the site-local addresses before them. NAT64 for local use.
        [first, ..] if first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfec0 => Scope::Private,
        [0x64, 0xff9b, 1, ..] => Scope::Private,
        // Teredo, which has an IPv4 address of a relay. Benchmarks, ORCHID and documentation.
        [0x2001, second, ..] if second < 0x200 || second == 0xdb8 => Scope::Reserved,
        [0x3fff, second, ..] if second < 0x1000 => Scope::Reserved,
        // Global unicast addresses are in 2000::/3.
        [first, ..] if first & 0xe000 == 0x2000 => Scope::Public,
        _ => Scope::Reserved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(scope: Scope, addresses: &[&str]) {
        for address in addresses {
            let parsed = address.parse().unwrap();
            assert_eq!(Scope::of(parsed), scope, "{address}");
        }
    }

    #[test]
    fn public() {
        check(
            Scope::Public,
            &[
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "2a00:1450::1",
                "::ffff:1.1.1.1",
                "64:ff9b::808:808",
                "2002:808:808::1",
            ],
        );
    }

    #[test]
    fn loopback_in_all_notations() {
        check(
            Scope::Loopback,
            &[
                "127.0.0.1",
                "127.255.255.255",
                "::1",
                "::ffff:127.0.0.1",
                "::127.0.0.1",
                "::ffff:0:127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "2a01:4f8:1:2:0:5efe:127.0.0.1",
                "2a01:4f8:1:2:200:5efe:7f00:1",
            ],
        );
    }

    #[test]
    fn private_link_local_and_others() {
        check(
            Scope::Private,
            &[
                "10.0.0.1",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "100.64.0.1",
                "100.127.255.255",
                "fc00::1",
                "fdff::1",
                "fec0::1",
                "::ffff:10.0.0.1",
                "64:ff9b::a00:1",
                "64:ff9b:1::a00:1",
                "2002:c0a8:101::1",
            ],
        );
        check(
            Scope::LinkLocal,
            &[
                "169.254.169.254",
                "fe80::1",
                "febf::1",
                "::ffff:169.254.169.254",
                "2002:a9fe:a9fe::",
            ],
        );
        check(
            Scope::Reserved,
            &[
                "192.0.0.192",
                "192.0.2.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.9",
                "240.0.0.1",
                "2001::1",
                "2001:0:4136:e378:8000:63bf:3fff:fdd2",
                "2001:2::1",
                "2001:db8::1",
                "3fff::1",
                "100::1",
                "4000::1",
            ],
        );
        check(
            Scope::Invalid,
            &[
                "0.0.0.0",
                "0.1.2.3",
                "224.0.0.1",
                "255.255.255.255",
                "::",
                "ff02::1",
                "::ffff:0.0.0.0",
            ],
        );
    }

    #[test]
    fn prefix_and_contained_address_are_both_checked() {
        check(Scope::LinkLocal, &["fe80::5efe:8.8.8.8", "168.63.129.16"]);
        check(Scope::Private, &["fd00::5efe:8.8.8.8"]);
        check(Scope::Public, &["2a01:4f8:1:2:0:5efe:8.8.8.8"]);
    }
}
