use crate::ole::testing::compound;
use crate::{Document, Error};
use std::collections::BTreeMap;

/// A document that is built from text and properties.
#[derive(Default)]
struct Builder {
    text: Vec<u16>,
    /// The end of each paragraph, its style, and its properties.
    paragraphs: Vec<(usize, u16, Vec<u8>)>,
    /// The end of each run, and its properties.
    runs: Vec<(usize, Vec<u8>)>,
    /// The tables by their indices.
    tables: BTreeMap<usize, Vec<u8>>,
    /// The numbers of characters of the parts.
    counts: Vec<usize>,
    data: Vec<u8>,
    /// Bytes after the levels of lists, which have no size of their own.
    levels: Vec<u8>,
}

const NONE: &[u8] = &[];

impl Builder {
    /// Adds a run of text.
    fn run(&mut self, text: &str, properties: &[u8]) -> &mut Self {
        self.text.extend(text.encode_utf16());
        self.runs.push((self.text.len(), properties.to_vec()));
        self
    }

    /// Ends a paragraph with a character, such as `\r`.
    fn end(&mut self, mark: char, style: u16, properties: &[u8]) -> &mut Self {
        self.run(&mark.to_string(), NONE);
        self.paragraphs
            .push((self.text.len(), style, properties.to_vec()));
        self
    }

    /// Adds a paragraph.
    fn line(&mut self, text: &str, style: u16, properties: &[u8]) -> &mut Self {
        self.run(text, NONE).end('\r', style, properties)
    }

    /// Ends a part of the text.
    fn part(&mut self) -> &mut Self {
        let done: usize = self.counts.iter().sum();
        self.counts.push(self.text.len() - done);
        self
    }

    fn build(&self) -> Vec<u8> {
        let (word, table) = self.streams();
        compound(&[
            ("WordDocument", &word),
            ("1Table", &table),
            ("Data", &self.data),
        ])
    }

    fn streams(&self) -> (Vec<u8>, Vec<u8>) {
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

    fn open(&self) -> Box<dyn Document> {
        super::open(self.build(), None).unwrap()
    }

    fn markdown(&self) -> String {
        self.open().unit(0).text
    }
}

/// Writes the first block and the table stream.
fn with_fib(
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
fn plc(positions: &[u32], elements: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = positions.iter().flat_map(|it| it.to_le_bytes()).collect();
    out.extend(elements);
    out
}

/// A style.
type StyleOf<'a> = (u16, u16, &'a str, Option<&'a [u8]>, &'a [u8]);

/// Builds the styles from their numbers of built-in styles, bases, names, paragraph properties and
/// character properties. The kind is 2 if there are only those of characters.
fn styles(list: &[StyleOf]) -> Vec<u8> {
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

const BOLD: &[u8] = &[0x35, 8, 1];
const IN_TABLE: &[u8] = &[0x16, 0x24, 1];

/// Builds the properties of the end of a row from the edges and flags of its cells.
fn row(edges: &[i16], flags: &[u16], inner: bool) -> Vec<u8> {
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

#[test]
fn headings_and_formats() {
    let mut file = Builder::default();
    file.tables.insert(
        1,
        styles(&[
            (0, 0xfff, "Normal", Some(NONE), NONE),
            (1, 0, "Überschrift 1", Some(NONE), BOLD),
            (0xffe, 1, "Own", Some(&[0x40, 0x26, 2]), NONE),
            (62, 0, "Titel", Some(NONE), NONE),
            (0xffe, 0xfff, "Source Text", None, NONE),
        ]),
    );
    file.line("The title", 3, NONE)
        .line("First", 1, NONE)
        .line("Inherited", 2, NONE)
        .line("Direct", 0, &[0x40, 0x26, 0])
        .run("a ", NONE)
        .run("bold", BOLD)
        .run(" x", NONE)
        .run("2", &[0x48, 0x2a, 1])
        .run("gone", &[0, 8, 1])
        .run("hidden", &[0x3c, 8, 1])
        .run(" ", NONE)
        .run("code", &[0x30, 0x4a, 4, 0])
        .end('\r', 0, NONE)
        .line("Text", 1, &[0x40, 0x26, 9]);
    let mut document = file.open();
    let unit = document.unit(0);
    assert_eq!(
        unit.text,
        "# The title\n\n## First\n\n#### Inherited\n\n## Direct\n\na **bold** x<sup>2</sup> `code`\n\nText"
    );
    assert_eq!(
        unit.notes,
        [
            "Tracked changes are shown as accepted.",
            "6 characters of hidden text are left out."
        ]
    );
}

#[test]
fn a_deleted_end_joins_paragraphs() {
    let mut file = Builder::default();
    file.run("one ", NONE).run("\r", &[0, 8, 1]);
    file.paragraphs.push((5, 0, Vec::new()));
    file.line("two", 0, NONE);
    assert_eq!(file.markdown(), "one two");
}

#[test]
fn pieces_in_another_order() {
    let mut file = Builder::default();
    file.line("second", 0, NONE).line("first", 0, NONE);
    let mut pieces = vec![2];
    pieces.extend(28_u32.to_le_bytes());
    let mut elements = vec![0, 0];
    elements.extend((2048_u32 + 14).to_le_bytes());
    elements.extend([0, 0, 0, 0]);
    elements.extend(2048_u32.to_le_bytes());
    elements.extend([0, 0]);
    pieces.extend(plc(&[0, 6, 13], &elements));
    file.tables.insert(33, pieces);
    assert_eq!(file.markdown(), "first\n\nsecond");
}

#[test]
fn narrow_characters() {
    let mut text = super::text::Text::default();
    let piece = super::text::Piece {
        range: 0..4,
        at: 0,
        width: 1,
        change: 0,
    };
    text.add(b"\x93a\x80\xe9", piece);
    assert_eq!(String::from_utf16_lossy(&text.units), "“a€é");
}

/// Builds a level: its start, its format and its text, in which 0 to 8 are numbers.
fn level(start: u32, format: u8, text: &str) -> Vec<u8> {
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

#[test]
fn lists_with_their_own_numbers() {
    let mut file = Builder::default();
    let mut definitions = vec![1, 0, 7, 0, 0, 0];
    definitions.resize(30, 0);
    file.tables.insert(73, definitions);
    file.levels = [
        level(3, 0, "\0."),
        level(1, 4, "\0.\u{1})"),
        level(1, 23, "\u{f0b7}"),
    ]
    .concat();
    for _ in 3..9 {
        file.levels.extend(level(1, 0, "\0"));
    }
    let mut lists = 2_u32.to_le_bytes().to_vec();
    for changes in [0, 1] {
        lists.extend([7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, changes, 0, 0, 0]);
    }
    lists.extend([0; 4]);
    // The second list starts at 8.
    lists.extend([0, 0, 0, 0, 8, 0, 0, 0, 0x10, 0, 0, 0]);
    file.tables.insert(74, lists);
    let item = |list: u8, level: u8| vec![0x0b, 0x46, list, 0, 0x0a, 0x26, level];
    file.line("a", 0, &item(1, 0))
        .line("b", 0, &item(1, 1))
        .line("c", 0, &item(1, 2))
        .line("d", 0, &item(1, 0))
        .line("text", 0, &item(0, 0))
        .line("e", 0, &item(2, 0));
    assert_eq!(
        file.markdown(),
        "3. a\n   3.a) b\n      - c\n4. d\n\ntext\n\n8. e"
    );
}

#[test]
fn tables_with_merged_cells() {
    let mut file = Builder::default();
    file.run("wide", NONE)
        .end('\u{7}', 0, IN_TABLE)
        .end('\u{7}', 0, &row(&[0, 2000], &[0], false));
    for (first, flags) in [("tall", 0x60), ("", 0x20)] {
        file.run(first, NONE)
            .end('\u{7}', 0, IN_TABLE)
            .run("x", NONE)
            .end('\u{7}', 0, IN_TABLE)
            .end('\u{7}', 0, &row(&[0, 1000, 2000], &[flags, 0], false));
    }
    file.line("after", 0, NONE);
    assert_eq!(
        file.markdown(),
        "| wide | wide |\n| --- | --- |\n| tall | x |\n| tall | x |\n\nafter"
    );
}

#[test]
fn tables_in_tables() {
    let mut file = Builder::default();
    let inner = [IN_TABLE, &[0x49, 0x66, 2, 0, 0, 0, 0x4b, 0x24, 1]].concat();
    file.run("in", NONE)
        .end('\r', 0, &inner)
        .run("side", NONE)
        .end('\r', 0, &inner)
        .end('\r', 0, &row(&[0, 500, 1000], &[0, 0], true))
        .line("below", 0, IN_TABLE)
        .run("", NONE)
        .end('\u{7}', 0, IN_TABLE)
        .run("right", NONE)
        .end('\u{7}', 0, IN_TABLE)
        .end('\u{7}', 0, &row(&[0, 1000, 2000], &[0, 0], false));
    let text = file.markdown();
    assert!(text.contains("in"), "{text}");
    assert!(text.contains("right"), "{text}");
    assert_eq!(text.matches("side").count(), 1, "{text}");
    assert!(text.lines().count() <= 3, "{text}");
}

#[test]
fn links_and_other_fields() {
    let mut file = Builder::default();
    file.line(
        "see \u{13} HYPERLINK \"https://example.org/\" \\l \"a\" \u{14}here\u{15}, \u{13}DATE\u{14}today\u{15} \u{13}REF x\u{15}end",
        0,
        NONE,
    );
    file.line("\u{13}TOC \\o\u{14}Entry", 0, NONE);
    file.line("More", 0, NONE);
    file.line("Heading", 0, &[0x40, 0x26, 0]);
    file.line("co\u{1f}op\u{1e}a\u{b}b", 0, NONE);
    assert_eq!(
        file.markdown(),
        "see [here](https://example.org/#a), today end\n\n# Heading\n\ncoop-a  \nb"
    );
}

#[test]
fn footnotes_comments_and_page_texts() {
    let mut file = Builder::default();
    file.line("a\u{2}b\u{5}", 0, NONE).part();
    file.line("\u{2}the note", 0, NONE).part();
    file.line("page 1: the header", 0, NONE).part();
    file.part();
    file.line("\u{5}the comment", 0, NONE).part();
    file.tables.insert(2, plc(&[1, 5], &[0, 0]));
    file.tables.insert(3, plc(&[0, 10, 11], NONE));
    file.tables.insert(4, plc(&[3, 5], &[0; 30]));
    file.tables.insert(5, plc(&[0, 13, 14], NONE));
    file.tables.insert(36, vec![2, 0, b'A', 0, b'B', 0]);
    // Six texts for notes, and the headers of even and odd pages.
    file.tables
        .insert(11, plc(&[0, 0, 0, 0, 0, 0, 0, 0, 19, 19], NONE));
    assert_eq!(
        file.markdown(),
        "<!-- header: page 1: the header -->\n\na[^1]b[^c1]\n\n[^1]: the note\n\n[^c1]: AB: the comment"
    );
}

/// Builds a record of a drawing.
fn record(version: u16, instance: u16, kind: u16, content: &[u8]) -> Vec<u8> {
    let mut out = (instance << 4 | version).to_le_bytes().to_vec();
    out.extend(kind.to_le_bytes());
    out.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
    out.extend(content);
    out
}

#[test]
fn images_with_alternative_text() {
    let mut file = Builder::default();
    let text: Vec<u8> = "A duck\0"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let mut options = vec![0x81, 0xc3];
    options.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
    options.extend(&text);
    let shape = record(15, 0, 0xf004, &record(3, 1, 0xf00b, &options));
    let blip = record(0, 0x6e0, 0xf01e, &[&[0; 17], &b"\x89PNG"[..]].concat());
    let mut picture = 0_u32.to_le_bytes().to_vec();
    picture.extend([68, 0, 100, 0]);
    picture.resize(68, 0);
    picture.extend(shape);
    picture.extend(blip);
    let size = u32::try_from(picture.len()).unwrap();
    picture[..4].copy_from_slice(&size.to_le_bytes());
    file.data = [&[0; 8], &picture[..]].concat();
    file.run("x", NONE)
        .run("\u{1}", &[0x55, 8, 1, 3, 0x6a, 8, 0, 0, 0])
        .end('\r', 0, NONE);
    let mut document = file.open();
    assert_eq!(document.unit(0).text, "x![A duck](image:1)");
    assert_eq!(document.image(1).as_deref(), Some(&b"\x89PNG"[..]));
    assert_eq!(document.image(2), None);
}

#[test]
fn check_boxes() {
    let mut file = Builder::default();
    let mut field = vec![0_u8; 68];
    field[4] = 68;
    field.extend([
        0xff,
        0xff,
        0xff,
        0xff,
        1 | 1 << 2,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
    ]);
    file.data = field;
    let data = &[0x06, 8, 1, 0x55, 8, 1, 3, 0x6a, 0, 0, 0, 0];
    file.run("\u{13} FORMCHECKBOX ", NONE)
        .run("\u{1}", data)
        .run("\u{14}\u{15} done", NONE)
        .end('\r', 0, NONE);
    // Links have data as well.
    file.run("\u{13} HYPERLINK \"http://a.b/\" ", NONE)
        .run("\u{1}", data)
        .run("\u{14}there\u{15}", NONE)
        .end('\r', 0, NONE);
    assert_eq!(file.markdown(), "- [x] done\n\n[there](http://a.b/)");
}

#[test]
fn text_boxes_are_after_their_paragraph() {
    let mut file = Builder::default();
    file.line("\u{8}anchor", 0, NONE)
        .line("next", 0, NONE)
        .part();
    for _ in 1..6 {
        file.part();
    }
    file.line("in the box", 0, NONE).part();
    let mut place = vec![9, 0, 0, 0];
    place.resize(26, 0);
    file.tables.insert(40, plc(&[0, 13], &place));
    let mut element = vec![0; 14];
    element.extend([9, 0, 0, 0, 0, 0, 0, 0]);
    file.tables.insert(56, plc(&[0, 11], &element));
    assert_eq!(file.markdown(), "anchor\n\nin the box\n\nnext");
}

#[test]
fn other_versions() {
    let open = |word: &[u8]| super::open(compound(&[("WordDocument", word)]), None);
    let mut word = vec![0xec, 0xa5, 0x65, 0, 0, 0, 0x19, 4];
    word.resize(0x300, 0);
    word[24..28].copy_from_slice(&0x300_u32.to_le_bytes());
    word[52..56].copy_from_slice(&9_u32.to_le_bytes());
    word.extend(b"\xcf\xf0.\rsecond rest");
    let mut document = open(&word).ok().unwrap();
    let unit = document.unit(0);
    assert_eq!(unit.text, "Пр.\n\nsecon");
    assert!(unit.notes[0].contains("Word 95"));
    // A font for Cyrillic, and a language that has none.
    word[6..8].copy_from_slice(&0x409_u16.to_le_bytes());
    let at = u32::try_from(word.len()).unwrap();
    word[0xd0..0xd4].copy_from_slice(&at.to_le_bytes());
    word[0xd4..0xd8].copy_from_slice(&8_u32.to_le_bytes());
    word.extend([0, 0, 6, 0, 0, 0, 204, 0, b'A', 0]);
    assert_eq!(open(&word).ok().unwrap().unit(0).text, "Пр.\n\nsecon");
    let is = |word: &[u8], error: Error| open(word).err() == Some(error);
    let mut old = vec![0xdc, 0xa5, 45, 0];
    old.resize(600, 0);
    assert!(is(&old, Error::Unsupported("Word 2 and older".to_owned())));
    let mut encrypted = vec![0xec, 0xa5, 0xc1, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    encrypted.resize(2000, 0);
    assert!(is(&encrypted, Error::Encrypted));
    assert!(matches!(open(b"text"), Err(Error::Damaged(_))));
    let other = compound(&[("Workbook", b"")]);
    assert!(matches!(super::open(other, None), Err(Error::Damaged(_))));
}

/// A document with most features.
fn rich() -> Builder {
    let mut file = Builder::default();
    file.tables.insert(
        1,
        styles(&[
            (0, 0xfff, "Normal", Some(NONE), NONE),
            // A style that is based on itself.
            (1, 1, "heading 1", Some(NONE), BOLD),
        ]),
    );
    file.line("Head", 1, NONE)
        .line("a\u{2}\u{8}b", 0, &[0x0b, 0x46, 1, 0])
        .run("wide", NONE)
        .end('\u{7}', 0, IN_TABLE)
        .end('\u{7}', 0, &row(&[0, 2000], &[0], false))
        .part();
    file.line("\u{2}note", 0, NONE).part();
    file.tables.insert(2, plc(&[6, 5], &[0, 0]));
    file.tables.insert(3, plc(&[0, 6, 7], NONE));
    file
}

#[test]
fn cut_and_changed_files_are_read() {
    let (word, table) = rich().streams();
    let read = |word: &[u8], table: &[u8]| {
        let file = compound(&[("WordDocument", word), ("1Table", table)]);
        if let Ok(mut document) = super::open(file, None) {
            document.unit(0);
            document.image(1);
        }
    };
    for end in (0..word.len()).step_by(37) {
        read(&word[..end], &table);
    }
    for end in (0..table.len()).step_by(5) {
        read(&word, &table[..end]);
    }
    // Each byte that is not zero takes other values.
    for value in [0, 0x7f, 0xff] {
        for at in 0..table.len() {
            let mut changed = table.clone();
            changed[at] = value;
            read(&word, &changed);
        }
        for at in (0..word.len()).filter(|at| word[*at] != 0) {
            let mut changed = word.clone();
            changed[at] = value;
            read(&changed, &table);
        }
    }
}

#[test]
fn deep_tables_are_cut() {
    let mut file = Builder::default();
    for level in [1, 9, 200] {
        let deep = [IN_TABLE, &[0x49, 0x66, level, 0, 0, 0]].concat();
        file.line("x", 0, &deep);
    }
    let unit = file.open().unit(0);
    assert!(unit.text.matches('x').count() == 3, "{}", unit.text);
    assert!(unit.notes[0].contains("Deeply nested"));
}

#[test]
fn a_lost_table_of_pieces_leaves_the_text() {
    let mut file = Builder::default();
    file.line("still here", 0, NONE);
    file.tables.insert(33, vec![9]);
    let (mut word, table) = file.streams();
    word[24..28].copy_from_slice(&2048_u32.to_le_bytes());
    word[28..32].copy_from_slice(&(2048_u32 + 22).to_le_bytes());
    let file = compound(&[("WordDocument", &word), ("1Table", &table)]);
    let unit = super::open(file, None).ok().unwrap().unit(0);
    assert_eq!(unit.text, "still here");
    assert!(unit.notes[0].contains("pieces"));
}
