use super::*;
use crate::path::cells::parse_range;
use crate::world::memory::MemoryDocument;
use crate::world::{DocumentSummary, DocumentUnit};

fn text(column: u32, text: &str) -> SheetCell {
    SheetCell {
        column,
        value: CellValue::Text(text.to_owned()),
        shown: None,
        formula: None,
    }
}

fn number(column: u32, number: f64) -> SheetCell {
    SheetCell {
        value: CellValue::Number(number),
        shown: Some(format!("{number:.2}")),
        ..text(column, "")
    }
}

fn sheet(rows: Vec<(u32, Vec<SheetCell>)>, wanted: SheetOptions) -> SheetRows {
    let columns = || {
        rows.iter()
            .flat_map(|(_, cells)| cells)
            .map(|cell| cell.column)
    };
    let used = CellRange {
        first_row: rows.first().unwrap().0,
        first_column: columns().min().unwrap(),
        last_row: rows.last().unwrap().0,
        last_column: columns().max().unwrap(),
    };
    let facts = SheetFacts {
        used: Some(used),
        rows: u32::try_from(rows.len()).unwrap(),
        ..SheetFacts::default()
    };
    let rows = rows.into_iter().map(|(number, cells)| SheetRow {
        number,
        hidden: false,
        cells,
    });
    let document = MemoryDocument {
        sheets: vec![(facts, rows.collect())],
        ..MemoryDocument::default()
    };
    SheetRows::open(Box::new(document), 0, "Sales", wanted).unwrap()
}

fn sales() -> Vec<(u32, Vec<SheetCell>)> {
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
        summary: DocumentSummary {
            units: vec![DocumentUnit {
                name: "Sales".to_owned(),
                hidden: true,
            }],
            ..DocumentSummary::default()
        },
        sheets: vec![(
            SheetFacts {
                used: parse_range("A1:B3"),
                rows: 3,
                ..SheetFacts::default()
            },
            (1..=3)
                .map(|number| SheetRow {
                    number,
                    hidden: number == 2,
                    cells: vec![text(1, "a"), text(2, "b")],
                })
                .collect(),
        )],
        ..MemoryDocument::default()
    };
    let options = SheetOptions::default();
    let mut rows = SheetRows::open(Box::new(document), 0, "Sales", options).unwrap();
    while rows.next().is_some() {}
    assert!(rows.describe().starts_with("sheet `Sales` (hidden): "));
    assert_eq!(rows.notes(), ["row 2 is hidden in the workbook"]);
}
