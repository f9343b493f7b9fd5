//! Charts, images and text of shapes.

use super::*;

/// A record of drawings. Containers have the version 15.
fn art(version: u16, kind: u16, content: &[u8]) -> Vec<u8> {
    let mut out = numbers(&[version, kind]);
    out.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
    out.extend(content);
    out
}

/// A shape at a column and a row with an image. The number 0 means no image.
fn shape(column: u16, row: u16, image: u32) -> Vec<u8> {
    let mut options = numbers(&[0x4104]);
    options.extend(image.to_le_bytes());
    let alt: Vec<u8> = "Alt\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    options.extend(numbers(&[0xc381]));
    options.extend(u32::try_from(alt.len()).unwrap().to_le_bytes());
    options.extend(alt);
    let anchor = numbers(&[0, column, 0, row, 0, column + 1, 0, row + 1, 0]);
    let mut content = art(0, 0xf010, &anchor);
    if image > 0 {
        content.extend(art(0x23, 0xf00b, &options));
    }
    content.extend(art(0, 0xf011, &[]));
    art(15, 0xf004, &content)
}

fn object(kind: u16) -> Vec<u8> {
    record(0x5d, &numbers(&[0x15, 0x12, kind, 1, 0]))
}

fn shape_text(text: &str) -> Vec<u8> {
    let mut head = vec![0; 10];
    head.extend(u16::try_from(text.len()).unwrap().to_le_bytes());
    head.extend([0; 6]);
    let characters = [b"\0", text.as_bytes()].concat();
    [record(0x1b6, &head), record(0x3c, &characters)].concat()
}

/// The images of a workbook: a deleted one and a PNG, in pieces of some bytes.
fn images(piece: usize) -> Vec<u8> {
    let mut blip = vec![0; 17];
    blip.extend(b"\x89PNG image");
    let mut entry = vec![0; 36];
    entry.extend(art(0x6e00, 0xf01e, &blip));
    let store = [art(2, 0xf007, &[0; 36]), art(2, 0xf007, &entry)].concat();
    let group = art(15, 0xf000, &art(15, 0xf001, &store));
    let mut out = Vec::new();
    for (index, part) in group.chunks(piece).enumerate() {
        out.extend(record(if index == 0 { 0xeb } else { 0x3c }, part));
    }
    out
}

#[test]
fn images_and_texts_are_at_their_places() {
    for piece in [8000, 50, 7] {
        let drawing = art(15, 0xf002, &art(15, 0xf003, &shape(0, 0, 0)));
        let cells = [
            // The headers of both containers are longer than the record.
            record(0xec, &drawing),
            object(0),
            record(0xec, &shape(4, 6, 2)),
            object(8),
            record(0xec, &shape(1, 2, 0)),
            object(2),
            shape_text("In a rectangle"),
            record(0xec, &shape(1, 3, 0)),
            object(7),
            shape_text("On a button"),
            record(0xec, &shape(1, 3, 1)),
            object(8),
            cell(0x27e, 4, 0, 0, &integer(1)),
        ];
        let mut document = document(&one(&images(piece), &cells));
        let unit = document.unit(0);
        assert_eq!(
            unit.text,
            "## Data\n\nIn a rectangle\n\n<!-- A5 -->\n\n1\n\n![Alt](image:2)"
        );
        assert_eq!(
            unit.notes,
            ["An image of the sheet is missing in the file."]
        );
        assert_eq!(document.image(2).unwrap(), b"\x89PNG image");
        assert_eq!(document.image(1), None);
        assert_eq!(document.image(0), None);
    }
}

#[test]
fn a_drawing_goes_on_after_an_object() {
    let cells = [
        record(0xec, &shape(0, 0, 0)),
        object(0),
        record(0x3c, &shape(2, 3, 2)),
        object(8),
    ];
    let mut document = document(&one(&images(8000), &cells));
    let objects = document.workbook().unwrap().objects(0);
    let places: Vec<_> = objects
        .drawings
        .iter()
        .map(|it| (it.row, it.column))
        .collect();
    assert_eq!(places, [(4, 3)]);
}

/// A reference of a series to a range of the sheet: first and last row, first and last column.
fn reference(part: u8, range: &[u16]) -> Vec<u8> {
    let mut data = vec![part, if range.is_empty() { 1 } else { 2 }, 0, 0, 0, 0];
    let mut tokens = Vec::new();
    if !range.is_empty() {
        tokens.push(0x3b);
        tokens.extend(numbers(&[0]));
        tokens.extend(numbers(range));
    }
    data.extend(u16::try_from(tokens.len()).unwrap().to_le_bytes());
    data.extend(tokens);
    record(0x1051, &data)
}

/// A series with references and other records.
fn series(parts: &[Vec<u8>]) -> Vec<u8> {
    let inside = parts.concat();
    [
        record(0x1003, &[0; 12]),
        record(0x1033, &[]),
        inside,
        record(0x1034, &[]),
    ]
    .concat()
}

fn title(text: &str) -> Vec<u8> {
    let mut data = vec![0, 0, u8::try_from(text.len()).unwrap(), 0];
    data.extend(text.as_bytes());
    let link = record(0x1027, &[1, 0, 0, 0]);
    [record(0x1025, &[]), record(0x100d, &data), link].concat()
}

fn chart(parts: &[Vec<u8>]) -> Vec<u8> {
    let inside = [record(0x1033, &[]), parts.concat(), record(0x1034, &[])].concat();
    [begin(0x0600, 0x20), inside, end()].concat()
}

/// A workbook whose links refer to its only sheet.
fn linked(cells: &[Vec<u8>]) -> Vec<u8> {
    let more = [
        record(0x1ae, &numbers(&[1, 0x0401])),
        record(0x17, &numbers(&[1, 0, 0, 0])),
    ];
    one(&more.concat(), cells)
}

fn label(row: u16, column: u16, text: &str) -> Vec<u8> {
    let mut data = numbers(&[u16::try_from(text.len()).unwrap()]);
    data.push(0);
    data.extend(text.as_bytes());
    cell(0x204, row, column, 0, &data)
}

fn number(row: u16, column: u16, value: i32) -> Vec<u8> {
    cell(0x27e, row, column, 0, &integer(value))
}

#[test]
fn charts_have_the_values_of_cells() {
    // Two levels of categories, of which the outer one has a gap, and two series. A trend line is not
    // shown.
    let cells = [
        label(0, 2, "Apples"),
        label(0, 3, "Pears"),
        label(1, 0, "2023"),
        label(1, 1, "Q1"),
        number(1, 2, 10),
        number(1, 3, 20),
        label(2, 1, "Q2"),
        number(2, 2, 11),
        record(0xec, &shape(5, 0, 0)),
        object(5),
        chart(&[
            series(&[
                reference(0, &[0, 0, 2, 2]),
                reference(1, &[1, 2, 2, 2]),
                reference(2, &[1, 2, 0, 1]),
                reference(3, &[]),
            ]),
            series(&[
                reference(0, &[0, 0, 3, 3]),
                reference(1, &[1, 2, 3, 3]),
                reference(2, &[1, 2, 0, 1]),
            ]),
            series(&[reference(1, &[1, 2, 2, 2]), record(0x104b, &[0; 28])]),
            title("Fruit"),
            record(0x1017, &[0; 6]),
        ]),
    ];
    let mut document = document(&linked(&cells));
    let text = document.unit(0).text;
    let expected = "**Fruit** (bar chart)\n\n||Apples|Pears|\n|-|-|-|\n\
                    |2023 / Q1|10|20|\n|2023 / Q2|11||";
    assert!(text.ends_with(expected), "{text}");
    assert_eq!(document.workbook().unwrap().sheet(0).charts, ["Fruit"]);
}

#[test]
fn charts_have_copies_of_values_of_other_workbooks() {
    let copy = |part: u16, value: Vec<u8>| [record(0x1065, &numbers(&[part])), value].concat();
    let name = record(0x100d, b"\0\0\x03\0Sum");
    let cells = [chart(&[
        series(&[reference(0, &[]), name, reference(1, &[])]),
        title(""),
        record(0x1019, &numbers(&[0, 50, 0])),
        copy(2, label(1, 0, "B")),
        copy(1, cell(0x203, 1, 0, 0, &0.5_f64.to_le_bytes())),
        // A copy for a series that does not exist.
        cell(0x203, 1, 9, 0, &0.5_f64.to_le_bytes()),
    ])];
    let text = document(&one(&[], &cells)).unit(0).text;
    let expected = "**Sum** (doughnut chart)\n\n||Sum|\n|-|-|\n|B|0.5|";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn many_references_end_at_the_limit() {
    let cells: Vec<Vec<u8>> = (0..1000).map(|row| number(row, 0, 1)).collect();
    let one = series(&[reference(1, &[0, 65_535, 0, 0])]);
    let charts = vec![chart(&[vec![one; 60].concat(), record(0x1018, &[])]); 20];
    let mut document = document(&linked(&[cells, charts].concat()));
    let unit = document.unit(0);
    let note =
        "The charts of the sheet have too many values. Those of the last charts are left out.";
    assert_eq!(unit.notes.last().unwrap(), note);
    assert_eq!(unit.text.matches("Line chart").count(), 20);
}

#[test]
fn cut_and_changed_charts_are_read() {
    let cells = [
        number(0, 0, 7),
        record(0xec, &shape(1, 0, 2)),
        object(8),
        chart(&[
            series(&[reference(0, &[0, 0, 0, 0]), reference(1, &[0, 9, 0, 3])]),
            title("T"),
            record(0x1018, &[]),
        ]),
    ];
    let whole = [linked(&cells), images(9000)].concat();
    for at in 0..whole.len() {
        // Whatever is found, nothing fails.
        if let Ok(mut document) = open(compound(&[("Workbook", &whole[..at])]), None) {
            document.unit(0);
        }
        for byte in [0, 1, 0xff] {
            let mut changed = whole.clone();
            changed[at] = byte;
            if let Ok(mut document) = open(compound(&[("Workbook", &changed)]), None) {
                document.unit(0);
                document.image(2);
            }
        }
    }
}
