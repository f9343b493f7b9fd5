//! The headers of responses.

use crate::limits;
use crate::world::HttpResponse;
use url::Url;

/// The facts of a response that decide how its body is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// The value of `Content-Type`.
    pub content_type: Option<String>,
    /// The encodings of the body, in the order in which they were applied.
    pub encodings: Vec<String>,
    /// The number of bytes of the body as it is sent.
    pub length: Option<u64>,
    /// Whether the server accepts requests for ranges.
    pub ranges: bool,
    /// What identifies the version of the content.
    pub validator: Validator,
    /// The name of the file in `Content-Disposition`.
    pub file_name: Option<String>,
    /// The value of `Retry-After`.
    pub retry_after: Option<String>,
    /// The value of `x-markdown-tokens`, with which services that convert pages to Markdown state its length.
    pub markdown_tokens: Option<u64>,
    /// The value of `Content-Signal`: for what the content may be used, in the words of the vocabulary of
    /// contentsignals.org.
    pub content_signal: Option<String>,
    /// Whether a header `Link` names a next page (RFC 8288).
    pub has_next: bool,
    /// The time at which the service accepts requests again, in seconds since 1970, if no request is left
    /// (`x-ratelimit-remaining` and `x-ratelimit-reset`, as GitHub and others send them).
    pub rate_reset: Option<u64>,
}

/// What identifies the version of the content at a URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validator {
    /// The value of `ETag`.
    pub etag: Option<String>,
    /// The value of `Last-Modified`.
    pub modified: Option<String>,
    /// Whether the content may have changed again in the second of `Last-Modified`.
    pub is_recent: bool,
}

impl Validator {
    /// The validator of a response.
    pub fn of(response: &HttpResponse) -> Self {
        let modified = response.header("last-modified");
        let date = response.header("date");
        Self {
            etag: response.header("etag").map(str::to_owned),
            modified: modified.map(str::to_owned),
            is_recent: date.is_none() || date == modified,
        }
    }

    /// Whether there is nothing to compare.
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.modified.is_none()
    }

    /// The value of `If-Range` (RFC 9110, 13.1.5), which must be strong. A date is if the content was
    /// sent at least a second later (RFC 9110, 8.8.2.2).
    pub fn strong(&self) -> Option<&str> {
        match &self.etag {
            Some(etag) if !etag.starts_with("W/") => Some(etag),
            Some(_) => None,
            None => self.modified.as_deref().filter(|_| !self.is_recent),
        }
    }

    /// The header of a request that is answered only if the content has changed.
    pub fn condition(&self) -> Option<(&'static str, &str)> {
        match (&self.etag, &self.modified) {
            (Some(etag), _) => Some(("if-none-match", etag)),
            (None, Some(modified)) => Some(("if-modified-since", modified)),
            (None, None) => None,
        }
    }
}

impl Head {
    /// The facts of a response.
    pub fn of(response: &HttpResponse) -> Self {
        let text = |name: &str| response.header(name).map(str::trim);
        let encodings = text("content-encoding").unwrap_or_default().split(',');
        let encodings = encodings
            .map(|name| name.trim().to_ascii_lowercase())
            .filter(|name| !name.is_empty() && name != "identity");
        Self {
            status: response.status,
            content_type: text("content-type")
                .map(one_line)
                .filter(|it| !it.is_empty()),
            encodings: encodings.take(limits::CODINGS.saturating_add(1)).collect(),
            length: text("content-length").and_then(|length| length.parse().ok()),
            ranges: text("accept-ranges").is_some_and(|it| it.eq_ignore_ascii_case("bytes")),
            validator: Validator::of(response),
            file_name: text("content-disposition").and_then(file_name),
            retry_after: text("retry-after").map(one_line),
            markdown_tokens: text("x-markdown-tokens").and_then(|count| count.parse().ok()),
            content_signal: text("content-signal")
                .map(one_line)
                .filter(|it| !it.is_empty()),
            has_next: text("link").is_some_and(names_next),
            rate_reset: text("x-ratelimit-reset")
                .filter(|_| text("x-ratelimit-remaining") == Some("0"))
                .and_then(|time| time.parse().ok()),
        }
    }

    /// The MIME type, in lower case and without parameters.
    pub fn mime(&self) -> Option<String> {
        let mime = self.content_type.as_deref()?.split(';').next()?;
        let mime = mime.trim().to_ascii_lowercase();
        (!mime.is_empty()).then_some(mime)
    }

    /// The label of the character set.
    pub fn charset(&self) -> Option<String> {
        parameter(self.content_type.as_deref()?, "charset")
    }

    /// The name of the file: that of the header, or the last part of the path of the URL.
    pub fn name(&self, url: &Url) -> String {
        match &self.file_name {
            Some(name) => name.clone(),
            None => name_of(url),
        }
    }
}

/// Whether the value of `Link` has a link to the next page: `<https://x.org/?page=2>; rel="next"`.
fn names_next(value: &str) -> bool {
    value.split(',').any(|link| {
        let rel = parameter(link, "rel").unwrap_or_default();
        rel.split(' ').any(|rel| rel.eq_ignore_ascii_case("next"))
    })
}

/// The value of a parameter of a header: `utf-8` in `text/html; charset="utf-8"`.
fn parameter(value: &str, name: &str) -> Option<String> {
    let mut parts = value.split(';').skip(1);
    let found = parts.find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then_some(value)
    })?;
    let value = found.trim().trim_matches('"').trim();
    (!value.is_empty()).then(|| value.to_owned())
}

/// The name of the file in `Content-Disposition` (RFC 6266), without directories.
fn file_name(value: &str) -> Option<String> {
    let extended = parameter(value, "filename*").and_then(|value| {
        let (_, encoded) = value.rsplit_once('\'')?;
        Some(decoded(encoded))
    });
    let name = extended.or_else(|| parameter(value, "filename"))?;
    let name = one_line(name.rsplit(['/', '\\']).next()?);
    (!name.is_empty()).then_some(name)
}

/// The last part of the path of a URL, decoded. Empty if the path ends in a slash.
pub fn name_of(url: &Url) -> String {
    let last = url.path_segments().and_then(|mut parts| parts.next_back());
    one_line(&decoded(last.unwrap_or_default()))
}

/// Decodes `%XX`. Text that is not UTF-8 stays as it is.
fn decoded(text: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
    decoded.map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

/// A value in one line of limited length.
fn one_line(value: &str) -> String {
    let value = value.chars().take(limits::HEADER_CHARS);
    value.filter(|c| !c.is_control()).collect()
}

/// The range and the total size of a part, as `Content-Range` states them. `None` if the header is
/// missing or not valid.
pub fn content_range(response: &HttpResponse) -> Option<(u64, u64, u64)> {
    let value = response.header("content-range")?.trim();
    let (range, total) = value.strip_prefix("bytes")?.trim().split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    let total: u64 = total.trim().parse().ok()?;
    (first <= last && last < total).then_some((first, last, total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::MemoryResponse;

    fn head(headers: &[(&str, &str)]) -> Head {
        let response = headers
            .iter()
            .fold(MemoryResponse::new(200, ""), |it, (name, value)| {
                it.header(name, value)
            });
        Head::of(&response.response())
    }

    #[test]
    fn content_type_is_split() {
        for (value, mime, charset) in [
            ("text/html", "text/html", None),
            ("Text/HTML; Charset=\"UTF-8\"", "text/html", Some("UTF-8")),
            (
                "text/plain;format=flowed; charset=koi8-r ",
                "text/plain",
                Some("koi8-r"),
            ),
        ] {
            let head = head(&[("Content-Type", value)]);
            assert_eq!(head.mime().as_deref(), Some(mime));
            assert_eq!(head.charset().as_deref(), charset);
        }
        assert_eq!(head(&[("Content-Type", " ; charset=x")]).mime(), None);
    }

    #[test]
    fn name_is_that_of_the_header_or_of_the_url() {
        let url = Url::parse("https://x.org/d/a%20b.zip?v=1").unwrap();
        for (value, name) in [
            ("attachment", "a b.zip"),
            ("attachment; filename=\"../c.pdf\"", "c.pdf"),
            (
                "attachment; filename=c.pdf; filename*=UTF-8''d%C3%A9.pdf",
                "dé.pdf",
            ),
        ] {
            assert_eq!(head(&[("Content-Disposition", value)]).name(&url), name);
        }
    }

    #[test]
    fn range_must_be_valid() {
        let of = |value: &str| {
            content_range(
                &MemoryResponse::new(206, "")
                    .header("Content-Range", value)
                    .response(),
            )
        };
        assert_eq!(of("bytes 0-9/100"), Some((0, 9, 100)));
        for value in [
            "bytes 0-9/*",
            "bytes */100",
            "bytes 9-0/100",
            "bytes 0-100/100",
            "0-9/100",
            "",
        ] {
            assert_eq!(of(value), None, "{value}");
        }
    }

    #[test]
    fn only_strong_validators_join_ranges() {
        let strong = |headers: &[(&str, &str)]| head(headers).validator.strong().map(str::to_owned);
        assert_eq!(
            strong(&[("ETag", "\"a\""), ("Last-Modified", "x")]).as_deref(),
            Some("\"a\"")
        );
        assert_eq!(strong(&[("ETag", "W/\"a\""), ("Last-Modified", "x")]), None);
        // The content may have changed again in the second in which it was sent.
        let sent = |date| strong(&[("Last-Modified", "x"), ("Date", date)]);
        assert_eq!(sent("y").as_deref(), Some("x"));
        assert_eq!(sent("x"), None);
        assert_eq!(strong(&[("Last-Modified", "x")]), None);
    }
}
