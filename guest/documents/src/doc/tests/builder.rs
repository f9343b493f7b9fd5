//! Documents that are built from text and properties.

use crate::Document;
use crate::ole::testing::compound;
use std::collections::BTreeMap;

/// A document that is built from text and properties.
#[derive(Default)]
pub struct Builder {
    pub text: Vec<u16>,
    /// The end of each paragraph, its style, and its properties.
    pub paragraphs: Vec<(usize, u16, Vec<u8>)>,
    /// The end of each run, and its properties.
    pub runs: Vec<(usize, Vec<u8>)>,
    /// The tables by their indices.
    pub tables: BTreeMap<usize, Vec<u8>>,
    /// The numbers of characters of the parts.
    pub counts: Vec<usize>,
    pub data: Vec<u8>,
    /// Bytes after the levels of lists, which have no size of their own.
    pub levels: Vec<u8>,
}

pub const NONE: &[u8] = &[];

impl Builder {
    /// Adds a run of text.
    pub fn run(&mut self, text: &str, properties: &[u8]) -> &mut Self {
        self.text.extend(text.encode_utf16());
        self.runs.push((self.text.len(), properties.to_vec()));
        self
    }

    /// Ends a paragraph with a character, such as `\r`.
    pub fn end(&mut self, mark: char, style: u16, properties: &[u8]) -> &mut Self {
        self.run(&mark.to_string(), NONE);
        self.paragraphs
            .push((self.text.len(), style, properties.to_vec()));
        self
    }

    /// Adds a paragraph.
    pub fn line(&mut self, text: &str, style: u16, properties: &[u8]) -> &mut Self {
        self.run(text, NONE).end('\r', style, properties)
    }

    /// Ends a part of the text.
    pub fn part(&mut self) -> &mut Self {
        let done: usize = self.counts.iter().sum();
        self.counts.push(self.text.len() - done);
        self
    }

    pub fn build(&self) -> Vec<u8> {
        let (word, table) = self.streams();
        compound(&[
            ("WordDocument", &word),
            ("1Table", &table),
            ("Data", &self.data),
        ])
    }

    pub fn streams(&self) -> (Vec<u8>, Vec<u8>) {
        let start = 2048;
        let place = |character: usize| u32::try_from(start + character * 2).unwrap();
        let mut word = vec![0; start];
        word.extend(self.text.iter().flat_map(|unit| unit.to_le_bytes()));
        let mut tables = self.tables.clone();
        let pages = |word: &mut Vec<u8>, ends: &[usize], entries: &[Vec<u8>], wide: bool| {
            word.resize(word.len().div_ceil(512) * 512, 0);
            let page = word.len() / 512;
            let mut bytes = place(0).to_le_bytes().to_vec();
            bytes.extend(ends.iter().flat_map(|end| place(*end).to_le_bytes()));
            let mut content = Vec::new();
            let mut places = Vec::new();
            for entry in entries {
                places.push(content.len());
                content.extend(entry);
                content.resize(content.len().next_multiple_of(2), 0);
            }
            let offset = 510 - content.len();
            let size = if wide { 13 } else { 1 };
            for place in places {
                bytes.push(u8::try_from(usize::midpoint(offset, place)).unwrap());
                bytes.resize(bytes.len() + size - 1, 0);
            }
            assert!(bytes.len() <= offset, "the page is full");
            bytes.resize(offset, 0);
            bytes.extend(content);
            bytes.resize(511, 0);
            bytes.push(u8::try_from(entries.len()).unwrap());
            word.extend(bytes);
            let mut table = place(0).to_le_bytes().to_vec();
            table.extend(place(*ends.last().unwrap()).to_le_bytes());
            table.extend(u32::try_from(page).unwrap().to_le_bytes());
            table
        };
        let ends: Vec<usize> = self.paragraphs.iter().map(|it| it.0).collect();
        let entries: Vec<Vec<u8>> = self
            .paragraphs
            .iter()
            .map(|(_, style, properties)| {
                let mut list = style.to_le_bytes().to_vec();
                list.extend(properties);
                if list.len() % 2 == 1 {
                    let mut entry = vec![u8::try_from(list.len().div_ceil(2)).unwrap()];
                    entry.extend(list);
                    return entry;
                }
                let mut entry = vec![0, u8::try_from(list.len() / 2).unwrap()];
                entry.extend(list);
                entry
            })
            .collect();
        tables.insert(13, pages(&mut word, &ends, &entries, true));
        let ends: Vec<usize> = self.runs.iter().map(|it| it.0).collect();
        let entries: Vec<Vec<u8>> = self
            .runs
            .iter()
            .map(|(_, properties)| {
                let mut entry = vec![u8::try_from(properties.len()).unwrap()];
                entry.extend(properties);
                entry
            })
            .collect();
        tables.insert(12, pages(&mut word, &ends, &entries, false));
        let mut pieces = vec![2];
        pieces.extend(16_u32.to_le_bytes());
        pieces.extend(0_u32.to_le_bytes());
        pieces.extend(u32::try_from(self.text.len()).unwrap().to_le_bytes());
        pieces.extend([0, 0]);
        pieces.extend(place(0).to_le_bytes());
        pieces.extend([0, 0]);
        tables.entry(33).or_insert(pieces);
        let mut counts = self.counts.clone();
        if counts.is_empty() {
            counts.push(self.text.len());
        }
        (with_fib(word, &counts, &tables, &self.levels).0, {
            with_fib(Vec::new(), &counts, &tables, &self.levels).1
        })
    }

    pub fn open(&self) -> Box<dyn Document> {
        super::super::open(self.build(), None).unwrap()
    }

    pub fn markdown(&self) -> String {
        self.open().unit(0).text
    }
}

/// Writes the first block and the table stream.
pub fn with_fib(
    mut word: Vec<u8>,
    counts: &[usize],
    tables: &BTreeMap<usize, Vec<u8>>,
    levels: &[u8],
) -> (Vec<u8>, Vec<u8>) {
    let mut fib = vec![0xec, 0xa5, 0xc1, 0];
    fib.resize(10, 0);
    fib.extend([0, 2]);
    fib.resize(32, 0);
    fib.extend(14_u16.to_le_bytes());
    fib.resize(62, 0);
    fib.extend(22_u16.to_le_bytes());
    fib.resize(64 + 12, 0);
    for index in 0..8 {
        let count = counts.get(index).copied().unwrap_or(0);
        fib.extend(u32::try_from(count).unwrap().to_le_bytes());
    }
    fib.resize(152, 0);
    fib.extend(93_u16.to_le_bytes());
    let mut table = vec![0; 16];
    for index in 0..93 {
        let bytes = tables.get(&index).cloned().unwrap_or_default();
        fib.extend(u32::try_from(table.len()).unwrap().to_le_bytes());
        fib.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
        table.extend(bytes);
        if index == 73 {
            table.extend(levels);
        }
    }
    if word.len() < fib.len() {
        word.resize(fib.len(), 0);
    }
    word[..fib.len()].copy_from_slice(&fib);
    (word, table)
}

/// Builds the table of positions and elements.
pub fn plc(positions: &[u32], elements: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = positions.iter().flat_map(|it| it.to_le_bytes()).collect();
    out.extend(elements);
    out
}

/// A style.
pub type StyleOf<'a> = (u16, u16, &'a str, Option<&'a [u8]>, &'a [u8]);

/// Builds the styles from their numbers of built-in styles, bases, names, paragraph properties and
/// character properties. The kind is 2 if there are only those of characters.
pub fn styles(list: &[StyleOf]) -> Vec<u8> {
    let mut out = vec![18, 0];
    out.extend(u16::try_from(list.len()).unwrap().to_le_bytes());
    out.extend([10, 0]);
    out.resize(20, 0);
    for (number, base, name, paragraph, characters) in list {
        let mut style = number.to_le_bytes().to_vec();
        let kind = if paragraph.is_some() { 1 } else { 2 };
        style.extend((base << 4 | kind).to_le_bytes());
        style.extend((3_u16 - kind).to_le_bytes());
        style.resize(10, 0);
        style.extend(
            u16::try_from(name.encode_utf16().count())
                .unwrap()
                .to_le_bytes(),
        );
        style.extend(name.encode_utf16().flat_map(u16::to_le_bytes));
        style.extend([0, 0]);
        let mut part = |bytes: &[u8]| {
            style.resize(style.len().next_multiple_of(2), 0);
            style.extend(u16::try_from(bytes.len()).unwrap().to_le_bytes());
            style.extend(bytes);
        };
        if let Some(paragraph) = paragraph {
            let mut list = vec![0, 0];
            list.extend(*paragraph);
            part(&list);
        }
        part(characters);
        out.extend(u16::try_from(style.len()).unwrap().to_le_bytes());
        out.extend(style);
        out.resize(out.len().next_multiple_of(2), 0);
    }
    out
}

pub const BOLD: &[u8] = &[0x35, 8, 1];
pub const IN_TABLE: &[u8] = &[0x16, 0x24, 1];

/// Builds the properties of the end of a row from the edges and flags of its cells.
pub fn row(edges: &[i16], flags: &[u16], inner: bool) -> Vec<u8> {
    let mut operand = vec![u8::try_from(flags.len()).unwrap()];
    operand.extend(edges.iter().flat_map(|edge| edge.to_le_bytes()));
    for flags in flags {
        operand.extend(flags.to_le_bytes());
        operand.extend([0; 18]);
    }
    let mut out = IN_TABLE.to_vec();
    if inner {
        out.extend([0x49, 0x66, 2, 0, 0, 0, 0x4b, 0x24, 1, 0x4c, 0x24, 1]);
    } else {
        out.extend([0x17, 0x24, 1]);
    }
    out.extend([0x08, 0xd6]);
    out.extend(u16::try_from(operand.len() + 1).unwrap().to_le_bytes());
    out.extend(operand);
    out
}

/// Builds a level: its start, its format and its text, in which 0 to 8 are numbers.
pub fn level(start: u32, format: u8, text: &str) -> Vec<u8> {
    let mut out = start.to_le_bytes().to_vec();
    out.extend([format, 0]);
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut places: Vec<u8> = (1..)
        .zip(&units)
        .filter(|(_, unit)| **unit < 9)
        .map(|(place, _)| place)
        .collect();
    places.resize(9, 0);
    out.extend(places);
    out.resize(28, 0);
    out.extend(u16::try_from(units.len()).unwrap().to_le_bytes());
    out.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    out
}

/// Builds a record of a drawing.
pub fn record(version: u16, instance: u16, kind: u16, content: &[u8]) -> Vec<u8> {
    let mut out = (instance << 4 | version).to_le_bytes().to_vec();
    out.extend(kind.to_le_bytes());
    out.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
    out.extend(content);
    out
}
