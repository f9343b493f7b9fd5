//! Bytes that are no zip package: encrypted packages and other formats.

use crate::Error;

/// Returns the error for bytes that are no zip package but a known format.
pub fn foreign(bytes: &[u8]) -> Option<Error> {
    const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
    if bytes.starts_with(COMPOUND) {
        return Some(compound(bytes));
    }
    let head = bytes.get(..64.min(bytes.len())).unwrap_or_default();
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let head = head.trim_ascii_start().to_ascii_lowercase();
    let name = if bytes.is_empty() {
        "an empty file"
    } else if head.starts_with(b"{\\rtf") {
        "an RTF document"
    } else if head.starts_with(b"%pdf") {
        "a PDF document"
    } else if head.starts_with(b"<!doctype html") || head.starts_with(b"<html") {
        "an HTML page"
    } else if head.starts_with(b"<?xml") {
        "an XML document"
    } else {
        return None;
    };
    Some(Error::Damaged(format!(
        "the file is {name}, not a zip package"
    )))
}

/// Returns the error for a compound file: an encrypted package, or the format of older programs.
/// Its directory consists of records of 128 bytes that begin with a name in UTF-16.
fn compound(bytes: &[u8]) -> Error {
    let utf16 = |name: &str| -> Vec<u8> {
        let units = name.encode_utf16().chain([0]);
        units.flat_map(u16::to_le_bytes).collect()
    };
    let names: Vec<(Vec<u8>, &str)> = [
        ("EncryptedPackage", ""),
        ("EncryptionInfo", ""),
        ("WordDocument", "a Word 97-2003 document (.doc)"),
        ("Workbook", "an Excel 97-2003 workbook (.xls)"),
        ("Book", "an Excel 5.0 workbook (.xls)"),
        (
            "PowerPoint Document",
            "a PowerPoint 97-2003 presentation (.ppt)",
        ),
        ("__properties_version1.0", "a message of Outlook (.msg)"),
    ]
    .map(|(name, meaning)| (utf16(name), meaning))
    .into();
    let mut found = "a compound file of an older program";
    for record in bytes.chunks(128) {
        for (name, meaning) in &names {
            if record.starts_with(name) {
                if meaning.is_empty() {
                    return Error::Encrypted;
                }
                found = meaning;
            }
        }
    }
    Error::Damaged(format!("the file is {found}, not a zip package"))
}
