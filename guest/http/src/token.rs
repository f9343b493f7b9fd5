//! Who may send requests: the token, and without one the names of this machine.

use crate::limits::TOKEN_BYTES;
use crate::refused::Refused;
use subtle::ConstantTimeEq as _;

/// The environment variable with the token that clients send.
pub const TOKEN: &str = "OMNIREAD_HTTP_TOKEN";

/// The value of [`TOKEN`] with which clients need no token.
const NONE: &str = "none";

/// Checks the token of a request. `token` is the value of [`TOKEN`], and `host` that of the header `Host`.
///
/// Without a token, only requests to a name of this machine are answered, and none of a web page. Otherwise a page could
/// read files by a host name that leads to this machine (DNS rebinding).
///
/// # Errors
/// Fails if the request may not be answered.
pub fn check(
    token: Option<&str>,
    authorization: Option<&[u8]>,
    host: Option<&str>,
    has_origin: bool,
) -> Result<(), Refused> {
    match token {
        None | Some("") => Err(Refused::new(
            503,
            "configuration",
            format!("the server has no token: `{TOKEN}` is not set"),
            format!(
                "start it with `--env {TOKEN}=…`, or with `--env {TOKEN}={NONE}` for clients of this machine"
            ),
        )),
        Some(NONE) if has_origin => Err(Refused::new(
            403,
            "forbidden",
            "a web page sent this request, and the server has no token",
            format!("set `{TOKEN}`, and send it as `Authorization: Bearer …`"),
        )),
        Some(NONE) if host.is_some_and(is_local) => Ok(()),
        Some(NONE) => Err(Refused::new(
            403,
            "forbidden",
            "the header `Host` does not name this machine, and the server has no token",
            format!("use `localhost`, or set `{TOKEN}`"),
        )),
        Some(token) if token.len() < TOKEN_BYTES => Err(Refused::new(
            503,
            "configuration",
            format!("the token in `{TOKEN}` is shorter than {TOKEN_BYTES} characters"),
            "start the server with a longer one",
        )),
        Some(token) if authorization.is_some_and(|value| has(value, token)) => Ok(()),
        Some(_) => Err(Refused::new(
            401,
            "unauthorized",
            "the request has no valid token",
            "send the token of the server as `Authorization: Bearer …`",
        )),
    }
}

/// Whether the value of `Authorization` contains the token. The time does not depend on how much of it is right.
fn has(authorization: &[u8], token: &str) -> bool {
    let Some((scheme, sent)) = authorization.split_at_checked(7) else {
        return false;
    };
    scheme.eq_ignore_ascii_case(b"bearer ") && bool::from(sent.ct_eq(token.as_bytes()))
}

/// Whether the value of `Host` is a name of this machine, with any port.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&name.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef";

    fn status(
        token: Option<&str>,
        authorization: Option<&str>,
        host: &str,
        has_origin: bool,
    ) -> Option<u16> {
        let authorization = authorization.map(str::as_bytes);
        check(token, authorization, Some(host), has_origin)
            .err()
            .map(|refused| refused.status)
    }

    #[test]
    fn server_with_a_token_answers_those_who_have_it() {
        let authorized = |value| status(Some(SECRET), value, "a.example", true);
        assert_eq!(authorized(Some("Bearer 0123456789abcdef")), None);
        assert_eq!(authorized(Some("bearer 0123456789abcdef")), None);
        for wrong in [
            None,
            Some(""),
            Some("Bearer"),
            Some("Bearer 0123456789abcde"),
            Some("Bearer 0123456789abcdef0"),
            Some("Basic  0123456789abcdef"),
        ] {
            assert_eq!(authorized(wrong), Some(401), "{wrong:?}");
        }
    }

    #[test]
    fn server_without_a_token_answers_programs_of_this_machine() {
        for host in [
            "localhost",
            "localhost:8080",
            "127.0.0.1:1",
            "[::1]:8080",
            "[::1]",
        ] {
            assert_eq!(status(Some("none"), None, host, false), None, "{host}");
            assert_eq!(status(Some("none"), None, host, true), Some(403), "{host}");
        }
        for host in [
            "",
            "a.example",
            "localhost.a.example",
            "a.example:localhost",
        ] {
            assert_eq!(status(Some("none"), None, host, false), Some(403), "{host}");
        }
    }

    #[test]
    fn server_that_nobody_configured_answers_nothing() {
        for token in [None, Some(""), Some("short")] {
            assert_eq!(
                status(token, Some("Bearer short"), "localhost", false),
                Some(503)
            );
        }
    }
}
