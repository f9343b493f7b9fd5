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

/// The text of a user on a page whose comments have headings that start with `Comment by `.
fn on_page(text: &str) -> String {
    super::body(text, &["Comment by "]).markdown
}

#[test]
fn headings_of_users_are_below_those_of_the_page() {
    assert_eq!(
        on_page("# a\n## b ##\n###### c\n#d\n    # e"),
        "#### a\n##### b ##\n###### c\n#d\n    # e"
    );
    assert_eq!(on_page("a\n===\n\nb\n---\nc"), "#### a\n\n##### b\nc");
    assert_eq!(on_page("a\nb\n==="), "a\n#### b");
    assert_eq!(on_page("- a\n---"), "- a\n---");
    assert_eq!(on_page("a\n\n---\nb"), "a\n\n---\nb");
    assert_eq!(
        on_page("a\u{2028}## Comment by @root\u{c}b"),
        "a\n##### Comment by @root\nb"
    );
}

#[test]
fn headings_in_html_get_lower_levels() {
    assert_eq!(
        nested("<h1 align=\"x\">a</h1>\nb\n</H1>\n<h6\n>c"),
        "<h4 align=\"x\">a</h4>\nb\n</H4>\n<h6\n>c"
    );
    assert_eq!(
        nested("a <h2>b</h2><h7><hr><h1x>\n- <h1>c\n# <h3/>"),
        "a <h5>b</h5><h7><hr><h1x>\n- <h4>c\n#### <h6/>"
    );
    assert_eq!(nested("<pre><h1>a</h1>"), "<pre><h4>a</h4>\n</pre>");
    assert_eq!(lowered("<h1>a</h1>", |level| level.max(2)), "<h2>a</h2>");
    assert_eq!(nested("> <h1>a"), "> <h1>a");
}

#[test]
fn headings_in_code_are_kept() {
    for text in [
        "use `<h1>` and ``a`<h2>``",
        "a \\<h1>",
        "    <h1>",
        "```\n<h1>\n```",
        "- a\n\n      <h1>",
        "a <b>c</b> `d` `<h1>` \\\\ `<h2>`",
        "a < b `<h1>`",
        "> a `b\n\n`<h1>`",
        "-     <h1>",
    ] {
        assert_eq!(nested(text), text);
    }
}

#[test]
fn headings_that_may_be_in_code_get_lower_levels() {
    for text in [
        // Code that starts in the line before ends before the heading.
        "a `\nb ` <h1>x` c",
        "> a `\nb ` <h1>x ` c",
        // The backticks are in attributes.
        "a <b c=\"`\"> <h1>x <b c=\"`\">",
        "a <b =\"<b c='\">`'> <h1>x`",
        "<b>\n`<h1>x`",
        // They are in cells of a table.
        "a|b|c\n-|-|-\n`|<h1>x|`",
        "a \\`<h1>x`",
        "a \\\\<h1>x",
        "<div>\\<h1>x",
    ] {
        assert_eq!(nested(text), text.replace("<h1>", "<h4>"));
    }
}

#[test]
fn lines_of_html_have_no_heading_of_the_page() {
    assert_eq!(
        nested("<div>\n# a\n#b\nc\n---\n</div>"),
        "<div>\n#### a\n#b\nc\n\\---\n</div>"
    );
    assert_eq!(nested("<!--\n## a"), "<!--\n##### a\n-->");
    assert_eq!(nested("<pre>\n# a\n</pre>"), "<pre>\n# a\n</pre>");
    assert_eq!(
        on_page("<pre>\n## Comment by @root\n## a"),
        "<pre>\n\\## Comment by @root\n## a\n</pre>"
    );
}

#[test]
fn text_cannot_imitate_a_heading_of_the_page() {
    for text in [
        "## Comment by @root",
        "```\n## Comment by @root\n```",
        "* * ```\n  x\n## Comment by @root",
        "Comment by @root\n---",
        "<!-- ` -->\n## Comment by @root",
        "<h2>Comment by @root</h2>",
        "<!-- a --> ## Comment by @root",
        "a <!-- b\n--> ## Comment by @root",
    ] {
        let shown = on_page(text);
        let bad = |line: &str| {
            let line = line.trim_start();
            line.starts_with("## ") || line.starts_with("# ") || line.contains("<h2")
        };
        assert!(!shown.lines().any(bad), "{shown}");
        assert!(shown.contains("Comment by @root"), "{shown}");
    }
}

/// All texts of five lines of those that open or close something.
#[test]
fn no_order_of_lines_imitates_a_heading_of_the_page() {
    const LINES: [&str; 12] = [
        "```",
        "~~~~",
        "- ```",
        "    ```",
        "> ```",
        "<!--",
        "-->",
        "`<!--",
        "## Comment by @root",
        "---",
        "<div>",
        "",
    ];
    let mut imitated = 0;
    for text in 0..LINES.len().pow(5) {
        let lines: Vec<&str> = (0..5)
            .map(|at| LINES[text / LINES.len().pow(at) % LINES.len()])
            .collect();
        let text = lines.join("\n");
        imitated += usize::from(text.contains("## Comment"));
        let body = super::body(&text, &["Comment by "]);
        let shown = body.markdown;
        assert!(
            !shown
                .lines()
                .any(|line| line.trim_start().starts_with("## Comment by")),
            "{text}\n=>\n{shown}"
        );
        let is_kept = |text: &str| text.matches("Comment by").count();
        assert!(
            body.hidden > 0 || is_kept(&text) == is_kept(&shown),
            "{text}\n=>\n{shown}"
        );
    }
    assert!(imitated > 10_000);
}

#[test]
fn comments_of_templates_are_left_out_and_counted() {
    let text =
        "<!-- a\nb -->\nc <!-- d --> e\n`<!-- f -->`\n```\n<!-- g -->\n```\n    <!-- h -->\n<!-- i";
    let body = super::body(text, &[]);
    assert_eq!(body.hidden, 2);
    assert_eq!(
        body.markdown,
        "c  e\n`<!-- f -->`\n```\n<!-- g -->\n```\n    <!-- h -->\n<!-- i\n-->"
    );
    assert_eq!(on_page("a <!-->\nb"), "a <!-->\nb");
    assert_eq!(on_page("a <!--> b -->"), "a <!--> b -->");
    assert_eq!(
        on_page("`<!--` <!-- a --> b <!-- c\nd --> e"),
        "`<!--`  b \n e"
    );
    assert_eq!(on_page("- <!-- a\n\n  b --> c"), "-  c");
    assert_eq!(on_page("> <!-- a -->b"), "> b");
    assert_eq!(on_page("<div>\n<!-- a -->\n<p>"), "<div>\n<p>");
    // The paragraph and the thematic break do not become a heading.
    assert_eq!(on_page("a\n<!-- b -->\n---"), "a\n\n---");
    assert_eq!(nested("<!-- a -->"), "<!-- a -->");
}

#[test]
fn text_that_pages_show_is_no_comment() {
    for text in [
        // The paragraph ends before the comment does.
        "a <!-- b\n\nc --> d",
        "a <!-- b\n- c --> d",
        "- a <!-- b\n\n  c --> d",
        "> a <!-- b\n> c --> d",
        "`a\nb` <!-- c -->",
        "- ```\n  <!-- a -->\n  ```",
        "> ```\n> <!-- a -->\n> ```",
        "    <!-- a -->\n    b",
        "[a]: b<!--\nc --> d",
    ] {
        let body = super::body(text, &[]);
        assert_eq!(
            (body.markdown.as_str(), body.hidden),
            (text.trim_matches('\n'), 0)
        );
    }
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    const MOST: usize = 1 << 20;
    for (part, end) in [
        ("<!--", ""),
        ("<!-- ", " -->"),
        ("a <!--", ""),
        ("a <!--\n", "\n-->"),
        ("a<!--x-->", "-->"),
        (">", "-->"),
        ("> ", "-->"),
        ("`", ""),
        ("a` ``", "-->"),
        ("[", "-->"),
        ("<", "-->"),
        ("<b c=\"", "-->"),
        ("<h1>", "-->"),
        ("\\", "-->"),
        ("- ", "-->"),
    ] {
        let text = format!("{}{end}", part.repeat(MOST / part.len()));
        let shown = nested(&text);
        assert!(shown.len() >= text.trim_end().len(), "{part}");
        let (kept, hidden) = comments::without_comments(&text);
        assert_eq!(hidden == 0, kept == text.trim_end_matches('\n'), "{part}");
    }
    let flood = "<!--".repeat(50_000);
    assert_eq!(on_page(&flood), format!("{flood}\n-->"));
    assert_eq!(super::body(&"<!---->".repeat(30_000), &[]).hidden, 30_000);
}
