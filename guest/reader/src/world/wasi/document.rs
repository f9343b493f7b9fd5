//! Access to documents through the imported interface `documents`.

mod sheets;

use super::WasiWorld;
use crate::bindings::omniread::read::documents as wit;
use crate::world::{
    Document, DocumentAttachment, DocumentError, DocumentFormat, DocumentHeading, DocumentSummary,
    DocumentText, DocumentUnit, DocumentUnits, Input, SheetFacts, SheetRows, SheetWindow,
};

/// The environment variable with the password of encrypted documents. Under omniread's own host, it
/// is not set, because the host passes the password to the engine itself.
const PASSWORD: &str = "OMNIREAD_PASSWORD";

/// A document that is open in the engine. Its facts and notes were copied.
struct Opened {
    document: wit::Document,
    summary: DocumentSummary,
    notes: Vec<String>,
}

impl WasiWorld {
    /// Opens a document in the document engine of the host.
    pub(super) fn open_document(
        &self,
        input: &Input,
        format: DocumentFormat,
    ) -> Result<Box<dyn Document>, DocumentError> {
        let input = self.input(input);
        let input = input.map_err(|error| DocumentError::Io(error.to_string()))?;
        let mut variables = self.environment();
        let password = variables.find(|(name, _)| *name == PASSWORD);
        let password = password.map(|(_, value)| value);
        let document = wit::Document::open(input, format.into(), password)?;
        Ok(Box::new(Opened {
            summary: document.facts().into(),
            notes: document.notes(),
            document,
        }))
    }
}

impl Document for Opened {
    fn summary(&self) -> &DocumentSummary {
        &self.summary
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: u64) -> Result<DocumentText, DocumentError> {
        let unit = self.document.unit(number(index))?;
        Ok(DocumentText {
            text: unit.text,
            notes: unit.notes,
        })
    }

    fn image(&mut self, image: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.document.image(number(image))?)
    }

    fn attachments(&mut self) -> Vec<DocumentAttachment> {
        let attachments = self.document.attachments().into_iter();
        let attachments = attachments.map(|one| DocumentAttachment {
            name: one.name,
            declared: one.declared,
            mime: one.mime,
            size: one.size,
        });
        attachments.collect()
    }

    fn attachment(&mut self, index: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.document.attachment(number(index))?)
    }

    fn sheet(&mut self, index: u64) -> Result<SheetFacts, DocumentError> {
        Ok(self.document.sheet(number(index))?.into())
    }

    fn rows(&mut self, index: u64, window: &SheetWindow) -> Result<SheetRows, DocumentError> {
        Ok(self.document.rows(number(index), (*window).into())?.into())
    }
}

/// The number as the interface passes it. No document has units or images of the largest numbers.
fn number(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl From<DocumentFormat> for wit::Format {
    fn from(format: DocumentFormat) -> Self {
        match format {
            DocumentFormat::Docx => Self::Docx,
            DocumentFormat::Pptx => Self::Pptx,
            DocumentFormat::Xlsx => Self::Xlsx,
            DocumentFormat::Xlsb => Self::Xlsb,
            DocumentFormat::Xls => Self::Xls,
            DocumentFormat::Doc => Self::Doc,
            DocumentFormat::Ppt => Self::Ppt,
            DocumentFormat::Rtf => Self::Rtf,
            DocumentFormat::Epub => Self::Epub,
            DocumentFormat::Odt => Self::Odt,
            DocumentFormat::Ods => Self::Ods,
            DocumentFormat::Odp => Self::Odp,
            DocumentFormat::Eml => Self::Eml,
            DocumentFormat::Msg => Self::Msg,
            DocumentFormat::Mbox => Self::Mbox,
            DocumentFormat::Pdf => Self::Pdf,
        }
    }
}

impl From<wit::Facts> for DocumentSummary {
    fn from(facts: wit::Facts) -> Self {
        let metadata = facts.metadata.into_iter();
        let units = facts.units.into_iter().map(|unit| DocumentUnit {
            name: unit.name,
            hidden: unit.hidden,
        });
        let outline = facts.outline.into_iter().map(|entry| DocumentHeading {
            level: entry.level,
            title: entry.title,
            unit: u64::from(entry.unit),
        });
        Self {
            format: facts.format,
            metadata: metadata.map(|entry| (entry.name, entry.value)).collect(),
            kind: facts.kind.map(|kind| match kind {
                wit::UnitKind::Slide => DocumentUnits::Slides,
                wit::UnitKind::Sheet => DocumentUnits::Sheets,
                wit::UnitKind::Chapter => DocumentUnits::Chapters,
                wit::UnitKind::Mail => DocumentUnits::Mails,
                wit::UnitKind::Page => DocumentUnits::Pages,
            }),
            units: units.collect(),
            outline: outline.collect(),
        }
    }
}

impl From<wit::Error> for DocumentError {
    fn from(error: wit::Error) -> Self {
        match error {
            wit::Error::Encrypted => Self::Encrypted,
            wit::Error::Damaged(what) => Self::Damaged(what),
            wit::Error::Unsupported(what) => Self::Unsupported(what),
            wit::Error::Exhausted(limit) => Self::Exhausted(limit),
            wit::Error::Io(why) => Self::Io(why),
            wit::Error::Failed(why) => Self::Failed(why),
        }
    }
}
