//! Tests of the Markdown form.

use super::render;
use crate::model::{Block, Cell, Inline, Style, Table};

fn styled(text: &str, style: Style) -> Inline {
    let text = text.to_owned();
    Inline::Text { text, style }
}

fn paragraph(content: &[Inline]) -> String {
    render(&[Block::Paragraph(content.to_vec())])
}

fn item(depth: usize, marker: &str, text: &str) -> Block {
    Block::Item {
        depth,
        marker: marker.to_owned(),
        blocks: vec![Block::Paragraph(vec![Inline::plain(text)])],
    }
}

#[test]
fn white_space_is_outside_of_marks() {
    let bold = |text| styled(text, Style::BOLD);
    assert_eq!(
        paragraph(&[bold(" a "), bold("b "), Inline::plain("c")]),
        "**a b** c"
    );
    assert_eq!(paragraph(&[bold("  ")]), "");
    let both = styled("b", Style::BOLD.with(Style::ITALIC));
    assert_eq!(paragraph(&[styled("a ", Style::ITALIC), both]), "*a **b***");
}

#[test]
fn asterisks_next_to_marks_are_escaped() {
    let italic = |text| styled(text, Style::ITALIC);
    assert_eq!(
        paragraph(&[italic("a:"), Inline::Break, italic("* b *")]),
        "*a:*  \n*\\* b \\**"
    );
    assert_eq!(paragraph(&[Inline::plain("* a")]), "* a");
}

#[test]
fn code_contains_backticks() {
    assert_eq!(paragraph(&[styled("a`b", Style::CODE)]), "``a`b``");
    assert_eq!(paragraph(&[styled("`", Style::CODE)]), "`` ` ``");
}

#[test]
fn lines_to_fill_in_are_not_escaped() {
    assert_eq!(
        paragraph(&[Inline::plain("Name: ______ a__b _x")]),
        "Name: ______ a__b \\_x"
    );
}

#[test]
fn items_after_skipped_levels_are_not_nested() {
    let blocks = [
        item(2, "", "a"),
        item(1, "", "b"),
        item(2, "", "c"),
        item(0, "10.", "d"),
        item(1, "", "e"),
    ];
    assert_eq!(render(&blocks), "- a\n- b\n  - c\n10. d\n    - e");
}

#[test]
fn columns_without_starts_are_removed() {
    let wide = |text: &str, columns| Cell {
        columns,
        ..Cell::text(text)
    };
    let rows = vec![
        vec![wide("a", 3), wide("b", 2)],
        vec![wide("c", 4), wide("d", 1)],
    ];
    let table = render(&[Block::Table(Table { rows })]);
    assert_eq!(table, "| a | b | b |\n| --- | --- | --- |\n| c | c | d |");
}

#[test]
fn long_merged_cells_are_shown_once() {
    let long = "x".repeat(400);
    let rows = vec![
        vec![Cell {
            columns: 3,
            ..Cell::text(long.as_str())
        }],
        vec![Cell::text("1"), Cell::text("2"), Cell::text("3")],
    ];
    let table = render(&[Block::Table(Table { rows })]);
    assert_eq!(
        table,
        format!("| {long} | | |\n| --- | --- | --- |\n| 1 | 2 | 3 |")
    );
}

#[test]
fn comments_end_once() {
    assert_eq!(
        render(&[Block::Comment("a -->\nb".to_owned())]),
        "<!-- a -- > b -->"
    );
}

#[test]
fn formulas_do_not_end_cells() {
    let formula = |latex: &str| Inline::Math {
        latex: latex.to_owned(),
        display: true,
    };
    let cell = Cell::new(vec![Block::Paragraph(vec![formula("|x|")])]);
    let table = Table {
        rows: vec![vec![cell, Cell::text("a|b")]],
    };
    let expected = "| $\\vert x\\vert$ | a\\|b |\n| --- | --- |";
    assert_eq!(render(&[Block::Table(table)]), expected);
    assert_eq!(paragraph(&[formula("|x|")]), "$$|x|$$");
}
