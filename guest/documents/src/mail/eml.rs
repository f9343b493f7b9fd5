//! Mails in the Internet Message Format (RFC 5322) with MIME parts (RFC 2045 to 2049).

use super::structure::Mail;
use crate::{Attachment, Document, Error, Facts, Unit, limits};

/// An open mail.
struct Eml {
    bytes: Vec<u8>,
    facts: Facts,
    mail: Mail,
}

/// Opens a mail.
///
/// # Errors
/// Fails if the file has no text.
pub fn open(mut bytes: Vec<u8>) -> Result<Box<dyn Document>, Error> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    if let Some(mail) = of_apple(&bytes) {
        bytes = mail.to_vec();
    }
    if bytes.trim_ascii().is_empty() {
        return Err(Error::Damaged("the mail is empty".to_owned()));
    }
    let mail = Mail::read(&bytes);
    let facts = mail.letter.facts("Email message");
    Ok(Box::new(Eml { bytes, facts, mail }))
}

/// The mail in a file of Apple Mail (`.emlx`): a line with the number of its bytes, the mail, and a
/// property list. `None` for any other file.
fn of_apple(bytes: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr(b'\n', bytes.get(..32).unwrap_or(bytes))?;
    let (count, rest) = bytes.split_at_checked(end)?;
    let count = std::str::from_utf8(count)
        .ok()?
        .trim()
        .parse::<usize>()
        .ok()?;
    let rest = rest.get(1..)?;
    Some(rest.get(..count).unwrap_or(rest))
}

impl Document for Eml {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &[]
    }

    fn unit(&mut self, index: usize) -> Unit {
        if index > 0 {
            return Unit::default();
        }
        self.mail
            .text(&self.bytes, &self.mail.attachments, limits::QUOTED_LINES)
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        self.mail.image(&self.bytes, number)
    }

    fn attachments(&self) -> &[Attachment] {
        &self.mail.attachments
    }

    fn attachment(&mut self, index: usize) -> Option<Vec<u8>> {
        self.mail.attachment(&self.bytes, index)
    }
}

#[cfg(test)]
#[path = "eml_tests.rs"]
mod tests;
