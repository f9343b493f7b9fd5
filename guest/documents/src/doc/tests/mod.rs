mod builder;

use crate::Error;
use crate::ole::testing::compound;
use builder::{BOLD, Builder, IN_TABLE, NONE, level, plc, record, row, styles};

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
            (0xffe, 0, "Guidance", Some(NONE), &[0x3c, 8, 1]),
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
        .line("Text", 1, &[0x40, 0x26, 9])
        .run("unseen", NONE)
        .run("(", &[0x09, 0x6a, 0, 0, 0xb0, 0xf0])
        .run("seen", &[0x3c, 8, 0x81])
        .end('\r', 5, NONE);
    let mut document = file.open();
    let unit = document.unit(0);
    assert_eq!(
        unit.text,
        "# The title\n\n## First\n\n#### Inherited\n\n## Direct\n\na **bold** x^2 `code`\n\n**Text**\n\nseen"
    );
    assert_eq!(
        unit.notes,
        [
            "Tracked changes are shown as accepted.",
            "12 characters of hidden text are left out."
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
        "|wide|wide|\n|-|-|\n|tall|x|\n|tall|x|\n\nafter"
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
fn fields_without_a_result_are_shown_once() {
    let ruby = "EQ \\o\\ad(\\s\\up 11(reading),word)";
    for (field, expected) in [
        ("\u{13}SYMBOL 183 \\f \"Symbol\" \\s 12\u{15}", "a•b"),
        ("\u{13}SYMBOL 0xB7 \\f Symbol\u{14}\u{15}", "a•b"),
        ("\u{13}SYMBOL 183 \\f Symbol\u{14}x\u{15}", "axb"),
        (&format!("\u{13}{ruby}\u{15}"), "aword(reading)b"),
        (&format!("\u{13}{ruby}\u{14} \u{15}"), "a word(reading)b"),
        ("\u{13}GOTOBUTTON x see\u{15}", "aseeb"),
        ("\u{13}HYPERLINK \"#x\"\u{14}c\u{15}", "acb"),
        ("\u{13}TOC \\h \\c \"Figure\"\u{14}c\u{15}", "acb"),
    ] {
        let mut file = Builder::default();
        file.line(&format!("a{field}b"), 0, NONE);
        assert_eq!(file.markdown(), expected, "{field}");
    }
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
fn text_boxes_are_at_their_anchors() {
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
    assert_eq!(file.markdown(), "in the box\n\nanchor\n\nnext");
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

#[test]
fn formulas_are_shown_instead_of_their_pictures() {
    let mut file = Builder::default();
    let embedded = &[0x0a, 8, 1, 3, 0x6a, 7, 0, 0, 0];
    for text in ["", "so "] {
        file.run(text, NONE)
            .run("\u{13} EMBED Equation.3 ", NONE)
            .run("\u{14}", embedded)
            .run("picture\u{15}", NONE)
            .end('\r', 0, NONE);
    }
    let (word, table) = file.streams();
    let mut formula = vec![28, 0];
    formula.resize(28, 0);
    formula.extend([3, 1, 1, 3, 0, 1, 2, 0x83, b'x', 0, 0, 0]);
    let file = compound(&[
        ("WordDocument", &word),
        ("1Table", &table),
        ("ObjectPool/_7/Equation Native", &formula),
    ]);
    let unit = super::open(file, None).ok().unwrap().unit(0);
    assert_eq!(unit.text, "$$x$$\n\nso $x$");
}
