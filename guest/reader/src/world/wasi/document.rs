//! Access to documents through the imported interfaces `documents` and `pdf`.

mod sheets;

use super::WasiWorld;
use crate::bindings::omniread::read::document_types as types;
use crate::bindings::omniread::read::documents as wit;
use crate::bindings::omniread::read::{inputs, pdf};
use crate::world::fetch::{DOCUMENT, Refetching};
use crate::world::{
    Document, DocumentAttachment, DocumentError, DocumentFormat, DocumentHeading, DocumentSummary,
    DocumentText, DocumentUnit, DocumentUnits, Input, Need, SheetFacts, SheetRows, SheetWindow,
};

/// The environment variable with the password of encrypted documents. Under omniread's own host, it
/// is not set, because the host passes the password to the engine itself.
const PASSWORD: &str = "OMNIREAD_PASSWORD";

/// A document that is open in the document engine. Its facts and notes were copied.
struct Office {
    document: wit::Document,
    summary: DocumentSummary,
    notes: Vec<String>,
}

/// A document that is open in the PDF engine. Its facts and notes were copied.
struct Pdf {
    document: PdfDocument,
    summary: DocumentSummary,
    notes: Vec<String>,
    /// Whether a page is converted without reading others.
    alone: bool,
}

impl WasiWorld {
    /// Opens a document in the engine of the host that converts its format.
    pub(super) fn open_document(
        &mut self,
        input: &Input,
        format: DocumentFormat,
    ) -> Result<Box<dyn Document>, DocumentError> {
        let password = self.environment().find(|(name, _)| *name == PASSWORD);
        let password = password.map(|(_, value)| value.to_owned());
        if let (DocumentFormat::Pdf, Input::Remote(remote)) = (format, input) {
            let document = Refetching::new(self.parts(remote, DOCUMENT));
            return Ok(Box::new(Pdf::new(PdfDocument::Remote(document, password))?));
        }
        let input = self.input(input);
        let input = input.map_err(|error| DocumentError::Io(error.to_string()))?;
        let password = password.as_deref();
        let Some(format) = office(format) else {
            let document = pdf::Document::open(input, password)?;
            return Ok(Box::new(Pdf::new(PdfDocument::Direct(document))?));
        };
        let document = wit::Document::open(input, format, password)?;
        Ok(Box::new(Office {
            summary: document.facts().into(),
            notes: document.notes(),
            document,
        }))
    }
}

/// How a PDF document is read.
enum PdfDocument {
    /// The engine reads all bytes of the input.
    Direct(pdf::Document),
    /// The engine reads known parts of a file on a server, and missing ones are fetched. Contains
    /// the password too.
    Remote(Refetching<inputs::Sparse, pdf::Document>, Option<String>),
}

impl PdfDocument {
    /// Calls the engine. `call` is repeated if bytes are missing.
    fn call<T>(
        &mut self,
        mut call: impl FnMut(&pdf::Document) -> Result<T, types::Error>,
    ) -> Result<T, DocumentError> {
        match self {
            Self::Direct(document) => Ok(call(document)?),
            Self::Remote(document, password) => document.call(
                Need::Required,
                |sparse| {
                    let input = inputs::Input::Source(sparse.open());
                    Ok(pdf::Document::open(input, password.as_deref())?)
                },
                |document| Ok(call(document)?),
            ),
        }
    }
}

impl Pdf {
    fn new(mut document: PdfDocument) -> Result<Self, DocumentError> {
        let (facts, notes) = document.call(|it| Ok((it.facts(), it.notes())))?;
        Ok(Self {
            document,
            summary: facts.into(),
            notes,
            alone: false,
        })
    }
}

impl Pdf {
    fn page(&mut self, index: u64, text: pdf::Text) -> Result<DocumentText, DocumentError> {
        let alone = self.alone;
        let page = |it: &pdf::Document| it.page(number(index), text, alone);
        Ok(self.document.call(page)?.into())
    }
}

impl Document for Office {
    fn summary(&self) -> &DocumentSummary {
        &self.summary
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: u64) -> Result<DocumentText, DocumentError> {
        Ok(self.document.unit(number(index))?.into())
    }

    fn image(&mut self, image: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.document.image(number(image))?)
    }

    fn attachments(&mut self) -> Vec<DocumentAttachment> {
        let attachments = self.document.attachments().into_iter();
        attachments.map(Into::into).collect()
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

impl Document for Pdf {
    fn summary(&self) -> &DocumentSummary {
        &self.summary
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: u64) -> Result<DocumentText, DocumentError> {
        self.page(index, pdf::Text::Visible)
    }

    fn unit_with_hidden(&mut self, index: u64) -> Result<DocumentText, DocumentError> {
        self.page(index, pdf::Text::All)
    }

    fn set_alone(&mut self, alone: bool) {
        self.alone = alone;
    }

    fn image(&mut self, image: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        self.document.call(|it| it.image(number(image)))
    }

    fn page_image(&mut self, index: u64, side: u32) -> Result<Option<Vec<u8>>, DocumentError> {
        self.document.call(|it| it.page_image(number(index), side))
    }

    fn attachments(&mut self) -> Vec<DocumentAttachment> {
        let attachments = self.document.call(|it| Ok(it.attachments()));
        let attachments = attachments.unwrap_or_default().into_iter();
        attachments.map(Into::into).collect()
    }

    fn attachment(&mut self, index: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        self.document.call(|it| it.attachment(number(index)))
    }

    fn sheet(&mut self, _: u64) -> Result<SheetFacts, DocumentError> {
        Err(no_workbook())
    }

    fn rows(&mut self, _: u64, _: &SheetWindow) -> Result<SheetRows, DocumentError> {
        Err(no_workbook())
    }
}

/// The error for sheets of a document that has none.
fn no_workbook() -> DocumentError {
    DocumentError::Failed("the document is not a workbook".to_owned())
}

/// The number as the interface passes it. No document has units or images of the largest numbers.
fn number(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The format for the document engine. `None` for a PDF document, which has an engine of its own.
fn office(format: DocumentFormat) -> Option<wit::Format> {
    use wit::Format;
    Some(match format {
        DocumentFormat::Docx => Format::Docx,
        DocumentFormat::Pptx => Format::Pptx,
        DocumentFormat::Xlsx => Format::Xlsx,
        DocumentFormat::Xlsb => Format::Xlsb,
        DocumentFormat::Xls => Format::Xls,
        DocumentFormat::Doc => Format::Doc,
        DocumentFormat::Ppt => Format::Ppt,
        DocumentFormat::Rtf => Format::Rtf,
        DocumentFormat::Epub => Format::Epub,
        DocumentFormat::Odt => Format::Odt,
        DocumentFormat::Ods => Format::Ods,
        DocumentFormat::Odp => Format::Odp,
        DocumentFormat::Eml => Format::Eml,
        DocumentFormat::Msg => Format::Msg,
        DocumentFormat::Mbox => Format::Mbox,
        DocumentFormat::Pdf => return None,
    })
}

impl From<types::Unit> for DocumentText {
    fn from(unit: types::Unit) -> Self {
        Self {
            text: unit.text,
            notes: unit.notes,
        }
    }
}

impl From<types::Attachment> for DocumentAttachment {
    fn from(one: types::Attachment) -> Self {
        Self {
            name: one.name,
            declared: one.declared,
            mime: one.mime,
            size: one.size,
        }
    }
}

impl From<types::Facts> for DocumentSummary {
    fn from(facts: types::Facts) -> Self {
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
                types::UnitKind::Slide => DocumentUnits::Slides,
                types::UnitKind::Sheet => DocumentUnits::Sheets,
                types::UnitKind::Chapter => DocumentUnits::Chapters,
                types::UnitKind::Mail => DocumentUnits::Mails,
                types::UnitKind::Page => DocumentUnits::Pages,
            }),
            units: units.collect(),
            outline: outline.collect(),
        }
    }
}

impl From<types::Error> for DocumentError {
    fn from(error: types::Error) -> Self {
        match error {
            types::Error::Encrypted => Self::Encrypted,
            types::Error::Damaged(what) => Self::Damaged(what),
            types::Error::Unsupported(what) => Self::Unsupported(what),
            types::Error::Exhausted(limit) => Self::Exhausted(limit),
            types::Error::Io(why) => Self::Io(why),
            types::Error::Failed(why) => Self::Failed(why),
        }
    }
}
