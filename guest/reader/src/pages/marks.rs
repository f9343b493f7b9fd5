//! Marks of a large text: at which byte offsets some of its lines start. A session keeps them, so that a
//! later page does not count all lines before it again.

use super::scan::CodeUnit;
use crate::limits;

/// The start of a line: its number, counted from 1, and its byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The number of the line.
    pub line: u64,
    /// The byte offset of its first byte.
    pub offset: u64,
}

/// The marks of one state of a text, in order. Two of them are at least `spacing` bytes apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The size of the text in bytes.
    size: u64,
    /// The code unit and the offset of the first line with which the lines were counted. `None` before the
    /// first mark.
    form: Option<(CodeUnit, u64)>,
    lines: Vec<Mark>,
    /// Whether there are marks that the session does not have.
    is_new: bool,
}

impl Marks {
    /// No marks, of a text of `size` bytes.
    pub fn new(size: u64) -> Self {
        Self {
            size,
            form: None,
            lines: Vec::new(),
            is_new: false,
        }
    }

    /// The minimum number of bytes between two marks.
    fn spacing(&self) -> u64 {
        (self.size / limits::LINE_MARKS).max(limits::LINE_MARK_BYTES)
    }

    /// The marks in the bytes that [`Marks::bytes`] returned, for a text of `size` bytes. `None` if they are
    /// damaged, or of a text of another size.
    pub fn parse(bytes: &[u8], size: u64) -> Option<Self> {
        let mut numbers = bytes.chunks_exact(8);
        if !numbers.remainder().is_empty() {
            return None;
        }
        let mut next = || numbers.next()?.try_into().ok().map(u64::from_le_bytes);
        let (stated, unit, start) = (next()?, unit(next()?)?, next()?);
        let mut marks: Vec<Mark> = Vec::new();
        while let Some(line) = next() {
            let mark = Mark {
                line,
                offset: next()?,
            };
            let (least, after) = marks
                .last()
                .map_or((1, start), |last| (last.line, last.offset));
            if mark.line <= least || mark.offset <= after || mark.offset > size {
                return None;
            }
            marks.push(mark);
        }
        (stated == size).then_some(Self {
            size,
            form: Some((unit, start)),
            lines: marks,
            is_new: false,
        })
    }

    /// The marks as bytes, for the session. `None` if it has all of them.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let (unit, start) = self.form.filter(|_| self.is_new)?;
        let head = [self.size, number(unit), start];
        let marks = self.lines.iter().flat_map(|mark| [mark.line, mark.offset]);
        Some(
            head.into_iter()
                .chain(marks)
                .flat_map(u64::to_le_bytes)
                .collect(),
        )
    }

    /// Sets the code unit and the offset of the first line with which lines are counted. Removes the marks of
    /// another form.
    pub fn adopt(&mut self, unit: CodeUnit, start: u64) {
        if self.form != Some((unit, start)) {
            self.form = Some((unit, start));
            self.lines.clear();
            self.is_new = false;
        }
    }

    /// Adds a mark, if it is far enough after the last one.
    pub fn add(&mut self, mark: Mark) {
        let last = self.lines.last().map_or(0, |last| last.offset);
        if mark.offset >= last.saturating_add(self.spacing()) && mark.offset <= self.size {
            self.lines.push(mark);
            self.is_new = true;
        }
    }

    /// The last mark that is not after the line `line`.
    pub fn before(&self, line: u64) -> Option<Mark> {
        let after = self.lines.partition_point(|mark| mark.line <= line);
        self.lines.get(after.checked_sub(1)?).copied()
    }

    /// The last mark.
    pub fn last(&self) -> Option<Mark> {
        self.lines.last().copied()
    }
}

/// The code units, each with the number by which it is stored.
const UNITS: [(u64, CodeUnit); 5] = [
    (1, CodeUnit::One),
    (2, CodeUnit::Two(false)),
    (3, CodeUnit::Two(true)),
    (4, CodeUnit::Four(false)),
    (5, CodeUnit::Four(true)),
];

fn number(unit: CodeUnit) -> u64 {
    let found = UNITS.iter().find(|(_, other)| *other == unit);
    found.map_or(0, |(number, _)| *number)
}

fn unit(number: u64) -> Option<CodeUnit> {
    let found = UNITS.iter().find(|(other, _)| *other == number);
    found.map(|(_, unit)| *unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: u64 = 1 << 30;

    fn marks(offsets: &[u64]) -> Marks {
        let mut marks = Marks::new(SIZE);
        marks.adopt(CodeUnit::One, 3);
        for offset in offsets {
            marks.add(Mark {
                line: offset / 10,
                offset: *offset,
            });
        }
        marks
    }

    #[test]
    fn marks_are_kept_apart_and_found_by_line() {
        let spacing = marks(&[]).spacing();
        let marks = marks(&[spacing, spacing + 10, spacing * 2, spacing]);
        assert_eq!(marks.lines.len(), 2);
        assert_eq!(marks.before(1), None);
        assert_eq!(marks.before(spacing / 10), marks.lines.first().copied());
        assert_eq!(marks.before(u64::MAX), marks.last());
    }

    #[test]
    fn stored_marks_are_read_and_damaged_ones_are_not() {
        let spacing = marks(&[]).spacing();
        let mut marks = marks(&[spacing, spacing * 3]);
        let bytes = marks.bytes().unwrap();
        marks.is_new = false;
        assert_eq!(Marks::parse(&bytes, SIZE), Some(marks.clone()));
        assert_eq!(marks.bytes(), None);
        assert_eq!(Marks::parse(&bytes, SIZE + 1), None);
        assert_eq!(Marks::parse(&bytes[1..], SIZE), None);
        assert_eq!(Marks::parse(&bytes[..32], SIZE), None);
        for (at, value) in [(24, 1), (32, 2), (40, 1), (48, SIZE + 1), (8, 9)] {
            let mut damaged = bytes.clone();
            damaged[at..at + 8].copy_from_slice(&u64::to_le_bytes(value));
            assert_eq!(Marks::parse(&damaged, SIZE), None, "{at}");
        }
    }

    #[test]
    fn marks_of_another_form_are_removed() {
        let mut marks = marks(&[1 << 29]);
        marks.adopt(CodeUnit::One, 3);
        assert!(marks.last().is_some());
        marks.adopt(CodeUnit::Two(true), 3);
        assert_eq!((marks.last(), marks.bytes()), (None, None));
    }
}
