//! Columns of a page, and text beside them.

use super::*;

#[test]
fn columns_are_read_one_after_the_other() {
    let narrow: Vec<String> = (0..10)
        .map(|index| format!("left column line number {index} fills the side"))
        .collect();
    let right: Vec<String> = (0..10)
        .map(|index| format!("right column line number {index} fills a side"))
        .collect();
    let mut page = Builder::new().text(
        (50.0, 60.0),
        20.0,
        BOLD,
        "A title over the columns of the whole page",
    );
    // Drawn from the upper left, but not row by row.
    for (index, line) in narrow.iter().enumerate() {
        page = page.text((50.0, 100.0 + 12.0 * index as f32), 10.0, REGULAR, line);
    }
    for (index, line) in right.iter().enumerate() {
        page = page.text((310.0, 100.0 + 12.0 * index as f32), 10.0, REGULAR, line);
    }
    let wide =
        "A line below the columns goes over the full width of the page, from the left side to the";
    let text = page.text((50.0, 260.0), 10.0, REGULAR, wide).markdown();
    let at = |what: &str| text.find(what).unwrap_or(usize::MAX);
    assert!(text.starts_with("# A title over"), "{text}");
    assert!(
        at("left column line number 9") < at("right column line number 0"),
        "{text}"
    );
    assert!(
        at("right column line number 9") < at("A line below"),
        "{text}"
    );
}

#[test]
fn a_paragraph_goes_on_in_the_next_column() {
    let mut page = Builder::new();
    for (index, line) in PROSE.iter().enumerate() {
        let line: String = line.chars().take(48).collect();
        page = page.text((50.0, 100.0 + 12.0 * index as f32), 10.0, REGULAR, &line);
    }
    for (index, line) in PROSE.iter().enumerate() {
        let line: String = line.to_lowercase().chars().take(48).collect();
        page = page.text((310.0, 100.0 + 12.0 * index as f32), 10.0, REGULAR, &line);
    }
    let text = page.markdown();
    assert!(!text.contains('\n'), "{text}");
}

/// Lines of a column, 240 points wide at size 10.
fn column(name: &str, count: usize) -> Vec<String> {
    let lines = PROSE.iter().cycle().take(count).enumerate();
    lines
        .map(|(index, it)| format!("{name}{index:02} {it}").chars().take(48).collect())
        .collect()
}

#[test]
fn columns_may_be_of_different_height_with_lines_at_the_same_heights() {
    let mut page = Builder::new();
    for (index, line) in column("left", 20).iter().enumerate() {
        // Code and other narrow lines follow the text.
        let line = if index < 9 { line } else { "short text" };
        page = page.text((50.0, 100.0 + 12.0 * index as f32), 10.0, REGULAR, line);
    }
    for (index, line) in column("right", 9).iter().enumerate() {
        let line = if index % 2 == 0 { line } else { "ends here." };
        page = page.text((301.0, 100.0 + 12.0 * index as f32), 10.0, REGULAR, line);
    }
    let text = page.markdown();
    let at = |what: &str| text.find(what).unwrap_or(usize::MAX);
    assert!(at("left08") < at("right00"), "{text}");
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn a_table_may_be_a_little_wider_than_its_column() {
    let mut page = Builder::new();
    for (index, line) in column("left", 6).iter().enumerate() {
        page = page.text((50.0, 100.0 + 12.0 * index as f32), 10.0, REGULAR, line);
    }
    for (index, line) in column("right", 16).iter().enumerate() {
        page = page.text((301.0, 100.0 + 12.0 * index as f32), 10.0, REGULAR, line);
    }
    page = page
        .across(50.0, 296.5, 190.0)
        .across(50.0, 296.5, 206.0)
        .across(50.0, 296.5, 260.0);
    let rows = [
        ("Name", "Sum"),
        ("Sales", "1,200"),
        ("Costs", "1,100"),
        ("Taxes", "1,300"),
    ];
    for (index, (name, sum)) in rows.iter().enumerate() {
        let y = 202.0 + 16.0 * index as f32;
        page = page
            .text((52.0, y), 10.0, REGULAR, name)
            .text((265.0, y), 10.0, REGULAR, sum);
    }
    let text = page.markdown();
    let at = |what: &str| text.find(what).unwrap_or(usize::MAX);
    assert!(at("left05") < at("|Taxes|1,300|"), "{text}");
    assert!(at("|Taxes|1,300|") < at("right00"), "{text}");
}

#[test]
fn white_at_one_place_by_chance_is_no_column() {
    let line = "The text of this line ends there      and others start here again";
    let page = Builder::new().lines(50.0, 100.0, 10.0, &[line; 8]);
    let text = page.markdown();
    assert!(!text.contains("ends there The text"), "{text}");
}

#[test]
fn a_box_beside_the_text_is_read_on_its_own() {
    let mut page = Builder::new().fill(380.0, 90.0, 560.0, 170.0);
    // The text of the box is drawn between the lines of the page.
    let aside = [
        "A box at the side has",
        "its own text, which is",
        "read as one piece here",
    ];
    for (index, line) in PROSE.iter().enumerate() {
        let y = 100.0 + 12.0 * index as f32;
        page = page.text((50.0, y), 10.0, REGULAR, line);
        if let Some(line) = aside.get(index) {
            page = page.text((400.0, y), 10.0, REGULAR, line);
        }
    }
    let text = page.markdown();
    assert!(
        text.ends_with("\n\nA box at the side has its own text, which is read as one piece here"),
        "{text}"
    );
}

#[test]
fn notes_beside_the_text_are_read_on_their_own() {
    let mut page = Builder::new()
        .lines(150.0, 100.0, 10.0, &PROSE)
        .lines(150.0, 172.0, 10.0, &PROSE);
    let notes = [
        "A short note",
        "on this page",
        "that has only",
        "few letters",
        "in each line",
        "of its own text",
    ];
    for (index, note) in notes.into_iter().enumerate() {
        page = page.text((60.0, 105.0 + 15.5 * index as f32), 8.0, REGULAR, note);
    }
    let text = page.markdown();
    assert!(!text.contains('|'), "{text}");
    assert!(
        text.contains("A short note on this page that has only few"),
        "{text}"
    );
}
