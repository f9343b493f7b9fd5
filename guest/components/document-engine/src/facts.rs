//! The facts about a document, its attachments and its errors in the types of the interface.

use crate::bindings::omniread::parts::document_types as wit;
use omniread_document::{Document, Error, UnitKind};

/// The facts about a document.
pub fn facts(document: &dyn Document) -> wit::Facts {
    let facts = document.facts();
    let entry = |(name, value): &(String, String)| wit::MetadataEntry {
        name: name.clone(),
        value: value.clone(),
    };
    let units = facts.list.iter().map(|unit| wit::UnitFacts {
        name: unit.name.clone(),
        hidden: unit.hidden,
    });
    let outline = document.outline().iter().filter_map(|entry| {
        Some(wit::OutlineEntry {
            level: entry.level,
            title: entry.title.clone(),
            unit: u32::try_from(entry.unit?).ok()?,
        })
    });
    wit::Facts {
        format: facts.format.clone(),
        metadata: facts.metadata.iter().map(entry).collect(),
        kind: facts.units.map(|kind| match kind {
            UnitKind::Slide => wit::UnitKind::Slide,
            UnitKind::Sheet => wit::UnitKind::Sheet,
            UnitKind::Chapter => wit::UnitKind::Chapter,
            UnitKind::Mail => wit::UnitKind::Mail,
            UnitKind::Page => wit::UnitKind::Page,
        }),
        units: units.collect(),
        outline: outline.collect(),
    }
}

/// The attachments of a document.
pub fn attachments(document: &dyn Document) -> Vec<wit::Attachment> {
    let attachments = document.attachments().iter().map(|one| wit::Attachment {
        name: one.name.clone(),
        declared: one.declared.clone(),
        mime: one.mime.clone(),
        size: one.size,
    });
    attachments.collect()
}

impl From<Error> for wit::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Encrypted => Self::Encrypted,
            Error::Damaged(what) => Self::Damaged(what),
            Error::Exhausted(limit) => Self::Exhausted(limit),
            Error::Unsupported(what) => Self::Unsupported(what),
            Error::Io(why) => Self::Io(why),
            Error::Failed(why) => Self::Failed(why),
            Error::Missing(file) => Self::Missing(file),
        }
    }
}
