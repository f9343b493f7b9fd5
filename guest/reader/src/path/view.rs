//! Selectors of the converted form of a file, such as a web page as Markdown.
//!
//! | form | selects |
//! |---|---|
//! | nothing, as in `page.html:` | the converted form; of a web page, its main text |
//! | `full` | the whole web page |
//! | `all` | all pages, with text that cannot be seen, such as white text |
//! | `#install` | the section of a web page with this id |
//! | `:5-9`, `full:5-9`, `#install:5-9` | lines of these |
//!
//! It also parses the selectors of declarations, whose names may be those of members of an archive:
//!
//! | form | selects |
//! |---|---|
//! | `sym:Outer.inner`, `sym:Type::method` | the declaration, heading or key with this name |
//! | `120:block`, `120:8:block` | the declaration that contains line 120 |
//! | `120:block+2` | the second one around it |
//! | `sym:new:5-9`, `120:block:raw` | lines of these, counted from the first |
//!
//! An id or a name may contain colons. The longest text at its end that selects lines is not a part of it.

use super::Selector;
use super::escape::split_escaped;
use super::selector::{Part, View, without_hidden};
use super::symbol::{SYMBOL, Symbol, parse_block};
use super::units::{UnitKind, UnitRange};
use crate::failure::Failure;

/// Parses a selector of the converted form. `escaped` is true if the path is in escape form.
/// Returns `Ok(None)` for any other text.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the lines have invalid numbers, such as `0` or `9-3`.
///
/// [`Reason::InvalidSelector`]: crate::failure::Reason::InvalidSelector
pub fn parse(text: &str, escaped: bool) -> Result<Option<Selector>, Failure> {
    let of = |view| Some(Selector::of(Part::Converted(view)));
    if text.is_empty() {
        return Ok(of(View::Main));
    }
    if let Some(section) = text.strip_prefix('#') {
        return Ok(parse_section(section, escaped));
    }
    if let Some(selector) = parse_symbols(text, escaped)? {
        return Ok(Some(selector));
    }
    if let (true, lines) = without_hidden(text) {
        let part = Part::Units(UnitRange {
            hidden: true,
            ..UnitRange::all(UnitKind::Page)
        });
        let lines = lines.map_or(Ok(Some(Selector::NONE)), parse_lines)?;
        return Ok(lines.map(|lines| Selector { part, ..lines }));
    }
    let (view, lines) = match text.split_once(':') {
        Some(("", lines)) => (View::Main, lines),
        Some((full, lines)) if full.eq_ignore_ascii_case("full") => (View::Full, lines),
        None if text.eq_ignore_ascii_case("full") => return Ok(of(View::Full)),
        _ => return Ok(None),
    };
    let part = Part::Converted(view);
    Ok(parse_lines(lines)?.map(|lines| Selector { part, ..lines }))
}

/// Parses a selector of declarations. `escaped` is true if the path is in escape form. Returns
/// `Ok(None)` for any other text.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the line or the lines have invalid numbers.
///
/// [`Reason::InvalidSelector`]: crate::failure::Reason::InvalidSelector
pub fn parse_symbols(text: &str, escaped: bool) -> Result<Option<Selector>, Failure> {
    if let Some((word, name)) = text.split_once(':')
        && word.eq_ignore_ascii_case(SYMBOL)
    {
        let (name, lines) = split_lines(name, escaped);
        let is_name = !name.trim().is_empty();
        let part = Part::Symbol(Symbol::Named(name));
        return Ok(is_name.then_some(Selector { part, ..lines }));
    }
    let Some((block, lines)) = parse_block(text)? else {
        return Ok(None);
    };
    let part = Part::Symbol(block);
    let lines = lines.map_or(Ok(Some(Selector::NONE)), parse_lines)?;
    Ok(lines.map(|lines| Selector { part, ..lines }))
}

/// Parses the text after `#`: an id, and the lines of its section. `None` if the id is empty.
fn parse_section(text: &str, escaped: bool) -> Option<Selector> {
    let (id, lines) = split_lines(text, escaped);
    let part = Part::Converted(View::Section(id.clone()));
    (!id.is_empty()).then_some(Selector { part, ..lines })
}

/// Splits a text into a name and the longest selector of lines at its end. Escapes of the name are
/// resolved if `escaped` is true.
fn split_lines(text: &str, escaped: bool) -> (String, Selector) {
    let split = |text: &str| match text.split_once(':') {
        Some((id, rest)) => (id.to_owned(), Some(rest.len())),
        None => (text.to_owned(), None),
    };
    let split_escaped = |text: &str| {
        let (id, rest) = split_escaped(text);
        (id, rest.map(str::len))
    };
    let mut id = String::new();
    let mut rest = text;
    let lines = loop {
        let (part, left) = if escaped {
            split_escaped(rest)
        } else {
            split(rest)
        };
        id.push_str(&part);
        let Some(tail) = left.and_then(|left| rest.get(rest.len().saturating_sub(left)..)) else {
            break Selector::NONE;
        };
        // Invalid numbers, as in `#note:0`, belong to the id.
        if let Ok(Some(lines)) = parse_lines(tail) {
            break lines;
        }
        id.push(':');
        rest = tail;
    };
    (id, lines)
}

/// Parses a selector of lines, also as exact text. `Ok(None)` for any other text.
fn parse_lines(text: &str) -> Result<Option<Selector>, Failure> {
    let selector = Selector::parse(text)?;
    Ok(selector.filter(|selector| selector.part == Part::Whole && selector.selects_lines()))
}

#[cfg(test)]
mod tests {
    use super::super::Suffix;
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Option<Selector> {
        Suffix::of(text).selector().unwrap()
    }

    fn section(id: &str) -> Part {
        Part::Converted(View::Section(id.to_owned()))
    }

    #[test]
    fn hidden_text_is_selected_in_all_pages() {
        for (text, normal) in [
            ("all", "page:1-:all"),
            ("ALL:5-9", "page:1-:all:5-9"),
            ("all:raw", "page:1-:all:raw"),
        ] {
            assert_eq!(parsed(text).unwrap().to_string(), normal, "{text}");
        }
        assert_eq!(parsed("all:x"), None);
        assert_eq!(parsed("allow"), None);
    }

    #[test]
    fn selector_of_converted_form_has_view_and_lines() {
        let (main, full) = (Part::Converted(View::Main), Part::Converted(View::Full));
        for (text, part, lines) in [
            ("", main.clone(), ""),
            (":301", main.clone(), "301"),
            (":10-20", main.clone(), "10-20"),
            (":-20", main.clone(), "-20"),
            (":RAW:5-9", main, "5-9:raw"),
            ("full", full.clone(), ""),
            ("FULL:301-400", full, "301-400"),
            ("#install", section("install"), ""),
            ("#Install:5-9", section("Install"), "5-9"),
            ("#a:5-9:raw", section("a"), "5-9:raw"),
            ("#fn:x:2", section("fn:x"), "2"),
            ("#fn:1:2", section("fn:1"), "2"),
            ("#fn\\:1:2", section("fn:1"), "2"),
            ("#fn\\:1", section("fn:1"), ""),
            ("#a\\:b:c", section("a:b:c"), ""),
            ("#note:0", section("note:0"), ""),
            ("#a:", section("a:"), ""),
            ("##", section("#"), ""),
        ] {
            let selector = parsed(text).unwrap();
            assert_eq!(selector.part, part, "{text}");
            let part = Part::Whole;
            assert_eq!(Selector { part, ..selector }.to_string(), lines, "{text}");
        }
    }

    #[test]
    fn selector_of_a_declaration_has_a_name_or_a_line() {
        let named = |name: &str| Symbol::Named(name.to_owned());
        let around = |line, steps| Symbol::Around {
            line,
            column: None,
            steps,
        };
        let placed = |line, column, steps| Symbol::Around {
            line,
            column: Some(column),
            steps,
        };
        for (text, symbol, lines, printed) in [
            ("sym:new", named("new"), "", "sym:new"),
            (
                "SYM:Outer.inner",
                named("Outer.inner"),
                "",
                "sym:Outer.inner",
            ),
            ("sym:Type::new", named("Type::new"), "", "sym:Type::new"),
            ("sym:new:5-9", named("new"), "5-9", "sym:new:5-9"),
            ("sym:a::b:Raw", named("a::b"), "raw", "sym:a::b:raw"),
            ("sym:a\\:5", named("a:5"), "", "sym:a\\:5"),
            ("sym:a\\:5:7", named("a:5"), "7", "sym:a\\:5:7"),
            ("sym:A\\B", named("A\\B"), "", "sym:A\\B"),
            ("sym:a:0", named("a:0"), "", "sym:a\\:0"),
            ("120:block", around(120, 0), "", "120:block"),
            ("L120:Block+0", around(120, 0), "", "120:block"),
            ("120:8:block", placed(120, 8, 0), "", "120:8:block"),
            ("120:8:block+2", placed(120, 8, 2), "", "120:8:block+2"),
            ("120:block:raw", around(120, 0), "raw", "120:block:raw"),
            ("7:block+1:-3", around(7, 1), "-3", "7:block+1:-3"),
        ] {
            let selector = parsed(text).unwrap();
            assert_eq!(selector.to_string(), printed, "{text}");
            assert_eq!(parsed(printed), Some(selector.clone()), "{text}");
            assert_eq!(selector.part, Part::Symbol(symbol), "{text}");
            let part = Part::Whole;
            assert_eq!(Selector { part, ..selector }.to_string(), lines, "{text}");
            assert!(Suffix::of(text).is_selector(), "{text}");
        }
        for text in [
            "sym",
            "sym:",
            "sym: ",
            "symbol:a",
            "block",
            "5:blocks",
            "5:block+",
            "5:block+x",
            "5-9:block",
            "5:6:7:block",
            "x:block",
            "5:block:x",
            "5:block:",
            "-5:block",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
        for text in ["0:block", "99999999999999999999:block", "5:block:0"] {
            Suffix::of(text).selector().unwrap_err();
        }
    }

    #[test]
    fn other_text_does_not_select_the_converted_form() {
        for text in [
            ":", "::5", ":x", ":img", ":full", ":cell:1", "full:", "full:x", "fuller", "#", "#:5",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn invalid_lines_of_converted_form_fail() {
        for text in [":0", ":9-3", "full:0"] {
            Suffix::of(text).selector().unwrap_err();
        }
    }

    proptest! {
        #[test]
        fn printed_selector_of_a_declaration_parses_to_itself(
            name in "[ar5lL0:.\\\\-]{0,8}[a.]",
            lines in "(|[1-9](-[1-9][0-9])?)(|:raw)",
        ) {
            let lines = parse_lines(lines.trim_start_matches(':')).unwrap();
            let part = Part::Symbol(Symbol::Named(name));
            let selector = Selector { part, ..lines.unwrap_or(Selector::NONE) };
            prop_assert_eq!(parsed(&selector.to_string()), Some(selector));
        }

        #[test]
        fn printed_selector_of_converted_form_parses_to_itself(
            view in prop_oneof![
                Just(View::Main),
                Just(View::Full),
                "[a5#:\\\\-]{1,8}".prop_map(View::Section),
            ],
            lines in "(|[1-9](-[1-9][0-9])?)(|:raw)",
        ) {
            let lines = parse_lines(lines.trim_start_matches(':')).unwrap();
            let part = Part::Converted(view);
            let selector = Selector { part, ..lines.unwrap_or(Selector::NONE) };
            prop_assert_eq!(parsed(&selector.to_string()), Some(selector));
        }
    }
}
