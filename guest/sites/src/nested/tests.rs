//! Tests of Markdown within a page.

use super::*;

#[test]
fn headings_get_lower_levels() {
    let body = "# a\n ## b ##\n#c\n    # code\nd\n===\ne\nf\n---\n\n---\n- x\n- # y\n  z\n  ==\n";
    let expected =
        "#### a\n ##### b ##\n#c\n    # code\n#### d\ne\n##### f\n\n---\n- x\n- #### y\n  #### z";
    assert_eq!(nested(body), expected);
    assert_eq!(nested("###### a"), "###### a");
    assert_eq!(
        nested("a\u{2028}# b\u{c}# c\r\n# d"),
        "a\n#### b\n#### c\n#### d"
    );
    assert_eq!(lowered("# a\n## b", |level| level.max(2)), "## a\n## b");
}

#[test]
fn code_is_kept_and_closed() {
    assert_eq!(
        nested("```sh\n# a\n``\n```\n# b"),
        "```sh\n# a\n``\n```\n#### b"
    );
    assert_eq!(nested("~~~~\n# a\n~~~\n```"), "~~~~\n# a\n~~~\n```\n~~~~");
    assert_eq!(nested("```x``` y\n# b"), "```x``` y\n#### b");
    assert_eq!(nested("    ```\n# b"), "    ```\n#### b");
    assert_eq!(
        nested("1. a\n   ```sh\n   # b\n   ```\n# c"),
        "1. a\n   ```sh\n   # b\n   ```\n#### c"
    );
}

#[test]
fn blocks_end_with_their_list_items() {
    assert_eq!(
        nested("- ```\n  # a\n# b\n```\n# c"),
        "- ```\n  # a\n#### b\n```\n# c\n```"
    );
    assert_eq!(
        nested("-\n\n  ```\n# a\n```\n# b"),
        "-\n\n  ```\n# a\n```\n#### b"
    );
    assert_eq!(nested("a\n2. ```\n   # b"), "a\n2. ```\n   #### b");
    assert_eq!(nested("- a\n# b\n- ```"), "- a\n#### b\n- ```\n  ```");
}

#[test]
fn paragraphs_of_quotes_go_on_without_marks() {
    assert_eq!(nested("> a\n<b>\n```\n# c"), "> a\n<b>\n```\n# c\n```");
    assert_eq!(
        nested("> # a\n<b>\n```\n\n# c"),
        "> # a\n<b>\n```\n\n#### c"
    );
    assert_eq!(
        nested("> a\n===\n> > b\nc\n# d"),
        "> a\n===\n> > b\nc\n#### d"
    );
    let deep = ">".repeat(100_000);
    assert_eq!(nested(&deep), deep);
}

#[test]
fn html_is_kept_and_closed() {
    assert_eq!(
        nested("<pre>\n```\n</pre>\n# a"),
        "<pre>\n```\n</pre>\n#### a"
    );
    assert_eq!(
        nested("<div align=\"x\">\n```\n\n# a"),
        "<div align=\"x\">\n```\n\n#### a"
    );
    assert_eq!(
        nested("<b>x</b>\n```\n# a\n\n```"),
        "<b>x</b>\n```\n# a\n\n```"
    );
    assert_eq!(
        nested("<x-y a b='1' c=2>\n```\n\n# a"),
        "<x-y a b='1' c=2>\n```\n\n#### a"
    );
    assert_eq!(nested("<!-- a"), "<!-- a\n-->");
}
