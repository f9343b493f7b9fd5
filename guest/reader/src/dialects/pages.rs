//! The argument `pages`: a page of a PDF document, or a range of pages.

use super::arguments::argument_failure;
use crate::failure::Failure;
use crate::limits;

/// Parses `3` or `1-5`, and returns the selector of these pages, such as `:page:1-5`.
///
/// # Errors
/// Fails if the text names no pages, or more than [`limits::CALL_PAGES`].
pub fn selector(text: &str) -> Result<String, Failure> {
    let wrong = || {
        argument_failure("pages", "must be a page or a range of pages")
            .hint("write `3` or `1-5`, with pages counted from 1")
    };
    let page = |text: &str| {
        let digits = text.trim();
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let page = digits.parse().ok().filter(|page: &u32| *page > 0);
        page.filter(|_| is_number).ok_or_else(wrong)
    };
    let Some((first, last)) = text.split_once('-') else {
        return Ok(format!(":page:{}", page(text)?));
    };
    let (first, last) = (page(first)?, page(last)?);
    let Some(more) = last.checked_sub(first) else {
        return Err(wrong());
    };
    if more >= limits::CALL_PAGES {
        let end = first.saturating_add(limits::CALL_PAGES.saturating_sub(1));
        let is = format!(
            "names {} pages, more than the {} of a call",
            u64::from(more).saturating_add(1),
            limits::CALL_PAGES
        );
        let hint = format!("read pages {first}-{end} first");
        return Err(argument_failure("pages", &is).hint(hint));
    }
    Ok(format!(":page:{first}-{last}"))
}

#[cfg(test)]
mod tests {
    use super::selector;

    #[test]
    fn pages_are_a_number_or_a_range() {
        for (text, wanted) in [
            ("3", ":page:3"),
            (" 1 - 5 ", ":page:1-5"),
            ("10-29", ":page:10-29"),
            ("4294967295", ":page:4294967295"),
        ] {
            assert_eq!(selector(text).unwrap(), wanted);
        }
        for text in [
            "",
            "0",
            "0-3",
            "5-1",
            "-3",
            "3-",
            "1,2",
            "+3",
            "a",
            "1-2-3",
            "4294967296",
        ] {
            let failure = selector(text).unwrap_err();
            assert_eq!(
                failure.message.to_string(),
                "argument `pages` must be a page or a range of pages",
                "{text}"
            );
        }
        let failure = selector("10-30").unwrap_err();
        assert_eq!(
            failure.message.to_string(),
            "argument `pages` names 21 pages, more than the 20 of a call"
        );
        assert_eq!(failure.hint.as_deref(), Some("read pages 10-29 first"));
    }
}
