//! Detection of mails and mailboxes, which are texts.

use super::Hints;
use crate::path::ends_in;
use omniread_document as document;
use omniread_mbox::is_standard;

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

/// Extensions of mails, and of web pages that are saved as mails with their images (RFC 2557).
pub const NAMES: &[&str] = &["eml", "emlx", "mht", "mhtml"];

/// The MIME types of these.
const MIMES: &[&str] = &[
    "message/rfc822",
    "multipart/related",
    "application/x-mimearchive",
];

/// Detects a mail or a mailbox. `text` is the start of the file.
pub fn detect(text: &str, hints: Hints<'_>) -> Option<document::Format> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(rest) = text.strip_prefix("From ")
        && let Some((envelope, headers)) = rest.split_once('\n')
    {
        // Archives write envelopes in many ways, so a header confirms one that is not standard.
        let has_time = envelope.contains(':') && envelope.bytes().any(|byte| byte.is_ascii_digit());
        let is_mailbox = is_standard(envelope.as_bytes()) || (has_time && fields(headers) > 0);
        return is_mailbox.then_some(document::Format::Mbox);
    }
    // A file of Apple Mail starts with the number of bytes of the mail.
    let text = match text.split_once('\n') {
        Some((count, mail)) if ends_in(hints.name, &["emlx"]) && is_number(count) => mail,
        _ => text,
    };
    let named = ends_in(hints.name, NAMES) || hints.mime.is_some_and(|mime| MIMES.contains(&mime));
    let named = named || is_multipart(text);
    let enough = if named { 1 } else { ENOUGH };
    (fields(text) >= enough).then_some(document::Format::Eml)
}

/// Whether a text starts with the version of MIME, and its header has a type of several parts. Programs
/// save web pages so, with any name.
fn is_multipart(text: &str) -> bool {
    const VERSION: &str = "mime-version:";
    const TYPE: &str = "content-type:";
    let starts = |line: &str, start: &str| {
        let name = line.get(..start.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(start))
    };
    let mut header = text
        .lines()
        .take(LINES)
        .take_while(|line| !line.trim().is_empty());
    header.next().is_some_and(|line| starts(line, VERSION))
        && header.any(|line| {
            let value = line.get(TYPE.len()..).unwrap_or_default().trim_start();
            starts(line, TYPE) && starts(value, "multipart/")
        })
}

fn is_number(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
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

    fn named(text: &str, name: &str) -> Option<document::Format> {
        let hints = Hints {
            name,
            ..Hints::default()
        };
        detect(text, hints)
    }

    #[test]
    fn mail_is_detected_by_its_header() {
        let mail = "Received: a\n\tb\r\nFrom: x\nTo: y\n\nText: without\na header";
        assert_eq!(named(mail, "x"), Some(document::Format::Eml));
        assert_eq!(named("From: x\nTo: y\n\nhi", "x.txt"), None);
        assert_eq!(named("From: x\n\nhi", "x.EML"), Some(document::Format::Eml));
        assert_eq!(named("no header\nFrom: x", "x.eml"), None);
        assert_eq!(
            named("from x import y: z\nto: a\ndate: b\ncc: c", "x"),
            None
        );
        let page = "MIME-Version: 1.0\nContent-Type: multipart/related\n\n";
        assert_eq!(named(page, "x.mht"), Some(document::Format::Eml));
        assert_eq!(named(page, "x.xls"), Some(document::Format::Eml));
        let notes = page.replace("multipart/related", "text/plain");
        assert_eq!(named(&notes, "x.txt"), None);
        let apple = "185   \nFrom: x\nTo: y\n\nhi\n<?xml version=\"1.0\"?>";
        assert_eq!(named(apple, "x.emlx"), Some(document::Format::Eml));
        assert_eq!(named(apple, "x.txt"), None);
        // A header that is cut by the limit of detection is a header.
        let long = format!("Subject: a\nDate: b\nFrom: {}", "c".repeat(100));
        assert_eq!(named(&long, "x"), Some(document::Format::Eml));
    }

    #[test]
    fn mailbox_is_detected_by_its_envelope() {
        let mailbox = "From a@b Thu Jan  1 00:00:00 1970\nSubject: x\n\nhi\n";
        assert_eq!(named(mailbox, "x"), Some(document::Format::Mbox));
        assert_eq!(named("From here to eternity\nSubject: x\n", "x.mbox"), None);
        assert_eq!(named("From 10:30 on\nwe walked.\n", "x"), None);
        // A standard envelope needs no header after it.
        for (envelope, is_mailbox) in [
            ("a@b Thu Jan  1 00:00:00 1970", true),
            ("ann at example.com  Thu Jan 1 00:00:00 1970", true),
            ("a@b Thu Jan  1 00:00 EST 1970", true),
            ("123@xxx Thu Jan 01 00:00:00 +0000 1970", true),
            ("a@b Thu Jan 31 00:00:00 1970 +0000", true),
            ("Ann Mon Jan 5 10:30 we met", false),
            ("Ann Mon Jan 5 10:30 1970 we met", false),
            ("a@b Thu Jan 1 00:00:00", false),
            ("a@b Thu Jan 1 00:00:00 70", false),
            ("Mon to Sun 9:00 to 17:00", false),
            ("a@b Thu Jan 0 00:00:00 1970", false),
            ("a@b Thu Jan 32 00:00:00 1970", false),
            ("a@b Thu Jan 1 1970", false),
            ("a@b Thu Jan 1 a:b 1970", false),
            ("a@b Thu Jan 1 00:00:00:00 1970", false),
        ] {
            let expected = is_mailbox.then_some(document::Format::Mbox);
            for rest in ["\n\nhi\n", "\nhi\n", "\n>From c@d remote\n\nhi\n"] {
                let text = format!("From {envelope}{rest}");
                assert_eq!(named(&text, "x"), expected, "{text}");
            }
        }
    }
}
