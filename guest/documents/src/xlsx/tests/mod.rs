//! Tests of the values, the formats and the objects of sheets.

mod formulas;
mod hostile;
mod large;

use super::*;
use crate::limits;
use crate::testing::{package, relationships};
use crate::workbook::{Cell, LAST_COLUMN, LAST_ROW, Range, Value, Visibility};

const ALL: Range = Range {
    first_row: 1,
    first_column: 1,
    last_row: LAST_ROW,
    last_column: LAST_COLUMN,
};

/// A window of all cells of some rows.
fn window(first_row: u32, last_row: u32, cells: usize) -> Window {
    Window {
        range: Range {
            first_row,
            last_row,
            ..ALL
        },
        formulas: true,
        cells,
    }
}

/// The parts of a workbook with one sheet, and more parts.
fn file(sheet: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let types = "<Types><Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.\
                 openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/></Types>";
    let root = relationships(&[("r1", "officeDocument", "xl/workbook.xml")]);
    let book = "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/\
                relationships\"><sheets><sheet name=\"One\" r:id=\"s1\"/></sheets></workbook>";
    let related = relationships(&[
        ("s1", "worksheet", "worksheets/sheet1.xml"),
        ("t", "sharedStrings", "sharedStrings.xml"),
        ("f", "styles", "styles.xml"),
    ]);
    let mut parts: Vec<(&str, &str)> = vec![
        ("[Content_Types].xml", types),
        ("_rels/.rels", &root),
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", &related),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    parts.retain(|(name, _)| !more.iter().any(|(own, _)| own == name));
    parts.extend(more);
    let parts: Vec<(&str, &[u8])> = parts
        .iter()
        .map(|(name, text)| (*name, text.as_bytes()))
        .collect();
    package(&parts)
}

/// A sheet with these rows.
fn sheet(rows: &str) -> String {
    format!(
        "<worksheet xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/\
         relationships\"><sheetData>{rows}</sheetData></worksheet>"
    )
}

fn opened(sheet: &str, more: &[(&str, &str)]) -> Box<dyn Document> {
    open(file(sheet, more)).unwrap()
}

/// The cells of the sheet.
fn cells(rows: &str, more: &[(&str, &str)]) -> Vec<(u32, Cell)> {
    let mut document = opened(&sheet(rows), more);
    let found = document
        .workbook()
        .unwrap()
        .rows(0, &window(1, LAST_ROW, usize::MAX));
    let mut list = Vec::new();
    for row in found.rows {
        for cell in row.cells {
            list.push((row.number, cell));
        }
    }
    list
}

/// The position and the displayed text of each cell.
fn texts(rows: &str, more: &[(&str, &str)]) -> Vec<(u32, u32, String)> {
    let list = cells(rows, more).into_iter().map(|(row, cell)| {
        let text = cell.shown.unwrap_or_else(|| cell.value.plain());
        (row, cell.column, text)
    });
    list.collect()
}

#[test]
fn values_have_types() {
    let rows = "<row r=\"2\"><c r=\"B2\"><v>1.5</v></c><c r=\"C2\" t=\"b\"><v>1</v></c>\
                <c r=\"D2\" t=\"e\"><v>#N/A</v></c><c r=\"E2\" t=\"str\"><v>a &amp; b</v></c>\
                <c r=\"F2\" t=\"inlineStr\"><is><r><t>x</t></r><r><t xml:space=\"preserve\"> y</t>\
                </r></is></c><c r=\"G2\" t=\"d\"><v>2024-01-31T12:30:00Z</v></c>\
                <c r=\"H2\" t=\"s\"><v>1</v></c><c r=\"I2\" t=\"s\"><v>9</v></c><c r=\"J2\"/></row>";
    let strings = "<sst><si><t>no</t></si><si><r><t>one</t></r><rPh><t>hint</t></rPh><r><t> \
                   _x0041_</t></r></si></sst>";
    let found = cells(rows, &[("xl/sharedStrings.xml", strings)]);
    let values: Vec<Value> = found.into_iter().map(|(_, cell)| cell.value).collect();
    assert_eq!(
        values,
        [
            Value::Number(1.5),
            Value::Bool(true),
            Value::Error("#N/A".to_owned()),
            Value::Text("a & b".into()),
            Value::Text("x y".into()),
            Value::Date("2024-01-31 12:30:00".to_owned()),
            Value::Text("one A".into()),
        ]
    );
}

#[test]
fn styles_choose_formats() {
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"0.0&quot; kg&quot;\"/>\
                  </numFmts><cellStyleXfs><xf numFmtId=\"9\"/></cellStyleXfs><cellXfs>\
                  <xf numFmtId=\"0\"/><xf numFmtId=\"164\"/><xf numFmtId=\"14\"/></cellXfs>\
                  </styleSheet>";
    let rows =
        "<row><c s=\"1\"><v>2</v></c><c s=\"2\"><v>45000</v></c><c s=\"7\"><v>3</v></c></row>";
    let found = texts(rows, &[("xl/styles.xml", styles)]);
    assert_eq!(
        found,
        [
            (1, 1, "2.0 kg".to_owned()),
            (1, 2, "2023-03-15".to_owned()),
            (1, 3, "3".to_owned()),
        ]
    );
}

#[test]
fn positions_may_be_missing() {
    let rows = "<row><c><v>1</v></c><c r=\"D1\"><v>2</v></c><c><v>3</v></c></row><row r=\"5\">\
                <c><v>4</v></c></row><row><c><v>5</v></c></row>";
    let found: Vec<_> = texts(rows, &[])
        .into_iter()
        .map(|it| (it.0, it.1))
        .collect();
    assert_eq!(found, [(1, 1), (1, 4), (1, 5), (5, 1), (6, 1)]);
}

#[test]
fn rows_and_cells_are_sorted_and_joined() {
    let rows = "<row r=\"3\"><c r=\"B3\"><v>1</v></c><c r=\"A3\"><v>2</v></c></row>\
                <row r=\"1\"><c r=\"A1\"><v>3</v></c></row><row r=\"3\"><c r=\"C3\"><v>4</v></c>\
                <c r=\"B3\"><v>5</v></c></row>";
    let found = texts(rows, &[]);
    let found: Vec<_> = found.iter().map(|it| (it.0, it.1, it.2.as_str())).collect();
    assert_eq!(found, [(1, 1, "3"), (3, 1, "2"), (3, 2, "5"), (3, 3, "4")]);
}

#[test]
fn facts_ignore_the_declared_rectangle() {
    let text = "<worksheet><dimension ref=\"A1:XFD1048576\"/><sheetData><row r=\"2\"><c r=\"B2\">\
                <v>1</v></c><c r=\"Z2\"/></row><row r=\"9\"><c r=\"C9\" t=\"inlineStr\"><is><t>x</t>\
                </is></c></row><row r=\"10\" ht=\"5\"/></sheetData><mergeCells><mergeCell \
                ref=\"B2:C3\"/></mergeCells></worksheet>";
    let mut document = opened(text, &[]);
    let facts = document.workbook().unwrap().sheet(0);
    assert_eq!(facts.used, Range::parse("B2:C9"));
    assert_eq!(facts.rows, 2);
    assert_eq!(facts.merged, [Range::parse("B2:C3").unwrap()]);
    assert!(facts.notes.is_empty());
}

#[test]
fn windows_return_the_same_cells() {
    let rows: String = (1..=500)
        .map(|row| {
            format!(
                "<row r=\"{}\"><c><v>{row}</v></c><c><v>0</v></c></row>",
                row * 2
            )
        })
        .collect();
    let mut document = opened(&sheet(&rows), &[]);
    let workbook = document.workbook().unwrap();
    let mut next = 1;
    let mut numbers = Vec::new();
    let mut calls = 0;
    loop {
        let found = workbook.rows(0, &window(next, LAST_ROW, 40));
        calls += 1;
        numbers.extend(found.rows.iter().map(|row| row.number));
        if !found.more {
            break;
        }
        next = numbers.last().unwrap() + 1;
    }
    assert_eq!(calls, 25);
    assert_eq!(numbers, (1..=500).map(|row| row * 2).collect::<Vec<_>>());
    let few = workbook.rows(0, &window(3, 5, usize::MAX));
    assert_eq!(few.rows.len(), 1);
    let mut columns = window(1, 4, usize::MAX);
    columns.range.first_column = 2;
    let found = workbook.rows(0, &columns);
    assert!(found.rows.iter().all(|row| row.cells.len() == 1));
}

#[test]
fn strict_names_and_prefixes_are_read() {
    let text = "<x:worksheet xmlns:x=\"http://purl.oclc.org/ooxml/spreadsheetml/main\">\
                <x:sheetData><x:row r=\"1\"><x:c r=\"A1\"><x:v>7</x:v></x:c></x:row></x:sheetData>\
                </x:worksheet>";
    let book = "<x:workbook xmlns:x=\"http://purl.oclc.org/ooxml/spreadsheetml/main\" \
                xmlns:q=\"http://purl.oclc.org/ooxml/officeDocument/relationships\"><x:workbookPr \
                date1904=\"1\"/><x:sheets><x:sheet name=\"A\" state=\"veryHidden\" q:id=\"s1\"/>\
                </x:sheets></x:workbook>";
    let mut document = opened(text, &[("xl/workbook.xml", book)]);
    let workbook = document.workbook().unwrap();
    assert_eq!(workbook.sheets()[0].visibility, Visibility::VeryHidden);
    assert_eq!(workbook.sheet(0).rows, 1);
}

#[test]
fn objects_are_found() {
    let text = "<worksheet xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/\
                relationships\"><cols><col min=\"3\" max=\"3\" hidden=\"1\"/><col min=\"4\" \
                max=\"5\" hidden=\"1\"/></cols><sheetData><row r=\"1\" hidden=\"1\"><c r=\"A1\">\
                <v>1</v></c></row></sheetData><hyperlinks><hyperlink ref=\"A1\" r:id=\"h\" \
                location=\"x\"/><hyperlink ref=\"A2\" location=\"One!A1\"/></hyperlinks>\
                <drawing r:id=\"d\"/></worksheet>";
    let related = relationships(&[
        ("h", "hyperlink", "https://example.org/"),
        ("d", "drawing", "../drawings/drawing1.xml"),
        ("c", "comments", "../comments1.xml"),
        ("k", "threadedComment", "../threads.xml"),
        ("t", "table", "../tables/table1.xml"),
    ]);
    let drawing = "<wsDr xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/\
                   relationships\"><twoCellAnchor><from><col>1</col><row>2</row></from><pic>\
                   <nvPicPr><cNvPr descr=\"A duck\"/></nvPicPr><blipFill><blip r:embed=\"i\"/>\
                   </blipFill></pic></twoCellAnchor><oneCellAnchor><from><col>0</col><row>0</row>\
                   </from><grpSp><sp><txBody><p><r><t>Boxed</t></r></p></txBody></sp></grpSp>\
                   </oneCellAnchor><twoCellAnchor><graphicFrame><graphic><graphicData><chart \
                   r:id=\"g\"/></graphicData></graphic></graphicFrame></twoCellAnchor></wsDr>";
    let drawn = relationships(&[
        ("i", "image", "../media/a.png"),
        ("g", "chart", "../charts/chart1.xml"),
    ]);
    let chart = "<chartSpace><chart><title><tx><rich><p><r><t>Ducks</t></r></p></rich></tx></title>\
                 <plotArea><pieChart><ser><val><numCache><pt idx=\"0\"><v>5</v></pt></numCache>\
                 </val></ser></pieChart></plotArea></chart></chartSpace>";
    let comments = "<comments><authors><author>Ann</author></authors><commentList><comment \
                    ref=\"A1\" authorId=\"0\"><text><r><t>Ann:\n</t></r><r><t>Check</t></r></text>\
                    </comment><comment ref=\"B1\" authorId=\"0\"><text><t>old</t></text></comment>\
                    </commentList></comments>";
    let threads = "<ThreadedComments><threadedComment ref=\"B1\" id=\"1\"><text>New</text>\
                   </threadedComment><threadedComment ref=\"B1\" parentId=\"1\"><text>Yes</text>\
                   </threadedComment></ThreadedComments>";
    let table = "<table name=\"t\" displayName=\"Sales\" ref=\"A1:B2\"/>";
    let more = [
        ("xl/worksheets/_rels/sheet1.xml.rels", related.as_str()),
        ("xl/drawings/drawing1.xml", drawing),
        ("xl/drawings/_rels/drawing1.xml.rels", &drawn),
        ("xl/charts/chart1.xml", chart),
        ("xl/media/a.png", "PNG"),
        ("xl/comments1.xml", comments),
        ("xl/threads.xml", threads),
        ("xl/tables/table1.xml", table),
    ];
    let mut document = opened(text, &more);
    let facts = document.workbook().unwrap().sheet(0);
    assert_eq!(facts.charts, ["Ducks"]);
    assert_eq!(facts.tables[0].name, "Sales");
    assert_eq!(facts.links.len(), 1);
    assert_eq!(facts.links[0].url, "https://example.org/#x");
    assert_eq!(facts.hidden_columns, [(3, 5)]);
    let objects = document.workbook().unwrap().objects(0);
    let comments: Vec<_> = objects
        .comments
        .iter()
        .map(|it| (it.column, it.author.as_str(), it.text.as_str(), it.reply))
        .collect();
    assert_eq!(
        comments,
        [
            (2, "", "New", false),
            (2, "", "Yes", true),
            (1, "Ann", "Check", false)
        ]
    );
    let places: Vec<_> = objects
        .drawings
        .iter()
        .map(|it| (it.row, it.column))
        .collect();
    assert_eq!(places, [(3, 2), (1, 1), (1, 1)]);
    assert_eq!(document.image(1).as_deref(), Some(&b"PNG"[..]));
    assert_eq!(document.image(2), None);
    let unit = document.unit(0);
    for part in [
        "[1](https://example.org/#x)",
        "Boxed",
        "**Ducks** (pie chart)",
        "![A duck](image:1)",
    ] {
        assert!(unit.text.contains(part), "{part} in {}", unit.text);
    }
    assert!(unit.text.ends_with("> Reply on B1: Yes"), "{}", unit.text);
    assert_eq!(
        unit.notes,
        ["Other programs hide these rows and columns of the sheet `One`: 1, C to E."]
    );
}

#[test]
fn names_of_sheets_keep_their_spaces() {
    let list = [
        " lead", "lead", "trail ", "a  b", "1-5", "raw", "x&#10;y", " ",
    ];
    let sheets = list.map(|name| format!("<sheet name=\"{name}\" r:id=\"s1\"/>"));
    let book = format!(
        "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/\
         relationships\"><sheets>{}</sheets></workbook>",
        sheets.concat()
    );
    let document = opened(&sheet(""), &[("xl/workbook.xml", &book)]);
    let names = document.facts().list.iter().map(|unit| unit.name.as_str());
    let names: Vec<&str> = names.collect();
    let expected = [
        " lead", "lead", "trail ", "a  b", "1-5", "raw", "x y", "Sheet8",
    ];
    assert_eq!(names, expected);
}
