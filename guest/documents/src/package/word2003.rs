//! Documents in the XML of Word 2003 ("WordprocessingML Reference") → the parts of a package.
//!
//! Most elements have the names that they have in later versions. The others are renamed, and what has parts
//! of its own in a package is moved there: styles, lists, notes, images and the addresses of links.

use super::stored::Parts;
use crate::limits;
use crate::xml::{Event, Events, Start};
use omniread_document::base64;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A part that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Main,
    Styles,
    Numbering,
    Footnotes,
    Endnotes,
    Core,
}

/// The parts, their names and the names of their outermost elements.
const TARGETS: [(Target, &str, &str); 6] = [
    (Target::Main, "word/document.xml", "document"),
    (Target::Styles, "word/styles.xml", "styles"),
    (Target::Numbering, "word/numbering.xml", "numbering"),
    (Target::Footnotes, "word/footnotes.xml", "footnotes"),
    (Target::Endnotes, "word/endnotes.xml", "endnotes"),
    (Target::Core, "docProps/core.xml", "coreProperties"),
];

impl Target {
    /// The part whose relationships links and images in this one use.
    fn related(self) -> Self {
        match self {
            Self::Footnotes | Self::Endnotes => self,
            _ => Self::Main,
        }
    }
}

/// The relationships of a part.
#[derive(Default)]
struct Related {
    xml: String,
    count: usize,
    /// The numbers of the images.
    images: BTreeSet<usize>,
}

impl Related {
    /// Adds a relationship. Returns whether there is room for it.
    fn add(&mut self, id: &str, kind: &str, target: &str, is_external: bool) -> bool {
        let mode = if is_external {
            " TargetMode=\"External\""
        } else {
            ""
        };
        let target = attribute("Target", target);
        let entry = format!("<Relationship Id=\"{id}\" Type=\"/{kind}\"{target}{mode}/>");
        // The list has an outermost element.
        let most = limits::LIST_BYTES.saturating_sub(100);
        if self.count >= limits::RELATIONSHIPS || self.xml.len().saturating_add(entry.len()) > most
        {
            return false;
        }
        self.count = self.count.saturating_add(1);
        self.xml.push_str(&entry);
        true
    }
}

/// What the end of an open element does.
enum End {
    /// It ends the element with this name.
    Close(String),
    /// Nothing: only the content of the element is written.
    Nothing,
    /// It ends the element with this name, and continues in another part.
    Return(&'static str, Target),
}

/// The types of the formats of numbers (`nfc`) in the order of their codes.
const NUMBERS: [&str; 6] = [
    "decimal",
    "upperRoman",
    "lowerRoman",
    "upperLetter",
    "lowerLetter",
    "ordinal",
];

/// The elements whose content is left out. Old formats and bookmarks are not shown in any document.
const LEFT_OUT: [&str; 4] = ["footnotePr", "endnotePr", "fldData", "docOleData"];

/// Properties of the document, and their names in a package.
const PROPERTIES: [(&str, &str); 7] = [
    ("Title", "title"),
    ("Author", "creator"),
    ("Created", "created"),
    ("LastSaved", "modified"),
    ("Subject", "subject"),
    ("Keywords", "keywords"),
    ("Description", "description"),
];

/// The parts of a document. `text` is the XML.
pub fn parts(text: &str) -> Parts {
    let mut writer = Writer::default();
    let mut events = Events::new(text);
    while let Some(event) = events.next() {
        match event {
            Event::Start(_) if writer.target.is_some() && is_foreign(text, events.offset()) => {
                // What a schema of somebody else marks is text of the document.
                writer.open.push(End::Nothing);
            }
            Event::Start(start) => writer.start(&mut events, &start),
            Event::End(_) => writer.end(),
            Event::Text(piece) => {
                if writer.target.is_some() {
                    let text = escaped(&piece);
                    writer.out().push_str(&text);
                }
            }
        }
    }
    writer.finish(events.damage())
}

/// The prefixes that Word writes for its own elements.
const OWN: [&str; 9] = ["w", "wx", "v", "o", "aml", "w10", "sl", "dt", "wsp"];

/// Whether the element whose start ends at `offset` has another prefix than those of Word: a smart tag or
/// an element of a schema that somebody attached.
fn is_foreign(text: &str, offset: usize) -> bool {
    let tag = text
        .get(..offset)
        .and_then(|before| before.rsplit_once('<'))
        .map_or("", |(_, tag)| tag);
    let name = tag
        .split(|c: char| c.is_whitespace() || matches!(c, '/' | '>'))
        .next()
        .unwrap_or_default();
    name.split_once(':')
        .is_some_and(|(prefix, _)| !OWN.contains(&prefix))
}

/// The parts so far.
#[derive(Default)]
struct Writer {
    texts: BTreeMap<Target, String>,
    /// The part that is written. `None` outside of all.
    target: Option<Target>,
    open: Vec<End>,
    relations: BTreeMap<Target, Related>,
    /// The images, and their numbers from 1 by their addresses in the file.
    images: Vec<(String, Vec<u8>)>,
    numbers: BTreeMap<String, usize>,
    links: usize,
    notes: usize,
    comments: usize,
    page_texts: usize,
    /// The links whose addresses are left out, and the places of images that are left out, because there
    /// are too many.
    unlinked: usize,
    unshown: usize,
}

impl Writer {
    fn out(&mut self) -> &mut String {
        let target = self.target.unwrap_or(Target::Main);
        self.texts.entry(target).or_default()
    }

    fn start<'a>(&mut self, events: &mut Events<'a>, start: &Start<'a>) {
        if self.target.is_none() {
            self.outside(events, start);
            return;
        }
        let value = |name: &str| start.attr(name).unwrap_or_default();
        match start.name {
            // Sections and outlines that only group their content.
            "sect" | "sub-section" | "content" | "smartTag" | "pBdrGroup" | "cfChunk" => {
                self.open.push(End::Nothing);
            }
            "annotation" => match &*value("type") {
                "Word.Insertion" => self.element("ins", ""),
                "Word.Deletion" => self.element("del", ""),
                kind => {
                    self.comments = self
                        .comments
                        .saturating_add(usize::from(kind == "Word.Comment"));
                    events.skip_content();
                }
            },
            "listPr" => self.element("numPr", ""),
            "ilfo" => self.element("numId", &attribute("val", &value("val"))),
            "listDef" => {
                let id = attribute("abstractNumId", &value("listDefId"));
                self.element("abstractNum", &id);
            }
            "list" if self.target == Some(Target::Numbering) => {
                self.element("num", &attribute("numId", &value("ilfo")));
            }
            "ilst" => self.element("abstractNumId", &attribute("val", &value("val"))),
            "nfc" => self.element("numFmt", &attribute("val", number_format(&value("val")))),
            "vmerge" => self.element("vMerge", &attributes(start)),
            "hlink" => self.link(start),
            "binData" => self.image(events, &value("name")),
            "imagedata" => {
                let number = self.numbers.get(&*value("src")).copied();
                let number = number.filter(|number| self.shows(*number));
                let id = number.map_or(String::new(), |it| format!(" r:id=\"i{it}\""));
                self.element(
                    "imagedata",
                    &format!("{id}{}", attribute("title", &value("title"))),
                );
            }
            "footnote" => self.note(Target::Footnotes, "footnote"),
            "endnote" => self.note(Target::Endnotes, "endnote"),
            "hdr" | "ftr" => {
                self.page_texts = self.page_texts.saturating_add(1);
                events.skip_content();
            }
            name if LEFT_OUT.contains(&name) => {
                events.skip_content();
            }
            name => self.element(name, &attributes(start)),
        }
    }

    /// Reads an element that is in no part.
    fn outside<'a>(&mut self, events: &mut Events<'a>, start: &Start<'a>) {
        let property = PROPERTIES.iter().find(|(own, _)| *own == start.name);
        let (target, name) = match start.name {
            "wordDocument" | "DocumentProperties" => {
                self.open.push(End::Nothing);
                return;
            }
            "body" => (Target::Main, "body"),
            // Styles and lists have no element of their own in their part.
            "styles" => (Target::Styles, ""),
            "lists" => (Target::Numbering, ""),
            _ => match property {
                Some((_, name)) => (Target::Core, *name),
                None => {
                    events.skip_content();
                    return;
                }
            },
        };
        self.target = Some(target);
        if !name.is_empty() {
            let _ = write!(self.out(), "<{name}>");
        }
        self.open.push(End::Return(name, Target::Main));
    }

    /// Starts an element.
    fn element(&mut self, name: &str, attributes: &str) {
        let _ = write!(self.out(), "<{name}{attributes}>");
        self.open.push(End::Close(name.to_owned()));
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some(End::Close(name)) => {
                let _ = write!(self.out(), "</{name}>");
            }
            Some(End::Return(name, next)) => {
                if !name.is_empty() {
                    let _ = write!(self.out(), "</{name}>");
                }
                let is_note = matches!(self.target, Some(Target::Footnotes | Target::Endnotes));
                self.target = is_note.then_some(next);
            }
            Some(End::Nothing) | None => {}
        }
    }

    /// Starts a footnote or an endnote, which is in the text that refers to it.
    fn note(&mut self, target: Target, name: &'static str) {
        let back = self.target.unwrap_or(Target::Main);
        if back != Target::Main {
            // A note in a note is a part of its text.
            self.open.push(End::Nothing);
            return;
        }
        self.notes = self.notes.saturating_add(1);
        let id = self.notes;
        let _ = write!(self.out(), "<{name}Reference id=\"{id}\"/>");
        self.target = Some(target);
        let _ = write!(self.out(), "<{name} id=\"{id}\">");
        self.open.push(End::Return(name, back));
    }

    fn link(&mut self, start: &Start) {
        let address = start.attr("dest").unwrap_or_default();
        if address.is_empty() {
            self.element("hyperlink", "");
            return;
        }
        self.links = self.links.saturating_add(1);
        let id = format!("h{}", self.links);
        if self.related().add(&id, "hyperlink", &address, true) {
            self.element("hyperlink", &attribute("r:id", &id));
        } else {
            self.unlinked = self.unlinked.saturating_add(1);
            self.element("hyperlink", "");
        }
    }

    /// The relationships of the part that is written.
    fn related(&mut self) -> &mut Related {
        let target = self.target.unwrap_or(Target::Main).related();
        self.relations.entry(target).or_default()
    }

    /// Adds the relationship of an image to the part that is written, once. Returns whether it has one.
    fn shows(&mut self, number: usize) -> bool {
        let name = self.images.get(number.saturating_sub(1));
        let name = name.map(|(name, _)| name.trim_start_matches("word/").to_owned());
        let Some(name) = name else {
            return false;
        };
        let related = self.related();
        if related.images.contains(&number) {
            return true;
        }
        let has_room = related.add(&format!("i{number}"), "image", &name, false);
        if has_room {
            related.images.insert(number);
        } else {
            self.unshown = self.unshown.saturating_add(1);
        }
        has_room
    }

    /// Reads an image, which is in the text at the first place that shows it.
    fn image(&mut self, events: &mut Events, address: &str) {
        let bytes = base64::decode(events.own_text().as_bytes());
        let number = self.images.len().saturating_add(1);
        let extension = address
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension);
        let plain = extension.chars().all(char::is_alphanumeric);
        let extension = if plain { extension } else { "" };
        let name = format!("word/media/image{number}.{extension}");
        self.images.push((name, bytes));
        self.numbers.insert(address.to_owned(), number);
    }

    fn finish(self, damage: Option<&str>) -> Parts {
        let mut parts = Parts::default();
        for (target, name, root) in TARGETS {
            if let Some(text) = self.texts.get(&target) {
                let text = format!("<{root}>{text}</{root}>");
                parts.list.push((name.to_owned(), text.into_bytes()));
            }
        }
        for (target, name, _) in TARGETS {
            if let Some(related) = self.relations.get(&target) {
                let relations = format!("<Relationships>{}</Relationships>", related.xml);
                let name = name.replace('/', "/_rels/");
                parts
                    .list
                    .push((format!("{name}.rels"), relations.into_bytes()));
            }
        }
        parts.list.extend(self.images);
        let left_out = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("{one} is not shown.")),
            count => Some(format!("{count} {many} are not shown.")),
        };
        parts
            .notes
            .extend(left_out(self.comments, "A comment", "comments"));
        let many = "headers and footers";
        parts
            .notes
            .extend(left_out(self.page_texts, "A header or footer", many));
        let most = limits::RELATIONSHIPS;
        let too_many = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!(
                "{one}: there are more than {most} links and images, or their addresses are too long."
            )),
            count => Some(format!(
                "{count} {many}: there are more than {most} links and images, or their addresses are too long."
            )),
        };
        parts.notes.extend(too_many(
            self.unlinked,
            "The address of a link is left out",
            "links are shown without their addresses",
        ));
        parts.notes.extend(too_many(
            self.unshown,
            "An image is left out",
            "images are left out",
        ));
        parts.damaged(damage);
        parts
    }
}

/// The format of numbers with a code.
fn number_format(code: &str) -> &'static str {
    match code.trim().parse::<usize>() {
        Ok(22) => "decimalZero",
        Ok(23) => "bullet",
        Ok(255) => "none",
        Ok(code) => NUMBERS.get(code).copied().unwrap_or("decimal"),
        Err(_) => "decimal",
    }
}

/// The attributes of an element, with their local names.
fn attributes(start: &Start) -> String {
    let mut out = String::new();
    for (name, value) in start.attributes() {
        out.push_str(&attribute(name, &value));
    }
    out
}

fn attribute(name: &str, value: &str) -> String {
    format!(" {name}=\"{}\"", escaped(value).replace('"', "&quot;"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
