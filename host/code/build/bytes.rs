//! The parts of the binary format that modules and components share.

use std::error::Error;

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The header of a component.
pub const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// Bytes that are read from the start.
pub struct Bytes<'b>(pub &'b [u8]);

/// A section of a module or component.
pub struct Section<'b> {
    pub id: u8,
    pub content: &'b [u8],
}

impl<'b> Bytes<'b> {
    pub fn byte(&mut self) -> Result<u8> {
        let (byte, rest) = self.0.split_first().ok_or("it is cut")?;
        self.0 = rest;
        Ok(*byte)
    }

    pub fn expect(&mut self, expected: u8) -> Result<()> {
        match self.byte()? {
            byte if byte == expected => Ok(()),
            byte => Err(format!("{byte} is in place of {expected}").into()),
        }
    }

    /// Reads a number of 32 bits without a sign.
    pub fn number(&mut self) -> Result<usize> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("a number is too large".into())
    }

    pub fn take(&mut self, length: usize) -> Result<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or("it is cut")?;
        self.0 = rest;
        Ok(taken)
    }

    pub fn name(&mut self) -> Result<&'b str> {
        let length = self.number()?;
        Ok(std::str::from_utf8(self.take(length)?)?)
    }

    /// The bytes that `read` reads.
    pub fn skipped(&mut self, read: impl FnOnce(&mut Self) -> Result<()>) -> Result<&'b [u8]> {
        let before = self.0;
        read(self)?;
        Ok(&before[..before.len() - self.0.len()])
    }
}

impl<'b> Section<'b> {
    /// The content with this many more items, before and after the others.
    pub fn with(&self, more: usize, before: &[u8], after: &[u8]) -> Result<Vec<u8>> {
        let mut bytes = Bytes(self.content);
        let mut written = Vec::new();
        number(&mut written, bytes.number()? + more);
        written.extend([before, bytes.0, after].concat());
        Ok(written)
    }

    /// Calls `read` for each item of the section, which it reads. Returns the number of items.
    pub fn items(&self, mut read: impl FnMut(&mut Bytes<'b>) -> Result<()>) -> Result<usize> {
        let mut bytes = Bytes(self.content);
        let count = bytes.number()?;
        for _ in 0..count {
            read(&mut bytes)?;
        }
        if bytes.0.is_empty() {
            Ok(count)
        } else {
            Err("a section has more than its items".into())
        }
    }
}

/// The sections after a header.
pub fn sections(bytes: &[u8]) -> Result<Vec<Section<'_>>> {
    let mut bytes = Bytes(bytes);
    let mut sections = Vec::new();
    while !bytes.0.is_empty() {
        let id = bytes.byte()?;
        let length = bytes.number()?;
        let content = bytes.take(length)?;
        sections.push(Section { id, content });
    }
    Ok(sections)
}

/// Writes a number without a sign.
pub fn number(to: &mut Vec<u8>, number: usize) {
    groups(to, number, 0x80);
}

/// Writes a number in groups of seven bits. The last one is below `end`.
pub fn groups(to: &mut Vec<u8>, mut number: usize, end: usize) {
    while number >= end {
        to.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    to.push(number.to_le_bytes()[0]);
}

pub fn named(to: &mut Vec<u8>, name: &str) {
    number(to, name.len());
    to.extend(name.bytes());
}

pub fn section(to: &mut Vec<u8>, id: u8, content: &[u8]) {
    to.push(id);
    number(to, content.len());
    to.extend(content);
}
