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
    if bytes.trim_ascii().is_empty() {
        return Err(Error::Damaged("the mail is empty".to_owned()));
    }
    let mail = Mail::read(&bytes);
    let facts = mail.letter.facts("Email message");
    Ok(Box::new(Eml { bytes, facts, mail }))
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
