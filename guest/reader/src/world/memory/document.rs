//! A document in memory, for tests.

use crate::world::{Document, DocumentError};
use omniread_document as document;
use omniread_document::workbook;
use std::rc::Rc;

/// A document in memory.
#[derive(Clone, Default)]
pub struct MemoryDocument {
    pub facts: document::Facts,
    pub outline: Vec<document::Outline>,
    pub notes: Vec<String>,
    /// The converted units, or the errors of their conversion.
    pub units: Vec<Result<document::Unit, DocumentError>>,
    /// The units if they are converted alone, if that differs.
    pub alone_units: Vec<Result<document::Unit, DocumentError>>,
    /// Whether units are converted alone.
    pub alone: bool,
    pub images: Vec<Vec<u8>>,
    /// The images of its pages.
    pub pages: Vec<Vec<u8>>,
    /// The names and bytes of attachments.
    pub attachments: Vec<(String, Vec<u8>)>,
    /// The sheets, if it is a workbook.
    pub sheets: Vec<(workbook::SheetFacts, Vec<workbook::Row>)>,
}

impl Document for MemoryDocument {
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
        let units = if self.alone && !self.alone_units.is_empty() {
            &self.alone_units
        } else {
            &self.units
        };
        units[usize::try_from(index).unwrap()].clone()
    }

    fn set_alone(&mut self, alone: bool) {
        self.alone = alone;
    }

    fn image(&mut self, number: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self
            .images
            .get(usize::try_from(number - 1).unwrap())
            .cloned())
    }

    fn page_image(&mut self, index: u64, _: u32) -> Result<Option<Vec<u8>>, DocumentError> {
        Ok(self.pages.get(usize::try_from(index).unwrap()).cloned())
    }

    fn attachments(&mut self) -> Vec<document::Attachment> {
        let attachments = self.attachments.iter().map(|(name, bytes)| {
            let (name, size) = (name.clone(), bytes.len() as u64);
            let mime = String::new();
            let declared = name.clone();
            document::Attachment {
                name,
                declared,
                mime,
                size,
            }
        });
        attachments.collect()
    }

    fn attachment(&mut self, index: u64) -> Result<Option<Vec<u8>>, DocumentError> {
        let found = self.attachments.get(usize::try_from(index).unwrap());
        Ok(found.map(|(_, bytes)| bytes.clone()))
    }

    fn sheet(&mut self, index: u64) -> Result<Rc<workbook::SheetFacts>, DocumentError> {
        let (facts, _) = &self.sheets[usize::try_from(index).unwrap()];
        Ok(Rc::new(facts.clone()))
    }

    fn rows(
        &mut self,
        index: u64,
        window: &workbook::Window,
    ) -> Result<workbook::Rows, DocumentError> {
        let (_, rows) = &self.sheets[usize::try_from(index).unwrap()];
        let range = window.range;
        let of_window =
            |row: &&workbook::Row| (range.first_row..=range.last_row).contains(&row.number);
        let mut rows: Vec<workbook::Row> = rows.iter().filter(of_window).cloned().collect();
        for row in &mut rows {
            let columns = range.first_column..=range.last_column;
            row.cells.retain(|cell| columns.contains(&cell.column));
        }
        Ok(workbook::Rows {
            rows,
            ..workbook::Rows::default()
        })
    }
}
