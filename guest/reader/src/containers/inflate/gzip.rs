//! gzip (RFC 1952): a stream of one or more members.
//!
//! The headers and checksums of members are read here, because the library computes checksums of WebAssembly with
//! tables, which took more time than to decompress.

use super::boxed::Input;
use crate::containers::crc32::Crc32;
use flate2::bufread::DeflateDecoder;
use std::io::{self, BufRead, ErrorKind, Read};

/// The flags of a header: a checksum of it, more fields, a name and a comment. Others have no meaning.
const HAS_SUM: u8 = 2;
const HAS_FIELDS: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

/// The maximum number of bytes of a name or a comment.
const TEXT_BYTES: usize = 65_535;

/// A reader of the decompressed content of all members of a gzip stream. Zeros after a member are
/// skipped, because blocks on tapes and disks are padded with them.
pub struct Members {
    state: State,
}

/// What is read next.
enum State {
    Header(Input),
    Body(Box<Body>),
    /// Zeros, or another header.
    Next(Input),
    /// Nothing after an error.
    Failed(ErrorKind, String),
    End,
}

/// The content of a member.
struct Body {
    content: DeflateDecoder<Input>,
    sum: Crc32,
}

impl Members {
    /// Creates a reader of the members in `bytes`.
    pub fn new(bytes: Input) -> Self {
        Self {
            state: State::Header(bytes),
        }
    }

    /// Goes on after the header, the body or the end of a member.
    fn step(&mut self, state: State) -> io::Result<State> {
        Ok(match state {
            State::Header(mut bytes) => {
                header(&mut bytes)?;
                State::Body(Box::new(Body {
                    content: DeflateDecoder::new(bytes),
                    sum: Crc32::new(),
                }))
            }
            State::Body(body) => {
                let Body { content, sum } = *body;
                let mut bytes = content.into_inner();
                let end: [u8; 8] = array(&mut bytes)?;
                // The length is modulo 2^32.
                let length = sum.length().to_le_bytes().into_iter().take(4);
                let is_right = sum.sum().to_le_bytes().into_iter().chain(length).eq(end);
                if !is_right {
                    // What follows can be read.
                    self.state = State::Next(bytes);
                    return Err(corrupt());
                }
                State::Next(bytes)
            }
            State::Next(mut bytes) => {
                if skip_zeros(&mut bytes)? {
                    State::Header(bytes)
                } else {
                    State::End
                }
            }
            State::Failed(kind, message) => return Err(io::Error::new(kind, message)),
            State::End => State::End,
        })
    }
}

impl Read for Members {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.state {
                State::Body(body) => {
                    let read = body.content.read(out)?;
                    body.sum.update(out.get(..read).unwrap_or_default());
                    if read > 0 || out.is_empty() {
                        return Ok(read);
                    }
                }
                State::Failed(kind, message) => {
                    return Err(io::Error::new(*kind, message.clone()));
                }
                State::End => return Ok(0),
                State::Header(_) | State::Next(_) => {}
            }
            let state = std::mem::replace(&mut self.state, State::End);
            match self.step(state) {
                Ok(state) => self.state = state,
                Err(error) => {
                    if matches!(self.state, State::End) {
                        self.state = State::Failed(error.kind(), error.to_string());
                    }
                    return Err(error);
                }
            }
        }
    }
}

fn corrupt() -> io::Error {
    let message = "corrupt gzip stream does not have a matching checksum";
    io::Error::new(ErrorKind::InvalidInput, message)
}

fn array<const N: usize>(bytes: &mut Input) -> io::Result<[u8; N]> {
    let mut array = [0; N];
    fill(bytes, &mut array)?;
    Ok(array)
}

fn fill(bytes: &mut Input, out: &mut [u8]) -> io::Result<()> {
    bytes.read_exact(out).map_err(|error| match error.kind() {
        // The message of the kind is shorter.
        kind @ ErrorKind::UnexpectedEof => kind.into(),
        _ => error,
    })
}

/// Reads the header of a member.
fn header(bytes: &mut Input) -> io::Result<()> {
    let start: [u8; 10] = array(bytes)?;
    let [0x1f, 0x8b, 8, flags, ..] = start else {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "invalid gzip header",
        ));
    };
    if flags & RESERVED != 0 {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "invalid gzip header",
        ));
    }
    let mut sum = Crc32::new();
    sum.update(&start);
    if flags & HAS_FIELDS != 0 {
        let length: [u8; 2] = array(bytes)?;
        let mut fields = vec![0; usize::from(u16::from_le_bytes(length))];
        fill(bytes, &mut fields)?;
        sum.update(&length);
        sum.update(&fields);
    }
    for flag in [HAS_NAME, HAS_COMMENT] {
        if flags & flag != 0 {
            text(bytes, &mut sum)?;
        }
    }
    if flags & HAS_SUM != 0 {
        let [a, b, ..] = sum.sum().to_le_bytes();
        if array(bytes)? != [a, b] {
            return Err(corrupt());
        }
    }
    Ok(())
}

/// Reads a text with a zero at its end.
fn text(bytes: &mut Input, sum: &mut Crc32) -> io::Result<()> {
    let mut length = 0_usize;
    loop {
        let byte: [u8; 1] = array(bytes)?;
        sum.update(&byte);
        if byte == [0] {
            return Ok(());
        }
        if length == TEXT_BYTES {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "gzip header field too long",
            ));
        }
        length = length.saturating_add(1);
    }
}

/// Skips zeros. Returns false at the end of the stream.
fn skip_zeros(bytes: &mut Input) -> io::Result<bool> {
    loop {
        let buffered = bytes.fill_buf()?;
        if buffered.is_empty() {
            return Ok(false);
        }
        let zeros = buffered.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            return Ok(true);
        }
        bytes.consume(zeros);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::bufread::GzDecoder;
    use flate2::{Compression, GzBuilder};
    use std::io::{BufReader, Write as _};

    /// A member with all fields in its header but a checksum of it.
    fn file() -> Vec<u8> {
        let builder = GzBuilder::new();
        let builder = builder.filename("a name").comment("text").extra("more");
        let mut writer = builder.write(Vec::new(), Compression::default());
        let text = "a line of text, and again a line of text\n".repeat(9);
        writer.write_all(text.as_bytes()).unwrap();
        writer.finish().unwrap()
    }

    type Outcome = (Vec<u8>, Option<(ErrorKind, String)>);

    fn read(mut reader: impl Read) -> Outcome {
        let mut content = Vec::new();
        let error = reader.read_to_end(&mut content).err();
        (content, error.map(|it| (it.kind(), it.to_string())))
    }

    fn own(file: &[u8], part: usize) -> Outcome {
        let bytes = io::Cursor::new(file.to_vec());
        read(Members::new(Input::new(BufReader::with_capacity(
            part, bytes,
        ))))
    }

    fn library(file: &[u8]) -> Outcome {
        read(GzDecoder::new(BufReader::with_capacity(64, file)))
    }

    #[test]
    fn damaged_members_are_read_as_by_the_library() {
        let file = file();
        assert!(own(&file, 7).1.is_none());
        for place in 0..file.len() {
            let cut = &file[..place];
            assert_eq!(own(cut, 64), library(cut), "{place}");
            for bit in 0..8 {
                let mut file = file.clone();
                file[place] ^= 1 << bit;
                assert_eq!(own(&file, 64), library(&file), "{place} {bit}");
            }
        }
    }

    #[test]
    fn members_follow_each_other_after_zeros() {
        let file = file();
        let (content, _) = own(&file, 64);
        let twice = [&file[..], &[0; 700], &file].concat();
        assert_eq!(own(&twice, 64), (content.repeat(2), None));
        let (read, error) = own(&[&file[..], b"x"].concat(), 64);
        assert_eq!(read, content);
        assert_eq!(error.map(|it| it.0), Some(ErrorKind::UnexpectedEof));
    }

    #[test]
    fn member_after_one_with_a_wrong_checksum_is_read() {
        let (content, _) = own(&file(), 64);
        let mut damaged = file();
        let place = damaged.len() - 8;
        damaged[place] ^= 1;
        let bytes = io::Cursor::new([damaged, file()].concat());
        let mut members = Members::new(Input::new(bytes));
        let mut read = Vec::new();
        let error = members.read_to_end(&mut read).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert_eq!(read, content);
        members.read_to_end(&mut read).unwrap();
        assert_eq!(read, content.repeat(2));
    }

    #[test]
    fn header_with_a_checksum_is_checked() {
        let mut file = file();
        file[3] |= HAS_SUM;
        // The header ends after the comment.
        let end = 10 + 2 + 4 + 7 + 5;
        let mut sum = Crc32::new();
        sum.update(&file[..end]);
        let sum = sum.sum().to_le_bytes();
        file.splice(end..end, [sum[0], sum[1]]);
        assert!(own(&file, 64).1.is_none());
        file[end] ^= 1;
        assert_eq!(own(&file, 64), library(&file));
    }
}
