//! A page and a request → the bytes of a response.

use super::page::{Framing, Ranges};
use super::ranges::{Asked, asked, is_current};
use super::{Page, Request};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

/// The number of bytes of a body that are sent at once.
const PART: usize = 1 << 16;

/// What was given to the connection.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// The status of the response.
    pub status: u16,
    /// The number of further bytes of the body.
    pub bytes: u64,
}

/// A report of what is sent. Returns whether the server still runs.
type Report<'a> = &'a dyn Fn(Sent) -> bool;

/// Sends a response. Returns whether the connection can be used for another one.
pub fn respond(
    stream: &mut impl Write,
    request: &Request,
    page: &Page,
    report: Report<'_>,
) -> io::Result<bool> {
    if !sleep(page.wait, page.status, report) {
        return Ok(false);
    }
    if let Some(bytes) = &page.exactly {
        report(Sent {
            status: page.status,
            bytes: bytes.len() as u64,
        });
        stream.write_all(bytes)?;
        stream.flush()?;
        return Ok(false);
    }
    let plan = Plan::new(request, page)?;
    let head = plan.head(page);
    report(Sent {
        status: plan.status,
        bytes: 0,
    });
    match page.head_pace {
        None => stream.write_all(head.as_bytes())?,
        Some(pace) => {
            for byte in head.as_bytes() {
                if !sleep(pace, plan.status, report) {
                    return Ok(false);
                }
                stream.write_all(&[*byte])?;
                stream.flush()?;
            }
        }
    }
    let is_kept = plan.framing == Framing::Length || plan.framing == Framing::Chunked;
    if request.method == "HEAD" || plan.has_no_body() {
        stream.flush()?;
        return Ok(is_kept);
    }
    let ended = plan.body(stream, page, report)?;
    stream.flush()?;
    Ok(is_kept && ended)
}

/// Waits. Returns whether the server still runs.
fn sleep(time: Duration, status: u16, report: Report<'_>) -> bool {
    /// Servers end soon after the test that started them.
    const LONGEST: Duration = Duration::from_millis(100);
    let end = Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        thread::sleep(left.min(LONGEST));
        if !report(Sent { status, bytes: 0 }) {
            return false;
        }
    }
}

/// The response to a request.
struct Plan {
    status: u16,
    framing: Framing,
    /// The offsets of the body of the page that are sent.
    part: (u64, u64),
    content_range: Option<String>,
}

impl Plan {
    fn new(request: &Request, page: &Page) -> io::Result<Self> {
        let total = page.body.len()?;
        let length = total.unwrap_or(u64::MAX);
        let mut plan = Self {
            status: page.status,
            framing: match (page.framing, total) {
                (Framing::Length, None) => Framing::Chunked,
                (framing, _) => framing,
            },
            part: (0, length),
            content_range: None,
        };
        if page.status != 200 {
            return Ok(plan);
        }
        if is_current(request, page) {
            plan.status = 304;
            return Ok(plan);
        }
        if page.ranges == Ranges::Ignored {
            return Ok(plan);
        }
        let asked = match asked(request, page, length) {
            Asked::Part(..) if page.ranges == Ranges::Refused => Asked::Unsatisfiable,
            asked => asked,
        };
        match asked {
            Asked::Whole => {}
            Asked::Unsatisfiable => {
                plan.status = 416;
                plan.part = (0, 0);
                plan.content_range = Some(format!("bytes */{length}"));
            }
            Asked::Part(start, end) => {
                let end = match page.ranges {
                    Ranges::Half => start + (end - start).div_ceil(2),
                    _ => end,
                };
                plan.status = 206;
                plan.part = (start, end);
                let last = end - 1;
                plan.content_range = match page.ranges {
                    Ranges::NoContentRange => None,
                    Ranges::WrongStart => Some(format!("bytes {}-{last}/{length}", start + 1)),
                    Ranges::WrongTotal => Some(format!("bytes {start}-{last}/{}", length + 1)),
                    _ => Some(format!("bytes {start}-{last}/{length}")),
                };
            }
        }
        Ok(plan)
    }

    /// Whether HTTP allows no body with this status.
    fn has_no_body(&self) -> bool {
        matches!(self.status, 204 | 304)
    }

    fn head(&self, page: &Page) -> String {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &page.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if !matches!(page.ranges, Ranges::Ignored) {
            head.push_str("Accept-Ranges: bytes\r\n");
        }
        if let Some(range) = &self.content_range {
            let _ = write!(head, "Content-Range: {range}\r\n");
        }
        if !self.has_no_body() {
            match self.framing {
                Framing::Length => {
                    let length = self.part.1 - self.part.0;
                    let _ = write!(head, "Content-Length: {length}\r\n");
                }
                Framing::FalseLength(length) => {
                    let _ = write!(head, "Content-Length: {length}\r\n");
                }
                Framing::Chunked | Framing::Unfinished => {
                    head.push_str("Transfer-Encoding: chunked\r\n");
                }
                Framing::End => head.push_str("Connection: close\r\n"),
            }
        }
        head.push_str("\r\n");
        head
    }

    /// Sends the body. Returns whether it was sent to its end.
    fn body(&self, stream: &mut impl Write, page: &Page, report: Report<'_>) -> io::Result<bool> {
        let is_chunked = matches!(self.framing, Framing::Chunked | Framing::Unfinished);
        let size = page
            .body_pace
            .map_or(PART, |(bytes, _)| bytes.clamp(1, PART));
        let mut buffer = vec![0; size];
        let (mut at, end) = self.part;
        while at < end {
            if let Some((_, pace)) = page.body_pace
                && !sleep(pace, self.status, report)
            {
                return Ok(false);
            }
            let wanted = size.min(usize::try_from(end - at).unwrap_or(size));
            let count = page.body.read_at(at, &mut buffer[..wanted])?;
            if count == 0 {
                return Ok(false);
            }
            let bytes = count as u64;
            // Counted before, because the client may end as soon as it has the bytes.
            let runs = report(Sent {
                status: self.status,
                bytes,
            });
            if !runs {
                return Ok(false);
            }
            if is_chunked {
                write!(stream, "{count:x}\r\n")?;
            }
            stream.write_all(&buffer[..count])?;
            if is_chunked {
                stream.write_all(b"\r\n")?;
            }
            stream.flush()?;
            at += bytes;
        }
        if self.framing == Framing::Chunked {
            stream.write_all(b"0\r\n\r\n")?;
        }
        Ok(true)
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        206 => "Partial Content",
        304 => "Not Modified",
        404 => "Not Found",
        416 => "Range Not Satisfiable",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Other",
    }
}
