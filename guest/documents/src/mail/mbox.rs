//! Mailboxes: mails one after the other, each after a line that starts with `From ` (RFC 4155).
//!
//! The variants are mboxo and mboxrd, which quote lines that start with `From `, and mboxcl, which
//! gives the length of each mail. Only boundaries and headers are read when a mailbox is opened.

use super::letter::Letter;
use super::structure::{self, Mail};
use crate::mime::fields;
use crate::{Attachment, Document, Error, Facts, Unit, UnitFacts, UnitKind, limits};
use memchr::memmem;
use omniread_mbox::{ENVELOPE_BYTES, is_standard};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// An open mailbox.
struct Mbox {
    bytes: Vec<u8>,
    facts: Facts,
    notes: Vec<String>,
    mails: Vec<Range<usize>>,
    /// The attachments of all mails, which are read when they are asked for.
    attachments: OnceCell<Attachments>,
}

/// The attachments of all mails.
#[derive(Default)]
struct Attachments {
    list: Vec<Attachment>,
    /// The mail of each attachment, and its number in the mail. Both are from 0.
    places: Vec<(usize, usize)>,
}

/// Opens a mailbox.
///
/// # Errors
/// Fails if the file has no text.
pub fn open(bytes: Vec<u8>) -> Result<Box<dyn Document>, Error> {
    if bytes.trim_ascii().is_empty() {
        return Err(Error::Damaged("the mailbox is empty".to_owned()));
    }
    let mut list = Vec::new();
    let mut mails = Vec::new();
    let mut notes = Vec::new();
    let mut next = Some(first(&bytes));
    while let Some(start) = next {
        if mails.len() >= limits::MAILS {
            notes.push(format!(
                "The mailbox has more than {} mails. The others are left out.",
                limits::MAILS
            ));
            break;
        }
        let (letter, end, after) = mail(&bytes, start);
        list.push(UnitFacts {
            name: letter.summary(),
            hidden: false,
        });
        mails.push(start..end);
        next = after;
    }
    let facts = Facts {
        format: "Mailbox".to_owned(),
        metadata: Vec::new(),
        units: Some(UnitKind::Mail),
        list,
    };
    Ok(Box::new(Mbox {
        bytes,
        facts,
        notes,
        mails,
        attachments: OnceCell::new(),
    }))
}

/// The start of the first mail. A file without boundaries is one mail.
fn first(bytes: &[u8]) -> usize {
    let blank = bytes.len().saturating_sub(bytes.trim_ascii_start().len());
    let start = bytes.get(blank..).unwrap_or_default();
    let length = if start.starts_with(b"From ") {
        line(start).len()
    } else {
        0
    };
    blank.saturating_add(length)
}

/// The first line, with its line end.
fn line(bytes: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'\n', bytes).map(|end| end.saturating_add(1));
    bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default()
}

/// Reads the header of the mail at a position. Returns it with the end of the mail and the start of
/// the next one.
fn mail(bytes: &[u8], start: usize) -> (Letter, usize, Option<usize>) {
    let rest = bytes.get(start..).unwrap_or_default();
    let split = fields::split(rest, 0, true, is_envelope);
    let header = rest.get(split.header.clone()).unwrap_or_default();
    let letter = structure::letter(header);
    let mut length = fields::fields(header)
        .filter(|(name, _)| name.eq_ignore_ascii_case(b"content-length"))
        .filter_map(|(_, value)| std::str::from_utf8(value).ok()?.parse::<usize>().ok());
    if let Some(length) = length.next() {
        let end = split.body.saturating_add(length);
        if let Some(tail) = rest.get(end..) {
            let text = tail.trim_ascii_start();
            if text.is_empty() {
                return (letter, bytes.len(), None);
            }
            let skipped = tail.len().saturating_sub(text.len());
            let first = line(text);
            if skipped < 5 && is_envelope(first) {
                let next = end.saturating_add(skipped).saturating_add(first.len());
                let end = start.saturating_add(end);
                return (letter, end, Some(start.saturating_add(next)));
            }
        }
    }
    // The line end before an empty body may be the one before the next mail.
    let mut at = split.body.saturating_sub(1);
    while let Some(found) = rest
        .get(at..)
        .and_then(|rest| memmem::find(rest, b"\nFrom "))
    {
        let envelope = at.saturating_add(found).saturating_add(1);
        let tail = rest.get(envelope..).unwrap_or_default();
        let first = line(tail);
        let after = tail.get(first.len()..).unwrap_or_default();
        // A header confirms a boundary. A standard envelope after an empty line needs none, because
        // mailboxes quote such a line in a mail (RFC 4155).
        let before = rest.get(..envelope).unwrap_or_default();
        let is_alone = before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
        if is_envelope(first)
            && (is_header(after) || (is_alone && is_standard(first.get(5..).unwrap_or_default())))
        {
            let end = start.saturating_add(envelope);
            return (letter, end, Some(end.saturating_add(first.len())));
        }
        at = envelope;
    }
    (letter, bytes.len(), None)
}

/// Whether a line is `From`, an address and a date with a time.
fn is_envelope(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else {
        return false;
    };
    let rest = rest.get(..ENVELOPE_BYTES).unwrap_or(rest);
    rest.windows(5).any(|window| {
        matches!(window, [a, b, b':', c, d] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()))
    })
}

/// Whether a text starts with a header field or another envelope.
fn is_header(text: &[u8]) -> bool {
    let first = line(text);
    let Some(colon) = memchr::memchr(b':', first) else {
        return false;
    };
    let name = first.get(..colon).unwrap_or_default();
    first.starts_with(b">From ")
        || (!name.is_empty() && name.iter().all(|byte| (0x21..=0x7e).contains(byte)))
}

/// Removes the first `>` from lines such as `>From` and `>>From`.
fn unquoted(mail: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(mail, b">From ").is_none() {
        return Cow::Borrowed(mail);
    }
    let mut out = Vec::with_capacity(mail.len());
    for line in mail.split_inclusive(|byte| *byte == b'\n') {
        let quotes = line.iter().take_while(|byte| **byte == b'>').count();
        let is_quoted = quotes > 0
            && line
                .get(quotes..)
                .is_some_and(|rest| rest.starts_with(b"From "));
        out.extend_from_slice(line.get(usize::from(is_quoted)..).unwrap_or_default());
    }
    Cow::Owned(out)
}

impl Mbox {
    /// The bytes of a mail.
    fn raw(&self, index: usize) -> Option<Cow<'_, [u8]>> {
        let range = self.mails.get(index)?.clone();
        Some(unquoted(self.bytes.get(range)?))
    }

    fn all(&self) -> &Attachments {
        self.attachments.get_or_init(|| {
            let mut all = Attachments::default();
            for index in 0..self.mails.len() {
                let Some(raw) = self.raw(index) else {
                    continue;
                };
                let attachments = Mail::read(&raw).attachments;
                for (place, attachment) in numbered(index, attachments).enumerate() {
                    if all.list.len() >= limits::ATTACHMENTS {
                        return all;
                    }
                    all.list.push(attachment);
                    all.places.push((index, place));
                }
            }
            all
        })
    }
}

/// Puts the number of a mail before the names of its attachments.
fn numbered(index: usize, list: Vec<Attachment>) -> impl Iterator<Item = Attachment> {
    let number = index.saturating_add(1);
    list.into_iter().map(move |attachment| Attachment {
        name: format!("{number}/{}", attachment.name),
        ..attachment
    })
}

impl Document for Mbox {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        let Some(raw) = self.raw(index) else {
            return Unit::default();
        };
        let mut mail = Mail::read(&raw);
        let number = index.saturating_add(1);
        let first = limits::MAIL_IMAGES.saturating_add(1);
        mail.number_images_after(number.saturating_mul(first));
        let attachments = std::mem::take(&mut mail.attachments);
        let attachments: Vec<_> = numbered(index, attachments).collect();
        mail.text(&raw, &attachments, limits::MAILBOX_QUOTED_LINES)
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        let step = limits::MAIL_IMAGES.saturating_add(1);
        let index = number.checked_div(step)?.checked_sub(1)?;
        let raw = self.raw(index)?;
        Mail::read(&raw).image(&raw, number.checked_rem(step)?)
    }

    fn attachments(&self) -> &[Attachment] {
        &self.all().list
    }

    fn attachment(&mut self, index: usize) -> Option<Vec<u8>> {
        let (mail, place) = *self.all().places.get(index)?;
        let raw = self.raw(mail)?;
        Mail::read(&raw).attachment(&raw, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(mailbox: &str) -> Vec<String> {
        let document = open(mailbox.as_bytes().to_vec()).unwrap();
        let list = &document.facts().list;
        list.iter().map(|unit| unit.name.clone()).collect()
    }

    const ENVELOPE: &str = "From a@x Fri Mar  1 12:00:00 2024\n";

    #[test]
    fn mails_are_units() {
        let mailbox = format!(
            "{ENVELOPE}Subject: one\nFrom: Ann <a@x>\nDate: 1 Mar 2024 12:00:00 +0100\n\n\
             >From the start\nFrom here on\n>>From x\n\n{ENVELOPE}Subject: two\n\n{ENVELOPE}\
             Subject: three\n\nend"
        );
        assert_eq!(names(&mailbox), ["one (Ann, 2024-03-01)", "two", "three"]);
        let mut document = open(mailbox.into_bytes()).unwrap();
        let text = document.unit(0).text;
        assert!(
            text.ends_with("\n\nFrom the start\nFrom here on\n>From x"),
            "{text}"
        );
        assert_eq!(document.unit(1).text, "# two");
        assert_eq!(document.unit(2).text, "# three\n\nend");
        assert_eq!(document.unit(3), Unit::default());
    }

    #[test]
    fn mails_need_no_header_after_a_standard_envelope() {
        let mailbox = format!("{ENVELOPE}\none\n\n{ENVELOPE}two\n\n{ENVELOPE}>{ENVELOPE}\nthree\n");
        let mut document = open(mailbox.clone().into_bytes()).unwrap();
        assert_eq!(document.facts().list.len(), 3);
        for (index, shown) in ["one", "two", "three"].iter().enumerate() {
            let text = document.unit(index).text;
            assert_eq!(text, format!("# (no subject)\n\n{shown}"));
        }
        assert_eq!(names(&mailbox.replace('\n', "\r\n")).len(), 3);
        // A line in a text is no boundary if it is not standard, or does not follow an empty line.
        for line in ["From here at 10:30 on\n", "From a@x 2024-03-01 12:00\n"] {
            assert_eq!(names(&format!("{ENVELOPE}\none\n\n{line}\ntwo\n")).len(), 1);
        }
        assert_eq!(
            names(&format!("{ENVELOPE}\none\n{ENVELOPE}\ntwo\n")).len(),
            1
        );
    }

    #[test]
    fn standard_envelopes_have_a_date_and_a_year() {
        for (envelope, expected) in [
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
            assert_eq!(is_standard(envelope.as_bytes()), expected, "{envelope}");
        }
        let line = "From Ann Mon Jan 5 10:30 we met\n";
        let mailbox = format!("{ENVELOPE}\none\n\n{line}\ntwo\n");
        assert_eq!(names(&mailbox).len(), 1);
    }

    #[test]
    fn declared_length_is_used_if_it_fits() {
        let body = format!("text\n{ENVELOPE}Subject: quoted\n");
        let length = body.len();
        let mailbox = |length: usize| {
            format!(
                "{ENVELOPE}Subject: one\nContent-Length: {length}\n\n{body}\n{ENVELOPE}Subject: two\n\n"
            )
        };
        assert_eq!(names(&mailbox(length)), ["one", "two"]);
        assert_eq!(names(&mailbox(length + 3)), ["one", "quoted", "two"]);
        assert_eq!(names(&mailbox(usize::MAX)), ["one", "quoted", "two"]);
    }

    #[test]
    fn attachments_and_images_have_the_number_of_the_mail() {
        let mail = "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n\
                    <p>x<img src='cid:i'>\n--b\nContent-Type: image/png\nContent-ID: <i>\n\nPNG\n\
                    --b\nContent-Type: image/gif; name=a.gif\n\nGIF\n--b--\n\n";
        let mailbox = format!("{ENVELOPE}Subject: s\n\nx\n\n{ENVELOPE}{mail}");
        let mut document = open(mailbox.into_bytes()).unwrap();
        assert_eq!(document.attachments()[0].name, "2/a.gif");
        assert_eq!(document.attachment(0).unwrap(), b"GIF");
        let text = document.unit(1).text;
        assert!(
            text.contains("![](image:2001)") && text.contains("- 2/a.gif ("),
            "{text}"
        );
        assert_eq!(document.image(2001).unwrap(), b"PNG");
        assert_eq!(
            [
                document.image(1),
                document.image(1001),
                document.image(usize::MAX)
            ],
            [None, None, None]
        );
    }

    #[test]
    fn text_without_boundaries_is_one_mail() {
        assert_eq!(names("Subject: s\n\nFrom x\n"), ["s"]);
        assert!(open(Vec::new()).is_err());
    }

    #[test]
    fn many_mails_are_limited() {
        let mailbox = format!("{ENVELOPE}A: b\n").repeat(limits::MAILS + 5);
        let document = open(mailbox.into_bytes()).unwrap();
        assert_eq!(document.facts().list.len(), limits::MAILS);
        assert_eq!(document.notes().len(), 1);
    }
}
