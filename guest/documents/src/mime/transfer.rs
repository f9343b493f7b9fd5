//! Transfer encodings: base64, quoted-printable, uuencode and yEnc.
//!
//! Sources: RFC 2045, 6.7 and 6.8; POSIX `uuencode`; yEnc draft 1.3. Damage never fails: unknown
//! bytes are skipped or kept as they are.

use omniread_document::base64;
use std::borrow::Cow;

/// A transfer encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// The bytes as they are: 7bit, 8bit, binary, and unknown names.
    #[default]
    Identity,
    /// Base64.
    Base64,
    /// Quoted-printable.
    QuotedPrintable,
    /// Uuencode.
    Uuencode,
}

impl Transfer {
    /// The encoding with a name, as in `Content-Transfer-Encoding`.
    pub fn named(name: &str) -> Self {
        // Comments and parameters may follow.
        let end = name.find([' ', ';', '(']).unwrap_or(name.len());
        let name = name.get(..end).unwrap_or(name);
        match name.trim().to_ascii_lowercase().as_str() {
            "base64" => Self::Base64,
            "quoted-printable" => Self::QuotedPrintable,
            "x-uuencode" | "uuencode" | "x-uue" | "uue" => Self::Uuencode,
            _ => Self::Identity,
        }
    }

    /// Decodes bytes. `keeps_spaces` is about quoted-printable, whose lines may get spaces at their ends on
    /// the way (RFC 2045, 6.7). In flowed text, unencoded spaces there are rather those of a sender that
    /// does not encode them, and mean that the line continues.
    pub fn decode(self, bytes: &[u8], keeps_spaces: bool) -> Cow<'_, [u8]> {
        match self {
            Self::Identity => Cow::Borrowed(bytes),
            Self::Base64 => Cow::Owned(base64::decode(bytes)),
            Self::QuotedPrintable => Cow::Owned(quoted_printable(bytes, keeps_spaces)),
            Self::Uuencode => Cow::Owned(uuencode(bytes)),
        }
    }
}

/// Decodes quoted-printable.
fn quoted_printable(bytes: &[u8], keeps_spaces: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let content = line.trim_ascii_end();
        let is_ended = line.last() == Some(&b'\n');
        let mut rest = content;
        let mut soft = false;
        while let Some(at) = memchr::memchr(b'=', rest) {
            let (before, after) = rest.split_at_checked(at).unwrap_or((rest, &[]));
            out.extend_from_slice(before);
            let after = after.get(1..).unwrap_or_default();
            if after.is_empty() {
                soft = true;
                rest = after;
            } else if let Some(byte) = hex_pair(after) {
                out.push(byte);
                rest = after.get(2..).unwrap_or_default();
            } else {
                out.push(b'=');
                rest = after;
            }
        }
        out.extend_from_slice(rest);
        if keeps_spaces && !soft {
            let spaces = line.iter().skip(content.len());
            out.extend(spaces.take_while(|byte| **byte == b' '));
        }
        if is_ended && !soft {
            let end: &[u8] = if line.ends_with(b"\r\n") {
                b"\r\n"
            } else {
                b"\n"
            };
            out.extend_from_slice(end);
        }
    }
    out
}

/// The byte that two hexadecimal digits mean.
pub fn hex_pair(bytes: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
    u8::try_from((digit(0)? << 4) | digit(1)?).ok()
}

/// Decodes the lines of uuencode, from `begin` or the first line to `end`.
pub fn uuencode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii_end();
        if line == b"end" {
            break;
        }
        let Some((&length, data)) = line.split_first() else {
            continue;
        };
        if line.starts_with(b"begin ") || !(0x20..=0x60).contains(&length) {
            continue;
        }
        let length = usize::from(length.wrapping_sub(0x20) & 0x3f);
        let start = out.len();
        // Spaces at the end of a line may be lost.
        let mut data = data.iter().copied().chain(std::iter::repeat(b' '));
        for _ in 0..length.div_ceil(3) {
            let mut bits = 0_u32;
            for byte in data.by_ref().take(4) {
                bits = (bits << 6) | u32::from(byte.wrapping_sub(0x20) & 0x3f);
            }
            let [_, a, b, c] = bits.to_be_bytes();
            out.extend_from_slice(&[a, b, c]);
        }
        out.truncate(start.saturating_add(length));
    }
    out
}

/// Decodes the data lines of yEnc.
pub fn yenc(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b"=y") {
            continue;
        }
        // Lines that start with a period are sent with two.
        let line = match line.strip_prefix(b"..") {
            Some(_) => line.get(1..).unwrap_or_default(),
            None => line,
        };
        let mut escaped = false;
        for &byte in line {
            if escaped {
                out.push(byte.wrapping_sub(106));
                escaped = false;
            } else if byte == b'=' {
                escaped = true;
            } else {
                out.push(byte.wrapping_sub(42));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_printable_keeps_damage() {
        let decode = |text: &[u8]| Transfer::QuotedPrintable.decode(text, false).into_owned();
        assert_eq!(decode(b"a=3Db =\r\nc  \r\nd=e9=zz"), b"a=b c\r\nd\xe9=zz");
        assert_eq!(decode(b"end="), b"end");
        let decode = |text: &[u8]| Transfer::QuotedPrintable.decode(text, true).into_owned();
        assert_eq!(decode(b"a \r\nb= \r\nc=20\nd "), b"a \r\nbc \nd ");
    }

    #[test]
    fn uuencode_and_yenc() {
        assert_eq!(uuencode(b"begin 644 a\n#0V%T\n`\nend\n"), b"Cat");
        assert_eq!(uuencode(b"#0V%T"), b"Cat");
        assert_eq!(uuencode(b"&0V%T\r\n#0V%T"), b"Cat\0\0\0Cat");
        assert_eq!(
            yenc(b"=ybegin line=128 size=3 name=a\r\n\x6d\x8b=}\r\n=yend size=3\r\n"),
            b"Ca\x13"
        );
    }
}
