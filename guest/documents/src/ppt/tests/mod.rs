mod objects;

use crate::ole::testing::compound;
use crate::{Document, Error, Unit};

/// Builds a record.
fn record(instance: u16, kind: u16, content: &[u8]) -> Vec<u8> {
    let version = if is_container(kind) { 15 } else { 0 };
    let mut out = (instance << 4 | version).to_le_bytes().to_vec();
    out.extend(kind.to_le_bytes());
    out.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
    out.extend(content);
    out
}

fn is_container(kind: u16) -> bool {
    matches!(
        kind,
        0x3e8 | 0x3ee | 0x3f0 | 0x3f8 | 0x40c | 0x40b | 0x409 | 0xff0 | 0xf000
            ..=0xf004
                | 0xf00d
                | 0xf011
                | 0xff2
                | 0xfd7
                | 0x1388
                | 0x138a
                | 0x2ee0
                | 0x3f2
                | 0x7d5
                | 0xfcc
    )
}

fn longs(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|it| it.to_le_bytes()).collect()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Builds a text: its type, its characters, and its formats.
fn text(kind: u32, characters: &str, formats: &[u8]) -> Vec<u8> {
    let mut out = record(0, 0xf9f, &longs(&[kind]));
    out.extend(record(0, 0xfa0, &utf16(characters)));
    if !formats.is_empty() {
        out.extend(record(0, 0xfa1, formats));
    }
    out
}

/// Builds a shape: its place on the slide, its placeholder, and its text.
fn shape(top: i16, placeholder: u8, text: &[u8], more: &[u8]) -> Vec<u8> {
    let place: Vec<u8> = [top, 100, 900, top + 90]
        .iter()
        .flat_map(|it| it.to_le_bytes())
        .collect();
    let mut out = record(0, 0xf00a, &longs(&[1, 0]));
    out.extend(record(0, 0xf010, &place));
    let mut data = Vec::new();
    if placeholder > 0 {
        data = record(0, 0xbc3, &[0, 0, 0, 0, placeholder, 0, 0, 0]);
    }
    data.extend(more);
    out.extend(record(0, 0xf011, &data));
    out.extend(record(0, 0xf00d, text));
    record(0, 0xf004, &out)
}

/// Builds a slide from shapes. `rest` are records beside them.
fn slide(shapes: &[Vec<u8>], rest: &[u8]) -> Vec<u8> {
    let mut atom = vec![0; 12];
    atom.extend(longs(&[0x8000_0000, 300]));
    let mut out = record(0, 0x3ef, &atom);
    let group = [record(0, 0xf004, &[]), shapes.concat()].concat();
    let drawing = record(0, 0xf002, &record(0, 0xf003, &group));
    out.extend(record(0, 0x40c, &drawing));
    out.extend(rest);
    record(0, 0x3ee, &out)
}

/// A presentation that is built from its slides.
#[derive(Default)]
struct Builder {
    slides: Vec<Vec<u8>>,
    /// The texts of each slide in the list.
    outlines: Vec<Vec<u8>>,
    /// Records of the document.
    document: Vec<u8>,
    /// The speaker notes of the slides, which are those with the number 300.
    notes: Option<Vec<u8>>,
    pictures: Vec<u8>,
}

impl Builder {
    /// Returns the stream with the slides, and the one that refers to it.
    fn streams(&self) -> (Vec<u8>, Vec<u8>) {
        let mut stream = Vec::new();
        let mut places = Vec::new();
        let mut list = Vec::new();
        for (index, slide) in (2..).zip(&self.slides) {
            places.push(u32::try_from(stream.len()).unwrap());
            stream.extend(slide);
            list.extend(record(0, 0x3f3, &longs(&[index, 0, 0, 254 + index, 0])));
            let outline = self.outlines.get(places.len() - 1);
            list.extend(outline.cloned().unwrap_or_default());
        }
        let mut document = self.document.clone();
        document.extend(record(0, 0xff0, &list));
        if let Some(notes) = &self.notes {
            places.push(u32::try_from(stream.len()).unwrap());
            stream.extend(notes);
            let object = u32::try_from(places.len()).unwrap() + 1;
            let entry = record(0, 0x3f3, &longs(&[object, 0, 0, 300, 0]));
            document.extend(record(2, 0xff0, &entry));
        }
        places.insert(0, u32::try_from(stream.len()).unwrap());
        stream.extend(record(0, 0x3e8, &document));
        let directory = u32::try_from(stream.len()).unwrap();
        let count = u32::try_from(places.len()).unwrap();
        let mut entries = vec![count << 20 | 1];
        entries.extend(places);
        stream.extend(record(0, 0x1772, &longs(&entries)));
        let edit = u32::try_from(stream.len()).unwrap();
        stream.extend(record(0, 0xff5, &longs(&[0, 0, 0, directory, 1, 0, 0])));
        let current = record(0, 0xff6, &longs(&[20, 0xe391_c05f, edit, 0]));
        (stream, current)
    }

    fn open(&self) -> Box<dyn Document> {
        let (stream, current) = self.streams();
        open(&stream, &current, &self.pictures).ok().unwrap()
    }

    fn unit(&self) -> Unit {
        self.open().unit(0)
    }
}

fn open(stream: &[u8], current: &[u8], pictures: &[u8]) -> Result<Box<dyn Document>, Error> {
    super::open(
        compound(&[
            ("PowerPoint Document", stream),
            ("Current User", current),
            ("Pictures", pictures),
        ]),
        None,
    )
}

/// Builds formats: for each paragraph its length, its level and whether it has a bullet, and for each run
/// its length and its flags.
fn formats(paragraphs: &[(u32, u16, bool)], runs: &[(u32, u16)]) -> Vec<u8> {
    let mut out = Vec::new();
    for (count, level, bullet) in paragraphs {
        out.extend(count.to_le_bytes());
        out.extend(level.to_le_bytes());
        out.extend(1_u32.to_le_bytes());
        out.extend(u16::from(*bullet).to_le_bytes());
    }
    for (count, flags) in runs {
        out.extend(count.to_le_bytes());
        out.extend(0xffff_u32.to_le_bytes());
        out.extend(flags.to_le_bytes());
    }
    out
}

#[test]
fn a_slide_with_a_title_a_list_and_a_text_box() {
    let list = formats(
        &[(4, 0, true), (4, 1, true), (4, 0, false)],
        &[(4, 1), (8, 0)],
    );
    let file = Builder {
        slides: vec![slide(
            &[
                shape(700, 0, &text(4, "a text box", &[]), &[]),
                shape(200, 14, &text(1, "one\rtwo\rend", &list), &[]),
                shape(10, 13, &text(0, "The\u{b}title", &[]), &[]),
                shape(900, 8, &text(4, "*", &[]), &[]),
                shape(900, 0, &text(4, "a footer", &[]), &record(0, 0x420, &[9])),
            ],
            &[],
        )],
        ..Builder::default()
    };
    let mut document = file.open();
    assert_eq!(
        document.unit(0).text,
        "## The title\n\n- **one**\n  - two\n\nend\n\na text box"
    );
    assert_eq!(document.facts().list[0].name, "The title");
    assert!(!document.facts().list[0].hidden);
}

#[test]
fn texts_in_the_list_of_slides() {
    let reference = record(0, 0xf9e, &longs(&[1]));
    let mut file = Builder {
        slides: vec![slide(&[shape(200, 14, &reference, &[])], &[])],
        ..Builder::default()
    };
    let outline = [text(0, "Title", &[]), text(1, "Body", &[])].concat();
    file.outlines.push(outline);
    assert_eq!(file.unit().text, "## Title\n\nBody");
    // The slide itself is missing.
    file.slides = vec![vec![0; 16], slide(&[], &[])];
    let unit = file.unit();
    assert_eq!(unit.text, "## Title\n\nBody");
    assert_eq!(unit.notes, ["Slide 1 is missing in the file."]);
}

#[test]
fn numbers_of_lists() {
    let mut newer = Vec::new();
    // A list from `c)`, in the newer formats of the text.
    newer.extend(0x300_0000_u32.to_le_bytes());
    newer.extend([1, 0, 9, 0, 3, 0]);
    newer.extend([0; 8]);
    let name = record(0, 0xfba, &utf16("___PPT9"));
    let blob = record(0, 0x138b, &record(0, 0xfac, &newer));
    let tags = record(0, 0x1388, &record(0, 0x138a, &[name, blob].concat()));
    let list = formats(&[(8, 0, true)], &[(8, 0)]);
    let file = Builder {
        slides: vec![slide(
            &[shape(200, 14, &text(1, "one\rtwo", &list), &tags)],
            &[],
        )],
        ..Builder::default()
    };
    assert_eq!(file.unit().text, "c) one\nd) two");
}

#[test]
fn bullets_of_the_master() {
    let mut style = vec![1, 0];
    style.extend(1_u32.to_le_bytes());
    style.extend([1, 0]);
    style.extend([0; 4]);
    let levels = super::styles::master(&style, 1);
    assert_eq!(levels, [Some(true), None, None, None, None]);
}

#[test]
fn tables() {
    let cell = |left: i32, top: i32, right: i32, bottom: i32, content: &str| {
        let place = [left, top, right, bottom].map(i32::cast_unsigned);
        let mut out = record(0, 0xf00a, &longs(&[1, 0]));
        out.extend(record(0, 0xf00f, &longs(&place)));
        out.extend(record(0, 0xf00d, &text(4, content, &[])));
        record(0, 0xf004, &out)
    };
    // The group itself says that it is a table.
    let mut own = vec![0x9f, 3];
    own.extend(1_u32.to_le_bytes());
    let own = record(0, 0xf004, &record(1, 0xf122, &own));
    let group = [
        own,
        cell(200, 0, 300, 100, "c"),
        cell(0, 0, 200, 100, "wide"),
        cell(0, 100, 100, 300, "tall"),
        cell(100, 100, 200, 200, "x"),
        cell(200, 200, 300, 300, "y"),
    ];
    let file = Builder {
        slides: vec![slide(&[record(0, 0xf003, &group.concat())], &[])],
        ..Builder::default()
    };
    assert_eq!(
        file.unit().text,
        "|wide|wide|c|\n|-|-|-|\n|tall|x||\n|tall||y|"
    );
}

#[test]
fn notes_comments_and_hidden_slides() {
    let comment = [
        record(0, 0xfba, &utf16("Ann")),
        record(1, 0xfba, &utf16("a comment")),
        record(0, 0x2ee1, &[0, 0, 0, 0, 0xea, 7, 11, 0, 0, 0, 24, 0]),
    ];
    let blob = record(0, 0x138b, &record(0, 0x2ee0, &comment.concat()));
    let tags = record(0, 0x1388, &record(0, 0x138a, &blob));
    let info = record(0, 0x3f9, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0]);
    let mut notes = slide(
        &[
            shape(0, 12, &text(2, "speaker notes", &[]), &[]),
            shape(0, 8, &text(2, "*", &[]), &[]),
        ],
        &[],
    );
    notes[2] = 0xf0;
    let file = Builder {
        slides: vec![slide(&[], &[tags, info].concat())],
        notes: Some(notes),
        ..Builder::default()
    };
    let mut document = file.open();
    assert_eq!(
        document.unit(0).text,
        "*Hidden slide*\n\n> Notes:\n>\n> speaker notes\n\n> Comment by Ann, 2026-11-24: a comment"
    );
    assert!(document.facts().list[0].hidden);
}

#[test]
fn links_and_images() {
    let link = [
        record(0, 0xfd3, &longs(&[5])),
        record(1, 0xfba, &utf16("https://example.org/")),
    ];
    let interaction = record(0, 0xff2, &record(0, 0xff3, &longs(&[0, 5, 0, 0])));
    let mut words = text(4, "see here.", &[]);
    words.extend(&interaction);
    words.extend(record(0, 0xfdf, &longs(&[4, 8])));
    let mut entry = vec![0; 36];
    entry[20] = 30;
    entry[28] = 4;
    let store = record(1, 0xf001, &record(0, 0xf007, &entry));
    let mut options = vec![4, 0x41];
    options.extend(1_u32.to_le_bytes());
    let mut picture = record(1, 0xf00b, &options);
    picture.extend(record(0, 0xf010, &[9, 0, 100, 0, 200, 0, 100, 0]));
    let mut pictures = vec![0; 4];
    pictures.extend(record(0x6e0, 0xf01e, &[&[0; 17], &b"\x89PNG"[..]].concat()));
    let mut file = Builder {
        slides: vec![slide(
            &[shape(200, 0, &words, &[]), record(0, 0xf004, &picture)],
            &[],
        )],
        pictures,
        ..Builder::default()
    };
    file.document = [
        record(0, 0x409, &record(0, 0xfd7, &link.concat())),
        record(0, 0x40b, &record(0, 0xf000, &store)),
    ]
    .concat();
    let mut document = file.open();
    assert_eq!(
        document.unit(0).text,
        "![](image:1)\n\nsee [here](https://example.org/)."
    );
    assert_eq!(document.image(1).as_deref(), Some(&b"\x89PNG"[..]));
    assert_eq!(document.image(0), None);
}

#[test]
fn a_damaged_directory_leaves_the_slides() {
    let file = Builder {
        slides: vec![
            slide(&[shape(0, 13, &text(0, "One", &[]), &[])], &[]),
            slide(&[shape(0, 13, &text(0, "Two", &[]), &[])], &[]),
        ],
        ..Builder::default()
    };
    let (stream, _) = file.streams();
    let mut document = open(&stream, &[], &[]).ok().unwrap();
    assert!(document.notes()[0].contains("list of slides cannot be read"));
    assert_eq!(document.unit(1).text, "## Two");
}

#[test]
fn other_files_are_errors() {
    let (stream, mut current) = Builder::default().streams();
    current[12..16].copy_from_slice(&0xf3d1_c4df_u32.to_le_bytes());
    assert_eq!(open(&stream, &current, &[]).err(), Some(Error::Encrypted));
    let error = |name| super::open(compound(&[(name, b"x")]), None).err().unwrap();
    assert!(matches!(error("PP40"), Error::Unsupported(_)));
    assert!(matches!(error("WordDocument"), Error::Damaged(_)));
    assert!(matches!(
        open(b"no records", &[], &[]),
        Err(Error::Damaged(_))
    ));
}

#[test]
fn a_slide_is_shown_once() {
    let mut file = Builder::default();
    file.slides
        .push(slide(&[shape(0, 13, &text(0, "One", &[]), &[])], &[]));
    let entry = record(0, 0x3f3, &longs(&[2, 0, 0, 256, 0]));
    file.document = record(0, 0xff0, &entry.repeat(50));
    let mut document = file.open();
    let texts: Vec<String> = (0..50).map(|index| document.unit(index).text).collect();
    assert_eq!(texts.iter().filter(|text| *text == "## One").count(), 1);
}

#[test]
fn cut_and_changed_files_are_read() {
    let mut group = shape(0, 0, &text(4, "deep", &[]), &[]);
    for _ in 0..40 {
        group = record(0, 0xf003, &[record(0, 0xf004, &[]), group].concat());
    }
    let list = formats(&[(4, 0, true), (4, 1, true)], &[(8, 1)]);
    let file = Builder {
        slides: vec![slide(
            &[shape(200, 14, &text(1, "one\rtwo", &list), &[]), group],
            &[],
        )],
        ..Builder::default()
    };
    let unit = file.unit();
    assert!(unit.notes[0].contains("nested too deeply"));
    let (stream, current) = file.streams();
    let read = |stream: &[u8], current: &[u8]| {
        if let Ok(mut document) = open(stream, current, &[]) {
            document.unit(0);
        }
    };
    for end in (0..stream.len()).step_by(7) {
        read(&stream[..end], &current);
    }
    for value in [0, 0x7f, 0xff] {
        for at in 0..stream.len() {
            let mut changed = stream.clone();
            changed[at] = value;
            read(&changed, &current);
        }
        for at in 0..current.len() {
            let mut changed = current.clone();
            changed[at] = value;
            read(&stream, &changed);
        }
    }
}
