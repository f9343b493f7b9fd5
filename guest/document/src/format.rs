//! The formats of documents, and the facts about each.

use crate::UnitKind;

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// WordprocessingML: docx, docm, dotx, dotm.
    Docx,
    /// PresentationML: pptx, pptm, potx, ppsx.
    Pptx,
    /// SpreadsheetML: xlsx, xlsm, xltx.
    Xlsx,
    /// Binary workbooks of Excel since 2007: xlsb.
    Xlsb,
    /// Workbooks of Excel before 2007: xls, xlt, and those in the XML of Excel 2003.
    Xls,
    /// Documents of Word before 2007: doc, dot.
    Doc,
    /// Presentations of PowerPoint before 2007: ppt, pot, pps.
    Ppt,
    /// RTF.
    Rtf,
    /// E-books: epub.
    Epub,
    /// Texts of OpenDocument: odt, ott, fodt.
    Odt,
    /// Spreadsheets of OpenDocument: ods, ots, fods.
    Ods,
    /// Presentations of OpenDocument: odp, otp, fodp.
    Odp,
    /// A mail in the Internet Message Format: eml.
    Eml,
    /// A mail of Outlook: msg.
    Msg,
    /// Mails one after the other: mbox.
    Mbox,
    /// PDF.
    Pdf,
}

/// The facts about a format.
struct Row {
    format: Format,
    name: &'static str,
    units: Option<UnitKind>,
    extensions: &'static [&'static str],
    /// The extensions of files that are text in an editor.
    text_extensions: &'static [&'static str],
}

/// A row for each format, in the order of their declaration.
const TABLE: [Row; 16] = [
    Row {
        format: Format::Docx,
        name: "Word document",
        units: None,
        extensions: &["docx", "docm", "dotx", "dotm"],
        text_extensions: &[],
    },
    Row {
        format: Format::Pptx,
        name: "PowerPoint presentation",
        units: Some(UnitKind::Slide),
        extensions: &["pptx", "pptm", "potx", "potm", "ppsx", "ppsm"],
        text_extensions: &[],
    },
    Row {
        format: Format::Xlsx,
        name: "Excel workbook",
        units: Some(UnitKind::Sheet),
        extensions: &["xlsx", "xlsm", "xltx", "xltm"],
        text_extensions: &[],
    },
    Row {
        format: Format::Xlsb,
        name: "Excel workbook",
        units: Some(UnitKind::Sheet),
        extensions: &["xlsb"],
        text_extensions: &[],
    },
    Row {
        format: Format::Xls,
        name: "Excel workbook",
        units: Some(UnitKind::Sheet),
        extensions: &["xls", "xlt"],
        text_extensions: &[],
    },
    Row {
        format: Format::Doc,
        name: "Word document",
        units: None,
        extensions: &["doc", "dot"],
        text_extensions: &[],
    },
    Row {
        format: Format::Ppt,
        name: "PowerPoint presentation",
        units: Some(UnitKind::Slide),
        extensions: &["ppt", "pot", "pps"],
        text_extensions: &[],
    },
    Row {
        format: Format::Rtf,
        name: "RTF document",
        units: None,
        extensions: &["rtf"],
        text_extensions: &[],
    },
    Row {
        format: Format::Epub,
        name: "EPUB e-book",
        units: Some(UnitKind::Chapter),
        extensions: &["epub"],
        text_extensions: &[],
    },
    Row {
        format: Format::Odt,
        name: "OpenDocument text",
        units: None,
        extensions: &["odt", "ott"],
        text_extensions: &["fodt"],
    },
    Row {
        format: Format::Ods,
        name: "OpenDocument spreadsheet",
        units: Some(UnitKind::Sheet),
        extensions: &["ods", "ots"],
        text_extensions: &["fods"],
    },
    Row {
        format: Format::Odp,
        name: "OpenDocument presentation",
        units: Some(UnitKind::Slide),
        extensions: &["odp", "otp"],
        text_extensions: &["fodp"],
    },
    Row {
        format: Format::Eml,
        name: "mail",
        units: None,
        extensions: &[],
        text_extensions: &["eml"],
    },
    Row {
        format: Format::Msg,
        name: "Outlook mail",
        units: None,
        extensions: &["msg"],
        text_extensions: &[],
    },
    Row {
        format: Format::Mbox,
        name: "mailbox",
        units: Some(UnitKind::Mail),
        extensions: &[],
        text_extensions: &["mbox"],
    },
    Row {
        format: Format::Pdf,
        name: "PDF document",
        units: Some(UnitKind::Page),
        extensions: &["pdf"],
        text_extensions: &[],
    },
];

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.format)
    }

    /// The rows are in the order of the formats, as a test checks.
    #[expect(clippy::indexing_slicing, reason = "a format is a row of the table")]
    const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The full name, such as `Word document`. Several formats have the same one.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The kind of the units into which a document is divided. `None` if it is one text.
    pub const fn units(self) -> Option<UnitKind> {
        self.row().units
    }

    /// The extensions of files that are not text in an editor, without a dot.
    pub const fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// The format of files with this extension. Case does not matter.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let row = TABLE.iter().find(|row| {
            let mut known = row.extensions.iter().chain(row.text_extensions);
            known.any(|known| known.eq_ignore_ascii_case(extension))
        });
        row.map(|row| row.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_a_row_and_extensions_of_its_own() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.format as usize, index);
            assert_eq!(row.format.name(), row.name);
            let extensions = row.extensions.iter().chain(row.text_extensions);
            for extension in extensions {
                let upper = extension.to_uppercase();
                assert_eq!(
                    Format::of_extension(&upper),
                    Some(row.format),
                    "{extension}"
                );
            }
        }
        assert_eq!(Format::of_extension("txt"), None);
    }
}
