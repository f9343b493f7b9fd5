//! Parts of URLs.

use url::Url;

/// Whether a URL has one of the hosts, and the default port of its scheme.
pub fn is_at(url: &Url, hosts: &[&str]) -> bool {
    url.port().is_none() && url.host_str().is_some_and(|host| hosts.contains(&host))
}

/// The segments of the path, with their percent-encoding decoded. Empty ones are left out.
pub fn segments(url: &Url) -> Vec<String> {
    let segments = url.path_segments().into_iter().flatten();
    segments.filter(|it| !it.is_empty()).map(decode).collect()
}

/// The segments as `&str`, for patterns.
pub fn parts(segments: &[String]) -> Vec<&str> {
    segments.iter().map(String::as_str).collect()
}

/// The value of a parameter of the query. `None` if it is missing or empty.
pub fn parameter(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    let value = pairs.find(|(key, _)| key == name)?.1.into_owned();
    (!value.is_empty()).then_some(value)
}

/// A text with all characters percent-encoded that are not unreserved (RFC 3986, 2.3).
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// A text without percent-encoding. A percent sign without two hex digits is kept, and bytes that are not UTF-8
/// are replaced.
pub fn decode(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first == b'%'
            && let [high, low, after @ ..] = after
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            out.push(high << 4 | low);
            rest = after;
        } else {
            out.push(first);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The value of a hex digit.
fn hex(byte: u8) -> Option<u8> {
    u8::try_from(char::from(byte).to_digit(16)?).ok()
}

/// Whether a text is a decimal number, as the numbers of items and issues are.
pub fn is_number(text: &str) -> bool {
    (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_decoded_once() {
        let url = Url::parse("https://a.example//%40x%2Fy/%2525/%zz/%e4/?q=1%20&r=&q=2");
        let url = url.expect("a URL");
        assert_eq!(segments(&url), ["@x/y", "%25", "%zz", "\u{fffd}"]);
        assert_eq!(parameter(&url, "q").as_deref(), Some("1 "));
        assert_eq!(parameter(&url, "r"), None);
        assert_eq!(encode("@x/é~"), "%40x%2F%C3%A9~");
    }

    #[test]
    fn another_port_is_another_site() {
        let url = |text: &str| Url::parse(text).expect("a URL");
        assert!(is_at(&url("https://a.example:443/"), &["a.example"]));
        assert!(!is_at(&url("https://a.example:8443/"), &["a.example"]));
        assert!(!is_at(&url("https://a.example.evil/"), &["a.example"]));
    }
}
