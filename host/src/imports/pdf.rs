//! The import `pdf`: an instance of the PDF engine for each open document.

use super::inputs::Bytes;
use crate::bindings::omniread::parts::document_types::{Attachment, Error, Facts, Unit};
use crate::bindings::omniread::parts::inputs::Input;
use crate::bindings::omniread::parts::pdf::{Host, HostDocument, Text};
use crate::handles::PdfDocument;
use crate::state::{Converter, State};
use wasmtime::Result;
use wasmtime::component::Resource;

impl Host for State {}

impl HostDocument for State {
    fn open(
        &mut self,
        source: Input,
        password: Option<String>,
    ) -> Result<Result<Resource<PdfDocument>, Error>> {
        let bytes = Bytes::take(source, &mut self.system.table)?;
        let opened = self.open_document(bytes, Converter::Pdf, password)?;
        Ok(match opened {
            Ok(document) => Ok(self.system.table.push(PdfDocument(document))?),
            Err(error) => Err(error),
        })
    }

    fn facts(&mut self, document: Resource<PdfDocument>) -> Result<Facts> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.document_facts(engine)
    }

    fn notes(&mut self, document: Resource<PdfDocument>) -> Result<Vec<String>> {
        Ok(self.system.table.get(&document)?.0.notes.clone())
    }

    fn page(
        &mut self,
        document: Resource<PdfDocument>,
        index: u32,
        text: Text,
        alone: bool,
    ) -> Result<Result<Unit, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.page", |resource| {
            (resource, index, text, alone)
        })
    }

    fn layout(
        &mut self,
        document: Resource<PdfDocument>,
    ) -> Result<Result<Option<Vec<u8>>, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.layout", |resource| (resource,))
    }

    fn set_layout(
        &mut self,
        document: Resource<PdfDocument>,
        layout: Vec<u8>,
    ) -> Result<Result<bool, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.set-layout", |resource| {
            (resource, layout)
        })
    }

    fn page_image(
        &mut self,
        document: Resource<PdfDocument>,
        index: u32,
        side: u32,
    ) -> Result<Result<Option<Vec<u8>>, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.page-image", |resource| {
            (resource, index, side)
        })
    }

    fn image(
        &mut self,
        document: Resource<PdfDocument>,
        number: u32,
    ) -> Result<Result<Option<Vec<u8>>, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.image", |resource| {
            (resource, number)
        })
    }

    fn attachments(&mut self, document: Resource<PdfDocument>) -> Result<Vec<Attachment>> {
        let engine = self.system.table.get(&document)?.0.engine;
        Ok(self.document_attachments(engine))
    }

    fn attachment(
        &mut self,
        document: Resource<PdfDocument>,
        index: u32,
    ) -> Result<Result<Option<Vec<u8>>, Error>> {
        let engine = self.system.table.get(&document)?.0.engine;
        self.call_document(engine, "[method]document.attachment", |resource| {
            (resource, index)
        })
    }

    fn drop(&mut self, document: Resource<PdfDocument>) -> Result<()> {
        let document = self.system.table.delete(document)?;
        self.close_document(document.0.engine);
        Ok(())
    }
}
