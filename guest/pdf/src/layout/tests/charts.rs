//! Charts, whose labels look like tables.

use super::*;

/// The labels of an axis from the top, from 100, in size 10 at 24 points of distance, that end at a position.
fn axis(mut page: Builder, end: f32, labels: &[&str]) -> Builder {
    for (index, label) in labels.iter().enumerate() {
        let x = end - 5.0 * label.chars().count() as f32;
        page = page.text((x, 100.0 + 24.0 * index as f32), 10.0, REGULAR, label);
    }
    page
}

/// The labels of the other axis, in a line.
fn below(mut page: Builder) -> Builder {
    for (index, label) in ["A1", "B2", "C3", "D4", "E5"].iter().enumerate() {
        page = page.text((100.0 + 50.0 * index as f32, 211.0), 10.0, REGULAR, label);
    }
    page
}

#[test]
fn axes_are_no_table() {
    let page = axis(
        Builder::new(),
        80.0,
        &["2,000", "1,500", "1,000", "500", "0"],
    );
    let page = axis(page, 370.0, &["80%", "60%", "40%", "20%", "0%"]);
    let text = below(page).markdown();
    assert!(!text.contains('|'), "{text}");
    assert!(text.starts_with("2,000 80%\n\n1,500 60%\n\n"), "{text}");
    assert!(text.ends_with("\n\nA1 B2 C3 D4 E5"), "{text}");
}

#[test]
fn lines_beside_an_axis_are_no_grid() {
    let mut page = axis(Builder::new(), 80.0, &["40", "30", "20", "10", "0"]);
    for index in 0..5 {
        page = page.across(85.0, 350.0, 97.0 + 24.0 * index as f32);
    }
    for x in [85.0, 130.0, 180.0, 230.0, 350.0] {
        page = page.down(x, 97.0, 193.0);
    }
    // The values of bars.
    let page = page
        .text((100.0, 112.0), 10.0, REGULAR, "38")
        .text((150.0, 136.0), 10.0, REGULAR, "25")
        .text((200.0, 160.0), 10.0, REGULAR, "14");
    let text = below(page).markdown();
    assert!(!text.contains('|'), "{text}");
    for value in ["40", "38", "25", "14", "A1 B2 C3 D4 E5"] {
        assert!(text.contains(value), "{value}: {text}");
    }
}

#[test]
fn numbers_in_equal_steps_may_be_the_labels_of_rows() {
    let mut page = axis(Builder::new(), 80.0, &["2,000", "1,500", "1,000", "500"]);
    for (index, cells) in [
        ["17.2", "9.1"],
        ["12.4", "8.0"],
        ["11.0", "3.3"],
        ["4.9", "2.0"],
    ]
    .iter()
    .enumerate()
    {
        let y = 100.0 + 24.0 * index as f32;
        page = page.text((150.0, y), 10.0, REGULAR, cells[0]).text(
            (220.0, y),
            10.0,
            REGULAR,
            cells[1],
        );
    }
    let text = page.markdown();
    assert!(text.contains("|2,000|17.2|9.1|"), "{text}");
}
