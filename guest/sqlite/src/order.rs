//! The first of many values in the order of SQLite, for columns that compare texts byte by byte.
//!
//! The order is described in "Datatypes In SQLite", chapter 4.1, on sqlite.org.

use std::cmp::Ordering;
use std::collections::VecDeque;

/// A value without the bytes of a text or blob. The order of the variants is that of SQLite; numbers are compared
/// with each other.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// SQL NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// A floating-point number. It is not NaN, which SQLite stores as NULL.
    Real(f64),
    /// A text in UTF-8.
    Text,
    /// A blob.
    Blob,
}

/// The first rows of those that were added.
pub struct First {
    most: usize,
    descending: bool,
    /// The rows in any place.
    rows: Vec<Row>,
    /// The places of the rows, in order. Rows that are stored in the order or in its reverse are added at an end.
    order: VecDeque<usize>,
    added: u64,
    /// The bytes of all texts and blobs.
    bytes: usize,
    most_bytes: usize,
}

struct Row {
    kind: Kind,
    bytes: Vec<u8>,
    id: i64,
}

impl First {
    /// Collects at most `most` rows, whose texts and blobs have at most `most_bytes` bytes.
    pub fn new(most: usize, descending: bool, most_bytes: usize) -> Self {
        Self {
            most,
            descending,
            rows: Vec::new(),
            order: VecDeque::new(),
            added: 0,
            bytes: 0,
            most_bytes,
        }
    }

    /// Adds a row with a value. Returns false if the values are too large together.
    pub fn add(&mut self, kind: Kind, bytes: &[u8], row: i64) -> bool {
        self.added = self.added.saturating_add(1);
        let is_full = self.order.len() >= self.most;
        let last = if is_full {
            self.order.back().copied()
        } else {
            None
        };
        if last.is_some_and(|last| !self.is_before(kind, bytes, last)) {
            return true;
        }
        let place = match last {
            Some(last) => {
                self.order.pop_back();
                last
            }
            None if is_full => return true,
            None => self.rows.len(),
        };
        // A row comes after those with an equal value.
        let at = match self.order.front() {
            Some(front) if self.is_before(kind, bytes, *front) => 0,
            _ => self
                .order
                .partition_point(|other| !self.is_before(kind, bytes, *other)),
        };
        self.order.insert(at, place);
        let left = self.rows.get(place).map_or(0, |left| left.bytes.len());
        self.bytes = self.bytes.saturating_sub(left).saturating_add(bytes.len());
        if self.bytes > self.most_bytes {
            return false;
        }
        match self.rows.get_mut(place) {
            Some(kept) => {
                kept.kind = kind;
                kept.id = row;
                // The memory of a large text is not kept for a small one: only the bytes of texts are counted.
                if kept.bytes.capacity() > bytes.len().saturating_mul(2).saturating_add(64) {
                    kept.bytes = bytes.to_vec();
                } else {
                    kept.bytes.clear();
                    kept.bytes.extend_from_slice(bytes);
                }
            }
            None => self.rows.push(Row {
                kind,
                bytes: bytes.to_vec(),
                id: row,
            }),
        }
        true
    }

    /// Whether a value comes before that of the row at a place.
    fn is_before(&self, kind: Kind, bytes: &[u8], place: usize) -> bool {
        let Some(row) = self.rows.get(place) else {
            return false;
        };
        let order = compare((kind, bytes), (row.kind, &row.bytes));
        order
            == if self.descending {
                Ordering::Greater
            } else {
                Ordering::Less
            }
    }

    /// The first rows in order from `offset` on, and the number of rows that were added. `None` if the values are too
    /// large.
    pub fn into_rows(self, offset: usize) -> Option<(Vec<i64>, u64)> {
        let places = self.order.iter().skip(offset);
        let rows = places.filter_map(|place| self.rows.get(*place));
        let rows = rows.map(|row| row.id).collect();
        (self.bytes <= self.most_bytes).then_some((rows, self.added))
    }
}

/// Compares two values, each with the bytes of a text or blob.
pub fn compare(left: (Kind, &[u8]), right: (Kind, &[u8])) -> Ordering {
    let class = |kind| match kind {
        Kind::Null => 0,
        Kind::Integer(_) | Kind::Real(_) => 1,
        Kind::Text => 2,
        Kind::Blob => 3,
    };
    match (left.0, right.0) {
        (Kind::Text, Kind::Text) | (Kind::Blob, Kind::Blob) => left.1.cmp(right.1),
        (Kind::Integer(left), Kind::Integer(right)) => left.cmp(&right),
        (Kind::Real(left), Kind::Real(right)) => {
            left.partial_cmp(&right).unwrap_or(Ordering::Equal)
        }
        (Kind::Integer(left), Kind::Real(right)) => numbers(left, right),
        (Kind::Real(left), Kind::Integer(right)) => numbers(right, left).reverse(),
        (left, right) => class(left).cmp(&class(right)),
    }
}

/// Compares exactly. A whole number may have more digits than a floating-point number has.
fn numbers(whole: i64, real: f64) -> Ordering {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if real >= LIMIT {
        return Ordering::Less;
    }
    if real < -LIMIT {
        return Ordering::Greater;
    }
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the whole part fits, as checked above"
    )]
    let part = real as i64;
    let fraction = real - real.trunc();
    whole
        .cmp(&part)
        .then(0.0_f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first rows by values, whose rows are their indexes.
    fn first(most: usize, descending: bool, values: &[(Kind, &[u8])]) -> Vec<i64> {
        let mut first = First::new(most, descending, 1000);
        for (row, (kind, bytes)) in values.iter().enumerate() {
            assert!(first.add(*kind, bytes, i64::try_from(row).unwrap()));
        }
        let (rows, added) = first.into_rows(0).unwrap();
        assert_eq!(added, values.len() as u64);
        rows
    }

    #[test]
    fn order_is_that_of_sqlite() {
        let values: [(Kind, &[u8]); 10] = [
            (Kind::Blob, b""),
            (Kind::Text, b"b"),
            (Kind::Text, b"ab"),
            (Kind::Text, b"a"),
            (Kind::Integer(i64::MAX), b""),
            (Kind::Real(9_223_372_036_854_775_808.0), b""),
            (Kind::Real(2.5), b""),
            (Kind::Integer(2), b""),
            (Kind::Real(-1e300), b""),
            (Kind::Null, b""),
        ];
        assert_eq!(first(10, false, &values), [9, 8, 7, 6, 4, 5, 3, 2, 1, 0]);
        assert_eq!(first(10, true, &values), [0, 1, 2, 3, 5, 4, 6, 7, 8, 9]);
        assert_eq!(first(3, false, &values), [9, 8, 7]);
        assert_eq!(first(3, true, &values), [0, 1, 2]);
    }

    #[test]
    fn equal_values_keep_their_order() {
        let values: [(Kind, &[u8]); 6] = [
            (Kind::Integer(1), b""),
            (Kind::Integer(2), b""),
            (Kind::Real(1.0), b""),
            (Kind::Real(2.0), b""),
            (Kind::Integer(1), b""),
            (Kind::Real(-0.0), b""),
        ];
        assert_eq!(first(3, false, &values), [5, 0, 2]);
        assert_eq!(first(3, true, &values), [1, 3, 0]);
        assert_eq!(first(9, true, &values), [1, 3, 0, 2, 4, 5]);
    }

    #[test]
    fn numbers_are_compared_exactly() {
        let large = 9_007_199_254_740_993;
        assert_eq!(numbers(large, 9_007_199_254_740_992.0), Ordering::Greater);
        assert_eq!(numbers(-2, -1.5), Ordering::Less);
        assert_eq!(numbers(-1, -1.5), Ordering::Greater);
        assert_eq!(numbers(1, 1.5), Ordering::Less);
        assert_eq!(numbers(0, -0.0), Ordering::Equal);
        assert_eq!(numbers(i64::MIN, f64::NEG_INFINITY), Ordering::Greater);
    }

    #[test]
    fn large_values_are_refused() {
        let mut first = First::new(2, false, 10);
        assert!(first.add(Kind::Text, b"bbbbbb", 1));
        assert!(first.add(Kind::Text, b"c", 2));
        assert!(first.add(Kind::Text, b"aaa", 3));
        assert!(!first.add(Kind::Text, b"a2345678", 4));
        assert!(first.into_rows(0).is_none());
    }

    #[test]
    fn rows_before_the_offset_are_left_out() {
        let mut first = First::new(3, false, 10);
        for row in 0..5 {
            assert!(first.add(Kind::Integer(row), &[], row));
        }
        assert_eq!(first.into_rows(2), Some((vec![2], 5)));
    }

    #[test]
    fn memory_of_a_large_text_is_not_kept_for_a_small_one() {
        let mut first = First::new(2, false, 2_000_000);
        let large = vec![b'y'; 1_000_000];
        assert!(first.add(Kind::Text, &large, 1));
        for row in 2..5 {
            assert!(first.add(Kind::Text, b"a", row));
        }
        let kept: usize = first.rows.iter().map(|row| row.bytes.capacity()).sum();
        assert!(kept < 1000, "{kept}");
    }
}
