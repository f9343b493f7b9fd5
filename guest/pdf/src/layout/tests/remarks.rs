//! Lines between the rows of tables, headings that go on, and feet with numbers.

use super::*;

/// Five columns. `remarks` are lines below a row, in smaller letters.
fn rows(remarks: &[(f32, f32, &str)]) -> String {
    let mut page = Builder::new();
    let rows = [
        ["Line", "Place", "Title", "Days", "Price"],
        ["1", "north", "Winter", "daily", "250"],
        ["2", "south", "Summer", "daily", "150"],
        ["3", "north", "Autumn", "never", "300"],
    ];
    for (index, row) in rows.iter().enumerate() {
        let y = if index == 0 {
            90.0
        } else {
            76.0 + 24.0 * index as f32
        };
        for (column, cell) in row.iter().enumerate() {
            page = page.text((50.0 + 60.0 * column as f32, y), 10.0, REGULAR, cell);
        }
    }
    for (x, y, text) in remarks {
        page = page.text((*x, *y), 7.0, REGULAR, text);
    }
    page.markdown()
}

#[test]
fn remarks_on_rows_are_in_their_cells() {
    let text = rows(&[
        (170.0, 110.0, "(142 minutes), with a break"),
        (170.0, 134.0, "(98 minutes), without a break"),
        (170.0, 158.0, "(101 minutes), without a break"),
    ]);
    assert_eq!(
        text,
        "|Line|Place|Title|Days|Price|\n|-|-|-|-|-|\n\
         |1|north|Winter (142 minutes), with a break|daily|250|\n\
         |2|south|Summer (98 minutes), without a break|daily|150|\n\
         |3|north|Autumn (101 minutes), without a break|never|300|"
    );
}

#[test]
fn lines_over_rows_follow_the_table() {
    let text = rows(&[(50.0, 103.0, "All of it may change, or may not be there.")]);
    assert!(
        text.ends_with("|3|north|Autumn|never|300|\n\nAll of it may change, or may not be there."),
        "{text}"
    );
}

#[test]
fn a_heavy_line_goes_on_below_its_number() {
    let page = Builder::new()
        .lines(50.0, 60.0, 10.0, &PROSE)
        .text(
            (50.0, 160.0),
            10.0,
            BOLD,
            "7. If the reader of a page sees such a question, what is",
        )
        .text(
            (65.0, 172.0),
            10.0,
            BOLD,
            "the largest number of lines that it has?",
        )
        .text((65.0, 190.0), 10.0, REGULAR, "None of them is long.")
        .text((65.0, 208.0), 10.0, REGULAR, "All of them are long.");
    let text = page.markdown();
    assert!(
        text.contains("what is the largest number of lines that it has?\n\n"),
        "{text}"
    );
}

/// The pages of a part of a document, with these feet.
fn with_feet(feet: &[(f32, &str)]) -> Vec<String> {
    let pages: Vec<PageContent> = feet
        .iter()
        .map(|(x, foot)| {
            Builder::new()
                .lines(50.0, 100.0, 10.0, &PROSE)
                .text((*x, 770.0), 9.0, REGULAR, foot)
                .page
        })
        .collect();
    markdown_of(&pages)
}

#[test]
fn feet_with_numbers_at_one_place_are_left_out() {
    // The right ends are at one place.
    let feet = [
        "© 2014 Example iii",
        "© 2014 Example xi",
        "Chapter 2. Roles 11",
        "Chapter 3. Access control 27",
    ];
    let feet: Vec<(f32, &str)> = feet
        .iter()
        .map(|it| (500.0 - 4.5 * it.chars().count() as f32, *it))
        .collect();
    for (page, text) in with_feet(&feet).iter().enumerate() {
        let end = match page {
            0 => "were written\n\n© 2014 Example iii",
            1 => "were written",
            2 => "were written\n\nChapter 2. Roles 11",
            _ => "were written\n\nChapter 3. Access control 27",
        };
        assert!(
            text.starts_with("The reader") && text.ends_with(end),
            "{text}"
        );
    }
    // They do not grow.
    let feet: Vec<(f32, &str)> = ["Sum of all 40", "Mean over all 20", "Rest of it 30"]
        .iter()
        .map(|it| (500.0 - 4.5 * it.chars().count() as f32, *it))
        .collect();
    let texts = with_feet(&feet);
    assert!(texts[0].ends_with("Sum of all 40"), "{}", texts[0]);
}

#[test]
fn the_foot_of_two_pages_side_by_side() {
    let foot = |right: &str| {
        Builder::new()
            .lines(50.0, 100.0, 10.0, &PROSE)
            .text((20.0, 770.0), 9.0, REGULAR, "208")
            .text((300.0, 770.0), 9.0, REGULAR, "Global study")
            .text((560.0, 770.0), 9.0, REGULAR, right)
            .markdown()
    };
    let text = foot("209");
    assert!(text.ends_with("\n\n208 Global study 209"), "{text}");
    assert!(foot("517").contains("208"), "{}", foot("517"));
}

#[test]
fn bullets_of_cells_are_no_columns() {
    let rows = [
        ["", "Class", "Kind"],
        ["North", "True", "False"],
        ["South", "True", "True"],
        ["East", "False", "True"],
        ["West", "False", "False"],
    ];
    let table = |mut page: Builder, bullets: bool| {
        for (index, row) in rows.iter().enumerate() {
            let y = 100.0 + 14.0 * index as f32;
            for (column, cell) in row.iter().enumerate().filter(|it| !it.1.is_empty()) {
                let x = 50.0 + 60.0 * column as f32;
                if bullets {
                    page = page.text((x, y - 3.0), 5.0, REGULAR, "●");
                }
                page = page.text((x + 6.0, y), 10.0, REGULAR, cell);
            }
        }
        page.markdown()
    };
    let plain = table(Builder::new(), false);
    assert!(plain.starts_with("||Class|Kind|"), "{plain}");
    assert_eq!(table(Builder::new(), true), plain);
    // Some cells are lists.
    let page = Builder::new()
        .text((56.0, 170.0), 10.0, REGULAR, "Other")
        .text((116.0, 170.0), 10.0, REGULAR, "True");
    let some = table(page, true);
    assert!(some.contains("|● North|● True|● False|"), "{some}");
}

#[test]
fn an_image_below_text_does_not_cut_it() {
    let page = |top: f32| {
        Builder::new()
            .lines(50.0, 100.0, 10.0, &PROSE[..3])
            .image([200.0, top, 500.0, 400.0], 1)
            .lines(50.0, 420.0, 10.0, &PROSE[..3])
            .markdown()
    };
    let text = page(105.0);
    assert!(
        text.contains("not full at all\n\n![](image:1)\n\n"),
        "{text}"
    );
    assert_eq!(page(130.0), text);
}
