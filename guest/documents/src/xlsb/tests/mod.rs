//! Tests of binary workbooks with small files.

mod large;

use super::open;
use crate::testing::{package, relationships};
use crate::workbook::{
    LAST_COLUMN, LAST_ROW, Range, Rows, SheetFacts, Value, Visibility, Window, Workbook,
};
use crate::{Document, Error};
use std::rc::Rc;

/// A record.
fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    if kind < 0x80 {
        out.push(u8::try_from(kind).unwrap());
    } else {
        out.push(u8::try_from(kind & 0x7f).unwrap() | 0x80);
        out.push(u8::try_from(kind >> 7).unwrap());
    }
    let mut size = data.len();
    loop {
        let byte = u8::try_from(size & 0x7f).unwrap();
        size >>= 7;
        out.push(if size > 0 { byte | 0x80 } else { byte });
        if size == 0 {
            break;
        }
    }
    out.extend(data);
    out
}

fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut out = u32::try_from(units.len()).unwrap().to_le_bytes().to_vec();
    out.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    out
}

fn numbers(list: &[u32]) -> Vec<u8> {
    list.iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

fn row(number: u32, flags: u8) -> Vec<u8> {
    let mut data = numbers(&[number, 0]);
    data.extend([0, 0, 0, flags, 0, 0, 0, 0, 0]);
    record(0, &data)
}

fn cell(kind: u16, column: u32, style: u32, value: &[u8]) -> Vec<u8> {
    let mut data = numbers(&[column, style]);
    data.extend(value);
    record(kind, &data)
}

/// A formula with its flags.
fn formula(value: &[u8], tokens: &[u8], extra: &[u8]) -> Vec<u8> {
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap().to_le_bytes();
    let mut out = value.to_vec();
    out.extend([0, 0]);
    out.extend(size(tokens));
    out.extend(tokens);
    out.extend(size(extra));
    out.extend(extra);
    out
}

fn integer(value: i32) -> [u8; 4] {
    (value << 2 | 2).to_le_bytes()
}

fn sheet(state: u32, id: &str, name: &str) -> Vec<u8> {
    let mut data = numbers(&[state, 1]);
    data.extend(wide(id));
    data.extend(wide(name));
    record(156, &data)
}

/// A workbook of two sheets, of which the second one is very hidden.
fn workbook(cells: &[u8]) -> Vec<u8> {
    workbook_with(cells, "zwölf €")
}

/// Such a workbook with another third shared string.
fn workbook_with(cells: &[u8], text: &str) -> Vec<u8> {
    let book = [sheet(0, "rId1", "Data"), sheet(2, "rId2", "Macros")].concat();
    let strings = ["one", "", text].map(|text| {
        let mut data = vec![0];
        data.extend(wide(text));
        record(19, &data)
    });
    let mut format = 165_u16.to_le_bytes().to_vec();
    format.extend(wide("yyyy\\-mm\\-dd"));
    let style = |format: u16| {
        let mut data = vec![0, 0];
        data.extend(format.to_le_bytes());
        data.extend([0; 12]);
        record(47, &data)
    };
    let styles = [
        record(44, &format),
        record(626, &[]),
        style(9),
        record(627, &[]),
        record(617, &[]),
        style(0),
        style(165),
        record(618, &[]),
    ];
    let mut table = numbers(&[0, 2, 0, 1, 0, 4, 1, 0]);
    table.extend([0; 32]);
    table.extend(wide("Table1"));
    table.extend(wide("Prices"));
    let root = relationships(&[("rId1", "officeDocument", "xl/workbook.bin")]);
    let related = relationships(&[
        ("rId1", "worksheet", "worksheets/sheet1.bin"),
        ("rId2", "worksheet", "worksheets/sheet2.bin"),
        ("rId3", "sharedStrings", "sharedStrings.bin"),
        ("rId4", "styles", "styles.bin"),
    ]);
    let of_sheet = relationships(&[
        ("rId1", "table", "../tables/table1.bin"),
        ("rId2", "hyperlink", "https://example.org/"),
        ("rId3", "comments", "../comments1.bin"),
    ]);
    let mut comment = numbers(&[0, 1, 1, 0, 0]);
    comment.extend([0; 16]);
    let comments = [
        record(632, &wide("Ann")),
        record(635, &comment),
        record(637, &[&[0][..], &wide("Ann:\nSee below")].concat()),
    ];
    package(&[
        ("_rels/.rels", root.as_bytes()),
        ("xl/workbook.bin", &book),
        ("xl/_rels/workbook.bin.rels", related.as_bytes()),
        ("xl/sharedStrings.bin", &strings.concat()),
        ("xl/styles.bin", &styles.concat()),
        ("xl/worksheets/sheet1.bin", cells),
        ("xl/worksheets/_rels/sheet1.bin.rels", of_sheet.as_bytes()),
        ("xl/worksheets/sheet2.bin", &[]),
        ("xl/tables/table1.bin", &record(343, &table)),
        ("xl/comments1.bin", &comments.concat()),
    ])
}

fn document(cells: &[u8]) -> Box<dyn Document> {
    open(workbook(cells)).unwrap()
}

fn window(first: u32, last: u32, cells: usize) -> Window {
    Window {
        range: Range {
            first_row: first,
            first_column: 1,
            last_row: last,
            last_column: LAST_COLUMN,
        },
        formulas: true,
        cells,
    }
}

fn read(cells: &[u8]) -> (SheetFacts, Rows) {
    let mut document = document(cells);
    let book: &mut dyn Workbook = document.workbook().unwrap();
    let facts = book.sheet(0);
    (
        SheetFacts::clone(&facts),
        book.rows(0, &window(1, LAST_ROW, usize::MAX)),
    )
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

#[test]
fn cells_of_all_kinds_have_values() {
    let half = 0.5_f64.to_le_bytes();
    let cells = [
        record(145, &[]),
        row(0, 0),
        cell(1, 0, 0, &[]),
        cell(2, 1, 0, &integer(-7)),
        cell(2, 2, 0, &(1234_i32 << 2 | 3).to_le_bytes()),
        cell(3, 3, 0, &[0x07]),
        cell(4, 4, 0, &[1]),
        cell(5, 5, 0, &half),
        cell(6, 6, 0, &wide("own")),
        cell(7, 7, 0, &numbers(&[2])),
        cell(7, 8, 0, &numbers(&[1])),
        cell(7, 9, 0, &numbers(&[99])),
        cell(62, 10, 0, &[&[0][..], &wide("rich")].concat()),
        cell(2, 11, 1, &integer(45_000)),
        row(3, 0x10),
        cell(8, 0, 0, &formula(&wide("x"), &[0x1e, 5, 0], &[])),
        cell(9, 1, 0, &formula(&half, &[0x1e, 6, 0], &[])),
        cell(10, 2, 0, &formula(&[0], &[0x1d, 0], &[])),
        cell(11, 3, 0, &formula(&[0x2a], &[0x1c, 0x2a], &[])),
        record(13, &[numbers(&[0]), integer(3).to_vec()].concat()),
        record(146, &[]),
        record(176, &numbers(&[0, 1, 2, 3])),
    ];
    let (facts, rows) = read(&cells.concat());
    let expected = [
        "B1=-7",
        "C1=12.34",
        "D1=#DIV/0!",
        "E1=TRUE",
        "F1=0.5",
        "G1=own",
        "H1=zwölf €",
        "K1=rich",
        "L1=2023-03-15",
        "A4=x =5",
        "B4=0.5 =6",
        "C4=FALSE =FALSE",
        "D4=#N/A =#N/A",
        "E4=3",
    ];
    assert_eq!(shown(&rows), expected);
    assert!(matches!(rows.rows[0].cells[8].value, Value::Date(_)));
    assert!(!rows.rows[0].hidden && rows.rows[1].hidden);
    let used = facts.used.unwrap();
    assert_eq!((used.first_row, used.first_column), (1, 1));
    assert_eq!((used.last_row, used.last_column), (4, 12));
    assert_eq!(facts.rows, 2);
    assert_eq!(facts.merged.len(), 1);
    assert_eq!(
        (facts.merged[0].last_row, facts.merged[0].first_column),
        (2, 3)
    );
    assert_eq!(facts.tables.len(), 1);
    assert_eq!(facts.tables[0].name, "Prices");
    assert!(facts.tables[0].header);
    assert_eq!(facts.notes, Vec::<String>::new());
}

#[test]
fn sheets_have_names_and_visibility() {
    let mut document = document(&[]);
    let book = document.workbook().unwrap();
    assert_eq!(book.sheets()[0].name, "Data");
    assert_eq!(book.sheets()[1].visibility, Visibility::VeryHidden);
    assert_eq!(book.sheet(7), Rc::default());
    assert_eq!(book.rows(7, &window(1, 9, 9)), Rows::default());
}

#[test]
fn shared_formulas_and_arrays_have_text() {
    // Row 1: a shared formula for A1 and A2, and an array formula in B1 and B2.
    let exp = [1, 0, 0, 0, 0];
    let value = 1.0_f64.to_le_bytes();
    let shared = |column: u32| formula(&value, &exp, &numbers(&[column]));
    let relative = [0x4c, 1, 0, 0, 0, 0, 0xc0];
    let mut definition = numbers(&[0, 1, 0, 0, 7]);
    definition.extend(relative);
    definition.extend(numbers(&[0]));
    let mut array = numbers(&[0, 1, 1, 1]);
    array.push(0);
    array.extend(numbers(&[3]));
    array.extend([0x1e, 9, 0]);
    array.extend(numbers(&[0]));
    let cells = [
        row(0, 0),
        cell(9, 0, 0, &shared(0)),
        record(427, &definition),
        cell(9, 1, 0, &shared(1)),
        record(426, &array),
        row(1, 0),
        cell(9, 0, 0, &shared(0)),
        cell(9, 1, 0, &shared(1)),
    ];
    let (_, rows) = read(&cells.concat());
    assert_eq!(shown(&rows), ["A1=1 =A2", "B1=1 ={=9}", "A2=1 =A3", "B2=1"]);
}

#[test]
fn objects_are_beside_the_cells() {
    let mut link = numbers(&[0, 0, 0, 0]);
    link.extend(wide("rId2"));
    link.extend(wide("top"));
    let mut columns = numbers(&[1, 2, 0, 0]);
    columns.extend([1, 0]);
    let cells = [record(60, &columns), row(0, 0), record(494, &link)];
    let mut document = document(&cells.concat());
    let facts = document.workbook().unwrap().sheet(0);
    assert_eq!(facts.hidden_columns, [(2, 3)]);
    assert_eq!(facts.links.len(), 1);
    assert_eq!(facts.links[0].url, "https://example.org/#top");
    let objects = document.workbook().unwrap().objects(0);
    let comment = &objects.comments[0];
    assert_eq!((comment.row, comment.column), (2, 1));
    assert_eq!(
        (comment.author.as_str(), comment.text.as_str()),
        ("Ann", "See below")
    );
}

#[test]
fn corners_of_a_sheet_are_two_cells() {
    let cells = [
        row(0, 0),
        cell(2, 0, 0, &integer(1)),
        row(LAST_ROW - 1, 0),
        cell(2, LAST_COLUMN - 1, 0, &integer(2)),
        row(LAST_ROW, 0),
        cell(2, LAST_COLUMN, 0, &integer(3)),
        row(u32::MAX, 0),
        cell(2, u32::MAX, 0, &integer(4)),
    ];
    let (facts, rows) = read(&cells.concat());
    assert_eq!(shown(&rows), ["A1=1", "XFD1048576=2"]);
    assert_eq!(facts.rows, 2);
}

#[test]
fn a_million_empty_rows_take_no_memory() {
    let mut cells = Vec::new();
    let mut empty = row(0, 0);
    for number in 0..1_000_000_u32 {
        empty[2..6].copy_from_slice(&number.to_le_bytes());
        cells.extend_from_slice(&empty);
    }
    cells.extend(cell(2, 0, 0, &integer(1)));
    let (facts, rows) = read(&cells);
    assert_eq!(facts.rows, 1);
    assert_eq!(shown(&rows), ["A1000000=1"]);
}

#[test]
fn windows_together_are_the_whole_sheet() {
    let cells: Vec<u8> = (0..500)
        .flat_map(|number| {
            let cells = [
                row(number * 3, 0),
                cell(2, 0, 0, &integer(1)),
                cell(2, 1, 0, &integer(2)),
            ];
            cells.concat()
        })
        .collect();
    let mut document = document(&cells);
    let book = document.workbook().unwrap();
    let whole = book.rows(0, &window(1, LAST_ROW, usize::MAX));
    assert_eq!(whole.rows.len(), 500);
    assert!(!whole.more);
    let (mut rows, mut first) = (Vec::new(), 1);
    loop {
        let part = book.rows(0, &window(first, LAST_ROW, 7));
        assert!(part.rows.len() <= 4);
        first = part.rows.last().unwrap().number + 1;
        rows.extend(part.rows);
        if !part.more {
            break;
        }
    }
    assert_eq!(rows, whole.rows);
    let mut narrow = window(4, 4, 1);
    narrow.range.first_column = 2;
    assert_eq!(shown(&book.rows(0, &narrow)), ["B4=2"]);
}

#[test]
fn rows_out_of_order_are_sorted() {
    let cells = [
        row(5, 0),
        cell(2, 1, 0, &integer(1)),
        cell(2, 0, 0, &integer(2)),
        row(2, 0),
        cell(2, 0, 0, &integer(3)),
        row(5, 0),
        cell(2, 1, 0, &integer(4)),
        row(5, 0),
        cell(2, 2, 0, &integer(5)),
    ];
    let (facts, rows) = read(&cells.concat());
    assert_eq!(shown(&rows), ["A3=3", "A6=2", "B6=4", "C6=5"]);
    assert_eq!(facts.rows, 2);
}

#[test]
fn a_cut_sheet_is_read_up_to_the_cut() {
    let cells: Vec<u8> = (0..20)
        .flat_map(|number| [row(number, 0), cell(7, 0, 0, &numbers(&[0]))].concat())
        .collect();
    let mut last = 0;
    for end in (0..cells.len()).step_by(5) {
        let (facts, rows) = read(&cells[..end]);
        assert!(rows.rows.len() >= last && rows.rows.len() <= 20);
        last = rows.rows.len();
        assert!(facts.notes.len() <= 1);
    }
    assert_eq!(last, 19);
    let (facts, _) = read(&cells[..cells.len() - 1]);
    assert_eq!(facts.notes.len(), 1);
}

#[test]
fn a_cut_package_does_not_panic() {
    let bytes = workbook(&[row(0, 0), cell(2, 0, 0, &integer(1))].concat());
    for end in (0..bytes.len()).step_by(31) {
        if let Ok(mut document) = open(bytes[..end].to_vec()) {
            for index in 0..document.facts().list.len() {
                document.unit(index);
            }
        }
    }
    assert!(matches!(open(Vec::new()), Err(Error::Damaged(_))));
}

#[test]
fn one_long_text_in_many_cells_is_limited() {
    let text = "x".repeat(100_000);
    let mut cells = row(0, 0);
    cells.extend((0..3000).flat_map(|column| cell(7, column, 0, &numbers(&[2]))));
    let mut document = open(workbook_with(&cells, &text)).unwrap();
    let book = document.workbook().unwrap();
    let rows = book.rows(0, &window(1, LAST_ROW, usize::MAX));
    let bytes: usize = rows.rows[0]
        .cells
        .iter()
        .map(|it| it.value.plain().len())
        .sum();
    assert!(bytes <= crate::limits::ROWS_BYTES);
    assert_eq!(rows.notes.len(), 1);
}
