//! Access to documents through the imported interfaces `documents` and `pdf`.

mod layout;
mod sheets;

use super::preopened::WasiWorld;
use crate::bindings::omniread::parts::document_types as types;
use crate::bindings::omniread::parts::documents as wit;
use crate::bindings::omniread::parts::{inputs, pdf, session};
use crate::world::fetch::{DOCUMENT, Refetching};
use crate::world::{Document, DocumentError, Input, Need};
use layout::KeptLayout;
use omniread_document as document;
use omniread_document::workbook;
use std::rc::Rc;

/// The environment variable with the password of encrypted documents. Under omniread's own host, it
/// is not set, because the host passes the password to the engine itself.
const PASSWORD: &str = "OMNIREAD_PASSWORD";

/// A document that is open in the document engine. Its facts and notes were copied.
struct Office {
    document: wit::Document,
    facts: document::Facts,
    outline: Vec<document::Outline>,
    notes: Vec<String>,
}

/// A document that is open in the PDF engine. Its facts and notes were copied.
struct Pdf {
    document: PdfDocument,
    facts: document::Facts,
    outline: Vec<document::Outline>,
    notes: Vec<String>,
    /// Whether a page is converted without reading others.
    alone: bool,
    /// Where the session keeps the layout. `None` if it does not.
    kept: Option<KeptLayout>,
}

impl WasiWorld {
    /// Opens a document in the engine of the host that converts its format.
    pub(super) fn open_document(
        &mut self,
        input: &Input,
        format: document::Format,
        state: Option<[u64; 2]>,
    ) -> Result<Box<dyn Document>, DocumentError> {
        let password = self.environment().find(|(name, _)| *name == PASSWORD);
        let password = password.map(|(_, value)| value.to_owned());
        if let (document::Format::Pdf, Input::Remote(remote)) = (format, input) {
            let document = Refetching::new(self.parts(remote, DOCUMENT));
            let document = PdfDocument::Remote(document, password);
            return Ok(Box::new(Pdf::new(document, None)?));
        }
        let input = self.input(input);
        let input = input.map_err(|error| DocumentError::Io(error.to_string()))?;
        let password = password.as_deref();
        let Some(format) = office(format) else {
            let state = state.filter(|state| session::lasting() && is_of(&input, *state));
            let kept = state.map(KeptLayout::of);
            let document = pdf::Document::open(input, password)?;
            return Ok(Box::new(Pdf::new(PdfDocument::Direct(document), kept)?));
        };
        let document = wit::Document::open(input, format, password)?;
        let (facts, outline) = copied(document.facts());
        Ok(Box::new(Office {
            facts,
            outline,
            notes: document.notes(),
            document,
        }))
    }
}

/// Whether a file has this state. The path of the input may lead to another file than before. Bytes in memory are
/// those of the file with the state.
fn is_of(input: &inputs::Input, state: [u64; 2]) -> bool {
    match input {
        inputs::Input::File(file) => file
            .metadata_hash()
            .is_ok_and(|hash| [hash.lower, hash.upper] == state),
        inputs::Input::Bytes(_) => true,
        inputs::Input::Source(_) => false,
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
    fn new(mut document: PdfDocument, kept: Option<KeptLayout>) -> Result<Self, DocumentError> {
        let (facts, notes) = document.call(|it| Ok((it.facts(), it.notes())))?;
        let (facts, outline) = copied(facts);
        Ok(Self {
            document,
            facts,
            outline,
            notes,
            alone: false,
            kept,
        })
    }
}

impl Pdf {
    fn page(&mut self, index: u64, text: pdf::Text) -> Result<document::Unit, DocumentError> {
        let alone = self.alone;
        // A page that is converted alone does not use the layout of the document.
        let mut kept = self.kept.as_mut().filter(|_| !alone);
        let page = |it: &pdf::Document| {
            if let Some(kept) = &mut kept {
                kept.load(it);
            }
            let page = it.page(number(index), text, alone);
            if let Some(kept) = &mut kept {
                match page {
                    Ok(_) => kept.keep(it),
                    Err(_) => kept.remove(),
                }
            }
            page
        };
        Ok(unit(self.document.call(page)?))
    }
}

impl Document for Office {
    fn facts(&self) -> &document::Facts {
        &self.facts
    }

    fn outline(&self) -> &[document::Outline] {
        &self.outline
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: u64) -> Result<document::Unit, DocumentError> {
        Ok(unit(self.document.unit(number(index))?))
    }

    fn image(&mut self, image: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.document.image(number(image))?)
    }

    fn attachments(&mut self) -> Vec<document::Attachment> {
        attachments(self.document.attachments())
    }

    fn attachment(&mut self, index: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.document.attachment(number(index))?)
    }

    fn sheet(&mut self, index: u64) -> Result<Rc<workbook::SheetFacts>, DocumentError> {
        Ok(Rc::new(sheets::facts(self.document.sheet(number(index))?)))
    }

    fn rows(
        &mut self,
        index: u64,
        window: &workbook::Window,
    ) -> Result<workbook::Rows, DocumentError> {
        let rows = self.document.rows(number(index), sheets::window(window))?;
        Ok(sheets::rows(rows))
    }
}

impl Document for Pdf {
    fn facts(&self) -> &document::Facts {
        &self.facts
    }

    fn outline(&self) -> &[document::Outline] {
        &self.outline
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: u64) -> Result<document::Unit, DocumentError> {
        self.page(index, pdf::Text::Visible)
    }

    fn unit_with_hidden(&mut self, index: u64) -> Result<document::Unit, DocumentError> {
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

    fn attachments(&mut self) -> Vec<document::Attachment> {
        let all = self.document.call(|it| Ok(it.attachments()));
        attachments(all.unwrap_or_default())
    }

    fn attachment(&mut self, index: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        self.document.call(|it| it.attachment(number(index)))
    }

    fn sheet(&mut self, _: u64) -> Result<Rc<workbook::SheetFacts>, DocumentError> {
        Err(no_workbook())
    }

    fn rows(&mut self, _: u64, _: &workbook::Window) -> Result<workbook::Rows, DocumentError> {
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
fn office(format: document::Format) -> Option<wit::Format> {
    use wit::Format;
    Some(match format {
        document::Format::Docx => Format::Docx,
        document::Format::Pptx => Format::Pptx,
        document::Format::Xlsx => Format::Xlsx,
        document::Format::Xlsb => Format::Xlsb,
        document::Format::Xls => Format::Xls,
        document::Format::Doc => Format::Doc,
        document::Format::Ppt => Format::Ppt,
        document::Format::Rtf => Format::Rtf,
        document::Format::Epub => Format::Epub,
        document::Format::Odt => Format::Odt,
        document::Format::Ods => Format::Ods,
        document::Format::Odp => Format::Odp,
        document::Format::Eml => Format::Eml,
        document::Format::Msg => Format::Msg,
        document::Format::Mbox => Format::Mbox,
        document::Format::Pdf => return None,
    })
}

fn unit(unit: types::Unit) -> document::Unit {
    document::Unit {
        text: unit.text,
        notes: unit.notes,
        edges: [0, 0],
    }
}

fn attachments(all: Vec<types::Attachment>) -> Vec<document::Attachment> {
    let all = all.into_iter().map(|one| document::Attachment {
        name: one.name,
        declared: one.declared,
        mime: one.mime,
        size: one.size,
    });
    all.collect()
}

/// The facts and the outline of a document.
fn copied(facts: types::Facts) -> (document::Facts, Vec<document::Outline>) {
    let metadata = facts.metadata.into_iter();
    let units = facts.units.into_iter().map(|unit| document::UnitFacts {
        name: unit.name,
        hidden: unit.hidden,
    });
    let outline = facts.outline.into_iter().map(|entry| document::Outline {
        level: entry.level,
        title: entry.title,
        unit: usize::try_from(entry.unit).ok(),
    });
    let facts = document::Facts {
        format: facts.format,
        metadata: metadata.map(|entry| (entry.name, entry.value)).collect(),
        units: facts.kind.map(|kind| match kind {
            types::UnitKind::Slide => document::UnitKind::Slide,
            types::UnitKind::Sheet => document::UnitKind::Sheet,
            types::UnitKind::Chapter => document::UnitKind::Chapter,
            types::UnitKind::Mail => document::UnitKind::Mail,
            types::UnitKind::Page => document::UnitKind::Page,
        }),
        list: units.collect(),
    };
    (facts, outline.collect())
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
            types::Error::Missing(file) => Self::Missing(file),
        }
    }
}
