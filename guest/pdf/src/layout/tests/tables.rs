//! Tables with and without lines.

use super::*;

fn row(page: Builder, y: f32, cells: &[(f32, &str)]) -> Builder {
    cells.iter().fold(page, |page, (x, text)| {
        page.text((*x, y), 10.0, REGULAR, text)
    })
}

#[test]
fn columns_of_white() {
    let mut page = Builder::new().lines(50.0, 60.0, 10.0, &PROSE[..3]);
    for (index, cells) in [
        ["Name", "Code", "Count"],
        ["one", "A1", "17"],
        ["two", "B2", "9"],
    ]
    .iter()
    .enumerate()
    {
        let y = 120.0 + 12.0 * index as f32;
        page = row(
            page,
            y,
            &[(50.0, cells[0]), (150.0, cells[1]), (250.0, cells[2])],
        );
    }
    let text = page.lines(50.0, 180.0, 10.0, &PROSE[..3]).markdown();
    assert!(
        text.contains("\n\n|Name|Code|Count|\n|-|-|-|\n|one|A1|17|\n|two|B2|9|\n\n"),
        "{text}"
    );
}

#[test]
fn cells_that_go_on_in_the_next_line() {
    let mut page = Builder::new();
    page = row(
        page,
        100.0,
        &[(50.0, "Lamp"), (120.0, "Cause"), (320.0, "Remedy")],
    );
    page = row(
        page,
        118.0,
        &[
            (50.0, "E1"),
            (120.0, "the valve is closed or the"),
            (320.0, "open it"),
        ],
    );
    page = row(page, 130.0, &[(120.0, "filter is dirty")]);
    page = row(
        page,
        148.0,
        &[
            (50.0, "E2"),
            (120.0, "no pressure"),
            (320.0, "call the service and"),
        ],
    );
    page = row(page, 160.0, &[(320.0, "wait")]);
    assert_eq!(
        page.markdown(),
        "|Lamp|Cause|Remedy|\n|-|-|-|\n\
         |E1|the valve is closed or the filter is dirty|open it|\n\
         |E2|no pressure|call the service and wait|"
    );
}

#[test]
fn cells_in_the_middle_of_their_row() {
    let mut page = Builder::new();
    page = row(page, 100.0, &[(50.0, "Lamp"), (120.0, "Cause")]);
    for (index, lamp) in ["E1", "E2", "E3"].iter().enumerate() {
        let y = 124.0 + 36.0 * index as f32;
        page = row(page, y, &[(120.0, "the valve is closed or the")]);
        page = row(page, y + 6.0, &[(50.0, lamp)]);
        page = row(page, y + 12.0, &[(120.0, "filter is dirty")]);
    }
    let text = page
        .across(50.0, 300.0, 106.0)
        .across(50.0, 300.0, 90.0)
        .markdown();
    assert!(
        text.contains("|E2|the valve is closed or the filter is dirty|"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 5, "{text}");
}

#[test]
fn a_table_is_not_read_by_columns() {
    let mut page = Builder::new();
    for index in 0..12 {
        let y = 100.0 + 14.0 * index as f32;
        page = row(
            page,
            y,
            &[
                (50.0, "Administrative expenses of it"),
                (330.0, "A remark that is longer than 30 m"),
            ],
        );
    }
    let text = page.markdown();
    assert_eq!(
        text.matches("|Administrative expenses of it|A remark")
            .count(),
        12,
        "{text}"
    );
}

fn grid() -> Builder {
    let mut page = Builder::new();
    for y in [100.0, 120.0, 140.0, 160.0] {
        page = page.across(50.0, 350.0, y);
    }
    page.down(50.0, 100.0, 160.0)
        .down(150.0, 120.0, 160.0)
        .down(250.0, 100.0, 160.0)
        .down(350.0, 100.0, 160.0)
}

#[test]
fn lines_around_cells() {
    let mut page = grid().down(150.0, 100.0, 120.0);
    for (index, letter) in ["a", "b", "c"].iter().enumerate() {
        let y = 114.0 + 20.0 * index as f32;
        for column in 0..3 {
            let text = format!("{letter}{column}");
            page = page.text((60.0 + 100.0 * column as f32, y), 10.0, REGULAR, &text);
        }
    }
    assert_eq!(
        page.markdown(),
        "|a0|a1|a2|\n|-|-|-|\n|b0|b1|b2|\n|c0|c1|c2|"
    );
}

#[test]
fn merged_cells() {
    let page = grid()
        .text((120.0, 114.0), 10.0, REGULAR, "over both cells")
        .text((260.0, 114.0), 10.0, REGULAR, "x")
        .text((60.0, 134.0), 10.0, REGULAR, "b0")
        .text((160.0, 134.0), 10.0, REGULAR, "b1")
        .text((260.0, 134.0), 10.0, REGULAR, "b2");
    let text = page.markdown();
    // Both positions show the text of the merged cell.
    assert!(
        text.starts_with("|over both cells|over both cells|x|"),
        "{text}"
    );
    assert!(text.contains("|b0|b1|b2|"), "{text}");
}

#[test]
fn a_missing_line_between_cells() {
    // The row has no line at 150, but its text is in two places.
    let page = grid()
        .text((60.0, 114.0), 10.0, REGULAR, "left")
        .text((160.0, 114.0), 10.0, REGULAR, "middle")
        .text((260.0, 114.0), 10.0, REGULAR, "right")
        .text((60.0, 134.0), 10.0, REGULAR, "b0")
        .text((160.0, 134.0), 10.0, REGULAR, "b1");
    assert!(page.markdown().starts_with("|left|middle|right|"));
}

#[test]
fn lines_only_between_columns() {
    let mut page = Builder::new()
        .across(50.0, 350.0, 120.0)
        .down(150.0, 100.0, 200.0)
        .down(250.0, 100.0, 200.0);
    for (index, name) in ["Name", "one", "two", "three", "four"].iter().enumerate() {
        let y = 114.0 + 18.0 * index as f32;
        page = page
            .text((60.0, y), 10.0, REGULAR, name)
            .text((160.0, y), 10.0, REGULAR, "A")
            .text((260.0, y), 10.0, REGULAR, "B");
    }
    let text = page.markdown();
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(text.contains("|three|A|B|"), "{text}");
}

#[test]
fn a_frame_around_text_is_no_table() {
    let page = Builder::new()
        .across(40.0, 400.0, 80.0)
        .across(40.0, 400.0, 200.0)
        .down(40.0, 80.0, 200.0)
        .down(400.0, 80.0, 200.0)
        .lines(50.0, 100.0, 10.0, &PROSE);
    assert!(!page.markdown().contains('|'));
}

#[test]
fn a_table_over_two_pages_has_its_header_on_both() {
    let table = |names: &[&str], y: f32| {
        let mut page = Builder::new();
        for (index, name) in names.iter().enumerate() {
            let y = y + 14.0 * index as f32;
            page = row(page, y, &[(50.0, name), (200.0, "A"), (350.0, "B")]);
        }
        page
    };
    let first = table(&["Name", "one", "two", "three"], 700.0).lines(50.0, 100.0, 10.0, &PROSE);
    let second = table(&["four", "five", "six"], 60.0).lines(50.0, 200.0, 10.0, &PROSE);
    let texts = markdown_of(&[first.page, second.page]);
    assert!(
        texts[1].starts_with("|Name|A|B|\n|-|-|-|\n|four|A|B|"),
        "{}",
        texts[1]
    );
}

#[test]
fn lines_under_words_are_no_table() {
    let mut page = Builder::new()
        .down(40.0, 80.0, 180.0)
        .down(400.0, 80.0, 180.0);
    for (index, line) in PROSE.iter().enumerate() {
        let y = 100.0 + 12.0 * index as f32;
        page = page
            .text((50.0, y), 10.0, REGULAR, line)
            .across(50.0, 350.0, y + 1.5);
    }
    assert!(!page.markdown().contains('|'));
}

#[test]
fn a_table_goes_on_in_the_next_column() {
    let mut page = Builder::new();
    for (index, line) in PROSE.iter().enumerate() {
        let line: String = line.chars().take(48).collect();
        page = page.text((50.0, 60.0 + 12.0 * index as f32), 10.0, REGULAR, &line);
    }
    for index in 0..5 {
        let y = 150.0 + 14.0 * index as f32;
        let name = format!("left{index}");
        page = row(page, y, &[(50.0, &name), (120.0, "AB"), (200.0, "CD")]);
    }
    for index in 0..4 {
        let y = 60.0 + 14.0 * index as f32;
        let name = format!("right{index}");
        page = row(page, y, &[(330.0, &name), (400.0, "AB"), (480.0, "CD")]);
    }
    for (index, line) in PROSE.iter().enumerate() {
        let line: String = line.chars().take(48).collect();
        page = page.text((330.0, 140.0 + 12.0 * index as f32), 10.0, REGULAR, &line);
    }
    let text = page.markdown();
    assert_eq!(text.matches("\n|-|-|-|\n").count(), 1, "{text}");
    assert!(text.contains("|left4|AB|CD|\n|right0|AB|CD|"), "{text}");
}

/// The cells of a table whose second column has several lines, in the middle of which the first column
/// is.
const WRAPPED: [(&str, [&str; 3]); 3] = [
    ("Alder", ["young", "in a pot", "grafted"]),
    ("Birch", ["old", "with bare", "roots"]),
    ("Cedar", ["young", "without", "a pot"]),
];

#[test]
fn rows_follow_the_order_in_which_cells_are_drawn() {
    let mut page = Builder::new();
    for (row, (name, lines)) in WRAPPED.iter().enumerate() {
        let y = 100.0 + 36.0 * row as f32;
        page = page
            .text((50.0, y + 12.0), 10.0, REGULAR, name)
            .lines(150.0, y, 10.0, lines)
            .text((300.0, y + 12.0), 10.0, REGULAR, "12.50");
    }
    let text = page.markdown();
    assert!(
        text.contains("|Alder|young in a pot grafted|12.50|"),
        "{text}"
    );
    assert!(text.contains("|Cedar|young without a pot|12.50|"), "{text}");
}

#[test]
fn columns_that_are_drawn_one_after_the_other_are_columns() {
    let mut page = Builder::new();
    for (x, offset) in [(50.0, 0.0), (320.0, 7.0)] {
        for row in 0..8_u8 {
            let y = 100.0 + offset + 15.0 * f32::from(row);
            page = page.text((x, y), 10.0, REGULAR, &format!("Key{row}")).text(
                (x + 120.0, y),
                10.0,
                REGULAR,
                &format!("{row}.50"),
            );
        }
    }
    let text = page.markdown();
    assert!(text.contains("|Key7|7.50|"), "{text}");
    assert!(!text.contains("|Key0|0.50|Key0"), "{text}");
}

#[test]
fn columns_of_a_table_may_be_close_to_each_other() {
    let mut page = Builder::new()
        .text((50.0, 85.0), 10.0, BOLD, "No.")
        .text((76.0, 85.0), 10.0, BOLD, "Plant")
        .text((200.0, 85.0), 10.0, BOLD, "Pieces");
    for (row, name) in [
        "Alder young",
        "Ginkgo old",
        "Elm",
        "Nutmeg tree",
        "Fir grafted",
    ]
    .iter()
    .enumerate()
    {
        let y = 100.0 + 15.0 * row as f32;
        page = page
            .text((50.0, y), 10.0, REGULAR, &format!("100{row}"))
            .text((77.0, y), 10.0, REGULAR, name)
            .text((200.0, y), 10.0, REGULAR, &format!("{row}.50"));
    }
    let text = page.markdown();
    assert!(text.contains("|1001|Ginkgo old|1.50|"), "{text}");
    assert!(text.contains("|No.|Plant|Pieces|"), "{text}");
}

#[test]
fn a_header_in_the_middle_of_a_column_belongs_to_its_text() {
    let mut page = Builder::new()
        .text((120.0, 100.0), 10.0, BOLD, "Codec")
        .text((320.0, 100.0), 10.0, BOLD, "Since");
    for (row, name) in ["COPY", "LZMA", "ZSTD"].iter().enumerate() {
        let y = 115.0 + 15.0 * row as f32;
        page = page.text((50.0, y), 10.0, REGULAR, name).text(
            (250.0, y),
            10.0,
            REGULAR,
            &format!("1.{row}"),
        );
    }
    let text = page.markdown();
    assert!(text.contains("|Codec|Since|"), "{text}");
    assert!(text.contains("|LZMA|1.1|"), "{text}");
}

#[test]
fn stripes_of_every_second_row_are_no_edges_of_all_rows() {
    let mut page = Builder::new();
    for (row, cells) in [
        ["Kind", "Fee"],
        ["Tenant", "84"],
        ["Second", "20"],
        ["Guest", "30"],
        ["Child", "4"],
    ]
    .iter()
    .enumerate()
    {
        let y = 60.0 + 20.0 * row as f32;
        page =
            page.text((50.0, y), 10.0, REGULAR, cells[0])
                .text((150.0, y), 10.0, REGULAR, cells[1]);
        if row == 2 || row == 4 {
            page = page.fill(45.0, y - 13.0, 200.0, y + 7.0);
        }
    }
    let text = page
        .text((50.0, 180.0), 10.0, REGULAR, "The end.")
        .markdown();
    assert!(
        text.starts_with("|Kind|Fee|\n|-|-|\n|Tenant|84|\n|Second|20|\n"),
        "{text}"
    );
}

#[test]
fn cells_in_the_middle_of_rows_are_no_columns_of_text() {
    let mut page = Builder::new().lines(50.0, 40.0, 10.0, &PROSE[..3]);
    for row in 0..4 {
        let y = 100.0 + 24.0 * row as f32;
        page = page
            .text((50.0, y), 10.0, REGULAR, "Yearly inspection")
            .text((160.0, y), 10.0, REGULAR, "420.00")
            .text((220.0, y - 6.0), 10.0, REGULAR, "Includes travel")
            .text((220.0, y + 6.0), 10.0, REGULAR, "of 50 miles");
    }
    let text = page.markdown();
    let row = "|Yearly inspection|420.00|Includes travel of 50 miles|";
    assert_eq!(text.matches(row).count(), 4, "{text}");
}

/// A page that starts with a table of signs and sentences.
fn signs(mut page: Builder, y: f32, signs: &[&str]) -> PageContent {
    for (row, sign) in signs.iter().enumerate() {
        let y = y + 24.0 * row as f32;
        page = page
            .text((50.0, y), 10.0, REGULAR, sign)
            .text((120.0, y), 10.0, REGULAR, "Matches any character")
            .text((120.0, y + 12.0), 10.0, REGULAR, "that is not a separator.");
    }
    page.page
}

#[test]
fn sentences_at_the_top_of_a_page_may_be_the_rest_of_a_table() {
    let first = Builder::new()
        .lines(50.0, 60.0, 10.0, &PROSE[..3])
        .text((50.0, 130.0), 10.0, REGULAR, "Sign")
        .text((120.0, 130.0), 10.0, REGULAR, "Meaning")
        .across(50.0, 300.0, 134.0);
    let pages = [
        signs(first, 146.0, &["?", "*", "+"]),
        signs(Builder::new(), 60.0, &["!", "=", "/"]),
    ];
    let text = markdown_of(&pages).remove(1);
    assert!(
        text.starts_with("|Sign|Meaning|\n|-|-|\n|!|Matches any"),
        "{text}"
    );
    let alone = markdown_of(&pages[1..]).remove(0);
    assert!(!alone.contains('|'), "{alone}");
}

/// Adds text that runs upwards.
fn up(mut page: Builder, x: f32, y: f32, text: &str) -> Builder {
    for (index, character) in text.chars().enumerate() {
        let at = y - 5.0 * index as f32;
        let mut glyph = glyph(character, (x, x), at, 10.0, BOLD);
        glyph.direction = Direction::Up;
        glyph.y1 = at - 5.0;
        page.page.glyphs.push(glyph);
    }
    page
}

#[test]
fn heads_of_columns_may_be_turned() {
    let mut page = Builder::new()
        .lines(50.0, 200.0, 10.0, &PROSE)
        .across(50.0, 350.0, 20.0);
    for x in [50.0, 150.0, 250.0, 350.0] {
        page = page.down(x, 20.0, 160.0);
    }
    for y in [100.0, 120.0, 140.0, 160.0] {
        page = page.across(50.0, 350.0, y);
    }
    page = up(page, 195.0, 95.0, "No");
    page = up(page, 195.0, 80.0, "Access");
    page = up(page, 210.0, 95.0, "at all");
    page = up(page, 305.0, 95.0, "Owner");
    // Not in the table.
    page = up(page, 500.0, 95.0, "Aside");
    for (index, letter) in ["a", "b", "c"].iter().enumerate() {
        let y = 114.0 + 20.0 * index as f32;
        page = page
            .text((60.0, y), 10.0, REGULAR, letter)
            .text((300.0, y), 10.0, REGULAR, "X");
    }
    let text = page.markdown();
    assert!(
        text.starts_with("||No Access at all|Owner|\n|-|-|-|\n|a||X|"),
        "{text}"
    );
    assert!(text.ends_with("\n\n**Aside**"), "{text}");
}
