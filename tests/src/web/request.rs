//! Requests, as the server received them.

use std::io::Read;

/// The maximum number of bytes of the head of a request. Clients send fewer than a thousand.
const HEAD_BYTES: usize = 1 << 20;

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
    /// Reads a request. `None` at the end of a connection, or if it is not HTTP.
    pub(super) fn read(stream: &mut impl Read) -> Option<Self> {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            if head.len() > HEAD_BYTES || stream.read(&mut byte).ok()? == 0 {
                return None;
            }
            head.push(byte[0]);
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
