//! The first items in an order, of which only as many are kept as are needed.

use std::collections::BinaryHeap;

/// An item with the key that orders it, and its place among items with equal keys.
struct Entry<T> {
    key: Vec<u8>,
    place: u64,
    item: T,
    bytes: usize,
}

impl<T> Entry<T> {
    fn order(&self) -> (&[u8], u64) {
        (&self.key, self.place)
    }
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

/// The first items in an order. Items with equal keys stay in the order in which they were added.
pub struct Sorted<T> {
    entries: BinaryHeap<Entry<T>>,
    most: usize,
    added: u64,
    bytes: usize,
}

impl<T> Sorted<T> {
    /// Keeps the first `most` items.
    pub fn new(most: usize) -> Self {
        Self {
            entries: BinaryHeap::new(),
            most,
            added: 0,
            bytes: 0,
        }
    }

    /// Adds an item, which is made only if it is one of the first ones so far. `item` returns it with
    /// its size in bytes.
    pub fn add(&mut self, key: &[u8], item: impl FnOnce() -> (T, usize)) {
        let place = self.added;
        self.added = self.added.saturating_add(1);
        if self.entries.len() >= self.most {
            // A later item with an equal key is after the last one.
            match self.entries.peek() {
                Some(last) if key < last.key.as_slice() => {}
                _ => return,
            }
            if let Some(last) = self.entries.pop() {
                self.bytes = self.bytes.saturating_sub(last.bytes);
            }
        }
        let (item, bytes) = item();
        let bytes = bytes.saturating_add(key.len());
        self.bytes = self.bytes.saturating_add(bytes);
        self.entries.push(Entry {
            key: key.to_vec(),
            place,
            item,
            bytes,
        });
    }

    /// The number of items that were added.
    pub fn added(&self) -> u64 {
        self.added
    }

    /// The size in bytes of the items and keys in memory.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The items in the order.
    pub fn into_items(self) -> impl Iterator<Item = T> {
        let entries = self.entries.into_sorted_vec();
        entries.into_iter().map(|entry| entry.item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_items_are_kept_in_their_order() {
        let mut sorted = Sorted::new(4);
        for (at, key) in [5u8, 3, 9, 3, 1, 3, 8, 1, 3].into_iter().enumerate() {
            sorted.add(&[key], || ((key, at), 10));
        }
        assert_eq!((sorted.added(), sorted.bytes()), (9, 44));
        let items: Vec<(u8, usize)> = sorted.into_items().collect();
        assert_eq!(items, [(1, 4), (1, 7), (3, 1), (3, 3)]);
        let mut none = Sorted::new(0);
        none.add(&[1], || ((), 1));
        assert_eq!(none.into_items().count(), 0);
    }
}
