//! Fragments at the end of a path, as in a URL: `page.html#install`, `main.rs#L10-L20`.
//!
//! `#L10` and `#L10-L20` are lines, as GitHub and other servers of source code write them, and `#page=2`
//! is a page. Any other fragment is the id of a section. A file or member with this name takes precedence.

use super::lines::number;

/// Whether a name may be followed by `rest`, which starts with `#`, as a fragment. A fragment has no
/// slash, and does not follow one. That of a file without an extension selects lines, because names such as `C#.md` have a
/// `#` too.
pub fn follows(name: &str, rest: &str) -> bool {
    let Some(id) = rest.strip_prefix('#') else {
        return false;
    };
    let last = name.rsplit(['/', '\\', ':']).next().unwrap_or(name);
    let has_extension = last
        .rsplit_once('.')
        .is_some_and(|(stem, extension)| !stem.is_empty() && !extension.is_empty());
    let is_id = !id.is_empty() && !id.contains(['/', '\\']);
    is_id && !last.is_empty() && (has_extension || lines(rest).is_some())
}

/// The selector for the lines of a fragment, and what follows it: `10-20:raw` for `#L10-L20:raw`. The
/// columns of `#L10C5-L20C8` are ignored. That for a page of a PDF document is `page:2` for `#page=2`
/// (RFC 8118, 3). `None` if it selects neither.
pub fn lines(text: &str) -> Option<String> {
    let text = text.strip_prefix('#')?;
    let (range, rest) = match text.find(':') {
        Some(end) => text.split_at_checked(end)?,
        None => (text, ""),
    };
    if let Some(page) = range.strip_prefix("page=") {
        return number(page).map(|page| format!("page:{page}{rest}"));
    }
    let (first, last) = match range.split_once('-') {
        Some((first, last)) => (first, Some(last)),
        None => (range, None),
    };
    let line = |text: &str| match text.split_once(['C', 'c']) {
        Some((line, column)) => number(column).and_then(|_| number(line)),
        None => number(text),
    };
    let after_letter = |text| str::strip_prefix(text, ['L', 'l']);
    let first = line(after_letter(first)?)?;
    let last = match last {
        Some(last) => line(after_letter(last).unwrap_or(last))?,
        None => first,
    };
    Some(format!("{}-{}{rest}", first.min(last), first.max(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragment_of_lines_is_a_selector() {
        for (text, selector) in [
            ("#L10", Some("10-10")),
            ("#L10-L20", Some("10-20")),
            ("#l10-20", Some("10-20")),
            ("#L20-L10", Some("10-20")),
            ("#L10C5-L20C8", Some("10-20")),
            ("#L2-L3:raw", Some("2-3:raw")),
            ("#page=2", Some("page:2")),
            ("#page=2:5", Some("page:2:5")),
            ("#page=2:5-9:raw", Some("page:2:5-9:raw")),
            ("#page=2:all", Some("page:2:all")),
            ("#page=:5", None),
            ("#page=x", None),
            ("#L", None),
            ("#10", None),
            ("#L10x", None),
            ("#L1-", None),
            ("#Lamps", None),
            ("#install", None),
            ("L10", None),
        ] {
            assert_eq!(lines(text).as_deref(), selector, "{text}");
        }
    }

    #[test]
    fn name_with_a_number_sign_is_not_split() {
        for (name, rest, is_fragment) in [
            ("a.html", "#install", true),
            ("d/README.md", "#L3", true),
            ("Makefile", "#L3", true),
            ("x.zip:a/b.html", "#top", true),
            ("C", "#.md", false),
            (".env", "#x", false),
            ("a.b", "#/c.txt", false),
            ("a.html", "#", false),
            ("a.html", ":5", false),
            ("dir/", "#L1", false),
            ("x.zip:", "#L1", false),
            ("", "#L1", false),
        ] {
            assert_eq!(follows(name, rest), is_fragment, "{name}{rest}");
        }
    }
}
