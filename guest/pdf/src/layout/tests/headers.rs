//! Headers and narrow columns of tables.

use super::*;

#[test]
fn a_header_may_be_code() {
    let mut page = Builder::new();
    for (at, title) in [(120.0, "canada"), (170.0, "mesh"), (220.0, "rec32")] {
        page = page.text((at, 60.0), 10.0, MONO, title);
    }
    for row in 0..3 {
        let y = 80.0 + 14.0 * row as f32;
        page = page.text((50.0, y), 10.0, REGULAR, "fast-float");
        for at in [120.0, 170.0, 220.0] {
            page = page.text((at, y), 10.0, REGULAR, "9.98");
        }
    }
    let text = page.markdown();
    assert!(text.starts_with("||"), "{text}");
    assert_eq!(
        text.lines().next().map(|it| it.matches('|').count()),
        Some(5),
        "{text}"
    );
}

#[test]
fn the_words_of_a_narrow_header_may_be_far_apart() {
    let mut page = Builder::new();
    for (at, word) in [
        (50.0, "Kind"),
        (90.0, "of"),
        (140.0, "Fee"),
        (180.0, "per"),
        (230.0, "Hours"),
    ] {
        page = page.text((at, 60.0), 10.0, REGULAR, word);
    }
    for (at, word) in [(50.0, "member"), (140.0, "year")] {
        page = page.text((at, 72.0), 10.0, REGULAR, word);
    }
    for row in 0..3 {
        let y = 96.0 + 20.0 * row as f32;
        page = page
            .text((50.0, y), 10.0, REGULAR, "Second tenant")
            .text((140.0, y), 10.0, REGULAR, "from 30.00")
            .text((230.0, y), 10.0, REGULAR, "none");
    }
    let text = page.markdown();
    assert!(text.starts_with("|Kind of|Fee per|Hours|\n"), "{text}");
    assert_eq!(
        text.matches("|Second tenant|from 30.00|none|").count(),
        3,
        "{text}"
    );
}

#[test]
fn the_cells_of_a_bold_header_may_be_close() {
    let mut page = Builder::new();
    for (at, title) in [
        (50.0, "Article"),
        (160.0, "Quantity"),
        (206.0, "Price"),
        (240.0, "Amount"),
    ] {
        page = page.text((at, 60.0), 10.0, BOLD, title);
    }
    for row in 0..3 {
        let y = 80.0 + 16.0 * row as f32;
        page = page.text((50.0, y), 10.0, REGULAR, "Notebook, A5");
        for at in [170.0, 210.0, 250.0] {
            page = page.text((at, y), 10.0, REGULAR, "9.8");
        }
    }
    let text = page.markdown();
    assert!(
        text.starts_with("|Article|Quantity|Price|Amount|\n"),
        "{text}"
    );
}

#[test]
fn a_column_of_numbers_may_be_close_to_the_text() {
    let mut page = Builder::new();
    for (row, name) in [
        "Alder in a pot",
        "Birch tree",
        "Cedar tree, young",
        "Elm",
        "Fir tree",
    ]
    .into_iter()
    .enumerate()
    {
        let y = 80.0 + 16.0 * row as f32;
        page = page
            .text((50.0, y), 10.0, REGULAR, &format!("{}", 1000 + 7 * row))
            .text((74.5, y), 10.0, REGULAR, name)
            .text((200.0, y), 10.0, REGULAR, "586.89");
    }
    let text = page.markdown();
    assert!(text.contains("|1007|Birch tree|586.89|"), "{text}");
}

/// A page of rows that are 12 points apart, from 60, with a label and four values.
fn values(head: impl Fn(Builder) -> Builder) -> String {
    let mut page = head(Builder::new());
    for (index, label) in ["North", "South", "East", "West"].iter().enumerate() {
        let y = 84.0 + 12.0 * index as f32;
        page = page.text((50.0, y), 10.0, REGULAR, label);
        for column in 0..4 {
            let value = format!("{}{index},000", column + 1);
            page = page.text((180.0 + 70.0 * column as f32, y), 10.0, REGULAR, &value);
        }
    }
    page.markdown()
}

fn years(mut page: Builder) -> Builder {
    for (index, year) in ["2019", "2020", "2019", "2020"].iter().enumerate() {
        page = page.text((180.0 + 70.0 * index as f32, 72.0), 10.0, REGULAR, year);
    }
    page
}

#[test]
fn a_head_over_two_columns_is_a_row_of_its_own() {
    let text = values(|page| {
        let page = page.text((190.0, 60.0), 10.0, REGULAR, "Revenue of groups");
        years(page.text((330.0, 60.0), 10.0, REGULAR, "Profit of groups"))
    });
    let mut lines = text.lines().filter(|it| !it.starts_with("|-"));
    assert_eq!(
        lines.next(),
        Some("||Revenue of groups|Revenue of groups|Profit of groups|Profit of groups|"),
        "{text}"
    );
    assert_eq!(lines.next(), Some("||2019|2020|2019|2020|"));
}

#[test]
fn the_line_below_a_head_tells_its_columns() {
    let text = values(|page| {
        let page = page.text((290.0, 60.0), 10.0, REGULAR, "Sales");
        years(page.across(178.0, 422.0, 63.0))
    });
    let mut lines = text.lines().filter(|it| !it.starts_with("|-"));
    assert_eq!(lines.next(), Some("||Sales|Sales|Sales|Sales|"), "{text}");
    assert_eq!(lines.next(), Some("||2019|2020|2019|2020|"));
}

#[test]
fn a_head_between_rows_is_no_part_of_the_row_above() {
    let mut page = Builder::new();
    for index in 0..6 {
        let y = 60.0 + 12.0 * index as f32;
        if index == 3 {
            // In the middle of the columns with values.
            page = page.text((243.0, y), 10.0, REGULAR, "Projected, in thousands");
            continue;
        }
        page = page.text((50.0, y), 10.0, REGULAR, &format!("Edition {index}"));
        for column in 0..4 {
            let value = format!("{}{index},000", column + 1);
            page = page.text((180.0 + 70.0 * column as f32, y), 10.0, REGULAR, &value);
        }
    }
    let text = page.markdown();
    assert!(
        text.contains("|Edition 2|12,000|22,000|32,000|42,000|\n"),
        "{text}"
    );
    let heads = text.matches("|Projected, in thousands").count();
    assert_eq!(heads, 4, "{text}");
}

#[test]
fn rows_of_values_between_lines_are_rows() {
    let mut page = Builder::new();
    let rows = [
        ["Region", "2019", "2020"],
        ["North", "12", "14"],
        ["South", "15", "18"],
        ["East", "11", "13"],
        ["West", "17", "19"],
        ["All", "55", "64"],
    ];
    for (index, cells) in rows.iter().enumerate() {
        let y = 60.0 + 16.0 * index as f32;
        for (column, text) in cells.iter().enumerate() {
            page = page.text((50.0 + 80.0 * column as f32, y), 10.0, REGULAR, text);
        }
    }
    // Over the head and below it, between groups, and at the end.
    for y in [49.0, 65.5, 97.5, 129.5, 145.5] {
        page = page.across(50.0, 230.0, y);
    }
    let text = page.markdown();
    assert!(text.contains("|North|12|14|\n|South|15|18|\n"), "{text}");
}
