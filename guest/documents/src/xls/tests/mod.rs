mod drawings;
mod old;
mod passwords;

use super::open;
use crate::ole::testing::compound;
use crate::workbook::{LAST_COLUMN, LAST_ROW, Range, Rows, SheetFacts, Visibility, Window};
use crate::{Document, Error};
use std::rc::Rc;

/// A record.
fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let mut out = kind.to_le_bytes().to_vec();
    out.extend(u16::try_from(data.len()).unwrap().to_le_bytes());
    out.extend(data);
    out
}

fn numbers(list: &[u16]) -> Vec<u8> {
    list.iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// A cell of Excel 5 and later.
fn cell(kind: u16, row: u16, column: u16, style: u16, value: &[u8]) -> Vec<u8> {
    let mut data = numbers(&[row, column, style]);
    data.extend(value);
    record(kind, &data)
}

fn integer(value: i32) -> [u8; 4] {
    (value << 2 | 2).to_le_bytes()
}

/// The value of a formula: the result, flags, and tokens with their size.
fn formula(result: [u8; 8], tokens: &[u8]) -> Vec<u8> {
    let mut out = result.to_vec();
    out.extend([0; 6]);
    out.extend(u16::try_from(tokens.len()).unwrap().to_le_bytes());
    out.extend(tokens);
    out
}

/// The first record of a part: version and kind.
fn begin(version: u16, kind: u16) -> Vec<u8> {
    record(0x809, &numbers(&[version, kind, 0, 0]))
}

fn end() -> Vec<u8> {
    record(0x0a, &[])
}

/// A stream of BIFF8 with a sheet for each list of cells. `more` is added to the globals.
fn stream(more: &[u8], sheets: &[(&str, u8, Vec<u8>)]) -> Vec<u8> {
    let sheet = |position: usize, state: u8, name: &str| {
        let mut data = u32::try_from(position).unwrap().to_le_bytes().to_vec();
        data.extend([state, 0, u8::try_from(name.len()).unwrap(), 0]);
        data.extend(name.as_bytes());
        record(0x85, &data)
    };
    let build = |positions: &[usize]| {
        let mut out = begin(0x0600, 5);
        out.extend(more);
        for ((name, state, _), position) in sheets.iter().zip(positions) {
            out.extend(sheet(*position, *state, name));
        }
        out.extend(end());
        out
    };
    let mut positions = vec![0; sheets.len()];
    let mut at = build(&positions).len();
    for ((_, _, cells), position) in sheets.iter().zip(&mut positions) {
        *position = at;
        at += begin(0x0600, 0x10).len() + cells.len() + end().len();
    }
    let mut out = build(&positions);
    for (_, _, cells) in sheets {
        out.extend(begin(0x0600, 0x10));
        out.extend(cells);
        out.extend(end());
    }
    out
}

fn document(stream: &[u8]) -> Box<dyn Document> {
    open(compound(&[("Workbook", stream)]), None).unwrap()
}

fn all() -> Window {
    Window {
        range: Range {
            first_row: 1,
            first_column: 1,
            last_row: LAST_ROW,
            last_column: LAST_COLUMN,
        },
        formulas: true,
        cells: usize::MAX,
    }
}

fn read(stream: &[u8]) -> (SheetFacts, Rows) {
    let mut document = document(stream);
    let book = document.workbook().unwrap();
    (SheetFacts::clone(&book.sheet(0)), book.rows(0, &all()))
}

fn one(more: &[u8], cells: &[Vec<u8>]) -> Vec<u8> {
    stream(more, &[("Data", 0, cells.concat())])
}

/// The values of all cells as text: `B4=text`.
fn shown(rows: &Rows) -> Vec<String> {
    let mut out = Vec::new();
    for row in &rows.rows {
        for cell in &row.cells {
            let column = crate::workbook::column_name(cell.column);
            let formula = cell.formula.as_ref();
            let formula = formula.map_or_else(String::new, |formula| format!(" ={formula}"));
            out.push(format!(
                "{column}{}={}{formula}",
                row.number,
                cell.value.plain()
            ));
        }
    }
    out
}

/// The shared strings `ab€` (in two records of different widths), an empty one, and a rich one.
fn strings() -> Vec<u8> {
    let mut first = vec![3, 0, 0, 0, 3, 0, 0, 0];
    first.extend([3, 0, 0, b'a', b'b']);
    let mut second = vec![1, 0xac, 0x20];
    second.extend([0, 0, 0]);
    // A rich text with one run and two phonetic bytes.
    second.extend([4, 0, 0x0c, 1, 0, 2, 0, 0, 0]);
    second.extend(b"rich");
    second.extend([0, 0, 1, 0, 9, 9]);
    [record(0xfc, &first), record(0x3c, &second)].concat()
}

#[test]
fn cells_of_all_kinds_have_values() {
    let mut format = numbers(&[165, 10]);
    format.push(0);
    format.extend(b"yyyy-mm-dd");
    let style = |format: u16| record(0xe0, &[numbers(&[0, format]), vec![0; 16]].concat());
    let more = [strings(), record(0x41e, &format), style(0), style(165)];
    let mut multiple = numbers(&[0, 10, 0]);
    multiple.extend(integer(1));
    multiple.extend(numbers(&[1]));
    multiple.extend(integer(45_000));
    multiple.extend(numbers(&[11]));
    let cells = [
        record(0x208, &numbers(&[2, 0, 9, 0, 0, 0, 0x20, 0])),
        cell(0x201, 0, 0, 0, &[]),
        cell(0x27e, 0, 1, 0, &integer(-7)),
        cell(0x203, 0, 2, 0, &0.5_f64.to_le_bytes()),
        cell(0xfd, 0, 3, 0, &[0, 0, 0, 0]),
        cell(0xfd, 0, 4, 0, &[1, 0, 0, 0]),
        cell(0xfd, 0, 5, 0, &[2, 0, 0, 0]),
        cell(0xfd, 0, 6, 0, &[9, 0, 0, 0]),
        cell(0x204, 0, 7, 0, &[2, 0, 0, b'o', b'k']),
        cell(0x205, 0, 8, 0, &[1, 0]),
        cell(0x205, 0, 9, 0, &[0x07, 1]),
        record(0xbd, &multiple),
        cell(6, 2, 0, 0, &formula(2.0_f64.to_le_bytes(), &[0x1e, 5, 0])),
        cell(
            6,
            2,
            1,
            0,
            &formula([0, 0, 0, 0, 0, 0, 255, 255], &[0x1e, 6, 0]),
        ),
        record(0x207, &[1, 0, 1, 0xac, 0x20]),
        cell(
            6,
            2,
            2,
            0,
            &formula([1, 0, 1, 0, 0, 0, 255, 255], &[0x1d, 1]),
        ),
        cell(
            6,
            2,
            3,
            0,
            &formula([2, 0, 0x2a, 0, 0, 0, 255, 255], &[0x1c, 0x2a]),
        ),
        cell(
            6,
            2,
            4,
            0,
            &formula([3, 0, 0, 0, 0, 0, 255, 255], &[0x1e, 7, 0]),
        ),
        record(0xe5, &numbers(&[1, 0, 1, 2, 3])),
    ];
    let (facts, rows) = read(&one(&more.concat(), &cells));
    let expected = [
        "B1=-7",
        "C1=0.5",
        "D1=ab€",
        "F1=rich",
        "H1=ok",
        "I1=TRUE",
        "J1=#DIV/0!",
        "K1=1",
        "L1=2023-03-15",
        "A3=2 =5",
        "B3=€ =6",
        "C3=TRUE =TRUE",
        "D3=#N/A =#N/A",
        "E3= =7",
    ];
    assert_eq!(shown(&rows), expected);
    assert!(!rows.rows[0].hidden && rows.rows[1].hidden);
    let used = facts.used.unwrap();
    assert_eq!(
        (used.first_column, used.last_row, used.last_column),
        (1, 3, 12)
    );
    assert_eq!(facts.rows, 2);
    assert_eq!(
        (facts.merged[0].last_row, facts.merged[0].last_column),
        (2, 4)
    );
    assert!(facts.notes.is_empty());
}

#[test]
fn sheets_have_names_and_visibility() {
    let sheets = [
        ("One", 0, Vec::new()),
        ("Two", 1, Vec::new()),
        ("Three", 2, Vec::new()),
    ];
    let mut document = document(&stream(&[], &sheets));
    let book = document.workbook().unwrap();
    let found: Vec<_> = book.sheets().iter().map(|it| it.visibility).collect();
    assert_eq!(
        found,
        [
            Visibility::Visible,
            Visibility::Hidden,
            Visibility::VeryHidden
        ]
    );
    assert_eq!(book.sheets()[2].name, "Three");
    assert_eq!(book.sheet(9), Rc::default());
}

#[test]
fn shared_formulas_and_arrays_have_text() {
    let exp = [1, 0, 0, 0, 0];
    let one_value = 1.0_f64.to_le_bytes();
    let mut shared = numbers(&[0, 1]);
    shared.extend([0, 0, 0, 2]);
    shared.extend([5, 0, 0x4c, 1, 0, 0, 0xc0]);
    let mut array = numbers(&[0, 1]);
    array.extend([1, 1, 0, 0, 0, 0, 0, 0]);
    array.extend([3, 0, 0x1e, 9, 0]);
    let part = |row, column: u16, of: [u8; 5]| cell(6, row, column, 0, &formula(one_value, &of));
    let cells = [
        part(0, 0, exp),
        record(0x4bc, &shared),
        part(0, 1, [1, 0, 0, 1, 0]),
        record(0x221, &array),
        part(1, 0, exp),
        part(1, 1, [1, 0, 0, 1, 0]),
    ];
    let (_, rows) = read(&one(&[], &cells));
    assert_eq!(shown(&rows), ["A1=1 =A2", "B1=1 ={=9}", "A2=1 =A3", "B2=1"]);
}

#[test]
fn links_of_formulas_name_sheets() {
    // The workbook itself, another one, links to a sheet of both, and a name.
    let mut other = numbers(&[1, 6]);
    other.extend(b"\0\x01b.xls");
    other.extend([1, 0, 0, b'S']);
    let mut name = numbers(&[0]);
    name.extend([0, 4]);
    name.extend([0; 10]);
    name.extend(b"\0Rate");
    let more = [
        record(0x1ae, &numbers(&[1, 0x0401])),
        record(0x1ae, &other),
        record(0x17, &numbers(&[2, 0, 0, 0, 1, 0, 0])),
        record(0x18, &name),
    ];
    let value = 1.0_f64.to_le_bytes();
    let cells = [
        cell(6, 0, 0, 0, &formula(value, &[0x5a, 0, 0, 0, 0, 0, 0xc0])),
        cell(6, 0, 1, 0, &formula(value, &[0x5a, 1, 0, 0, 0, 0, 0xc0])),
        cell(6, 0, 2, 0, &formula(value, &[0x23, 1, 0, 0, 0])),
    ];
    let (_, rows) = read(&one(&more.concat(), &cells));
    let found = shown(&rows);
    assert_eq!(found[0], "A1=1 =Data!A1");
    assert_eq!(found[1], "B1=1 ='[b.xls]S'!A1");
    assert_eq!(found[2], "C1=1 =Rate");
}

#[test]
fn cells_out_of_order_are_sorted() {
    let number = |row, column, value| cell(0x27e, row, column, 0, &integer(value));
    let cells = [
        number(5, 1, 1),
        number(5, 0, 2),
        number(2, 0, 3),
        cell(0x201, 9, 0, 0, &[]),
        number(2, 1, 4),
        number(5, 1, 5),
    ];
    let (facts, rows) = read(&one(&[], &cells));
    assert_eq!(shown(&rows), ["A3=3", "B3=4", "A6=2", "B6=5"]);
    assert_eq!(facts.rows, 2);
}

#[test]
fn objects_are_beside_the_cells() {
    let mut link = numbers(&[0, 0, 0, 0]);
    link.extend([0; 16]);
    link.extend([2, 0, 0, 0, 3, 0, 0, 0]);
    link.extend([0xe0, 0xc9, 0xea, 0x79, 0xf9, 0xba, 0xce, 0x11]);
    link.extend([0x8c, 0x82, 0, 0xaa, 0, 0x4b, 0xa9, 0x0b]);
    let url: Vec<u8> = "http://a.org\0".bytes().flat_map(|it| [it, 0]).collect();
    link.extend(u32::try_from(url.len()).unwrap().to_le_bytes());
    link.extend(url);
    let object = |kind: u16, id: u16| record(0x5d, &numbers(&[0x15, 0x12, kind, id, 0]));
    let text = |text: &str| {
        let mut head = vec![0; 10];
        head.extend(u16::try_from(text.len()).unwrap().to_le_bytes());
        head.extend([0; 6]);
        let characters = [b"\0", text.as_bytes()].concat();
        [record(0x1b6, &head), record(0x3c, &characters)].concat()
    };
    let mut anchor = vec![15, 0, 4, 0xf0, 26, 0, 0, 0];
    anchor.extend([0, 0, 0x10, 0xf0, 18, 0, 0, 0]);
    anchor.extend(numbers(&[0, 3, 0, 4, 0, 5, 0, 6, 0]));
    let mut note = numbers(&[1, 2, 0, 77, 3]);
    note.extend(b"\0Ann");
    let title = |kind: u8| {
        let text = record(0x100d, b"\0\0\x05\0Title");
        [record(0x1025, &[]), text, record(0x1027, &[kind, 0, 0, 0])].concat()
    };
    let cells = [
        record(0x7d, &numbers(&[1, 2, 0, 0, 1, 0])),
        record(0x1b8, &link),
        record(0xec, &anchor),
        object(6, 1),
        text("In a box"),
        object(25, 77),
        text("Ann:\nSee"),
        record(0x1c, &note),
        begin(0x0600, 0x20),
        record(0x1019, &[]),
        title(2),
        title(1),
        end(),
        cell(0x27e, 0, 0, 0, &integer(1)),
    ];
    let mut document = document(&one(&[], &cells));
    let book = document.workbook().unwrap();
    let objects = book.objects(0);
    let facts = book.sheet(0);
    assert_eq!(facts.hidden_columns, [(2, 3)]);
    assert_eq!(facts.links[0].url, "http://a.org");
    let comment = &objects.comments[0];
    assert_eq!((comment.row, comment.column), (2, 3));
    assert_eq!(
        (comment.author.as_str(), comment.text.as_str()),
        ("Ann", "See")
    );
    assert_eq!(
        (objects.drawings[0].row, objects.drawings[0].column),
        (5, 4)
    );
    let facts = book.sheet(0);
    assert_eq!(facts.charts, ["Title"]);
    // The cells after the chart are cells of the sheet.
    assert_eq!(facts.rows, 1);
    let text = document.unit(0).text;
    assert!(
        text.contains("In a box") && text.contains("**Title** (pie chart)"),
        "{text}"
    );
}

#[test]
fn an_encrypted_workbook_is_an_error() {
    let more = record(0x2f, &[0, 0, 1, 2, 3, 4]);
    let bytes = compound(&[("Workbook", &one(&more, &[]))]);
    assert_eq!(open(bytes, None).err(), Some(Error::Encrypted));
}

#[test]
fn a_wrong_position_of_a_sheet_is_corrected() {
    let mut bytes = one(&[], &[cell(0x27e, 0, 0, 0, &integer(1))]);
    let at = begin(0x0600, 5).len() + 4;
    bytes[at] ^= 0x55;
    let (_, rows) = read(&bytes);
    assert_eq!(shown(&rows), ["A1=1"]);
}

#[test]
fn a_cut_stream_is_read_up_to_the_cut() {
    let cells: Vec<Vec<u8>> = (0..20).map(|row| cell(0xfd, row, 0, 0, &[0; 4])).collect();
    let bytes = one(&strings(), &cells);
    let mut last = 0;
    for end in 0..bytes.len() {
        if let Ok(mut document) = open(bytes[..end].to_vec(), None) {
            let book = document.workbook().unwrap();
            let rows = book.rows(0, &all()).rows.len();
            assert!(rows >= last);
            last = rows;
        }
    }
    assert_eq!(last, 20);
    let mut document = open(bytes[..bytes.len() - 6].to_vec(), None).unwrap();
    assert_eq!(document.unit(0).notes.len(), 1);
}

#[test]
fn huge_counts_take_no_memory() {
    let text = [
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0d,
    ];
    let more = [
        record(0xfc, &text),
        record(0x17, &[0xff, 0xff]),
        record(0x1ae, &[0xff, 0xff, 1, 0, 0, 0]),
    ];
    let cells = [
        record(0xe5, &[0xff, 0xff]),
        cell(0x204, 0, 0, 0, &[0xff, 0xff, 1, b'a', 0]),
        cell(0x27e, u16::MAX, u16::MAX, 0, &integer(1)),
    ];
    let (_, rows) = read(&one(&more.concat(), &cells));
    assert!(shown(&rows)[0].starts_with("A1=a"));
    assert_eq!(rows.rows.len(), 1);
}

#[test]
fn bytes_that_are_no_workbook_are_an_error() {
    for bytes in [&b""[..], b"text", b"\x09\x08", &[0; 600]] {
        assert!(matches!(open(bytes.to_vec(), None), Err(Error::Damaged(_))));
    }
    let other = compound(&[("WordDocument", b"text")]);
    assert!(matches!(open(other, None), Err(Error::Damaged(_))));
}
