//! Workbooks before Excel 97.

use super::*;

#[test]
fn old_texts_have_a_code_page() {
    let mut data = begin(0x0500, 5);
    data.extend(record(0x42, &numbers(&[1251])));
    let position = u32::try_from(data.len() + 4 + 8 + 4).unwrap();
    let mut sheet = position.to_le_bytes().to_vec();
    sheet.extend([0, 0, 1, 0xc4]);
    data.extend(record(0x85, &sheet));
    data.extend(end());
    data.extend(begin(0x0500, 0x10));
    data.extend(cell(0x204, 0, 0, 0, &[2, 0, 0xc4, 0xc5]));
    data.extend(end());
    let mut document = open(compound(&[("Book", &data)]), None).unwrap();
    let book = document.workbook().unwrap();
    assert_eq!(book.sheets()[0].name, "Д");
    assert_eq!(shown(&book.rows(0, &all())), ["A1=ДЕ"]);
}

#[test]
fn a_bare_stream_of_excel_2_is_a_sheet() {
    let mut data = record(0x09, &numbers(&[2, 0x10]));
    data.extend(record(0x1e, b"\x07General"));
    data.extend(record(0x1e, b"\x040.00"));
    data.extend(record(0x02, &[0, 0, 0, 0, 0, 1, 0, 7, 0]));
    data.extend(record(0x04, &[0, 0, 1, 0, 0, 0, 0, 2, b'o', b'k']));
    data.extend(end());
    let mut document = open(data, None).unwrap();
    let book = document.workbook().unwrap();
    assert_eq!(book.sheets().len(), 1);
    let rows = book.rows(0, &all());
    assert_eq!(shown(&rows), ["A1=7", "B1=ok"]);
    assert_eq!(rows.rows[0].cells[0].shown.as_deref(), Some("7.00"));
}

#[test]
fn bare_streams_of_excel_3_and_4_are_workbooks() {
    for (first, kind, name) in [
        (0x209, 0x206, "Excel 3 worksheet"),
        (0x409, 0x406, "Excel 4 workbook"),
    ] {
        let mut data = record(first, &numbers(&[0, 0x10, 0]));
        data.extend(cell(0x203, 0, 0, 0, &1.5_f64.to_le_bytes()));
        data.extend(cell(0x204, 0, 1, 0, &[2, 0, b'o', b'k']));
        data.extend(cell(0x205, 0, 2, 0, &[1, 0]));
        let tokens = [&2.0_f64.to_le_bytes()[..], &[0, 0, 3, 0, 0x1e, 2, 0]].concat();
        data.extend(cell(kind, 1, 0, 0, &tokens));
        data.extend(end());
        let mut document = open(data, None).unwrap();
        assert_eq!(document.facts().format, name);
        let book = document.workbook().unwrap();
        let rows = book.rows(0, &all());
        assert_eq!(shown(&rows), ["A1=1.5", "B1=ok", "C1=TRUE", "A2=2"]);
        let why = "The formulas of workbooks before Excel 5.0 are not shown.";
        assert_eq!(rows.notes, [why]);
        let window = Window {
            formulas: false,
            ..all()
        };
        assert!(book.rows(0, &window).notes.is_empty());
    }
}
