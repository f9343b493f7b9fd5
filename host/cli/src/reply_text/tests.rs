//! Tests of the text of replies on a terminal.

use super::*;

fn shown(
    form: Form,
    numbers: usize,
    columns: Option<usize>,
    palette: Palette,
    text: &str,
) -> String {
    let mut view = View {
        form,
        exact: false,
        screen: Screen {
            columns,
            is_terminal: columns.is_some(),
            palette,
        },
        numbers,
        cut: Cut::default(),
    };
    view.text(text)
}

fn stripped(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn line_numbers_and_notices_are_painted() {
    let text = "[a.txt#0000]\n1:[x]\n12@40:y\n3-9:fn f() {\n4|z\n\nplain: 1\n[more]";
    let painted = shown(Form::Numbered, 0, None, Palette::ALL, text);
    assert_eq!(stripped(&painted), text);
    for (number, line) in [
        ("1:", "[x]"),
        ("12@40:", "y"),
        ("3-9:", "fn f() {"),
        ("4|", "z"),
    ] {
        let expected = format!("\u{1b}[32m{number}\u{1b}[0m{line}\n");
        assert!(painted.contains(&expected), "{number}: {painted:?}");
    }
    for notice in ["[a.txt#0000]", "[more]"] {
        let expected = format!("\u{1b}[36m{notice}\u{1b}[0m");
        assert!(painted.contains(&expected), "{notice}: {painted:?}");
    }
    assert!(painted.contains("\n\nplain: 1\n"), "{painted:?}");
}

#[test]
fn line_numbers_are_aligned_on_a_terminal() {
    let text = "[a#0000]\n9:a\n10:b\n…\n100:c\n\n[more]";
    let aligned = shown(Form::Numbered, 4, Some(80), Palette::NONE, text);
    assert_eq!(aligned, "[a#0000]\n  9:a\n 10:b\n…\n100:c\n\n[more]");
    let coloured = shown(Form::Numbered, 4, Some(80), Palette::ALL, text);
    assert_eq!(stripped(&coloured), aligned);
}

#[test]
fn numbers_of_other_dialects_are_painted() {
    let text = "     1\tMIT\n    10→x\n   2 | y | z\nplain 1\t\n[1]";
    let painted = shown(Form::Aligned, 0, Some(80), Palette::ALL, text);
    assert_eq!(stripped(&painted), text);
    for number in ["     1", "    10", "   2 |"] {
        assert!(
            painted.contains(&format!("\u{1b}[32m{number}\u{1b}[0m")),
            "{number:?}: {painted:?}"
        );
    }
}

#[test]
fn notices_are_the_lines_in_brackets_at_the_start_and_end() {
    let paint = |text: &str| shown(Form::Plain, 0, Some(80), Palette::ALL, text);
    let cyan = |text: &str| format!("\u{1b}[36m{text}\u{1b}[0m");
    assert_eq!(paint("[Image]"), cyan("[Image]"));
    assert_eq!(
        paint("[a]\ntext\n[in the text]\n\n[b]\n[c]"),
        format!(
            "{}\ntext\n[in the text]\n\n{}\n{}",
            cyan("[a]"),
            cyan("[b]"),
            cyan("[c]")
        )
    );
    assert_eq!(paint("x\n[y]"), "x\n[y]");
}

#[test]
fn directories_and_headings_are_painted() {
    let listing = shown(
        Form::Listing,
        0,
        Some(80),
        Palette::ALL,
        ".\n  - src/    2h ago\n  - a/b.txt  3B",
    );
    assert_eq!(
        listing,
        ".\n  - \u{1b}[1m\u{1b}[34msrc/\u{1b}[0m    2h ago\n  - a/b.txt  3B"
    );
    let text = "# Title\n#tag\n```\n# code\n```\n── Row 1 ──\na: 1";
    let markdown = shown(Form::Markdown, 0, Some(80), Palette::ALL, text);
    assert_eq!(stripped(&markdown), text);
    assert!(markdown.starts_with("\u{1b}[1m# Title\u{1b}[0m\n#tag\n```\n# code\n"));
    assert!(markdown.contains("\u{1b}[1m── Row 1 ──\u{1b}[0m\na: 1"));
}

#[test]
fn text_without_terminal_and_colours_is_unchanged() {
    let text = "1:\u{1b}[2J\n| a |\n| --- |\n| 漢 |\n[x]";
    for form in [
        Form::Exact,
        Form::Numbered,
        Form::Aligned,
        Form::Listing,
        Form::Markdown,
        Form::Plain,
    ] {
        assert_eq!(shown(form, 0, None, Palette::NONE, text), text);
        for (columns, palette) in [(Some(80), Palette::NONE), (Some(80), Palette::ALL)] {
            let text = stripped(&shown(form, 0, columns, palette, text));
            assert!(text.contains("⟨U+001B⟩[2J"), "{form:?}: {text:?}");
        }
    }
    // Exact text stays exact, even if colours are forced.
    assert_eq!(shown(Form::Exact, 0, None, Palette::ALL, text), text);
}

#[test]
fn listing_is_aligned_by_width() {
    let text = "\
.
  - 漢字  x/               2h ago  (not listed)
  - 😀.txt         1.5KB  just now
  - a  b.txt         3B  5m ago
  - link -> 漢字
  - … 4 more

[2 more entries]";
    let expected = "\
.
  - 漢字  x/            2h ago  (not listed)
  - 😀.txt       1.5KB  just now
  - a  b.txt        3B  5m ago
  - link -> 漢字
  - … 4 more

[2 more entries]";
    let aligned = shown(Form::Listing, 0, Some(80), Palette::NONE, text);
    assert_eq!(aligned, expected);
    let plain = "  - a.txt  3B  just now\n  - bb/  2h ago";
    assert_eq!(
        shown(Form::Listing, 0, Some(80), Palette::NONE, plain),
        plain
    );
    // Without a terminal, only colours are added.
    let coloured = shown(Form::Listing, 0, None, Palette::ALL, text);
    assert_eq!(stripped(&coloured), text);
}
