//! Tests of spreadsheets.

mod large;

use crate::odf::tests::{content, file};
use crate::workbook::{Cell, LAST_COLUMN, LAST_ROW, NamedTable, Range, Value, Visibility, Window};
use crate::{Document, Format, limits, open};

const ALL: Window = Window {
    range: Range {
        first_row: 1,
        first_column: 1,
        last_row: LAST_ROW,
        last_column: LAST_COLUMN,
    },
    formulas: true,
    cells: 100_000,
};

fn workbook(styles: &str, body: &str, parts: &[(&str, &str)]) -> Box<dyn Document> {
    let body = format!("<office:spreadsheet>{body}</office:spreadsheet>");
    let main = content(styles, &body);
    let mut all = vec![("content.xml", main.as_str())];
    all.extend_from_slice(parts);
    open(file(&all), Format::Ods, None).unwrap()
}

fn table(name: &str, rows: &str) -> String {
    format!("<table:table table:name=\"{name}\">{rows}</table:table>")
}

fn row(cells: &str) -> String {
    format!("<table:table-row>{cells}</table:table-row>")
}

fn cell(attributes: &str, text: &str) -> String {
    format!("<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>")
}

fn number(value: &str) -> String {
    cell(
        &format!("office:value-type=\"float\" office:value=\"{value}\""),
        value,
    )
}

fn range(first_row: u32, first_column: u32, last_row: u32, last_column: u32) -> Range {
    Range {
        first_row,
        first_column,
        last_row,
        last_column,
    }
}

fn own(column: u32, value: Value, shown: Option<&str>, formula: Option<&str>) -> Cell {
    Cell {
        column,
        value,
        shown: shown.map(str::to_owned),
        formula: formula.map(str::to_owned),
    }
}

#[test]
fn cells_have_types() {
    let cells = [
        cell("office:value-type=\"string\"", "a<text:s/>b"),
        cell(
            "office:value-type=\"percentage\" office:value=\"0.125\"",
            "12.5%",
        ),
        cell(
            "office:value-type=\"date\" office:date-value=\"2024-01-31T12:30:00\"",
            "31/01/24",
        ),
        cell(
            "office:value-type=\"time\" office:time-value=\"PT36H00M00S\"",
            "36:00:00",
        ),
        cell(
            "office:value-type=\"boolean\" office:boolean-value=\"true\"",
            "TRUE",
        ),
        cell(
            "table:formula=\"of:=1/0\" office:value-type=\"string\" office:string-value=\"\" \
             calcext:value-type=\"error\"",
            "#DIV/0!",
        ),
        cell(
            "table:formula=\"of:=SUM([.A1:.B2];1)\" office:value-type=\"float\" \
             office:value=\"3\"",
            "3",
        ),
        "<table:table-cell office:value-type=\"string\"><office:annotation><text:p>note</text:p>\
         </office:annotation><text:p>x</text:p><text:p>y<draw:frame><draw:text-box><text:p>z\
         </text:p></draw:text-box></draw:frame></text:p></table:table-cell>"
            .to_owned(),
    ];
    let mut document = workbook("", &table("S", &row(&cells.concat())), &[]);
    let rows = document.workbook().unwrap().rows(0, &ALL);
    assert!(!rows.more);
    let text = |text: &str| Value::Text(text.into());
    assert_eq!(
        rows.rows[0].cells,
        [
            own(1, text("a b"), None, None),
            own(2, Value::Number(0.125), Some("12.5%"), None),
            own(
                3,
                Value::Date("2024-01-31 12:30:00".to_owned()),
                Some("31/01/24"),
                None
            ),
            own(4, Value::Date("36:00:00".to_owned()), None, None),
            own(5, Value::Bool(true), None, None),
            own(6, Value::Error("#DIV/0!".to_owned()), None, Some("1/0")),
            own(7, Value::Number(3.0), None, Some("SUM(A1:B2,1)")),
            own(8, text("x\ny"), None, None),
        ]
    );
}

#[test]
fn sheets_have_facts() {
    let styles = "<style:style style:name=\"ta2\" style:family=\"table\"><style:table-properties \
        table:display=\"false\"/></style:style>";
    let object = "<table:shapes><draw:frame><draw:object xlink:href=\"./Object 1\"/></draw:frame>\
        <draw:frame><draw:object xlink:href=\"./Object 2\"/></draw:frame></table:shapes>";
    let first = format!(
        "{object}<table:table-row table:number-rows-repeated=\"2\"><table:table-cell/>\
         </table:table-row><table:table-header-rows>{}</table:table-header-rows>\
         <table:table-row table:visibility=\"collapse\">{}</table:table-row>",
        row(&format!(
            "<table:table-cell/>{}<table:covered-table-cell/>",
            cell(
                "table:number-columns-spanned=\"2\" table:number-rows-spanned=\"1\"",
                "wide"
            )
        )),
        number("5"),
    );
    let body = format!(
        "<table:dde-links><table:dde-link>{0}{0}</table:dde-link></table:dde-links>{1}<table:table \
         table:name=\"It's\" table:style-name=\"ta2\"/><table:table table:name=\"copy\" \
         table:style-name=\"ta_extref\"><table:table-source/>{2}</table:table>\
         <table:database-ranges><table:database-range table:name=\"Sales\" \
         table:target-range-address=\"$'It''s'.$A$1:'It''s'.$B$9\"/><table:database-range \
         table:name=\"__Anonymous_Sheet_DB__0\" table:target-range-address=\"First.A1:First.B2\"/>\
         </table:database-ranges>",
        table("no sheet", ""),
        table("First", &first),
        row(&number("1")),
    );
    let chart = "<office:document-content><office:body><office:chart><chart:chart><chart:title>\
        <text:p>Total  sales</text:p></chart:title><chart:plot-area><chart:axis><chart:title>\
        <text:p>Year</text:p></chart:title></chart:axis></chart:plot-area></chart:chart>\
        </office:chart></office:body></office:document-content>";
    let parts = [
        ("Object 1/content.xml", chart),
        ("Object 2/content.xml", "<math/>"),
    ];
    let mut document = workbook(styles, &body, &parts);
    let workbook = document.workbook().unwrap();
    let names: Vec<(&str, Visibility)> = workbook
        .sheets()
        .iter()
        .map(|it| (it.name.as_str(), it.visibility))
        .collect();
    assert_eq!(
        names,
        [("First", Visibility::Visible), ("It's", Visibility::Hidden)]
    );
    let facts = workbook.sheet(0);
    assert_eq!(facts.used, Some(range(3, 1, 4, 2)));
    assert_eq!(
        (facts.rows, facts.charts.as_slice()),
        (2, ["Total sales".to_owned()].as_slice())
    );
    assert_eq!(facts.merged, [range(3, 2, 3, 3)]);
    assert_eq!(workbook.sheet(0), facts);
    assert_eq!(
        workbook.sheet(1).tables,
        [NamedTable {
            name: "Sales".to_owned(),
            range: range(1, 1, 9, 2),
            header: true
        }]
    );
    let rows = workbook.rows(0, &ALL).rows;
    assert_eq!(
        rows.iter()
            .map(|row| (row.number, row.hidden))
            .collect::<Vec<_>>(),
        [(3, false), (4, true)]
    );
}

#[test]
fn repeated_cells_are_read_in_windows() {
    let wide = cell(
        "table:number-columns-repeated=\"16384\" office:value-type=\"float\" office:value=\"7\"",
        "7",
    );
    let body = table(
        "S",
        &format!(
            "{}<table:table-row table:number-rows-repeated=\"1048574\">{wide}</table:table-row>{}",
            row(&number("1")),
            row(&number("9"))
        ),
    );
    let mut document = workbook("", &body, &[]);
    let workbook = document.workbook().unwrap();
    let facts = workbook.sheet(0);
    assert_eq!(facts.used, Some(range(1, 1, LAST_ROW, LAST_COLUMN)));
    assert_eq!(facts.rows, LAST_ROW);
    let mut window = ALL;
    window.range = range(1_000_000, 3, 1_000_001, 4);
    let rows = workbook.rows(0, &window);
    let found: Vec<(u32, u32)> = rows
        .rows
        .iter()
        .flat_map(|row| row.cells.iter().map(|cell| (row.number, cell.column)))
        .collect();
    assert_eq!(
        found,
        [
            (1_000_000, 3),
            (1_000_000, 4),
            (1_000_001, 3),
            (1_000_001, 4)
        ]
    );
    assert!(!rows.more);
    // The budget ends a call, and the next one continues.
    let rows = workbook.rows(0, &ALL);
    assert!(rows.more);
    assert_eq!(rows.rows.last().unwrap().number, 8);
    window.range = range(9, 1, LAST_ROW, 1);
    window.cells = 3;
    let rows = workbook.rows(0, &window);
    assert_eq!(
        rows.rows.iter().map(|row| row.number).collect::<Vec<_>>(),
        [9, 10, 11]
    );
    window.range.first_row = LAST_ROW;
    let rows = workbook.rows(0, &window);
    assert_eq!(rows.rows[0].cells, [own(1, Value::Number(9.0), None, None)]);
    // Earlier rows are found again.
    window.range = range(1, 1, 1, 1);
    assert_eq!(
        workbook.rows(0, &window).rows[0].cells,
        [own(1, Value::Number(1.0), None, None)]
    );
}

#[test]
fn every_row_is_found_from_every_start() {
    let rows: String = (1..=700)
        .map(|value| row(&number(&value.to_string())))
        .collect();
    let mut document = workbook(
        "",
        &(table("A", &rows) + &table("B", &row(&number("-1")))),
        &[],
    );
    let workbook = document.workbook().unwrap();
    let mut window = ALL;
    window.cells = 1;
    let starts = (1..=700)
        .chain((1..=700).rev())
        .chain([350, 1, 699, 257, 256]);
    for start in starts {
        window.range.first_row = start;
        let found = workbook.rows(0, &window);
        assert_eq!(found.rows[0].number, start);
        assert_eq!(
            found.rows[0].cells[0].value,
            Value::Number(f64::from(start))
        );
        assert_eq!(found.more, start < 700);
        if start % 100 == 0 {
            window.range.first_row = 1;
            assert_eq!(
                workbook.rows(1, &window).rows[0].cells[0].value,
                Value::Number(-1.0)
            );
        }
    }
    window.range.first_row = 701;
    assert!(workbook.rows(0, &window).rows.is_empty());
}

#[test]
fn long_repeated_texts_are_cut() {
    let long = "x".repeat(100_000);
    let cell = cell(
        "table:number-columns-repeated=\"16384\" office:value-type=\"string\"",
        &long,
    );
    let mut document = workbook("", &table("S", &row(&cell)), &[]);
    let rows = document.workbook().unwrap().rows(0, &ALL);
    assert_eq!(
        rows.rows[0].cells.len(),
        limits::REPEATED_TOTAL / long.len() + 1
    );
    assert_eq!(rows.notes, ["Long texts in repeated cells are left out."]);
}

#[test]
fn charts_of_flat_files_are_no_sheets() {
    let chart = format!(
        "<table:shapes><draw:frame><draw:object><office:document><office:meta><dc:title>no\
         </dc:title></office:meta><office:body><office:chart><chart:chart \
         chart:class=\"chart:bar\"><chart:title><text:p>Sales &amp; more</text:p></chart:title>\
         <chart:plot-area><chart:axis><chart:title><text:p>no</text:p></chart:title></chart:axis>\
         </chart:plot-area>{}</chart:chart></office:chart></office:body></office:document>\
         </draw:object></draw:frame></table:shapes>",
        table("local-table", &row(&number("8")))
    );
    let body = table("S", &(chart + &row(&number("5"))));
    let mut document = workbook("", &body, &[]);
    let workbook = document.workbook().unwrap();
    assert_eq!(workbook.sheets().len(), 1);
    let facts = workbook.sheet(0);
    assert_eq!(facts.charts, ["Sales & more"]);
    assert_eq!(facts.used, Some(range(1, 1, 1, 1)));
}

#[test]
fn truncated_sheets_are_read() {
    let cells = number("1")
        + &cell("office:value-type=\"string\"", "é")
        + "<table:table-cell><draw:frame><draw:object xlink:href=\"x\"/></draw:frame></table:table-cell>";
    let rows = row(&cells).repeat(3);
    let main = content(
        "",
        &format!(
            "<office:spreadsheet>{}</office:spreadsheet>",
            table("S", &rows)
        ),
    );
    let mut found = 0;
    for end in (0..main.len()).filter(|end| main.is_char_boundary(*end)) {
        let Ok(mut document) = open(file(&[("content.xml", &main[..end])]), Format::Ods, None)
        else {
            continue;
        };
        let workbook = document.workbook().unwrap();
        workbook.sheet(0);
        found = found.max(workbook.rows(0, &ALL).rows.len());
    }
    assert_eq!(found, 3);
}

#[test]
fn sheets_have_comments_links_drawings_and_hidden_columns() {
    let image = "<draw:frame><draw:image xlink:href=\"Pictures/a.png\"/><svg:desc>A</svg:desc>\
        </draw:frame>";
    let rows = format!(
        "<table:table-column/><table:table-column table:number-columns-repeated=\"2\" \
         table:visibility=\"collapse\"/><table:table-column table:visibility=\"collapse\"/>{}{}",
        row(&format!(
            "<table:table-cell table:number-columns-repeated=\"2\"/><table:table-cell>\
             <office:annotation><dc:creator>Ann</dc:creator><text:p>Why</text:p><text:p>so?</text:p>\
             </office:annotation><text:p><text:a xlink:href=\"https://e.org/\">x</text:a> <text:a \
             xlink:href=\"#S.A1\">y</text:a></text:p></table:table-cell><table:table-cell>{image}\
             </table:table-cell>"
        )),
        row(&format!(
            "<table:table-cell><draw:custom-shape><text:p>in a box</text:p></draw:custom-shape>\
             {image}</table:table-cell>"
        )),
    );
    let body = table("S", &rows) + &table("T", &row(&number("1")));
    let mut document = workbook("", &body, &[("Pictures/a.png", "bytes")]);
    let workbook = document.workbook().unwrap();
    assert_eq!(workbook.image(1).unwrap(), b"bytes");
    assert_eq!(workbook.image(2), None);
    let facts = workbook.sheet(0);
    assert_eq!(facts.hidden_columns, [(2, 4)]);
    assert_eq!(facts.links.len(), 1);
    assert_eq!(
        (facts.links[0].range, facts.links[0].url.as_str()),
        (range(1, 3, 1, 3), "https://e.org/")
    );
    let found = workbook.objects(0);
    let comment = &found.comments[0];
    assert_eq!((comment.row, comment.column), (1, 3));
    assert_eq!(
        (comment.author.as_str(), comment.text.as_str()),
        ("Ann", "Why\nso?")
    );
    let places: Vec<(u32, u32)> = found
        .drawings
        .iter()
        .map(|it| (it.row, it.column))
        .collect();
    assert_eq!(places, [(1, 4), (2, 1), (2, 1)]);
    let texts: Vec<String> = found
        .drawings
        .iter()
        .map(|it| crate::markdown::render(&it.blocks))
        .collect();
    assert_eq!(texts, ["![A](image:1)", "in a box", "![A](image:1)"]);
    assert_eq!(workbook.objects(1), crate::workbook::Objects::default());
}

#[test]
fn formulas_that_are_links_have_addresses() {
    let cell = "<table:table-cell office:value-type=\"string\" table:formula=\"of:=HYPERLINK(&quot;\
        https://e.org/&quot;;&quot;x&quot;)\"><text:p>x</text:p></table:table-cell>";
    let mut document = workbook("", &table("S", &row(cell)), &[]);
    let links = &document.workbook().unwrap().sheet(0).links;
    assert_eq!(links.len(), 1);
    assert_eq!(
        (links[0].range, links[0].url.as_str()),
        (range(1, 1, 1, 1), "https://e.org/")
    );
}

#[test]
fn long_addresses_are_left_out_with_a_note() {
    let link = |length: usize| {
        let url = format!("h:{}", "x".repeat(length - 2));
        format!(
            "<table:table-cell><text:p><text:a xlink:href=\"{url}\">t</text:a></text:p>\
             </table:table-cell>"
        )
    };
    let cells = link(crate::limits::URL_BYTES) + &link(crate::limits::URL_BYTES + 1);
    let mut document = workbook("", &table("S", &row(&cells)), &[]);
    let facts = document.workbook().unwrap().sheet(0);
    assert_eq!(facts.links.len(), 1);
    assert_eq!(
        facts.notes,
        ["Addresses of links that are too long are left out."]
    );
    let rows = row(&link(3).repeat(64)).repeat(crate::limits::SHEET_OBJECTS / 64 + 1);
    let mut document = workbook("", &table("S", &rows), &[]);
    let facts = document.workbook().unwrap().sheet(0);
    assert_eq!(facts.links.len(), crate::limits::SHEET_OBJECTS);
    assert_eq!(
        facts.notes,
        ["The sheet has more than 65536 links. The others are left out."]
    );
}
