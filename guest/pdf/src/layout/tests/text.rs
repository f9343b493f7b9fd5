//! Words, spaces, hyphens and directions.

use super::*;

#[test]
fn a_gap_is_a_space_without_a_space_glyph() {
    let page = Builder::new()
        .text((50.0, 100.0), 10.0, REGULAR, "one")
        .text((68.0, 100.0), 10.0, REGULAR, "two")
        .text((83.5, 100.0), 10.0, REGULAR, "three");
    assert_eq!(page.markdown(), "one twothree");
}

#[test]
fn spaced_letters_are_words() {
    let page = Builder::new()
        .spaced((50.0, 100.0), 20.0, 5.0, "BIG NEWS")
        .lines(50.0, 150.0, 10.0, &PROSE);
    assert!(page.markdown().starts_with("# BIG NEWS\n"));
}

#[test]
fn hyphens_at_line_ends() {
    let text = |lines: &[&str]| Builder::new().lines(50.0, 100.0, 10.0, lines).markdown();
    assert_eq!(
        text(&[
            "It is a long line with some infor-",
            "mation in it, and more"
        ]),
        "It is a long line with some information in it, and more"
    );
    assert_eq!(
        text(&[
            "It has a large number of pages, and it is thirty-",
            "one years old"
        ]),
        "It has a large number of pages, and it is thirty-one years old"
    );
    assert_eq!(
        text(&[
            "It is an attack which has the name of man-in-",
            "the-middle in texts"
        ]),
        "It is an attack which has the name of man-in-the-middle in texts"
    );
    // The document has the compound.
    assert_eq!(
        text(&[
            "A well-known fact is no secret, it is a fact that is well-",
            "known to all of the readers"
        ]),
        "A well-known fact is no secret, it is a fact that is well-known to all of the readers"
    );
    // The document has both words on their own.
    assert_eq!(
        text(&[
            "The river crosses the border in the east, it is the river-",
            "border of the land"
        ]),
        "The river crosses the border in the east, it is the river-border of the land"
    );
    assert_eq!(
        text(&[
            "After a while, the page was re-",
            "examined by two of the readers"
        ]),
        "After a while, the page was re-examined by two of the readers"
    );
    assert_eq!(
        text(&["The years between 1990-", "1995 were good, and later too"]),
        "The years between 1990-1995 were good, and later too"
    );
    assert_eq!(
        text(&[
            "A soft hyphen divi\u{ad}",
            "des, and one with\u{ad}in is not seen"
        ]),
        "A soft hyphen divides, and one within is not seen"
    );
}

#[test]
fn ligatures_are_letters() {
    let page = Builder::new().text((50.0, 100.0), 10.0, REGULAR, "e\u{fb03}cient \u{fb01}eld");
    assert_eq!(page.markdown(), "efficient field");
}

#[test]
fn chinese_lines_are_joined_without_spaces() {
    let page = Builder::new().lines(
        50.0,
        100.0,
        10.0,
        &[
            "人人生而自由，在尊严和权利上一律平等。他们",
            "赋有理性和良心",
        ],
    );
    assert_eq!(
        page.markdown(),
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心"
    );
}

#[test]
fn text_from_the_right_is_in_logical_order() {
    // Drawn from the left: the end of the text comes first.
    let page = Builder::new().text((50.0, 100.0), 10.0, REGULAR, "םולש 25 דוע");
    assert_eq!(page.markdown(), "עוד 25 שלום");
}

#[test]
fn marks_of_letters_from_the_right_stay_with_them() {
    let mut page = Builder::new().text((50.0, 100.0), 10.0, REGULAR, "בא");
    // The mark is drawn before its letter, above the line.
    page.page
        .glyphs
        .insert(1, glyph('\u{5b7}', (57.0, 57.0), 97.0, 10.0, REGULAR));
    assert_eq!(page.markdown(), "א\u{5b7}ב");
}

#[test]
fn raised_numbers() {
    let page = Builder::new()
        .text((50.0, 100.0), 10.0, REGULAR, "water at 10")
        .text((105.0, 96.0), 6.0, REGULAR, "3")
        .text((111.0, 100.0), 10.0, REGULAR, "degrees");
    assert_eq!(page.markdown(), "water at 10^3 degrees");
}

#[test]
fn formats_of_words() {
    let page = Builder::new()
        .text((50.0, 100.0), 10.0, REGULAR, "a ")
        .text((60.0, 100.0), 10.0, BOLD, "heavy")
        .text((85.0, 100.0), 10.0, REGULAR, ", ")
        .text((95.0, 100.0), 10.0, ITALIC, "slanted")
        .text((130.0, 100.0), 10.0, REGULAR, " and ")
        .text((155.0, 100.0), 10.0, MONO, "code()")
        .text((191.0, 100.0), 10.0, REGULAR, " word");
    assert_eq!(page.markdown(), "a **heavy**, *slanted* and `code()` word");
}

#[test]
fn text_that_is_drawn_twice_is_there_once() {
    let page = Builder::new()
        .text((50.0, 100.0), 10.0, REGULAR, "shadow")
        .text((50.3, 100.2), 10.0, REGULAR, "shadow");
    assert_eq!(page.markdown(), "shadow");
}

#[test]
fn links_cover_their_words() {
    let page = Builder::new()
        .text((50.0, 100.0), 10.0, REGULAR, "see the manual now")
        .link([89.0, 90.0, 121.0, 102.0], "https://example.org/");
    assert_eq!(
        page.markdown(),
        "see the [manual](https://example.org/) now"
    );
}

#[test]
fn turned_pages() {
    // Text that goes upwards: the page is turned by 90°.
    let mut page = Builder::new();
    for (line, text) in ["The first line of a page", "that is turned"]
        .iter()
        .enumerate()
    {
        let x = 100.0 + 12.0 * line as f32;
        let mut y = 700.0;
        for character in text.chars() {
            let mut glyph = glyph(character, (x, x), y, 10.0, REGULAR);
            glyph.y1 = y - 5.0;
            glyph.direction = Direction::Up;
            page.page.glyphs.push(glyph);
            y -= 5.0;
        }
    }
    assert_eq!(page.markdown(), "The first line of a page that is turned");
}

#[test]
fn vertical_lines_go_from_the_right() {
    let mut page = Builder::new();
    for (line, text) in ["人人生而自由在尊严", "和权利上"].iter().enumerate() {
        let x = 500.0 - 15.0 * line as f32;
        let mut y = 100.0;
        for character in text.chars() {
            let mut glyph = glyph(character, (x, x), y, 10.0, VERTICAL);
            glyph.y1 = y + 10.0;
            glyph.direction = Direction::Down;
            page.page.glyphs.push(glyph);
            y += 10.0;
        }
    }
    assert_eq!(page.markdown(), "人人生而自由在尊严和权利上");
}

#[test]
fn text_in_another_direction_is_at_the_end() {
    let mut page = Builder::new().lines(50.0, 100.0, 10.0, &PROSE);
    let mut y = 500.0;
    for character in "margin".chars() {
        let mut glyph = glyph(character, (20.0, 20.0), y, 10.0, REGULAR);
        glyph.y1 = y - 5.0;
        glyph.direction = Direction::Up;
        page.page.glyphs.insert(0, glyph);
        y -= 5.0;
    }
    // The letters were inserted in reverse, each before the last one.
    let text = page.markdown();
    assert!(text.starts_with("The reader"), "{text}");
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn narrow_spaces_of_a_justified_line_separate_words() {
    // No spaces in the stream, and gaps of 0.13 font sizes between words.
    let mut page = Builder::new();
    let mut x = 50.0;
    for word in ["Improved", "Rust", "skills", "donec", "felis", "erat"] {
        page = page.text((x, 100.0), 10.0, REGULAR, word);
        x += 5.0 * word.len() as f32 + 1.3;
    }
    assert_eq!(page.markdown(), "Improved Rust skills donec felis erat");
}

#[test]
fn the_date_below_a_title_is_no_heading() {
    let text = Builder::new()
        .text((101.0, 60.0), 18.0, REGULAR, "A report of the survey")
        .text((167.0, 100.0), 12.0, REGULAR, "12 May 2024")
        .lines(50.0, 150.0, 10.0, &PROSE)
        .markdown();
    assert!(
        text.starts_with("# A report of the survey\n\n12 May 2024\n\nThe reader"),
        "{text}"
    );
}

/// Adds a text whose letters start at one distance, and are as wide as those of proportional fonts.
fn pitched(mut page: Builder, x: f32, y: f32, pitch: f32, text: &str) -> Builder {
    let mut at = x;
    for letter in text.chars() {
        page = page.text((at, y), 10.0, REGULAR, &letter.to_string());
        if let Some(glyph) = page.page.glyphs.last_mut() {
            glyph.x1 = at
                + if matches!(letter, 'i' | 'l' | 't') {
                    2.5
                } else {
                    5.5
                };
        }
        at += pitch;
    }
    page
}

#[test]
fn letters_of_one_pitch_are_words() {
    let page = pitched(Builder::new(), 50.0, 100.0, 6.0, "Total limit to tell");
    assert_eq!(page.markdown(), "Total limit to tell");
    // A comma and its space have the width of a digit.
    let page = Builder::new()
        .text((50.0, 100.0), 10.0, REGULAR, "41-75,")
        .text((80.0, 100.0), 10.0, REGULAR, "1997");
    let mut page = page;
    page.page.glyphs[5].x1 -= 2.5;
    assert_eq!(page.markdown(), "41-75, 1997");
}

#[test]
fn text_that_is_spaced_out_is_no_table() {
    let mut page = Builder::new();
    for line in 0..4 {
        let y = 100.0 + 14.0 * line as f32;
        let mut x = 50.0;
        for letter in "some letters in a line".chars() {
            page = page.text((x, y), 10.0, REGULAR, &letter.to_string());
            x += 10.0;
        }
    }
    let line = "some letters in a line";
    assert_eq!(page.markdown(), [line; 4].join(" "));
}
