//! The text of a mail: its header, its body and the list of its attachments.

use super::{address, quote};
use crate::report;
use crate::{Attachment, Facts, Unit, UnitFacts, limits};
use std::fmt::Write;

/// The header of a mail, decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letter {
    /// The subject. It may be empty.
    pub subject: String,
    /// The senders, as `Name <address>`.
    pub from: Vec<String>,
    /// Other fields with addresses, in the order in which they are shown: `Sender`, `To`, `Cc`,
    /// `Bcc`, `Reply-To`.
    pub addresses: Vec<(&'static str, Vec<String>)>,
    /// The date in ISO 8601, or as written. It may be empty.
    pub date: String,
    /// The date, if it is valid. Otherwise empty.
    pub iso_date: String,
    /// The address of a web page that a browser saved as a mail. It may be empty.
    pub page: String,
    /// Whether it is no letter but a saved page: it has no sender, no recipient, no date and no subject.
    pub is_page: bool,
}

impl Letter {
    /// The facts of a document that is this mail.
    pub fn facts(&self, format: &str) -> Facts {
        let mut metadata = Vec::new();
        let entries = [
            ("title", self.subject.clone()),
            ("author", self.from.join(", ")),
            ("created", self.iso_date.clone()),
        ];
        for (name, value) in entries {
            if !value.is_empty() {
                let end = value.floor_char_boundary(limits::METADATA_BYTES);
                let value = value.get(..end).unwrap_or_default();
                metadata.push((name.to_owned(), value.to_owned()));
            }
        }
        Facts {
            format: format.to_owned(),
            metadata,
            units: None,
            list: vec![UnitFacts::default()],
        }
    }

    /// A short description: `Subject (Name, 2024-03-01)`.
    pub fn summary(&self) -> String {
        let subject = if self.subject.is_empty() {
            "(no subject)"
        } else {
            shortened(&self.subject, 120)
        };
        let from = self.from.first().map_or("", |from| address::name(from));
        let from = shortened(from, 60);
        let date = self.iso_date.get(..10).unwrap_or_default();
        match (from.is_empty(), date.is_empty()) {
            (false, false) => format!("{subject} ({from}, {date})"),
            (false, true) => format!("{subject} ({from})"),
            (true, false) => format!("{subject} ({date})"),
            (true, true) => subject.to_owned(),
        }
    }

    /// Writes the mail. `prefix` is before the names of attachments, `quoted` is the maximum number
    /// of lines of a quotation.
    pub fn write(&self, body: Body, attachments: &[Attachment], quoted: usize) -> Unit {
        let mut text = String::with_capacity(body.text.len().saturating_add(512));
        let subject = self.subject.as_str();
        let title = if subject.is_empty() {
            "(no subject)"
        } else {
            subject
        };
        if !self.is_page {
            let _ = write!(text, "# {title}");
        }
        let start = text.len();
        line(&mut text, "From", &self.from);
        for (name, list) in &self.addresses {
            line(&mut text, name, list);
        }
        if !self.date.is_empty() {
            let _ = write!(text, "\nDate: {}", self.date);
        }
        if !self.page.is_empty() {
            let _ = write!(text, "\nPage: {}", self.page);
        }
        if text.len() > start {
            text.insert(start, '\n');
        }
        let folded = quote::fold(&body.text, subject, quoted);
        let mut notes = body.notes;
        if body.is_cut {
            let megabytes = limits::MAIL_TEXT_BYTES >> 20;
            notes.push(format!(
                "The text of the mail has more than {megabytes} MB. The rest is left out."
            ));
        }
        if folded.omitted > 0 {
            notes.push(format!(
                "{} lines of quoted earlier mails are left out. The raw file has them.",
                folded.omitted
            ));
        }
        let content = folded.text.trim_matches('\n');
        if !content.is_empty() {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(content);
        }
        if !attachments.is_empty() {
            text.push_str("\n\nAttachments:\n");
            for attachment in attachments {
                let mime = match attachment.mime.as_str() {
                    "" => String::new(),
                    mime => format!("{mime}, "),
                };
                let size = size(attachment.size);
                let _ = write!(text, "\n- {} ({mime}{size})", attachment.name);
            }
        }
        report::limit(&mut notes);
        Unit::new(text, notes)
    }
}

/// The body of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// Text or Markdown, with `\n` as line ends.
    pub text: String,
    /// Notes for the reply.
    pub notes: Vec<String>,
    /// Whether the text is longer than the limit.
    pub is_cut: bool,
}

impl Body {
    /// Adds a text after an empty line. The text is cut at the limit.
    pub fn push(&mut self, text: &str) {
        let mut text = text.trim_matches('\n');
        let room = limits::MAIL_TEXT_BYTES.saturating_sub(self.text.len());
        if text.len() > room {
            self.is_cut = true;
            text = shortened(text, room);
        }
        if text.trim().is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
    }
}

/// Writes a field with addresses. The number of those above the limit is shown.
fn line(text: &mut String, name: &str, list: &[String]) {
    if list.is_empty() {
        return;
    }
    let shown: Vec<&str> = list
        .iter()
        .take(limits::MAIL_ADDRESSES)
        .map(String::as_str)
        .collect();
    let _ = write!(text, "\n{name}: {}", shown.join(", "));
    if let Some(more @ 1..) = list.len().checked_sub(limits::MAIL_ADDRESSES) {
        let _ = write!(text, " and {more} more");
    }
}

/// A size: `12 bytes`, `3.4 KB`, `5.6 MB`.
fn size(bytes: u64) -> String {
    let tenths = |tenth: u64| {
        let tenths = bytes.checked_div(tenth).unwrap_or_default();
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match bytes {
        1 => "1 byte".to_owned(),
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KB", tenths(102)),
        _ => format!("{} MB", tenths(104_857)),
    }
}

/// The first characters of a text.
fn shortened(text: &str, bytes: usize) -> &str {
    let end = text.floor_char_boundary(bytes);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_has_header_body_and_attachments() {
        let letter = Letter {
            subject: "Hello".to_owned(),
            from: vec!["Ann <a@x>".to_owned()],
            addresses: vec![("To", (0..60).map(|at| format!("{at}@x")).collect())],
            date: "2024-03-01T12:00:00+01:00".to_owned(),
            iso_date: "2024-03-01T12:00:00+01:00".to_owned(),
            page: String::new(),
            is_page: false,
        };
        let attachment = Attachment {
            name: "a.pdf".to_owned(),
            declared: "a.pdf".to_owned(),
            mime: "application/pdf".to_owned(),
            size: 1536,
        };
        let mut body = Body::default();
        body.push("Text\n");
        let unit = letter.write(body, &[attachment], 10);
        let (head, rest) = unit.text.split_once("To: ").unwrap();
        assert_eq!(head, "# Hello\n\nFrom: Ann <a@x>\n");
        assert!(rest.contains("49@x and 10 more\nDate: 2024-03-01T12:00:00+01:00\n\nText\n\n"));
        assert!(rest.ends_with("Attachments:\n\n- a.pdf (application/pdf, 1.5 KB)"));
        let mut long = Body::default();
        long.push(&"é".repeat(limits::MAIL_TEXT_BYTES));
        long.push("x");
        assert_eq!(long.text.len(), limits::MAIL_TEXT_BYTES);
        assert_eq!(letter.write(long, &[], 10).notes.len(), 1);
        assert_eq!(letter.summary(), "Hello (Ann, 2024-03-01)");
        assert_eq!(Letter::default().summary(), "(no subject)");
    }
}
