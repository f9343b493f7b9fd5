//! The body of a response as a source: decoded, and read as far as it is needed.

use super::head::Head;
use crate::containers::inflate::zstd_frames;
use crate::failure::library_message;
use crate::limits;
use crate::world::{FileError, HttpBody, Info, RequestFailure, Source};
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// The value of `Accept-Encoding` for these decoders.
pub const ACCEPTED: &str = "gzip, br, zstd";

/// The body of a response. The bytes that were read stay in memory, so that they can be read again.
pub struct Body {
    reader: Box<dyn Read>,
    bytes: Vec<u8>,
    ended: bool,
    /// Why the body ended early.
    damage: Option<String>,
    /// Why the last part did not arrive.
    failure: Rc<RefCell<Option<RequestFailure>>>,
    /// The number of bytes, as the server states it. `None` if they are encoded.
    length: Option<u64>,
    coding: Option<String>,
}

impl Body {
    /// The body of a response with this head.
    pub fn new(body: Box<dyn HttpBody>, head: &Head) -> Self {
        let failure = Rc::default();
        let wire = Wire {
            body,
            part: Vec::new(),
            at: 0,
            failure: Rc::clone(&failure),
        };
        let mut damage = None;
        let mut reader: Box<dyn Read> = Box::new(wire);
        if head.encodings.len() > limits::CODINGS {
            damage = Some("it has too many encodings".to_owned());
        }
        for name in head.encodings.iter().rev() {
            reader = match decoder(name, reader) {
                Ok(decoder) => decoder,
                Err(encoded) => {
                    damage = Some(format!("its encoding `{name}` is not supported"));
                    encoded
                }
            };
        }
        Self {
            reader,
            bytes: Vec::new(),
            ended: damage.is_some(),
            damage,
            failure,
            length: head.length.filter(|_| head.encodings.is_empty()),
            coding: head.encodings.last().cloned(),
        }
    }

    /// Reads the body until it has at least `length` bytes, or ends.
    pub fn fill(&mut self, length: u64) {
        // No more than the body has: fresh memory costs a page fault for each 4 KB.
        let size = self.length.and_then(|length| usize::try_from(length).ok());
        let size = size.unwrap_or(limits::CHUNK_BYTES);
        let mut part = vec![0; size.clamp(1, limits::CHUNK_BYTES)];
        while !self.ended && (self.bytes.len() as u64) < length {
            if self.bytes.len() as u64 > limits::BODY_BYTES {
                let limit = limits::BODY_BYTES >> 20;
                self.stop(format!("only the first {limit} MB were read"));
                return;
            }
            match self.reader.read(&mut part) {
                Ok(0) => match self.length {
                    Some(length) if (self.bytes.len() as u64) < length => {
                        self.stop("it has fewer bytes than the server states".to_owned());
                    }
                    _ => self.ended = true,
                },
                Ok(read) => {
                    self.bytes
                        .extend_from_slice(part.get(..read).unwrap_or(&part));
                    // The end of the body is known without another read.
                    self.ended = self.length == Some(self.bytes.len() as u64);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let why = match self.failure.borrow().as_ref() {
                        Some(failure) => failure.to_string(),
                        None => {
                            let coding = self.coding.as_deref().unwrap_or("encoded");
                            format!("its {coding} data is damaged: {}", library_message(error))
                        }
                    };
                    self.stop(why);
                }
            }
        }
    }

    fn stop(&mut self, why: String) {
        self.ended = true;
        self.damage = Some(why);
    }

    /// Whether all bytes were read, and none is missing.
    pub fn complete(&self) -> bool {
        self.ended && self.damage.is_none()
    }

    /// Why the body ended early.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// The failure for which the body ended early. `None` if it is damaged.
    pub fn failure(&self) -> Option<RequestFailure> {
        self.failure.borrow().clone()
    }

    /// The bytes that were read so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes that were read so far. The rest is not read.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The number of bytes, if it is known.
    pub fn size(&self) -> Option<u64> {
        match self.ended {
            true if self.damage.is_none() => Some(self.bytes.len() as u64),
            true => None,
            false => self.length,
        }
    }
}

impl Source for Body {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let end = offset.saturating_add(len as u64);
        self.fill(end);
        let part = crate::world::part_from(&self.bytes, 0, offset);
        let part = part.get(..len).unwrap_or(part);
        if part.is_empty()
            && let Some(damage) = &self.damage
        {
            return Err(FileError::Other(damage.clone()));
        }
        out.extend_from_slice(part);
        Ok(())
    }

    // The bytes before an offset arrive first, and may be more than the limit.
    fn seekable(&self) -> bool {
        self.complete()
    }

    fn rewindable(&self) -> bool {
        true
    }

    fn info(&mut self) -> Info {
        Info {
            size: self.size(),
            ..Info::default()
        }
    }
}

/// The bytes of a body as they arrive.
struct Wire {
    body: Box<dyn HttpBody>,
    part: Vec<u8>,
    at: usize,
    failure: Rc<RefCell<Option<RequestFailure>>>,
}

impl Read for Wire {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.part.len() {
            match self.body.next() {
                Ok(Some(part)) => (self.part, self.at) = (part, 0),
                Ok(None) => return Ok(0),
                Err(failure) => {
                    *self.failure.borrow_mut() = Some(failure);
                    return Err(io::Error::other("the body ended early"));
                }
            }
        }
        let rest = self.part.get(self.at..).unwrap_or_default();
        let length = rest.len().min(out.len());
        if let (Some(out), Some(rest)) = (out.get_mut(..length), rest.get(..length)) {
            out.copy_from_slice(rest);
        }
        self.at = self.at.saturating_add(length);
        Ok(length)
    }
}

/// A decoder for an encoding (RFC 9110, 8.4.1). Returns the reader if the encoding is not supported.
fn decoder(name: &str, reader: Box<dyn Read>) -> Result<Box<dyn Read>, Box<dyn Read>> {
    Ok(match name {
        "gzip" | "x-gzip" => Box::new(flate2::read::MultiGzDecoder::new(reader)),
        "deflate" => Box::new(flate2::read::ZlibDecoder::new(reader)),
        "br" => Box::new(brotli_decompressor::Decompressor::new(
            reader,
            limits::CHUNK_BYTES,
        )),
        "zstd" => zstd_frames(reader),
        _ => return Err(reader),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::MemoryResponse;
    use std::io::Write as _;

    fn body(response: MemoryResponse) -> Body {
        let response = response.response();
        let head = Head::of(&response);
        Body::new(response.body, &head)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn body_is_decoded() {
        let text = b"hello hello hello".repeat(1000);
        let twice = gzip(&gzip(&text));
        for (encodings, bytes) in [
            ("gzip", gzip(&text)),
            ("gzip, gzip", twice),
            ("", text.clone()),
        ] {
            let mut body =
                body(MemoryResponse::new(200, bytes).header("Content-Encoding", encodings));
            body.fill(u64::MAX);
            assert!(body.complete() && body.bytes() == text, "{encodings}");
        }
    }

    #[test]
    fn damaged_body_keeps_what_was_read() {
        let text: Vec<u8> = (0..500_000u32).flat_map(u32::to_le_bytes).collect();
        let mut bytes = gzip(&text);
        bytes.truncate(bytes.len() / 2);
        let mut damaged = body(MemoryResponse::new(200, bytes).header("Content-Encoding", "gzip"));
        damaged.fill(u64::MAX);
        assert!(!damaged.bytes().is_empty() && text.starts_with(damaged.bytes()));
        assert!(damaged.damage().unwrap().contains("gzip data is damaged"));
        assert_eq!(damaged.size(), None);

        let mut unknown = body(MemoryResponse::new(200, "x").header("Content-Encoding", "rot13"));
        unknown.fill(u64::MAX);
        assert_eq!(
            unknown.damage(),
            Some("its encoding `rot13` is not supported")
        );
    }

    #[test]
    fn bomb_ends_at_the_limit() {
        let zeros = vec![0; 66 << 20];
        let mut bomb =
            body(MemoryResponse::new(200, gzip(&zeros)).header("Content-Encoding", "gzip"));
        bomb.fill(u64::MAX);
        assert!((bomb.bytes().len() as u64) < limits::BODY_BYTES + 2 * limits::CHUNK_BYTES as u64);
        assert_eq!(bomb.damage(), Some("only the first 64 MB were read"));
    }

    #[test]
    fn only_needed_bytes_are_read() {
        let mut body = body(MemoryResponse::new(200, vec![b'x'; 1 << 20]));
        let mut out = Vec::new();
        body.read(0, 10, &mut out).unwrap();
        assert_eq!(out, b"xxxxxxxxxx");
        assert!(body.bytes().len() < 1 << 20);
    }
}
