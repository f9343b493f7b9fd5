//! Documents in native builds, which call the converters directly.

mod sheets;

use super::{
    Document, DocumentAttachment, DocumentError, DocumentFormat, DocumentHeading, DocumentSummary,
    DocumentText, DocumentUnit, DocumentUnits, Remote, SheetFacts, SheetRows, SheetWindow,
};
use omniread_documents as engine;

/// An open document.
struct Opened {
    document: Box<dyn engine::Document>,
    summary: DocumentSummary,
}

/// Opens a document.
pub fn open(
    bytes: Vec<u8>,
    format: DocumentFormat,
    password: Option<&str>,
) -> Result<Box<dyn Document>, DocumentError> {
    if bytes.len() as u64 > engine::limits::DOCUMENT_BYTES {
        return Err(DocumentError::Exhausted("bytes".to_owned()));
    }
    let document = match office(format) {
        Some(format) => engine::open(bytes, format, password),
        None => omniread_pdf::open(bytes, password),
    };
    let document = document?;
    let summary = summary(&*document);
    Ok(Box::new(Opened { document, summary }))
}

/// Opens a document on a server. Of a PDF document, only parts are read.
pub fn open_remote(
    remote: &Remote,
    format: DocumentFormat,
) -> Result<Box<dyn Document>, DocumentError> {
    if format != DocumentFormat::Pdf {
        let bytes = remote.bytes(0, remote.size());
        let bytes = bytes.map_err(|error| DocumentError::Io(error.to_string()))?;
        return open(bytes, format, None);
    }
    let source = Direct(remote.clone());
    let document = omniread_pdf::open_source(Box::new(source), None)?;
    let summary = summary(&*document);
    Ok(Box::new(Opened { document, summary }))
}

/// A remote source that the PDF converter reads itself. Nothing prevents it in a native build.
struct Direct(Remote);

impl omniread_pdf::ranges::Source for Direct {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        let read = self.0.bytes(offset, length);
        read.map_err(|error| error.to_string())
    }

    fn is_local(&self) -> bool {
        false
    }
}

/// The format for the converters of office documents. `None` for a PDF document.
fn office(format: DocumentFormat) -> Option<engine::Format> {
    Some(match format {
        DocumentFormat::Docx => engine::Format::Docx,
        DocumentFormat::Pptx => engine::Format::Pptx,
        DocumentFormat::Xlsx => engine::Format::Xlsx,
        DocumentFormat::Xlsb => engine::Format::Xlsb,
        DocumentFormat::Xls => engine::Format::Xls,
        DocumentFormat::Doc => engine::Format::Doc,
        DocumentFormat::Ppt => engine::Format::Ppt,
        DocumentFormat::Rtf => engine::Format::Rtf,
        DocumentFormat::Epub => engine::Format::Epub,
        DocumentFormat::Odt => engine::Format::Odt,
        DocumentFormat::Ods => engine::Format::Ods,
        DocumentFormat::Odp => engine::Format::Odp,
        DocumentFormat::Eml => engine::Format::Eml,
        DocumentFormat::Msg => engine::Format::Msg,
        DocumentFormat::Mbox => engine::Format::Mbox,
        DocumentFormat::Pdf => return None,
    })
}

impl From<engine::Error> for DocumentError {
    fn from(error: engine::Error) -> Self {
        match error {
            engine::Error::Encrypted => Self::Encrypted,
            engine::Error::Damaged(what) => Self::Damaged(what),
            engine::Error::Unsupported(what) => Self::Unsupported(what),
            engine::Error::Exhausted(limit) => Self::Exhausted(limit.to_owned()),
            engine::Error::Io(message) => Self::Io(message),
        }
    }
}

fn text(unit: engine::Unit) -> DocumentText {
    DocumentText {
        text: unit.text,
        notes: unit.notes,
    }
}

fn summary(document: &dyn engine::Document) -> DocumentSummary {
    let facts = document.facts();
    let outline = document.outline().iter().filter_map(|entry| {
        Some(DocumentHeading {
            level: entry.level,
            title: entry.title.clone(),
            unit: entry.unit? as u64,
        })
    });
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
            engine::UnitKind::Mail => DocumentUnits::Mails,
            engine::UnitKind::Page => DocumentUnits::Pages,
        }),
        units: units.collect(),
        outline: outline.collect(),
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
        Ok(text(self.document.unit(place(index))))
    }

    fn set_alone(&mut self, alone: bool) {
        self.document.set_alone(alone);
    }

    fn unit_with_hidden(&mut self, index: u64) -> Result<DocumentText, DocumentError> {
        Ok(text(self.document.whole_unit(place(index))))
    }

    fn image(&mut self, number: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.document.image(place(number)))
    }

    fn page_image(&mut self, index: u64, side: u32) -> Result<Option<Vec<u8>>, DocumentError> {
        // The side bounds the number of pixels.
        Ok(self.document.page_image(place(index), side, u64::MAX)?)
    }

    fn attachments(&mut self) -> Vec<DocumentAttachment> {
        let attachments = self.document.attachments().iter();
        let attachments = attachments.map(|one| DocumentAttachment {
            name: one.name.clone(),
            declared: one.declared.clone(),
            mime: one.mime.clone(),
            size: one.size,
        });
        attachments.collect()
    }

    fn attachment(&mut self, index: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.document.attachment(place(index)))
    }

    fn sheet(&mut self, index: u64) -> Result<SheetFacts, DocumentError> {
        sheets::sheet(&mut *self.document, place(index))
    }

    fn rows(&mut self, index: u64, window: &SheetWindow) -> Result<SheetRows, DocumentError> {
        sheets::rows(&mut *self.document, place(index), window)
    }
}

fn place(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
