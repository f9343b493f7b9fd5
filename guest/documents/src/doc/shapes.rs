//! The shapes and text boxes that are anchored in the text ([MS-DOC] 2.9.192, 2.9.172, [MS-ODRAW]).

use super::fib::{Fib, Story, Table, positions};
use super::streams::Streams;
use crate::limits;
use crate::ole::art::{self, BlipPlace, Properties, Record};
use crate::ole::u32_at;
use std::collections::BTreeMap;

/// Where the bytes of an image are: the start of its record in a stream, and in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Image {
    /// In the stream `WordDocument`.
    Word(usize),
    /// In the stream `Data`.
    Data(usize),
    /// In the table stream.
    Table(usize),
}

/// Returns the bytes of an image.
pub fn bytes(streams: &Streams, image: Image) -> Option<Vec<u8>> {
    let (stream, at) = place(streams, image);
    art::image(stream, at)
}

/// Returns the stream with the bytes of an image, and their position.
pub fn place(streams: &Streams, image: Image) -> (&[u8], usize) {
    match image {
        Image::Word(at) => (&streams.word, at),
        Image::Data(at) => (&streams.data, at),
        Image::Table(at) => (&streams.table, at),
    }
}

/// A shape.
#[derive(Default)]
pub struct Shape {
    /// The alternative text.
    pub alt: String,
    /// The number of the image, from 1.
    pub image: Option<usize>,
    /// The text of a text effect.
    pub effect: Option<String>,
}

/// The shapes and text boxes that are anchored in the text.
#[derive(Default)]
pub struct Shapes {
    /// The outermost shape at a character.
    pub anchors: BTreeMap<usize, u32>,
    /// The shapes of a group, in order.
    pub members: BTreeMap<u32, Vec<u32>>,
    /// The shapes by their numbers.
    pub by_id: BTreeMap<u32, Shape>,
    /// The first and the last character of the text box of a shape.
    pub boxes: BTreeMap<u32, (usize, usize)>,
    /// Where the images in the list of images are.
    pub images: Vec<Option<Image>>,
}

impl Shapes {
    /// Reads the shapes.
    pub fn read(streams: &Streams, fib: &Fib) -> Self {
        let mut found = Self::default();
        let stream = &streams.table;
        for (table, story) in [
            (Table::Shapes, Story::Main),
            (Table::PageShapes, Story::PageTexts),
        ] {
            let (start, _) = fib.story(story);
            let (places, elements) = positions(fib.table(stream, table), 26);
            let (elements, _) = elements.as_chunks::<26>();
            for (place, element) in places.iter().zip(elements) {
                if let Some(id) = u32_at(element, 0) {
                    found.anchors.insert(start.saturating_add(*place), id);
                }
            }
        }
        for (table, story) in [
            (Table::BoxTexts, Story::Boxes),
            (Table::PageBoxTexts, Story::PageBoxes),
        ] {
            let (start, end) = fib.story(story);
            let (places, elements) = positions(fib.table(stream, table), 22);
            let (elements, _) = elements.as_chunks::<22>();
            for (pair, element) in places.windows(2).zip(elements) {
                let [first, last] = pair else { continue };
                let first = start.saturating_add(*first);
                let last = start.saturating_add(*last).min(end);
                if let Some(id) = u32_at(element, 14)
                    && first < last
                {
                    found.boxes.entry(id).or_insert((first, last));
                }
            }
        }
        found.read_drawings(fib, stream);
        found
    }

    fn read_drawings(&mut self, fib: &Fib, stream: &[u8]) {
        let drawings = fib.table(stream, Table::Drawings);
        let start = fib.start(Table::Drawings);
        let Some(all) = art::record_at(drawings, 0) else {
            return;
        };
        if let Some(store) = all.child(art::BSTORE_CONTAINER) {
            // Positions in the list count from its content.
            let base = start.saturating_add(store.at).saturating_add(16);
            let places = art::store(&store).into_iter();
            let images = places.map(|place| {
                Some(match place? {
                    BlipPlace::Inside(at) => Image::Table(base.saturating_add(at)),
                    BlipPlace::Outside(at) => Image::Word(at),
                })
            });
            self.images = images.collect();
        }
        // Each drawing has a byte before it.
        let mut at = all.content.len().saturating_add(9);
        while let Some(drawing) = art::record_at(drawings, at) {
            for record in drawing.records() {
                self.read_shape(&record, None, 0);
            }
            at = at.saturating_add(drawing.content.len()).saturating_add(9);
        }
    }

    fn read_shape(&mut self, record: &Record, group: Option<u32>, depth: usize) {
        match record.kind {
            art::SP_CONTAINER => {
                let Some((id, _)) = art::identifier(record) else {
                    return;
                };
                let properties = Properties::read(record);
                let shape = Shape {
                    alt: properties.alt(),
                    image: properties.image(),
                    effect: properties.text(art::EFFECT_TEXT),
                };
                self.by_id.entry(id).or_insert(shape);
                self.members
                    .entry(group.unwrap_or(id))
                    .or_default()
                    .push(id);
            }
            art::SPGR_CONTAINER if depth < limits::DEPTH => {
                let mut records = record.records();
                // The first shape is the group. The outermost group is the page, except if it is
                // the shape that is anchored.
                let own = records
                    .next()
                    .and_then(|first| art::identifier(&first))
                    .map(|(id, _)| id);
                let group = if depth == 0 { None } else { group.or(own) };
                for inside in record.records().skip(usize::from(depth == 0)) {
                    self.read_shape(&inside, group, depth.saturating_add(1));
                }
            }
            _ => {}
        }
    }
}
