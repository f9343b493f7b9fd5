//! Tables between horizontal lines, and text of narrow columns.

use super::*;

/// A row of cells in size 10.
fn row(page: Builder, y: f32, cells: &[(f32, &str)]) -> Builder {
    cells.iter().fold(page, |page, (x, text)| {
        page.text((*x, y), 10.0, REGULAR, text)
    })
}

/// A page with lines from 50 to 250 over the head, below it and at the end, and rows that are 12 points apart.
fn framed(rows: &[&[(f32, &str)]]) -> Builder {
    let end = 117.0 + 12.0 * (rows.len() - 1) as f32;
    let mut page = Builder::new()
        .across(50.0, 250.0, 89.0)
        .across(50.0, 250.0, 105.5)
        .across(50.0, 250.0, end - 5.0);
    for (index, cells) in rows.iter().enumerate() {
        let y = if index == 0 {
            100.0
        } else {
            105.0 + 12.0 * index as f32
        };
        page = row(page, y, cells);
    }
    page
}

#[test]
fn columns_close_to_each_other() {
    // The second column is aligned at the right, the third one at the left, 6 points beside it.
    let text = framed(&[
        &[(53.0, "Segment"), (144.0, "Staff"), (175.0, "Sales")],
        &[
            (53.0, "Annual readers"),
            (149.0, "2156"),
            (175.0, "580,805"),
        ],
        &[
            (53.0, "Offline harbours"),
            (154.0, "208"),
            (175.0, "144,831"),
        ],
        &[(53.0, "Final figures"), (149.0, "2480"), (175.0, "5")],
    ])
    .markdown();
    assert_eq!(
        text,
        "|Segment|Staff|Sales|\n|-|-|-|\n\
         |Annual readers|2156|580,805|\n|Offline harbours|208|144,831|\n\
         |Final figures|2480|5|"
    );
}

#[test]
fn text_between_two_tables_of_one_width() {
    let mut page = framed(&[
        &[(53.0, "Name"), (153.0, "Count")],
        &[(53.0, "first"), (153.0, "17")],
        &[(53.0, "second"), (153.0, "9")],
    ]);
    page = page.lines(
        50.0,
        155.0,
        10.0,
        &[
            "The text between both tables is as wide",
            "as their lines, and it is not a row of",
            "one of them, nor do both become one.",
        ],
    );
    for y in [199.0, 215.5, 232.5] {
        page = page.across(50.0, 250.0, y);
    }
    page = row(page, 210.0, &[(53.0, "Name"), (153.0, "Count")]);
    page = row(page, 227.0, &[(53.0, "third"), (153.0, "4")]);
    assert_eq!(
        page.markdown(),
        "|Name|Count|\n|-|-|\n|first|17|\n|second|9|\n\n\
         The text between both tables is as wide as their lines, and it is not a row of one of them, \
         nor do both become one.\n\n\
         |Name|Count|\n|-|-|\n|third|4|"
    );
}

#[test]
fn rows_outside_of_the_lines() {
    // Lines only between the rows.
    let mut page = Builder::new().lines(50.0, 60.0, 10.0, &PROSE[..2]);
    for (index, cells) in [
        ["Name", "Count"],
        ["first", "17"],
        ["second", "9"],
        ["third", "4"],
        ["fourth", "21"],
    ]
    .iter()
    .enumerate()
    {
        let y = 110.0 + 16.0 * index as f32;
        page = row(page, y, &[(53.0, cells[0]), (120.0, cells[1])]);
        if index > 0 {
            page = page.across(50.0, 200.0, y - 11.0);
        }
    }
    let text = page.lines(50.0, 220.0, 10.0, &PROSE[..2]).markdown();
    assert!(
        text.contains(
            "\n\n|Name|Count|\n|-|-|\n|first|17|\n|second|9|\n|third|4|\n\
             |fourth|21|\n\n"
        ),
        "{text}"
    );
}

#[test]
fn heads_over_several_columns_are_no_columns() {
    let mut page = framed(&[
        &[(53.0, "Name"), (130.0, "First"), (190.0, "Second")],
        &[(53.0, "one"), (130.0, "11"), (190.0, "12")],
        &[(53.0, "two"), (130.0, "21"), (190.0, "22")],
        &[(53.0, "three"), (130.0, "31"), (190.0, "32")],
    ]);
    // In the white between both columns, over the head.
    page.page.rules.retain(|it| it.at > 90.0);
    page = page.across(50.0, 250.0, 77.0);
    let text = page.text((160.0, 88.0), 10.0, REGULAR, "Total").markdown();
    assert!(text.contains("\n|Name|First|Second|\n"), "{text}");
    assert!(text.ends_with("|three|31|32|"), "{text}");
}

#[test]
fn numbered_lines_between_lines_are_no_table() {
    let text = framed(&[
        &[(53.0, "Algorithm 1 Find the least")],
        &[(53.0, "1:"), (69.0, "read the first value")],
        &[(53.0, "2:"), (69.0, "while there are values do")],
        &[(53.0, "3:"), (79.0, "take the smaller one")],
    ])
    .markdown();
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn a_table_that_reaches_into_the_white_between_columns() {
    // The columns of the page are 10 points apart, and the table is 4 points too wide.
    let mut page = Builder::new();
    let prose = |at: usize| PROSE[at % 6].get(..40).unwrap_or_default();
    for index in 0..8 {
        let y = 60.0 + 12.0 * index as f32;
        page = page.text((50.0, y), 10.0, REGULAR, prose(index));
    }
    for (index, cells) in [
        ["Name", "Code", "Count"],
        ["one", "A1", "17"],
        ["two", "B2", "9"],
    ]
    .iter()
    .enumerate()
    {
        let y = 180.0 + 14.0 * index as f32;
        page = row(
            page,
            y,
            &[(53.0, cells[0]), (140.0, cells[1]), (226.0, cells[2])],
        );
    }
    for y in [169.0, 184.5, 213.0] {
        page = page.across(50.0, 254.0, y);
    }
    for index in 0..8 {
        let y = 230.0 + 12.0 * index as f32;
        page = page.text((50.0, y), 10.0, REGULAR, prose(index));
    }
    for index in 0..22 {
        let y = 60.0 + 12.0 * index as f32;
        page = page.text((260.0, y), 10.0, REGULAR, prose(index));
    }
    let text = page.markdown();
    let table = "|Name|Code|Count|\n|-|-|-|\n|one|A1|17|\n|two|B2|9|";
    assert!(text.contains(table), "{text}");
    let at = text.find(table).unwrap();
    assert!(text[..at].len() < text[at..].len() / 2, "{text}");
}

#[test]
fn stretched_lines_of_a_narrow_column_are_text() {
    // The white between the words of a line is equally wide, and a sentence ends inside of it.
    let mut page = Builder::new().text((50.0, 100.0), 10.0, REGULAR, "3.");
    for (x, word) in [
        (64.0, "Every"),
        (101.0, "offline"),
        (148.0, "margin"),
        (190.0, "confirms"),
    ] {
        page = page.text((x, 100.0), 10.0, REGULAR, word);
    }
    for (x, word) in [
        (64.0, "each"),
        (101.5, "valve."),
        (151.0, "Although"),
        (208.5, "any"),
    ] {
        page = page.text((x, 112.0), 10.0, REGULAR, word);
    }
    let text = page
        .text((64.0, 124.0), 10.0, REGULAR, "field was new.")
        .markdown();
    assert_eq!(
        text,
        "3. Every offline margin confirms each valve. Although any field was new."
    );
}

#[test]
fn a_line_below_the_head_shows_a_table() {
    let mut page = Builder::new().lines(50.0, 60.0, 10.0, &PROSE[..2]);
    page = page.across(50.0, 220.0, 105.0);
    for (index, cells) in [
        ["Segment", "Staff", "Sales"],
        ["Annual readers", "2156", "580,805"],
        ["Offline harbours", "208", "144,831"],
        ["Final figures", "2480", "5"],
    ]
    .iter()
    .enumerate()
    {
        let y = 101.0 + 16.0 * index as f32;
        page = row(
            page,
            y,
            &[(52.0, cells[0]), (138.0, cells[1]), (169.0, cells[2])],
        );
    }
    let text = page.lines(50.0, 180.0, 10.0, &PROSE[..2]).markdown();
    assert!(
        text.contains(
            "\n\n|Segment|Staff|Sales|\n|-|-|-|\n\
             |Annual readers|2156|580,805|\n|Offline harbours|208|144,831|\n\
             |Final figures|2480|5|\n\n"
        ),
        "{text}"
    );
}

#[test]
fn a_line_below_a_heading_shows_no_table() {
    let page = Builder::new()
        .text((50.0, 60.0), 16.0, BOLD, "1  Results")
        .across(50.0, 350.0, 66.0);
    let text = page.lines(50.0, 84.0, 10.0, &PROSE).markdown();
    assert!(!text.contains('|'), "{text}");
}

/// Two tables of one width, with a text above each of them.
fn two(head: &[&str], texts: [&[(f32, u16, f32, &str)]; 2]) -> String {
    let mut page = Builder::new();
    let mut y = 60.0;
    let column = |at: usize| [53.0, 150.0, 210.0][at];
    for above in texts {
        for (x, font, size, text) in above {
            page = page.text((*x, y), *size, *font, text);
        }
        let rows = [
            head,
            &["Long bolt", "metal", "2.10"],
            &["Nut", "none", "0.4"],
        ];
        for (index, cells) in rows.iter().enumerate() {
            let y = y + 20.0 + 13.0 * index as f32 + if index > 0 { 3.0 } else { 0.0 };
            for (at, text) in cells.iter().enumerate() {
                page = page.text((column(at), y), 10.0, REGULAR, text);
            }
        }
        for at in [9.0, 25.0, 53.0] {
            page = page.across(50.0, 250.0, y + at);
        }
        y += 68.0;
    }
    page.markdown()
}

#[test]
fn headings_between_tables_of_one_width_are_no_rows() {
    let head = ["Name", "Kind", "Price"];
    let rows = "|Name|Kind|Price|\n|-|-|-|\n\
                |Long bolt|metal|2.10|\n|Nut|none|0.4|";
    for (size, font) in [(14.0, BOLD), (14.0, REGULAR), (10.0, BOLD)] {
        let text = two(
            &head,
            [
                &[(50.0, font, size, "1"), (68.0, font, size, "Summer")],
                &[(50.0, font, size, "2"), (68.0, font, size, "Winter")],
            ],
        );
        assert_eq!(text.matches(rows).count(), 2, "{text}");
        assert!(
            !text.contains("|1 ") && !text.contains("Winter |"),
            "{text}"
        );
    }
}

#[test]
fn a_text_above_a_head_that_is_repeated_is_no_row() {
    let text = two(
        &["Name", "Kind", "Price"],
        [&[], &[(50.0, REGULAR, 10.0, "Unit of all prices: euro.")]],
    );
    assert!(
        text.contains("|Nut|none|0.4|\n\nUnit of all prices: euro.\n\n|Name|Kind|"),
        "{text}"
    );
}

#[test]
fn heads_over_partial_lines_are_of_the_table() {
    // A line over the columns of each year, and lines of the whole width below the head and at the end.
    let columns = [150.0, 190.0, 230.0, 270.0];
    let mut page = Builder::new()
        .text((163.0, 60.0), 10.0, REGULAR, "2020")
        .text((243.0, 60.0), 10.0, REGULAR, "2021")
        .across(148.0, 206.0, 63.0)
        .across(228.0, 286.0, 63.0)
        .across(50.0, 290.0, 79.0)
        .across(50.0, 290.0, 121.0);
    let rows = [
        ["Museum", "Q1", "Q2", "Q1", "Q2"],
        ["City museum", "11", "12", "13", "14"],
        ["Trams", "21", "22", "23", "24"],
        ["Zoo", "31", "32", "33", "34"],
    ];
    for (index, cells) in rows.iter().enumerate() {
        let y = 75.0 + 14.0 * index as f32;
        for (x, text) in [50.0].iter().chain(&columns).zip(cells) {
            page = page.text((*x, y), 10.0, REGULAR, text);
        }
    }
    let text = page
        .text((50.0, 130.0), 7.0, REGULAR, "Source: own counts.")
        .markdown();
    assert!(
        text.contains("|Museum|Q1|Q2|Q1|Q2|\n|City museum|")
            || text.contains("|Museum|Q1|Q2|Q1|Q2|\n|-|"),
        "{text}"
    );
    assert!(text.starts_with("||2020|"), "{text}");
    assert!(
        text.ends_with("|Zoo|31|32|33|34|\n\nSource: own counts."),
        "{text}"
    );
}

#[test]
fn a_head_of_several_lines_may_be_larger_than_the_rows() {
    let mut page = Builder::new()
        .text((190.0, 60.0), 10.0, REGULAR, "Students")
        .text((50.0, 72.0), 10.0, REGULAR, "Country")
        .text((120.0, 72.0), 10.0, REGULAR, "Schools")
        .text((190.0, 72.0), 10.0, REGULAR, "counted")
        .across(50.0, 250.0, 49.0)
        .across(50.0, 250.0, 77.0)
        .across(50.0, 250.0, 121.0);
    for (index, name) in ["First", "Second", "Third"].iter().enumerate() {
        let y = 88.0 + 13.0 * index as f32;
        for (x, text) in [(50.0, *name), (120.0, "17"), (190.0, "21")] {
            page = page.text((x, y), 8.0, REGULAR, text);
        }
    }
    let text = page.markdown();
    // The line with one text is of the table, though it is larger than the rows.
    assert!(text.starts_with('|') && text.contains("Students"), "{text}");
    assert!(text.ends_with("|Third|17|21|"), "{text}");
}
