//! Workbooks for the tests, built in memory.

use crate::pack::zip;
use std::fmt::Write as _;

const RELATIONSHIP: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A value of a cell.
#[derive(Clone, Copy, Debug)]
pub enum Value<'v> {
    /// A text without special characters of XML.
    Text(&'v str),
    /// A number.
    Number(f64),
}

/// The sheets of a workbook.
#[derive(Clone, Debug, Default)]
pub struct Xlsx {
    sheets: Vec<(String, String)>,
    /// The number of rows of the last sheet.
    rows: usize,
}

impl Xlsx {
    /// Starts a sheet.
    #[must_use]
    pub fn sheet(mut self, name: &str) -> Self {
        self.sheets.push((name.to_owned(), String::new()));
        self.rows = 0;
        self
    }

    /// Adds a row to the last sheet.
    ///
    /// # Panics
    /// Panics without a sheet.
    #[must_use]
    pub fn row(mut self, values: &[Value<'_>]) -> Self {
        let (_, rows) = self.sheets.last_mut().expect("a sheet");
        self.rows += 1;
        let number = self.rows;
        let _ = write!(rows, "<row r=\"{number}\">");
        for (column, value) in values.iter().enumerate() {
            let name = column_name(column);
            let _ = match value {
                Value::Text(text) => write!(
                    rows,
                    "<c r=\"{name}{number}\" t=\"inlineStr\"><is><t>{text}</t></is></c>"
                ),
                Value::Number(value) => {
                    write!(rows, "<c r=\"{name}{number}\"><v>{value}</v></c>")
                }
            };
        }
        rows.push_str("</row>");
        self
    }

    /// The bytes of the workbook.
    pub fn build(&self) -> Vec<u8> {
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
        let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml";
        let mut types = format!(
            "{head}<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
             <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
             <Override PartName=\"/xl/workbook.xml\" ContentType=\"{kind}.sheet.main+xml\"/>"
        );
        let list = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">";
        let root = format!(
            "{head}{list}<Relationship Id=\"rId1\" Type=\"{RELATIONSHIP}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
        );
        let mut related = format!("{head}{list}");
        let mut sheets = String::new();
        let mut parts = Vec::new();
        for (index, (name, rows)) in self.sheets.iter().enumerate() {
            let number = index + 1;
            let _ = write!(
                types,
                "<Override PartName=\"/xl/worksheets/sheet{number}.xml\" ContentType=\"{kind}.worksheet+xml\"/>"
            );
            let _ = write!(
                related,
                "<Relationship Id=\"rId{number}\" Type=\"{RELATIONSHIP}/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>"
            );
            let _ = write!(
                sheets,
                "<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>"
            );
            let sheet = format!(
                "{head}<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>"
            );
            parts.push((format!("xl/worksheets/sheet{number}.xml"), sheet));
        }
        types.push_str("</Types>");
        related.push_str("</Relationships>");
        let workbook = format!(
            "{head}<workbook xmlns=\"{main}\" xmlns:r=\"{RELATIONSHIP}\"><sheets>{sheets}</sheets></workbook>"
        );
        let mut members: Vec<(&str, &[u8])> = vec![
            ("[Content_Types].xml", types.as_bytes()),
            ("_rels/.rels", root.as_bytes()),
            ("xl/workbook.xml", workbook.as_bytes()),
            ("xl/_rels/workbook.xml.rels", related.as_bytes()),
        ];
        members.extend(
            parts
                .iter()
                .map(|(name, part)| (name.as_str(), part.as_bytes())),
        );
        zip(&members)
    }
}

/// The name of a column: `A` to `Z`, then `AA`.
fn column_name(column: usize) -> String {
    let letter = |place: usize| char::from(b'A' + u8::try_from(place % 26).expect("a letter"));
    match column.checked_sub(26) {
        None => letter(column).to_string(),
        Some(rest) => format!("{}{}", column_name(rest / 26), letter(column)),
    }
}
