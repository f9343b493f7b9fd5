//! The places in a text at which values and records may end: one pass over the text in memory finds
//! them for all of its records.
//!
//! If each quote of the text opens or closes a value, or is one of two in a value, the pass divides the text: the
//! places are the ends of values, and those of records are known. Otherwise they include each delimiter, line end and
//! quote, which each record examines again.

use super::blocks::{BLOCK, Bits, between, known};
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
    quotes: Quotes,
}

/// The values of a record in quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// No value is in quotes.
    Nowhere,
    /// The values are in a list.
    Listed,
    /// The marks are the ends of values. Contains the number of bytes that are not part of values: the quotes around
    /// them, and one of two in them.
    Divided(usize),
}

/// The delimiters, line ends and quotes of a text.
#[derive(Default)]
pub struct Marks {
    places: Vec<u32>,
    /// The ends of records, if the text is divided.
    ends: Vec<End>,
    /// The index of the first of them after the records that were read.
    line: usize,
    /// Whether the text is divided.
    is_divided: bool,
    /// The index of the first mark after the records that were read.
    next: usize,
    /// The text that was searched: the number of its changes, and the style.
    of: Option<(u64, Style)>,
}

/// The end of a record.
#[derive(Clone, Copy)]
struct End {
    /// The index of its mark.
    mark: u32,
    /// The number of bytes of quotes up to there that are not part of values.
    quotes: u32,
}

/// The state of a pass between two blocks.
#[derive(Default)]
struct Pass {
    /// All bits, if the text before is in a value in quotes.
    inside: u64,
    /// One, if the byte before is a mark, or the first one follows.
    after_mark: u64,
    /// One, if the byte before is a quote that closes a value.
    after_close: u64,
    /// The number of quotes, and twice that of values in quotes.
    quotes: u32,
}

impl Marks {
    /// Searches a text from `used` on, unless that was done before. `changes` differs for each text.
    pub fn update(&mut self, text: &[u8], used: usize, changes: u64, style: Style) {
        if self.of == Some((changes, style)) {
            return;
        }
        self.of = Some((changes, style));
        let rest = text.get(used..).unwrap_or_default();
        let base = u32::try_from(used).unwrap_or(u32::MAX);
        self.start();
        self.is_divided = self.divide(rest, base, style);
        if !self.is_divided {
            self.start();
            self.mark(rest, base, style);
        }
    }

    fn start(&mut self) {
        self.next = 0;
        self.line = 0;
        self.places.clear();
        self.ends.clear();
    }

    /// Divides a text at the ends of its values and records. Returns whether its quotes allow that.
    fn divide(&mut self, text: &[u8], base: u32, style: Style) -> bool {
        let mut pass = Pass {
            after_mark: 1,
            ..Pass::default()
        };
        let mut base = base;
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        for block in blocks {
            let bits = Bits::of(block, style);
            if (style.backslash && bits.quotes != 0) || !self.add(bits, BLOCK, base, &mut pass) {
                return false;
            }
            base = base.wrapping_add(64);
        }
        let bits = Bits::of_rest(rest, style);
        (!style.backslash || bits.quotes == 0) && self.add(bits, rest.len(), base, &mut pass)
    }

    /// Adds the marks of a block, of which this many bytes are known. Returns whether its quotes allow that.
    fn add(&mut self, bits: Bits, length: usize, base: u32, pass: &mut Pass) -> bool {
        let mark = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        let quotes = bits.quotes;
        let (mut marks, mut ends) = (bits.delimiters | bits.ends, bits.ends);
        // The quotes that are the first byte of a value.
        let mut first = 0;
        if (quotes | pass.inside | pass.after_close) == 0 {
            pass.after_mark = marks >> 63;
        } else {
            // The bytes from a quote that opens a value to the one that closes it. Two quotes in a value close and
            // open it.
            let inside = between(quotes) ^ pass.inside;
            let (opens, closes) = (quotes & inside, quotes & !inside);
            marks &= !inside;
            ends &= !inside;
            let after_mark = (marks << 1) | pass.after_mark;
            let after_close = (closes << 1) | pass.after_close;
            let is_bad = (bits.ends & inside)
                | (opens & !(after_mark | after_close))
                | (after_close & !(marks | opens));
            if is_bad & known(length) != 0 {
                return false;
            }
            first = opens & after_mark;
            // Shifts the highest bit through all others.
            pass.inside = 0u64.wrapping_sub(inside >> 63);
            pass.after_mark = marks >> 63;
            pass.after_close = closes >> 63;
        }
        let mut left = ends;
        while left != 0 {
            // The bits before the line end.
            let before = left & left.wrapping_neg();
            let before = before.wrapping_sub(1);
            let added = (quotes & before).count_ones();
            let added = added.wrapping_add((first & before).count_ones() << 1);
            self.ends.push(End {
                mark: mark.wrapping_add((marks & before).count_ones()),
                quotes: pass.quotes.wrapping_add(added) >> 1,
            });
            left &= left.wrapping_sub(1);
        }
        let added = quotes
            .count_ones()
            .wrapping_add(first.count_ones().wrapping_shl(1));
        pass.quotes = pass.quotes.wrapping_add(added);
        let count = self
            .places
            .len()
            .saturating_add(marks.count_ones() as usize);
        let mut left = marks;
        while left != 0 {
            // Without a branch for each mark. Those after the last one are removed below.
            let places = [0; 8].map(|_: u32| {
                let place = base.wrapping_add(left.trailing_zeros());
                left &= left.wrapping_sub(1);
                place
            });
            self.places.extend_from_slice(&places);
        }
        self.places.truncate(count);
        true
    }

    /// Finds each delimiter, line end and quote.
    fn mark(&mut self, text: &[u8], base: u32, style: Style) {
        let mut base = base;
        let mut add = |bits: Bits, base: u32| {
            let mut marks = bits.delimiters | bits.ends | bits.quotes;
            while marks != 0 {
                self.places.push(base.wrapping_add(marks.trailing_zeros()));
                marks &= marks.wrapping_sub(1);
            }
        };
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        for block in blocks {
            add(Bits::of(block, style), base);
            base = base.wrapping_add(64);
        }
        add(Bits::of_rest(rest, style), base);
    }

    /// The next record of a text that is divided. `None` if its end is not in the text.
    fn next_divided(&mut self, used: usize) -> Option<Marked> {
        while (*self.places.get(self.next)? as usize) < used {
            self.next = self.next.saturating_add(1);
        }
        let mut start = used;
        loop {
            let found = *self.ends.get(self.line)?;
            let mark = found.mark as usize;
            self.line = self.line.saturating_add(1);
            // Other code may have read records before.
            let Some(others) = mark.checked_sub(self.next) else {
                continue;
            };
            let end = *self.places.get(mark)? as usize;
            let first = self.next;
            self.next = mark.saturating_add(1);
            if end == start {
                // An empty line is not a record.
                start = start.saturating_add(1);
                continue;
            }
            let before = self.line.checked_sub(2).and_then(|at| self.ends.get(at));
            let quotes = found.quotes.wrapping_sub(before.map_or(0, |it| it.quotes));
            return Some(Marked {
                start,
                end,
                first,
                count: others.saturating_add(1),
                quotes: if quotes == 0 {
                    Quotes::Nowhere
                } else {
                    Quotes::Divided(quotes as usize)
                },
            });
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
        if self.is_divided {
            return self.next_divided(used);
        }
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
                    quotes: Quotes::Listed,
                });
            }
            if has_quotes {
                spans.push(Span::plain(value, end));
            }
            if is_end {
                let (count, quotes) = if has_quotes {
                    (spans.len(), Quotes::Listed)
                } else {
                    (at.saturating_sub(first), Quotes::Nowhere)
                };
                self.next = at;
                return Some(Marked {
                    start,
                    end,
                    first,
                    count,
                    quotes,
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

    /// A value of a record whose values are not in a list, of the text that was searched last. `quote` is that of its
    /// style.
    pub fn span(
        &self,
        text: &[u8],
        record: Marked,
        index: usize,
        quote: Option<u8>,
    ) -> Option<Span> {
        if index >= record.count {
            return None;
        }
        let mark = record.first.saturating_add(index);
        let start = match index {
            0 => record.start,
            _ => (*self.places.get(mark.checked_sub(1)?)? as usize).saturating_add(1),
        };
        let end = *self.places.get(mark)? as usize;
        if matches!(record.quotes, Quotes::Divided(_))
            && start < end
            && text.get(start).copied() == quote
        {
            let (start, end) = (start.saturating_add(1), end.saturating_sub(1));
            return Some(Span::quoted(start, end));
        }
        Some(Span::plain(start, end))
    }
}

impl Marked {
    /// Whether a value is in quotes.
    pub fn has_quotes(self) -> bool {
        self.quotes != Quotes::Nowhere
    }

    /// Whether the values are in a list.
    pub fn is_listed(self) -> bool {
        self.quotes == Quotes::Listed
    }

    /// The size in bytes of the values, if they are not in a list.
    pub fn value_bytes(self) -> usize {
        let quotes = match self.quotes {
            Quotes::Divided(quotes) => quotes,
            Quotes::Nowhere | Quotes::Listed => 0,
        };
        let others = self.count.saturating_sub(1).saturating_add(quotes);
        self.bytes().saturating_sub(others)
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
mod tests;
