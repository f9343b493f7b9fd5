//! A document in memory, for tests.

use crate::world::{
    Document, DocumentAttachment, DocumentError, DocumentSummary, DocumentText, SheetFacts,
    SheetRow, SheetRows, SheetWindow,
};

/// A document in memory.
#[derive(Clone, Default)]
pub struct MemoryDocument {
    pub summary: DocumentSummary,
    pub notes: Vec<String>,
    /// The converted units, or the errors of their conversion.
    pub units: Vec<Result<DocumentText, DocumentError>>,
    /// The units if they are converted alone, if that differs.
    pub alone_units: Vec<Result<DocumentText, DocumentError>>,
    /// Whether units are converted alone.
    pub alone: bool,
    pub images: Vec<Vec<u8>>,
    /// The images of its pages.
    pub pages: Vec<Vec<u8>>,
    /// The names and bytes of attachments.
    pub attachments: Vec<(String, Vec<u8>)>,
    /// The sheets, if it is a workbook.
    pub sheets: Vec<(SheetFacts, Vec<SheetRow>)>,
}

impl Document for MemoryDocument {
    fn summary(&self) -> &DocumentSummary {
        &self.summary
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: u64) -> Result<DocumentText, DocumentError> {
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

    fn attachments(&mut self) -> Vec<DocumentAttachment> {
        let attachments = self.attachments.iter().map(|(name, bytes)| {
            let (name, size) = (name.clone(), bytes.len() as u64);
            let mime = String::new();
            let declared = name.clone();
            DocumentAttachment {
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

    fn sheet(&mut self, index: u64) -> Result<SheetFacts, DocumentError> {
        let (facts, _) = &self.sheets[usize::try_from(index).unwrap()];
        Ok(facts.clone())
    }

    fn rows(&mut self, index: u64, window: &SheetWindow) -> Result<SheetRows, DocumentError> {
        let (_, rows) = &self.sheets[usize::try_from(index).unwrap()];
        let range = window.cells;
        let of_window = |row: &&SheetRow| (range.first_row..=range.last_row).contains(&row.number);
        let mut rows: Vec<SheetRow> = rows.iter().filter(of_window).cloned().collect();
        for row in &mut rows {
            let columns = range.first_column..=range.last_column;
            row.cells.retain(|cell| columns.contains(&cell.column));
        }
        Ok(SheetRows {
            rows,
            ..SheetRows::default()
        })
    }
}
