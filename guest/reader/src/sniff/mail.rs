//! Detection of mails and mailboxes, which are texts.

use super::Hints;
use crate::path::ends_in;
use crate::world::DocumentFormat;

/// Header fields that a mail has and other texts rarely start with (RFC 5322, 3.6), in lowercase.
const FIELDS: [&str; 14] = [
    "bcc",
    "cc",
    "content-type",
    "date",
    "delivered-to",
    "dkim-signature",
    "from",
    "message-id",
    "mime-version",
    "received",
    "reply-to",
    "return-path",
    "subject",
    "to",
];

/// The maximum number of lines that are searched for header fields.
const LINES: usize = 200;

/// The number of different known header fields with which a text is a mail, whatever its name.
const ENOUGH: usize = 3;

/// Detects a mail or a mailbox. `text` is the start of the file.
pub fn detect(text: &str, hints: Hints<'_>) -> Option<DocumentFormat> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(rest) = text.strip_prefix("From ")
        && let Some((envelope, headers)) = rest.split_once('\n')
    {
        // An envelope line ends with a date: `From a@b Thu Jan  1 00:00:00 1970`.
        let has_time = envelope.contains(':') && envelope.bytes().any(|byte| byte.is_ascii_digit());
        return (has_time && fields(headers) > 0).then_some(DocumentFormat::Mbox);
    }
    let named = ends_in(hints.name, &["eml"]) || hints.mime == Some("message/rfc822");
    let enough = if named { 1 } else { ENOUGH };
    (fields(text) >= enough).then_some(DocumentFormat::Eml)
}

/// The number of different known fields in the header at the start of a text. 0 if a line of it is
/// not a field.
fn fields(text: &str) -> usize {
    let mut found = [false; FIELDS.len()];
    for line in text.lines().take(LINES) {
        if line.trim_end().is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            continue;
        }
        let Some((name, _)) = line.split_once(':') else {
            return 0;
        };
        // The name of a field has no spaces (RFC 5322, 2.2).
        if name.is_empty() || name.bytes().any(|byte| !byte.is_ascii_graphic()) {
            return 0;
        }
        let name = name.to_ascii_lowercase();
        for (known, found) in FIELDS.iter().zip(&mut found) {
            *found |= *known == name;
        }
    }
    found.into_iter().filter(|found| *found).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str, name: &str) -> Option<DocumentFormat> {
        let hints = Hints {
            name,
            ..Hints::default()
        };
        detect(text, hints)
    }

    #[test]
    fn mail_is_detected_by_its_header() {
        let mail = "Received: a\n\tb\r\nFrom: x\nTo: y\n\nText: without\na header";
        assert_eq!(named(mail, "x"), Some(DocumentFormat::Eml));
        assert_eq!(named("From: x\nTo: y\n\nhi", "x.txt"), None);
        assert_eq!(named("From: x\n\nhi", "x.EML"), Some(DocumentFormat::Eml));
        assert_eq!(named("no header\nFrom: x", "x.eml"), None);
        assert_eq!(
            named("from x import y: z\nto: a\ndate: b\ncc: c", "x"),
            None
        );
        // A header that is cut by the limit of detection is a header.
        let long = format!("Subject: a\nDate: b\nFrom: {}", "c".repeat(100));
        assert_eq!(named(&long, "x"), Some(DocumentFormat::Eml));
    }

    #[test]
    fn mailbox_is_detected_by_its_envelope() {
        let mailbox = "From a@b Thu Jan  1 00:00:00 1970\nSubject: x\n\nhi\n";
        assert_eq!(named(mailbox, "x"), Some(DocumentFormat::Mbox));
        assert_eq!(named("From here to eternity\nSubject: x\n", "x.mbox"), None);
        assert_eq!(named("From 10:30 on\nwe walked.\n", "x"), None);
    }
}
