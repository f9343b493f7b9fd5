//! Running heads and page numbers.

use super::*;

fn pages_of(
    pages: usize,
    head: impl Fn(usize) -> String,
    foot: impl Fn(usize) -> String,
) -> Vec<PageContent> {
    let page = |index: usize| {
        Builder::new()
            .text((50.0, 40.0), 9.0, REGULAR, &head(index))
            .lines(50.0, 100.0, 10.0, &PROSE)
            .text((280.0, 770.0), 9.0, REGULAR, &foot(index))
            .page
    };
    (0..pages).map(page).collect()
}

fn document(
    pages: usize,
    head: impl Fn(usize) -> String,
    foot: impl Fn(usize) -> String,
) -> Vec<String> {
    markdown_of(&pages_of(pages, head, foot))
}

#[test]
fn running_heads_are_shown_once_and_page_numbers_never() {
    let pages = pages_of(
        4,
        |_| "Annual report 2024".to_owned(),
        |page| format!("Page {} of 4", page + 1),
    );
    for (index, (text, left_out)) in with_notes(&pages).into_iter().enumerate() {
        let text = match index {
            0 => text.strip_prefix("Annual report 2024\n\n"),
            _ => Some(text.as_str()),
        };
        let text = text.unwrap_or_default();
        assert!(text.starts_with("The reader"), "{index}: {text}");
        assert!(text.ends_with("written"), "{index}: {text}");
        assert_eq!(left_out, index > 0);
    }
}

#[test]
fn the_number_of_the_page_in_the_document_is_noted() {
    let pages = pages_of(3, |_| String::new(), |page| (page + 57).to_string());
    for (text, left_out) in with_notes(&pages) {
        assert!(text.ends_with("written") && left_out, "{text}");
    }
    let pages = pages_of(3, |_| String::new(), |page| (page + 1).to_string());
    assert!(with_notes(&pages).iter().all(|it| !it.1));
}

#[test]
fn heads_of_left_and_right_pages_are_shown_once() {
    let texts = document(
        6,
        |page| match page % 2 {
            0 => format!("{}      The harbour", page + 1),
            _ => format!("A. Author      {}", page + 1),
        },
        |_| String::new(),
    );
    assert!(texts[0].starts_with("1 The harbour\n\n"), "{texts:?}");
    assert!(texts[1].starts_with("A. Author 2\n\n"), "{texts:?}");
    assert!(
        texts[2..].iter().all(|it| it.starts_with("The reader")),
        "{texts:?}"
    );
}

#[test]
fn numbers_that_are_not_those_of_pages_stay() {
    for pages in [2, 3, 5] {
        let texts = document(
            pages,
            |page| format!("Invoice {}", page + 4711),
            |page| format!("Total {}.50", 20 + page),
        );
        for (page, text) in texts.iter().enumerate() {
            let (head, foot) = (
                format!("Invoice {}", page + 4711),
                format!("{}.50", 20 + page),
            );
            assert!(text.starts_with(&head) && text.ends_with(&foot), "{text}");
        }
    }
}

#[test]
fn titles_that_count_up_stay() {
    for (pages, font) in [(2, BOLD), (3, BOLD), (4, BOLD), (2, REGULAR), (4, REGULAR)] {
        let pages: Vec<PageContent> = (0..pages)
            .map(|page| {
                let title = format!("Exercise {}", page + 1);
                Builder::new()
                    .text((50.0, 60.0), 10.0, font, &title)
                    .lines(50.0, 90.0, 10.0, &PROSE)
                    .page
            })
            .collect();
        for (page, text) in markdown_of(&pages).iter().enumerate() {
            assert!(text.contains(&format!("Exercise {}\n", page + 1)), "{text}");
        }
    }
}

#[test]
fn a_title_of_the_first_page_is_not_one_with_another_number() {
    let page = |size: f32, title: &str| {
        Builder::new()
            .text((50.0, 60.0), size, BOLD, title)
            .lines(50.0, 120.0, 10.0, &PROSE)
            .page
    };
    let texts = markdown_of(&[page(16.0, "Exercise 1"), page(10.0, "Exercise 2")]);
    assert!(texts[1].contains("Exercise 2"), "{texts:?}");
}

#[test]
fn a_head_on_two_pages_is_on_both() {
    let texts = document(2, |_| "Draft of a report".to_owned(), |_| String::new());
    let shown = |it: &String| it.starts_with("Draft of a report\n\nThe reader");
    assert!(texts.iter().all(shown), "{texts:?}");
}

#[test]
fn heads_with_the_number_of_the_page_are_left_out() {
    for head in [
        "Surname / TITLE / #",
        "# The Sea and the Ship",
        "The Sea and the Ship #",
    ] {
        let head = |page: usize| head.replace('#', &(page + 1).to_string());
        let texts = document(5, head, |_| String::new());
        assert!(texts[0].starts_with(&head(0)), "{texts:?}");
        for text in &texts[1..] {
            assert!(text.starts_with("The reader"), "{text}");
        }
    }
    for head in [
        "Exercise #",
        "Problem set no. #",
        "#. Exercise",
        "Receipt for the bill 47#",
    ] {
        let head = |page: usize| head.replace('#', &(page + 1).to_string());
        for (page, text) in document(5, head, |_| String::new()).iter().enumerate() {
            assert!(text.starts_with(&head(page)), "{text}");
        }
    }
}

#[test]
fn the_number_of_a_section_may_be_that_of_the_page() {
    let texts = document(
        5,
        |page| format!("3 DUTIES      {}", page + 1),
        |_| String::new(),
    );
    assert!(texts[0].starts_with("3 DUTIES 1\n\n"), "{texts:?}");
    for text in &texts[1..] {
        assert!(text.starts_with("The reader"), "{text}");
    }
}

#[test]
fn page_numbers_may_be_far_from_the_edge() {
    let pages = |last: &dyn Fn(usize) -> String| {
        let page = |index: usize| {
            Builder::new()
                .lines(50.0, 100.0, 10.0, &PROSE)
                .text((280.0, 660.0), 10.0, REGULAR, &last(index))
                .page
        };
        markdown_of(&(0..4).map(page).collect::<Vec<_>>())
    };
    for text in pages(&|index| (index + 57).to_string()) {
        assert!(text.ends_with("written"), "{text}");
    }
    for text in pages(&|index| ["250", "180", "300", "410"][index].to_owned()) {
        assert!(text.ends_with('0'), "{text}");
    }
    for text in pages(&|_| "The end".to_owned()) {
        assert!(text.ends_with("The end"), "{text}");
    }
}

#[test]
fn heads_with_page_numbers_may_change() {
    let heads = ["Arrival", "Journey", "Harbour", "Return"];
    let texts = document(
        4,
        |page| format!("{} {}", heads[page], page + 21),
        |_| String::new(),
    );
    for (text, head) in texts.iter().zip(["Arrival 21", "Journey 22"]) {
        assert!(text.starts_with(&format!("{head}\n\nThe reader")), "{text}");
    }
}

#[test]
fn numbered_headings_at_the_top_stay() {
    let texts = document(
        4,
        |page| format!("Article {}", [3, 9, 14, 21][page]),
        |_| String::new(),
    );
    assert!(texts.iter().all(|it| it.contains("Article")), "{texts:?}");
}

#[test]
fn the_number_of_a_single_page() {
    let texts = document(1, |_| String::new(), |_| "1".to_owned());
    assert!(!texts[0].contains("\n\n1"), "{texts:?}");
    let texts = document(1, |_| String::new(), |_| "57".to_owned());
    assert!(texts[0].ends_with("57"), "{texts:?}");
}

#[test]
fn a_running_head_may_be_close_to_a_title() {
    let pages: Vec<PageContent> = (0..2)
        .map(|index| {
            let page = Builder::new().text((250.0, 40.0), 8.0, REGULAR, "The rights of readers");
            let page = if index == 0 {
                page.text((50.0, 62.0), 20.0, BOLD, "The rights of readers")
            } else {
                page
            };
            page.lines(50.0, 120.0 + 9.0 * index as f32, 10.0, &PROSE)
                .page
        })
        .collect();
    let texts = markdown_of(&pages);
    assert!(texts[0].starts_with("# The rights"), "{texts:?}");
    assert!(texts[1].starts_with("The reader of"), "{texts:?}");
}

#[test]
fn equal_lines_of_text_at_the_edge_stay() {
    let pages: Vec<PageContent> = (0..3)
        .map(|_| Builder::new().lines(50.0, 90.0, 10.0, &PROSE).page)
        .collect();
    assert!(
        markdown_of(&pages)
            .iter()
            .all(|it| it.starts_with("The reader of"))
    );
}

#[test]
fn the_head_and_the_foot_of_a_manual_page() {
    let text = Builder::new()
        .text((50.0, 40.0), 10.0, REGULAR, "LESS(1)")
        .text((170.0, 40.0), 10.0, REGULAR, "Commands")
        .text((315.0, 40.0), 10.0, REGULAR, "LESS(1)")
        .lines(50.0, 100.0, 10.0, &PROSE)
        .text((50.0, 760.0), 10.0, REGULAR, "Version 3")
        .text((170.0, 760.0), 10.0, REGULAR, "2026-01-27")
        .text((345.0, 760.0), 10.0, REGULAR, "1")
        .markdown();
    assert!(
        text.starts_with("LESS(1) Commands LESS(1)\n\nThe reader"),
        "{text}"
    );
    assert!(text.ends_with("\n\nVersion 3 2026-01-27 1"), "{text}");
}

#[test]
fn a_row_with_the_number_of_the_page_stays() {
    let page = |row: [&str; 3]| {
        Builder::new()
            .lines(50.0, 100.0, 10.0, &PROSE)
            .text((50.0, 740.0), 10.0, REGULAR, row[0])
            .text((150.0, 740.0), 10.0, REGULAR, row[1])
            .text((250.0, 740.0), 10.0, REGULAR, row[2])
            .page
    };
    let pages = [
        page(["1 $ 2", "unknown", "2"]),
        page(["Other", "text", "here"]),
    ];
    let text = markdown_of(&pages).remove(0);
    assert!(text.contains("unknown"), "{text}");
}

/// Pages of a list with numbers, from the top to the lower edge.
fn list(step: f32, number: impl Fn(usize) -> usize) -> Vec<PageContent> {
    let mut row = 0;
    let mut pages = Vec::new();
    for _ in 0..4 {
        let (mut page, mut y) = (Builder::new(), 60.0);
        while y < 780.0 {
            row += 1;
            let name = ["Ann Lee", "Bo Chen", "Cy Dunn", "Di Evans", "Ed Fox"][row % 5];
            page = page.text((50.0, y), 10.0, REGULAR, name).text(
                (400.0, y),
                10.0,
                REGULAR,
                &number(row).to_string(),
            );
            y += step;
        }
        pages.push(page.page);
    }
    pages
}

#[test]
fn the_last_rows_of_lists_stay() {
    for step in [20.0, 24.0, 27.0, 30.0, 45.0, 70.0] {
        for times in [1, 7] {
            let pages = list(step, |row| 1000 + times * row);
            let text = markdown_of(&pages).join(" ");
            let all = text.split(|it: char| !it.is_ascii_digit());
            let all: Vec<usize> = all.filter_map(|it| it.parse().ok()).collect();
            let made = (1..=all.len()).map(|row| 1000 + times * row);
            assert!(
                all.len() > 40 && made.eq(all.iter().copied()),
                "{step}: {text}"
            );
        }
    }
}

#[test]
fn the_lines_of_a_cover_take_no_levels() {
    let mut cover = Builder::new();
    for (index, size) in [40.0, 36.0, 32.0, 28.0, 25.0, 22.0, 19.0]
        .into_iter()
        .enumerate()
    {
        cover = cover.text(
            (50.0, 80.0 + 80.0 * index as f32),
            size,
            REGULAR,
            "Some Line",
        );
    }
    let chapter = |title: &str| {
        Builder::new()
            .text((50.0, 140.0), 16.0, BOLD, title)
            .lines(50.0, 180.0, 10.0, &PROSE)
            .text((50.0, 280.0), 13.0, BOLD, "Some part")
            .lines(50.0, 320.0, 10.0, &PROSE)
            .page
    };
    let pages = [cover.page, chapter("Apples"), chapter("Pears")];
    let text = markdown_of(&pages).remove(2);
    assert!(text.starts_with("## Pears\n"), "{text}");
    assert!(text.contains("\n### Some part\n"), "{text}");
}

#[test]
fn a_small_head_over_a_page_with_a_small_number() {
    let page = |number: &str| {
        Builder::new()
            .text((240.0, 40.0), 8.0, REGULAR, "Field Notes, Volume 12")
            .lines(50.0, 100.0, 10.0, &PROSE)
            .text((240.0, 760.0), 8.0, REGULAR, number)
            .markdown()
    };
    let text = page("1 of 2");
    assert!(
        text.starts_with("Field Notes, Volume 12\n\nThe reader") && text.ends_with("written"),
        "{text}"
    );
    assert!(page("A note").ends_with("A note"));
}
