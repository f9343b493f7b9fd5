//! Tests of damage and limits.

use super::*;

#[test]
fn sheets_are_found_without_a_list() {
    let mut document = opened(
        &sheet("<row><c><v>1</v></c></row>"),
        &[("xl/workbook.xml", "<workbook><sheets")],
    );
    assert_eq!(document.facts().list[0].name, "Sheet1");
    assert_eq!(document.notes().len(), 1);
    assert_eq!(document.workbook().unwrap().sheet(0).rows, 1);
}

#[test]
fn other_packages_are_named() {
    let other = package(&[("word/document.xml", b"<document/>")]);
    let Err(error) = open(other) else {
        panic!("a Word document is not a workbook");
    };
    assert_eq!(
        error,
        Error::Damaged("the file is a Word document".to_owned())
    );
}

#[test]
fn cut_sheets_keep_their_rows() {
    let text = sheet(
        "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>a</t></is></c><c r=\"B1\"><v>2</v></c></row>\
         <row r=\"2\"><c r=\"A2\"><v>3</v></c></row>",
    );
    let whole = text.find("<row r=\"2\"").unwrap();
    for end in 0..text.len() {
        let mut document = opened(&text[..end], &[]);
        let workbook = document.workbook().unwrap();
        workbook.sheet(0);
        let found = workbook.rows(0, &window(1, 9, usize::MAX));
        assert_eq!(
            found.rows.first().map_or(0, |it| it.cells.len()) == 2,
            end >= whole - 14,
            "{end}"
        );
        document.unit(0);
    }
}

#[test]
fn cells_outside_of_a_sheet_are_left_out() {
    let rows = "<row r=\"1048577\"><c r=\"A1048577\"><v>1</v></c></row><row r=\"1\"><c r=\"XFE1\">\
                <v>1</v></c><c r=\"XFD1\"><v>2</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\">\
                <v>3</v></c></row><row r=\"0\"><c r=\"A0\"><v>4</v></c></row>";
    let mut document = opened(&sheet(rows), &[]);
    let facts = document.workbook().unwrap().sheet(0);
    assert_eq!(facts.used, Range::parse("XFD1:XFD1048576"));
    assert_eq!(facts.notes.len(), 1);
    let found = texts(rows, &[]);
    assert_eq!(found.len(), 2);
    assert!(document.unit(0).text.len() < 200);
}

#[test]
fn long_shared_texts_are_bounded() {
    let long = "x".repeat(limits::CELL_BYTES * 2);
    let strings = format!("<sst><si><t>{long}</t></si></sst>");
    let cells: String = "<c t=\"s\"><v>0</v></c>".repeat(5000);
    let rows = format!("<row>{cells}</row>").repeat(2);
    let mut document = opened(&sheet(&rows), &[("xl/sharedStrings.xml", &strings)]);
    let found = document
        .workbook()
        .unwrap()
        .rows(0, &window(1, 9, usize::MAX));
    assert!(found.more);
    assert_eq!(found.rows.len(), 1);
    assert_eq!(found.rows[0].cells.len(), 5000);
    let bytes: usize = found.rows[0]
        .cells
        .iter()
        .map(|it| it.value.plain().len())
        .sum();
    assert!(bytes < limits::ROWS_BYTES * 2, "{bytes}");
    assert_eq!(found.notes.len(), 1);
}

#[test]
fn many_long_formats_are_bounded() {
    let code = "0".repeat(limits::FORMAT_CODE_BYTES);
    let formats: String = (1000..3000)
        .map(|id| format!("<numFmt numFmtId=\"{id}\" formatCode=\"{code}\"/>"))
        .collect();
    let styles = format!(
        "<styleSheet><numFmts>{formats}</numFmts><cellXfs><xf numFmtId=\"1000\"/>\
         <xf numFmtId=\"2999\"/></cellXfs></styleSheet>"
    );
    let rows = "<row><c s=\"0\"><v>1</v></c><c s=\"1\"><v>1</v></c></row>";
    let found = texts(rows, &[("xl/styles.xml", &styles)]);
    assert_eq!(found[0].2.len(), limits::FORMAT_CODE_BYTES);
    assert_eq!(found[1].2, "1");
}

#[test]
fn many_merged_ranges_are_cut() {
    let merged = "<mergeCell ref=\"A1:B2\"/>".repeat(limits::SHEET_OBJECTS + 5);
    let text = format!("<worksheet><sheetData/><mergeCells>{merged}</mergeCells></worksheet>");
    let mut document = opened(&text, &[]);
    let facts = document.workbook().unwrap().sheet(0);
    assert_eq!(facts.merged.len(), limits::SHEET_OBJECTS);
    assert_eq!(facts.notes.len(), 1);
}

#[test]
fn hostile_sheets_do_no_harm() {
    let pieces = [
        "<row>",
        "<row r=\"2\">",
        "</row>",
        "<c>",
        "<c r=\"B7\" t=\"s\">",
        "</c>",
        "<v>",
        "1",
        "</v>",
        "<is>",
        "<t>",
        "</is>",
        "<f t=\"shared\" si=\"0\">",
        "A1",
        "</f>",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "&#65;",
        "&x;",
        "é",
        ">",
        "<",
        "\"",
        "</sheetData>",
        "<row/>",
        "<c t='inlineStr'",
    ];
    let mut seed = 3_u64;
    for _ in 0..2000 {
        let mut rows = String::new();
        for _ in 0..20 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            rows.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        let mut document = opened(&sheet(&rows), &[]);
        let workbook = document.workbook().unwrap();
        let facts = workbook.sheet(0);
        let found = workbook.rows(0, &window(1, LAST_ROW, usize::MAX));
        assert!(
            found
                .rows
                .is_sorted_by(|one, next| one.number < next.number)
        );
        for row in &found.rows {
            assert!(row.cells.is_sorted_by(|one, next| one.column < next.column));
            let used = facts.used.unwrap();
            assert!(
                row.cells
                    .iter()
                    .all(|it| used.contains(row.number, it.column)),
                "{rows}"
            );
        }
        document.unit(0);
    }
}

#[test]
fn long_addresses_are_left_out_with_a_note() {
    let text = "<worksheet xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/\
                relationships\"><sheetData><row r=\"1\"><c r=\"A1\"><v>1</v></c></row></sheetData>\
                <hyperlinks><hyperlink ref=\"A1\" r:id=\"h\"/><hyperlink ref=\"A2\" r:id=\"l\"/>\
                <hyperlink ref=\"A3\" r:id=\"h\" location=\"LONG\"/></hyperlinks></worksheet>";
    let text = &text.replace("LONG", &"x".repeat(crate::limits::URL_BYTES + 1));
    let long = format!("h:{}", "x".repeat(crate::limits::URL_BYTES));
    let related = relationships(&[("h", "hyperlink", "h:e"), ("l", "hyperlink", &long)]);
    let mut document = opened(text, &[("xl/worksheets/_rels/sheet1.xml.rels", &related)]);
    let facts = document.workbook().unwrap().sheet(0);
    let links: Vec<&str> = facts.links.iter().map(|link| link.url.as_str()).collect();
    assert_eq!(links, ["h:e"]);
    assert_eq!(
        facts.notes,
        ["Addresses of links that are too long are left out."]
    );
}
