//! Tests of the Markdown form.

use super::render;
use crate::limits;
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
    assert_eq!(table, "|a|b|b|\n|-|-|-|\n|c|c|d|");
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
    assert_eq!(table, "|Name|Name|\n|-|-|\n|Day|Sex|");
    let rows = vec![
        vec![wide("a", 3)],
        vec![wide("b", 3)],
        vec![wide("c", 3)],
        vec![wide("d", 1), wide("e", 1), wide("f", 1)],
    ];
    let table = render(&[Block::Table(Table { rows })]);
    assert_eq!(table, "|a|||\n|-|-|-|\n|b|||\n|c|||\n|d|e|f|");
    // A table with a title is no form.
    let rows = vec![
        vec![wide("Title", 2)],
        vec![wide("a", 1), wide("", 1)],
        vec![wide("", 1), wide("", 1)],
    ];
    let table = render(&[Block::Table(Table { rows })]);
    assert_eq!(table, "|Title|Title|\n|-|-|\n|a||\n|||");
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
    assert_eq!(table, "||- b<br>c|\n|-|-|\n||- b<br>c|");
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
    // Word has a text for each of the spaces.
    let spaces = vec![styled("\u{2002}", Style::BOLD); 10];
    assert_eq!(paragraph(&spaces), "_____ _____");
    let content = [
        styled("a\u{2002}", Style::BOLD),
        styled(&space[3..], Style::BOLD),
    ];
    assert_eq!(paragraph(&content), "**a** _____");
    assert_eq!(paragraph(&[Inline::plain("a\u{2002}\u{2002}b")]), "a b");
}

#[test]
fn invisible_characters_are_removed() {
    let text = "\u{feff}a\u{ad}b\u{200b}\u{200e}\u{200f}\u{2060}c";
    assert_eq!(paragraph(&[Inline::plain(text)]), "abc");
    // The reader makes the others visible.
    let text = "a\u{202a}b\u{202e}c\u{2066}d\u{2069}e\u{200d}f";
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
    assert_eq!(table, format!("|{long}|||\n|-|-|-|\n|1|2|3|"));
}

#[test]
fn label_of_a_group_of_rows_is_repeated_in_each() {
    let label = "x".repeat(40);
    let mut rows = vec![vec![
        Cell {
            rows: 30,
            ..Cell::text(label.as_str())
        },
        Cell::text("0"),
    ]];
    rows.extend((1..30).map(|n| vec![Cell::text(n.to_string())]));
    let table = render(&[Block::Table(Table { rows })]);
    assert_eq!(table.matches(&label).count(), 30);
}

#[test]
fn rows_that_cells_above_cover_are_shown() {
    let tall = |text: &str| Cell {
        rows: 2,
        ..Cell::text(text)
    };
    let rows = vec![
        vec![tall("a"), tall("b")],
        vec![],
        vec![Cell::text("c"), Cell::text("d")],
    ];
    let table = render(&[Block::Table(Table { rows })]);
    let expected = "|a|b|\n|-|-|\n|a|b|\n|c|d|";
    assert_eq!(table, expected);
}

#[test]
fn image_in_a_merged_cell_is_shown_once() {
    let image = Inline::Image {
        alt: String::new(),
        number: 1,
    };
    let merged = Cell {
        columns: 2,
        rows: 2,
        ..Cell::new(vec![Block::Paragraph(vec![image])])
    };
    let rows = vec![vec![merged, Cell::text("a")], vec![Cell::text("b")]];
    assert_eq!(
        render(&[Block::Table(Table { rows })]),
        "|![](image:1)|a|\n|-|-|\n||b|"
    );
}

#[test]
fn text_of_a_merged_cell_with_an_image_is_repeated() {
    let mixed = || {
        let image = Inline::Image {
            alt: String::new(),
            number: 1,
        };
        Cell::new(vec![Block::Paragraph(vec![Inline::plain("North "), image])])
    };
    let tall = Cell { rows: 2, ..mixed() };
    let wide = Cell {
        columns: 2,
        ..mixed()
    };
    let rows = vec![
        vec![Cell::text("a"), Cell::text("b"), Cell::text("c")],
        vec![tall, Cell::text("d"), Cell::text("e")],
        vec![Cell::text("f"), Cell::text("g")],
        vec![wide, Cell::text("h")],
    ];
    assert_eq!(
        render(&[Block::Table(Table { rows })]),
        "|a|b|c|\n|-|-|-|\n|North ![](image:1)|d|e|\n|North|f|g|\n\
         |North ![](image:1)|North|h|"
    );
}

#[test]
fn merged_cells_have_a_limit() {
    let mut budget = super::Budget::of(1000);
    let wide = |columns| Cell {
        columns,
        rows: 1000,
        ..Cell::text("x")
    };
    let rows = vec![vec![wide(10_000)], vec![Cell::text("y")]];
    let table = super::render_within(&[Block::Table(Table { rows })], &mut budget);
    assert!(table.len() < 3000 && table.contains('y') && budget.is_cut);
}

#[test]
fn cells_stay_in_their_columns_after_the_limit() {
    let label = "x".repeat(40);
    let tall = |text: &str| Cell {
        rows: 4,
        ..Cell::text(text)
    };
    let row = |text: &str| vec![Cell::text(text)];
    let rows = vec![
        vec![tall(&label), Cell::text("1")],
        row("2"),
        row("3"),
        row("4"),
    ];
    let mut budget = super::Budget::of(100);
    let table = super::render_within(&[Block::Table(Table { rows })], &mut budget);
    let expected = format!("|{label}|1|\n|-|-|\n|{label}|2|\n||3|\n||4|");
    assert_eq!(table, expected);
    assert!(budget.is_cut);
}

#[test]
fn texts_of_documents_that_are_too_long_are_cut_once() {
    let long = "x".repeat(1 << 20);
    let text = || Block::Paragraph(vec![Inline::plain(long.as_str())]);
    let quote = Block::Quote((0..60).map(|_| text()).collect());
    let shown = render(&[quote, text()]);
    assert!(shown.ends_with("-->") && shown.matches("<!--").count() == 1);
    assert!(shown.len() < limits::OUTPUT_BYTES + (2 << 20));
}

#[test]
fn raised_texts_have_the_forms_of_pages() {
    let sup = |text| styled(text, Style::SUP);
    let sub = |text| styled(text, Style::SUB);
    let plain = |text: &str| Inline::plain(text);
    for (content, expected) in [
        (vec![plain("10"), sup("4"), plain(" m")], "10^4 m"),
        (vec![plain("H"), sub("2"), plain("O")], "H_2O"),
        (
            vec![plain("x"), sup(" n+1 "), plain("y")],
            "x <sup>n+1</sup> y",
        ),
        (vec![styled("x", Style::ITALIC), sub("i")], "*x*_i"),
        (
            vec![plain("3"), sup("1"), plain("/"), sub("2")],
            "3<sup>1</sup>/<sub>2</sub>",
        ),
        (vec![plain("1"), sup("st"), plain(" of")], "1st of"),
        (vec![sup("a")], "<sup>a</sup>"),
        // A text with several formats.
        (
            vec![
                plain("x"),
                styled("n", Style::SUP.with(Style::ITALIC)),
                sup("+1"),
            ],
            "x*<sup>n</sup>*<sup>+1</sup>",
        ),
    ] {
        assert_eq!(paragraph(&content), expected);
    }
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
    let expected = "|$\\vert x\\vert$|a\\|b|\n|-|-|";
    assert_eq!(render(&[Block::Table(table)]), expected);
    assert_eq!(paragraph(&[formula("|x|")]), "$$|x|$$");
}
