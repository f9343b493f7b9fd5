//! The places in a text at which values and records may end: one pass over the text in memory finds
//! them for all of its records.

use super::scan::{Span, Style};

/// A record in the text in memory.
#[derive(Clone, Copy)]
pub struct Marked {
    start: usize,
    /// The index after its last byte.
    end: usize,
    /// The index of the mark after its first value.
    first: usize,
    /// The number of its values.
    count: usize,
    /// Whether a value is in quotes, so that the values are in a list.
    has_quotes: bool,
}

/// The delimiters, line ends and quotes of a text.
#[derive(Default)]
pub struct Marks {
    places: Vec<u32>,
    /// The index of the first mark after the records that were read.
    next: usize,
    /// The text that was searched: the number of its changes, and the style.
    of: Option<(u64, Style)>,
}

/// The number of bytes that are compared at once, and the number of these parts of a block.
const LANES: usize = 16;
const PARTS: usize = 4;

impl Marks {
    /// Searches a text from `used` on, unless that was done before. `changes` differs for each text.
    pub fn update(&mut self, text: &[u8], used: usize, changes: u64, style: Style) {
        if self.of == Some((changes, style)) {
            return;
        }
        self.of = Some((changes, style));
        self.next = 0;
        self.places.clear();
        let quote = style.quote.unwrap_or(style.delimiter);
        let is_mark = |byte: u8| {
            u8::from(byte == style.delimiter)
                | u8::from(byte == b'\n')
                | u8::from(byte == b'\r')
                | u8::from(byte == quote)
        };
        let rest = text.get(used..).unwrap_or_default();
        let (blocks, rest) = rest.as_chunks::<{ LANES * PARTS }>();
        let mut base = u32::try_from(used).unwrap_or(u32::MAX);
        for block in blocks {
            let mut marks = 0u64;
            let (parts, _) = block.as_chunks::<LANES>();
            for (part, after) in parts.iter().zip([0u32, 16, 32, 48]) {
                // The compiler makes vector instructions of this.
                let found = u128::from_le_bytes(part.map(is_mark));
                #[expect(clippy::cast_possible_truncation, reason = "each half is taken")]
                let bits = gathered(found as u64) | (gathered((found >> 64) as u64) << 8);
                marks |= bits << after;
            }
            while marks != 0 {
                self.places.push(base.wrapping_add(marks.trailing_zeros()));
                marks &= marks.wrapping_sub(1);
            }
            base = base.wrapping_add(64);
        }
        for (place, byte) in (base..).zip(rest) {
            if is_mark(*byte) != 0 {
                self.places.push(place);
            }
        }
    }

    /// The next record of the text, of which `used` bytes were used. If it has values in quotes, `spans` are
    /// its values. `None` if its end is not in the text, or if its quotes need a closer look.
    pub fn next(
        &mut self,
        text: &[u8],
        used: usize,
        style: Style,
        spans: &mut Vec<Span>,
    ) -> Option<Marked> {
        let mut at = self.next;
        while self
            .places
            .get(at)
            .is_some_and(|place| (*place as usize) < used)
        {
            at = at.saturating_add(1);
        }
        self.next = at;
        let mut start = used;
        let mut first = at;
        // The start of the current value.
        let mut value = used;
        let mut has_quotes = false;
        loop {
            let end = *self.places.get(at)? as usize;
            let byte = *text.get(end)?;
            at = at.saturating_add(1);
            let is_end = byte == b'\n' || byte == b'\r';
            if is_end && end == start {
                // An empty line is not a record.
                start = start.saturating_add(1);
                value = start;
                first = at;
                continue;
            }
            if !is_end && byte != style.delimiter {
                if end != value || style.backslash {
                    return None;
                }
                if !has_quotes {
                    has_quotes = true;
                    self.plain_values(start, first, at, spans);
                }
                at = self.close(text, at, byte)?;
                let quote = *self.places.get(at.checked_sub(1)?)? as usize;
                let after = quote.saturating_add(1);
                // The mark after the quote is the end of the value.
                if *self.places.get(at)? as usize != after || text.get(after) == Some(&byte) {
                    return None;
                }
                spans.push(Span::quoted(end.saturating_add(1), quote));
                at = at.saturating_add(1);
                value = after.saturating_add(1);
                if *text.get(after)? == style.delimiter {
                    continue;
                }
                self.next = at;
                return Some(Marked {
                    start,
                    end: after,
                    first,
                    count: spans.len(),
                    has_quotes,
                });
            }
            if has_quotes {
                spans.push(Span::plain(value, end));
            }
            if is_end {
                let count = if has_quotes {
                    spans.len()
                } else {
                    at.saturating_sub(first)
                };
                self.next = at;
                return Some(Marked {
                    start,
                    end,
                    first,
                    count,
                    has_quotes,
                });
            }
            value = end.saturating_add(1);
        }
    }

    /// Lists the values before the first one in quotes, whose opening quote is the mark before `at`.
    fn plain_values(&self, start: usize, first: usize, at: usize, spans: &mut Vec<Span>) {
        spans.clear();
        let mut start = start;
        let marks = self.places.get(first..at.saturating_sub(1));
        for end in marks.unwrap_or_default() {
            let end = *end as usize;
            spans.push(Span::plain(start, end));
            start = end.saturating_add(1);
        }
    }

    /// The index of the mark after the quote that closes a value. `at` is that after its opening quote. `None`
    /// if the value has several lines.
    fn close(&self, text: &[u8], at: usize, quote: u8) -> Option<usize> {
        let mut at = at;
        loop {
            let place = *self.places.get(at)? as usize;
            let byte = *text.get(place)?;
            at = at.saturating_add(1);
            if byte == b'\n' || byte == b'\r' {
                return None;
            }
            if byte == quote {
                if text.get(place.saturating_add(1)) != Some(&quote) {
                    return Some(at);
                }
                at = at.saturating_add(1);
            }
        }
    }

    /// A value of a record without quotes of the text that was searched last.
    pub fn value<'t>(&self, text: &'t [u8], record: Marked, index: usize) -> Option<&'t [u8]> {
        if index >= record.count {
            return None;
        }
        let mark = record.first.saturating_add(index);
        let start = match index {
            0 => record.start,
            _ => (*self.places.get(mark.checked_sub(1)?)? as usize).saturating_add(1),
        };
        text.get(start..*self.places.get(mark)? as usize)
    }
}

/// The lowest bits of eight bytes that are 0 or 1.
fn gathered(bytes: u64) -> u64 {
    // Each byte is multiplied to its place in the highest byte of the product.
    bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl Marked {
    /// Whether a value is in quotes, so that the values are in a list.
    pub fn has_quotes(self) -> bool {
        self.has_quotes
    }

    /// The record in the text in memory.
    pub fn text(self, text: &[u8]) -> &[u8] {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// The index after the line end of the record.
    pub fn after(self) -> usize {
        self.end.saturating_add(1)
    }

    /// The size in bytes.
    pub fn bytes(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// The number of values.
    pub fn count(self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_divided_at_marks() {
        let style = Style::of(b',');
        let text = b"a,b,\r\n\n,long value without marks that is longer than a block of bytes for sure,\n\
            \"q\",1\nx,\"a,\"\"b\"\"\",,\"\"\n\"two\nlines\",x\n5\" y,z\n\"a\"b,c\n\"a\" ,b\nlast,\"x\"\r\nopen,";
        let mut marks = Marks::default();
        marks.update(text, 0, 1, style);
        let mut used = 0;
        let mut records = Vec::new();
        let mut spans = Vec::new();
        while used < text.len() {
            let Some(record) = marks.next(text, used, style, &mut spans) else {
                // Other code reads the record.
                let rest = &text[used..];
                let length = rest.iter().position(|byte| *byte == b'\n');
                used += length.unwrap_or(rest.len()) + 1;
                continue;
            };
            used = record.after();
            let line: Vec<Vec<u8>> = if record.has_quotes() {
                let values = spans.iter().map(|span| span.text(text, style).into_owned());
                values.collect()
            } else {
                let values = (0..=record.count()).map(|index| marks.value(text, record, index));
                values.flatten().map(<[u8]>::to_vec).collect()
            };
            assert_eq!(line.len(), record.count());
            let mut divided = Vec::new();
            crate::tables::separated::scan::values(record.text(text), style, |value, _| {
                divided.push(value.into_owned());
            });
            assert_eq!(line, divided);
            records.push(String::from_utf8_lossy(&line.join(&b'|')).into_owned());
        }
        let long = "|long value without marks that is longer than a block of bytes for sure|";
        assert_eq!(records, ["a|b|", long, "q|1", "x|a,\"b\"||", "last|x"]);
    }
}
