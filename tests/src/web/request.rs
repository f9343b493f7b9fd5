//! Requests, as the server received them.

use std::io::{BufRead, Read as _};

/// The maximum number of bytes of the head of a request. Clients send fewer than a thousand.
const HEAD_BYTES: u64 = 1 << 20;

/// A request, as the server received it, and what it sent as the response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// The path and the query.
    pub target: String,
    /// The names, in lower case, and the values of the headers.
    pub headers: Vec<(String, String)>,
    /// The status of the response. 0 if it was not sent yet.
    pub status: u16,
    /// The number of bytes of the body that were given to the connection.
    pub sent: u64,
}

impl Request {
    /// Reads a request. `None` at the end of a connection, or if it is not HTTP. The bytes after it stay in the buffer.
    pub(super) fn read(stream: &mut impl BufRead) -> Option<Self> {
        let mut head = Vec::new();
        let mut rest = stream.take(HEAD_BYTES);
        while !head.ends_with(b"\r\n\r\n") {
            if rest.read_until(b'\n', &mut head).ok()? == 0 {
                return None;
            }
        }
        let head = String::from_utf8(head).ok()?;
        let mut lines = head.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let headers = lines.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        Some(Self {
            method: first.next()?.to_owned(),
            target: first.next()?.to_owned(),
            headers: headers.collect(),
            ..Self::default()
        })
    }

    /// The value of a header. `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let (_, value) = headers.find(|(found, _)| found == name)?;
        Some(value)
    }
}
