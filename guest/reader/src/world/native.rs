//! Documents in native builds, which call the converters directly.

use super::{Document, DocumentError, Remote};
use omniread_document as document;
use omniread_document::workbook::{self, Workbook};
use std::rc::Rc;

/// An open document.
struct Opened(Box<dyn document::Document>);

/// Opens a document.
pub fn open(
    bytes: Vec<u8>,
    format: document::Format,
    password: Option<&str>,
) -> Result<Box<dyn Document>, DocumentError> {
    if bytes.len() as u64 > document::limits::DOCUMENT_BYTES {
        return Err(DocumentError::Exhausted("bytes".to_owned()));
    }
    let opened = match format {
        document::Format::Pdf => omniread_pdf::open(bytes, password),
        format => omniread_documents::open(bytes, format, password),
    };
    Ok(Box::new(Opened(opened?)))
}

/// Opens a document on a server. Of a PDF document, only parts are read.
pub fn open_remote(
    remote: &Remote,
    format: document::Format,
) -> Result<Box<dyn Document>, DocumentError> {
    if format != document::Format::Pdf {
        let bytes = remote.bytes(0, remote.size());
        let bytes = bytes.map_err(|error| DocumentError::Io(error.to_string()))?;
        return open(bytes, format, None);
    }
    let source = Direct(remote.clone());
    Ok(Box::new(Opened(omniread_pdf::open_source(
        Box::new(source),
        None,
        omniread_pdf::DRAWN,
    )?)))
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

impl Opened {
    /// The document as a workbook that has a sheet with this index.
    fn workbook(&mut self, index: usize) -> Result<&mut dyn Workbook, DocumentError> {
        let workbook = self.0.workbook();
        workbook
            .filter(|workbook| index < workbook.sheets().len())
            .ok_or_else(|| DocumentError::Unsupported("a sheet that it does not have".to_owned()))
    }
}

impl Document for Opened {
    fn facts(&self) -> &document::Facts {
        self.0.facts()
    }

    fn outline(&self) -> &[document::Outline] {
        self.0.outline()
    }

    fn notes(&self) -> &[String] {
        self.0.notes()
    }

    fn unit(&mut self, index: u64) -> Result<document::Unit, DocumentError> {
        Ok(self.0.unit(place(index)))
    }

    fn set_alone(&mut self, alone: bool) {
        self.0.set_alone(alone);
    }

    fn unit_with_hidden(&mut self, index: u64) -> Result<document::Unit, DocumentError> {
        Ok(self.0.whole_unit(place(index)))
    }

    fn image(&mut self, number: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.0.image(place(number)))
    }

    fn page_image(&mut self, index: u64, side: u32) -> Result<Option<Vec<u8>>, DocumentError> {
        // The side bounds the number of pixels.
        self.0.page_image(place(index), side, u64::MAX)
    }

    fn attachments(&mut self) -> Vec<document::Attachment> {
        self.0.attachments().to_vec()
    }

    fn attachment(&mut self, index: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.0.attachment(place(index)))
    }

    fn sheet(&mut self, index: u64) -> Result<Rc<workbook::SheetFacts>, DocumentError> {
        let index = place(index);
        Ok(self.workbook(index)?.sheet(index))
    }

    fn rows(
        &mut self,
        index: u64,
        window: &workbook::Window,
    ) -> Result<workbook::Rows, DocumentError> {
        let index = place(index);
        Ok(self.workbook(index)?.rows(index, window))
    }
}

fn place(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
