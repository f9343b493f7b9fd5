use super::*;
use crate::path::cells::parse_range;
use crate::tables::{Cell, SqlValue};
use crate::world::memory::MemoryDocument;
use omniread_document as document;
use omniread_document::workbook;

fn text(column: u32, text: &str) -> workbook::Cell {
    workbook::Cell {
        column,
        value: workbook::Value::Text(text.into()),
        shown: None,
        formula: None,
    }
}

fn number(column: u32, number: f64) -> workbook::Cell {
    workbook::Cell {
        value: workbook::Value::Number(number),
        shown: Some(format!("{number:.2}")),
        ..text(column, "")
    }
}

fn sheet(rows: Vec<(u32, Vec<workbook::Cell>)>, wanted: SheetOptions) -> SheetRows {
    try_sheet(rows, wanted).unwrap()
}

fn try_sheet(
    rows: Vec<(u32, Vec<workbook::Cell>)>,
    wanted: SheetOptions,
) -> Result<SheetRows, DocumentError> {
    let columns = || {
        rows.iter()
            .flat_map(|(_, cells)| cells)
            .map(|cell| cell.column)
    };
    let used = workbook::Range {
        first_row: rows.first().unwrap().0,
        first_column: columns().min().unwrap(),
        last_row: rows.last().unwrap().0,
        last_column: columns().max().unwrap(),
    };
    let facts = workbook::SheetFacts {
        used: Some(used),
        rows: u32::try_from(rows.len()).unwrap(),
        ..workbook::SheetFacts::default()
    };
    let rows = rows.into_iter().map(|(number, cells)| workbook::Row {
        number,
        hidden: false,
        cells,
    });
    let document = MemoryDocument {
        sheets: vec![(facts, rows.collect())],
        ..MemoryDocument::default()
    };
    try_open(document, wanted)
}

fn open(document: MemoryDocument, wanted: SheetOptions) -> SheetRows {
    try_open(document, wanted).unwrap()
}

fn try_open(document: MemoryDocument, wanted: SheetOptions) -> Result<SheetRows, DocumentError> {
    let sheet = NamedSheet {
        index: 0,
        name: "Sales",
        text_path: "a.xlsx:sheet:1",
    };
    SheetRows::open(Box::new(document), sheet, wanted)
}

fn sales() -> Vec<(u32, Vec<workbook::Cell>)> {
    vec![
        (2, vec![text(2, "Sales of 2024")]),
        (4, vec![text(2, "Region"), text(3, "Total")]),
        (5, vec![text(2, "North"), number(3, 12.0)]),
        (9, vec![text(2, "South"), number(3, 7.5)]),
    ]
}

fn texts(rows: &mut SheetRows) -> Vec<(u64, Vec<String>)> {
    std::iter::from_fn(|| rows.next())
        .map(|row| {
            (
                row.number,
                row.cells.into_iter().map(|cell| cell.text).collect(),
            )
        })
        .collect()
}

#[test]
fn columns_are_named_by_the_first_wide_row_of_texts() {
    for loaded in [false, true] {
        let wanted = SheetOptions {
            loaded,
            ..SheetOptions::default()
        };
        let mut rows = sheet(sales(), wanted);
        assert_eq!(rows.columns(), ["Region", "Total"]);
        assert_eq!(
            texts(&mut rows),
            [
                (5, vec!["North".to_owned(), "12.00".to_owned()]),
                (9, vec!["South".to_owned(), "7.50".to_owned()]),
            ]
        );
        assert_eq!(
            rows.describe(),
            "sheet `Sales`: cells B2:C9, 4 rows; row 4 has the names of the columns, and 1 row above it is left out"
        );
        assert_eq!(rows.heading(5, 9).as_deref(), Some("Sales!B5:C9"));
        rows.restart().unwrap();
        rows.skip_to(6);
        assert_eq!(rows.next().unwrap().number, 9);
    }
}

#[test]
fn row_above_the_names_is_read_on_request() {
    let wanted = SheetOptions {
        all: true,
        ..SheetOptions::default()
    };
    let mut rows = sheet(sales(), wanted);
    assert_eq!(rows.next().unwrap().number, 2);
    assert_eq!(rows.left(), Some(2));
}

#[test]
fn columns_without_names_have_letters() {
    let rows = vec![
        (1, vec![number(1, 5.0), number(3, 6.0)]),
        (2, vec![number(2, 1.0)]),
    ];
    let mut rows = sheet(rows, SheetOptions::default());
    assert_eq!(rows.columns(), ["A", "B", "C"]);
    let row = rows.next().unwrap();
    assert_eq!(row.cells[1], Cell::empty());
    assert_eq!(row.cells[2].value, SqlValue::Integer(6));
}

#[test]
fn wide_sheet_has_only_the_columns_with_a_value() {
    let rows = vec![(1, vec![text(1, "a")]), (1 << 20, vec![text(16_384, "b")])];
    let mut rows = sheet(rows, SheetOptions::default());
    // The first row names its column.
    assert_eq!(rows.columns(), ["a", "XFD"]);
    assert_eq!(rows.next().unwrap().cells.len(), 2);
}

#[test]
fn only_the_selected_cells_are_read() {
    let wanted = SheetOptions {
        range: parse_range("C5:Z5"),
        all: true,
        ..SheetOptions::default()
    };
    let mut rows = sheet(sales(), wanted);
    assert_eq!(rows.columns(), ["C"]);
    assert_eq!(texts(&mut rows), [(5, vec!["12.00".to_owned()])]);
    let wanted = SheetOptions {
        range: parse_range("X90:Z99"),
        ..SheetOptions::default()
    };
    assert_eq!(sheet(sales(), wanted).next(), None);
}

#[test]
fn rows_that_are_hidden_or_left_out_are_noted() {
    let mut rows = sheet(sales(), SheetOptions::default());
    assert_eq!(texts(&mut rows).len(), 2);
    let description = rows.describe();
    assert!(
        description.ends_with("row 4 has the names of the columns, and 1 row above it is left out"),
        "{description}"
    );
    let all = SheetOptions {
        all: true,
        ..SheetOptions::default()
    };
    let description = sheet(sales(), all).describe();
    assert!(!description.contains("left out"), "{description}");
    let document = MemoryDocument {
        facts: document::Facts {
            list: vec![document::UnitFacts {
                name: "Sales".to_owned(),
                hidden: true,
            }],
            ..document::Facts::default()
        },
        sheets: vec![(
            workbook::SheetFacts {
                used: parse_range("A1:B3"),
                rows: 3,
                hidden_columns: vec![(2, 9), (12, 14)],
                links: ["A1", "B3:B4"]
                    .map(|cells| workbook::CellLink {
                        range: parse_range(cells).unwrap(),
                        url: String::new(),
                    })
                    .to_vec(),
                ..workbook::SheetFacts::default()
            },
            (1..=3)
                .map(|number| workbook::Row {
                    number,
                    hidden: number == 2,
                    cells: vec![text(1, "a"), text(2, "b")],
                })
                .collect(),
        )],
        ..MemoryDocument::default()
    };
    let mut rows = open(document, SheetOptions::default());
    while rows.next().is_some() {}
    assert!(rows.describe().starts_with("sheet `Sales` (hidden): "));
    assert_eq!(
        rows.notes(),
        [
            "row 2 of sheet `Sales` is hidden in the workbook",
            "column B of sheet `Sales` is hidden in the workbook",
            "cells of sheet `Sales` with a link: A1, B3:B4; a.xlsx:sheet:1 shows the addresses",
        ]
    );
}

#[test]
fn sequences_of_hidden_rows_are_listed() {
    let mut rows = HiddenRows::default();
    for number in [3, 7, 8, 9, 12] {
        rows.add(number);
    }
    let mut read = sheet(sales(), SheetOptions::default());
    read.hidden = rows.clone();
    assert_eq!(
        read.notes(),
        ["rows 3, 7 to 9, 12 of sheet `Sales` are hidden in the workbook"]
    );
    for number in 20..60 {
        rows.add(number * 3);
        rows.add(number * 3 + 1);
    }
    read.hidden = rows;
    let notes = read.notes();
    assert!(
        notes[0].contains("12, 60 to 61, 63 to 64, 66 to 67, 69 to 70, 72 to 73, 75 to 76, 78 to 79 and 33 more ranges of"),
        "{notes:?}"
    );
}

#[test]
fn merged_cell_names_each_of_its_columns() {
    let years = |loaded| {
        let cells = [(1, "Region"), (2, "2024"), (4, "2025")];
        let head = cells.map(|(column, name)| text(column, name));
        let quarters = [2, 3, 4, 5].map(|column| text(column, "Q"));
        let numbers = [1, 2, 3, 4, 5].map(|column| text(column, "1"));
        let rows = [head.to_vec(), quarters.to_vec(), numbers.to_vec()];
        let facts = workbook::SheetFacts {
            used: parse_range("A1:E3"),
            rows: 3,
            merged: ["A1:A2", "B1:C1", "D1:E1"]
                .map(|range| parse_range(range).unwrap())
                .to_vec(),
            ..workbook::SheetFacts::default()
        };
        let rows = rows
            .into_iter()
            .zip(1..)
            .map(|(cells, number)| workbook::Row {
                number,
                hidden: false,
                cells,
            });
        let document = MemoryDocument {
            sheets: vec![(facts, rows.collect())],
            ..MemoryDocument::default()
        };
        let options = SheetOptions {
            loaded,
            ..SheetOptions::default()
        };
        open(document, options)
    };
    for loaded in [false, true] {
        let rows = years(loaded);
        assert_eq!(
            rows.columns(),
            ["Region", "2024", "2024 (2)", "2025", "2025 (2)"]
        );
        assert_eq!(
            rows.notes(),
            [
                "merged cells that name each of their columns: B1:C1, D1:E1",
                "merged cells, with the value in the first one: A1:A2",
            ]
        );
    }
}

#[test]
fn merged_cells_outside_of_the_range_are_not_noted() {
    let names = ["A", "B", "C", "D", "E"];
    let head = names
        .iter()
        .zip(1..)
        .map(|(name, column)| text(column, name));
    let values = (1..=5).map(|column| number(column, 1.0));
    let merged = ["A1:B1", "D1:E1", "A2:A3", "D2:D3", "C3:D9"];
    let facts = workbook::SheetFacts {
        used: parse_range("A1:E3"),
        rows: 3,
        merged: merged.map(|range| parse_range(range).unwrap()).to_vec(),
        ..workbook::SheetFacts::default()
    };
    let values: Vec<workbook::Cell> = values.collect();
    let rows = vec![
        row_of(1, &head.collect::<Vec<_>>()),
        row_of(2, &values),
        row_of(3, &values),
    ];
    let document = MemoryDocument {
        sheets: vec![(facts, rows)],
        ..MemoryDocument::default()
    };
    let options = SheetOptions {
        range: parse_range("D1:E2"),
        ..SheetOptions::default()
    };
    assert_eq!(
        open(document, options).notes(),
        [
            "merged cells that name each of their columns: D1:E1",
            "merged cells, with the value in the first one: D2:D3",
        ]
    );
}

#[test]
fn merged_cell_above_the_names_names_its_column() {
    // The names are in the second row, and the first cell of the first column is merged with it.
    let first = row_of(1, &[text(1, "Region"), text(2, "2024")]);
    let names: Vec<workbook::Cell> = (2..=6)
        .map(|column| text(column, &format!("Q{column}")))
        .collect();
    let values: Vec<workbook::Cell> = (1..=6).map(|column| number(column, 1.0)).collect();
    let merged = ["A1:A2", "B1:F1"].map(|range| parse_range(range).unwrap());
    let rows = [first, row_of(2, &names), row_of(3, &values)];
    let rows: Vec<&workbook::Row> = rows.iter().collect();
    let found = header::names(Some(2), &rows, &[1, 2, 3], &merged);
    assert_eq!(found, ["Region", "Q2", "Q3"]);
    // Ranges of damaged files overlap or have no value.
    let wrong = ["A1:F9", "C2:D2", "B2:A1", "F7:F7"].map(|range| parse_range(range).unwrap());
    let found = header::names(Some(3), &rows, &[1, 7, 8], &wrong);
    assert_eq!(found, ["1.00", "G", "H"]);
}

fn row_of(number: u32, cells: &[workbook::Cell]) -> workbook::Row {
    workbook::Row {
        number,
        hidden: false,
        cells: cells.to_vec(),
    }
}

#[test]
fn loaded_texts_are_limited_by_their_size() {
    let long = "x".repeat(1024 * 1024);
    let of = |distinct: bool, loaded| {
        let rows = (1..=70).map(|row| {
            let own = if distinct {
                row.to_string()
            } else {
                String::new()
            };
            (row, vec![text(1, &format!("{own}{long}")), text(2, "b")])
        });
        let wanted = SheetOptions {
            loaded,
            ..SheetOptions::default()
        };
        try_sheet(rows.collect(), wanted)
    };
    assert!(of(true, false).is_ok());
    let error = of(true, true).err().unwrap();
    assert_eq!(error.to_string(), "it exceeds the limit `size of texts`");
    // One text that all cells share is in memory once.
    let shared = of(false, true).unwrap();
    let Source::Memory(rows, _) = &shared.source else {
        panic!("not loaded");
    };
    let texts: Vec<&workbook::Value> = rows.iter().map(|row| &row.cells[0].value).collect();
    let [
        workbook::Value::Text(first),
        ..,
        workbook::Value::Text(last),
    ] = texts.as_slice()
    else {
        panic!("no texts");
    };
    assert!(std::rc::Rc::ptr_eq(first, last));
}
