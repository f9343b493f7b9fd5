//! Names of attachments: safe and unique.

use crate::limits;
use crate::mime::words;
use std::collections::BTreeSet;

/// The names of an attachment.
pub struct Name {
    /// The name by which it is read: without control characters and path separators, and different
    /// from those of other attachments.
    pub unique: String,
    /// The name that the mail declares, with its path separators. It may be empty.
    pub declared: String,
}

/// Gives names to attachments.
#[derive(Default)]
pub struct Names {
    used: BTreeSet<String>,
    /// The number of attachments so far.
    count: usize,
}

impl Names {
    /// Returns the names of an attachment. `name` is the declared one, which may be empty.
    pub fn take(&mut self, name: &str, mime: &str) -> Name {
        self.count = self.count.saturating_add(1);
        let declared = words::spaced(name);
        let mut name = safe(&declared);
        if name.is_empty() {
            name = format!("attachment-{}.{}", self.count, extension(mime));
        }
        // Names that differ in case are one on some systems.
        let mut number = 2_usize;
        let mut unique = name.clone();
        while !self.used.insert(unique.to_lowercase()) {
            // With many equal names, the search starts at a number that is probably free.
            let (stem, extension) = split(&name);
            unique = format!("{stem}-{number}{extension}");
            number = number
                .saturating_add(1)
                .max(if number > 8 { self.count } else { 0 });
        }
        Name { unique, declared }
    }
}

/// Removes what a file name must not have. `name` is on one line.
fn safe(name: &str) -> String {
    // A Windows path.
    let name = match name.rsplit_once('\\') {
        Some((path, name)) if path.contains(':') => name,
        _ => name,
    };
    let name: String = name
        .chars()
        .map(|char| {
            if matches!(char, '/' | '\\') {
                '_'
            } else {
                char
            }
        })
        .collect();
    let name = name.trim();
    if name.chars().all(|char| char == '.') {
        return String::new();
    }
    if name.len() <= limits::ATTACHMENT_NAME_BYTES {
        return name.to_owned();
    }
    let (stem, extension) = split(name);
    let room = limits::ATTACHMENT_NAME_BYTES.saturating_sub(extension.len());
    let end = stem.floor_char_boundary(room);
    format!("{}{extension}", stem.get(..end).unwrap_or_default())
}

/// Splits a name before the period of its extension.
fn split(name: &str) -> (&str, &str) {
    let at = name.rfind('.').filter(|at| *at > 0);
    let at = at.filter(|at| name.len().saturating_sub(*at) <= 20);
    name.split_at_checked(at.unwrap_or(name.len()))
        .unwrap_or((name, ""))
}

/// The extension of files with a MIME type.
fn extension(mime: &str) -> &'static str {
    match mime {
        "image/jpeg" | "image/jpg" | "image/pjpeg" => "jpg",
        "image/png" => "png",
        "image/gif" => "gif",
        "image/bmp" => "bmp",
        "image/tiff" => "tiff",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "image/heic" => "heic",
        "audio/mpeg" => "mp3",
        "audio/wav" | "audio/x-wav" => "wav",
        "video/mp4" => "mp4",
        "video/quicktime" => "mov",
        "application/pdf" => "pdf",
        "application/zip" | "application/x-zip-compressed" => "zip",
        "application/json" => "json",
        "application/msword" => "doc",
        "application/vnd.ms-excel" => "xls",
        "application/vnd.ms-powerpoint" => "ppt",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "docx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "xlsx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => "pptx",
        "application/rtf" | "text/rtf" => "rtf",
        "application/xml" | "text/xml" => "xml",
        "application/pgp-signature" | "application/pgp-encrypted" | "application/pgp-keys" => "asc",
        "application/pkcs7-signature" | "application/x-pkcs7-signature" => "p7s",
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => "p7m",
        "application/ms-tnef" => "dat",
        "application/ics" | "text/calendar" => "ics",
        "text/html" => "html",
        "text/csv" => "csv",
        "text/x-patch" | "text/x-diff" => "patch",
        "text/vcard" | "text/x-vcard" => "vcf",
        "message/rfc822" | "message/global" => "eml",
        _ if mime.starts_with("text/") || mime.starts_with("message/") => "txt",
        _ if mime.starts_with("multipart/") => "eml",
        _ => "bin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_unique() {
        let mut names = Names::default();
        let mut take = |name: &str| names.take(name, "image/png").unique;
        assert_eq!(take("a.png"), "a.png");
        assert_eq!(take("A.png"), "A-2.png");
        assert_eq!(take("../../etc/x\n\u{202e}y"), ".._.._etc_x y");
        assert_eq!(take("C:\\dir\\b.png"), "b.png");
        assert_eq!(take(".."), "attachment-5.png");
        assert_eq!(take(""), "attachment-6.png");
        assert_eq!(take("attachment-8.png"), "attachment-8.png");
        assert_eq!(take(""), "attachment-8-2.png");
        let long = take(&("é".repeat(300) + ".docx"));
        assert!(long.len() <= 200 && long.ends_with("é.docx"));
        let name = names.take("dir/\t.env ", "");
        assert_eq!(name.unique, "dir_ .env");
        assert_eq!(name.declared, "dir/ .env");
    }

    #[test]
    fn many_equal_names_are_cheap() {
        let mut names = Names::default();
        let all: BTreeSet<_> = (0..10_000).map(|_| names.take("a", "").unique).collect();
        assert_eq!(all.len(), 10_000);
    }
}
