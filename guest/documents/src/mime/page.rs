//! The page in a mail in which a program saved it with its images (RFC 2557).

use super::{charset, parts};

/// The types of such mails.
const KINDS: [&str; 3] = ["multipart/related", "message/rfc822", "x-mimearchive"];

/// Whether the type or the extension of a file is that of a page in a mail.
pub fn is_named(kind: &str, extension: &str) -> bool {
    matches!(extension, "mht" | "mhtml") || KINDS.iter().any(|known| kind.contains(known))
}

/// The HTML of the page. `None` if the mail has none.
pub fn read(bytes: &[u8]) -> Option<String> {
    let parts = parts::parse(bytes);
    let is_page = |kind: &str| matches!(kind, "text/html" | "application/xhtml+xml");
    let page = parts
        .list
        .iter()
        .find(|part| is_page(&part.kind) && !part.is_attachment)?;
    Some(charset::decode_html(&page.decoded(bytes), &page.charset))
}
