//! Paragraphs, headings, lists, code and notes.

use super::*;

#[test]
fn a_wider_gap_ends_a_paragraph() {
    let page =
        Builder::new()
            .lines(50.0, 100.0, 10.0, &PROSE[..3])
            .lines(50.0, 145.0, 10.0, &PROSE[3..]);
    assert_eq!(page.markdown().matches("\n\n").count(), 1);
}

#[test]
fn an_indented_line_starts_a_paragraph() {
    let page = Builder::new()
        .lines(50.0, 100.0, 10.0, &PROSE[..3])
        .text((65.0, 136.0), 10.0, REGULAR, PROSE[3])
        .lines(50.0, 148.0, 10.0, &PROSE[4..]);
    let text = page.markdown();
    assert_eq!(text.matches("\n\n").count(), 1, "{text}");
    assert!(text.contains("\n\nor with"), "{text}");
}

#[test]
fn a_line_that_is_not_full_ends_a_paragraph() {
    let page = Builder::new()
        .lines(50.0, 100.0, 10.0, &PROSE[..2])
        .text((50.0, 124.0), 10.0, REGULAR, "It ends here.")
        .text(
            (50.0, 136.0),
            10.0,
            REGULAR,
            "Another one starts at the margin, and fills all of its line",
        )
        .lines(50.0, 148.0, 10.0, &PROSE[4..]);
    let text = page.markdown();
    assert!(text.contains("It ends here.\n\nAnother one"), "{text}");
    assert_eq!(text.matches("\n\n").count(), 1, "{text}");
}

#[test]
fn headings_by_size_have_levels() {
    let page = Builder::new()
        .text((50.0, 60.0), 24.0, REGULAR, "Title")
        .lines(50.0, 100.0, 10.0, &PROSE[..3])
        .text((50.0, 170.0), 16.0, REGULAR, "Chapter")
        .lines(50.0, 200.0, 10.0, &PROSE[..3])
        .text((50.0, 270.0), 16.0, REGULAR, "Another chapter")
        .lines(50.0, 300.0, 10.0, &PROSE[..3])
        .text((50.0, 360.0), 12.0, BOLD, "Part")
        .lines(50.0, 390.0, 10.0, &PROSE[..3]);
    let text = page.markdown();
    let headings: Vec<&str> = text.lines().filter(|it| it.starts_with('#')).collect();
    assert_eq!(
        headings,
        ["# Title", "## Chapter", "## Another chapter", "### Part"]
    );
}

#[test]
fn a_heading_over_two_lines_is_one() {
    let page = Builder::new()
        .text((50.0, 60.0), 20.0, BOLD, "A title that needs more than on")
        .text((50.0, 84.0), 20.0, BOLD, "one line")
        .lines(50.0, 120.0, 10.0, &PROSE);
    assert!(
        page.markdown()
            .starts_with("# A title that needs more than on one line\n")
    );
}

#[test]
fn bold_lines_at_the_margin_are_headings() {
    let page = Builder::new()
        .text((50.0, 80.0), 10.0, BOLD, "Summary")
        .lines(50.0, 100.0, 10.0, &PROSE[..3])
        .text((80.0, 150.0), 10.0, BOLD, "Term")
        .lines(
            80.0,
            170.0,
            10.0,
            &["a definition, which is indented as well"],
        )
        .text((50.0, 200.0), 10.0, BOLD, "This whole sentence is strong.")
        .lines(50.0, 220.0, 10.0, &PROSE[..3]);
    let text = page.markdown();
    assert!(text.starts_with("# Summary\n"), "{text}");
    assert!(text.contains("**Term**"), "{text}");
    assert!(
        text.contains("**This whole sentence is strong.**"),
        "{text}"
    );
}

#[test]
fn numbers_tell_levels_of_headings_with_one_look() {
    let page = Builder::new()
        .text((50.0, 60.0), 14.0, BOLD, "1 First")
        .lines(50.0, 90.0, 10.0, &PROSE)
        .text((50.0, 190.0), 14.0, BOLD, "1.1 Part of it")
        .lines(50.0, 220.0, 10.0, &PROSE);
    let text = page.markdown();
    assert!(text.starts_with("# 1 First\n"), "{text}");
    assert!(text.contains("\n## 1.1 Part of it\n"), "{text}");
}

#[test]
fn a_sentence_in_larger_letters_is_no_heading() {
    let page = Builder::new()
        .text(
            (50.0, 60.0),
            12.0,
            REGULAR,
            "This introduction is a little larger than the text.",
        )
        .lines(50.0, 100.0, 10.0, &PROSE);
    assert!(page.markdown().starts_with("This introduction"));
}

#[test]
fn bullets_and_levels() {
    let page = Builder::new()
        .text(
            (60.0, 100.0),
            10.0,
            REGULAR,
            "• first item, which goes on over",
        )
        .text((70.0, 112.0), 10.0, REGULAR, "the next line")
        .text((80.0, 124.0), 10.0, REGULAR, "◦ inner item")
        .text((60.0, 136.0), 10.0, REGULAR, "• last item");
    assert_eq!(
        page.markdown(),
        "- first item, which goes on over the next line\n  - inner item\n- last item"
    );
}

#[test]
fn drawn_bullets() {
    let page = Builder::new()
        .text((70.0, 100.0), 10.0, REGULAR, "first")
        .fill(60.0, 95.0, 63.0, 98.0)
        .text((70.0, 112.0), 10.0, REGULAR, "second")
        .fill(60.0, 107.0, 63.0, 110.0);
    assert_eq!(page.markdown(), "- first\n- second");
}

#[test]
fn numbers_of_items() {
    let page = Builder::new()
        .text((60.0, 100.0), 10.0, REGULAR, "1. first")
        .text((60.0, 112.0), 10.0, REGULAR, "2. second")
        .text((80.0, 124.0), 10.0, REGULAR, "a) inner")
        .text((80.0, 136.0), 10.0, REGULAR, "b) more")
        .text((60.0, 148.0), 10.0, REGULAR, "3. third");
    assert_eq!(
        page.markdown(),
        "1. first\n2. second\n   a) inner\n   b) more\n3. third"
    );
}

#[test]
fn a_number_at_the_start_of_a_line_is_no_item() {
    let page = Builder::new().lines(
        50.0,
        100.0,
        10.0,
        &[
            "The measure was introduced in the summer of the year before",
            "12. It was then extended by a year, and later by one more, a",
            "success in the end",
        ],
    );
    assert!(!page.markdown().contains('\n'));
}

#[test]
fn code_keeps_its_indentation() {
    let page = Builder::new()
        .lines(50.0, 60.0, 10.0, &PROSE[..3])
        .text((50.0, 110.0), 10.0, MONO, "fn main() {")
        .text((74.0, 122.0), 10.0, MONO, "let a  = 1;")
        .text((50.0, 146.0), 10.0, MONO, "}")
        .lines(50.0, 170.0, 10.0, &PROSE[..3]);
    let text = page.markdown();
    assert!(
        text.contains("```\nfn main() {\n    let a  = 1;\n\n}\n```"),
        "{text}"
    );
}

#[test]
fn a_note_goes_after_its_paragraph() {
    let page = Builder::new()
        .lines(50.0, 100.0, 10.0, &PROSE[..3])
        .text((350.0, 120.0), 6.0, REGULAR, "1")
        .lines(50.0, 160.0, 10.0, &PROSE[3..])
        .text((50.0, 700.0), 5.0, REGULAR, "1")
        .text((56.0, 703.0), 8.0, REGULAR, "The text of the note.");
    let text = page.markdown();
    let parts: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(parts.len(), 3, "{text}");
    assert!(parts[1].ends_with("The text of the note."), "{text}");
}

#[test]
fn contents_have_one_line_each() {
    let page = Builder::new()
        .text(
            (50.0, 100.0),
            10.0,
            REGULAR,
            "Introduction ............... 3",
        )
        .text(
            (50.0, 112.0),
            10.0,
            REGULAR,
            "Methods .................... 7",
        );
    assert_eq!(page.markdown(), "Introduction … 3  \nMethods … 7");
}

#[test]
fn images_are_at_their_place() {
    let page = Builder::new()
        .lines(50.0, 100.0, 10.0, &PROSE[..3])
        .image([50.0, 150.0, 300.0, 250.0], 4)
        .lines(50.0, 280.0, 10.0, &["After the image."]);
    let text = page.markdown();
    let at = text.find("![](image:4)");
    assert!(at.is_some() && at < text.find("After"), "{text}");
}

#[test]
fn check_boxes_are_items() {
    let page = Builder::new()
        .text((60.0, 100.0), 10.0, REGULAR, "☒ done")
        .text((60.0, 112.0), 10.0, REGULAR, "☐ open");
    assert_eq!(page.markdown(), "- [x] done\n- [ ] open");
}

#[test]
fn bullets_that_touch_their_text() {
    let page = Builder::new()
        .text((60.0, 100.0), 10.0, REGULAR, "•one item")
        .text((60.0, 112.0), 10.0, REGULAR, "•other item");
    assert_eq!(page.markdown(), "- one item\n- other item");
}

#[test]
fn terms_and_definitions_are_no_table() {
    let mut page = Builder::new();
    for (index, term) in ["-a", "-b", "-c"].iter().enumerate() {
        let y = 100.0 + 30.0 * index as f32;
        page = page
            .text((50.0, y), 10.0, BOLD, term)
            .text(
                (90.0, y),
                10.0,
                REGULAR,
                "does something with each of the files that",
            )
            .text((90.0, y + 12.0), 10.0, REGULAR, "are named after it.");
    }
    let text = page.markdown();
    assert!(!text.contains('|'), "{text}");
    assert!(
        text.starts_with(
            "**-a**\n\ndoes something with each of the files that are named after it."
        ),
        "{text}"
    );
}

#[test]
fn headings_between_the_margin_and_the_text() {
    let page = Builder::new()
        .text((50.0, 60.0), 10.0, BOLD, "NAME")
        .lines(90.0, 72.0, 10.0, &PROSE[..4])
        .text((70.0, 140.0), 10.0, BOLD, "Memory usage")
        .lines(90.0, 152.0, 10.0, &PROSE[..4])
        .text((70.0, 220.0), 10.0, BOLD, "--option")
        .lines(90.0, 232.0, 10.0, &PROSE[..4]);
    let text = page.markdown();
    let headings: Vec<&str> = text.lines().filter(|it| it.starts_with('#')).collect();
    assert_eq!(headings, ["# NAME", "## Memory usage"], "{text}");
}

#[test]
fn a_size_of_much_text_is_no_size_of_headings() {
    let mut page = Builder::new().lines(50.0, 60.0, 10.0, &PROSE);
    for index in 0..8 {
        let y = 200.0 + 20.0 * index as f32;
        page = page.text((50.0, y), 11.5, REGULAR, "Name: a value of the form");
    }
    assert!(!page.markdown().contains('#'));
}

#[test]
fn slanted_lines_are_headings_if_there_are_several() {
    let page = |count: usize| {
        (0..count)
            .fold(Builder::new(), |page, index| {
                let y = 60.0 + 100.0 * index as f32;
                page.text((50.0, y), 10.0, ITALIC, "A topic of the text")
                    .lines(50.0, y + 12.0, 10.0, &PROSE[..4])
            })
            .markdown()
    };
    assert!(page(1).starts_with("*A topic"), "{}", page(1));
    assert_eq!(page(3).matches("# A topic of the text\n").count(), 3);
}

#[test]
fn letters_as_bullets() {
    let page = Builder::new()
        .text((60.0, 100.0), 10.0, REGULAR, "• outer")
        .text((80.0, 112.0), 10.0, MONO, "o")
        .text((92.0, 112.0), 10.0, REGULAR, "inner")
        .text((80.0, 124.0), 10.0, MONO, "o")
        .text((92.0, 124.0), 10.0, REGULAR, "more");
    assert_eq!(page.markdown(), "- outer\n  - inner\n  - more");
}

#[test]
fn a_list_after_the_widest_line_of_a_paragraph_is_a_list() {
    let page = Builder::new()
        .text(
            (50.0, 100.0),
            10.0,
            REGULAR,
            "Clean the shade once a month:",
        )
        .text((68.0, 112.0), 10.0, REGULAR, "1. Pull out the plug.")
        .text((68.0, 124.0), 10.0, REGULAR, "2. Wipe the shade.");
    assert_eq!(
        page.markdown(),
        "Clean the shade once a month:\n\n1. Pull out the plug.\n2. Wipe the shade."
    );
}

#[test]
fn a_number_at_the_start_of_a_full_line_is_no_list() {
    let page = Builder::new()
        .text(
            (50.0, 100.0),
            10.0,
            REGULAR,
            "The reader of the page sees a text as it is shown in figure",
        )
        .text(
            (50.0, 112.0),
            10.0,
            REGULAR,
            "1. The next line of the text has no number at the start of",
        )
        .text((50.0, 124.0), 10.0, REGULAR, "it.");
    let text = page.markdown();
    assert!(text.contains("figure 1. The next"), "{text}");
}

#[test]
fn a_line_of_contents_may_have_few_dots() {
    let page = Builder::new()
        .text(
            (50.0, 100.0),
            10.0,
            REGULAR,
            "First chapter . . . . . . . . . 9",
        )
        .text(
            (50.0, 112.0),
            10.0,
            REGULAR,
            "A chapter with a long title . . . 12",
        );
    let text = page.markdown();
    assert!(text.contains("A chapter with a long title … 12"), "{text}");
}

#[test]
fn a_large_heading_may_be_justified() {
    let page = Builder::new()
        .text((50.0, 60.0), 20.0, BOLD, "Stock")
        .text((150.0, 60.0), 20.0, BOLD, "of")
        .text((200.0, 60.0), 20.0, BOLD, "the")
        .text((50.0, 84.0), 20.0, BOLD, "nursery")
        .lines(50.0, 120.0, 10.0, &PROSE);
    let text = page.markdown();
    assert!(text.starts_with("# Stock of the nursery\n"), "{text}");
}

#[test]
fn a_line_with_smaller_inline_code_is_in_its_paragraph() {
    let page = Builder::new()
        .lines(50.0, 100.0, 10.0, &PROSE[..2])
        .text(
            (50.0, 124.0),
            8.5,
            MONO,
            "TcpStream::connect_timeout(address,",
        )
        .text((240.0, 124.0), 10.0, REGULAR, "which reads")
        .lines(50.0, 136.0, 10.0, &PROSE[3..5]);
    let text = page.markdown();
    assert!(!text.contains("\n\n"), "{text}");
}

#[test]
fn wide_gaps_of_justified_text_are_no_columns() {
    let mut page = Builder::new().text(
        (50.0, 60.0),
        10.0,
        REGULAR,
        "Words of one line are far apart",
    );
    let lines = [
        [
            (50.0, "if"),
            (85.0, "they"),
            (130.0, "are"),
            (170.0, "longer."),
        ],
        [
            (50.0, "When"),
            (95.0, "lines"),
            (145.0, "end"),
            (185.0, "here"),
        ],
    ];
    for (index, line) in lines.iter().enumerate() {
        for (at, word) in line {
            page = page.text((*at, 72.0 + 12.0 * index as f32), 10.0, REGULAR, word);
        }
    }
    let text = page
        .text((50.0, 96.0), 10.0, REGULAR, "they are even.")
        .markdown();
    assert_eq!(
        text.trim_end(),
        "Words of one line are far apart if they are longer. When lines end here they are even."
    );
}

#[test]
fn a_large_name_in_code_is_a_heading() {
    let text = Builder::new()
        .text((50.0, 60.0), 18.0, MONO, "omniread")
        .lines(50.0, 100.0, 10.0, &PROSE[..3])
        .markdown();
    assert!(text.starts_with("# "), "{text}");
}

#[test]
fn columns_of_code_are_no_table() {
    let text = Builder::new()
        .lines(50.0, 60.0, 10.0, &PROSE[..3])
        .text((50.0, 110.0), 10.0, MONO, "cargo bench")
        .text(
            (50.0, 134.0),
            10.0,
            MONO,
            "test one      bench:      2,522 ns",
        )
        .text(
            (50.0, 146.0),
            10.0,
            MONO,
            "test two      bench:     12,658 ns",
        )
        .markdown();
    assert!(
        text.contains("ns\ntest two      bench:     12,658"),
        "{text}"
    );
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn a_sentence_goes_on_after_a_comma() {
    let text = Builder::new()
        .lines(50.0, 60.0, 10.0, &PROSE[..2])
        .text(
            (50.0, 84.0),
            10.0,
            REGULAR,
            "The names of the types are Alpha, Beta,",
        )
        .text((50.0, 96.0), 10.0, REGULAR, "Gamma and Delta.")
        .markdown();
    assert!(text.contains("Beta, Gamma"), "{text}");
}
