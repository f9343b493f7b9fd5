//! The notes to which the text refers.

use crate::limits;
use crate::word::notes::NoteKind;
use std::collections::BTreeMap;

/// The notes to which the text refers.
#[derive(Default)]
pub struct References {
    labels: BTreeMap<(NoteKind, String), String>,
    /// The identifiers by kind, in the order of the text.
    pub order: BTreeMap<NoteKind, Vec<String>>,
}

impl References {
    /// Returns the label of a note, by the order of the first references. `None` if there are too
    /// many.
    pub fn label(&mut self, kind: NoteKind, id: &str) -> Option<String> {
        let full = self.labels.len() >= limits::NOTE_REFERENCES;
        let order = self.order.entry(kind).or_default();
        let number = order.len().saturating_add(1);
        let key = (kind, id.to_owned());
        if full {
            return self.labels.get(&key).cloned();
        }
        let label = self.labels.entry(key).or_insert_with(|| {
            order.push(id.to_owned());
            kind.label(number)
        });
        Some(label.clone())
    }
}
