use super::*;
use crate::workbook::{LAST_ROW, Range};
use crate::{Format, open as open_format};

/// A workbook with this content.
fn file(content: &str) -> Vec<u8> {
    format!(
        "<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>\n<Workbook \
         xmlns=\"{NAMESPACE}\" xmlns:ss=\"{NAMESPACE}\" \
         xmlns:x=\"urn:schemas-microsoft-com:office:excel\">{content}</Workbook>"
    )
    .into_bytes()
}

fn opened(content: &str) -> Box<dyn Document> {
    open_format(file(content), Format::Xls, None).unwrap()
}

/// A sheet with this table.
fn sheet(name: &str, table: &str) -> String {
    format!("<Worksheet ss:Name=\"{name}\"><Table>{table}</Table></Worksheet>")
}

fn cell(kind: &str, value: &str) -> String {
    format!("<Cell><Data ss:Type=\"{kind}\">{value}</Data></Cell>")
}

/// A window of some rows, with formulas.
fn window(first_row: u32, cells: usize) -> Window {
    Window {
        range: Range {
            first_row,
            first_column: 1,
            last_row: LAST_ROW,
            last_column: LAST_COLUMN,
        },
        formulas: true,
        cells,
    }
}

/// The cells of the first sheet: positions, displayed texts and formulas.
fn shown(document: &mut dyn Document) -> Vec<String> {
    let rows = document.workbook().unwrap().rows(0, &window(1, usize::MAX));
    let mut list = Vec::new();
    for row in rows.rows {
        for cell in row.cells {
            let place = format!(
                "{}{}",
                crate::workbook::column_name(cell.column),
                row.number
            );
            let text = cell.shown.unwrap_or_else(|| cell.value.plain());
            let formula = cell.formula.map_or(String::new(), |it| format!(" ={it}"));
            list.push(format!("{place} {text}{formula}"));
        }
    }
    list
}

#[test]
fn rows_and_cells_have_positions_and_types() {
    let styles = "<Styles><Style ss:ID=\"Default\"/><Style ss:ID=\"p\"><NumberFormat \
        ss:Format=\"Percent\"/></Style><Style ss:ID=\"m\"><NumberFormat ss:Format=\"#,##0.00\"/>\
        </Style></Styles>";
    let table = format!(
        "<Row>{}{}</Row><Row>{}<Cell ss:Index=\"3\" ss:StyleID=\"m\"><Data ss:Type=\"Number\">1234.5\
         </Data></Cell>{}</Row><Row ss:Index=\"5\" ss:StyleID=\"p\">{}{}{}{}<Cell \
         ss:Formula=\"=R[-3]C[-2]*2\"/></Row><Row ss:Span=\"2\"><Cell/></Row><Row>{}</Row>",
        cell("String", "SKU"),
        cell("String", "Price &amp; tax"),
        cell("String", "A-1"),
        cell("Number", "7"),
        cell("Number", "0.25"),
        cell("DateTime", "2024-01-02T00:00:00.000"),
        cell("Boolean", "1"),
        cell("Error", "#DIV/0!"),
        cell("DateTime", "1899-12-31T08:30:00.000"),
    );
    let mut document = opened(&format!("{styles}{}", sheet("Data", &table)));
    assert_eq!(document.facts().format, "Excel 2003 XML workbook");
    assert_eq!(
        shown(&mut *document),
        [
            "A1 SKU",
            "B1 Price & tax",
            "A2 A-1",
            "C2 1,234.50",
            "D2 7",
            "A5 25.00%",
            "B5 2024-01-02",
            "C5 TRUE",
            "D5 #DIV/0!",
            "E5  =C2*2",
            "A9 08:30:00",
        ]
    );
    let facts = document.workbook().unwrap().sheet(0);
    assert_eq!((facts.used, facts.rows), (Range::parse("A1:E9"), 4));
}

#[test]
fn sheets_have_merged_cells_links_comments_and_hidden_parts() {
    let table = "<Column ss:Width=\"9\"/><Column ss:Index=\"3\" ss:Hidden=\"1\" ss:Span=\"1\"/>\
        <Column ss:Hidden=\"1\"/><Row ss:Hidden=\"1\"><Cell ss:MergeAcross=\"1\" ss:MergeDown=\"2\">\
        <Data ss:Type=\"String\">a</Data></Cell><Cell ss:HRef=\"https://e.org/\"><Data \
        ss:Type=\"String\">x</Data><Comment ss:Author=\"Ann\"><ss:Data><B>Ann:</B> why?</ss:Data>\
        </Comment></Cell><Cell ss:HRef=\"#S!A1\"><ss:Data ss:Type=\"String\" \
        xmlns=\"http://www.w3.org/TR/REC-html40\"><B>bo</B>ld</ss:Data></Cell></Row>";
    let options = "<WorksheetOptions xmlns=\"urn:schemas-microsoft-com:office:excel\"><Visible>\
        SheetVeryHidden</Visible></WorksheetOptions></Worksheet>";
    let first = sheet("S", table).replace("</Worksheet>", options);
    let properties = "<DocumentProperties xmlns=\"urn:schemas-microsoft-com:office:office\"><Author>\
        Ann</Author><LastAuthor>Bo</LastAuthor><Title>Q1 &amp; Q2</Title></DocumentProperties>";
    let mut document = opened(&format!("{properties}{first}{}", sheet(" t", "")));
    let names: Vec<(&str, bool)> = document
        .facts()
        .list
        .iter()
        .map(|unit| (unit.name.as_str(), unit.hidden))
        .collect();
    assert_eq!(names, [("S", true), (" t", false)]);
    let metadata: Vec<&str> = document
        .facts()
        .metadata
        .iter()
        .map(|(_, value)| value.as_str())
        .collect();
    assert_eq!(metadata, ["Ann", "Q1 & Q2"]);
    assert_eq!(shown(&mut *document), ["A1 a", "C1 x", "D1 bold"]);
    let workbook = document.workbook().unwrap();
    let facts = workbook.sheet(0);
    assert_eq!(facts.merged, [Range::parse("A1:B3").unwrap()]);
    assert_eq!(facts.hidden_columns, [(3, 5)]);
    assert_eq!(facts.links.len(), 1);
    assert_eq!(facts.links[0].url, "https://e.org/");
    let comments = workbook.objects(0).comments;
    assert_eq!(
        (
            comments[0].column,
            comments[0].author.as_str(),
            comments[0].text.as_str()
        ),
        (3, "Ann", "why?")
    );
    assert!(workbook.rows(0, &window(1, 9)).rows[0].hidden);
    let unit = document.unit(0);
    assert!(unit.text.contains("[x](https://e.org/)"), "{}", unit.text);
    assert_eq!(
        unit.notes,
        ["Other programs hide these rows and columns of the sheet `S`: 1, C to E."]
    );
}

#[test]
fn windows_of_rows_join_to_all_rows() {
    let rows: String = (0..50)
        .map(|n| format!("<Row>{}</Row>", cell("Number", &n.to_string())))
        .collect();
    let mut document = opened(&sheet("S", &rows));
    let all = document.workbook().unwrap().rows(0, &window(1, usize::MAX));
    assert_eq!(all.rows.len(), 50);
    let (mut joined, mut next) = (Vec::new(), 1);
    loop {
        let part = document.workbook().unwrap().rows(0, &window(next, 7));
        next = part.rows.last().map_or(0, |row| row.number + 1);
        joined.extend(part.rows);
        if !part.more {
            break;
        }
    }
    assert_eq!(joined, all.rows);
}

#[test]
fn formula_without_a_value_is_its_text() {
    let row = "<Row><Cell ss:Formula=\"=SUM(R[1]C:R[2]C)\"/></Row>";
    let mut document = opened(&sheet("S", row));
    let window = Window {
        formulas: false,
        ..window(1, 9)
    };
    let rows = document.workbook().unwrap().rows(0, &window);
    assert_eq!(rows.rows[0].cells[0].value.plain(), "=SUM(A2:A3)");
    assert_eq!(rows.notes, ["A formula has no stored value."]);
    let row = "<Row><Cell ss:Formula=\"=HYPERLINK(&quot;https://e.org&quot;,&quot;x&quot;)\"><Data \
               ss:Type=\"String\">x</Data></Cell></Row>";
    let text = opened(&sheet("S", row)).unit(0).text;
    assert!(text.ends_with("[x](https://e.org)"), "{text}");
}

#[test]
fn prefixes_and_encodings_are_read() {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-16\"?><ss:Workbook xmlns:ss=\"{NAMESPACE}\">\
         <ss:Worksheet ss:Name=\"Ä\"><ss:Table><ss:Row><ss:Cell><ss:Data ss:Type=\"String\">ö\
         </ss:Data></ss:Cell></ss:Row></ss:Table></ss:Worksheet></ss:Workbook>"
    );
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    let mut document = open_format(bytes, Format::Xls, None).unwrap();
    assert_eq!(document.facts().list[0].name, "Ä");
    assert_eq!(shown(&mut *document), ["A1 ö"]);
    let bytes: Vec<u8> = text
        .replace("utf-16", "iso-8859-1")
        .chars()
        .map(|char| u8::try_from(u32::from(char)).unwrap())
        .collect();
    let mut document = open_format(bytes, Format::Xls, None).unwrap();
    assert_eq!(shown(&mut *document), ["A1 ö"]);
}

#[test]
fn damaged_and_hostile_workbooks_do_no_harm() {
    let error = |bytes: &[u8]| {
        open_format(bytes.to_vec(), Format::Xls, None)
            .err()
            .unwrap()
    };
    assert!(format!("{:?}", error(b"<html/>")).contains("is not a workbook"));
    assert!(format!("{:?}", error(&file(""))).contains("no sheets"));
    let table = format!(
        "<Row ss:Index=\"9\">{0}</Row><Row ss:Index=\"2\"><Cell ss:Index=\"4\"><Data>x</Data></Cell>\
         <Cell ss:Index=\"1\"><Data>y</Data></Cell></Row><Row ss:Index=\"2\">{0}</Row><Row \
         ss:Index=\"4294967295\" ss:Span=\"4294967295\">{0}</Row><Row>{0}<Cell \
         ss:Index=\"4294967295\" ss:MergeAcross=\"4294967295\"><Data>z</Data></Cell></Row><Row \
         ss:Index=\"0\">{0}</Row>",
        cell("Number", "no")
    );
    let mut document = opened(&sheet("S", &table));
    assert_eq!(shown(&mut *document), ["A2 no", "D2 x", "A9 no"]);
    let notes = &document.workbook().unwrap().sheet(0).notes;
    assert_eq!(
        *notes,
        ["Cells after the last row or column of a sheet are left out."]
    );
    let long = "<Cell>".repeat(20_000);
    let mut document = opened(&sheet("S", &format!("<Row>{long}</Row>")));
    document.unit(0);
    let whole = file(&sheet("S", &format!("<Row>{}</Row>", cell("String", "ö"))));
    for end in 0..whole.len() {
        if let Ok(mut document) = open_format(whole[..end].to_vec(), Format::Xls, None) {
            document.unit(0);
        }
    }
}

#[test]
fn long_text_is_cut_with_a_note() {
    let text = "ä".repeat(limits::CELL_BYTES);
    let mut document = opened(&sheet(
        "S",
        &format!("<Row>{}</Row>", cell("String", &text)),
    ));
    let rows = document.workbook().unwrap().rows(0, &window(1, 9));
    assert!(rows.rows[0].cells[0].value.plain().ends_with('…'));
    assert_eq!(rows.notes, ["The text of a cell is too long and cut."]);
}

#[test]
fn text_after_the_limit_of_an_encoding_is_not_called_damage() {
    let row = format!("<Row>{}</Row>", cell("String", &"x".repeat(1000)));
    let rows = row.repeat(limits::PART_BYTES / row.len() + 2);
    let text = String::from_utf8(file(&sheet("S", &rows))).unwrap();
    let whole = text.replacen("<?xml version=\"1.0\"?>", "", 1);
    let declared = format!("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>{whole}");
    let mut document = open_format(declared.into_bytes(), Format::Xls, None).unwrap();
    let notes = document.unit(0).notes;
    assert!(
        !notes.iter().any(|note| note.contains("damaged")),
        "{notes:?}"
    );
}

#[test]
fn sheets_after_the_limit_have_a_note() {
    let sheets = "<Worksheet ss:Name=\"a\"><Table/></Worksheet>".repeat(limits::SHEETS + 1);
    let found = scan::read(&String::from_utf8(file(&sheets)).unwrap());
    assert_eq!(found.sheets.len(), limits::SHEETS);
    assert!(found.has_more);
}

#[test]
fn format_is_that_of_the_cell_row_column_table_or_default() {
    let format = |code: &str| format!("<NumberFormat ss:Format=\"{code}\"/>");
    let style = |id: &str, content: &str| format!("<Style ss:ID=\"{id}\">{content}</Style>");
    let styles = [
        style("Default", &format("0.0")),
        style("table", &format("0.00")),
        style("column", &format("0.000")),
        style("row", &format("0.0000")),
        style("cell", &format("0.00000")),
        style("general", "<NumberFormat/>"),
        style("bold", "<Font/>"),
    ];
    let one = cell("Number", "1");
    let styled = |id: &str| one.replace("<Cell>", &format!("<Cell ss:StyleID=\"{id}\">"));
    let columns = "<Column ss:Index=\"2\" ss:StyleID=\"column\" ss:Span=\"1\"/><Column \
        ss:StyleID=\"general\"/>";
    let rows = format!(
        "<Row>{0}</Row><Row ss:StyleID=\"row\">{0}</Row>",
        [
            one.as_str(),
            &one,
            &styled("cell"),
            &one,
            &styled("bold"),
            &styled("no")
        ]
        .concat()
    );
    let sheets = [
        sheet("S", &(columns.to_owned() + &rows))
            .replace("<Table>", "<Table ss:StyleID=\"table\">"),
        sheet("T", &format!("<Row>{one}</Row>")),
    ];
    let mut document = opened(&format!(
        "<Styles>{}</Styles>{}",
        styles.concat(),
        sheets.concat()
    ));
    assert_eq!(
        shown(&mut *document),
        [
            "A1 1.00",
            "B1 1.000",
            "C1 1.00000",
            "D1 1",
            "E1 1.0",
            "F1 1.0",
            "A2 1.0000",
            "B2 1.0000",
            "C2 1.00000",
            "D2 1.0000",
            "E2 1.0",
            "F2 1.0"
        ]
    );
    assert!(document.unit(1).text.ends_with("1.0"));
}

#[test]
fn style_inherits_the_format_of_its_parent() {
    let style = |id: &str, parent: &str, content: &str| {
        format!("<Style ss:ID=\"{id}\" ss:Parent=\"{parent}\">{content}</Style>")
    };
    let percent = "<NumberFormat ss:Format=\"Percent\"/>";
    let styles = [
        // A parent may be after its child.
        style("a", "b", "<Font/>"),
        style("b", "c", ""),
        style("c", "d", percent),
        style("own", "c", "<NumberFormat ss:Format=\"0.0\"/>"),
        style("general", "c", "<NumberFormat/>"),
        style("loop", "pool", ""),
        style("pool", "loop", ""),
        style("lost", "nothing", ""),
    ];
    let cells = ["a", "b", "c", "own", "general", "loop", "lost"]
        .map(|id| cell("Number", "0.5").replace("<Cell>", &format!("<Cell ss:StyleID=\"{id}\">")));
    let mut document = opened(&format!(
        "<Styles>{}</Styles>{}",
        styles.concat(),
        sheet("S", &format!("<Row>{}</Row>", cells.concat()))
    ));
    assert_eq!(
        shown(&mut *document),
        [
            "A1 50.00%",
            "B1 50.00%",
            "C1 50.00%",
            "D1 0.5",
            "E1 0.5",
            "F1 0.5",
            "G1 0.5"
        ]
    );
}

#[test]
fn long_addresses_are_left_out_with_a_note() {
    let link = |length: usize| {
        let address = format!("h:{}", "x".repeat(length - 2));
        cell("String", "t").replace("<Cell>", &format!("<Cell ss:HRef=\"{address}\">"))
    };
    let row = format!(
        "<Row>{}{}</Row>",
        link(limits::URL_BYTES),
        link(limits::URL_BYTES + 1)
    );
    let mut document = opened(&sheet("S", &row));
    let facts = document.workbook().unwrap().sheet(0);
    assert_eq!(facts.links.len(), 1);
    assert_eq!(
        facts.notes,
        ["Addresses of links that are too long are left out."]
    );
}

#[test]
fn facts_of_a_sheet_are_shared() {
    let mut document = opened(&sheet("S", &format!("<Row>{}</Row>", cell("Number", "1"))));
    let workbook = document.workbook().unwrap();
    assert!(Rc::ptr_eq(&workbook.sheet(0), &workbook.sheet(0)));
}
