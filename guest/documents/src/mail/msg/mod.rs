//! Mails of Outlook ([MS-OXMSG]): compound files with a storage for each recipient and attachment.
//!
//! ```text
//! properties  the properties of a storage
//! rebuild     a message in a message as a file of its own
//! ```
//!
//! The numbers of properties are those of [MS-OXPROPS].

mod properties;
mod rebuild;
#[cfg(test)]
mod tests;

use super::html::{self, Images};
use super::letter::{Body, Letter};
use super::names::{Name, Names};
use super::{date, plain, structure};
use crate::note::quoted_name;
use crate::ole::Compound;
use crate::{Attachment, Document, Error, Facts, Unit, limits};
use properties::Properties;
use std::collections::BTreeSet;

/// An open message.
struct Msg {
    file: Compound,
    facts: Facts,
    notes: Vec<String>,
    letter: Letter,
    properties: Properties,
    attachments: Vec<Attachment>,
    sources: Vec<Source>,
    /// The paths of the images.
    images: Vec<String>,
    ids: Images,
}

/// Where the bytes of an attachment are.
enum Source {
    /// The path of a stream.
    Stream(String),
    /// The path of the storage of a message.
    Message(String),
    /// The bytes are not in the file.
    None,
}

/// Opens a message.
///
/// # Errors
/// Fails if the file is not a compound file, or has no properties of a message.
pub fn open(bytes: Vec<u8>) -> Result<Box<dyn Document>, Error> {
    let mut file = Compound::open(bytes)?;
    let is_message = file
        .entries()
        .iter()
        .any(|entry| entry.path.starts_with("__properties") || entry.path.starts_with("__substg"));
    if !is_message {
        return Err(Error::Damaged(
            "the file is not a mail of Outlook".to_owned(),
        ));
    }
    let properties = Properties::read(&mut file, "", 0);
    let letter = letter(&mut file, &properties);
    let mut message = Msg {
        facts: letter.facts("Outlook message"),
        notes: file.notes().to_vec(),
        letter,
        properties,
        attachments: Vec::new(),
        sources: Vec::new(),
        images: Vec::new(),
        ids: Images::new(),
        file,
    };
    message.attach();
    Ok(Box::new(message))
}

/// Reads the header of a message.
fn letter(file: &mut Compound, properties: &Properties) -> Letter {
    // Received mails have the header of the Internet.
    let header = properties.text(file, 0x7d).unwrap_or_default();
    let mut letter = structure::letter(header.as_bytes());
    if let Some(subject) = properties.line(file, 0x37) {
        letter.subject = subject;
    }
    let mut person = |name: u16, addresses: [u16; 2]| {
        let name = properties.line(file, name);
        let found = addresses.into_iter().find_map(|id| {
            let text = properties.line(file, id)?;
            text.contains('@').then_some(text)
        });
        mailbox(name, found)
    };
    if letter.from.is_empty() {
        // The author, and the one who sent it for the author.
        let author = person(0x42, [0x5d02, 0x65]);
        let sender = person(0xc1a, [0x5d01, 0xc1f]);
        if author.is_some() && sender.is_some() && author != sender {
            letter
                .addresses
                .insert(0, ("Sender", sender.clone().into_iter().collect()));
        }
        letter.from.extend(author.or(sender));
    }
    recipients(file, properties, &mut letter);
    if letter.iso_date.is_empty() {
        // Sent, received, created.
        let times = [0x39, 0xe06, 0x3007];
        let time = times
            .iter()
            .find_map(|id| date::of_file_time(properties.time(*id)?));
        letter.iso_date = time.unwrap_or_default();
        if letter.date.is_empty() {
            letter.date.clone_from(&letter.iso_date);
        }
    }
    letter
}

/// Reads the recipients: from their storages, or else from the texts that list them.
fn recipients(file: &mut Compound, properties: &Properties, letter: &mut Letter) {
    let storages = storages(file, "__recip_version1.0_", limits::MSG_RECIPIENTS);
    let mut lists: [(u32, &'static str, Vec<String>); 3] = [
        (1, "To", Vec::new()),
        (2, "Cc", Vec::new()),
        (3, "Bcc", Vec::new()),
    ];
    for storage in storages {
        let recipient = Properties::read(file, &storage, properties.page());
        let name = recipient
            .line(file, 0x3001)
            .or_else(|| recipient.line(file, 0x5ff6));
        let addresses = [0x39fe, 0x3003].into_iter().find_map(|id| {
            let text = recipient.line(file, id)?;
            text.contains('@').then_some(text)
        });
        let kind = recipient.number(0xc15).unwrap_or(1) & 0xf;
        let known = lists.iter_mut().find(|(number, ..)| *number == kind);
        if let (Some((_, _, list)), Some(person)) = (known, mailbox(name, addresses)) {
            list.push(person);
        }
    }
    for (kind, name, mut list) in lists {
        if list.is_empty() {
            let text = match kind {
                1 => 0xe04,
                2 => 0xe03,
                _ => 0xe02,
            };
            let text = properties.line(file, text).unwrap_or_default();
            let people = text.split(';').map(str::trim);
            list.extend(people.filter(|name| !name.is_empty()).map(str::to_owned));
        }
        let is_known = letter.addresses.iter().any(|(known, _)| *known == name);
        if !list.is_empty() && !is_known {
            letter.addresses.push((name, list));
        }
    }
}

/// Writes a person as `Name <address>`.
fn mailbox(name: Option<String>, address: Option<String>) -> Option<String> {
    let name = name.map(|name| name.trim_matches(['\'', '"']).to_owned());
    match (name, address) {
        (Some(name), Some(address)) if name.eq_ignore_ascii_case(&address) => Some(address),
        (Some(name), Some(address)) if !name.is_empty() => Some(format!("{name} <{address}>")),
        (_, Some(address)) => Some(address),
        (name, None) => name,
    }
}

/// The storages in the root whose names start with a text.
fn storages(file: &Compound, start: &str, limit: usize) -> Vec<String> {
    let all = file.children("").map(|entry| entry.path.clone());
    let found = all.filter(|path| path.to_ascii_lowercase().starts_with(start));
    found.take(limit).collect()
}

impl Msg {
    /// Reads the facts of the attachments, and finds the images of the text.
    fn attach(&mut self) {
        let html = self.properties.html(&mut self.file).unwrap_or_default();
        let referenced: BTreeSet<String> = html::references(html.as_bytes()).collect();
        let storages = storages(&self.file, "__attach_version1.0_", limits::ATTACHMENTS);
        let mut names = Names::default();
        for storage in storages {
            let file = &mut self.file;
            let properties = Properties::read(file, &storage, self.properties.page());
            let mime = properties.line(file, 0x370e).unwrap_or_default();
            let id = properties.line(file, 0x3712).unwrap_or_default();
            let id = id.trim_matches(['<', '>']);
            let name = [0x3707, 0x3704, 0x3001]
                .into_iter()
                .find_map(|id| properties.line(file, id));
            let stream = properties.path(0x3701, 0x102);
            let inner = properties.path(0x3701, 0xd);
            if let Some(size) = file.find(&stream).map(|entry| entry.size) {
                if !id.is_empty() && referenced.contains(id) && self.images.len() < limits::IMAGES {
                    self.images.push(stream);
                    self.ids.insert(id.to_owned(), self.images.len());
                    continue;
                }
                let name = names.take(&name.unwrap_or_default(), &mime);
                self.add(name, mime, size, Source::Stream(stream));
            } else if properties.number(0x3705) == Some(5) && file.find(&inner).is_some() {
                let message = Properties::read(file, &inner, self.properties.page());
                let subject = message.line(file, 0x37).or(name);
                let name = subject.map(|subject| format!("{subject}.msg"));
                let mime = "application/vnd.ms-outlook".to_owned();
                let name = names.take(&name.unwrap_or_default(), &mime);
                let prefix = format!("{}/", inner.to_lowercase());
                let inside = |path: &str| path.to_lowercase().starts_with(&prefix);
                let entries = file.entries().iter().filter(|entry| inside(&entry.path));
                let size = entries.map(|entry| entry.size).fold(0, u64::saturating_add);
                self.add(name, mime, size, Source::Message(inner));
            } else {
                // A link to a file, or an object of another program.
                let name = names.take(&name.unwrap_or_default(), &mime);
                self.notes.push(format!(
                    "The bytes of the attachment {} cannot be read.",
                    quoted_name(&name.unique)
                ));
                self.add(name, mime, 0, Source::None);
            }
        }
    }

    fn add(&mut self, name: Name, mime: String, size: u64, source: Source) {
        self.attachments.push(Attachment {
            name: name.unique,
            declared: name.declared,
            mime,
            size,
        });
        self.sources.push(source);
    }

    /// Chooses the body: HTML, plain text or rich text.
    fn body(&mut self) -> Body {
        let file = &mut self.file;
        let text = self.properties.text(file, 0x1000);
        let text = plain::tidy(&text.unwrap_or_default());
        let mut body = Body::default();
        if let Some(html) = self.properties.html(file) {
            let converted = html::convert(&html, &self.ids);
            let has_images = converted.text.contains("](image:");
            if !converted.text.trim().is_empty()
                && (has_images || !html::prefers_plain(&text, &converted))
            {
                body.push(&converted.text);
                body.notes.extend(converted.notes);
                return body;
            }
        }
        if text.is_empty()
            && let Some(rtf) = self.properties.rich_text(file)
            && let Ok(mut document) = crate::rtf::open(rtf)
        {
            let unit = document.unit(0);
            body.push(&unit.text);
            body.notes.extend(unit.notes);
            return body;
        }
        body.push(&text);
        body
    }

    /// Facts about entries that are not mails, such as contacts.
    fn class_facts(&mut self) -> String {
        let file = &mut self.file;
        let class = self.properties.line(file, 0x1a).unwrap_or_default();
        let class = class.to_ascii_uppercase();
        let kind = match class.split('.').nth(1).unwrap_or_default() {
            "CONTACT" => "contact",
            "APPOINTMENT" => "appointment",
            "SCHEDULE" => "meeting request or answer",
            "TASK" | "TASKREQUEST" => "task",
            "STICKYNOTE" => "note",
            "ACTIVITY" => "journal entry",
            "DISTLIST" => "list of contacts",
            _ if class.starts_with("REPORT.") => "delivery report",
            _ if class.contains("SMIME") => "signed or encrypted mail",
            _ => return String::new(),
        };
        let mut out = format!("Kind: {kind}");
        let facts = [
            (0x3a16, "Company"),
            (0x3a17, "Title"),
            (0x3a18, "Department"),
            (0x3a08, "Business phone"),
            (0x3a09, "Home phone"),
            (0x3a1c, "Mobile phone"),
            (0x3a24, "Business fax"),
            (0x3a26, "Country"),
            (0x3a27, "City"),
            (0x3a29, "Street"),
            (0x3a2a, "Postal code"),
            (0x1001, "Report"),
        ];
        for (id, name) in facts {
            if let Some(value) = self.properties.line(file, id) {
                out.push_str(&format!("\n{name}: {value}"));
            }
        }
        out
    }
}

impl Document for Msg {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        if index > 0 {
            return Unit::default();
        }
        let mut body = self.body();
        let facts = self.class_facts();
        if !facts.is_empty() {
            let text = std::mem::take(&mut body.text);
            body.push(&facts);
            body.push(&text);
        }
        self.letter
            .write(body, &self.attachments, limits::QUOTED_LINES)
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        let path = self.images.get(number.checked_sub(1)?)?;
        Some(self.file.stream(path)?.bytes)
    }

    fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }

    fn attachment(&mut self, index: usize) -> Option<Vec<u8>> {
        match self.sources.get(index)? {
            Source::Stream(path) => Some(self.file.stream(path)?.bytes),
            Source::Message(path) => rebuild::rebuild(&mut self.file, path),
            Source::None => None,
        }
    }
}
