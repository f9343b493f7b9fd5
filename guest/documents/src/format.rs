//! The formats by name.

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
}
