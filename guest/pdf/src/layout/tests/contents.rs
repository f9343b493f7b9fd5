//! Lists of contents.

use super::*;

/// A page with entries: number, title, page, and font. Titles start below those of their level.
fn page(entries: &[(&str, &str, &str, u16)]) -> String {
    let mut page = Builder::new().text((50.0, 60.0), 16.0, BOLD, "Contents");
    let mut y = 90.0;
    for (number, title, at, font) in entries {
        let x = if number.contains('.') { 65.0 } else { 50.0 };
        page = page.text((x, y), 10.0, *font, number);
        page = page.text((x + 25.0, y), 10.0, *font, title);
        let width = 5.0 * f32::from(u8::try_from(at.len()).unwrap_or_default());
        if !at.is_empty() {
            page = page.text((350.0 - width, y), 10.0, *font, at);
        }
        y += 14.0;
    }
    page.lines(50.0, y + 30.0, 10.0, &PROSE).markdown()
}

#[test]
fn entries_without_dots_are_lines_of_contents() {
    let text = page(&[
        ("1", "Introduction", "1", BOLD),
        ("1.1", "Aims", "2", REGULAR),
        ("1.2", "Limits", "9", REGULAR),
        ("2", "Results", "12", BOLD),
    ]);
    assert!(
        text.contains("1 Introduction … 1  \n1.1 Aims … 2  \n1.2 Limits … 9  \n2 Results … 12\n\n"),
        "{text}"
    );
}

#[test]
fn a_title_of_contents_may_go_on_in_the_next_line() {
    let text = page(&[
        ("1", "An introduction of which the title", "", BOLD),
        ("", "is long", "1", BOLD),
        ("1.1", "Aims", "2", REGULAR),
        ("2", "Results . . . . . . . . .", "12", REGULAR),
    ]);
    assert!(
        text.contains(
            "1 An introduction of which the title is long … 1  \n1.1 Aims … 2  \n2 Results … 12"
        ),
        "{text}"
    );
}

#[test]
fn a_table_of_numbers_is_no_list_of_contents() {
    let sorted = [
        ("3", "Lisbon", "4", REGULAR),
        ("4", "Porto", "9", REGULAR),
        ("7", "Faro", "11", REGULAR),
        ("9", "Braga", "12", REGULAR),
    ];
    assert!(page(&sorted).contains("|4|Porto|9|"));
    let falling = [
        ("1.1", "Lisbon", "14", REGULAR),
        ("1.2", "Porto", "9", REGULAR),
        ("1.3", "Faro", "12", REGULAR),
        ("1.4", "Braga", "11", REGULAR),
    ];
    assert!(!page(&falling).contains('…'));
}

#[test]
fn page_numbers_may_touch_their_leader_dots() {
    let mut page = Builder::new().text((50.0, 60.0), 16.0, BOLD, "Contents");
    for (index, entry) in ["Introduction", "Aims and means", "Results"]
        .into_iter()
        .enumerate()
    {
        let dots = ".".repeat(40 - entry.len());
        let line = format!("{entry}{dots}{}", index * 6 + 3);
        page = page.text((50.0, 90.0 + 14.0 * index as f32), 10.0, REGULAR, &line);
    }
    let text = page.lines(50.0, 160.0, 10.0, &PROSE).markdown();
    assert!(
        text.contains("Introduction … 3  \nAims and means … 9  \nResults … 15\n\n"),
        "{text}"
    );
}

#[test]
fn dots_in_words_are_no_leaders() {
    for same in ["wait.....what", "v1.2.3", "and so on...3", "0.....12345678"] {
        let text = Builder::new()
            .text((50.0, 60.0), 10.0, REGULAR, same)
            .markdown();
        assert_eq!(text.trim(), same);
    }
}

#[test]
fn a_line_of_only_dots_keeps_its_page() {
    let text = page(&[
        ("1", "Introduction . . . . . . . .", "3", REGULAR),
        ("1.1", "A title that fills its line to the end", "", REGULAR),
        ("", ". . . . . . . . . . . . . . . . .", "5", REGULAR),
        ("2", "Results . . . . . . . . .", "12", REGULAR),
    ]);
    assert!(
        text.contains("1.1 A title that fills its line to the end … 5  \n2 Results … 12"),
        "{text}"
    );
}
