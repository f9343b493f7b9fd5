//! Tables whose tags do not have the positions of their cells.

use crate::open;
use crate::structure;
use crate::testing::{Builder, FONTS};

/// A cell: the places and the texts of its content, and more entries of its element.
type Cell<'a> = (&'a [(usize, &'a str)], &'a str);

/// The text of a page and its notes.
fn unit_notes(bytes: Vec<u8>) -> (String, Vec<String>) {
    let unit = open(bytes, None).unwrap().unit(0);
    (unit.text, unit.notes)
}

/// A file with a tagged table. The columns are 100 points wide.
fn file(rows: &[&[Cell<'_>]]) -> Vec<u8> {
    let (mut content, mut elements) = (String::new(), String::new());
    let mut id = 0;
    for (row, cells) in rows.iter().enumerate() {
        elements += "<< /S /TR /P 6 0 R /K [";
        for (texts, more) in *cells {
            elements += &format!("<< /S /TD {more} /Pg 3 0 R /K [");
            for (column, text) in *texts {
                let (x, y) = (50 + 100 * column, 700 - 20 * row);
                content += &format!(
                    "/TD << /MCID {id} >> BDC BT /F1 10 Tf {x} {y} Td ({text}) Tj ET EMC "
                );
                elements += &format!("{id} ");
                id += 1;
            }
            elements += "] >> ";
        }
        elements += "] >> ";
    }
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 5 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    builder.add(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /StructParents 0 /Contents 4 0 R /Resources << {FONTS} >> >>"
    ));
    builder.stream("", content.as_bytes());
    builder.add("<< /Type /StructTreeRoot /K 6 0 R >>");
    builder.add(format!("<< /S /Table /P 5 0 R /K [{elements}] >>"));
    builder.file(1)
}

const HEAD: &[Cell<'static>] = &[
    (&[(0, "Date")], ""),
    (&[(1, "Firm")], ""),
    (&[(2, "City")], ""),
    (&[(3, "Kind")], ""),
];

const FULL: &[Cell<'static>] = &[
    (&[(0, "7/1")], ""),
    (&[(1, "Alder")], ""),
    (&[(2, "Rome")], ""),
    (&[(3, "Layoff")], ""),
];

const START: &str = "|Date|Firm|City|Kind|\n|-|-|-|-|\n";

#[test]
fn empty_cells_at_the_wrong_place_of_a_row_are_moved() {
    let short: &[Cell<'_>] = &[
        (&[(0, "7/2")], ""),
        (&[(3, "Closure")], ""),
        (&[], ""),
        (&[], ""),
    ];
    let (text, notes) = unit_notes(file(&[HEAD, FULL, short, FULL, short]));
    let rows = "|7/1|Alder|Rome|Layoff|\n|7/2|||Closure|";
    assert_eq!(text, format!("{START}{rows}\n{rows}"));
    assert_eq!(notes, [structure::MOVED]);
}

#[test]
fn cells_without_tags_are_empty_where_others_have_several_columns() {
    let title: &[Cell<'_>] = &[(&[(0, "All firms")], "/A << /O /Table /ColSpan 4 >>")];
    let short: &[Cell<'_>] = &[(&[(0, "7/2")], ""), (&[(3, "Closure")], "")];
    let (text, notes) = unit_notes(file(&[HEAD, title, FULL, short]));
    assert_eq!(
        text,
        format!(
            "{START}|All firms|All firms|All firms|All firms|\n\
             |7/1|Alder|Rome|Layoff|\n|7/2|||Closure|"
        )
    );
    // The tags contradict nothing: some programs leave out those of cells without text.
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn cells_in_the_reverse_order_are_in_the_order_of_the_columns() {
    let turned: &[Cell<'_>] = &[
        (&[(3, "Layoff")], ""),
        (&[(2, "Rome")], ""),
        (&[(1, "Alder")], ""),
        (&[(0, "7/1")], ""),
    ];
    let (text, notes) = unit_notes(file(&[HEAD, turned, FULL]));
    let row = "|7/1|Alder|Rome|Layoff|";
    assert_eq!(text, format!("{START}{row}\n{row}"));
    assert_eq!(notes, [structure::MOVED]);
}

#[test]
fn a_cell_with_the_texts_of_several_columns_is_several_cells() {
    let joined: &[Cell<'_>] = &[
        (&[(0, "7/2"), (1, "Cedar"), (2, "Paris")], ""),
        (&[(3, "Closure")], ""),
    ];
    let (text, notes) = unit_notes(file(&[HEAD, FULL, joined, FULL, joined]));
    let rows = "|7/1|Alder|Rome|Layoff|\n|7/2|Cedar|Paris|Closure|";
    assert_eq!(text, format!("{START}{rows}\n{rows}"));
    assert_eq!(notes, [structure::MOVED]);
}

#[test]
fn tables_with_cells_over_rows_and_columns_stay() {
    let tall: &[Cell<'_>] = &[
        (&[(0, "7/2")], "/A << /O /Table /RowSpan 2 >>"),
        (&[(1, "Cedar")], ""),
        (&[(2, "Paris")], "/A << /O /Table /ColSpan 2 >>"),
    ];
    let below: &[Cell<'_>] = &[
        (&[(1, "Elm")], ""),
        (&[(2, "Oslo")], ""),
        (&[(3, "Layoff")], ""),
    ];
    let (text, notes) = unit_notes(file(&[HEAD, FULL, tall, below]));
    assert_eq!(
        text,
        format!(
            "{START}|7/1|Alder|Rome|Layoff|\n|7/2|Cedar|Paris|Paris|\n\
             |7/2|Elm|Oslo|Layoff|"
        )
    );
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn titles_over_several_columns_stay_in_their_cells() {
    let title: &[Cell<'_>] = &[
        (&[], ""),
        (&[], ""),
        (&[(0, "Firms of the whole country and of its parts")], ""),
        (&[], ""),
    ];
    let (text, notes) = unit_notes(file(&[HEAD, title, FULL]));
    assert!(
        text.contains("|||Firms of the whole country and of its parts||"),
        "{text}"
    );
    assert!(notes.is_empty(), "{notes:?}");
}
