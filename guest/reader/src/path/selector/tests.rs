//! Tests of the text of selectors.

use super::*;
use crate::path::Range;
use proptest::prelude::*;

fn canonical(text: &str) -> Option<String> {
    Selector::parse(text).unwrap().map(|s| s.to_string())
}

#[test]
fn selector_is_normalized() {
    for (text, meaning) in [
        ("5", "5"),
        ("L5", "5"),
        ("5-", "5"),
        ("5..", "5"),
        ("l5-L9", "5-9"),
        ("5..9", "5-9"),
        ("5+3", "5-7"),
        ("L5+L3", "5-7"),
        ("-4", "-4"),
        ("-4@7", "-4@7"),
        ("raw", "raw"),
        ("RAW", "raw"),
        ("5-9:raw", "5-9:raw"),
        ("raw:5-9", "5-9:raw"),
        ("raw:-60", "-60:raw"),
        ("20,5-9", "5-9,20"),
        ("5-9,10-12", "5-12"),
        ("5-9,7-20", "5-20"),
        ("5-9,7-", "5"),
        ("19,59", "19,59"),
        ("12@2001", "12@2001"),
        ("12@2001-40", "12@2001-40"),
        ("12@2001-12,40-", "12@2001-12,40-"),
        ("12@2001,40-", "12@2001-12,40-"),
        ("5-99999999999999999999", "5"),
        ("5+99999999999999999999", "5"),
        ("2@5-2,7@9,12-", "2@5-2,7@9-7,12-"),
        ("IMG", "img"),
        ("image:3", "image:3"),
        ("Image:12", "image:12"),
        ("img:3", "image:3"),
        ("IMG:1", "image:1"),
        ("cell:4", "cell:4"),
        ("Cell:2-4", "cell:2-4"),
        ("cell:2-4:5-9", "cell:2-4:5-9"),
        ("cell:0:raw", "cell:0:raw"),
        ("cell:0:raw:-3", "cell:0:-3:raw"),
        ("cell:1-", "cell:1-"),
        ("PAGE:3-5", "page:3-5"),
        ("page:7:13-", "page:7:13"),
        ("page:7-:13-", "page:7-:13"),
        ("page:3:IMG", "page:3:img"),
        ("page:3-3:img", "page:3:img"),
        ("page:2-4:All", "page:2-4:all"),
        ("page:2:all:5-9", "page:2:all:5-9"),
        ("page:2-:all:raw", "page:2-:all:raw"),
        ("slide:2-2", "slide:2"),
        ("chapter:3:raw:1-4", "chapter:3:1-4:raw"),
    ] {
        assert_eq!(canonical(text).as_deref(), Some(meaning), "{text}");
    }
}

#[test]
fn list_that_merges_into_one_range_stays_a_list() {
    // A list is shown without context lines; a single range is shown with them.
    assert_eq!(
        Selector::parse("1-2,3-4").unwrap().unwrap().lines,
        Lines::List(vec![Range::lines(1, Some(4))])
    );
}

#[test]
fn column_after_line_is_removed() {
    for (text, line) in [
        ("10:5", Some("10")),
        ("10:5:", Some("10")),
        ("cell:4:10:5", Some("cell:4:10")),
        ("10:", None),
        ("10::", None),
        ("10:x", None),
        ("5-9:6", None),
        ("raw:5", None),
        ("10", None),
    ] {
        assert_eq!(without_column(text), line, "{text}");
    }
}

#[test]
fn text_that_is_not_a_selector_belongs_to_the_name() {
    for text in [
        "",
        "x",
        "LL5",
        "5-x",
        "5,",
        "5,-3",
        "-",
        "--3",
        "5:6",
        "5:",
        "raw:raw",
        "5-9:raw:raw",
        "1.5",
        "5 ",
        "+3",
        "0x",
        "5@",
        "5@3-",
        "@3",
        "0,x",
        "cell",
        "cell:",
        "cell:x",
        "cell:-1",
        "cell:1:img",
        "cell:1:all",
        "page:1-2:img",
        "page:1-:img",
        "page:1:img:3",
        "page:1:all:img",
        "page:",
        "page:x",
        "pages:1",
        "page:1:slide:1",
        "cell:1:cell:1",
        "img:",
        "img:x",
        "img:1-2",
        "img:1:5",
        "image",
        "image:",
        "image:x",
        "image:1-2",
        "image:1:5",
    ] {
        assert_eq!(Selector::parse(text), Ok(None), "{text}");
    }
}

#[test]
fn invalid_numbers_fail_with_the_reason() {
    for (text, message) in [
        (
            "0",
            "Line selector 0 is invalid; lines are 1-indexed. Use :1.",
        ),
        (
            "0-4",
            "Line selector 0 is invalid; lines are 1-indexed. Use :1.",
        ),
        ("9-3", "Invalid range 9-3: end must be >= start."),
        ("5+0", "Invalid range 5+0: count must be >= 1."),
        (
            "cell:99999999999999999999",
            "Cell selector 99999999999999999999 is invalid; no source has that many cells.",
        ),
        ("cell:3-1", "Invalid range 3-1: end must be >= start."),
        ("page:0", "Page selector 0 is invalid; pages are 1-indexed."),
        (
            "image:0",
            "Image selector 0 is invalid; images are 1-indexed.",
        ),
        ("1-3,9-3", "Invalid range 9-3: end must be >= start."),
        (
            "-0",
            "Tail selector -0 is invalid; use :-N with N >= 1 to read the last N lines.",
        ),
        (
            "99999999999999999999",
            "Line selector 99999999999999999999 is invalid; no text has that many lines.",
        ),
        (
            "L99999999999999999999-",
            "Line selector 99999999999999999999 is invalid; no text has that many lines.",
        ),
        (
            "2@99999999999999999999",
            "Column selector 2@99999999999999999999 is invalid; no line has that many characters.",
        ),
        (
            "2@5,2-3",
            "Invalid column in a list: line 2 is in another range as well.",
        ),
        (
            "1-3,2@5",
            "Invalid column in a list: line 2 is in another range as well.",
        ),
        (
            "3@0",
            "Column selector 0 is invalid; columns are 1-indexed. Use :3@1.",
        ),
    ] {
        assert_eq!(
            &*Selector::parse(text).unwrap_err().message,
            message,
            "{text}"
        );
    }
}

proptest! {
    #[test]
    fn printed_selector_parses_to_itself(text in "[L]?[1-9][0-9]{0,2}(@[1-9][0-9]?)?(-|\\.\\.|\\+[1-9])?(,[1-9][0-9]{0,2}-?){0,3}(:raw)?") {
        if let Ok(Some(selector)) = Selector::parse(&text) {
            let printed = selector.to_string();
            let again = Selector::parse(&printed).unwrap().unwrap();
            prop_assert_eq!(again.to_string(), printed);
            prop_assert_eq!(again.raw, selector.raw);
        }
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in ".{0,40}") {
        let _ = Selector::parse(&text);
    }
}
