//! What the slides of a presentation share.

use super::persist::{self, DOCUMENT, Objects, SLIDE};
use super::styles::{self, LEVELS};
use super::text::{self, Text};
use crate::budget::Budget;
use crate::ole::art::{self, BlipPlace, Record};
use crate::ole::u32_at;
use crate::slides::page;
use crate::{Error, Unit, UnitFacts, limits};
use std::collections::{BTreeMap, BTreeSet};

/// A text in UTF-16.
pub const STRING: u16 = 0x0fba;
/// The list of slides, masters or notes, with the texts of slides.
const SLIDE_LIST: u16 = 0x0ff0;
/// An entry of such a list.
const SLIDE_ENTRY: u16 = 0x03f3;
/// Links and embedded objects.
const EXTERNAL_OBJECTS: u16 = 0x0409;
/// A link.
const HYPERLINK: u16 = 0x0fd7;
/// The number of a link.
const HYPERLINK_ATOM: u16 = 0x0fd3;
/// An embedded or linked object.
const OBJECT_ATOM: u16 = 0x0fc3;
/// Fonts.
const ENVIRONMENT: u16 = 0x03f2;
const FONTS: u16 = 0x07d5;
const FONT: u16 = 0x0fb7;
/// Images.
const DRAWING_GROUP: u16 = 0x040b;
/// The formats of the texts of a master.
const MASTER_STYLE: u16 = 0x0fa3;
/// The facts about a slide, such as its master.
pub const SLIDE_ATOM: u16 = 0x03ef;
/// Facts about the document.
const INFO_LIST: u16 = 0x07d0;
/// Formats that PowerPoint 2000 added.
const NEWER: u16 = 0x0fac;
const OUTLINE_NEWER: u16 = 0x0fae;
const OUTLINE_NEWER_HEADER: u16 = 0x0faf;

/// Where the bytes of an image are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Image {
    /// In the stream `Pictures`.
    Pictures(usize),
    /// In the stream `PowerPoint Document`.
    Document(usize),
}

/// A slide in the list.
#[derive(Default)]
pub struct Entry<'d> {
    /// The number of the object. `None` if it was found without the list.
    object: Option<u32>,
    place: usize,
    /// The number of the slide.
    id: u32,
    /// Its texts in the list.
    texts: Vec<Text<'d>>,
}

/// The bullets of the levels of a type of text.
pub type Levels = [Option<bool>; LEVELS];

/// A presentation.
pub struct Deck<'d> {
    /// The stream with all records.
    pub stream: &'d [u8],
    pictures: &'d [u8],
    /// Where the objects are.
    pub objects: Objects,
    /// The slides in order.
    pub slides: Vec<Entry<'d>>,
    masters: BTreeMap<u32, u32>,
    speaker_notes: BTreeMap<u32, u32>,
    /// The bullets of masters, by the type of text.
    styles: BTreeMap<u32, BTreeMap<u16, Levels>>,
    /// The addresses of links.
    pub links: BTreeMap<u32, String>,
    /// The names of fonts.
    pub fonts: BTreeMap<u16, String>,
    /// The programs of embedded objects and the numbers of the objects with their content.
    pub programs: BTreeMap<u32, (String, u32)>,
    /// What the charts may use.
    pub budget: Budget,
    /// The newer formats of the texts in the list, by slide and type.
    newer: BTreeMap<(u32, u32), &'d [u8]>,
    store: Vec<Option<Image>>,
    /// The images that are shown.
    pub images: Vec<Image>,
    numbers: BTreeMap<Image, usize>,
    /// Notes on the presentation as a whole.
    pub notes: Vec<String>,
    /// The objects that are shown so far.
    shown: BTreeSet<usize>,
    /// The bytes of slides that may still be read. Slides do not overlap.
    rest: usize,
}

impl<'d> Deck<'d> {
    /// Reads a presentation.
    ///
    /// # Errors
    /// Fails if it has no document and no slides.
    pub fn read(stream: &'d [u8], pictures: &'d [u8], objects: Objects) -> Result<Self, Error> {
        let is_document =
            |at: &usize| art::record_at(stream, *at).is_some_and(|it| it.kind == DOCUMENT);
        let document = objects.document.filter(is_document);
        let is_damaged = document.is_none();
        let document = document.or_else(|| persist::last(stream, DOCUMENT));
        let mut deck = Self {
            stream,
            pictures,
            objects,
            slides: Vec::new(),
            masters: BTreeMap::new(),
            speaker_notes: BTreeMap::new(),
            styles: BTreeMap::new(),
            links: BTreeMap::new(),
            fonts: BTreeMap::new(),
            programs: BTreeMap::new(),
            budget: Budget::default(),
            newer: BTreeMap::new(),
            store: Vec::new(),
            images: Vec::new(),
            numbers: BTreeMap::new(),
            notes: Vec::new(),
            shown: BTreeSet::new(),
            rest: stream.len(),
        };
        if let Some((at, record)) = document.and_then(|at| Some((at, art::record_at(stream, at)?)))
        {
            deck.read_document(at, &record);
        }
        let is_known = |entry: &Entry| {
            let object = entry.object.and_then(|id| deck.objects.get(stream, id));
            object.is_some_and(|object| object.kind == SLIDE)
        };
        let all_lost = !deck.slides.iter().any(is_known);
        if all_lost && (is_damaged || !deck.slides.is_empty()) {
            deck.find_slides();
            if deck.slides.is_empty() && document.is_none() {
                return Err(Error::Damaged(
                    "the presentation has no document and no slides".to_owned(),
                ));
            }
        }
        Ok(deck)
    }

    /// Lists all slides of the stream, in its order.
    fn find_slides(&mut self) {
        let all = art::records(self.stream).filter(|record| record.kind == SLIDE);
        let found: Vec<Entry> = all
            .take(limits::PARTS)
            .map(|record| Entry {
                place: record.at,
                ..Entry::default()
            })
            .collect();
        if !found.is_empty() {
            self.slides = found;
            self.notes.push(
                "The list of slides cannot be read. They are in the order of the file.".to_owned(),
            );
        }
    }

    fn read_document(&mut self, at: usize, document: &Record<'d>) {
        for record in document.records() {
            match (record.kind, record.instance) {
                (SLIDE_LIST, 0) => self.read_slides(&record),
                (SLIDE_LIST, 1) => self.masters = identifiers(&record),
                (SLIDE_LIST, 2) => self.speaker_notes = identifiers(&record),
                (EXTERNAL_OBJECTS, _) => self.read_objects(&record),
                (ENVIRONMENT, _) => self.read_fonts(&record),
                (DRAWING_GROUP, _) => {
                    let base = at.saturating_add(record.at).saturating_add(16);
                    self.read_store(base, &record);
                }
                (INFO_LIST, _) => self.read_newer(&record),
                _ => {}
            }
        }
    }

    fn read_slides(&mut self, list: &Record<'d>) {
        let mut texts = Vec::new();
        for record in list.records() {
            if record.kind != SLIDE_ENTRY {
                texts.push(record);
                continue;
            }
            let own = text::read(std::mem::take(&mut texts).into_iter());
            if let Some(last) = self.slides.last_mut() {
                last.texts = own;
            }
            if self.slides.len() < limits::PARTS {
                self.slides.push(Entry {
                    object: u32_at(record.content, 0),
                    id: u32_at(record.content, 12).unwrap_or(0),
                    ..Entry::default()
                });
            }
        }
        if let Some(last) = self.slides.last_mut() {
            last.texts = text::read(texts.into_iter());
        }
    }

    fn read_objects(&mut self, list: &Record) {
        for record in list.records() {
            if record.kind == HYPERLINK {
                let id = record.child(HYPERLINK_ATOM);
                let id = id.and_then(|id| u32_at(id.content, 0));
                let mut names = record.records().filter(|it| it.kind == STRING);
                let target = names.find(|it| it.instance == 1);
                let target = target.map(|it| text::string(&it)).unwrap_or_default();
                let target = target.trim();
                if let Some(id) = id
                    && !target.is_empty()
                {
                    self.links.insert(id, target.to_owned());
                }
                continue;
            }
            let Some(atom) = record.child(OBJECT_ATOM) else {
                continue;
            };
            // The identifier of the program, such as `MSGraph.Chart.8`.
            let mut names = record.records().filter(|it| it.kind == STRING);
            let name = names.find(|it| it.instance == 2);
            let name = name.map(|it| text::string(&it)).unwrap_or_default();
            let name = name.split('.').next().unwrap_or_default();
            let object = u32_at(atom.content, 16).unwrap_or(0);
            if let Some(id) = u32_at(atom.content, 8) {
                self.programs.insert(id, (name.to_owned(), object));
            }
        }
    }

    fn read_fonts(&mut self, environment: &Record) {
        let fonts = environment.child(FONTS);
        for font in fonts.iter().flat_map(Record::records) {
            if font.kind == FONT {
                self.fonts.insert(font.instance, text::font_name(&font));
            }
        }
    }

    /// Reads the list of images. `base` is the position of the content of the group.
    fn read_store(&mut self, base: usize, group: &Record) {
        let Some(all) = group.child(art::DGG_CONTAINER) else {
            return;
        };
        let Some(store) = all.child(art::BSTORE_CONTAINER) else {
            return;
        };
        let base = base.saturating_add(all.at).saturating_add(store.at);
        let base = base.saturating_add(16);
        let places = art::store(&store).into_iter();
        let images = places.map(|place| {
            Some(match place? {
                BlipPlace::Inside(at) => Image::Document(base.saturating_add(at)),
                BlipPlace::Outside(at) => Image::Pictures(at),
            })
        });
        self.store = images.collect();
    }

    fn read_newer(&mut self, list: &Record<'d>) {
        for record in tags(list) {
            if record.kind != OUTLINE_NEWER {
                continue;
            }
            let mut key = None;
            for inside in record.records() {
                match inside.kind {
                    OUTLINE_NEWER_HEADER => {
                        key = u32_at(inside.content, 0).zip(u32_at(inside.content, 4));
                    }
                    NEWER => {
                        if let Some(key) = key.take() {
                            self.newer.insert(key, inside.content);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Converts a slide.
    pub fn slide(&mut self, index: usize) -> (UnitFacts, Unit) {
        let number = index.saturating_add(1);
        let entry = self.slides.get_mut(index).map(std::mem::take);
        let entry = entry.unwrap_or_default();
        let record = match entry.object {
            Some(id) => self.objects.get(self.stream, id),
            None => art::record_at(self.stream, entry.place),
        };
        let record = record.filter(|record| record.kind == SLIDE && self.may_read(record));
        let mut texts = entry.texts;
        for text in &mut texts {
            if let Some(newer) = self.newer.get(&(entry.id, text.kind)) {
                text.newer = newer;
            }
        }
        let Some(record) = record else {
            let mut unit = self.outline(&texts);
            unit.notes.push(page::missing(number));
            return (UnitFacts::default(), unit);
        };
        self.convert(&record, &texts)
    }

    /// Returns whether an object was not shown so far, and counts its bytes.
    pub fn may_read(&mut self, record: &Record) -> bool {
        let size = record.content.len().saturating_add(8);
        match self.rest.checked_sub(size) {
            Some(rest) if self.shown.insert(record.at) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Returns the speaker notes with a number.
    pub fn speaker_notes(&self, id: u32) -> Option<Record<'d>> {
        self.objects.get(self.stream, *self.speaker_notes.get(&id)?)
    }

    /// Returns the bullets of a type of text on a master.
    pub fn levels(&mut self, master: u32, kind: u32) -> Levels {
        if !self.styles.contains_key(&master) {
            let styles = self.master_styles(master);
            self.styles.insert(master, styles);
        }
        let of = |kind: u16| {
            let found = self.styles.get(&master).and_then(|it| it.get(&kind));
            found.copied().unwrap_or_default()
        };
        match kind {
            text::BODY => of(1),
            5 => of(5),
            // Halves and quarters of bodies.
            7 | 8 => {
                let own = of(u16::try_from(kind).unwrap_or(1));
                let mut levels = of(1);
                for (level, own) in levels.iter_mut().zip(own) {
                    *level = own.or(*level);
                }
                levels
            }
            _ => Levels::default(),
        }
    }

    fn master_styles(&self, id: u32) -> BTreeMap<u16, Levels> {
        let of = |id: u32| self.objects.get(self.stream, *self.masters.get(&id)?);
        let mut master = of(id);
        // The master of title slides is a slide that has a master.
        if let Some(title) = master.filter(|it| it.kind == SLIDE) {
            let atom = title.child(SLIDE_ATOM);
            master = atom.and_then(|atom| of(u32_at(atom.content, 12)?));
        }
        let mut styles = BTreeMap::new();
        for record in master.iter().flat_map(Record::records) {
            if record.kind == MASTER_STYLE {
                let levels = styles::master(record.content, record.instance);
                styles.insert(record.instance, levels);
            }
        }
        styles
    }

    /// Returns the number of the image with a place in the list of images, both from 1.
    pub fn image(&mut self, place: usize) -> Option<usize> {
        let image = self.store.get(place.checked_sub(1)?).copied().flatten()?;
        if let Some(number) = self.numbers.get(&image) {
            return Some(*number);
        }
        let exists = match image {
            Image::Pictures(at) => art::has_image(self.pictures, at),
            Image::Document(at) => art::has_image(self.stream, at),
        };
        if !exists || self.images.len() >= limits::IMAGES {
            return None;
        }
        self.images.push(image);
        self.numbers.insert(image, self.images.len());
        Some(self.images.len())
    }
}

/// Returns the numbers of the objects in a list of masters or notes.
fn identifiers(list: &Record) -> BTreeMap<u32, u32> {
    let entries = list.records().filter(|record| record.kind == SLIDE_ENTRY);
    let pairs = entries.filter_map(|entry| {
        let object = u32_at(entry.content, 0)?;
        Some((u32_at(entry.content, 12)?, object))
    });
    pairs.take(limits::PARTS).collect()
}

/// Returns the records that later versions added to a record: comments and newer formats.
pub fn tags<'a>(record: &Record<'a>) -> impl Iterator<Item = Record<'a>> {
    let tags = record.records().filter(|it| it.kind == 0x1388);
    let tags = tags
        .flat_map(|it| it.records())
        .filter(|it| it.kind == 0x138a);
    let blobs = tags
        .flat_map(|it| it.records())
        .filter(|it| it.kind == 0x138b);
    blobs.flat_map(|it| it.records())
}

/// Returns the newer formats of the text of a shape.
pub fn newer<'a>(client_data: &Record<'a>) -> &'a [u8] {
    let found = tags(client_data).find(|record| record.kind == NEWER);
    found.map(|record| record.content).unwrap_or_default()
}
