//! A workbook as a document. Each sheet is a unit.

use super::Workbook;
use crate::{Document, Error, Facts, Unit, UnitFacts, UnitKind};

/// Returns a document for a workbook. `format` is the name of the format, such as
/// `Excel workbook`.
pub fn document(
    format: &str,
    metadata: Vec<(String, String)>,
    workbook: Box<dyn Workbook>,
    notes: Vec<String>,
) -> Result<Box<dyn Document>, Error> {
    let list = workbook.sheets().iter().map(|sheet| UnitFacts {
        name: sheet.name.clone(),
        hidden: sheet.visibility != super::Visibility::Visible,
    });
    let facts = Facts {
        format: format.to_owned(),
        metadata,
        units: Some(UnitKind::Sheet),
        list: list.collect(),
    };
    Ok(Box::new(Sheets {
        facts,
        notes,
        workbook,
    }))
}

struct Sheets {
    facts: Facts,
    notes: Vec<String>,
    workbook: Box<dyn Workbook>,
}

impl Document for Sheets {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, _index: usize) -> Unit {
        Unit::default()
    }

    fn image(&mut self, _number: usize) -> Option<Vec<u8>> {
        None
    }

    fn workbook(&mut self) -> Option<&mut dyn Workbook> {
        Some(self.workbook.as_mut())
    }
}
