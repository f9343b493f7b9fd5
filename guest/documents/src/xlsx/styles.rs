//! The number formats of cells (ECMA-376-1, 18.8).

use crate::limits;
use crate::workbook::number_format::NumberFormat;
use crate::xml::{Event, Events};
use std::collections::BTreeMap;

/// The number formats by the styles of cells.
#[derive(Debug, Default)]
pub struct Formats {
    formats: Vec<NumberFormat>,
    /// The format of each style.
    styles: Vec<u32>,
}

impl Formats {
    /// Reads the decoded part.
    pub fn parse(text: &str) -> Self {
        let mut codes: BTreeMap<u32, String> = BTreeMap::new();
        let mut ids: Vec<u32> = Vec::new();
        let mut in_cells = false;
        for event in Events::new(text) {
            match event {
                Event::Start(start) => match start.name {
                    "numFmt" if codes.len() < limits::CELL_FORMATS => {
                        let id = start.attr("numFmtId").and_then(|it| it.trim().parse().ok());
                        let code = start.attr("formatCode");
                        if let (Some(id), Some(code)) = (id, code)
                            && code.len() <= limits::FORMAT_CODE_BYTES
                        {
                            codes.insert(id, code.into_owned());
                        }
                    }
                    "cellXfs" => in_cells = true,
                    "xf" if in_cells && ids.len() < limits::CELL_FORMATS => {
                        let id = start.attr("numFmtId").and_then(|it| it.trim().parse().ok());
                        ids.push(id.unwrap_or(0));
                    }
                    _ => {}
                },
                Event::End("cellXfs") => in_cells = false,
                _ => {}
            }
        }
        let mut found = Self::default();
        let mut known: BTreeMap<u32, u32> = BTreeMap::new();
        for id in ids {
            let place = *known.entry(id).or_insert_with(|| {
                let format = match codes.get(&id) {
                    Some(code) => NumberFormat::parse(code),
                    None => NumberFormat::builtin(u16::try_from(id).unwrap_or(0)),
                };
                found.formats.push(format);
                u32::try_from(found.formats.len().saturating_sub(1)).unwrap_or(u32::MAX)
            });
            found.styles.push(place);
        }
        found
    }

    /// Returns the format of a style. `None` if it is `General`.
    pub fn get(&self, style: usize) -> Option<&NumberFormat> {
        let format = self.formats.get(*self.styles.get(style)? as usize)?;
        (!format.is_general()).then_some(format)
    }
}
