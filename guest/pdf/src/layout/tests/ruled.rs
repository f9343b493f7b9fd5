//! Tables with lines between some of their rows and columns.

use super::*;

/// Adds cells of a row.
fn row(page: Builder, y: f32, cells: &[(f32, &str)]) -> Builder {
    cells.iter().fold(page, |page, (x, text)| {
        page.text((*x, y), 10.0, REGULAR, text)
    })
}

/// A page with the lines of a table.
fn ruled(xs: &[f32], ys: &[f32]) -> Builder {
    let ends = |all: &[f32]| (all[0], all[all.len() - 1]);
    let (left, right) = ends(xs);
    let (top, bottom) = ends(ys);
    let page = xs
        .iter()
        .fold(Builder::new(), |page, x| page.down(*x, top, bottom));
    ys.iter().fold(page, |page, y| page.across(left, right, *y))
}

#[test]
fn values_at_the_same_heights_between_two_lines_are_rows() {
    let mut page = ruled(
        &[50.0, 200.0, 300.0, 400.0],
        &[80.0, 100.0, 140.0, 164.0, 188.0],
    );
    page = row(
        page,
        94.0,
        &[(55.0, "Region"), (205.0, "Units"), (305.0, "Total")],
    );
    for (index, cells) in [
        ["North America", "12", "42.00"],
        ["South America", "7", "28.00"],
        ["Central America", "1", "9.00"],
        ["Europe", "20", "50.00"],
        ["Middle East", "3", "15.00"],
        ["Oceania", "2", "16.00"],
        ["Antarctica", "0", "0.00"],
    ]
    .iter()
    .enumerate()
    {
        let y = 112.0 + 12.0 * index as f32;
        page = row(
            page,
            y,
            &[(55.0, cells[0]), (205.0, cells[1]), (305.0, cells[2])],
        );
    }
    assert_eq!(
        page.markdown(),
        "|Region|Units|Total|\n|-|-|-|\n\
         |North America|12|42.00|\n\
         |South America|7|28.00|\n\
         |Central America|1|9.00|\n\
         |Europe|20|50.00|\n\
         |Middle East|3|15.00|\n\
         |Oceania|2|16.00|\n\
         |Antarctica|0|0.00|"
    );
}

#[test]
fn lines_that_continue_a_label_are_no_rows() {
    let mut page = ruled(&[50.0, 150.0, 250.0, 350.0], &[80.0, 100.0, 190.0]);
    page = row(
        page,
        94.0,
        &[(55.0, "Cost"), (155.0, "2019"), (255.0, "2020")],
    );
    page = row(
        page,
        112.0,
        &[(55.0, "Salaries"), (155.0, "120"), (255.0, "130")],
    );
    page = row(
        page,
        124.0,
        &[(55.0, "Purchase of new"), (155.0, "82"), (255.0, "85")],
    );
    page = row(page, 136.0, &[(55.0, "equipment")]);
    page = row(
        page,
        148.0,
        &[(55.0, "Telephone"), (155.0, "9"), (255.0, "-")],
    );
    page = row(page, 160.0, &[(55.0, "Rent of several")]);
    page = row(
        page,
        172.0,
        &[(55.0, "offices"), (155.0, "19"), (255.0, "20")],
    );
    assert_eq!(
        page.markdown(),
        "|Cost|2019|2020|\n|-|-|-|\n\
         |Salaries|120|130|\n\
         |Purchase of new equipment|82|85|\n\
         |Telephone|9|-|\n\
         |Rent of several offices|19|20|"
    );
}

#[test]
fn texts_that_fill_their_cells_are_one_row() {
    let mut page = ruled(&[50.0, 150.0, 250.0], &[80.0, 140.0, 180.0]);
    for (line, cells) in [
        ["The filter of the", "Clean the filter"],
        ["pump is dirty or", "or replace it, as"],
        ["closed by mistake", "in chapter twelve"],
    ]
    .iter()
    .enumerate()
    {
        let y = 94.0 + 12.0 * line as f32;
        page = row(page, y, &[(55.0, cells[0]), (155.0, cells[1])]);
    }
    page = row(
        page,
        154.0,
        &[(55.0, "No pressure"), (155.0, "Call the service")],
    );
    assert_eq!(
        page.markdown(),
        "|The filter of the pump is dirty or closed by mistake\
         |Clean the filter or replace it, as in chapter twelve|\n|-|-|\n\
         |No pressure|Call the service|"
    );
}

#[test]
fn errors_below_values_are_of_the_same_row() {
    let mut page = ruled(&[50.0, 150.0, 220.0, 290.0], &[80.0, 100.0, 130.0, 160.0]);
    page = row(
        page,
        94.0,
        &[(55.0, "Variable"), (155.0, "A"), (225.0, "B")],
    );
    for (index, name) in ["Age", "Income"].iter().enumerate() {
        let y = 112.0 + 30.0 * index as f32;
        page = row(page, y, &[(55.0, name), (155.0, "0.25"), (225.0, "0.31")]);
        page = row(page, y + 12.0, &[(155.0, "(0.03)"), (225.0, "(0.02)")]);
    }
    assert_eq!(
        page.markdown(),
        "|Variable|A|B|\n|-|-|-|\n\
         |Age|0.25 (0.03)|0.31 (0.02)|\n\
         |Income|0.25 (0.03)|0.31 (0.02)|"
    );
}

#[test]
fn numbers_that_white_separates_are_columns() {
    let mut page = ruled(&[50.0, 150.0, 300.0, 450.0], &[80.0, 110.0, 162.0, 180.0]);
    page = row(
        page,
        92.0,
        &[(55.0, "Age"), (185.0, "Group one"), (335.0, "Group two")],
    );
    page = row(
        page,
        104.0,
        &[
            (165.0, "Male"),
            (235.0, "Female"),
            (315.0, "Male"),
            (385.0, "Female"),
        ],
    );
    for (index, cells) in [
        ["0-9", "1,087", "1,022", "292", "255"],
        ["10-19", "12,586", "2,568", "7", "1,639"],
        ["20-29", "867", "13,576", "935", "38"],
        ["30-39", "7,808", "7,401", "1,770", "732"],
        ["All", "90,057", "94,823", "14,392", "16,622"],
    ]
    .iter()
    .enumerate()
    {
        let y = 120.0 + 12.0 * index as f32 + if index == 4 { 6.0 } else { 0.0 };
        page = page.text((55.0, y), 10.0, REGULAR, cells[0]);
        for (text, end) in cells[1..].iter().zip([200.0, 290.0, 350.0, 440.0]) {
            page = page.text((end - 5.0 * text.len() as f32, y), 10.0, REGULAR, text);
        }
    }
    assert_eq!(
        page.markdown(),
        "|Age|Group one|Group one|Group two|Group two|\n\
         |-|-|-|-|-|\n\
         |Age|Male|Female|Male|Female|\n\
         |0-9|1,087|1,022|292|255|\n\
         |10-19|12,586|2,568|7|1,639|\n\
         |20-29|867|13,576|935|38|\n\
         |30-39|7,808|7,401|1,770|732|\n\
         |All|90,057|94,823|14,392|16,622|"
    );
}

#[test]
fn one_vertical_line_and_double_lines_are_a_table() {
    let mut page = Builder::new();
    for y in [80.0, 100.0, 102.4, 144.0, 146.4] {
        page = page.across(50.0, 400.0, y);
    }
    page = page
        .down(200.0, 80.2, 99.8)
        .down(200.0, 102.6, 143.8)
        .down(200.0, 146.6, 160.0);
    page = row(
        page,
        92.0,
        &[(205.0, "Freq."), (265.0, "Percent"), (335.0, "Mean")],
    );
    for (y, cells) in [
        (114.0, ["kept the assets", "344", "75.2", "12196"]),
        (126.0, ["sold some of them", "53", "11.6", "23518"]),
        (138.0, ["sold all", "61", "13.2", "9187"]),
        (157.0, ["Total", "458", "100.0", "13153"]),
    ] {
        page = row(
            page,
            y,
            &[
                (55.0, cells[0]),
                (205.0, cells[1]),
                (265.0, cells[2]),
                (335.0, cells[3]),
            ],
        );
    }
    assert_eq!(
        page.markdown(),
        "||Freq.|Percent|Mean|\n|-|-|-|-|\n\
         |kept the assets|344|75.2|12196|\n\
         |sold some of them|53|11.6|23518|\n\
         |sold all|61|13.2|9187|\n\
         |Total|458|100.0|13153|"
    );
}

#[test]
fn labels_without_lines_between_them_belong_to_the_rows_beside_them() {
    let mut page = Builder::new();
    page = page.across(50.0, 350.0, 100.0).across(50.0, 350.0, 172.0);
    for x in [150.0, 250.0, 350.0] {
        page = page.down(x, 80.0, 172.0);
    }
    page = page.across(150.0, 350.0, 80.0);
    for y in [118.0, 136.0, 154.0] {
        page = page.across(150.0, 350.0, y);
    }
    page = row(
        page,
        94.0,
        &[(55.0, "Cost"), (155.0, "2019"), (255.0, "2020")],
    );
    for (index, cells) in [
        ["Salaries", "352,000", "252,012"],
        ["Bad debts", "26,000", ""],
        ["Rent", "94,000", "74,000"],
        ["Travel", "10,000", "9,000"],
    ]
    .iter()
    .enumerate()
    {
        let y = 113.0 + 18.0 * index as f32;
        page = row(
            page,
            y,
            &[(55.0, cells[0]), (155.0, cells[1]), (255.0, cells[2])],
        );
    }
    assert_eq!(
        page.markdown(),
        "|Cost|2019|2020|\n|-|-|-|\n\
         |Salaries|352,000|252,012|\n\
         |Bad debts|26,000||\n\
         |Rent|94,000|74,000|\n\
         |Travel|10,000|9,000|"
    );
}

#[test]
fn long_texts_in_the_frame_of_a_table_surround_it() {
    let title =
        "Exhibit 9: Characteristics of the types of assessments and of students who take part";
    let note =
        "Source: Reports of the states for all schools and districts that answered in the year";
    let mut page = Builder::new();
    for y in [80.0, 100.0, 120.0, 140.0, 160.0, 180.0] {
        page = page.across(50.0, 550.0, y);
    }
    for x in [50.0, 550.0] {
        page = page.down(x, 80.0, 180.0);
    }
    for x in [250.0, 400.0] {
        page = page.down(x, 100.0, 160.0);
    }
    page = row(page, 94.0, &[(55.0, title)]);
    page = row(page, 174.0, &[(55.0, note)]);
    for (index, cells) in [
        ["Kind", "Share", "Count"],
        ["General", "34%", "12"],
        ["Alternate", "11%", "3"],
    ]
    .iter()
    .enumerate()
    {
        let y = 114.0 + 20.0 * index as f32;
        page = row(
            page,
            y,
            &[(55.0, cells[0]), (255.0, cells[1]), (405.0, cells[2])],
        );
    }
    assert_eq!(
        page.markdown(),
        format!(
            "{title}\n\n|Kind|Share|Count|\n|-|-|-|\n\
             |General|34%|12|\n|Alternate|11%|3|\n\n{note}"
        )
    );
}

#[test]
fn labels_in_the_middle_of_their_rows_are_over_all_of_them() {
    let mut page = ruled(&[50.0, 120.0, 200.0, 260.0], &[80.0, 100.0, 128.0]);
    page = row(
        page,
        94.0,
        &[(55.0, "Set"), (125.0, "Model"), (205.0, "Test")],
    );
    page = row(page, 112.0, &[(125.0, "base"), (205.0, "70.4")]);
    page = row(page, 118.0, &[(55.0, "A")]);
    page = row(page, 124.0, &[(125.0, "large"), (205.0, "74.8")]);
    assert_eq!(
        page.markdown(),
        "|Set|Model|Test|\n|-|-|-|\n|A|base|70.4|\n|A|large|74.8|"
    );
}

#[test]
fn telephones_and_addresses_of_one_cell_are_no_rows() {
    let mut page = ruled(&[50.0, 150.0, 250.0, 350.0], &[80.0, 120.0, 160.0]);
    for (index, cells) in [
        ["Dr. Anna Berg", "Main Street 5", "+43 1 555 12"],
        ["Surgeon", "1010 Vienna", "+43 1 555 13"],
        ["", "Austria", ""],
        ["Dr. John Hill", "Park Lane 17", "+44 20 7946"],
        ["Dentist", "London", "+44 20 7947"],
    ]
    .iter()
    .enumerate()
    {
        let y = 92.0 + 12.0 * index as f32 + if index > 2 { 4.0 } else { 0.0 };
        page = row(
            page,
            y,
            &[(55.0, cells[0]), (155.0, cells[1]), (255.0, cells[2])],
        );
    }
    let text = page.markdown();
    assert!(
        text.starts_with("|Dr. Anna Berg Surgeon|Main Street 5 1010 Vienna Austria|"),
        "{text}"
    );
}

/// A page with a table that has a line below its header, and lines between its columns.
fn open(xs: &[f32], bottom: f32, head: &[&str], body: &[&[&str]]) -> Builder {
    let left = xs.first().copied().unwrap_or_default();
    let right = xs.last().copied().unwrap_or_default();
    let inner = &xs[1..xs.len() - 1];
    let mut page = inner.iter().fold(Builder::new(), |page, x| {
        page.down(*x, 80.0, 100.0).down(*x, 100.0, bottom)
    });
    page = page.across(left, right, 100.0);
    for (line, cells) in std::iter::once(&head).chain(body.iter()).enumerate() {
        let y = 94.0 + if line == 0 { 0.0 } else { 6.0 } + 12.0 * line as f32;
        let cells: Vec<(f32, &str)> = xs
            .iter()
            .zip(cells.iter())
            .filter(|it| !it.1.is_empty())
            .map(|(x, text)| (x + 6.0, *text))
            .collect();
        page = row(page, y, &cells);
    }
    page
}

#[test]
fn marks_at_several_heights_are_rows() {
    let page = open(
        &[50.0, 135.0, 170.0, 205.0],
        142.0,
        &["Statement", "true", "false"],
        &[
            &["One is odd", "y", "n"],
            &["Two is odd", "n", "y"],
            &["Three is even", "n", "y"],
        ],
    );
    assert_eq!(
        page.markdown(),
        "|Statement|true|false|\n|-|-|-|\n\
         |One is odd|y|n|\n\
         |Two is odd|n|y|\n\
         |Three is even|n|y|"
    );
    let page = open(
        &[50.0, 135.0, 170.0, 205.0],
        142.0,
        &["Statement", "true", "false"],
        &[
            &["One is odd", "x", ""],
            &["Two is odd", "", "x"],
            &["Three is even", "", "x"],
        ],
    );
    assert_eq!(
        page.markdown(),
        "|Statement|true|false|\n|-|-|-|\n\
         |One is odd|x||\n\
         |Two is odd||x|\n\
         |Three is even||x|"
    );
    let page = open(
        &[50.0, 135.0, 170.0],
        142.0,
        &["Statement", "?"],
        &[
            &["One is odd", "–"],
            &["Two is odd", "y"],
            &["Three is even", "n"],
        ],
    );
    assert_eq!(
        page.markdown(),
        "|Statement|?|\n|-|-|\n\
         |One is odd|–|\n\
         |Two is odd|y|\n\
         |Three is even|n|"
    );
}

#[test]
fn words_at_all_heights_of_three_columns_are_rows() {
    let page = open(
        &[50.0, 110.0, 165.0, 215.0],
        142.0,
        &["Country", "City", "River"],
        &[
            &["Austria", "Vienna", "Danube"],
            &["United Kingdom", "London", "Thames"],
            &["France", "Paris", "Seine"],
        ],
    );
    assert_eq!(
        page.markdown(),
        "|Country|City|River|\n|-|-|-|\n\
         |Austria|Vienna|Danube|\n\
         |United Kingdom|London|Thames|\n\
         |France|Paris|Seine|"
    );
}

#[test]
fn texts_of_three_lines_in_three_columns_are_one_row() {
    let page = open(
        &[50.0, 150.0, 250.0, 350.0],
        142.0,
        &["Fault", "Cause", "Remedy"],
        &[
            &["The pump makes a", "The filter of the", "Clean the filter"],
            &[
                "loud noise when it",
                "pump is dirty or",
                "or replace it, as",
            ],
            &["starts to turn", "closed by mistake", "in chapter twelve"],
        ],
    );
    assert_eq!(
        page.markdown(),
        "|Fault|Cause|Remedy|\n|-|-|-|\n\
         |The pump makes a loud noise when it starts to turn|The filter of the pump is dirty or closed by mistake\
         |Clean the filter or replace it, as in chapter twelve|"
    );
}
