//! Tests of tables on a terminal.

use super::super::columns::width;
use super::*;

fn shown(text: &str, columns: usize) -> String {
    fit(text, columns, Palette::NONE).text
}

/// A row of a table in which all lines of `text` are equally wide.
fn is_aligned(text: &str) -> bool {
    let mut widths = text.lines().map(width);
    let first = widths.next();
    widths.all(|width| Some(width) == first)
}

#[test]
fn columns_are_aligned_by_width_and_numbers_are_at_the_right() {
    let text = "| name | n |\n| --- | --- |\n| 漢字 | 5 |\n| e\u{301} | 1,200.5 |\n| 😀 | NULL |\n| 👩\u{200d}🔬 |  |";
    let expected = "\
| name |       n |
| ---- | ------: |
| 漢字 |       5 |
| e\u{301}    | 1,200.5 |
| 😀   |    NULL |
| 👩\u{200d}🔬   |         |";
    assert_eq!(shown(text, 80), expected);
    assert!(is_aligned(expected));
}

#[test]
fn sides_that_the_text_determines_are_kept() {
    let text = "| a | b | c |\n| :-- | :-: | --: |\n| 1 | xx | yyyyy |\n| 22222 | x | z |";
    let expected = "\
| a     |  b  |     c |
| ----- | :-: | ----: |
| 1     | xx  | yyyyy |
| 22222 |  x  |     z |";
    assert_eq!(shown(text, 80), expected);
}

#[test]
fn numbers_are_recognised_as_they_are_written() {
    for number in [
        "0",
        "-1",
        "+1",
        "1.5",
        ".5",
        "1,5",
        "1,234.50",
        "1.234.567",
        "1 200,5 €",
        "$1,200",
        "-$3",
        "12%",
        "12.5 %",
        "1.5e-7",
        "1E+10",
        "10'000.5",
        "−3",
        "1,780.00 EUR",
    ] {
        assert!(layout::is_number(number), "{number}");
    }
    for text in [
        "",
        "-",
        "x",
        "2026-01-05",
        "10:30",
        "1.2.3",
        "10.0.0.1",
        "12 kg",
        "EUR",
        "12 EURO",
        "1e",
        "e5",
        "%",
        "$",
        "0x1f",
        "1,2,3",
        "…",
        "12…",
    ] {
        assert!(!layout::is_number(text), "{text}");
    }
}

#[test]
fn widest_columns_of_text_are_narrowed_first() {
    let long = "x".repeat(60);
    let text = format!("| id | a | b |\n| --- | --- | --- |\n| 1234567890123 | {long} | short |");
    let fitted = fit(&text, 50, Palette::NONE);
    assert!(fitted.text.contains("| 1234567890123 |"), "{}", fitted.text);
    assert!(fitted.text.contains("x… | short |"), "{}", fitted.text);
    assert!(
        fitted.text.lines().all(|line| width(line) == 50),
        "{}",
        fitted.text
    );
    let cut = Cut {
        values: 1,
        ..Cut::default()
    };
    assert_eq!(fitted.cut, cut);
}

#[test]
fn no_line_is_wider_than_the_terminal_and_missing_parts_are_counted() {
    let names: Vec<String> = (0..30).map(|n| format!("column{n}")).collect();
    let values: Vec<String> = (0..30).map(|n| "漢".repeat(n)).collect();
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let rule = line(&vec!["---".to_owned(); 30]);
    let text = [line(&names), rule, line(&values)].join("\n");
    for columns in [1, 5, 9, 10, 20, 40, 79, 80, 120, 200, 300] {
        let fitted = fit(&text, columns, Palette::NONE);
        let most = columns.max(11);
        assert!(
            fitted.text.lines().all(|line| width(line) <= most),
            "{columns}: {}",
            fitted.text
        );
        assert!(is_aligned(&fitted.text), "{columns}: {}", fitted.text);
        let head = fitted.text.lines().next().unwrap();
        let shown = head.matches("| c").count();
        assert_eq!(fitted.cut.columns, 30 - shown.max(1), "{columns}: {head}");
        assert_eq!(fitted.cut.of_columns, 30);
        assert!(head.contains("| … |"), "{columns}: {head}");
    }
    let wide = fit(&text, 5000, Palette::NONE);
    assert_eq!(wide.cut, Cut::default());
}

#[test]
fn notice_states_what_is_missing() {
    let of = |columns, of_columns, values| {
        let cut = Cut {
            columns,
            of_columns,
            values,
        };
        cut.notice(80, true)
    };
    assert_eq!(of(0, 0, 0), None);
    let start = |notice: Option<String>| notice.unwrap().split(" fit").next().unwrap().to_owned();
    assert_eq!(start(of(0, 0, 1)), "[a part of 1 value does not");
    assert_eq!(start(of(0, 0, 3)), "[parts of 3 values do not");
    assert_eq!(start(of(2, 9, 0)), "[2 of 9 columns do not");
    assert_eq!(
        start(of(1, 2, 4)),
        "[1 of 2 columns and parts of 4 values do not"
    );
}

#[test]
fn bars_in_values_of_aligned_tables_belong_to_them() {
    let text = "| a       | b   |\n| ------- | --- |\n| x | y z | 1   |\n| 漢      | 2   |";
    let table = "| a       |   b |\n| ------- | --: |\n| x | y z |   1 |\n| 漢      |   2 |";
    assert_eq!(shown(text, 80), table);
    let escaped = "| a | b |\n| --- | --- |\n| x \\| y | 1 |";
    assert_eq!(
        shown(escaped, 80),
        "| a      |   b |\n| ------ | --: |\n| x \\| y |   1 |"
    );
}

#[test]
fn text_that_is_not_a_table_is_unchanged() {
    for text in [
        "| a | b |\nno rule",
        "a | b\n--- | ---\n1 | 2",
        "| a | b |\n| --- |\n| 1 | 2 |",
        "| a |\n| --- |\n| 1 | 2 | 3 |",
        "```\n| a | b |\n| --- | --- |\n| 漢 | 2 |\n```",
        "~~~~ text\n~~~\n| a |\n| --- |\n| 漢 |\n~~~~",
        "|",
        "| a |\n| x- |",
        "",
    ] {
        assert_eq!(shown(text, 20), text);
    }
}

#[test]
fn text_around_tables_is_kept() {
    let table = "| a |\n| - |\n| bbbb |";
    let text = format!("before\n\n{table}\n\nbetween\n{table}\nafter\n");
    let laid = "| a    |\n| ---- |\n| bbbb |";
    assert_eq!(
        shown(&text, 80),
        format!("before\n\n{laid}\n\nbetween\n{laid}\nafter\n")
    );
}

#[test]
fn colours_do_not_change_the_text() {
    let text = "| a | b |\n| --- | --- |\n| x | 1 |";
    let painted = fit(text, 80, Palette::ALL).text;
    assert!(painted.contains("\u{1b}[1ma\u{1b}[0m"), "{painted:?}");
    let stripped = anstream::adapter::strip_str(&painted).to_string();
    assert_eq!(stripped, shown(text, 80));
}
