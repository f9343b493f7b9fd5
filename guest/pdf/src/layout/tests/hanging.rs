//! Terms with their definitions at their side.

use super::*;

/// Lines of a definition, 50 characters wide.
const TEXT: [&str; 2] = [
    "Shows all of the files in the order of their names",
    "and those that are hidden as well.",
];

/// A page with a paragraph and a list of options.
fn options() -> Builder {
    Builder::new()
        .lines(50.0, 60.0, 10.0, &PROSE[..3])
        .text((50.0, 110.0), 10.0, BOLD, "--long-option")
        .lines(100.0, 122.0, 10.0, &TEXT)
        .text((50.0, 156.0), 10.0, BOLD, "-a")
        .lines(100.0, 156.0, 10.0, &TEXT)
        .text((50.0, 190.0), 10.0, BOLD, "-b, -bb")
        .text((100.0, 190.0), 10.0, REGULAR, "Shows one.")
}

#[test]
fn short_terms_are_beside_their_definitions() {
    let text = options().markdown();
    assert!(text.contains("\n\n**-a**\n\nShows all of the"), "{text}");
    assert!(text.contains("\n\n**-b, -bb**\n\nShows one."), "{text}");
    assert_eq!(text.matches("names and those").count(), 2, "{text}");
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn terms_are_no_headings() {
    let text = Builder::new()
        .text((30.0, 40.0), 10.0, BOLD, "OPTIONS")
        .lines(50.0, 60.0, 10.0, &PROSE[..3])
        .text((50.0, 110.0), 10.0, BOLD, "attempts")
        .lines(100.0, 122.0, 10.0, &TEXT)
        .text((50.0, 156.0), 10.0, BOLD, "rotate")
        .lines(100.0, 168.0, 10.0, &TEXT)
        .markdown();
    assert!(text.contains("# OPTIONS\n"), "{text}");
    assert_eq!(text.matches("# ").count(), 1, "{text}");
}

#[test]
fn rows_of_several_cells_are_no_terms() {
    let mut page = Builder::new();
    for row in 0..5 {
        let y = 60.0 + 30.0 * row as f32;
        page = page
            .text((50.0, y), 10.0, REGULAR, "1007")
            .text((76.0, y), 10.0, REGULAR, "Alder tree,")
            .text((76.0, y + 12.0), 10.0, REGULAR, "in a pot")
            .text((180.0, y), 10.0, REGULAR, "203")
            .text((240.0, y), 10.0, REGULAR, "586.89");
    }
    let text = page.markdown();
    assert_eq!(
        text.matches("Alder tree, in a pot|203|586.89|").count(),
        5,
        "{text}"
    );
}

#[test]
fn headings_at_the_side_of_all_text_may_have_marks() {
    let text = Builder::new()
        .text((30.0, 40.0), 12.0, BOLD, "FIELDS")
        .text((40.0, 56.0), 10.0, BOLD, "The first ")
        .text((90.0, 56.0), 10.0, ITALIC, "field.")
        .lines(50.0, 68.0, 10.0, &PROSE[..3])
        .text((40.0, 116.0), 10.0, BOLD, "The second field.")
        .lines(50.0, 128.0, 10.0, &PROSE[..3])
        .markdown();
    assert_eq!(text.matches("\n## The ").count(), 2, "{text}");
}

#[test]
fn bold_text_is_no_heading_if_headings_are_at_the_side() {
    let text = Builder::new()
        .text((30.0, 40.0), 11.0, BOLD, "SYNOPSIS")
        .text((50.0, 56.0), 10.0, BOLD, "debian/control")
        .text((30.0, 74.0), 11.0, BOLD, "DESCRIPTION")
        .lines(50.0, 90.0, 10.0, &PROSE[..3])
        .text((30.0, 140.0), 11.0, BOLD, "FILES")
        .lines(50.0, 156.0, 10.0, &PROSE)
        .markdown();
    assert_eq!(text.matches("# ").count(), 3, "{text}");
    assert!(text.contains("\n\n**debian/control**\n\n"), "{text}");
}

#[test]
fn a_single_long_term_shows_the_column_of_definitions() {
    let text = Builder::new()
        .lines(50.0, 60.0, 10.0, &PROSE[..3])
        .text((50.0, 110.0), 10.0, BOLD, "--help")
        .text((86.0, 110.0), 10.0, REGULAR, "Shows this help.")
        .text((50.0, 128.0), 10.0, BOLD, "--version")
        .text((86.0, 140.0), 10.0, REGULAR, "Shows the version.")
        .markdown();
    assert!(
        text.contains("\n\n**--help**\n\nShows this help.\n\n**--version**\n\nShows"),
        "{text}"
    );
}

#[test]
fn the_title_of_an_inner_box_is_no_heading() {
    let text = Builder::new()
        .text((50.0, 30.0), 16.0, BOLD, "Title")
        .lines(50.0, 60.0, 10.0, &PROSE)
        .text((70.0, 150.0), 11.0, BOLD, "Note")
        .lines(70.0, 164.0, 10.0, &["It is only a note."])
        .lines(50.0, 190.0, 10.0, &PROSE)
        .markdown();
    assert_eq!(text.matches("# ").count(), 1, "{text}");
}

#[test]
fn a_heading_over_terms_is_no_header_of_a_table() {
    let mut page = Builder::new().lines(50.0, 60.0, 10.0, &PROSE[..3]);
    for (row, term) in ["-a", "-b"].iter().enumerate() {
        let y = 110.0 + 30.0 * row as f32;
        page = page
            .text((50.0, y), 10.0, BOLD, term)
            .lines(100.0, y, 10.0, &TEXT);
    }
    page = page.text((30.0, 172.0), 11.0, BOLD, "MODIFIERS");
    for (row, term) in ["-c", "-d"].iter().enumerate() {
        let y = 186.0 + 30.0 * row as f32;
        page = page
            .text((50.0, y), 10.0, BOLD, term)
            .lines(100.0, y, 10.0, &TEXT);
    }
    let text = page.markdown();
    assert!(text.contains("# MODIFIERS\n\n**-c**\n\nShows"), "{text}");
}

#[test]
fn the_label_of_a_list_is_no_heading() {
    let text = Builder::new()
        .text((50.0, 30.0), 16.0, BOLD, "Title")
        .lines(50.0, 60.0, 10.0, &PROSE)
        .text((50.0, 150.0), 10.0, BOLD, "Key benefits:")
        .text((60.0, 170.0), 10.0, REGULAR, "• It is open")
        .text((60.0, 184.0), 10.0, REGULAR, "• It is free")
        .markdown();
    assert!(
        text.contains("\n**Key benefits:**\n\n- It is open"),
        "{text}"
    );
}

#[test]
fn a_term_as_wide_as_its_column_has_a_space_after_it() {
    let text = options()
        .text((50.0, 214.0), 9.5, BOLD, "-x, --abcd")
        .lines(100.0, 214.0, 10.0, &TEXT)
        .markdown();
    assert!(
        text.contains("\n\n**-x, --abcd**\n\nShows all of"),
        "{text}"
    );
}
