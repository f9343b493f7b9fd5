//! What the server answers.

use super::Body;
use encoding_rs::Encoding;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// A response: a status, headers and a body, and how the server misbehaves.
#[derive(Clone, Debug)]
pub struct Page {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Body,
    pub(super) framing: Framing,
    pub(super) ranges: Ranges,
    pub(super) wait: Duration,
    pub(super) head_pace: Option<Duration>,
    pub(super) body_pace: Option<(usize, Duration)>,
    /// All bytes of the response. The fields above are not used if it is set.
    pub(super) exactly: Option<Vec<u8>>,
}

/// How the end of a body is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// The header `Content-Length` with the number of bytes.
    Length,
    /// The header `Content-Length` with another number. The connection ends after the body.
    FalseLength(u64),
    /// Chunks, each with its length.
    Chunked,
    /// Chunks without the last one: the connection ends before the body does.
    Unfinished,
    /// The end of the connection.
    End,
}

/// How a page answers a request for a range of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranges {
    /// With the whole body, as a server without ranges does.
    Ignored,
    /// With the range.
    Correct,
    /// With the range, and a `Content-Range` that starts one byte later.
    WrongStart,
    /// With the range, and a `Content-Range` with another number of bytes in total.
    WrongTotal,
    /// With the range, and without `Content-Range`.
    NoContentRange,
    /// With the first half of the range, which `Content-Range` states.
    Half,
    /// With status 416, as if no range of the body could be sent.
    Refused,
}

impl Page {
    /// A page of a MIME type.
    pub fn new(mime: &str, body: impl Into<Body>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body: body.into(),
            framing: Framing::Length,
            ranges: Ranges::Ignored,
            wait: Duration::ZERO,
            head_pace: None,
            body_pace: None,
            exactly: None,
        }
        .header("Content-Type", mime)
    }

    /// An HTML page in UTF-8.
    pub fn html(html: &str) -> Self {
        Self::new("text/html; charset=utf-8", html)
    }

    /// An HTML page in a charset, whose label is sent.
    ///
    /// # Panics
    /// Panics if the label is unknown.
    pub fn html_in(label: &str, html: &str) -> Self {
        let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
        let bytes = encoding.encode(html).0;
        Self::new(&format!("text/html; charset={label}"), bytes)
    }

    /// A text.
    pub fn text(text: &str) -> Self {
        Self::new("text/plain; charset=utf-8", text)
    }

    /// A text in Markdown.
    pub fn markdown(text: &str) -> Self {
        Self::new("text/markdown; charset=utf-8", text)
    }

    /// A file, which is read when it is sent.
    pub fn file(mime: &str, path: impl AsRef<Path>) -> Self {
        Self::new(mime, "").body(Body::File(path.as_ref().to_owned()))
    }

    /// An answer that has only a status.
    pub fn empty(status: u16) -> Self {
        let mut page = Self::new("", "").status(status);
        page.headers.clear();
        page
    }

    /// A redirect to an address.
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::empty(status).header("Location", to)
    }

    /// A response of exactly these bytes, after which the connection ends.
    pub fn exactly(response: impl Into<Vec<u8>>) -> Self {
        let mut page = Self::empty(200);
        page.exactly = Some(response.into());
        page
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: Body) -> Self {
        self.body = body;
        self
    }

    /// Sets the status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a header. A `Content-Type` replaces that of the page.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if name.eq_ignore_ascii_case("content-type") {
            let is_other =
                |(name, _): &(String, String)| !name.eq_ignore_ascii_case("content-type");
            self.headers.retain(is_other);
        }
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Removes the MIME type.
    #[must_use]
    pub fn without_type(mut self) -> Self {
        self.headers.retain(|(name, _)| name != "Content-Type");
        self
    }

    /// Sets the entity tag, with its quotes.
    #[must_use]
    pub fn etag(self, tag: &str) -> Self {
        self.header("ETag", tag)
    }

    /// Sets the date of the last change, as HTTP writes it.
    #[must_use]
    pub fn last_modified(self, date: &str) -> Self {
        self.header("Last-Modified", date)
    }

    /// Sets how long the client has to wait, in seconds or as a date.
    #[must_use]
    pub fn retry_after(self, time: &str) -> Self {
        self.header("Retry-After", time)
    }

    /// Sets how requests for ranges are answered.
    #[must_use]
    pub fn ranges(mut self, ranges: Ranges) -> Self {
        self.ranges = ranges;
        self
    }

    /// Compresses the body with gzip.
    #[must_use]
    pub fn gzip(self) -> Self {
        self.coded("gzip", |bytes| {
            let level = flate2::Compression::default();
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(bytes).expect("memory");
            encoder.finish().expect("memory")
        })
    }

    /// Compresses the body with zlib, which HTTP calls `deflate`.
    #[must_use]
    pub fn deflate(self) -> Self {
        self.coded("deflate", |bytes| {
            let level = flate2::Compression::default();
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(bytes).expect("memory");
            encoder.finish().expect("memory")
        })
    }

    /// Compresses the body with Brotli.
    #[must_use]
    pub fn brotli(self) -> Self {
        self.coded("br", |bytes| {
            let mut out = Vec::new();
            // Level 5 is quick, and 22 is the usual size of the window.
            let mut encoder = brotli::CompressorWriter::new(&mut out, 4096, 5, 22);
            encoder.write_all(bytes).expect("memory");
            drop(encoder);
            out
        })
    }

    /// Compresses the body with Zstandard.
    #[must_use]
    pub fn zstd(self) -> Self {
        self.coded("zstd", |bytes| {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            ruzstd::encoding::compress_to_vec(bytes, level)
        })
    }

    /// Compresses a body that is in memory.
    fn coded(mut self, coding: &str, encode: impl Fn(&[u8]) -> Vec<u8>) -> Self {
        let Body::Bytes(bytes) = &self.body else {
            panic!("the body is not in memory");
        };
        self.body = encode(bytes).into();
        self.header("Content-Encoding", coding)
    }

    /// Sends the body in chunks, without its length.
    #[must_use]
    pub fn chunked(mut self) -> Self {
        self.framing = Framing::Chunked;
        self
    }

    /// Sends the body in chunks, and ends the connection instead of sending the last chunk.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        self.framing = Framing::Unfinished;
        self
    }

    /// Sends no length: the end of the connection ends the body.
    #[must_use]
    pub fn until_end(mut self) -> Self {
        self.framing = Framing::End;
        self
    }

    /// States another length than that of the body.
    #[must_use]
    pub fn false_length(mut self, length: u64) -> Self {
        self.framing = Framing::FalseLength(length);
        self
    }

    /// Waits before the response.
    #[must_use]
    pub fn wait(mut self, time: Duration) -> Self {
        self.wait = time;
        self
    }

    /// Waits before each byte of the status and the headers.
    #[must_use]
    pub fn slow_head(mut self, time: Duration) -> Self {
        self.head_pace = Some(time);
        self
    }

    /// Waits before each part of the body, of `bytes` bytes.
    #[must_use]
    pub fn slow_body(mut self, bytes: usize, time: Duration) -> Self {
        self.body_pace = Some((bytes, time));
        self
    }
}
