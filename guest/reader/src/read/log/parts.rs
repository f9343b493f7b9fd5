//! The parts of a log that are searched.

use crate::encoding::Encoding;
use crate::limits;
use crate::pages::{CodeUnit, Input};
use std::borrow::Cow;
use std::ops::Range;

/// The parts of a text that are searched.
pub struct Parts {
    /// The start of the text, or all of it, in a form in which a byte 0x0A ends a line. `None` if it has this form
    /// in the first bytes, which are in memory.
    first: Option<Vec<u8>>,
    /// The place of this part in these bytes.
    place: Range<usize>,
    /// The end of the text, if it is another part.
    pub last: Option<Last>,
    /// Whether `first` is the whole text.
    pub is_whole: bool,
    /// The number of bytes that are not in these parts. 0 if it is not known.
    pub left: u64,
}

/// The end of a text, from the start of a line on.
pub struct Last {
    /// The bytes as they are in the source.
    pub bytes: Vec<u8>,
    /// The bytes in a form in which a byte 0x0A ends a line. `None` if they have this form.
    text: Option<Vec<u8>>,
}

impl Last {
    /// The bytes in a form in which a byte 0x0A ends a line.
    pub fn text(&self) -> &[u8] {
        self.text.as_ref().unwrap_or(&self.bytes)
    }
}

/// The first lines of a text, which are few.
pub fn first_sample<'t>(input: &'t Input<'_>, encoding: Encoding) -> Cow<'t, [u8]> {
    let head = input.head();
    let length = head.len().min(limits::SAMPLE_BYTES);
    let sample = head.get(..length).unwrap_or_default();
    lined(sample, encoding, length == head.len())
}

/// Bytes in a form in which a byte 0x0A ends a line and nothing else: unchanged, unless the code units of the encoding
/// have several bytes.
fn lined(bytes: &[u8], encoding: Encoding, complete: bool) -> Cow<'_, [u8]> {
    if encoding.charset.unit() == CodeUnit::One {
        let mark = usize::try_from(encoding.bom_len).unwrap_or(0);
        return Cow::Borrowed(bytes.get(mark..).unwrap_or_default());
    }
    encoding.decoded(bytes, complete)
}

/// The decoded bytes, if the code units of the encoding have several bytes.
fn wide(bytes: &[u8], encoding: Encoding) -> Option<Vec<u8>> {
    match encoding.charset.unit() {
        CodeUnit::One => None,
        _ => Some(lined(bytes, encoding, true).into_owned()),
    }
}

/// The place of a text after its byte order mark, which decoded text does not have.
fn place(mark: usize, decoded: Option<&[u8]>, bytes: &[u8]) -> Range<usize> {
    decoded.map_or(mark..bytes.len(), |decoded| 0..decoded.len())
}

impl Parts {
    /// The parts of a text that are searched. All of a text in memory is searched. Otherwise these are the first
    /// and the last [`limits::LOG_PART_BYTES`], or what is in memory if bytes cannot be read at any offset or come over
    /// a network. Returns `None` if a part has no line.
    pub fn of(input: &mut Input<'_>, encoding: Encoding) -> Option<Self> {
        let unit = encoding.charset.unit();
        let mark = usize::try_from(encoding.bom_len).unwrap_or(0);
        if input.complete() {
            let first = wide(input.head(), encoding);
            return Some(Self {
                place: place(mark, first.as_deref(), input.head()),
                first,
                last: None,
                is_whole: true,
                left: 0,
            });
        }
        let size = input.source().info().size;
        let Some(size) = size.filter(|_| input.seekable() && !input.remote()) else {
            let size = size.filter(|_| input.seekable());
            let head = whole_lines(input.head(), unit)?;
            let first = wide(head, encoding);
            return Some(Self {
                place: place(mark, first.as_deref(), head),
                first,
                last: None,
                is_whole: false,
                left: size.map_or(0, |size| size.saturating_sub(head.len() as u64)),
            });
        };
        let part = limits::LOG_PART_BYTES;
        // Code units are counted from the start of the text.
        let mark = encoding.bom_len;
        let start = size.checked_sub(part).filter(|start| *start >= part)?;
        let torn = start.saturating_sub(mark) & (unit.width() as u64).saturating_sub(1);
        let start = start.saturating_sub(torn);
        let mut bytes = read(input, start, size)?;
        let line = unit.first(unit.whole(&bytes))?;
        bytes.drain(..line);
        if bytes.is_empty() {
            return None;
        }
        let mut first = read(input, 0, part)?;
        let length = whole_lines(&first, unit)?.len();
        first.truncate(length);
        let after_mark = Encoding {
            bom_len: 0,
            ..encoding
        };
        let text = wide(&bytes, after_mark);
        let searched = (first.len().saturating_add(bytes.len())) as u64;
        let mark = usize::try_from(mark).unwrap_or(0);
        let decoded = wide(&first, encoding);
        Some(Self {
            place: place(mark, decoded.as_deref(), &first),
            first: Some(decoded.unwrap_or(first)),
            last: Some(Last { bytes, text }),
            is_whole: false,
            left: size.saturating_sub(searched),
        })
    }

    /// The start of the text, or all of it, in a form in which a byte 0x0A ends a line.
    pub fn first<'t>(&'t self, input: &'t Input<'_>) -> &'t [u8] {
        let bytes = match &self.first {
            Some(first) => first,
            None => input.head(),
        };
        bytes.get(self.place.clone()).unwrap_or_default()
    }

    /// Parts from which it is detected whether the text is a log: from its start, its middle and its end.
    pub fn samples<'t>(&'t self, input: &'t Input<'_>) -> Vec<&'t [u8]> {
        let first = self.first(input);
        let mut samples = vec![sample(first, 0)];
        let length = first.len();
        if length > limits::SAMPLE_BYTES {
            samples.push(sample(first, length / 2));
            samples.push(sample(first, length.saturating_sub(limits::SAMPLE_BYTES)));
        }
        if let Some(last) = &self.last {
            let text = last.text();
            let length = text.len();
            samples.push(sample(text, length / 2));
            samples.push(sample(text, length.saturating_sub(limits::SAMPLE_BYTES)));
        }
        samples
    }
}

/// The complete lines of bytes. `None` if no line is complete.
fn whole_lines(bytes: &[u8], unit: CodeUnit) -> Option<&[u8]> {
    bytes.get(..unit.last(unit.whole(bytes))?)
}

/// Bytes from the first line that starts after `at` on.
fn sample(text: &[u8], at: usize) -> &[u8] {
    let rest = text.get(at..).unwrap_or_default();
    let rest = rest.get(..limits::SAMPLE_BYTES).unwrap_or(rest);
    if at == 0 {
        return rest;
    }
    let start = memchr::memchr(b'\n', rest).map_or(0, |end| end.saturating_add(1));
    rest.get(start..).unwrap_or_default()
}

/// The bytes of a source from `start` to `end`. `None` if it has fewer.
fn read(input: &mut Input<'_>, start: u64, end: u64) -> Option<Vec<u8>> {
    let length = usize::try_from(end.saturating_sub(start)).ok()?;
    let mut bytes = Vec::with_capacity(length);
    while bytes.len() < length {
        let chunk = input.chunk(start.saturating_add(bytes.len() as u64));
        let missing = length.saturating_sub(bytes.len()).min(chunk.len());
        if missing == 0 {
            return None;
        }
        bytes.extend_from_slice(chunk.get(..missing)?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{FileError, Info, Source};

    /// A log that states another size than it has: it was truncated, or has grown.
    struct Changing {
        bytes: Vec<u8>,
        size: u64,
    }

    impl Source for Changing {
        fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
            let rest = from(&self.bytes, usize::try_from(offset).unwrap());
            out.extend_from_slice(&rest[..len.min(rest.len())]);
            Ok(())
        }

        fn seekable(&self) -> bool {
            true
        }

        fn info(&mut self) -> Info {
            Info {
                size: Some(self.size),
                ..Info::default()
            }
        }
    }

    fn from(bytes: &[u8], start: usize) -> &[u8] {
        bytes.get(start..).unwrap_or_default()
    }

    #[test]
    fn parts_are_those_of_the_stated_size() {
        let line = b"2024-01-02 03:04:05 INFO a\n";
        let bytes = line.repeat(200_000);
        let whole = bytes.len() as u64;
        for (size, lines) in [
            (whole, Some(19_418)),
            (whole - 13, Some(19_418)),
            (whole + 1, None),
            (whole * 2, None),
        ] {
            let mut source = Changing {
                bytes: bytes.clone(),
                size,
            };
            let mut input = Input::new(&mut source, Some(size)).unwrap();
            let parts = Parts::of(&mut input, Encoding::VALID_UTF8);
            let last = parts.map(|parts| parts.last.unwrap().bytes);
            let found = last
                .as_ref()
                .map(|last| last.split_inclusive(|byte| *byte == b'\n').count());
            assert_eq!(found, lines, "{size}");
            assert!(last.is_none_or(|last| last.starts_with(b"2024")));
        }
    }
}
