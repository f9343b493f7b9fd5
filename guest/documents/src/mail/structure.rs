//! The parts of a mail → its body, images and attachments.

use super::html::{self, Images};
use super::letter::Letter;
use super::names::{Name, Names};
use super::plain::{self, Embedded};
use super::{address, date, tnef};
use crate::mime::parts::{self, Part, Parts};
use crate::mime::{fields, words};
use crate::{Attachment, limits};
use std::collections::BTreeSet;
use std::ops::Range;

/// A mail. Its bytes are elsewhere.
#[derive(Debug, Default)]
pub struct Mail {
    /// The header.
    pub letter: Letter,
    /// The attachments, with names that are unique in the mail.
    pub attachments: Vec<Attachment>,
    pub(super) parts: Parts,
    /// The body in the order of the mail.
    pub(super) shown: Vec<Shown>,
    /// The parts of the images.
    images: Vec<usize>,
    pub(super) ids: Images,
    /// Where the bytes of each attachment are.
    pub(super) sources: Vec<Source>,
    pub(super) notes: Vec<String>,
}

/// The bytes of an attachment.
#[derive(Debug)]
pub enum Source {
    /// The body of a part.
    Part(usize),
    /// A file that is encoded in the text of a part.
    Embedded(usize, Embedded),
    /// The place of a file in the `winmail.dat` of a part.
    Winmail(usize, Range<usize>),
}

/// A piece of the body.
#[derive(Clone, Debug)]
pub enum Shown {
    /// Plain text.
    Plain(usize),
    /// HTML.
    Html(usize),
    /// Rich text (RFC 1896), which has tags.
    Enriched(usize),
    /// Events.
    Calendar(usize),
    /// A report on delivery or display: lines of fields.
    Report(usize),
    /// The text in a `winmail.dat`.
    Winmail(usize),
    /// Plain text and HTML for the same text.
    Choice(Vec<Shown>, Vec<Shown>),
    /// A sentence of the engine.
    Remark(String),
}

/// Reads only the header of a mail.
pub fn letter(bytes: &[u8]) -> Letter {
    let split = fields::split(bytes, 0, true, |_| false);
    read_letter(bytes.get(split.header).unwrap_or_default(), "")
}

/// Reads a header. `charset` is that of the text of the mail.
fn read_letter(header: &[u8], charset: &str) -> Letter {
    let header = header.get(..limits::MAIL_HEADER_BYTES).unwrap_or(header);
    let mut letter = Letter::default();
    let mut lists: [(&'static str, Vec<String>); 5] =
        ["Sender", "To", "Cc", "Bcc", "Reply-To"].map(|name| (name, Vec::new()));
    for (name, value) in fields::fields(header) {
        if name.eq_ignore_ascii_case(b"subject") && letter.subject.is_empty() {
            letter.subject = words::decode(value, charset);
        } else if name.eq_ignore_ascii_case(b"from") {
            letter.from.extend(address::list(value, charset));
        } else if name.eq_ignore_ascii_case(b"date") && letter.date.is_empty() {
            let text = words::decode(value, charset);
            letter.iso_date = date::iso(&text).unwrap_or_default();
            letter.date = if letter.iso_date.is_empty() {
                text
            } else {
                letter.iso_date.clone()
            };
        } else if name.eq_ignore_ascii_case(b"snapshot-content-location") {
            letter.page = words::decode(value, charset);
        } else {
            let known = |list: &&mut (&str, _)| name.eq_ignore_ascii_case(list.0.as_bytes());
            if let Some((_, list)) = lists.iter_mut().find(known) {
                list.extend(address::list(value, charset));
            }
        }
    }
    // A sender or address for replies that is the author says nothing.
    for (name, list) in lists {
        let is_repeated = matches!(name, "Sender" | "Reply-To") && list == letter.from;
        if !list.is_empty() && !is_repeated {
            letter.addresses.push((name, list));
        }
    }
    letter
}

impl Mail {
    /// Reads the structure of a mail.
    pub fn read(bytes: &[u8]) -> Self {
        let parts = parts::parse(bytes);
        let header = parts.list.first().map(|part| part.header.clone());
        let header = header.and_then(|header| bytes.get(header));
        let mut reader = Reader {
            bytes,
            ends: ends(&parts),
            parts: &parts,
            others: Vec::new(),
            notes: Vec::new(),
        };
        let mut shown = Vec::new();
        reader.part(0, true, &mut shown);
        let Reader {
            others, mut notes, ..
        } = reader;
        if parts.is_cut {
            notes.push(format!(
                "The mail has more than {} parts. The others are left out.",
                limits::MAIL_PARTS
            ));
        }
        let header = header.unwrap_or_default();
        if header.len() > limits::MAIL_HEADER_BYTES {
            let kilobytes = limits::MAIL_HEADER_BYTES >> 10;
            notes.push(format!(
                "The header of the mail has more than {kilobytes} KB. The rest of it is ignored."
            ));
        }
        let mut mail = Self {
            letter: read_letter(header, &parts.charset),
            shown,
            notes,
            ..Self::default()
        };
        let letter = &mut mail.letter;
        let is_letter = !letter.from.is_empty()
            || !letter.addresses.is_empty()
            || !letter.date.is_empty()
            || !letter.subject.is_empty()
            || !letter.page.is_empty();
        let kind = parts.list.first().map(|part| part.kind.as_str());
        letter.is_page = !is_letter && kind == Some("multipart/related");
        mail.attach(bytes, &parts, others);
        mail.parts = parts;
        mail
    }

    /// Divides the parts that are not text into images of the text and attachments.
    fn attach(&mut self, bytes: &[u8], parts: &Parts, others: Vec<usize>) {
        let mut texts = Vec::new();
        for shown in &self.shown {
            shown.leaves(&mut texts);
        }
        let mut referenced = BTreeSet::new();
        for (part, is_html) in &texts {
            if *is_html && let Some(part) = parts.list.get(*part) {
                referenced.extend(html::references(&part.decoded(bytes)));
            }
        }
        let mut names = Names::default();
        for index in others {
            let Some(part) = parts.list.get(index) else {
                continue;
            };
            let is_image = part.top() == "image" && referenced.contains(&part.id);
            if is_image && self.images.len() < limits::MAIL_IMAGES {
                self.images.push(index);
                self.ids.insert(part.id.clone(), self.images.len());
                continue;
            }
            let decoded = part.decoded(bytes);
            if let Some(found) = tnef::read(&decoded) {
                for file in found.files {
                    let name = names.take(&words::spaced(&file.name), &file.mime);
                    let size = file.place.len();
                    self.add(name, file.mime, size, Source::Winmail(index, file.place));
                }
                if self.is_blank(bytes, parts) {
                    self.shown.push(Shown::Winmail(index));
                }
                continue;
            }
            let name = if part.kind == "message/rfc822" && part.name.is_empty() {
                match letter(&decoded).subject {
                    subject if subject.is_empty() => subject,
                    subject => format!("{subject}.eml"),
                }
            } else {
                part.name.clone()
            };
            let name = names.take(&name, &part.kind);
            self.add(name, part.kind.clone(), decoded.len(), Source::Part(index));
        }
        for (index, is_html) in texts {
            let Some(part) = parts.list.get(index).filter(|_| !is_html) else {
                continue;
            };
            let text = part.decoded(bytes);
            for file in plain::embedded(&text) {
                // The text of the others is shown.
                if self.attachments.len() >= limits::ATTACHMENTS {
                    break;
                }
                let name = names.take(&words::decode_text(&file.name), "");
                let size = file.decoded(&text).len();
                self.add(name, String::new(), size, Source::Embedded(index, file));
            }
        }
    }

    /// Whether the mail has no text so far.
    fn is_blank(&self, bytes: &[u8], parts: &Parts) -> bool {
        let is_blank = |part: &usize| {
            let part = parts.list.get(*part);
            part.is_none_or(|part| part.decoded(bytes).trim_ascii().is_empty())
        };
        let mut shown = self.shown.iter();
        shown.all(|shown| matches!(shown, Shown::Plain(part) if is_blank(part)))
    }

    fn add(&mut self, name: Name, mime: String, size: usize, source: Source) {
        self.attachments.push(Attachment {
            name: name.unique,
            declared: name.declared,
            mime,
            size: size as u64,
        });
        self.sources.push(source);
    }

    /// The decoded bytes of an attachment.
    pub fn attachment(&self, bytes: &[u8], index: usize) -> Option<Vec<u8>> {
        match self.sources.get(index)? {
            Source::Part(part) => Some(self.parts.list.get(*part)?.decoded(bytes).into_owned()),
            Source::Embedded(part, file) => {
                let text = self.parts.list.get(*part)?.decoded(bytes);
                Some(file.decoded(&text))
            }
            Source::Winmail(part, place) => {
                let file = self.parts.list.get(*part)?.decoded(bytes);
                Some(file.get(place.clone())?.to_vec())
            }
        }
    }

    /// The decoded bytes of an image. `number` is from 1.
    pub fn image(&self, bytes: &[u8], number: usize) -> Option<Vec<u8>> {
        let part = self.images.get(number.checked_sub(1)?)?;
        Some(self.parts.list.get(*part)?.decoded(bytes).into_owned())
    }

    /// Increases the numbers of images in the text, so that they are different from those of other
    /// mails. [`Mail::image`] has the numbers without it.
    pub fn number_images_after(&mut self, offset: usize) {
        for number in self.ids.values_mut() {
            *number = number.saturating_add(offset);
        }
    }
}

impl Shown {
    /// Lists the text parts, and whether each is HTML.
    fn leaves(&self, out: &mut Vec<(usize, bool)>) {
        match self {
            Self::Plain(part) => out.push((*part, false)),
            Self::Html(part) => out.push((*part, true)),
            Self::Choice(plain, html) => {
                plain.iter().chain(html).for_each(|shown| shown.leaves(out));
            }
            _ => {}
        }
    }
}

/// The end of each part with its parts: the number of the next part that is not inside of it.
fn ends(parts: &Parts) -> Vec<usize> {
    let mut ends: Vec<usize> = (1..=parts.list.len()).collect();
    for (index, part) in parts.list.iter().enumerate().rev() {
        let end = ends.get(index).copied().unwrap_or_default();
        if let Some(parent) = part.parent.and_then(|parent| ends.get_mut(parent)) {
            *parent = end.max(*parent);
        }
    }
    ends
}

/// Sorts the parts of a mail.
struct Reader<'a> {
    bytes: &'a [u8],
    parts: &'a Parts,
    ends: Vec<usize>,
    /// The parts that are not shown as text.
    others: Vec<usize>,
    notes: Vec<String>,
}

impl Reader<'_> {
    /// Adds a part. `is_main` states whether it is the first text of the mail or of a multipart, which
    /// may have a name. Recursion is as deep as multiparts are nested, which is limited.
    fn part(&mut self, index: usize, is_main: bool, out: &mut Vec<Shown>) {
        let parts = self.parts;
        let Some(part) = parts.list.get(index) else {
            return;
        };
        if !part.is_multipart {
            self.leaf(index, part, is_main, out);
            return;
        }
        match part.kind.as_str() {
            "multipart/alternative" => self.alternative(index, out),
            "multipart/encrypted" => {
                self.encrypted("PGP", out);
                self.others.extend(self.children(index));
            }
            kind => {
                if kind == "multipart/signed" {
                    let note = "The mail is signed. The signature is not checked.";
                    self.notes.push(note.to_owned());
                }
                for (place, child) in self.children(index).into_iter().enumerate() {
                    self.part(child, place == 0, out);
                }
            }
        }
    }

    fn encrypted(&mut self, how: &str, out: &mut Vec<Shown>) {
        let text = format!("The text is encrypted ({how}). It cannot be read without a key.");
        self.notes.push(text.clone());
        out.push(Shown::Remark(format!("[{text}]")));
    }

    /// The parts of a multipart.
    fn children(&self, index: usize) -> Vec<usize> {
        let end = self.ends.get(index).copied().unwrap_or_default();
        let mut out = Vec::new();
        let mut at = index.saturating_add(1);
        while at < end {
            out.push(at);
            at = self
                .ends
                .get(at)
                .copied()
                .unwrap_or(end)
                .max(at.saturating_add(1));
        }
        out
    }

    /// Chooses among parts for the same text.
    fn alternative(&mut self, index: usize, out: &mut Vec<Shown>) {
        let mut plain: Option<Vec<Shown>> = None;
        let mut html: Option<Vec<Shown>> = None;
        let mut other = None;
        let mut more = Vec::new();
        for child in self.children(index) {
            let mut shown = Vec::new();
            self.part(child, true, &mut shown);
            let has = |test: fn(&Shown) -> bool| shown.iter().any(test);
            if has(|shown| matches!(shown, Shown::Html(_) | Shown::Choice(..))) {
                html = Some(shown);
            } else if has(|shown| matches!(shown, Shown::Plain(_))) {
                plain.get_or_insert_default().extend(shown);
            } else if has(|shown| matches!(shown, Shown::Enriched(_))) {
                other = Some(shown);
            } else {
                more.extend(shown);
            }
        }
        match (plain, html) {
            (Some(plain), Some(html)) => out.push(Shown::Choice(plain, html)),
            (Some(only), None) | (None, Some(only)) => out.extend(only),
            (None, None) => out.extend(other.unwrap_or_default()),
        }
        out.extend(more);
    }

    fn leaf(&mut self, index: usize, part: &Part, is_main: bool, out: &mut Vec<Shown>) {
        let is_text = !part.is_attachment && (part.name.is_empty() || is_main);
        match part.kind.as_str() {
            "text/plain" | "text/markdown" if is_text => {
                if self.is_encrypted_text(part) {
                    self.encrypted("PGP", out);
                }
                out.push(Shown::Plain(index));
            }
            "text/html" | "application/xhtml+xml" if is_text => out.push(Shown::Html(index)),
            "text/enriched" | "text/richtext" if is_text => out.push(Shown::Enriched(index)),
            "text/calendar" => {
                let is_shown = out.iter().any(|shown| matches!(shown, Shown::Calendar(_)));
                if !is_shown {
                    out.push(Shown::Calendar(index));
                }
                self.others.push(index);
            }
            "message/delivery-status" | "message/disposition-notification" => {
                out.push(Shown::Report(index));
            }
            "application/pkcs7-mime" | "application/x-pkcs7-mime" => {
                if part.detail == "signed-data" {
                    let note = "The text is inside of a signed file (S/MIME), which is an \
                                attachment.";
                    self.notes.push(note.to_owned());
                    out.push(Shown::Remark(format!("[{note}]")));
                } else {
                    self.encrypted("S/MIME", out);
                }
                self.others.push(index);
            }
            _ => {
                let is_empty = part.body.is_empty() && part.name.is_empty();
                if !(is_empty && part.top() == "text") {
                    self.others.push(index);
                }
            }
        }
    }

    /// Whether a text is a PGP message.
    fn is_encrypted_text(&self, part: &Part) -> bool {
        let body = self.bytes.get(part.body.clone()).unwrap_or_default();
        let start = body.get(..4096).unwrap_or(body);
        memchr::memmem::find(start, b"-----BEGIN PGP MESSAGE-----").is_some()
    }
}
