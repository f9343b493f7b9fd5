//! The order of rows.
//!
//! A path that is expanded has a row for each of its children, which may be expanded too. So the position of a row is
//! a list of numbers, as of the sections of a book: `[4, 0, 2]` is the third child of the first child of the fifth
//! path of the list.

use std::collections::BTreeMap;

/// The position of an item, with whether it is the last child at each level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position(Vec<(u64, bool)>);

impl Position {
    /// The position of a path of the list.
    pub(crate) fn of_list(index: u64) -> Self {
        Self(vec![(index, false)])
    }

    /// The position of a child.
    pub(crate) fn child(&self, index: u64, is_last: bool) -> Self {
        let mut steps = self.0.clone();
        steps.push((index, is_last));
        Self(steps)
    }

    /// The number of the path of the list that has led to it. Beyond 2³² they have the same one.
    pub(crate) fn entry(&self) -> u32 {
        let first = self.0.first().map_or(0, |(index, _)| *index);
        u32::try_from(first).unwrap_or(u32::MAX)
    }

    /// The number of items that it is in, and itself.
    pub(crate) fn depth(&self) -> usize {
        self.0.len()
    }

    /// The size in bytes of the position of a row that waits, and of its numbers, by which rows are sorted.
    pub(crate) fn size(&self) -> usize {
        self.0.len() * (size_of::<(u64, bool)>() + size_of::<u64>())
    }

    /// The numbers of the position.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.0.iter().map(|(index, _)| *index).collect()
    }

    /// The numbers of the row after this one, unless that item is expanded.
    fn following(mut self) -> Vec<u64> {
        while self.0.last().is_some_and(|(_, is_last)| *is_last) {
            self.0.pop();
        }
        if let Some((index, _)) = self.0.last_mut() {
            *index += 1;
        }
        self.numbers()
    }
}

/// Rows that wait for an earlier one. `T` is a row.
#[derive(Debug)]
pub(crate) struct Order<T> {
    /// The numbers of the next row. It may have the numbers of its first child in place of these.
    next: Vec<u64>,
    waiting: BTreeMap<Vec<u64>, (Position, T)>,
}

impl<T> Default for Order<T> {
    fn default() -> Self {
        Self {
            next: vec![0],
            waiting: BTreeMap::new(),
        }
    }
}

impl<T> Order<T> {
    /// Whether the row at a position is the next one.
    pub(crate) fn is_next(&self, position: &Position) -> bool {
        is_first_of(&self.next, position.0.iter().map(|(index, _)| *index))
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, position: Position, row: T) {
        self.waiting.insert(position.numbers(), (position, row));
    }

    /// Goes on after a position, whose row needs not wait.
    pub(crate) fn pass(&mut self, position: Position) {
        self.next = position.following();
    }

    /// Removes the next row, if it is there.
    pub(crate) fn take(&mut self) -> Option<T> {
        let (numbers, _) = self.waiting.first_key_value()?;
        if !is_first_of(&self.next, numbers.iter().copied()) {
            return None;
        }
        let (position, row) = self.waiting.pop_first()?.1;
        self.next = position.following();
        Some(row)
    }

    /// Removes the first row, although an earlier one is missing.
    pub(crate) fn take_any(&mut self) -> Option<T> {
        Some(self.waiting.pop_first()?.1.1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

/// Whether the numbers are those of an item, or of its first child, or of the first child of that.
fn is_first_of(item: &[u64], mut numbers: impl Iterator<Item = u64>) -> bool {
    item.iter().all(|number| numbers.next() == Some(*number)) && numbers.all(|number| number == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_wait_for_earlier_ones() {
        let mut order = Order::default();
        let positions: Vec<Position> = (0..3).map(Position::of_list).collect();
        order.add(positions[2].clone(), "c");
        order.add(positions[1].clone(), "b");
        assert_eq!(order.take(), None);
        assert!(order.is_next(&positions[0]) && !order.is_next(&positions[1]));
        order.pass(positions[0].clone());
        assert_eq!(
            [order.take(), order.take(), order.take()],
            [Some("b"), Some("c"), None]
        );
        assert!(order.is_empty());
    }

    #[test]
    fn children_are_in_the_place_of_their_parent() {
        let mut order = Order::default();
        let parent = Position::of_list(0);
        let (first, last) = (parent.child(0, false), parent.child(1, true));
        // The last child is expanded too.
        let (inner, inner_last) = (last.child(0, false), last.child(1, true));
        order.add(Position::of_list(1), "after");
        order.add(inner_last, "0.1.1");
        order.add(inner, "0.1.0");
        assert_eq!(order.take(), None);
        order.add(first, "0.0");
        let taken: Vec<_> = std::iter::from_fn(|| order.take()).collect();
        assert_eq!(taken, ["0.0", "0.1.0", "0.1.1", "after"]);
        assert_eq!(order.next, [2]);
    }

    #[test]
    fn rows_after_a_gap_can_be_taken() {
        let mut order = Order::default();
        order.add(Position::of_list(7), 7);
        order.add(Position::of_list(3), 3);
        assert_eq!(order.take(), None);
        assert_eq!(
            [order.take_any(), order.take_any(), order.take_any()],
            [Some(3), Some(7), None]
        );
    }
}
