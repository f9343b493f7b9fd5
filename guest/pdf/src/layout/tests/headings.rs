//! Headings of scientific texts and of books.

use super::*;

fn headings(text: &str) -> Vec<&str> {
    text.lines().filter(|it| it.starts_with('#')).collect()
}

/// A text at the middle of the column of the prose.
fn centred(page: Builder, y: f32, size: f32, font: u16, text: &str) -> Builder {
    let width = text.len() as f32 * size / 2.0;
    let middle = 50.0 + PROSE[0].len() as f32 * 10.0 / 4.0;
    page.text((middle - width / 2.0, y), size, font, text)
}

#[test]
fn a_small_title_is_a_heading_above_text_in_its_size() {
    let abstracted = |size: f32| {
        let page = centred(Builder::new(), 60.0, 9.0, BOLD, "Abstract");
        page.lines(70.0, 76.0, size, &[&PROSE[0][..50], &PROSE[1][..50]])
            .lines(50.0, 120.0, 10.0, &PROSE)
            .markdown()
    };
    assert_eq!(headings(&abstracted(9.0)), ["# Abstract"]);
    // A label of a figure.
    assert!(headings(&abstracted(10.0)).is_empty());
}

#[test]
fn the_authors_below_a_title_are_no_headings_if_headings_are_heavy() {
    let page = |font: u16| {
        let page = centred(Builder::new(), 60.0, 17.0, REGULAR, "Rates of glaciers");
        centred(page, 90.0, 12.0, REGULAR, "Ada Byrne")
            .lines(50.0, 130.0, 10.0, &PROSE)
            .text((50.0, 230.0), 14.0, font, "Results")
            .lines(50.0, 250.0, 10.0, &PROSE)
            .markdown()
    };
    assert_eq!(headings(&page(BOLD)), ["# Rates of glaciers", "## Results"]);
    assert_eq!(headings(&page(REGULAR)).len(), 3);
}

#[test]
fn the_label_of_a_chapter_and_its_title_are_one_heading() {
    let page = Builder::new()
        .text((50.0, 60.0), 20.0, BOLD, "Chapter 1")
        .text((50.0, 105.0), 24.0, BOLD, "Reservoirs")
        .lines(50.0, 150.0, 10.0, &PROSE)
        .text((50.0, 260.0), 20.0, BOLD, "Section")
        .text((50.0, 305.0), 24.0, BOLD, "Rivers")
        .lines(50.0, 350.0, 10.0, &PROSE);
    assert_eq!(
        headings(&page.markdown()),
        ["# Chapter 1 Reservoirs", "## Section", "# Rivers"]
    );
}

#[test]
fn a_numbered_heading_goes_on_below_its_text() {
    let page = Builder::new()
        .lines(50.0, 60.0, 10.0, &PROSE)
        .text((50.0, 160.0), 11.0, BOLD, "1.1")
        .text(
            (75.0, 160.0),
            11.0,
            BOLD,
            "The rates of glaciers in the valleys of",
        )
        .text((75.0, 173.5), 11.0, BOLD, "northern countries")
        .lines(50.0, 195.0, 10.0, &PROSE);
    assert_eq!(
        headings(&page.markdown()),
        ["# 1.1 The rates of glaciers in the valleys of northern countries"]
    );
}

#[test]
fn numbered_steps_are_items() {
    let steps = |size: f32, texts: [&str; 3]| {
        let mut page = Builder::new().lines(50.0, 60.0, 10.0, &PROSE);
        let mut y = 160.0;
        for text in texts {
            page = page.text((50.0, y), size, BOLD, text);
            y += 26.0;
        }
        page.lines(50.0, y + 10.0, 10.0, &PROSE).markdown()
    };
    let short = ["1. Open the lid", "2. Take the lamp", "3. Close the lid"];
    for size in [10.0, 14.0] {
        let text = steps(size, short);
        assert!(
            text.contains("1. **Open the lid**\n2. **Take the lamp**\n3. **Close the lid**\n"),
            "{text}"
        );
    }
    let other = ["1. Overview", "3. Lamps", "5. Lids"];
    assert_eq!(headings(&steps(14.0, other)).len(), 3);
}

#[test]
fn steps_with_text_between_them_are_items_if_they_are_sentences() {
    let page = |steps: [&str; 2]| {
        Builder::new()
            .lines(50.0, 60.0, 10.0, &PROSE)
            .text((50.0, 160.0), 10.0, BOLD, steps[0])
            .lines(50.0, 180.0, 10.0, &PROSE)
            .text((50.0, 270.0), 10.0, BOLD, steps[1])
            .lines(50.0, 290.0, 10.0, &PROSE)
            .markdown()
    };
    let text = page(["1. Open the lid of the lamp.", "2. Take out the lamp."]);
    assert!(
        text.contains("1. **Open the lid of the lamp.**\n"),
        "{text}"
    );
    assert!(text.contains("2. **Take out the lamp.**\n"), "{text}");
    assert_eq!(headings(&page(["1. Lids", "2. Lamps"])).len(), 2);
}
