//! The open elements of a document, also of one with wrong end tags.

use std::collections::BTreeMap;

/// The effect of an end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// The tag closes the innermost element.
    Matching,
    /// The tag closes an outer element and with it elements without an end tag. The number of
    /// closed elements.
    Outer(usize),
    /// The tag closes nothing.
    Nothing,
}

/// The open elements, outermost first, each with data of the caller.
#[derive(Clone, Debug)]
pub struct Nesting<'a, T> {
    open: Vec<(&'a str, T)>,
    /// How often each open name is open, so that an end tag that closes nothing costs no search.
    counts: BTreeMap<&'a str, usize>,
}

impl<T> Default for Nesting<'_, T> {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            counts: BTreeMap::new(),
        }
    }
}

impl<'a, T> Nesting<'a, T> {
    /// The number of open elements.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens an element.
    pub fn push(&mut self, name: &'a str, data: T) {
        self.open.push((name, data));
        let count = self.counts.entry(name).or_default();
        *count = count.saturating_add(1);
    }

    /// Closes the innermost element.
    pub fn pop(&mut self) -> Option<T> {
        let (name, data) = self.open.pop()?;
        match self.counts.get_mut(name) {
            Some(count) if *count > 1 => *count = count.saturating_sub(1),
            // A document may have as many names as elements.
            _ => {
                self.counts.remove(name);
            }
        }
        Some(data)
    }

    /// The innermost element.
    pub fn last(&self) -> Option<&(&'a str, T)> {
        self.open.last()
    }

    /// The innermost element.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.open.last_mut().map(|(_, data)| data)
    }

    /// The effect that an end tag has. Elements are closed by calls of [`Nesting::pop`].
    pub fn closed_by(&self, name: &str) -> Closed {
        if !self.counts.contains_key(name) {
            return Closed::Nothing;
        }
        match self.open.iter().rev().position(|(open, _)| *open == name) {
            Some(0) => Closed::Matching,
            Some(inner) => Closed::Outer(inner.saturating_add(1)),
            None => Closed::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_tag_closes_innermost_outer_or_nothing() {
        let mut nesting = Nesting::default();
        nesting.push("a", 1);
        nesting.push("b", 2);
        assert_eq!(nesting.closed_by("b"), Closed::Matching);
        assert_eq!(nesting.closed_by("a"), Closed::Outer(2));
        assert_eq!(nesting.closed_by("c"), Closed::Nothing);
        assert_eq!(nesting.pop(), Some(2));
        assert_eq!(nesting.closed_by("b"), Closed::Nothing);
    }
}
