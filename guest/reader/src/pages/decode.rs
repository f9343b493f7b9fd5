//! Decodes bytes to text, in chunks of any size.
//!
//! Undecodable bytes are returned separately and not replaced, so that a page can show them and
//! raw text can count them. The WHATWG encoding standard defines the length of an undecodable
//! sequence. Each sequence is one U+FFFD and one column.

use super::scan::CodeUnit;
use crate::cp437;
use encoding_rs::{DecoderResult, Encoding};
use std::ops::ControlFlow;

/// A character encoding that the decoder supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8, which has a fast path.
    Utf8,
    /// Any other encoding of the WHATWG standard, including UTF-16.
    Web(&'static Encoding),
    /// UTF-32; `true` if big-endian.
    Utf32(bool),
    /// Code page 437, the code page of the IBM PC.
    Cp437,
}

impl Charset {
    /// The code unit of the encoding. Line ends are searched in whole code units.
    pub fn unit(self) -> CodeUnit {
        match self {
            Self::Web(encoding) if encoding == encoding_rs::UTF_16LE => CodeUnit::Two(false),
            Self::Web(encoding) if encoding == encoding_rs::UTF_16BE => CodeUnit::Two(true),
            Self::Utf32(big) => CodeUnit::Four(big),
            _ => CodeUnit::One,
        }
    }

    /// The name of the encoding in lower case. It is the name in the WHATWG standard, except for
    /// UTF-32 and code page 437, which the standard does not contain.
    pub fn name(self) -> String {
        match self {
            Self::Utf8 => "utf-8".to_owned(),
            Self::Web(encoding) => encoding.name().to_ascii_lowercase(),
            Self::Utf32(false) => "utf-32le".to_owned(),
            Self::Utf32(true) => "utf-32be".to_owned(),
            Self::Cp437 => "cp437".to_owned(),
        }
    }
}

/// A piece of decoder output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Decoded characters.
    Text(&'a str),
    /// One undecodable sequence of bytes.
    Invalid(&'a [u8]),
}

/// A function that consumes decoded pieces. It returns [`ControlFlow::Break`] if it needs no more
/// pieces.
pub type Sink<'s> = dyn FnMut(Piece<'_>) -> ControlFlow<()> + 's;

/// The maximum size in bytes, in any encoding, of an undecodable sequence and of a character that
/// is split between two chunks.
const LONGEST: usize = 8;

/// A decoder of chunks of bytes. It keeps an incomplete character at the end of a chunk until it
/// decodes the next chunk.
pub struct Decoder {
    coding: Charset,
    web: Option<encoding_rs::Decoder>,
    /// The bytes of an incomplete character at the end of the previous chunk. For the encodings of
    /// `web`, the most recently decoded bytes instead.
    kept: Vec<u8>,
}

impl Decoder {
    /// Creates a decoder. The first byte that it decodes must be the start of a line.
    pub fn new(coding: Charset) -> Self {
        let web = match coding {
            Charset::Web(encoding) => Some(encoding.new_decoder_without_bom_handling()),
            _ => None,
        };
        Self {
            coding,
            web,
            kept: Vec::new(),
        }
    }

    /// Decodes the chunk `bytes`, and passes the decoded pieces to `sink`. `last` is true for the
    /// last chunk.
    pub fn decode(&mut self, bytes: &[u8], last: bool, sink: &mut Sink<'_>) -> ControlFlow<()> {
        match self.coding {
            Charset::Utf8 => self.utf8(bytes, last, sink),
            Charset::Web(_) => self.web(bytes, last, sink),
            Charset::Utf32(big) => self.utf32(bytes, last, big, sink),
            Charset::Cp437 => {
                let text: String = bytes.iter().map(|byte| cp437::decode(*byte)).collect();
                sink(Piece::Text(&text))
            }
        }
    }

    fn utf8(&mut self, bytes: &[u8], last: bool, sink: &mut Sink<'_>) -> ControlFlow<()> {
        if self.kept.is_empty() {
            return self.utf8_run(bytes, last, sink);
        }
        // A sequence has at most four bytes, so the first few bytes complete it. The rest of
        // them is decoded again from its end.
        let kept = std::mem::take(&mut self.kept);
        let taken = bytes.len().min(LONGEST);
        let joined: Vec<u8> = kept
            .iter()
            .chain(bytes.iter().take(taken))
            .copied()
            .collect();
        let all = taken == bytes.len();
        let (used, flow) = Self::utf8_first(&joined, last && all, sink);
        flow?;
        if used == 0 {
            self.kept = joined;
            return ControlFlow::Continue(());
        }
        let rest = bytes
            .get(used.saturating_sub(kept.len())..)
            .unwrap_or_default();
        self.utf8_run(rest, last, sink)
    }

    /// Decodes the character or undecodable sequence at the start of `bytes`. Returns its size in
    /// bytes, or 0 if it is incomplete and more bytes follow.
    fn utf8_first(bytes: &[u8], last: bool, sink: &mut Sink<'_>) -> (usize, ControlFlow<()>) {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let first = text.chars().next().map_or(0, char::len_utf8);
                let text = text.get(..first).unwrap_or_default();
                (first, sink(Piece::Text(text)))
            }
            Err(error) if error.valid_up_to() > 0 => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                Self::utf8_first(valid, last, sink)
            }
            Err(error) => match error.error_len() {
                None if !last => (0, ControlFlow::Continue(())),
                length => {
                    let length = length.unwrap_or(bytes.len());
                    let invalid = bytes.get(..length).unwrap_or_default();
                    (length, sink(Piece::Invalid(invalid)))
                }
            },
        }
    }

    fn utf8_run(&mut self, mut bytes: &[u8], last: bool, sink: &mut Sink<'_>) -> ControlFlow<()> {
        loop {
            let error = match std::str::from_utf8(bytes) {
                Ok("") => return ControlFlow::Continue(()),
                Ok(text) => return sink(Piece::Text(text)),
                Err(error) => error,
            };
            let (valid, rest) = bytes
                .split_at_checked(error.valid_up_to())
                .unwrap_or((&[], bytes));
            if let Ok(text @ [_, ..]) = std::str::from_utf8(valid).map(str::as_bytes) {
                sink(Piece::Text(std::str::from_utf8(text).unwrap_or_default()))?;
            }
            let Some(length) = error.error_len() else {
                if last {
                    return sink(Piece::Invalid(rest));
                }
                self.kept.extend_from_slice(rest);
                return ControlFlow::Continue(());
            };
            let (invalid, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            sink(Piece::Invalid(invalid))?;
            bytes = after;
        }
    }

    fn web(&mut self, mut bytes: &[u8], last: bool, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let Some(decoder) = self.web.as_mut() else {
            return ControlFlow::Continue(());
        };
        let mut text = String::with_capacity(bytes.len().saturating_mul(3).clamp(64, 32 * 1024));
        loop {
            let (result, read) =
                decoder.decode_to_string_without_replacement(bytes, &mut text, last);
            let (seen, rest) = bytes.split_at_checked(read).unwrap_or((bytes, &[]));
            self.kept.extend_from_slice(
                seen.get(seen.len().saturating_sub(LONGEST)..)
                    .unwrap_or_default(),
            );
            let surplus = self.kept.len().saturating_sub(LONGEST);
            self.kept.drain(..surplus);
            bytes = rest;
            if !text.is_empty() {
                sink(Piece::Text(&text))?;
                text.clear();
            }
            match result {
                DecoderResult::InputEmpty => return ControlFlow::Continue(()),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(length, after) => {
                    let end = self.kept.len().saturating_sub(usize::from(after));
                    let start = end.saturating_sub(usize::from(length));
                    sink(Piece::Invalid(
                        self.kept.get(start..end).unwrap_or_default(),
                    ))?;
                }
            }
        }
    }

    fn utf32(
        &mut self,
        bytes: &[u8],
        last: bool,
        big: bool,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let mut text = String::new();
        for byte in bytes {
            self.kept.push(*byte);
            let Ok(unit) = <[u8; 4]>::try_from(self.kept.as_slice()) else {
                continue;
            };
            self.kept.clear();
            let code = if big {
                u32::from_be_bytes(unit)
            } else {
                u32::from_le_bytes(unit)
            };
            if let Some(c) = char::from_u32(code) {
                text.push(c);
                continue;
            }
            if !text.is_empty() {
                sink(Piece::Text(&text))?;
                text.clear();
            }
            sink(Piece::Invalid(&unit))?;
        }
        if !text.is_empty() {
            sink(Piece::Text(&text))?;
        }
        if last && !self.kept.is_empty() {
            let kept = std::mem::take(&mut self.kept);
            sink(Piece::Invalid(&kept))?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Decodes `bytes` in chunks of `size` bytes. Each undecodable sequence becomes U+FFFD.
    fn decoded(coding: Charset, bytes: &[u8], size: usize) -> String {
        let mut text = String::new();
        let mut decoder = Decoder::new(coding);
        let mut pieces = bytes.chunks(size.max(1)).peekable();
        while let Some(piece) = pieces.next() {
            let _ = decoder.decode(piece, pieces.peek().is_none(), &mut |piece| {
                match piece {
                    Piece::Text(t) => text.push_str(t),
                    Piece::Invalid(_) => text.push('\u{fffd}'),
                }
                ControlFlow::Continue(())
            });
        }
        text
    }

    #[test]
    fn undecodable_bytes_are_returned_as_sequences() {
        let mut invalid = Vec::new();
        for (coding, bytes) in [
            (Charset::Utf8, &b"a\xff\xe2\x82b\xf0\x9f"[..]),
            (Charset::Web(encoding_rs::GBK), b"a\xff\x81"),
            (Charset::Web(encoding_rs::UTF_16LE), b"a\0\x00\xd8b\0c"),
            (Charset::Utf32(false), b"a\0\0\0\0\0\x11\0bc"),
        ] {
            let _ = Decoder::new(coding).decode(bytes, true, &mut |piece| {
                if let Piece::Invalid(bytes) = piece {
                    invalid.push(bytes.to_vec());
                }
                ControlFlow::Continue(())
            });
        }
        let expected: [&[u8]; 9] = [
            b"\xff",
            b"\xe2\x82",
            b"\xf0\x9f",
            b"\xff",
            b"\x81",
            b"\x00\xd8",
            b"c",
            b"\0\0\x11\0",
            b"bc",
        ];
        assert_eq!(invalid, expected);
    }

    proptest! {
        #[test]
        fn decoded_text_does_not_depend_on_chunk_size(bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x80u8..0xc0, 0xe0u8..0xf8, Just(b'a')], 0..64), size in 1usize..9) {
            prop_assert_eq!(decoded(Charset::Utf8, &bytes, size), String::from_utf8_lossy(&bytes));
            for encoding in [encoding_rs::GB18030, encoding_rs::SHIFT_JIS, encoding_rs::EUC_KR, encoding_rs::BIG5, encoding_rs::WINDOWS_1252, encoding_rs::UTF_16LE, encoding_rs::UTF_16BE] {
                let whole = encoding.decode_without_bom_handling(&bytes).0;
                prop_assert_eq!(&decoded(Charset::Web(encoding), &bytes, size), &whole, "{}", encoding.name());
            }
        }
    }
}
