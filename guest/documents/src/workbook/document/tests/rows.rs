//! Empty rows in tables.

use super::{fake, markdown};
use crate::workbook::column_name;

/// The Markdown of rows from A1 on. `-` is an empty cell.
fn of_rows(rows: &[&str]) -> String {
    let mut cells = Vec::new();
    for (row, number) in rows.iter().zip(1..) {
        for (text, column) in row.split_whitespace().zip(1..) {
            if text != "-" {
                cells.push((format!("{}{number}", column_name(column)), text));
            }
        }
    }
    let cells: Vec<(&str, &str)> = cells.iter().map(|(at, text)| (&at[..], *text)).collect();
    markdown(fake(&cells))
}

#[test]
fn rows_below_an_empty_row_without_a_header_continue_the_table() {
    let count = |rows: &[&str]| of_rows(rows).matches("\n|-").count();
    assert_eq!(
        of_rows(&["Name Sum", "a 1", "b 2", "", "c 3", "d 4"]),
        "<!-- A1:B6 without row 4 -->\n\n|Name|Sum|\n|-|-|\n|a|1|\n|b|2|\n\
         |c|3|\n|d|4|"
    );
    // Groups with names, a missing cell and a currency.
    for rows in [
        &["Name Sum", "a 1", "b 2", "", "North -", "c 3", "d 4"][..],
        &["Name Sum Rate", "a 1 2", "b 2 3", "", "c - 3", "d 4 -"],
        &[
            "Name Sum", "a $1", "b $2", "", "c $3", "d -", "", "e $5", "f $6",
        ],
        &["Year Sum", "2019 10", "2020 11", "", "2021 12", "2022 13"],
        &["Day 2023 2024", "a 1 2", "b 2 3", "", "c 3 4", "d 5 6"],
    ] {
        assert_eq!(count(rows), 1, "{rows:?}");
    }
    // A header of its own, other columns, texts only, and two empty rows.
    for rows in [
        &["Name Sum", "a 1", "b 2", "", "Town Size", "c 3", "d 4"][..],
        &["Name Sum", "a 1", "b 2", "", "Name Sum", "c 3", "d 4"],
        &["Name Sum", "a 1", "b 2", "", "South -", "Town Size", "c 3"],
        &[
            "Name 2023 2024",
            "a 1 2",
            "b 2 3",
            "",
            "Town 2023 2024",
            "c 3 4",
        ],
        &[
            "Day 1 2 3",
            "a 1 0 7",
            "b 2 9 9",
            "",
            "Hour 1 2 3",
            "c 3 8 4",
        ],
        &["Name Sum", "a 1", "b 2", "", "- - c 3", "- - d 4"],
        &["Name Town", "a b", "c d", "", "e f", "g h"],
        &["Name Sum", "a 1", "b 2", "", "", "c 3", "d 4"],
    ] {
        assert_eq!(count(rows), 2, "{rows:?}");
    }
}

#[test]
fn rows_and_columns_have_their_names_if_many_are_left_out() {
    // An empty row after most rows.
    let mut cells = Vec::new();
    for n in 1..=100_u32 {
        let row = n.saturating_mul(2).saturating_sub(n / 7);
        cells.push((format!("A{row}"), format!("name{n}")));
        cells.push((format!("B{row}"), n.to_string()));
    }
    let cells: Vec<(&str, &str)> = cells
        .iter()
        .map(|(at, text)| (&at[..], &text[..]))
        .collect();
    let text = markdown(fake(&cells));
    let start = "<!-- A2:B186, with the numbers of its rows -->\n\n|Row|name1|1|\n\
        |-|-|-|\n|4|name2|2|\n";
    assert!(text.starts_with(start), "{text}");
    assert!(text.ends_with("\n|186|name100|100|"), "{text}");
    // An empty column after each column.
    let mut cells = Vec::new();
    for row in 1..=3 {
        for n in 1..=50_u32 {
            cells.push((format!("{}{row}", column_name(n.saturating_mul(2))), "x"));
        }
    }
    let cells: Vec<(&str, &str)> = cells.iter().map(|(at, text)| (&at[..], *text)).collect();
    let text = markdown(fake(&cells));
    let start = "<!-- B1:CV3, with the letters of its columns -->\n\n|B|D|F|";
    assert!(text.starts_with(start), "{text}");
    assert_eq!(text.matches("\n|x|x|").count(), 3, "{text}");
}
