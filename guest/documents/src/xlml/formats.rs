//! Styles and their number formats.

use crate::limits;
use crate::workbook::number_format::NumberFormat;
use crate::xml::Start;
use std::collections::BTreeMap;

/// The number formats by the names of styles.
#[derive(Debug, Default)]
pub struct Formats {
    list: BTreeMap<String, NumberFormat>,
    /// The bytes of all codes.
    bytes: usize,
}

impl Formats {
    /// Adds the format of a style from its element.
    pub fn add(&mut self, style: &str, start: &Start) {
        let code = start.attr("Format").unwrap_or_default();
        self.bytes = self.bytes.saturating_add(code.len());
        let is_full =
            self.list.len() >= limits::CELL_FORMATS || self.bytes > limits::FORMAT_CODES_BYTES;
        if is_full || style.len() > limits::METADATA_BYTES {
            return;
        }
        let format = match named(code.trim()) {
            Named::Builtin(id) => NumberFormat::builtin(id),
            Named::Code(code) => NumberFormat::parse(code),
        };
        if !format.is_general() {
            self.list.insert(style.to_owned(), format);
        }
    }

    /// Returns the format of a style. `None` if it is `General`.
    pub fn get(&self, style: Option<&str>) -> Option<&NumberFormat> {
        self.list.get(style?)
    }
}

/// A format by the number of one that files do not define, or by its code.
enum Named<'c> {
    Builtin(u16),
    Code(&'c str),
}

/// The format that a name means. All other texts are codes.
fn named(name: &str) -> Named<'_> {
    match name {
        "" | "General" | "General Number" => Named::Builtin(0),
        "General Date" => Named::Builtin(22),
        "Short Date" => Named::Builtin(14),
        "Medium Date" => Named::Builtin(15),
        "Long Date" => Named::Code("d mmmm yyyy"),
        "Short Time" => Named::Builtin(20),
        "Medium Time" => Named::Builtin(18),
        "Long Time" => Named::Builtin(19),
        "Currency" => Named::Builtin(8),
        "Euro Currency" => Named::Code("[$€-2] #,##0.00"),
        "Fixed" => Named::Builtin(2),
        "Standard" => Named::Builtin(4),
        "Percent" => Named::Builtin(10),
        "Scientific" => Named::Builtin(11),
        "Yes/No" => Named::Code("\"Yes\";\"Yes\";\"No\""),
        "True/False" => Named::Code("\"True\";\"True\";\"False\""),
        "On/Off" => Named::Code("\"On\";\"On\";\"Off\""),
        code => Named::Code(code),
    }
}
