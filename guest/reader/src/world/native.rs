//! Documents in native builds, which call the converters directly.

use super::{
    Document, DocumentError, DocumentFormat, DocumentSummary, DocumentText, DocumentUnit,
    DocumentUnits,
};
use omniread_documents as engine;

/// An open document.
struct Opened {
    document: Box<dyn engine::Document>,
    summary: DocumentSummary,
}

/// Opens a document.
pub fn open(bytes: Vec<u8>, format: DocumentFormat) -> Result<Box<dyn Document>, DocumentError> {
    if bytes.len() as u64 > engine::limits::DOCUMENT_BYTES {
        return Err(DocumentError::Exhausted("bytes".to_owned()));
    }
    let format = match format {
        DocumentFormat::Docx => engine::Format::Docx,
    };
    let document = engine::open(bytes, format).map_err(|error| match error {
        engine::Error::Encrypted => DocumentError::Encrypted,
        engine::Error::Damaged(what) => DocumentError::Damaged(what),
        engine::Error::Exhausted(limit) => DocumentError::Exhausted(limit.to_owned()),
    })?;
    let summary = summary(document.facts());
    Ok(Box::new(Opened { document, summary }))
}

fn summary(facts: &engine::Facts) -> DocumentSummary {
    let units = facts.list.iter().map(|unit| DocumentUnit {
        name: unit.name.clone(),
        hidden: unit.hidden,
    });
    DocumentSummary {
        format: facts.format.clone(),
        metadata: facts.metadata.clone(),
        kind: facts.units.map(|kind| match kind {
            engine::UnitKind::Slide => DocumentUnits::Slides,
            engine::UnitKind::Sheet => DocumentUnits::Sheets,
            engine::UnitKind::Chapter => DocumentUnits::Chapters,
        }),
        units: units.collect(),
    }
}

impl Document for Opened {
    fn summary(&self) -> &DocumentSummary {
        &self.summary
    }

    fn notes(&self) -> &[String] {
        self.document.notes()
    }

    fn unit(&mut self, index: u64) -> Result<DocumentText, DocumentError> {
        let unit = self.document.unit(place(index));
        Ok(DocumentText {
            text: unit.text,
            notes: unit.notes,
        })
    }

    fn image(&mut self, number: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.document.image(place(number)))
    }
}

fn place(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
