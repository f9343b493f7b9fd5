//! One request with its redirects.

use crate::failure::NetworkError;
use crate::limits;
use crate::world::{Http, HttpRequest, HttpResponse, RequestFailure};
use url::Url;

/// The requests that a read may still send.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The number of requests, without those that follow redirects.
    pub requests: u32,
    /// The number of redirects.
    pub redirects: u32,
}

impl Budget {
    /// The budget of a read that has sent no request.
    pub const NEW: Self = Self {
        requests: limits::REQUESTS,
        redirects: limits::REDIRECTS,
    };
}

/// A response, and the way to it.
pub struct Exchange {
    /// The URL of the response, after redirects.
    pub url: Url,
    /// The fragment that a redirect added.
    pub fragment: Option<String>,
    /// The URLs that were redirected, in order.
    pub redirects: Vec<String>,
    /// The response, whose body was not read yet.
    pub response: HttpResponse,
}

/// A request that has no response.
pub struct Unanswered {
    /// The URLs that were redirected, in order.
    pub redirects: Vec<String>,
    /// The URL that could not be read.
    pub url: String,
    /// Why it could not be read.
    pub failure: RequestFailure,
}

/// Requests a URL, and follows redirects.
///
/// # Errors
/// Fails if a server cannot be reached, if a redirect is refused, or if there are too many redirects.
pub fn get(
    http: &dyn Http,
    url: &Url,
    headers: &[(&str, &str)],
    budget: &mut Budget,
) -> Result<Exchange, Unanswered> {
    let mut redirects = Vec::new();
    let mut at = url.clone();
    at.set_fragment(None);
    let mut fragment = None;
    budget.requests = budget.requests.saturating_sub(1);
    loop {
        let request = HttpRequest { url: &at, headers };
        let response = match http.send(&request) {
            Ok(response) => response,
            Err(failure) => {
                return Err(Unanswered {
                    redirects,
                    url: at.into(),
                    failure,
                });
            }
        };
        let target = match response.status {
            301 | 302 | 303 | 307 | 308 => response.header("location"),
            _ => None,
        };
        let Some(target) = target else {
            return Ok(Exchange {
                url: at,
                fragment,
                redirects,
                response,
            });
        };
        let refused = |target: String, hint: Option<&str>| {
            let error = NetworkError::Redirect(target);
            Err(Unanswered {
                redirects: redirects.clone(),
                url: at.to_string(),
                failure: RequestFailure {
                    error,
                    hint: hint.map(str::to_owned),
                },
            })
        };
        if target.len() > limits::LOCATION_BYTES {
            let hint = format!("a target may have {} bytes", limits::LOCATION_BYTES);
            return refused("an address that is too long".to_owned(), Some(&hint));
        }
        let Ok(mut next) = at.join(target) else {
            let hint = "ask the owner of the server for the right address";
            return refused("an address that is not valid".to_owned(), Some(hint));
        };
        if let Some(id) = next.fragment() {
            fragment = Some(id.to_owned());
        }
        next.set_fragment(None);
        if !matches!(next.scheme(), "http" | "https") {
            let hint = "only addresses of http and https are followed";
            return refused(shown(&next), Some(hint));
        }
        if has_user(&next) {
            let hint =
                "it has a user name or a password, which is not sent; read that address itself";
            return refused(shown(&next), Some(hint));
        }
        if at.scheme() == "https" && next.scheme() == "http" {
            let hint = "it is not encrypted; read that address itself if you trust it";
            return refused(next.into(), Some(hint));
        }
        let Some(left) = budget.redirects.checked_sub(1) else {
            let hint = format!("a read follows at most {} redirects", limits::REDIRECTS);
            return refused(next.into(), Some(&hint));
        };
        budget.redirects = left;
        redirects.push(at.to_string());
        at = next;
    }
}

fn has_user(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// The URL without its user name, which may be a token, and its password.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // These fail only for URLs that have neither.
    let _ = url.set_password(None);
    let _ = url.set_username("");
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::{MemoryHttp, MemoryResponse};

    fn redirect(status: u16, to: &str) -> MemoryResponse {
        MemoryResponse::new(status, "").header("Location", to)
    }

    fn follow(http: &MemoryHttp, url: &str) -> Result<Exchange, Unanswered> {
        get(
            http,
            &Url::parse(url).unwrap(),
            &[],
            &mut Budget::NEW.clone(),
        )
    }

    #[test]
    fn redirects_are_followed_and_listed() {
        let http = MemoryHttp::default();
        http.page("http://a/1", redirect(302, "/2#part"));
        http.page("http://a/2", redirect(308, "https://b/3"));
        http.page("https://b/3", MemoryResponse::new(200, "end"));
        let found = follow(&http, "http://a/1").ok().unwrap();
        assert_eq!(found.url.as_str(), "https://b/3");
        assert_eq!(found.redirects, ["http://a/1", "http://a/2"]);
        assert_eq!(found.fragment.as_deref(), Some("part"));
    }

    #[test]
    fn redirect_that_is_refused_names_the_hop() {
        let http = MemoryHttp::default();
        http.page("https://a/loop", redirect(302, "/loop"));
        http.page("https://a/plain", redirect(302, "http://a/"));
        http.page("https://a/file", redirect(302, "file:///etc/passwd"));
        http.page("https://a/ftp", redirect(302, "ftp://a/"));
        http.page("https://a/user", redirect(302, "https://u:p@a/"));
        for (url, target) in [
            ("https://a/loop", "https://a/loop"),
            ("https://a/plain", "http://a/"),
            ("https://a/file", "file:///etc/passwd"),
            ("https://a/ftp", "ftp://a/"),
            ("https://a/user", "https://a/"),
        ] {
            let refused = follow(&http, url).err().unwrap();
            assert_eq!(refused.url, url);
            assert_eq!(refused.failure.error, NetworkError::Redirect(target.into()));
            assert!(refused.failure.hint.is_some(), "{url}");
        }
        // The loop ended after the limit.
        let loops = http
            .requests()
            .iter()
            .filter(|it| it.url == "https://a/loop")
            .count();
        assert_eq!(loops, limits::REDIRECTS as usize + 1);
    }
}
