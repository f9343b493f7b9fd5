//! Tests of sheets that are larger than a part in memory.

use super::*;
use crate::limits;

/// The number of rows, which have 4 kB each.
const ROWS: u32 = 9500;

/// A sheet with a shared formula in its second and in its last row, and a link and hidden columns at its end.
fn large() -> Vec<u8> {
    let text = wide(&"x".repeat(2000));
    let shared = formula(&1.0_f64.to_le_bytes(), &[1, 1, 0, 0, 0], &numbers(&[1]));
    let mut definition = numbers(&[1, ROWS, 1, 1, 7]);
    definition.extend([0x4c, 1, 0, 0, 0, 0, 0xc0]);
    definition.extend(numbers(&[0]));
    let mut cells = Vec::with_capacity(40_000_000);
    for number in 0..ROWS {
        cells.extend(row(number, 0));
        cells.extend(cell(2, 0, 0, &integer(i32::try_from(number).unwrap() + 1)));
        if [1, ROWS - 1].contains(&number) {
            cells.extend(cell(9, 1, 0, &shared));
        }
        if number == 1 {
            cells.extend(record(427, &definition));
        }
        cells.extend(cell(6, 2, 0, &text));
    }
    cells.extend(record(146, &[]));
    cells.extend(record(176, &numbers(&[8, 8, 0, 1])));
    cells
}

#[test]
fn rows_of_a_large_sheet_are_read_in_pieces() {
    let cells = large();
    assert!(cells.len() > limits::PART_BYTES);
    let mut document = document(&cells);
    let workbook = document.workbook().unwrap();
    let facts = workbook.sheet(0);
    assert_eq!(facts.notes, Vec::<String>::new());
    assert_eq!((facts.rows, facts.used), (ROWS, Range::parse("A1:C9500")));
    assert_eq!(facts.merged, [Range::parse("A9:B9").unwrap()]);
    for (first, last) in [
        (9499, 9500),
        (1, 2),
        (5000, 5001),
        (9499, 9600),
        (9600, 9700),
    ] {
        let rows = workbook.rows(0, &window(first, last, 1000)).rows;
        let found: Vec<u32> = rows.iter().map(|row| row.number).collect();
        assert_eq!(found, (first..=last.min(ROWS)).collect::<Vec<_>>());
        for row in rows {
            assert_eq!(row.cells[0].value, Value::Number(f64::from(row.number)));
            let next = format!("B{}", row.number + 1);
            match row.number {
                2 | ROWS => assert_eq!(row.cells[1].formula, Some(next)),
                _ => assert_eq!(row.cells.len(), 2),
            }
        }
    }
    let (mut next, mut calls) = (1, 0);
    while next <= ROWS {
        let found = workbook.rows(0, &window(next, LAST_ROW, 1500));
        assert_eq!(found.rows[0].number, next);
        next = found.rows.last().unwrap().number + 1;
        assert_eq!(found.more, next <= ROWS);
        calls += 1;
    }
    assert!(calls < 100, "{calls}");
}

#[test]
fn a_large_sheet_is_read_up_to_its_damage() {
    let mut cells = large();
    // A record that is longer than the part, after about half of the rows.
    let middle = cells.len() / 2;
    let at = middle
        + cells[middle..]
            .windows(2)
            .position(|it| it == [2, 12])
            .unwrap();
    cells[at + 1..at + 5].fill(0xff);
    let mut document = document(&cells);
    let workbook = document.workbook().unwrap();
    let facts = workbook.sheet(0);
    assert_eq!(
        facts.notes,
        ["The sheet is damaged. Cells after the damage are missing."]
    );
    let last = facts.used.unwrap().last_row;
    assert!((4000..5500).contains(&last), "{last}");
    let rows = workbook.rows(0, &window(last, last, 10)).rows;
    assert_eq!(rows[0].number, last);
}

#[test]
fn a_large_sheet_out_of_order_is_cut_with_a_note() {
    let text = wide(&"x".repeat(2000));
    let mut cells = Vec::with_capacity(40_000_000);
    for number in (1..ROWS).step_by(2).chain((0..ROWS).step_by(2)) {
        cells.extend(row(number, 0));
        cells.extend(cell(6, 0, 0, &text));
    }
    let mut document = document(&cells);
    let workbook = document.workbook().unwrap();
    let note = "The sheet is not read in full: it has more than 32 MB, and the rest is left out.";
    assert_eq!(workbook.sheet(0).notes, [note]);
    assert_eq!(workbook.rows(0, &window(1, 2, 10)).rows.len(), 2);
}
