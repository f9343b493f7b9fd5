//! Tests of sheets and texts that are larger than a part in memory.

use super::*;

/// The number of rows, which have 4 kB each.
const ROWS: u32 = 9500;

/// A sheet of more bytes than a part, with a shared formula, a link by a formula, and merged cells.
fn large() -> String {
    let filler = "x".repeat(4000);
    let mut text = String::with_capacity(40_000_000);
    text.push_str("<worksheet><cols><col min=\"3\" max=\"3\" hidden=\"1\"/></cols><sheetData>");
    for row in 1..=ROWS {
        let formula = match row {
            2 => "<f t=\"shared\" si=\"0\" ref=\"A2:A9500\">B2*2</f>".to_owned(),
            9400 => "<f t=\"shared\" si=\"0\"/>".to_owned(),
            9300 => "<f>HYPERLINK(\"https://example.org/\",1)</f>".to_owned(),
            _ => String::new(),
        };
        text.push_str(&format!(
            "<row r=\"{row}\"><c r=\"A{row}\">{formula}<v>{row}</v></c>\
             <c r=\"B{row}\" t=\"inlineStr\"><is><t>{filler}</t></is></c></row>"
        ));
    }
    text.push_str("</sheetData><mergeCells><mergeCell ref=\"A9:B9\"/></mergeCells></worksheet>");
    text
}

#[test]
fn rows_of_a_large_sheet_are_read_in_pieces() {
    let text = large();
    assert!(text.len() > limits::PART_BYTES);
    let mut document = opened(&text, &[]);
    let workbook = document.workbook().unwrap();
    let facts = workbook.sheet(0);
    assert_eq!(facts.notes, Vec::<String>::new());
    assert_eq!((facts.rows, facts.used), (ROWS, Range::parse("A1:B9500")));
    assert_eq!(facts.merged, [Range::parse("A9:B9").unwrap()]);
    assert_eq!(facts.links[0].range, Range::parse("A9300").unwrap());
    assert_eq!(facts.hidden_columns, [(3, 3)]);
    // Windows in any order.
    for (first, last) in [
        (9400, 9401),
        (1, 2),
        (5000, 5001),
        (9499, 9600),
        (9600, 9700),
    ] {
        let rows = workbook.rows(0, &window(first, last, 1000)).rows;
        let expected: Vec<u32> = (first..=last.min(ROWS)).collect();
        let numbers: Vec<u32> = rows.iter().map(|row| row.number).collect();
        assert_eq!(numbers, expected);
        for row in rows {
            assert_eq!(row.cells[0].value, Value::Number(f64::from(row.number)));
            let formula = row.cells[0].formula.as_deref();
            assert_eq!(
                formula.is_some(),
                [2, 9400].contains(&row.number),
                "{formula:?}"
            );
            if row.number == 9400 {
                assert_eq!(formula, Some("B9400*2"));
            }
        }
    }
    // Windows that go on where the one before ended.
    let mut next = 1;
    let mut calls = 0;
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
fn texts_of_a_large_workbook_are_read_in_pieces() {
    let filler = "y".repeat(4000);
    let mut strings = String::from("<sst>");
    for index in 0..ROWS {
        strings.push_str(&format!("<si><t>{index} {filler}</t></si>"));
    }
    strings.push_str("</sst>");
    let row = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>9499</v></c></row>";
    let mut document = opened(&sheet(row), &[("xl/sharedStrings.xml", &strings)]);
    let found = document.workbook().unwrap().rows(0, &window(1, 1, 10));
    assert_eq!(found.notes, Vec::<String>::new());
    assert!(
        matches!(&found.rows[0].cells[0].value, Value::Text(text) if text.starts_with("9499 y"))
    );
}

/// A sheet of rows without numbers: shared formulas, a formula that is a link, and blank rows at the ends of
/// pieces. Form controls and merged cells are after them.
fn unnumbered(filler: &str) -> String {
    let mut text = String::from("<worksheet><sheetData>");
    for row in 1..=9600 {
        if row % 1200 > 1000 {
            text.push_str("<row><c s=\"1\"/></row>");
            continue;
        }
        let formula = match row {
            2 => "<f t=\"shared\" si=\"0\" ref=\"A2:A9500\">B2*2</f>".to_owned(),
            4900 => "<f t=\"shared\" si=\"1\" ref=\"A4900:A9500\">B4900*3</f>".to_owned(),
            7300 => "<f t=\"shared\" si=\"0\"/>".to_owned(),
            9500 => "<f t=\"shared\" si=\"1\"/>".to_owned(),
            9400 => "<f>HYPERLINK(\"https://example.org/\",1)</f>".to_owned(),
            _ => String::new(),
        };
        text.push_str(&format!(
            "<row><c>{formula}<v>{row}</v></c><c t=\"inlineStr\"><is><t>{filler}</t></is></c></row>"
        ));
    }
    text.push_str(
        "</sheetData><controls><anchor><xdr:row>1</xdr:row></anchor></controls>\
         <mergeCells><mergeCell ref=\"A9:B9\"/></mergeCells></worksheet>",
    );
    text
}

#[test]
fn rows_without_numbers_are_those_of_a_small_sheet() {
    let (small, large) = (unnumbered("x"), unnumbered(&"x".repeat(4300)));
    assert!(large.len() > limits::PART_BYTES);
    let (mut small, mut large) = (opened(&small, &[]), opened(&large, &[]));
    let (small, large) = (small.workbook().unwrap(), large.workbook().unwrap());
    assert_eq!(small.sheet(0), large.sheet(0));
    assert_eq!(large.sheet(0).merged.len(), 1);
    for (first, last) in [
        (1, 3),
        (1000, 1203),
        (4898, 4902),
        (7299, 7301),
        (9399, 9600),
    ] {
        let cells = |rows: Rows| -> Vec<_> {
            let first = rows
                .rows
                .into_iter()
                .map(|row| (row.number, row.cells[0].clone()));
            first.collect()
        };
        let window = window(first, last, 1000);
        let found = cells(large.rows(0, &window));
        assert!(!found.is_empty());
        assert_eq!(found, cells(small.rows(0, &window)));
    }
}

#[test]
fn large_sheet_out_of_order_is_cut_with_a_note() {
    let filler = "x".repeat(4000);
    let mut text = String::from("<worksheet><sheetData>");
    for row in (4001..=ROWS).chain(1..=4000) {
        text.push_str(&format!(
            "<row r=\"{row}\"><c r=\"A{row}\"><v>{row}</v></c>\
             <c r=\"B{row}\" t=\"inlineStr\"><is><t>{filler}</t></is></c></row>"
        ));
    }
    text.push_str("</sheetData></worksheet>");
    let mut document = opened(&text, &[]);
    let workbook = document.workbook().unwrap();
    let note = "The sheet is not read in full: it has more than 32 MB, and the rest is left out.";
    assert_eq!(workbook.sheet(0).notes, [note]);
    let rows = workbook.rows(0, &window(1, 1, 10)).rows;
    assert_eq!(rows[0].cells[0].value, Value::Number(1.0));
}
