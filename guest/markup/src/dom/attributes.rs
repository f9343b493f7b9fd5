//! The attributes of a start tag.

use super::Name;
use crate::limits;

/// The attributes of one start tag that a conversion uses. Of several with the same name, the first
/// counts.
#[derive(Default)]
pub struct Attributes {
    /// The name of each attribute, and the end of its value in `values`.
    list: Vec<(Name, usize)>,
    values: Vec<u8>,
}

impl Attributes {
    /// No attributes.
    pub const NONE: Self = Self {
        list: Vec::new(),
        values: Vec::new(),
    };

    /// Whether the tag has no attributes.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The attributes in the order of the tag.
    pub fn iter(&self) -> impl Iterator<Item = (Name, &[u8])> {
        let starts = std::iter::once(0).chain(self.list.iter().map(|(_, end)| *end));
        starts.zip(&self.list).map(|(start, (name, end))| {
            let value = self.values.get(start..*end).unwrap_or_default();
            (*name, value)
        })
    }

    /// The value of an attribute.
    pub fn get(&self, name: Name) -> Option<&[u8]> {
        let found = self.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value)
    }

    /// Starts an attribute with an empty value. Returns whether it is kept.
    pub fn push(&mut self, name: &[u8]) -> bool {
        let Some(name) = Name::of(name) else {
            return false;
        };
        let is_kept = self.list.len() < limits::ATTRIBUTES
            && !self.list.iter().any(|(known, _)| *known == name);
        if is_kept {
            self.list.push((name, self.values.len()));
        }
        is_kept
    }

    /// Appends a part of the value of the last attribute.
    pub fn push_value(&mut self, part: &[u8]) {
        self.values.extend_from_slice(part);
        if let Some((_, end)) = self.list.last_mut() {
            *end = self.values.len();
        }
    }

    /// Removes all attributes, for the next tag.
    pub fn clear(&mut self) {
        self.list.clear();
        self.values.clear();
    }
}
