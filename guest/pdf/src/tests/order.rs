//! The text of a page does not depend on which pages were read before.

use crate::open;
use crate::testing::pages;

const PAGES: usize = 12;

/// The name in a row. Rows that differ only in digits look like running heads.
fn name(page: usize, row: usize) -> String {
    let letter = |place: usize| char::from(b"abcdefghijklmnoprstuvwxyz"[place % 25]);
    let (first, second) = (letter(page * 7 + row), letter(page + row * 3));
    format!("Part {first}{second} {page}-{row}")
}

/// Pages with a running head, a heading, prose with words at the ends of lines, and a table that goes on
/// over three pages, whose head is only on the first one.
fn contents() -> Vec<String> {
    let page = |page: usize| {
        let mut out = format!(
            "BT /F1 8 Tf 50 770 Td (A running head) Tj ET BT /F1 8 Tf 300 20 Td ({page}) Tj ET "
        );
        let mut show = |font: &str, size: usize, x: usize, y: usize, text: &str| {
            out.push_str(&format!("BT /{font} {size} Tf {x} {y} Td ({text}) Tj ET "));
        };
        if (5..8).contains(&page) {
            for row in 0..30 {
                let y = 720 - 20 * row;
                let head = page == 5 && row == 0;
                let cells = if head {
                    ["Name".to_owned(), "Size".to_owned(), "Price".to_owned()]
                } else {
                    [
                        name(page, row),
                        format!("{row}00"),
                        format!("{page}.{row}5"),
                    ]
                };
                for (column, cell) in cells.iter().enumerate() {
                    let font = if head { "F2" } else { "F1" };
                    show(font, 10, 60 + 150 * column, y, cell);
                }
            }
        } else {
            show("F2", 16, 50, 720, &format!("Part {page}"));
            for line in 0..30 {
                let end = if line % 2 == 0 { "impor-" } else { "things" };
                let text = format!(
                    "tant line {line} of page {page} has many words and is about some {end}"
                );
                show("F1", 10, 50, 690 - 12 * line, &text);
            }
        }
        if (5..8).contains(&page) {
            for x in [50, 200, 350, 500] {
                out.push_str(&format!("{x} 134 m {x} 734 l S "));
            }
            for row in 0..31 {
                let y = 734 - 20 * row;
                out.push_str(&format!("50 {y} m 500 {y} l S "));
            }
        }
        out
    };
    (1..=PAGES).map(page).collect()
}

#[test]
fn the_text_of_a_page_does_not_depend_on_the_order_of_reading() {
    let contents = contents();
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    let bytes = pages(&contents, "", "", &[]);
    let mut document = open(bytes.clone(), None).unwrap();
    let in_order: Vec<String> = (0..PAGES).map(|index| document.unit(index).text).collect();
    for (index, text) in in_order.iter().enumerate() {
        assert_eq!(text.contains("A running head"), index == 0, "{text}");
        let alone = open(bytes.clone(), None).unwrap().unit(index).text;
        assert_eq!(&alone, text, "page {}", index + 1);
    }
    let mut reversed = open(bytes.clone(), None).unwrap();
    for (index, text) in in_order.iter().enumerate().rev() {
        assert_eq!(&reversed.unit(index).text, text, "page {}", index + 1);
    }
    // Each page is read after pages that are far away, and twice.
    let mut spread = open(bytes, None).unwrap();
    for step in 0..2 * PAGES {
        let index = step * 5 % PAGES;
        assert_eq!(
            spread.unit(index).text,
            in_order[index],
            "page {}",
            index + 1
        );
    }
    assert!(in_order[2].contains("# Part 3"), "{}", in_order[2]);
    assert!(
        in_order[4].contains(&format!("|{}|100|5.15|", name(5, 1))),
        "{}",
        in_order[4]
    );
    assert!(
        in_order[6].contains(&format!("|{}|2900|7.295|", name(7, 29))),
        "{}",
        in_order[6]
    );
}

#[test]
fn pages_in_order_are_one_text() {
    let contents = contents();
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    let mut document = open(pages(&contents, "", "", &[]), None).unwrap();
    let mut out = crate::Joined::default();
    for index in 0..PAGES {
        out.add(&document.unit(index));
    }
    let out = out.text();
    for page in [5, 6, 7] {
        for row in 1..30 {
            assert_eq!(
                out.matches(&format!("|{}|", name(page, row))).count(),
                1,
                "{out}"
            );
        }
    }
    assert_eq!(out.matches("|Name|Size|Price|").count(), 1, "{out}");
}
