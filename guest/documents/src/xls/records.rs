//! Records: a type, a size, and data of up to 8 KB ([MS-XLS] 2.1.4). Longer data goes on in records
//! of the type CONTINUE.

use crate::codepage::{CodePage, utf16};
use std::borrow::Cow;

/// The type of records with more data of the record before.
pub const CONTINUE: u16 = 0x3c;

/// A record.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The type.
    pub kind: u16,
    /// The data. At the end of a damaged stream it is shorter than it should be.
    pub data: &'a [u8],
    /// The position of the record in the stream.
    pub at: usize,
}

/// The records of a stream.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    damaged: bool,
}

impl<'a> Records<'a> {
    /// Returns the records from a position.
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self {
            bytes,
            at,
            damaged: false,
        }
    }

    /// Returns whether the stream ended inside of a record.
    pub fn damaged(&self) -> bool {
        self.damaged
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let rest = self.bytes.get(self.at..)?;
        let Some(([kind0, kind1, size0, size1], rest)) = rest.split_first_chunk::<4>() else {
            self.damaged |= !rest.is_empty();
            self.at = self.bytes.len();
            return None;
        };
        let size = usize::from(u16::from_le_bytes([*size0, *size1]));
        self.damaged |= size > rest.len();
        let data = rest.get(..size).unwrap_or(rest);
        let record = Record {
            kind: u16::from_le_bytes([*kind0, *kind1]),
            data,
            at: self.at,
        };
        self.at = self.at.saturating_add(4).saturating_add(data.len());
        Some(record)
    }
}

/// Returns the data of a record, of the CONTINUE records after it, and of those of the same type.
pub fn joined<'a>(stream: &'a [u8], record: &Record<'a>) -> Cow<'a, [u8]> {
    let next = record
        .at
        .saturating_add(4)
        .saturating_add(record.data.len());
    let more = Records::new(stream, next);
    let more = more.take_while(|next| next.kind == CONTINUE || next.kind == record.kind);
    let mut data = Cow::Borrowed(record.data);
    for next in more {
        data.to_mut().extend_from_slice(next.data);
    }
    data
}

/// The data of a record and of the CONTINUE records after it.
#[derive(Clone, Debug)]
pub struct Continued<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Continued<'a> {
    /// Returns the data of a record after its first `skip` bytes.
    pub fn new(bytes: &'a [u8], record: &Record, skip: usize) -> Self {
        let start = record.at.saturating_add(4);
        Self {
            bytes,
            at: start.saturating_add(skip),
            end: start.saturating_add(record.data.len()),
        }
    }

    /// Returns the data from a position up to the end of its record.
    pub fn from(bytes: &'a [u8], at: usize, end: usize) -> Self {
        Self { bytes, at, end }
    }

    /// Returns the position, and the end of the record.
    pub fn position(&self) -> (usize, usize) {
        (self.at, self.end)
    }

    /// Goes to the next record if it is a CONTINUE record.
    fn go_on(&mut self) -> Option<()> {
        let mut records = Records::new(self.bytes, self.end);
        let next = records.next().filter(|next| next.kind == CONTINUE)?;
        self.at = next.at.saturating_add(4);
        self.end = self.at.saturating_add(next.data.len());
        Some(())
    }

    /// Returns the rest of the data in the record. It goes on if there is none.
    fn rest(&mut self) -> Option<&'a [u8]> {
        while self.at >= self.end {
            self.go_on()?;
        }
        self.bytes.get(self.at..self.end)
    }

    fn advance(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// Reads a byte.
    pub fn u8(&mut self) -> Option<u8> {
        let byte = *self.rest()?.first()?;
        self.advance(1);
        Some(byte)
    }

    /// Reads an unsigned number of 2 bytes, with the low byte first.
    pub fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.u8()?, self.u8()?]))
    }

    /// Reads an unsigned number of 4 bytes, with the low byte first.
    pub fn u32(&mut self) -> Option<u32> {
        let (low, high) = (self.u16()?, self.u16()?);
        Some(u32::from(low) | u32::from(high) << 16)
    }

    /// Leaves out `count` bytes.
    pub fn skip(&mut self, mut count: usize) -> Option<()> {
        while count > 0 {
            let part = self.rest()?.len().min(count);
            self.advance(part);
            count = count.saturating_sub(part);
        }
        Some(())
    }

    /// Reads up to `count` bytes.
    fn take(&mut self, mut count: usize) -> Vec<u8> {
        let mut out = Vec::new();
        while count > 0 {
            let Some(rest) = self.rest() else { break };
            let part = rest.get(..count).unwrap_or(rest);
            out.extend_from_slice(part);
            self.advance(part.len());
            count = count.saturating_sub(part.len());
        }
        out
    }

    /// Reads characters of BIFF8. They have two bytes each if bit 0 of the flags is set, and one
    /// otherwise. A CONTINUE record inside of them begins with other flags. A cut text is returned
    /// up to the cut.
    pub fn characters(&mut self, count: usize, flags: u8) -> String {
        let width = |flags: u8| usize::from(flags & 1).saturating_add(1);
        let bytes = count.saturating_mul(width(flags));
        let rest = self.bytes.get(self.at..self.end).unwrap_or_default();
        if let Some(text) = rest.get(..bytes) {
            self.advance(bytes);
            return if flags & 1 != 0 {
                utf16(text)
            } else {
                latin(text)
            };
        }
        let mut units = Vec::new();
        self.walk(count, flags, |part, flags| {
            if flags & 1 != 0 {
                units.extend_from_slice(part);
            } else {
                units.extend(part.iter().flat_map(|byte| [*byte, 0]));
            }
        });
        utf16(&units)
    }

    /// Leaves out characters.
    pub fn skip_characters(&mut self, count: usize, flags: u8) -> Option<()> {
        self.walk(count, flags, |_, _| {})
    }

    fn walk(
        &mut self,
        mut count: usize,
        mut flags: u8,
        mut each: impl FnMut(&[u8], u8),
    ) -> Option<()> {
        loop {
            let width = usize::from(flags & 1).saturating_add(1);
            let rest = self.bytes.get(self.at..self.end).unwrap_or_default();
            let units = rest.len().checked_div(width).unwrap_or(0).min(count);
            let bytes = units.saturating_mul(width);
            each(rest.get(..bytes).unwrap_or_default(), flags);
            self.advance(bytes);
            count = count.saturating_sub(units);
            if count == 0 {
                return Some(());
            }
            self.go_on()?;
            flags = self.u8()?;
        }
    }

    /// Reads a text of BIFF8 with its flags ([MS-XLS] 2.5.293). Formats and phonetic texts are left
    /// out.
    pub fn rich(&mut self, count: usize) -> Option<String> {
        let (flags, extra) = self.rich_head()?;
        let text = self.characters(count, flags);
        self.skip(extra);
        Some(text)
    }

    /// Reads the flags of a text, and the number of bytes after it.
    fn rich_head(&mut self) -> Option<(u8, usize)> {
        let flags = self.u8()?;
        let mut extra = 0_usize;
        if flags & 8 != 0 {
            extra = usize::from(self.u16()?).saturating_mul(4);
        }
        if flags & 4 != 0 {
            extra = extra.saturating_add(usize::try_from(self.u32()?).ok()?);
        }
        Some((flags, extra))
    }

    /// Leaves out a text with its number of characters. Returns whether it is complete.
    pub fn skip_rich(&mut self) -> Option<()> {
        let count = usize::from(self.u16()?);
        let (flags, extra) = self.rich_head()?;
        self.skip_characters(count, flags)?;
        self.skip(extra)
    }

    /// Reads a text of the versions before Excel 97.
    pub fn bytes(&mut self, count: usize, code_page: CodePage) -> String {
        let bytes = self.take(count);
        code_page.decoded(&bytes)
    }
}

/// Decodes characters of one byte, which are the first 256 of Unicode.
fn latin(bytes: &[u8]) -> String {
    if bytes.is_ascii() {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
