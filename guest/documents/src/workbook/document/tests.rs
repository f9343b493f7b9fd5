use super::*;
use crate::workbook::{Cell, Comment, NamedTable, Range, Row, Rows, SheetName, Value, Window};
use std::rc::Rc;

mod rows;

/// A workbook with one sheet.
#[derive(Default)]
struct Fake {
    names: Vec<SheetName>,
    facts: SheetFacts,
    objects: Objects,
    rows: Vec<Row>,
}

impl Workbook for Fake {
    fn sheets(&self) -> &[SheetName] {
        &self.names
    }

    fn sheet(&mut self, _sheet: usize) -> Rc<SheetFacts> {
        Rc::new(self.facts.clone())
    }

    fn rows(&mut self, _sheet: usize, window: &Window) -> Rows {
        let rows = self.rows.iter();
        Rows {
            rows: rows
                .filter(|row| {
                    (window.range.first_row..=window.range.last_row).contains(&row.number)
                })
                .cloned()
                .collect(),
            ..Rows::default()
        }
    }

    fn objects(&mut self, _sheet: usize) -> Objects {
        self.objects.clone()
    }
}

/// Builds a sheet from positions and texts.
fn fake(cells: &[(&str, &str)]) -> Fake {
    let mut fake = Fake {
        names: vec![SheetName {
            name: "One".to_owned(),
            ..SheetName::default()
        }],
        ..Fake::default()
    };
    let mut list: Vec<(Range, &str)> = cells
        .iter()
        .map(|(place, text)| (Range::parse(place).unwrap(), *text))
        .collect();
    list.sort_by_key(|(range, _)| (range.first_row, range.first_column));
    for (range, text) in list {
        if fake
            .rows
            .last()
            .is_none_or(|row| row.number != range.first_row)
        {
            fake.rows.push(Row {
                number: range.first_row,
                ..Row::default()
            });
        }
        fake.rows.last_mut().unwrap().cells.push(Cell {
            column: range.first_column,
            value: Value::Text(text.into()),
            shown: None,
            formula: None,
        });
        let used = fake.facts.used.get_or_insert(range);
        used.first_row = used.first_row.min(range.first_row);
        used.first_column = used.first_column.min(range.first_column);
        used.last_row = used.last_row.max(range.last_row);
        used.last_column = used.last_column.max(range.last_column);
    }
    fake
}

/// The Markdown of the sheet without its heading.
fn markdown(fake: Fake) -> String {
    let mut document = document("Test", Vec::new(), Box::new(fake), Vec::new()).unwrap();
    let text = document.unit(0).text;
    let rest = text.strip_prefix("## One").unwrap();
    rest.trim_start().to_owned()
}

#[test]
fn a_table_has_a_header() {
    let text = markdown(fake(&[
        ("A1", "a"),
        ("B1", "b|c"),
        ("A2", "1"),
        ("B2", "x\ny"),
    ]));
    assert_eq!(text, "|a|b\\|c|\n|-|-|\n|1|x<br>y|");
}

#[test]
fn empty_rows_and_columns_separate_tables() {
    let text = markdown(fake(&[
        ("A1", "a"),
        ("B1", "b"),
        ("A2", "1"),
        ("B2", "2"),
        ("D1", "c"),
        ("E1", "d"),
        ("D2", "3"),
        ("E2", "4"),
        ("A5", "e"),
        ("B5", "f"),
    ]));
    let expected = "<!-- A1:B2 -->\n\n|a|b|\n|-|-|\n|1|2|\n\n<!-- D1:E2 -->\n\n\
                    |c|d|\n|-|-|\n|3|4|\n\n<!-- A5:B5 -->\n\n|e|f|\n|-|-|";
    assert_eq!(text, expected);
}

#[test]
fn address_of_each_cell_follows_from_comments() {
    // Cells that are not in a table, and an empty column.
    let text = markdown(fake(&[
        ("A1", "Title"),
        ("A3", "Subtitle"),
        ("E4", "aside"),
        ("B7", "a"),
        ("C7", "b"),
        ("B8", "x"),
        ("C8", "1"),
    ]));
    let expected = "<!-- A1, A3, E4 -->\n\nTitle\n\nSubtitle\n\naside\n\n<!-- B7:C8 -->\n\n\
                    |a|b|\n|-|-|\n|x|1|";
    assert_eq!(text, expected);
    assert_eq!(markdown(fake(&[("A1", "a"), ("A2", "b")])), "|a|\n|-|\n|b|");
}

#[test]
fn spacer_columns_are_in_the_comment_of_their_table() {
    // The groups of columns of a report, with signs of a currency.
    let mut cells = Vec::new();
    for row in 1..=4 {
        for (column, text) in [
            ("A", "Item"),
            ("C", "$"),
            ("D", "7"),
            ("F", "$"),
            ("G", "8"),
        ] {
            let head = ["", "2023", "2024"];
            let text = match (row, column) {
                (1, "D") => head[1],
                (1, "G") => head[2],
                (1, _) => continue,
                _ => text,
            };
            cells.push((format!("{column}{row}"), text));
        }
    }
    let cells: Vec<(&str, &str)> = cells.iter().map(|(at, text)| (&**at, *text)).collect();
    let text = markdown(fake(&cells));
    assert!(
        text.starts_with("<!-- A1:G4 without columns B, E -->\n\n|"),
        "{text}"
    );
    assert_eq!(text.matches("<!--").count(), 1, "{text}");
    assert!(text.ends_with("|Item|$|7|$|8|"), "{text}");
    // Groups of texts with names of their own.
    let mut cells = Vec::new();
    for row in 1..=3 {
        for column in ["A", "B", "D", "E", "G", "H"] {
            cells.push((format!("{column}{row}"), format!("name {column}{row}")));
        }
    }
    let list = |cells: &[(String, String)]| {
        let cells: Vec<(&str, &str)> = cells.iter().map(|(at, text)| (&**at, &**text)).collect();
        markdown(fake(&cells))
    };
    let text = list(&cells);
    assert_eq!(text.matches("<!--").count(), 1, "{text}");
    // Lists with the same names are tables of their own.
    for (at, text) in &mut cells {
        if at.ends_with('1') {
            let index = usize::from(matches!(at.as_bytes()[0], b'B' | b'E' | b'H'));
            ["Name", "Place"][index].clone_into(text);
        }
    }
    let text = list(&cells);
    assert_eq!(text.matches("<!--").count(), 3, "{text}");
}

#[test]
fn single_rows_are_joined_with_their_table() {
    // An empty row after the header and before the total.
    let text = markdown(fake(&[
        ("A1", "Item"),
        ("B1", "Sum"),
        ("A3", "x"),
        ("B3", "1"),
        ("A4", "y"),
        ("B4", "2"),
        ("A6", "Total"),
        ("B6", "3"),
        ("A8", "Name"),
        ("B8", "Town"),
        ("A9", "Ann"),
        ("B9", "Ulm"),
    ]));
    let expected = "<!-- A1:B6 without rows 2, 5 -->\n\n|Item|Sum|\n|-|-|\n\
                    |x|1|\n|y|2|\n|Total|3|\n\n<!-- A8:B9 -->\n\n\
                    |Name|Town|\n|-|-|\n|Ann|Ulm|";
    assert_eq!(text, expected);
    // Two lists beside each other, with a title of each above.
    let text = markdown(fake(&[
        ("B1", "TITLE"),
        ("F1", "DN"),
        ("B3", "Title"),
        ("F3", "Names"),
        ("B4", "x"),
        ("F4", "y"),
    ]));
    assert!(
        text.starts_with("<!-- B1:F1 without columns C:E -->"),
        "{text}"
    );
    // An empty row after each row, and an empty column.
    let text = markdown(fake(&[
        ("B2", "a"),
        ("D2", "b"),
        ("B4", "1"),
        ("D4", "2"),
        ("B6", "3"),
        ("D6", "4"),
    ]));
    let expected = "<!-- B2:D6 without column C and rows 3, 5 -->\n\n|a|b|\n|-|-|\n\
                    |1|2|\n|3|4|";
    assert_eq!(text, expected);
}

#[test]
fn labels_and_their_values_are_one_table() {
    let text = markdown(fake(&[
        ("A1", "Name"),
        ("C1", "Ann"),
        ("A2", "Age"),
        ("C2", "7"),
    ]));
    assert_eq!(
        text,
        "<!-- A1:C2 without column B -->\n\n|Name|Ann|\n|-|-|\n|Age|7|"
    );
}

#[test]
fn long_tables_have_empty_columns() {
    let table = |rows: usize, last: usize| {
        let mut cells = Vec::new();
        for row in 1..=rows {
            for (column, end) in [("A", rows), ("B", rows), ("D", last), ("E", last)] {
                if row <= end {
                    cells.push((format!("{column}{row}"), format!("{column}{row}")));
                }
            }
        }
        let cells: Vec<(&str, &str)> = cells.iter().map(|(at, text)| (&**at, &**text)).collect();
        markdown(fake(&cells))
    };
    assert!(table(12, 12).contains("|A12|B12|D12|E12|"));
    assert!(table(11, 11).contains("|A11|B11|\n\n"));
    assert!(table(20, 12).contains("|A12|B12|\n|A13|B13|"));
}

#[test]
fn titles_are_paragraphs() {
    let text = markdown(fake(&[
        ("A1", "Title"),
        ("A2", "a"),
        ("B2", "b"),
        ("A3", "1"),
        ("B3", "2"),
    ]));
    assert_eq!(text, "Title\n\n<!-- A2:B3 -->\n\n|a|b|\n|-|-|\n|1|2|");
    assert_eq!(markdown(fake(&[("C3", "Alone")])), "<!-- C3 -->\n\nAlone");
}

#[test]
fn merged_cells_repeat_their_text() {
    let mut sheet = fake(&[
        ("A1", "a"),
        ("B1", "wide"),
        ("B2", "x"),
        ("C2", "y"),
        ("B3", "1"),
        ("C3", "2"),
    ]);
    sheet.facts.merged = vec![
        Range::parse("A1:A3").unwrap(),
        Range::parse("B1:C1").unwrap(),
    ];
    let text = markdown(sheet);
    assert_eq!(text, "|a|wide|wide|\n|-|-|-|\n|a|x|y|\n|a|1|2|");
}

#[test]
fn named_tables_are_not_cut() {
    let mut sheet = fake(&[("A1", "a"), ("B1", "b"), ("A4", "1"), ("B4", "2")]);
    sheet.facts.tables = vec![NamedTable {
        name: "Sales".to_owned(),
        range: Range::parse("A1:B4").unwrap(),
        header: true,
    }];
    assert_eq!(
        markdown(sheet),
        "<!-- Sales: A1:B4 without rows 2:3 -->\n\n|a|b|\n|-|-|\n|1|2|"
    );
}

#[test]
fn drawings_and_comments_follow_their_places() {
    let mut sheet = fake(&[("A3", "x"), ("A9", "y")]);
    let drawing = |row, text: &str| Drawing {
        row,
        column: 1,
        blocks: vec![Block::Paragraph(vec![Inline::plain(text)])],
    };
    sheet.objects.drawings = vec![
        drawing(20, "last"),
        drawing(1, "first"),
        drawing(5, "middle"),
    ];
    sheet.objects.comments = vec![Comment {
        row: 9,
        column: 1,
        author: "Ann".to_owned(),
        text: "one\ntwo".to_owned(),
        reply: false,
    }];
    let text = markdown(sheet);
    assert_eq!(
        text,
        "first\n\n<!-- A3 -->\n\nx\n\nmiddle\n\n<!-- A9 -->\n\ny\n\nlast\n\n> Comment on A9 by Ann: one  \n> two"
    );
}

#[test]
fn hidden_sheets_are_marked() {
    let mut sheet = fake(&[("A1", "x")]);
    sheet.names[0].visibility = Visibility::Hidden;
    assert_eq!(markdown(sheet), "*Hidden sheet*\n\nx");
}

#[test]
fn distant_cells_are_a_list() {
    // The merged range keeps the cells together.
    let mut sheet = fake(&[("A1", "corner")]);
    sheet.facts.merged = vec![Range::parse("A1:XFD9000").unwrap()];
    for number in 2..=3000_u32 {
        sheet.rows.push(Row {
            number,
            hidden: false,
            cells: vec![Cell {
                column: number,
                value: Value::Number(1.0),
                shown: None,
                formula: None,
            }],
        });
    }
    sheet.facts.used = Range::parse("A1:XFD9000");
    let text = markdown(sheet);
    assert!(text.len() < 100_000, "{}", text.len());
    assert!(text.contains("- B2: 1\n- C3: 1\n"));
}

#[test]
fn overlapping_merged_ranges_fill_few_cells() {
    let names: Vec<String> = (1..=2000)
        .map(|it| format!("{}1", column_name(it)))
        .collect();
    let cells: Vec<(&str, &str)> = names.iter().map(|it| (it.as_str(), "x")).collect();
    let mut sheet = fake(&cells);
    sheet.facts.merged = names
        .iter()
        .map(|it| Range::parse(&format!("{it}:XFD9")).unwrap())
        .collect();
    let text = markdown(sheet);
    assert!(
        text.starts_with("<!-- A1") || text.starts_with('|'),
        "{}",
        &text[..40]
    );
    assert_eq!(text.split('|').filter(|cell| *cell == "x").count(), 2000);
}

#[test]
fn columns_have_names() {
    for (number, name) in [
        (1, "A"),
        (26, "Z"),
        (27, "AA"),
        (702, "ZZ"),
        (703, "AAA"),
        (16_384, "XFD"),
    ] {
        assert_eq!(column_name(number), name);
        assert_eq!(crate::workbook::column_number(name), Some(number));
    }
    assert_eq!(crate::workbook::column_number("XFE"), None);
    assert_eq!(Range::parse("$B$4:C5"), Range::parse("B4:C5"));
    assert_eq!(
        Range::parse("B:C").unwrap().last_row,
        crate::workbook::LAST_ROW
    );
    for wrong in ["", ":", "C5:B4", "A0", "XFE1", "A1048577", "1A", "A-1"] {
        assert_eq!(Range::parse(wrong), None, "{wrong}");
    }
}
