//! Opens a document of any format.

use crate::{
    Document, Error, Format, doc, docx, encryption, epub, mail, odf, ppt, pptx, rtf, xlml, xls,
    xlsb, xlsx, xml,
};

/// Opens a document. The password is used only if the document is encrypted.
///
/// # Errors
/// Fails if nothing of the document can be read.
pub fn open(
    bytes: Vec<u8>,
    format: Format,
    password: Option<&str>,
) -> Result<Box<dyn Document>, Error> {
    let bytes = encryption::decrypted(bytes, password)?;
    match format {
        Format::Docx => Ok(Box::new(docx::open(bytes)?)),
        Format::Pptx => pptx::open(bytes),
        Format::Xlsx => xlsx::open(bytes),
        Format::Xlsb => xlsb::open(bytes),
        Format::Xls if xml::is_xml(&bytes) => xlml::open(&bytes),
        Format::Xls => xls::open(bytes, password),
        Format::Doc => doc::open(bytes, password),
        Format::Ppt => ppt::open(bytes, password),
        Format::Rtf => rtf::open(bytes),
        Format::Epub => epub::open(bytes),
        Format::Odt | Format::Ods | Format::Odp => odf::open(bytes, format, password),
        Format::Eml => mail::eml::open(bytes),
        Format::Msg => mail::msg::open(bytes),
        Format::Mbox => mail::mbox::open(bytes),
        Format::Pdf => Err(Error::Unsupported("the format PDF".to_owned())),
    }
}
