//! Headings and lines with text at both sides, which look like rows of tables.

use super::*;

/// A line with text at both sides of the measure from 50 to 350.
fn pair(page: Builder, y: f32, left: &str, right: &str) -> Builder {
    let x = 350.0 - 5.0 * right.chars().count() as f32;
    page.text((50.0, y), 10.0, BOLD, left)
        .text((x, y), 10.0, REGULAR, right)
}

#[test]
fn lines_with_text_at_both_sides_are_no_table() {
    let page = pair(Builder::new(), 60.0, "A company", "2019 - 2021");
    let page = pair(page, 72.0, "An engineer", "Berlin");
    let page = page.lines(50.0, 84.0, 10.0, &PROSE[..4]);
    let page = pair(page, 144.0, "Another one", "2021 - 2023");
    let text = page.lines(50.0, 156.0, 10.0, &PROSE[..4]).markdown();
    assert!(!text.contains('|'), "{text}");
    let first = "**A company** 2019 - 2021\n\n**An engineer** Berlin\n\nThe reader";
    assert!(text.starts_with(first), "{text}");
    assert!(
        text.contains("\n\n**Another one** 2021 - 2023\n\nThe reader"),
        "{text}"
    );
}

#[test]
fn several_lines_with_text_at_both_sides_are_a_table() {
    let mut page = Builder::new().lines(50.0, 60.0, 10.0, &PROSE[..4]);
    for (index, (name, sum)) in [("Rent", "1,200"), ("Food", "900"), ("Books", "80")]
        .iter()
        .enumerate()
    {
        page = pair(page, 130.0 + 12.0 * index as f32, name, sum);
    }
    let text = page.lines(50.0, 190.0, 10.0, &PROSE[..4]).markdown();
    assert!(text.contains("|**Books**|80|\n"), "{text}");
}

#[test]
fn two_lines_whose_texts_start_at_one_place_are_a_table() {
    let page = Builder::new().lines(50.0, 60.0, 10.0, &PROSE[..4]);
    let page = page
        .text((50.0, 130.0), 10.0, REGULAR, "Setting")
        .text((300.0, 130.0), 10.0, REGULAR, "Value")
        .text((50.0, 148.0), 10.0, REGULAR, "lantern")
        .text((300.0, 148.0), 10.0, REGULAR, "a textile");
    let text = page.lines(50.0, 190.0, 10.0, &PROSE[..4]).markdown();
    assert!(text.contains("|lantern|a textile|\n"), "{text}");
}

/// Sections of a page whose headings have a line below them, over the whole measure.
fn sections(rows: &[(&str, &str)], heads: &[&str]) -> String {
    let mut page = Builder::new();
    let mut y = 60.0;
    for head in heads {
        page = page
            .text((50.0, y), 10.0, REGULAR, head)
            .across(50.0, 350.0, y + 3.0);
        y += 15.0;
        for (left, right) in rows {
            page = page
                .text((50.0, y), 10.0, REGULAR, left)
                .text((150.0, y), 10.0, REGULAR, right);
            y += 12.0;
        }
        y += 10.0;
    }
    page.markdown()
}

#[test]
fn a_heading_with_a_line_below_it_ends_a_table() {
    let rows = [
        ("English", "native"),
        ("German", "fluent"),
        ("Latin", "a little"),
    ];
    let text = sections(&rows, &["LANGUAGES", "READING", "WRITING"]);
    for head in ["LANGUAGES", "READING", "WRITING"] {
        assert!(
            text.contains(&format!("{head}\n\n|English|native|\n")),
            "{text}"
        );
    }
    assert_eq!(text.matches("|Latin|a little|").count(), 3, "{text}");
}

#[test]
fn lines_below_headings_are_no_lines_of_a_table() {
    let mut page = Builder::new();
    let mut y = 60.0;
    for head in ["PROFILE", "EDUCATION", "EXPERIENCE"] {
        page = page
            .text((50.0, y), 10.0, BOLD, head)
            .across(50.0, 350.0, y + 3.0);
        page = pair(page, y + 15.0, "A university", "2019 - 2021");
        page = page.lines(50.0, y + 27.0, 10.0, &["Engineering", "Good grades"]);
        y += 61.0;
    }
    let text = page.markdown();
    assert!(!text.contains('|'), "{text}");
    assert!(text.contains("\n\nEngineering\n\nGood grades"), "{text}");
}

#[test]
fn definitions_of_several_lines_at_one_side_are_cells() {
    // The first line of each reaches the end of the measure, and the text below starts at its start.
    let mut page = Builder::new();
    let mut y = 60.0;
    for term in ["Anchor", "Bow", "Keel", "Stern"] {
        page = page.text((50.0, y), 10.0, REGULAR, term).lines(
            100.0,
            y,
            10.0,
            &[
                "The committee considered the report of the working",
                "group on the use of the hall by clubs and other",
            ],
        );
        y += 30.0;
    }
    let text = page.lines(50.0, y + 12.0, 10.0, &PROSE[..4]).markdown();
    assert!(
        text.contains("\n|Keel|The committee considered the report of the working group on"),
        "{text}"
    );
}

#[test]
fn points_at_the_end_of_an_exercise_of_two_lines_are_in_the_item() {
    let mut page = Builder::new();
    for (y, number, text, points) in [
        (100.0, "1.", "Work out the sum.", "(2 points)"),
        (
            130.0,
            "2.",
            "A cake is cut into eight pieces. Tom eats three of them and Ida eats",
            "",
        ),
        (
            142.0,
            "",
            "Two. Which part of the cake is left?",
            "(3 points)",
        ),
        (172.0, "3.", "Put these numbers in order.", "(2 points)"),
        (202.0, "4.", "Draw a square.", "(1 points)"),
    ] {
        for (x, text) in [(50.0, number), (68.0, text), (495.0, points)] {
            if !text.is_empty() {
                page = page.text((x, y), 10.0, REGULAR, text);
            }
        }
    }
    let text = page.markdown();
    let joined = "2. A cake is cut into eight pieces. Tom eats three of them and Ida eats Two. Which part of the cake";
    assert!(text.contains(joined), "{text}");
}
