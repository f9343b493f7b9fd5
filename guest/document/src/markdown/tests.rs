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
        "Name: ______ a__b _x"
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
fn forms_do_not_repeat_cells() {
    let wide = |text: &str, columns| Cell {
        columns,
        ..Cell::text(text)
    };
    let rows = vec![
        vec![wide("Name", 4)],
        vec![wide("", 1), wide("", 1), wide("", 1), wide("", 1)],
        vec![wide("Day", 3), wide("Sex", 1)],
    ];
    let table = render(&[Block::Table(Table { rows })]);
    assert_eq!(table, "| Name | Name |\n| --- | --- |\n| Day | Sex |");
    let rows = vec![
        vec![wide("a", 3)],
        vec![wide("b", 3)],
        vec![wide("c", 3)],
        vec![wide("d", 1), wide("e", 1), wide("f", 1)],
    ];
    let table = render(&[Block::Table(Table { rows })]);
    assert_eq!(
        table,
        "| a | | |\n| --- | --- | --- |\n| b | | |\n| c | | |\n| d | e | f |"
    );
    // A table with a title is no form.
    let rows = vec![
        vec![wide("Title", 2)],
        vec![wide("a", 1), wide("", 1)],
        vec![wide("", 1), wide("", 1)],
    ];
    let table = render(&[Block::Table(Table { rows })]);
    assert_eq!(table, "| Title | Title |\n| --- | --- |\n| a | |\n| | |");
}

#[test]
fn frames_are_no_tables() {
    let text = |text: &str| Block::Paragraph(vec![Inline::plain(text)]);
    let long = "x".repeat(600);
    let row = |blocks| vec![Cell::new(Vec::new()), Cell::new(blocks)];
    let list = || vec![item(0, "", "b"), text("c")];
    let rows = vec![row(vec![text(&long), item(0, "", "a")]), row(list())];
    let frame = render(&[Block::Table(Table { rows })]);
    assert_eq!(frame, format!("{long}\n\n- a\n\n- b\n\nc"));
    let rows = vec![row(list()), row(list())];
    let table = render(&[Block::Table(Table { rows })]);
    assert_eq!(table, "| | - b<br>c |\n| --- | --- |\n| | - b<br>c |");
}

#[test]
fn notes_have_no_brackets() {
    let raised = |text| styled(text, Style::SUP);
    let note = Inline::Note("1".to_owned());
    let content = [Inline::plain("a"), raised("("), note.clone(), raised(")")];
    assert_eq!(paragraph(&content), "a[^1]");
    assert_eq!(paragraph(&[raised("("), note]), "<sup>(</sup>[^1]");
    let blocks = vec![Block::Paragraph(vec![Inline::plain("() See")])];
    let label = "1".to_owned();
    assert_eq!(render(&[Block::Footnote { label, blocks }]), "[^1]: See");
}

#[test]
fn empty_fields_of_forms_are_lines_to_fill_in() {
    let space = "\u{2002}".repeat(5);
    let content = [
        Inline::plain("No. "),
        styled(&space, Style::BOLD),
        Inline::plain(" of"),
    ];
    assert_eq!(paragraph(&content), "No. _____ of");
    assert_eq!(paragraph(&[Inline::plain("a\u{2002}\u{2002}b")]), "a b");
}

#[test]
fn invisible_characters_are_removed() {
    let text = "\u{feff}a\u{ad}b\u{200b}\u{200e}\u{200f}c";
    assert_eq!(paragraph(&[Inline::plain(text)]), "abc");
    // The reader makes the others visible.
    let text = "a\u{202a}b\u{202e}c\u{2066}d\u{2069}e\u{200d}f\u{2060}g";
    assert_eq!(paragraph(&[Inline::plain(text)]), text);
    assert_eq!(paragraph(&[styled("\u{200b}", Style::BOLD)]), "");
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
