//! Tests of sheets that are larger than a part in memory.

use super::*;
use crate::testing::package;

/// The number of rows of each sheet, which have 4 kB each.
const ROWS: u32 = 4500;

/// Two sheets that are together larger than a part, with rows in groups, a comment and a link near their
/// ends.
fn sheets(filler: &str) -> Box<dyn Document> {
    let mut all = String::with_capacity(40_000_000);
    for name in ["first", "second"] {
        let mut rows = String::new();
        for row in 1..=ROWS {
            let cells = number(&row.to_string()) + &cell("", filler);
            let more = match row {
                4300 => {
                    let comment = format!(
                        "<office:annotation><text:p>on {name}</text:p></office:annotation>"
                    );
                    format!("<table:table-cell>{comment}<text:p>x</text:p></table:table-cell>")
                }
                4400 => cell("", "<text:a xlink:href=\"https://example.org/\">y</text:a>"),
                _ => String::new(),
            };
            rows.push_str(&super::row(&(cells + &more)));
        }
        let rows = format!("<table:table-row-group>{rows}</table:table-row-group>");
        all.push_str(&table(name, &rows));
    }
    assert!(all.len() > limits::PART_BYTES);
    workbook("", &all, &[])
}

fn window(first_row: u32, last_row: u32, cells: usize) -> Window {
    Window {
        range: range(first_row, 1, last_row, 100),
        cells,
        ..ALL
    }
}

#[test]
fn rows_of_large_sheets_are_read_in_pieces() {
    let mut document = sheets(&"x".repeat(4000));
    assert_eq!(document.notes(), Vec::<String>::new());
    let workbook = document.workbook().unwrap();
    for sheet in [1, 0] {
        let facts = workbook.sheet(sheet);
        assert_eq!(facts.notes, Vec::<String>::new());
        assert_eq!((facts.rows, facts.used), (ROWS, Some(range(1, 1, ROWS, 3))));
        assert_eq!(facts.links[0].range, range(4400, 3, 4400, 3));
        for (first, last) in [
            (4400, 4401),
            (1, 2),
            (2000, 2001),
            (4499, 4600),
            (4600, 4700),
        ] {
            let rows = workbook.rows(sheet, &window(first, last, 1000)).rows;
            let numbers: Vec<u32> = rows.iter().map(|row| row.number).collect();
            assert_eq!(numbers, (first..=last.min(ROWS)).collect::<Vec<_>>());
            for row in rows {
                assert_eq!(row.cells[0].value, Value::Number(f64::from(row.number)));
            }
        }
        // Windows that go on where the one before ended.
        let (mut next, mut calls) = (1, 0);
        while next <= ROWS {
            let found = workbook.rows(sheet, &window(next, LAST_ROW, 900));
            assert_eq!(found.rows[0].number, next);
            next = found.rows.last().unwrap().number + 1;
            assert_eq!(found.more, next <= ROWS);
            calls += 1;
        }
        assert!(calls < 20, "{calls}");
    }
    for (sheet, name) in ["first", "second"].into_iter().enumerate() {
        let comments = workbook.objects(sheet).comments;
        assert_eq!(comments.len(), 1);
        assert_eq!((comments[0].row, comments[0].column), (4300, 3));
        assert_eq!(comments[0].text, format!("on {name}"));
    }
}

#[test]
fn pieces_with_wrong_bytes_keep_their_rows() {
    // The text is longer than its bytes, so that positions in it are not those in the part.
    let rows = row(&cell("", &"q".repeat(4000))).repeat(9000);
    let body = format!(
        "<office:spreadsheet>{}</office:spreadsheet>",
        table("a", &rows)
    );
    let mut bytes = content("", &body).into_bytes();
    for byte in bytes.iter_mut().filter(|byte| **byte == b'q').step_by(7) {
        *byte = 0xff;
    }
    let bytes = package(&[("content.xml", &bytes)]);
    let mut document = open(bytes, Format::Ods, None).unwrap();
    let workbook = document.workbook().unwrap();
    assert_eq!(workbook.sheet(0).rows, 9000);
    let mut next = 1;
    while next <= 9000 {
        let found = workbook.rows(0, &window(next, LAST_ROW, 900)).rows;
        assert_eq!(found[0].number, next);
        next = found.last().unwrap().number + 1;
    }
}
