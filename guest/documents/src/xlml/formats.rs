//! Styles and their number formats.

use crate::limits;
use crate::workbook::number_format::NumberFormat;
use crate::xml::Start;
use std::collections::BTreeMap;

/// The name of the style of cells without another one. Styles without a parent inherit from it.
const DEFAULT: &str = "Default";

/// The styles by their names.
#[derive(Debug, Default)]
pub struct Formats {
    list: BTreeMap<String, Style>,
    /// The bytes of all codes.
    bytes: usize,
}

/// A style.
#[derive(Debug, Default)]
struct Style {
    /// The name of the style from which it inherits what it does not state.
    parent: Option<String>,
    /// The format, if the style states one.
    format: Option<NumberFormat>,
}

impl Formats {
    /// Adds a style from its element.
    pub fn style(&mut self, name: &str, start: &Start) {
        let parent = start.attr("Parent").unwrap_or_default();
        let longest = name.len().max(parent.len());
        if self.list.len() >= limits::CELL_FORMATS || longest > limits::METADATA_BYTES {
            return;
        }
        let style = Style {
            parent: (!parent.is_empty()).then(|| parent.into_owned()),
            format: None,
        };
        self.list.insert(name.to_owned(), style);
    }

    /// Adds the format of a style from its element. After the limit of all codes, it is `General`.
    pub fn add(&mut self, style: &str, start: &Start) {
        let Some(style) = self.list.get_mut(style) else {
            return;
        };
        let code = start.attr("Format").unwrap_or_default();
        self.bytes = self.bytes.saturating_add(code.len());
        style.format = Some(match named(code.trim()) {
            _ if self.bytes > limits::FORMAT_CODES_BYTES => NumberFormat::default(),
            Named::Builtin(id) => NumberFormat::builtin(id),
            Named::Code(code) => NumberFormat::parse(code),
        });
    }

    /// Returns the format of a style, which it may inherit. `None` if it is `General`.
    pub fn get(&self, style: Option<&str>) -> Option<&NumberFormat> {
        let mut name = style.unwrap_or(DEFAULT);
        for _ in 0..limits::STYLE_CHAIN {
            let style = self.list.get(name);
            if let Some(format) = style.and_then(|it| it.format.as_ref()) {
                return Some(format).filter(|format| !format.is_general());
            }
            let parent = style.and_then(|it| it.parent.as_deref());
            name = match parent {
                Some(parent) => parent,
                None if name != DEFAULT => DEFAULT,
                None => return None,
            };
        }
        None
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
